// Profile: what LaunchReport.profile is, and the sum of several.
#include "python/native/profiles.h"

#include <pybind11/stl.h>

#include <string>
#include <tuple>
#include <vector>

#include "interpreter/profile/profile_text.h"
#include "python/native/bindings.h"

namespace lockstep::python {
namespace {

namespace py = pybind11;
using interpreter::ProfilePart;
using interpreter::ProfileRow;

const char* spelling_of(ProfilePart part) {
  switch (part) {
    case ProfilePart::prologue: return "prologue";
    case ProfilePart::program: return "program";
    case ProfilePart::batch: return "batch";
  }
  return "program";
}

py::dict dict_of(const ProfileRow& row) {
  py::dict dict;
  dict["op"] = row.op;
  dict["file"] = row.place.file;
  dict["line"] = row.place.line;
  dict["column"] = row.place.column;
  dict["library"] = row.function;
  dict["part"] = spelling_of(row.part);
  dict["calls"] = row.calls;
  dict["seconds"] = row.ns * 1e-9;
  dict["elements"] = row.elements;
  dict["bytes_read"] = row.bytes_read;
  dict["bytes_written"] = row.bytes_written;
  dict["is_estimate"] = row.is_shared;
  return dict;
}

std::vector<py::dict> rows_of(const ProfileObject& self) {
  std::vector<py::dict> rows;
  for (const ProfileRow& row : self.profile->rows) rows.push_back(dict_of(row));
  return rows;
}

std::vector<std::tuple<std::string, std::uint32_t, std::string>> advice_of(const ProfileObject& self) {
  std::vector<std::tuple<std::string, std::uint32_t, std::string>> all;
  for (const auto& one : self.profile->advice) all.emplace_back(one.place.file, one.place.line, one.text);
  return all;
}

ProfileObject join(const std::vector<ProfileObject>& profiles, std::size_t max_slices) {
  if (profiles.empty()) throw py::value_error("no profiles to join");
  auto sum = std::make_shared<interpreter::Profile>(*profiles.front().profile);
  for (std::size_t i = 1; i < profiles.size(); ++i) join_profile(*sum, *profiles[i].profile, max_slices);
  return {sum};
}

}  // namespace

void add_profiles(py::module_& module) {
  using P = ProfileObject;
  py::class_<P>(module, "Profile", "The time of a launch, or of several, by source line and op.")
      .def_property_readonly("kernel", [](const P& self) { return self.profile->kernel; })
      .def_property_readonly("launches", [](const P& self) { return self.profile->launches; })
      .def_property_readonly("programs", [](const P& self) { return self.profile->programs; })
      .def_property_readonly("seconds", [](const P& self) { return self.profile->wall_ns * 1e-9; })
      .def_property_readonly("threads", [](const P& self) { return self.profile->threads; })
      .def_property_readonly("rows", &rows_of)
      .def_property_readonly("advice", &advice_of)
      .def_property_readonly("slices", [](const P& self) { return self.profile->slices.size(); })
      .def("text", [](const P& self) { return interpreter::profile_text(*self.profile); })
      .def("trace", [](const P& self) { return interpreter::profile_trace(*self.profile); })
      .def("__str__", [](const P& self) { return interpreter::profile_text(*self.profile); })
      .def("_repr_html_", [](const py::object& self) { return html_of("profile", self); })
      .def("__repr__", [](const P& self) { return "<Profile of " + self.profile->kernel + ">"; });
  module.def("join_profiles", &join, py::arg("profiles"), py::arg("max_slices"));
}

}  // namespace lockstep::python
