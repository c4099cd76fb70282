// Writing ops: blocks, ops in all variants of their layouts, and regions that each thread runs alone. Invariant: an
// op's text comes after the text of its operands. Not here: the text of an op (emit.h), variables (emit_context.h).
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "backend_cuda/emit/emit_context.h"

namespace lockstep::backend_cuda {

/// False: some op has no text (reported).
bool emit_block(EmitContext& context, const ir::Block& block);
bool emit_op(EmitContext& context, const ir::Op& op);
/// Writes the statements of a region whose ops work on scalars, with its arguments bound to `names`. At each return,
/// `finish` gets the names of the returned values and writes what happens with them.
bool emit_region(EmitContext& context, const ir::Region& region, const std::vector<std::string>& names,
                 const std::function<void(const std::vector<std::string>&)>& finish);
/// Declares the arguments of every block but the first, before any jump.
void declare_block_arguments(EmitContext& context, const ir::Region& region);

}  // namespace lockstep::backend_cuda
