// Atomic: indivisible updates of memory by tiles, for tt.atomic_* (atomic.cpp) and tt.descriptor_reduce
// (descriptor.cpp). Lanes are carried out one after the other in order of their position. Invariant: the bytes in
// memory do not depend on the number of workers (see effects.h and team.h). Rules S-53, S-64 to S-66.
#pragma once

#include <cstdint>

#include "interpreter/access/bounds.h"
#include "interpreter/kernels/kernels.h"

namespace lockstep::interpreter {

class PlanBuilder;

/// tt.atomic_rmw's numbering; the rest added.
enum class Update : std::uint8_t {
  none,
  and_,
  or_,
  xor_,
  add,
  fadd,  // of f32: subnormal operands and sums are zeros of their sign
  max,
  min,
  umax,
  umin,
  exchange,
  compare_and_swap,
  read,       // tt.atomic_load
  inc,        // old >= value ? 0 : old + 1
  dec,        // old == 0 || old > value ? value : old - 1
  float_add,  // descriptors: no flushing; f16 and bf16 also have:
  float_max,
  float_min,
};

struct Atomic {
  Access access;
  Update update = Update::none;
  ScalarKind kind = ScalarKind::i32;
  kernels::BinaryFn combine = nullptr;  // (old, value); null for exchanges and reads
  bool has_result = false;              // somebody uses the old value
};

/// Null if the update does not exist for the type, and for exchanges and reads.
kernels::BinaryFn combine_of(Update update, ScalarKind kind);

/// The lanes of an atomic: pointers of access.pointer's type.
struct AtomicLanes {
  const Tile* pointer = nullptr;
  const Tile* mask = nullptr;      // null: every lane
  const Tile* value = nullptr;     // null: reads
  const Tile* expected = nullptr;  // compare and swap
};
/// Carries the atomic out; returns the old values (0 for lanes without access), holding their own count.
Tile update_memory(Machine& machine, const Step* step, const Atomic& atomic, const AtomicLanes& lanes);

/// Applies logged float atomics to memory, in order.
void apply_float_log(const FloatLog& log);

// Hooks of rows.
bool evaluate_atomic_rmw(PlanBuilder& builder, const ir::Op& op);
bool evaluate_atomic_cas(PlanBuilder& builder, const ir::Op& op);
bool evaluate_atomic_load(PlanBuilder& builder, const ir::Op& op);
bool evaluate_atomic_store(PlanBuilder& builder, const ir::Op& op);

}  // namespace lockstep::interpreter
