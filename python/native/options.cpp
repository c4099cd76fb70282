#include "options.h"

#include <cmath>
#include <string>

#include "array.h"
#include "bindings.h"
#include "checkers/checker.h"
#include "empties.h"
#include "run_launch.h"

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

checkers::CheckOptions checks_of(const std::string& check, const std::string& memory_model, const std::string& triton) {
  DiagnosticSink sink;
  const auto checks = checkers::make_check_options(check, memory_model, triton, sink);
  if (!checks) throw py::value_error(text_of(sink));
  return *checks;
}

void set_options(int threads, const std::string& bounds, double timeout, std::uint64_t max_memory, bool rollback,
                 const py::object& progress, const py::object& print, const py::object& on_every_report,
                 const py::object& all_storages, bool profile, std::size_t trace_events, const std::string& check,
                 const std::string& memory_model, const std::string& triton, bool warns_only) {
  if (threads < 0) throw py::value_error("threads must be 0 (all cores) or more");
  if (!std::isfinite(timeout) || timeout < 0) throw py::value_error("timeout must be 0 (none) or more seconds");
  Options next;
  next.threads = static_cast<unsigned>(threads);
  next.reach = reach_of(bounds);
  next.limits.timeout_seconds = timeout;
  next.limits.max_memory_bytes = max_memory;
  next.rollback = rollback;
  next.profiling = {profile, trace_events};
  next.checks = checks_of(check, memory_model, triton);
  next.checks.warns_only = warns_only;
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
             py::arg("check") = "default", py::arg("memory_model") = "tile", py::arg("triton") = "3.6",
             py::arg("warns_only") = false);
  module.def("checkers", [] {
    py::list names;
    for (const checkers::CheckerRow& row : checkers::checker_rows())
      names.append(py::make_tuple(std::string(row.name), std::string(row.summary), row.is_default));
    return names;
  });
  module.def(
      "note_empty",
      [](std::uint64_t address, std::uint64_t bytes, std::string site) {
        Empties::instance().note(address, bytes, std::move(site));
      },
      py::arg("address"), py::arg("bytes"), py::arg("site"));
  module.def("forget_empty", [](std::uint64_t address) { Empties::instance().forget(address); }, py::arg("address"));
  module.def("set_pretended_cuda", [](bool on) { pretends_cuda() = on; }, py::arg("on"));
}

}  // namespace lockstep::python
