// Ops of TTGIR on buffers: the bounds of what a view holds are those of the last write of that view. Points stay the
// interpreter's numbers. Copies and products take effect where they are issued.
#pragma once

#include "ir/op.h"
#include "ir/op_def.h"

namespace lockstep::enclosure {

/// Views, tokens, and ops without values.
bool enclose_view(EncloseContext& context, const ir::Op& op);
/// What it holds is written down after the op, where its place is known.
bool enclose_new_buffer(EncloseContext& context, const ir::Op& op);
bool enclose_buffer_load(EncloseContext& context, const ir::Op& op);
bool enclose_buffer_store(EncloseContext& context, const ir::Op& op);
/// Of tensor memory, with a predicate.
bool enclose_tmem_store(EncloseContext& context, const ir::Op& op);
/// Between global memory and buffers.
bool enclose_buffer_copy(EncloseContext& context, const ir::Op& op);
/// Results are the operands.
bool enclose_dot_wait(EncloseContext& context, const ir::Op& op);
bool enclose_warp_group_dot(EncloseContext& context, const ir::Op& op);
bool enclose_tensor_product(EncloseContext& context, const ir::Op& op);
/// Nothing is known of its sum yet.
bool enclose_scaled_product(EncloseContext& context, const ir::Op& op);

}  // namespace lockstep::enclosure
