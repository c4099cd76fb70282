#include "python/native/options.h"

#include <pybind11/stl.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>

#include "sanitizer/core/checker.h"
#include "python/native/arrays/array.h"
#include "python/native/arrays/empties.h"
#include "python/native/bindings.h"
#include "python/native/run_launch.h"
#include "support/gpu_model.h"

namespace lockstep::python {
namespace {

namespace py = pybind11;

Reference callback(const py::object& object, const char* name) {
  if (object.is_none()) return {};
  if (PyCallable_Check(object.ptr()) == 0) throw py::type_error(std::string(name) + " must be callable or None");
  return Reference::borrow(object.ptr());
}

interpreter::Reach reach_of(const std::string& bounds) {
  if (bounds == "storage") return interpreter::Reach::storage;
  if (bounds == "view") return interpreter::Reach::view;
  throw py::value_error("bounds must be \"storage\" or \"view\", not \"" + bounds + "\"");
}

/// What set_options takes of the checkers: a dictionary, because they are many.
class CheckWords {
 public:
  explicit CheckWords(const py::dict& words) : words_(words) {}
  template <typename Type>
  Type get(const char* name, Type otherwise) const {
    return words_.contains(name) ? words_[name].cast<Type>() : otherwise;
  }

 private:
  const py::dict& words_;
};

sanitizer::CheckOptions checks_of(const CheckWords& words) {
  DiagnosticSink sink;
  auto checks = sanitizer::make_check_options(words.get<std::string>("check", "default"),
                                             words.get<std::string>("memory_model", "tile"),
                                             words.get<std::string>("triton", "3.6"), sink);
  if (!checks) throw py::value_error(text_of(sink));
  if (!sanitizer::set_lane_order(*checks, words.get<std::string>("lane_order", "forward")))
    throw py::value_error("lane_order must be \"forward\", \"reverse\", \"random\" or \"late-store\"");
  const auto only = words.get<std::optional<std::uint32_t>>("schedule", std::nullopt);
  checks->warns_only = words.get("warns_only", false);
  checks->schedules = only ? 1 : std::max(words.get<std::uint32_t>("schedules", 1), 1u);
  checks->only_schedule = only.value_or(0);
  checks->schedule_seed = words.get<std::uint64_t>("schedule_seed", 0);
  checks->gpu = gpu_model(words.get<std::string>("gpu", ""));
  return *checks;
}

void set_options(int threads, const std::string& bounds, double timeout, std::uint64_t max_memory, bool rollback,
                 const py::object& progress, const py::object& print, const py::object& on_every_report,
                 const py::object& all_storages, bool profile, std::size_t trace_events, const py::dict& checks,
                 std::uint64_t resident, const std::shared_ptr<BaselineFile>& baseline, bool cover) {
  if (threads < 0) throw py::value_error("threads must be 0 (all cores) or more");
  if (!std::isfinite(timeout) || timeout < 0) throw py::value_error("timeout must be 0 (none) or more seconds");
  Options next;
  next.threads = static_cast<unsigned>(threads);
  next.reach = reach_of(bounds);
  next.limits.timeout_seconds = timeout;
  next.limits.max_memory_bytes = max_memory;
  next.rollback = rollback;
  next.profiling = {profile, trace_events};
  next.covers = cover;
  next.checks = checks_of(CheckWords(checks));
  next.resident = resident;
  next.baseline = baseline;
  next.progress = callback(progress, "progress");
  next.print = callback(print, "print");
  next.on_every_report = callback(on_every_report, "on_every_report");
  next.all_storages = callback(all_storages, "all_storages");
  std::swap(options(), next);
}

}  // namespace

Options& options() {
  static Options* instance = new Options;  // never destroyed: its callbacks may outlive the interpreter
  return *instance;
}

void add_options(py::module_& module) {
  module.def("set_options", &set_options, py::kw_only(), py::arg("threads") = 0, py::arg("bounds") = "storage",
             py::arg("timeout") = 0.0, py::arg("max_memory") = 0, py::arg("rollback") = false,
             py::arg("progress") = py::none(), py::arg("print") = py::none(), py::arg("on_every_report") = py::none(),
             py::arg("all_storages") = py::none(), py::arg("profile") = false, py::arg("trace_events") = 0,
             py::arg("checks") = py::dict(), py::arg("resident") = 0, py::arg("baseline") = py::none(),
             py::arg("cover") = false);
  module.def("checkers", [] {
    py::list names;
    for (const sanitizer::CheckerRow& row : sanitizer::checker_rows())
      names.append(py::make_tuple(std::string(row.name), std::string(row.summary), row.is_default));
    return names;
  });
  Empties& empties = Empties::instance();
  module.def(
      "note_empty", [&empties](std::uint64_t address, std::uint64_t bytes) { empties.note(address, bytes); },
      py::arg("address"), py::arg("bytes"));
  module.def(
      "is_unwritten",
      [&empties](py::handle tensor, std::uint64_t begin, std::uint64_t end) {
        return empties.is_unwritten(tensor.ptr(), begin, end);
      },
      py::arg("tensor"), py::arg("begin"), py::arg("end"));
  module.def("forget_empty", [&empties](std::uint64_t address) { empties.forget(address); }, py::arg("address"));
  module.def(
      "note_site", [&empties](std::uint64_t address, std::string site) { empties.note_site(address, std::move(site)); },
      py::arg("address"), py::arg("site"));
  module.def("forget_site", [&empties](std::uint64_t address) { empties.forget_site(address); }, py::arg("address"));
  module.def("set_pretended_cuda", [](bool on) { pretends_cuda() = on; }, py::arg("on"));
}

}  // namespace lockstep::python
