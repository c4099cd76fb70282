// The `.emit_cuda` hooks of the ops' rows: each writes the CUDA C++ of one op in one version of its layout.
// ops/emitters.h names the hook of every op, or its text for elementwise ones; families share one. Invariant: a hook
// returns false only after EmitContext::unsupported. Meaning of the ops: as the interpreter's; what Triton 3.6 makes of
// them on NVIDIA GPUs decides which approximation is used (docs/semantics.md).
#pragma once

#include "ir/op_def.h"

namespace lockstep::backend_cuda {

// emit_elementwise.cpp
bool emit_text(EmitContext& context, const ir::Op& op);  // the row's cuda_text
bool emit_compare(EmitContext& context, const ir::Op& op);
bool emit_constant(EmitContext& context, const ir::Op& op);
bool emit_poison(EmitContext& context, const ir::Op& op);
bool emit_make_range(EmitContext& context, const ir::Op& op);
bool emit_program_info(EmitContext& context, const ir::Op& op);
bool emit_extended(EmitContext& context, const ir::Op& op);  // two results
// emit_shape.cpp
bool emit_splat(EmitContext& context, const ir::Op& op);
bool emit_unsplat(EmitContext& context, const ir::Op& op);
bool emit_shape_op(EmitContext& context, const ir::Op& op);  // everything that only renames index bits
bool emit_split(EmitContext& context, const ir::Op& op);
// emit_access.cpp
bool emit_load(EmitContext& context, const ir::Op& op);
bool emit_store(EmitContext& context, const ir::Op& op);
// emit_reduce.cpp
bool emit_reduce(EmitContext& context, const ir::Op& op);
bool emit_scan(EmitContext& context, const ir::Op& op);
// emit_dot.cpp
bool emit_dot(EmitContext& context, const ir::Op& op);
// emit_control.cpp
bool emit_for(EmitContext& context, const ir::Op& op);
bool emit_if(EmitContext& context, const ir::Op& op);
bool emit_while(EmitContext& context, const ir::Op& op);
bool emit_branch(EmitContext& context, const ir::Op& op);
bool emit_return(EmitContext& context, const ir::Op& op);
bool emit_nothing(EmitContext& context, const ir::Op& op);  // terminators whose op reads them; assumptions
bool emit_barrier(EmitContext& context, const ir::Op& op);

}  // namespace lockstep::backend_cuda
