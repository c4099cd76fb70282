#include "python/native/options.h"

#include <pybind11/stl.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

#include "driver/options/launch_options.h"
#include "python/native/arrays/array.h"
#include "python/native/arrays/empties.h"
#include "python/native/bindings.h"
#include "python/native/sink_text.h"
#include "sanitizer/core/checker.h"

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

/// A row's value from Python; None: the row's default. Raises ValueError for a value that is not a choice of the row.
void take_option(const driver::LaunchOption& option, const py::handle& value, driver::LaunchSpec& spec) {
  if (value.is_none()) return;
  driver::visit_field(option, spec, [&](auto& field) {
    using Field = std::remove_cv_t<std::remove_reference_t<decltype(field)>>;
    if constexpr (std::is_same_v<Field, driver::ChoiceField>) {
      const std::vector<std::string> all = option.choice_list();
      const auto chosen = std::find(all.begin(), all.end(), value.cast<std::string>());
      if (chosen == all.end())
        throw py::value_error(option.python_name() + " must be one of " + std::string(option.choices));
      field.set(spec, static_cast<std::size_t>(chosen - all.begin()));
    } else {
      field = value.cast<Field>();
    }
  });
}

/// The checkers' options in set_options: a dictionary by the names of the rows, because there are many.
sanitizer::CheckOptions checks_of(const py::dict& words) {
  driver::LaunchSpec spec;
  spec.target_gpu = "";
  bool warns_only = false;
  for (const auto& [key, value] : words) {
    const auto name = key.cast<std::string>();
    if (name == "warns_only") {
      warns_only = value.cast<bool>();
      continue;
    }
    const driver::LaunchOption* option = driver::find_launch_option(name);
    if (option == nullptr) throw py::value_error("checks: there is no option " + name);
    take_option(*option, value, spec);
  }
  DiagnosticSink sink;
  auto checks = driver::checks_of(spec, spec.check, sink);
  if (!checks) throw py::value_error(text_of(sink));
  const bool is_one_order = words.contains("schedule") && !words["schedule"].is_none();
  checks->schedules = is_one_order ? 1 : std::max(checks->schedules, 1u);
  checks->warns_only = warns_only;
  return *checks;
}

void set_options(int threads, const std::string& bounds, double timeout, std::uint64_t max_memory, bool rollback,
                 const py::object& progress, const py::object& print, const py::object& on_every_report,
                 const py::object& all_storages, bool profile, std::size_t trace_events, const py::dict& checks,
                 std::uint64_t resident, const std::shared_ptr<BaselineFile>& baseline, bool cover, bool real,
                 bool bits) {
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
  next.is_real = real;
  next.bits = bits;
  next.checks = checks_of(checks);
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
             py::arg("cover") = false, py::arg("real") = false, py::arg("bits") = false);
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
