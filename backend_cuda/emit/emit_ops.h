// Writing ops: blocks, ops in all variants of their layouts, and regions that each thread runs alone. Invariant: what an op
// writes stands behind what its operands write. Not here: the text of an op (emit.h), variables (emit_context.h).
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "backend_cuda/emit/emit_context.h"

namespace lockstep::backend_cuda {

/// False: some op has no text (reported).
bool emit_block(EmitContext& context, const ir::Block& block);
bool emit_op(EmitContext& context, const ir::Op& op);
/// Writes the statements of a region whose ops work on scalars, its arguments bound to `names`. Wherever it returns,
/// `finish` gets the names of what it returns and writes what is done with them.
bool emit_region(EmitContext& context, const ir::Region& region, const std::vector<std::string>& names,
                 const std::function<void(const std::vector<std::string>&)>& finish);
/// Declares what every block but the first gets passed, before any jump.
void declare_block_arguments(EmitContext& context, const ir::Region& region);

}  // namespace lockstep::backend_cuda
