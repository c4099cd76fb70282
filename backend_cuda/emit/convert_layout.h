// Changes of layout: a value's elements from the registers of one layout to those of another.
#pragma once

#include <string>

#include "backend_cuda/emit/emit_context.h"
#include "backend_cuda/layout/layout.h"

namespace lockstep::backend_cuda {

/// Text of the register of `to` that holds the same as register r of `from`, given the index bits of `from` in `to`'s
/// tile.
std::string register_map(const Layout& from, const BitMap& bits, const Layout& to);
/// Every index bit is itself.
BitMap same_bits(const Layout& layout);

/// Copies `from` to `to`, the same value in another layout: within a thread if the threads' parts agree; else through
/// shared memory, in runs that a thread holds of the row-major tile, with a gap every row (or 128 bytes), so that columns
/// do not meet in one bank.
void convert_layout(EmitContext& context, const ir::Value& value, const Variable& from, const Variable& to);

}  // namespace lockstep::backend_cuda
