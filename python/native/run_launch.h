// Runs one bound launch: without the interpreter's lock, with Ctrl-C, progress and print callbacks going back to
// Python. What a callback raises ends the launch and is raised again by it. Keeps the last report of the process.
#pragma once

#include <Python.h>

#include <array>
#include <cstdint>
#include <memory>
#include <string>

#include "enclosure/real_launch.h"
#include "python/native/binding.h"
#include "python/native/kernel_data.h"
#include "support/diagnostics/diagnostic.h"

namespace lockstep::python {

/// Null: a Python exception is set (a grid or an argument that does not fit: ValueError; what a callback or a signal
/// handler raised; MemoryError; RuntimeError for a defect of Lockstep). The call finishes `binding`.
std::shared_ptr<ReportData> run_launch(const std::shared_ptr<const KernelData>& kernel,
                                       const std::array<std::int64_t, 3>& grid, Binding& binding);

/// What launches of this process stored, without rounding (Options::is_real).
enclosure::RealMemory& real_memory();

/// The report of the launch that ended last; null before the first.
std::shared_ptr<ReportData>& last_report();

/// One integer of a grid. False: a Python exception is set.
bool read_grid_extent(PyObject* number, std::int64_t& extent);

}  // namespace lockstep::python
