// Diagnostic and CompileError.
#include <pybind11/stl.h>

#include <string>
#include <vector>

#include "python/native/bindings.h"

namespace lockstep::python {
namespace {

namespace py = pybind11;

struct DiagnosticObject {
  std::string code, severity, message, file, text;
  std::uint32_t line = 0, column = 0;
};

DiagnosticObject to_object(const Diagnostic& diagnostic) {
  DiagnosticObject object{std::string(diagnostic.code.spelling()), std::string(spelling(diagnostic.severity)), diagnostic.message, {}, {}};
  object.text = render_text(diagnostic);
  if (diagnostic.span.file != nullptr) {
    const LineColumn place = diagnostic.span.file->position(diagnostic.span.range.begin);
    object.file = diagnostic.span.file->path();
    object.line = place.line;
    object.column = place.column;
  }
  return object;
}

/// The exception type; made at import, never released.
py::handle& error_type() {
  static py::handle instance;
  return instance;
}

}  // namespace

void throw_compile_error(const DiagnosticSink& sink) {
  std::vector<DiagnosticObject> diagnostics;
  for (const Diagnostic& diagnostic : sink.diagnostics()) diagnostics.push_back(to_object(diagnostic));
  std::string text = render_text(sink);
  while (!text.empty() && text.back() == '\n') text.pop_back();
  const py::object error = error_type()(text.empty() ? "the kernel could not be compiled" : text);
  error.attr("diagnostics") = diagnostics;
  error.attr("is_unsupported") = sink.has_errors() && sink.only_unsupported();
  PyErr_SetObject(error_type().ptr(), error.ptr());
  throw py::error_already_set();
}

void add_diagnostics(py::module_& module) {
  py::class_<DiagnosticObject>(module, "Diagnostic", "A problem in a kernel's text.")
      .def("__reduce__", [](const py::object& self) { return reduce_to_copy(self, "copy_diagnostic"); })
      .def_readonly("code", &DiagnosticObject::code)
      .def_readonly("severity", &DiagnosticObject::severity)
      .def_readonly("message", &DiagnosticObject::message)
      .def_readonly("file", &DiagnosticObject::file)
      .def_readonly("line", &DiagnosticObject::line)
      .def_readonly("column", &DiagnosticObject::column)
      .def_readonly("text", &DiagnosticObject::text)
      .def("__repr__",
           [](const DiagnosticObject& self) { return "<Diagnostic " + self.code + ": " + self.message + ">"; });
  py::dict members;
  members["diagnostics"] = py::list();
  members["is_unsupported"] = false;
  error_type() = PyErr_NewExceptionWithDoc("lockstep._native.CompileError",
                                           "A kernel's text does not compile.",
                                           PyExc_Exception, members.ptr());
  if (!error_type()) throw py::error_already_set();
  module.attr("CompileError") = error_type();
}

}  // namespace lockstep::python
