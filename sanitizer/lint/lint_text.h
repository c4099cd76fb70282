// Lints that the text of a kernel gives without running it: index arithmetic in 64 bits (LSP04), registers and shared
// memory (LSP08), products below the tensor core's tile (LSP09). Estimates: a compiler may do better.
#pragma once

#include "sanitizer/core/checker.h"

namespace lockstep::sanitizer {

/// Adds the lints that apply.
void lint_text(const LaunchContext& context, Report& report);

/// A lint at an op, for the launch as a whole.
Finding lint_at(FindingCode code, std::string message, const ir::Op& op, std::string hint);

}  // namespace lockstep::sanitizer
