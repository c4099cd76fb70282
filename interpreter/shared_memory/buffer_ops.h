// Buffers in shared and tensor memory: making them, views of them, loads and stores of whole views. Not here:
// asynchronous copies (copy_ops.h), barriers (barrier_ops.h), products (product_ops.h).
#pragma once

#include "interpreter/shared_memory/block_state.h"

namespace lockstep::interpreter {

/// An access to a view.
struct ViewAccess {
  ViewPlaces places;
  Slot block = kNoSlot;
};
/// Null: diagnosed. Owned by the plan.
const ViewAccess* plan_view_access(PlanBuilder& builder, const ir::Op& op, ir::Type view);

/// The view in a slot; reports one whose index was outside of its ring (LS101), and returns one without storage.
View view_at(Machine& machine, const Step* step, Slot slot);
/// The same, and of one that is larger than its buffer.
View view_at(Machine& machine, const Step* step, Slot slot, const ViewPlaces& places);

/// Appends a step that reads the view in slot `view` as a plain access into a new slot; kNoSlot: diagnosed. `own`: of
/// the asynchronous operation that reads it.
Slot plan_view_load(PlanBuilder& builder, const ir::Op& op, ir::Type type, Slot view);
/// Appends a step that writes what the slot holds to the view, as a plain access; the slot is dead afterwards.
bool plan_view_store(PlanBuilder& builder, const ir::Op& op, ir::Type type, Slot view, Slot value);

// Hooks of rows.
bool evaluate_local_alloc(PlanBuilder& builder, const ir::Op& op);  // of either memory
bool evaluate_local_dealloc(PlanBuilder& builder, const ir::Op& op);
bool evaluate_local_load(PlanBuilder& builder, const ir::Op& op);
bool evaluate_local_store(PlanBuilder& builder, const ir::Op& op);
bool evaluate_memdesc_index(PlanBuilder& builder, const ir::Op& op);
bool evaluate_memdesc_subslice(PlanBuilder& builder, const ir::Op& op);
bool evaluate_same_buffer(PlanBuilder& builder, const ir::Op& op);  // views of the same bytes
bool evaluate_tmem_load(PlanBuilder& builder, const ir::Op& op);
bool evaluate_tmem_store(PlanBuilder& builder, const ir::Op& op);
bool evaluate_tmem_subslice(PlanBuilder& builder, const ir::Op& op);

}  // namespace lockstep::interpreter
