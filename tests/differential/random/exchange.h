// Random kernels for a compiler that is not ours (Triton's own): what a launch needs as files, and judging what it left.
// PATH.ttir is the text, PATH.py its source in Python if it has one, PATH.json says how to launch it, PATH.in holds the tensors' bytes one behind the other, PATH.out
// what they hold afterwards, in the same order. Not here: compiling and launching (composite_on_gpu.py).
#pragma once

#include <string>

#include "trial.h"

namespace lockstep::differential_tests {

/// False: nothing was written, because there is nothing to compare, as `why` says.
bool export_kernel(const Recipe& recipe, const std::string& path, std::string& why);
/// Skipped where there is no PATH.out.
Result judge_folder(const Recipe& recipe, const std::string& path);

}  // namespace lockstep::differential_tests
