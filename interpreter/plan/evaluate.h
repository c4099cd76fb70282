// The `.evaluate` hooks of the ops' rows: each appends the steps that compute one op to a plan; families share one.
// Invariant: a hook returns false only after PlanBuilder::unsupported or ::error, or to say that nothing is known about
// the op. Meaning of the ops: Triton 3.6 and MLIR; measured facts in docs/semantics.md.
#pragma once

#include "ir/op.h"
#include "ir/op_def.h"

namespace lockstep::interpreter {

// elementwise_ops.cpp: arith, math and their like on scalars and tiles.
bool evaluate_elementwise(PlanBuilder& builder, const ir::Op& op);
bool evaluate_addptr(PlanBuilder& builder, const ir::Op& op);
bool evaluate_extended(PlanBuilder& builder, const ir::Op& op);  // extended.cpp: integer ops with two results
// simple_ops.cpp
bool evaluate_constant(PlanBuilder& builder, const ir::Op& op);
bool evaluate_poison(PlanBuilder& builder, const ir::Op& op);
bool evaluate_program_info(PlanBuilder& builder, const ir::Op& op);
bool evaluate_make_range(PlanBuilder& builder, const ir::Op& op);
bool evaluate_nothing(PlanBuilder& builder, const ir::Op& op);  // barriers and assumptions: no step
// shape.cpp
bool evaluate_splat(PlanBuilder& builder, const ir::Op& op);
bool evaluate_unsplat(PlanBuilder& builder, const ir::Op& op);
bool evaluate_broadcast(PlanBuilder& builder, const ir::Op& op);
bool evaluate_expand_dims(PlanBuilder& builder, const ir::Op& op);
bool evaluate_reshape(PlanBuilder& builder, const ir::Op& op);
bool evaluate_trans(PlanBuilder& builder, const ir::Op& op);
bool evaluate_join(PlanBuilder& builder, const ir::Op& op);
bool evaluate_split(PlanBuilder& builder, const ir::Op& op);
bool evaluate_cat(PlanBuilder& builder, const ir::Op& op);
bool evaluate_gather(PlanBuilder& builder, const ir::Op& op);
bool evaluate_histogram(PlanBuilder& builder, const ir::Op& op);
// memory_ops.cpp, atomic.cpp
bool evaluate_load(PlanBuilder& builder, const ir::Op& op);
bool evaluate_store(PlanBuilder& builder, const ir::Op& op);
bool evaluate_atomic_rmw(PlanBuilder& builder, const ir::Op& op);
bool evaluate_atomic_cas(PlanBuilder& builder, const ir::Op& op);
bool evaluate_atomic_load(PlanBuilder& builder, const ir::Op& op);
bool evaluate_atomic_store(PlanBuilder& builder, const ir::Op& op);
bool evaluate_atomic_poll(PlanBuilder& builder, const ir::Op& op);  // atomic_poll.cpp
// block_pointer.cpp, descriptor.cpp
bool evaluate_make_tensor_ptr(PlanBuilder& builder, const ir::Op& op);
bool evaluate_advance(PlanBuilder& builder, const ir::Op& op);
bool evaluate_make_tensor_descriptor(PlanBuilder& builder, const ir::Op& op);
bool evaluate_descriptor_load(PlanBuilder& builder, const ir::Op& op);
bool evaluate_descriptor_store(PlanBuilder& builder, const ir::Op& op);
bool evaluate_descriptor_reduce(PlanBuilder& builder, const ir::Op& op);
bool evaluate_descriptor_gather(PlanBuilder& builder, const ir::Op& op);
bool evaluate_descriptor_scatter(PlanBuilder& builder, const ir::Op& op);
// reduce_scan.cpp, dot.cpp
bool evaluate_reduce(PlanBuilder& builder, const ir::Op& op);
bool evaluate_scan(PlanBuilder& builder, const ir::Op& op);
bool evaluate_region_return(PlanBuilder& builder, const ir::Op& op);    // also of tt.scan and tt.map_elementwise
bool evaluate_map_elementwise(PlanBuilder& builder, const ir::Op& op);  // map_elementwise.cpp
bool evaluate_dot(PlanBuilder& builder, const ir::Op& op);
bool evaluate_dot_scaled(PlanBuilder& builder, const ir::Op& op);  // dot_scaled.cpp
// control.cpp
bool evaluate_if(PlanBuilder& builder, const ir::Op& op);
bool evaluate_for(PlanBuilder& builder, const ir::Op& op);
bool evaluate_while(PlanBuilder& builder, const ir::Op& op);
bool evaluate_yield(PlanBuilder& builder, const ir::Op& op);   // also scf.condition: planned by the op around it
bool evaluate_branch(PlanBuilder& builder, const ir::Op& op);  // cf.br, cf.cond_br
bool evaluate_call(PlanBuilder& builder, const ir::Op& op);
bool evaluate_return(PlanBuilder& builder, const ir::Op& op);
// inline_asm.cpp
bool evaluate_inline_asm(PlanBuilder& builder, const ir::Op& op);
/// Whether the asm may answer differently per program or per run (it is not pure, or reads a special register).
bool depends_on_program(const ir::Op& inline_asm);
bool evaluate_sincos(PlanBuilder& builder, const ir::Op& op);
// libdevice/extern.cpp
bool evaluate_extern_elementwise(PlanBuilder& builder, const ir::Op& op);
// print.cpp
bool evaluate_print(PlanBuilder& builder, const ir::Op& op);
bool evaluate_assert(PlanBuilder& builder, const ir::Op& op);

}  // namespace lockstep::interpreter
