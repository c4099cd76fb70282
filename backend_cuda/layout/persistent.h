// Persistent kernels: as many blocks as the GPU has multiprocessors, each of which takes one program after another. A warp
// of its own starts the copies of the next programs' tiles while the others still store. Invariants: the kernel has one
// loop, which only multiplies; its block takes a whole multiprocessor; exchanges have scratch beside the loop's buffers;
// no program waits for another. Not here: the schedule of the copies (box_pipeline.cpp).
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "ir/op.h"

namespace lockstep::backend_cuda {

/// Whether the ops of a kernel may run in a loop over programs, and need few registers beside the sums.
bool may_persist(const ir::Op& function);
/// The pure ops on scalars in `block` that the values are computed with, in its order; nullopt: they need others.
std::optional<std::vector<const ir::Op*>> scalar_slice(const ir::Block& block, std::vector<const ir::Value*> values);

/// The head of the loop over programs. Their numbers go through the grid in the order of its launch.
inline constexpr const char* kProgramLoop =
    "for (unsigned ls_program = blockIdx.x; ls_program < ls_grid_x * ls_grid_y * ls_grid_z; ls_program += gridDim.x)";
/// More parameters behind the kernel's own: the extents of the grid.
inline constexpr const char* kGridParameters = "unsigned ls_grid_x, unsigned ls_grid_y, unsigned ls_grid_z";
/// A program's number on an axis, as a text of emit_expression (a % is doubled).
std::string program_text(std::size_t axis);
/// The extent of the grid on an axis.
std::string program_count_text(std::size_t axis);

}  // namespace lockstep::backend_cuda
