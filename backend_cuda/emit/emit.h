// The `.emit_cuda` hooks of the ops' rows: each writes the CUDA C++ of one op in one variant of its layout. Rows name
// the hook of their op, or its text if it is elementwise; families share one. Invariant: a hook returns false only
// after EmitContext::unsupported. Meaning of the ops: as the interpreter's; Triton 3.6's code for NVIDIA GPUs decides
// the approximation (docs/semantics.md).
#pragma once

#include "ir/op.h"
#include "ir/op_def.h"

namespace lockstep::backend_cuda {

// emit_elementwise.cpp
bool emit_text(EmitContext& context, const ir::Op& op);  // the row's cuda_text
bool emit_compare(EmitContext& context, const ir::Op& op);
bool emit_constant(EmitContext& context, const ir::Op& op);
bool emit_poison(EmitContext& context, const ir::Op& op);
bool emit_make_range(EmitContext& context, const ir::Op& op);
bool emit_program_info(EmitContext& context, const ir::Op& op);
bool emit_pair(EmitContext& context, const ir::Op& op);  // two results
// emit_convert.cpp
bool emit_truncate(EmitContext& context, const ir::Op& op);
bool emit_fp_to_fp(EmitContext& context, const ir::Op& op);
bool emit_clamp(EmitContext& context, const ir::Op& op);
// emit_shape.cpp
bool emit_splat(EmitContext& context, const ir::Op& op);
bool emit_unsplat(EmitContext& context, const ir::Op& op);
bool emit_shape_op(EmitContext& context, const ir::Op& op);  // everything that only renames index bits
bool emit_split(EmitContext& context, const ir::Op& op);
// emit_access.cpp
bool emit_load(EmitContext& context, const ir::Op& op);
bool emit_store(EmitContext& context, const ir::Op& op);
// emit_atomic.cpp
bool emit_atomic(EmitContext& context, const ir::Op& op);
// emit_block.cpp: block pointers and tensor descriptors
bool emit_block_pointer(EmitContext& context, const ir::Op& op);
bool emit_advance(EmitContext& context, const ir::Op& op);
bool emit_block_load(EmitContext& context, const ir::Op& op);  // called by emit_load and emit_store
bool emit_block_store(EmitContext& context, const ir::Op& op);
bool emit_descriptor(EmitContext& context, const ir::Op& op);
bool emit_descriptor_load(EmitContext& context, const ir::Op& op);   // blocks and rows
bool emit_descriptor_store(EmitContext& context, const ir::Op& op);  // blocks and rows
bool emit_descriptor_reduce(EmitContext& context, const ir::Op& op);
// emit_indexed.cpp
bool emit_gather(EmitContext& context, const ir::Op& op);
bool emit_histogram(EmitContext& context, const ir::Op& op);
// emit_foreign.cpp
bool emit_extern(EmitContext& context, const ir::Op& op);
bool emit_inline_asm(EmitContext& context, const ir::Op& op);
// emit_debug.cpp
bool emit_print(EmitContext& context, const ir::Op& op);
bool emit_assert(EmitContext& context, const ir::Op& op);
// emit_map.cpp
bool emit_map(EmitContext& context, const ir::Op& op);
// emit_reduce.cpp, emit_scan.cpp
bool emit_reduce(EmitContext& context, const ir::Op& op);
bool emit_scan(EmitContext& context, const ir::Op& op);
// emit_dot.cpp
bool emit_dot(EmitContext& context, const ir::Op& op);
// emit_dot_scaled.cpp
bool emit_dot_scaled(EmitContext& context, const ir::Op& op);
// emit_control.cpp
bool emit_for(EmitContext& context, const ir::Op& op);
bool emit_if(EmitContext& context, const ir::Op& op);
bool emit_while(EmitContext& context, const ir::Op& op);
bool emit_call(EmitContext& context, const ir::Op& op);  // only of what could not be inlined
bool emit_branch(EmitContext& context, const ir::Op& op);
bool emit_return(EmitContext& context, const ir::Op& op);
bool emit_nothing(EmitContext& context, const ir::Op& op);  // terminators whose op reads them; assumptions
bool emit_barrier(EmitContext& context, const ir::Op& op);
bool emit_grid_wait(EmitContext& context, const ir::Op& op);  // dependent launches
bool emit_grid_release(EmitContext& context, const ir::Op& op);

}  // namespace lockstep::backend_cuda
