#include "python/native/debug/debugging.h"

#include <pybind11/stl.h>

#include "python/native/bindings.h"
#include "python/native/debug/debug_launch.h"

namespace lockstep::python {

namespace py = pybind11;

namespace {

const char* name_of(DebugEnd end) {
  switch (end) {
    case DebugEnd::ran_on: return "ran_on";
    case DebugEnd::bad_command: return "bad_command";
    case DebugEnd::interrupted: return "interrupted";
    case DebugEnd::killed: return "killed";
    case DebugEnd::gave_up: return "gave_up";
    case DebugEnd::refused: return "refused";
  }
  return "";
}

/// How the launch ended, or why it did not begin.
py::tuple told(const DebugLaunch& launch, DebugEnd end) { return py::make_tuple(name_of(end), launch.problem()); }

DebugWish wish_of(std::uint64_t history, const std::vector<std::string>& catches, const py::dict& expect) {
  DebugWish wish;
  if (history != 0) wish.history_bytes = history;
  wish.catches = catches;
  wish.expected = read_expected(expect);
  return wish;
}

py::tuple talk(DebugLaunch& self, const py::object& console, std::uint64_t history,
               const std::vector<std::string>& catches, bool runs_to_breakpoint,
               const std::vector<std::string>& scripts, const std::vector<std::string>& commands, bool batch,
               const py::dict& expect) {
  DebugWish wish = wish_of(history, catches, expect);
  wish.runs_to_breakpoint = runs_to_breakpoint;
  wish.scripts = scripts;
  wish.commands = commands;
  wish.is_batch = batch;
  return told(self, self.talk(console, std::move(wish)));
}

py::tuple serve(DebugLaunch& self, const py::object& console, std::uint16_t port, std::uint64_t history,
                const std::vector<std::string>& catches, const py::dict& expect) {
  return told(self, self.serve(console, wish_of(history, catches, expect), port));
}

/// The launch's memory is released when the offer is over, however long Python keeps the object.
struct Offer {
  std::shared_ptr<DebugLaunch> launch;
  ~Offer() { launch->close(); }
};

}  // namespace

bool& debugs_every_launch() {
  static bool is_on = false;
  return is_on;
}

bool offer_to_debugger(const std::shared_ptr<const KernelData>& kernel, const interpreter::RunRequest& request,
                       const sanitizer::CheckOptions& checks, const std::vector<memory_model::Extent>& read_only,
                       std::optional<interpreter::LaunchReport>& report) {
  const Offer offer{std::make_shared<DebugLaunch>(kernel, request, checks, read_only)};
  try {
    py::module_::import("lockstep.debugging").attr("take")(offer.launch);
  } catch (py::error_already_set& error) {
    error.restore();
    return false;
  }
  report = std::move(offer.launch->report());
  return true;
}

void add_debugging(py::module_& module) {
  using D = DebugLaunch;
  py::class_<D, std::shared_ptr<D>>(module, "DebugLaunch", "A launch that has not begun; a debugger may start it.")
      .def_property_readonly("kernel", [](const D& self) { return self.kernel().name; })
      .def_property_readonly(
          "grid", [](const D& self) { return py::make_tuple(self.grid()[0], self.grid()[1], self.grid()[2]); })
      .def_property_readonly("breakpoints", &D::breakpoints)
      .def("talk", &talk, py::arg("console"), py::kw_only(), py::arg("history") = 0,
           py::arg("catches") = std::vector<std::string>(), py::arg("runs_to_breakpoint") = false,
           py::arg("scripts") = std::vector<std::string>(), py::arg("commands") = std::vector<std::string>(),
           py::arg("batch") = false, py::arg("expect") = py::dict())
      .def("serve", &serve, py::arg("console"), py::arg("port"), py::kw_only(), py::arg("history") = 0,
           py::arg("catches") = std::vector<std::string>(), py::arg("expect") = py::dict())
      .def("__repr__", [](const D& self) { return "<DebugLaunch of " + self.kernel().name + ">"; });
  module.def("debug_every_launch", [](bool on) { debugs_every_launch() = on; }, py::arg("on"));
}

}  // namespace lockstep::python
