// Facts that several checkers derive from a kernel's text and a launch's touched ranges: where the kernel stores to an
// argument or loads from it, and findings that belong to no single execution. Invariant: nothing here runs a kernel.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "interpreter/batching/effects.h"
#include "sanitizer/core/checker.h"

namespace lockstep::sanitizer {

/// Plain loads (or stores) of the function whose pointer derives from this parameter, in the order of the text. A
/// pointer that a loop or a branch carries may belong to any parameter and does not count.
std::vector<const ir::Op*> loads_of(const ir::Op& function, std::size_t parameter);
std::vector<const ir::Op*> stores_of(const ir::Op& function, std::size_t parameter);
/// In the body of a loop.
bool is_in_loop(const ir::Op& op);

/// A finding about the launch as a whole (Finding::programs is 0), at `place` (null: none), about argument `name`.
Finding launch_finding(FindingCode code, std::string message, const ir::Op* place, const std::string& name);

/// Reads of any kind, atomics included, may come from this parameter's memory.
bool may_read(const interpreter::MemoryEffects& effects, std::size_t parameter);
bool may_write(const interpreter::MemoryEffects& effects, std::size_t parameter);

/// Some address, mask or branch of the kernel may hang on a number that it loads, or that an atomic returns: launches
/// that differ only in what memory holds may touch other places.
bool places_hang_on_memory(const ir::Module& module, const ir::Op& function);

/// The function's name for parameter `i`, as in views.
const memory_model::View* view_of(const LaunchContext& context, std::size_t parameter);

}  // namespace lockstep::sanitizer
