// The module lockstep._native.
#include <pybind11/pybind11.h>

#include <new>

#include "bindings.h"
#include "generated_build_facts.h"
#include "names.h"
#include "support/check.h"

namespace {

namespace py = pybind11;

/// Core exceptions become Python's; pybind11 does std::bad_alloc itself.
void translate(std::exception_ptr pointer) {
  try {
    if (pointer) std::rethrow_exception(pointer);
  } catch (const lockstep::InternalError& error) {
    PyErr_Format(PyExc_SystemError, "a defect of Lockstep: %s", error.what());
  }
}

}  // namespace

PYBIND11_MODULE(_native, module) {
  using namespace lockstep::python;
  module.doc() = "The engine of Lockstep; use it through the package `lockstep`.";
  module.attr("__version__") = LOCKSTEP_BUILD_VERSION;
  if (!make_names()) throw py::error_already_set();
  py::register_exception_translator(&translate);
  add_diagnostics(module);
  add_reports(module);
  add_modules(module);
  add_front_end(module);
  add_options(module);
  add_target_facts(module);
  add_launcher(module);
}
