// LaunchReport and Finding. Findings are made into objects, and rendered, only when they are asked for.
#include <pybind11/stl.h>

#include <cstring>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "python/native/bindings.h"
#include "python/native/profiles.h"
#include "python/native/run_launch.h"

namespace lockstep::python {
namespace {

namespace py = pybind11;
using interpreter::Outcome;

/// A finding of a report that it keeps alive.
struct FindingObject {
  std::shared_ptr<const ReportData> report;
  std::size_t index = 0;
  bool is_silenced = false;
  const Finding& get() const {
    const Report& all = is_silenced ? report->silenced : report->report.findings;
    return all.findings()[index];
  }
  /// With the notes that Python added.
  Finding whole() const {
    Finding finding = get();
    const auto added = report->notes.find(index);
    if (is_silenced || added == report->notes.end()) return finding;
    finding.notes.insert(finding.notes.end(), added->second.begin(), added->second.end());
    return finding;
  }
};

struct Place {
  std::string file;
  std::uint32_t line = 0, column = 0;
};

Place report_place(const Location& location) {
  const Location innermost = location.innermost_file();
  if (innermost.is_unknown()) return {};
  return {innermost->text, innermost->line, innermost->display_column()};
}

const char* spelling_of(Outcome outcome) {
  switch (outcome) {
    case Outcome::completed: return "completed";
    case Outcome::interrupted: return "interrupted";
    case Outcome::timed_out: return "timed_out";
    case Outcome::out_of_memory: return "out_of_memory";
    case Outcome::deadlocked: return "deadlocked";
  }
  return "completed";
}

py::tuple tuple_of(const std::vector<std::int64_t>& values) {
  py::tuple tuple(values.size());
  for (std::size_t i = 0; i < values.size(); ++i) tuple[i] = values[i];
  return tuple;
}

std::vector<std::tuple<std::string, std::string, std::uint32_t>> notes_of(const Finding& finding) {
  std::vector<std::tuple<std::string, std::string, std::uint32_t>> notes;
  for (const FindingNote& note : finding.notes) {
    const Place place = report_place(note.location);
    notes.emplace_back(note.message, place.file, place.line);
  }
  return notes;
}

std::vector<FindingObject> findings_of(const std::shared_ptr<const ReportData>& self, bool silenced) {
  if (self == nullptr) throw py::type_error("a LaunchReport is needed");  // None converts to an empty pointer
  std::vector<FindingObject> objects;
  const Report& all = silenced ? self->silenced : self->report.findings;
  for (std::size_t i = 0; i < all.findings().size(); ++i) objects.push_back({self, i, silenced});
  return objects;
}

py::tuple program_id(const ReportData& self, std::int64_t number) {
  const std::int64_t x = self.grid[0], y = self.grid[1], z = self.grid[2];
  if (number < 0 || x == 0 || y == 0 || number / x / y >= z) throw py::value_error("no program has this number");
  return py::make_tuple(number % x, number / x % y, number / x / y);
}

std::vector<std::pair<std::uint64_t, std::uint64_t>> finished_of(const ReportData& self) {
  std::vector<std::pair<std::uint64_t, std::uint64_t>> ranges;
  for (const interpreter::ProgramRange& range : self.report.finished) ranges.emplace_back(range.first, range.last);
  return ranges;
}

/// What each requested checker did in the launch.
py::dict checkers_of(const ReportData& self) {
  const interpreter::ChecksRun& looked = self.report.looked;
  const auto& rows = sanitizer::checker_rows();
  py::dict made;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const char* how = (looked.steps >> i & 1) != 0 ? "steps" : (looked.ranges >> i & 1) != 0 ? "ranges" : "text";
    if ((looked.asked >> i & 1) != 0) made[py::str(std::string(rows[i].name))] = how;
    if ((self.missed.earlier >> i & 1) != 0) made[py::str(std::string(rows[i].name))] = "earlier";
  }
  return made;
}

/// The names of requested checkers that did not examine the launch.
py::tuple left_out_of(const ReportData& self) {
  py::list made;
  const auto& rows = sanitizer::checker_rows();
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if ((self.missed.left_out >> i & 1) != 0) made.append(std::string(rows[i].name));
  }
  return py::tuple(made);
}

py::dict dict_of(const std::map<CodePlace, CodeSides>& sides, const std::string& file) {
  py::dict made;
  for (const auto& [place, one] : sides) {
    if (place.file == file)
      made[py::make_tuple(place.line, place.column)] = py::make_tuple(one.kind, one.first, one.second);
  }
  return made;
}

/// {file: {"lines": {line: ran}, "branches": {(line, column): (kind, taken, not taken)}, "masks": the same}}; None.
py::object coverage_of(const ReportData& self) {
  if (!self.code) return py::none();
  std::set<std::string> files;
  py::dict lines;
  for (const auto& [place, ran] : self.code->lines) {
    if (files.insert(place.file).second) lines[py::str(place.file)] = py::dict();
    lines[py::str(place.file)][py::int_(place.line)] = ran;
  }
  py::dict made;  // a branch or a mask is an op of a line
  for (const std::string& file : files) {
    py::dict one;
    one["lines"] = lines[py::str(file)];
    one["branches"] = dict_of(self.code->branches, file);
    one["masks"] = dict_of(self.code->masks, file);
    made[py::str(file)] = one;
  }
  return made;
}

void add_sides_of(const py::dict& given, const std::string& file, std::map<CodePlace, CodeSides>& sides) {
  for (const auto& [key, value] : given) {
    const auto [line, column] = key.cast<std::pair<std::uint32_t, std::uint32_t>>();
    const auto [kind, first, second] = value.cast<std::tuple<std::string, bool, bool>>();
    add_sides(sides, {file, line, column}, {kind, first, second});
  }
}

/// What `lockstep run --cover` prints, for the coverages of several launches.
std::string coverage_text(const std::vector<py::dict>& coverages) {
  CodeCoverage all;
  for (const py::dict& coverage : coverages) {
    for (const auto& [key, value] : coverage) {
      const auto file = key.cast<std::string>();
      for (const auto& [line, ran] : value["lines"].cast<py::dict>())
        all.add_line({file, line.cast<std::uint32_t>(), 0}, ran.cast<bool>());
      add_sides_of(value["branches"].cast<py::dict>(), file, all.branches);
      add_sides_of(value["masks"].cast<py::dict>(), file, all.masks);
    }
  }
  return code_coverage_text(all);
}

/// As a dict; None: nobody asked, or it could not be made.
py::object real_of_report(const ReportData& self) {
  return self.real.empty() ? py::object(py::none()) : py::module_::import("json").attr("loads")(self.real);
}

/// For each address of an element: the ends of what f64 has there, as pairs of doubles. NaN, NaN: it is not known, and
/// infinity, -infinity: no launch stored it, or something else has written it since.
py::bytes real_values(const py::bytes& addresses, const std::string& type) {
  const std::string given = addresses;
  const auto kind = parse_scalar_kind(type);
  if (!kind) throw py::value_error("there is no type " + type);
  std::string made;
  for (std::size_t i = 0; i + sizeof(std::uint64_t) <= given.size(); i += sizeof(std::uint64_t)) {
    std::uint64_t address = 0;
    std::memcpy(&address, given.data() + i, sizeof address);
    const enclosure::Interval value = real_memory().at(address, *kind).value_or(enclosure::kSurelyNan);
    made.append(reinterpret_cast<const char*>(&value.low), sizeof value.low);
    made.append(reinterpret_cast<const char*>(&value.high), sizeof value.high);
  }
  return made;
}

/// column: from 1.
void add_note(ReportData& self, std::size_t number, const std::string& message, const std::string& file,
              std::uint32_t line, std::uint32_t column) {
  if (number >= self.report.findings.findings().size()) throw py::index_error("no finding has this number");
  Location location;
  if (!file.empty()) {
    self.places.push_back({LocationNode::Kind::file, file, line, column == 0 ? 0 : column - 1, 0, 0, {}});
    location = Location(&self.places.back());
  }
  self.notes[number].push_back({message, location});
}

py::list loops_of(const Finding& finding) {
  py::list made;
  for (const LoopTurn& turn : finding.loops)
    made.append(py::make_tuple(turn.variable, turn.value, turn.number, turn.count));
  return made;
}

void add_finding(py::module_& module) {
  using F = FindingObject;
  py::class_<F>(module, "Finding", "A fact of an execution; docs/errors has a page for each code.")
      .def_property_readonly("code", [](const F& self) { return std::string(spelling(self.get().code)); })
      .def_property_readonly("tier", [](const F& self) { return std::string(spelling(self.get().tier)); })
      .def_property_readonly("message", [](const F& self) { return self.get().message; })
      .def_property_readonly("file", [](const F& self) { return report_place(self.get().location).file; })
      .def_property_readonly("line", [](const F& self) { return report_place(self.get().location).line; })
      .def_property_readonly("column", [](const F& self) { return report_place(self.get().location).column; })
      .def_property_readonly("op", [](const F& self) { return self.get().op; })
      .def_property_readonly("program",
                             [](const F& self) {
                               const ProgramId& id = self.get().program;
                               return py::make_tuple(id[0], id[1], id[2]);
                             })
      .def_property_readonly("lane", [](const F& self) { return tuple_of(self.get().lane); })
      .def_property_readonly("loops", [](const F& self) { return loops_of(self.get()); })
      .def_property_readonly("argument", [](const F& self) { return self.get().argument; })
      .def_property_readonly("element", [](const F& self) { return self.get().element; })
      .def_property_readonly("count", [](const F& self) { return self.get().count; })
      .def_property_readonly("programs", [](const F& self) { return self.get().programs; })
      .def_property_readonly("notes", [](const F& self) { return notes_of(self.whole()); })
      .def_property_readonly("hint", [](const F& self) { return self.get().hint; })
      .def_property_readonly("text", [](const F& self) { return render_text(self.whole()); })
      .def("__reduce__", [](const py::object& self) { return reduce_to_copy(self, "copy_finding"); })
      .def("_repr_html_", [](const py::object& self) { return html_of("finding", self); })
      .def("__repr__", [](const F& self) { return "<Finding " + std::string(spelling(self.get().code)) + ": " + self.get().message + ">"; });
}

}  // namespace

py::tuple reduce_to_copy(const py::object& self, const char* copier) {
  const py::module_ snapshot = py::module_::import("lockstep.snapshot");
  return py::make_tuple(snapshot.attr("as_is"), py::make_tuple(snapshot.attr(copier)(self)));
}

std::string html_of(const char* function, const py::object& self) {
  return py::module_::import("lockstep.notebooks.html_views").attr(function)(self).cast<std::string>();
}

void add_reports(py::module_& module) {
  using R = ReportData;
  add_finding(module);
  py::class_<R, std::shared_ptr<R>>(module, "LaunchReport", "What a launch did.")
      .def_property_readonly("kernel", [](const R& self) { return self.kernel->name; })
      .def_property_readonly("outcome", [](const R& self) { return spelling_of(self.report.outcome); })
      .def_property_readonly("grid",
                             [](const R& self) { return py::make_tuple(self.grid[0], self.grid[1], self.grid[2]); })
      .def_property_readonly("programs_run", [](const R& self) { return self.report.programs_run; })
      .def_property_readonly("programs_total", [](const R& self) { return self.report.programs_total; })
      .def_property_readonly("finished", &finished_of)
      .def_property_readonly("seconds", [](const R& self) { return self.report.seconds; })
      .def_property_readonly("bytes_read", [](const R& self) { return self.report.bytes_read; })
      .def_property_readonly("bytes_written", [](const R& self) { return self.report.bytes_written; })
      .def_property_readonly("scratch_bytes", [](const R& self) { return self.report.scratch_bytes; })
      .def_property_readonly("threads", [](const R& self) { return self.report.threads; })
      .def_property_readonly("findings", [](const std::shared_ptr<R>& self) { return findings_of(self, false); })
      .def_property_readonly("silenced", [](const std::shared_ptr<R>& self) { return findings_of(self, true); })
      .def_property_readonly("checkers", &checkers_of)
      .def_property_readonly("left_out", &left_out_of)
      .def_property_readonly("schedules", [](const R& self) { return self.report.schedules; })
      .def_property_readonly("has_errors", [](const R& self) { return self.report.findings.has(Tier::error); })
      .def_property_readonly("rolled_back", [](const R& self) { return self.report.rolled_back; })
      .def_property_readonly("coverage", &coverage_of)
      .def_property_readonly("real", &real_of_report)
      .def_property_readonly("profile", [](const R& self) { return ProfileObject::of(self.report.profile); })
      .def("program_id", &program_id, py::arg("number"))
      .def("add_note", &add_note, py::arg("number"), py::arg("message"), py::arg("file") = "", py::arg("line") = 0,
           py::arg("column") = 1)
      .def("__reduce__", [](const py::object& self) { return reduce_to_copy(self, "copy_report"); })
      .def("_repr_html_", [](const py::object& self) { return html_of("report", self); })
      .def("__repr__", [](const R& self) {
        return "<LaunchReport of " + self.kernel->name + ": " + spelling_of(self.report.outcome) + ", " +
               std::to_string(self.report.findings.findings().size()) + " findings>";
      });
  module.def("coverage_text", &coverage_text, py::arg("coverages"));
  module.def("real_values", &real_values, py::arg("addresses"), py::arg("type"));
  module.def("forget_real", [] { real_memory().clear(); });
  module.def("last_report", [] { return last_report(); }, "The report of the launch that ended last, or None.");
  py::module_::import("atexit").attr("register")(py::cpp_function([] { last_report().reset(); }));
}

}  // namespace lockstep::python
