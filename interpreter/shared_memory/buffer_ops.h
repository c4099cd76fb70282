// Buffers in shared and tensor memory: making them, views of them, loads and stores of whole views. Not here:
// asynchronous copies (copy_ops.h), barriers (barrier_ops.h), products (product_ops.h).
#pragma once

#include "interpreter/shared_memory/block_state.h"
#include "ir/op.h"

namespace lockstep::interpreter {

class PlanBuilder;

/// An access to a view.
struct ViewAccess {
  ViewPlaces places;
  Slot block = kNoSlot;
  bool is_tensor_memory = false;
};
/// Null: diagnosed. Owned by the plan.
const ViewAccess* plan_view_access(PlanBuilder& builder, const ir::Op& op, ir::Type view);

/// The view in a slot; reports one whose index was outside of its ring (LS101), and returns one without storage.
View view_at(Machine& machine, const Step* step, Slot slot);
/// The same, and of one that is larger than its buffer.
View view_at(Machine& machine, const Step* step, Slot slot, const ViewPlaces& places);

/// What an access by threads is to later ones; asynchronous operations change it.
Touch touch_in(const ViewAccess& access, const View& view, bool is_write);
/// Checks and notes an access by threads of the running group.
void note_access(Machine& machine, const Step* step, const ViewAccess& access, const View& view, bool is_write);

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
