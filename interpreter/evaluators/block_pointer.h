// Loads and stores through block pointers, which tt.load and tt.store hand over. Not here: the other ops of block pointers
// (evaluate.h).
#pragma once

namespace lockstep::ir {
class Op;
}  // namespace lockstep::ir

namespace lockstep::interpreter {

class PlanBuilder;

/// Hooks for tt.load and tt.store of block pointers.
bool evaluate_block_load(PlanBuilder& builder, const ir::Op& op);
bool evaluate_block_store(PlanBuilder& builder, const ir::Op& op);

// Hooks of rows.
bool evaluate_make_tensor_ptr(PlanBuilder& builder, const ir::Op& op);
bool evaluate_advance(PlanBuilder& builder, const ir::Op& op);

}  // namespace lockstep::interpreter
