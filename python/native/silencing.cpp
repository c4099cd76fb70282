#include "python/native/silencing.h"

#include <unistd.h>

#include <fstream>
#include <set>
#include <system_error>

#include "findings/places.h"
#include "python/native/bindings.h"
#include "python/native/reference.h"
#include "support/source_file.h"

namespace lockstep::python {
namespace {

namespace py = pybind11;

/// Lines that Python keeps for a source without a file (a notebook's cell, `python -c`).
void show_source(const std::string& path) {
  if (path.empty() || access(path.c_str(), R_OK) == 0) return;
  const Reference name(PyUnicode_DecodeFSDefaultAndSize(path.data(), static_cast<Py_ssize_t>(path.size())));
  const Reference module(name ? PyImport_ImportModule("linecache") : nullptr);
  const Reference lines(module ? PyObject_CallMethod(module.get(), "getlines", "O", name.get()) : nullptr);
  const Reference empty(lines ? PyUnicode_FromString("") : nullptr);
  const Reference text(empty ? PyUnicode_Join(empty.get(), lines.get()) : nullptr);
  Py_ssize_t size = 0;
  const char* bytes = text ? PyUnicode_AsUTF8AndSize(text.get(), &size) : nullptr;
  if (bytes == nullptr) {
    PyErr_Clear();  // no file can have this name, or the lines are no text: the source stays unknown
  } else if (size != 0) {
    (void)lay_over_source(path, 1, std::string(bytes, static_cast<std::size_t>(size)));
  }
}

void show_sources(const Report& report) {
  std::set<std::string> seen;
  const auto show = [&](const Location& location) {
    for (const Location& place : file_places(location)) {
      if (seen.insert(place->text).second) show_source(place->text);
    }
  };
  for (const Finding& finding : report.findings()) {
    show(finding.location);
    for (const FindingNote& note : finding.notes) show(note.location);
  }
}

}  // namespace

bool BaselineFile::add_new(const std::string& kernel, std::vector<ReportedFinding>& findings) {
  if (!grows_) return true;
  std::vector<ReportedFinding> made;
  for (ReportedFinding& one : findings) {
    if (one.silence != Silence::none) continue;
    made.push_back(one);
    one.silence = Silence::baseline;
  }
  if (made.empty()) return true;
  ReportFacts facts;
  facts.kernel = kernel;
  std::ofstream file(path_, std::ios::app | std::ios::binary);
  const std::string text = render_baseline(facts, made);
  const bool begins = file && file.tellp() == std::ofstream::pos_type(0);
  file << (begins ? text : text.substr(text.find('\n') + 1)) << std::flush;
  if (!file) {
    PyErr_Format(PyExc_OSError, "the baseline %s cannot be written", path_.c_str());
    return false;
  }
  for (const ReportedFinding& one : made) known_.insert(one.fingerprint);
  return true;
}

bool silence_findings(ReportData& data, BaselineFile* baseline) {
  Report& findings = data.report.findings;
  if (findings.findings().empty()) return true;
  show_sources(findings);
  auto judged = judge_findings(findings, data.kernel->name, baseline != nullptr ? baseline->known() : Baseline{});
  if (baseline != nullptr && !baseline->add_new(data.kernel->name, judged)) return false;
  for (const ReportedFinding& one : judged) {
    if (one.silence != Silence::none) data.silenced.add(one.finding);
  }
  if (data.silenced.findings().empty()) return true;
  data.silenced.sort();
  findings = counting(judged);
  return true;
}

void add_silencing(py::module_& module) {
  py::class_<BaselineFile, std::shared_ptr<BaselineFile>>(module, "Baseline", "Findings that do not count.")
      .def(py::init([](std::string path, const std::string& text, bool grows) {
             auto known = parse_baseline(text, path);
             if (!known) throw py::value_error(known.error().message);
             return std::make_shared<BaselineFile>(std::move(path), std::move(*known), grows);
           }),
           py::arg("path"), py::arg("text"), py::arg("grows"))
      .def("__len__", [](const BaselineFile& self) { return self.known().size(); });
}

}  // namespace lockstep::python
