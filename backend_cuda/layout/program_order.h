// The order in which a GPU starts programs. It starts blocks by their number, and programs that run long are better started
// first: the last ones leave multiprocessors idle. Invariant: no program waits for another. Not here: kernels whose blocks
// take several programs (persistent.h).
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "ir/op.h"

namespace lockstep::backend_cuda {

/// The axis (0 to 2) along which a counted loop runs longer from program to program, as under a causal mask; nullopt: there
/// is none, or programs may depend on the order of their start.
std::optional<std::size_t> axis_of_longer_programs(const ir::Op& function);

/// The kernel's first statements: the numbers of the block's program. Programs of 16 neighbours along another axis start from
/// the last on `axis` to the first, then those of the next 16.
std::string longest_first_text(std::size_t axis);
/// A block's program on `axis`, an unsigned number; `long_axis`: Target's.
std::string program_number(std::size_t axis, int long_axis);

}  // namespace lockstep::backend_cuda
