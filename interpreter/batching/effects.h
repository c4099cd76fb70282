// Effects: which arguments' memory a kernel reads, writes and updates atomically, found by following every pointer back
// to the arguments it can come from. This decides how programs may run concurrently: unwritten memory can be read in
// place, memory that is only written needs no snapshot, and kernels whose programs can see each other run in program
// order. Invariant: the answer never misses an argument (unknown origins are marked as unknown). Conservative,
// flow-insensitive.
#pragma once

#include <cstdint>
#include <set>
#include <vector>

#include "ir/module.h"

namespace lockstep::interpreter {

/// Arguments of the kernel by number.
struct PointerSet {
  std::set<std::size_t> arguments;
  bool is_unknown = false;  // may also come from elsewhere (an integer, memory)
  bool empty() const { return arguments.empty() && !is_unknown; }
};

/// Memory updated by one kind of atomic on one type. Updates of one kind may run in any order (except float additions,
/// which are put in order); those of two kinds may not.
struct AtomicUpdates {
  bool is_descriptor = false;
  std::int64_t kind = 0;  // atomic_rmw_op, or the descriptor's reduction
  ir::Type element;
  PointerSet memory;
};

/// A plain access: a load, a store, or a copy between memory and a buffer.
struct PlainAccess {
  const ir::Op* op = nullptr;  // operand 0 is the place
  bool is_write = false;
  PointerSet memory;
};

struct MemoryEffects {
  PointerSet read;                     // plain loads
  PointerSet observed;                 // volatile loads, and plain loads in loops that may wait for another program
  PointerSet written;                  // plain stores
  PointerSet atomic;                   // atomics
  std::vector<AtomicUpdates> updates;  // the same by kind
  bool has_observed_atomics = false;   // an atomic's old value is used, or it is an exchange or compare-and-swap
  bool prints = false;
};

/// True for the two integer updates that Triton makes of one float maximum or minimum: max with umin, min with umax.
/// They may be done in any order as long as signed operands are not negative and unsigned ones have the sign bit.
bool make_one_float_update(const AtomicUpdates& a, const AtomicUpdates& b);

MemoryEffects effects_of(const ir::Module& module, const ir::Op& kernel);
/// All of the module: the memory of those is what effects_of calls read and written.
std::vector<PlainAccess> plain_accesses_of(const ir::Module& module, const ir::Op& kernel);
/// The memory behind `pointer` (block pointers and descriptors too), a value of any function of the module.
PointerSet memory_of(const ir::Module& module, const ir::Op& kernel, const ir::Value& pointer);

/// tt.load with isVolatile.
bool is_volatile_load(const ir::Op& op);
/// In a while loop, or in a region whose blocks may form a loop.
bool is_in_open_loop(const ir::Op& op);
/// True if the op or one inside reveals another program's effects: an atomic whose result is used, a volatile load, or
/// a call.
bool may_observe_others(const ir::Op& op);

}  // namespace lockstep::interpreter
