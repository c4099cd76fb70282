// The module lockstep._native.
#include <pybind11/pybind11.h>

#include <exception>
#include <new>

#include "generated_build_facts.h"
#include "python/native/bindings.h"
#include "python/native/names.h"
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

PyObject* refuse_new(PyTypeObject* type, PyObject*, PyObject*) {
  return PyErr_Format(PyExc_TypeError, "only the engine makes a %s", type->tp_name);
}

/// For types without a constructor: what pybind11's own __new__ makes would hold no C++ object.
void forbid_construction(const py::object& type) {
  auto* raw = reinterpret_cast<PyTypeObject*>(type.ptr());
  raw->tp_new = refuse_new;
  PyType_Modified(raw);
}

}  // namespace

PYBIND11_MODULE(_native, module) {
  using namespace lockstep::python;
  module.doc() = "The engine of Lockstep; use it through the package `lockstep`.";
  module.attr("__version__") = LOCKSTEP_BUILD_VERSION;
  if (!make_names()) throw py::error_already_set();
  py::register_exception_translator(&translate);
  add_diagnostics(module);
  add_profiles(module);
  add_reports(module);
  add_modules(module);
  add_front_end(module);
  add_silencing(module);
  add_options(module);
  add_descriptions(module);
  add_host_arguments(module);
  add_random_kernels(module);
  add_debugging(module);
  add_launcher(module);
  for (const char* made_here : {"DebugLaunch", "Diagnostic", "Finding", "Kernel", "KernelInfo", "LaunchReport",
                                "Module", "Parameter", "ParameterInfo", "Profile"})
    forbid_construction(module.attr(made_here));
}
