// Functions that return a Module, shared by the files of this folder. Errors are Python exceptions: ValueError for an
// unknown target, CompileError for a kernel's text.
#pragma once

#include <pybind11/pybind11.h>

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "interpreter/gpu_bits/marks.h"
#include "python/native/kernel_data.h"

namespace lockstep::python {

TargetProfile profile_of(const std::string& target);

/// x y + z in one rounding: by LLVM's rule for a GPU's bits, or the simple one.
void contract(ir::Module& module, bool gives_bits);

/// Marks the module for a GPU's bits (interpreter/gpu_bits/marks.h), and says in the log where no model is known.
void warn_of_own_order(ir::Module& module, const interpreter::gpu_bits::GpuTarget& gpu);

/// Module.from_python; parameters as in _native.pyi.
std::shared_ptr<ModuleData> module_from_python(const std::string& path, const std::string& kernel,
                                               const pybind11::dict& signature, const pybind11::dict& constants,
                                               const std::vector<std::string>& divisible,
                                               const std::optional<std::string>& source, const std::string& target,
                                               bool fp_fusion, bool debug, const std::vector<std::string>& search_path,
                                               const std::optional<pybind11::dict>& globals, int num_warps,
                                               int num_stages);

}  // namespace lockstep::python
