// What several checkers ask of a kernel's text and of a launch's touched ranges: where an argument is stored to or
// loaded from, and findings that no single execution of an op is the place of. Invariant: nothing here runs a kernel.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "interpreter/batching/effects.h"
#include "sanitizer/core/checker.h"

namespace lockstep::sanitizer {

/// Plain loads (or stores) of the function whose pointer comes from this parameter, in the order of the text; where a
/// pointer is carried by a loop or a branch it may be any parameter's and is not counted.
std::vector<const ir::Op*> loads_of(const ir::Op& function, std::size_t parameter);
std::vector<const ir::Op*> stores_of(const ir::Op& function, std::size_t parameter);
/// In the body of a loop.
bool is_in_loop(const ir::Op& op);

/// A finding of the launch as a whole (Finding::programs is 0), at `place` (null: nowhere), about argument `name`.
Finding launch_finding(FindingCode code, std::string message, const ir::Op* place, const std::string& name);

/// Reads of any kind, atomics included, may come from this parameter's memory.
bool may_read(const interpreter::MemoryEffects& effects, std::size_t parameter);
bool may_write(const interpreter::MemoryEffects& effects, std::size_t parameter);

/// The function's name for parameter `i`, as views have it.
const memory_model::View* view_of(const LaunchContext& context, std::size_t parameter);

}  // namespace lockstep::sanitizer
