// The additions of each file of this room to the module `lockstep._native`. Called once, at import.
#pragma once

#include <pybind11/pybind11.h>

#include <string>

#include "python/native/kernel_data.h"
#include "support/diagnostics/diagnostic.h"

namespace lockstep::python {

void add_diagnostics(pybind11::module_& module);
void add_profiles(pybind11::module_& module);  // before add_reports
void add_reports(pybind11::module_& module);
void add_modules(pybind11::module_& module);
void add_front_end(pybind11::module_& module);
void add_silencing(pybind11::module_& module);  // before add_options
void add_options(pybind11::module_& module);
void add_debugging(pybind11::module_& module);
void add_descriptions(pybind11::module_& module);
void add_host_arguments(pybind11::module_& module);
void add_random_kernels(pybind11::module_& module);
/// __reduce__ of an object of the engine: it is pickled as the plain copy from lockstep.snapshot's `copier`.
pybind11::tuple reduce_to_copy(const pybind11::object& self, const char* copier);
/// `_repr_html_` of an object of the engine: the result of the function in lockstep.notebooks.html_views.
std::string html_of(const char* function, const pybind11::object& self);
/// The Launcher type. Throws pybind11::error_already_set.
void add_launcher(pybind11::module_& module);

/// Raises lockstep._native.CompileError with everything in the sink.
[[noreturn]] void throw_compile_error(const DiagnosticSink& sink);

/// The kernel behind a Python object of class Kernel; throws TypeError for others.
std::shared_ptr<const KernelData> kernel_of(pybind11::handle object);

}  // namespace lockstep::python
