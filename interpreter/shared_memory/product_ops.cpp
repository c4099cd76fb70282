#include "interpreter/shared_memory/product_ops.h"

#include <array>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "interpreter/evaluators/buffer_steps.h"
#include "interpreter/evaluators/dot_bits.h"
#include "interpreter/evaluators/dot_scaled.h"
#include "interpreter/gpu_bits/marks.h"
#include "interpreter/plan/plan_builder.h"
#include "interpreter/plan/shared_steps.h"
#include "interpreter/shared_memory/block_slot.h"
#include "interpreter/shared_memory/barrier_ops.h"
#include "interpreter/shared_memory/barriers.h"
#include "interpreter/shared_memory/buffer_ops.h"
#include "interpreter/shared_memory/copy_ops.h"
#include "interpreter/shared_memory/flights.h"
#include "interpreter/shared_memory/groups.h"
#include "interpreter/shared_memory/touches.h"
#include "ir/interfaces/op_kinds.h"
#include "ir/op_def.h"
#include "ir/walk.h"

namespace lockstep::interpreter {

namespace {

/// An operand: where its op has it, and the slot from which the product's own step takes the tile.
struct Factor {
  Slot operand = kNoSlot, tile = kNoSlot;
  const ViewAccess* access = nullptr;  // null: a tile in registers
};

/// A product: its own step runs when it completes, on slots that nothing else uses.
struct Product : FlightKind {
  Queue queue = Queue::products;
  bool is_async = true;
  Factor a, b, c;
  std::array<Factor, 2> scales;  // of a and b, if it has any
  bool is_scaled() const { return scales[0].access != nullptr; }
  Slot adds = kNoSlot;  // whether c is added; none: it is
  Slot made = kNoSlot, result = kNoSlot;
  const Step* entry = nullptr;
  std::vector<std::pair<Slot, Slot>> barriers;  // and whether it arrives there
};

// A flight of a product: views of a, b, c, the scales; tiles c, a (in registers), the stand-in. Numbers: whether c is added, then
// the barriers' views.
constexpr std::size_t kTileC = 0, kTileA = 1, kStandIn = 2, kViewOfScales = 3;

bool is_set(const Machine& machine, Slot slot) { return slot == kNoSlot || (machine.slots[slot].base & 1) != 0; }

/// The value takes the stand-in's place in all slots.
void replace(Machine& machine, const TileType* type, const Tile& stand_in, const Tile& value) {
  const std::vector<const TileType*>& types = machine.plan->slot_types;
  for (Slot i = 0; i < types.size(); ++i) {
    if ((types[i] != type && types[i]->count != 1) || machine.slots[i].buffer != stand_in.buffer) continue;
    BufferPool::retain(value);
    machine.set(i, value);
  }
}

bool complete_product(Machine& machine, const FlightKind& kind, const Flight& flight, Tile* tiles) {
  const auto& product = static_cast<const Product&>(kind);
  const auto take = [&](Tile& tile) { return std::exchange(tile, Tile{}); };
  const auto read = [&](const Factor& factor, std::size_t view) {
    return read_view(machine, flight.step, flight.views[view], factor.access->places);
  };
  machine.set(product.a.tile, product.a.access != nullptr ? read(product.a, 0) : take(tiles[kTileA]));
  machine.set(product.b.tile, read(product.b, 1));
  for (std::size_t i = 0; product.is_scaled() && i < 2; ++i)
    machine.set(product.scales[i].tile, read(product.scales[i], kViewOfScales + i));
  if (flight.numbers[0] == 0) {
    machine.set(product.c.tile, uniform_tile(0));
  } else {
    machine.set(product.c.tile, product.c.access != nullptr ? read(product.c, 2) : take(tiles[kTileC]));
  }
  if (!machine.run_region(product.entry)) return false;
  const Tile made = take(machine.slots[product.made]);
  if (product.c.access != nullptr) {
    const Temporary held(machine, made);
    write_view(machine, flight.views[2], product.c.access->places, *held);
  } else {
    const Temporary held(machine, made);
    replace(machine, &machine.type_of(product.result), tiles[kStandIn], *held);
  }
  for (std::size_t i = 1; i < kFlightNumbers && flight.numbers[i] != 0; ++i) {
    Arrival arrival;
    arrival.arrivals = 1;
    arrival.group = flight.group;
    arrival.sight = sight_after(flight);
    arrive_at(machine, flight.step, kind.block, unpack(flight.numbers[i]), arrival);
  }
  return true;
}

/// A view of the operand for the flight; without storage: reported, or none.
bool take_view(Machine& machine, const Step* step, const Factor& factor, View& out) {
  if (factor.access == nullptr) return true;
  out = view_at(machine, step, factor.operand, factor.access->places);
  return out.storage != kNoSlot;
}

void touch_operand(Machine& machine, const Step* step, BlockState& state, Flight& flight, const Factor& factor,
                   const View& view, bool is_write) {
  if (factor.access == nullptr) return;
  Touch touch = touch_in(*factor.access, view, is_write);
  touch.queue = flight.queue;
  touch.number = flight.number;
  touch.is_proxied = !factor.access->is_tensor_memory;
  touch.needs_fence = false;
  flight.own.add(add_touch(machine, step, state, touch));
}

bool take_barriers(Machine& machine, const Step* step, const Product& product, Flight& flight) {
  std::size_t count = 1;
  for (const auto& [barrier, is_on] : product.barriers) {
    if (!is_set(machine, is_on)) continue;
    const View view = view_at(machine, step, barrier);
    if (view.storage == kNoSlot) return false;
    flight.barrier = view;
    flight.numbers[count++] = pack(view);
  }
  return true;
}

/// A stand-in for the result, in its slot; the tile has a count of its own.
Tile put_stand_in(Machine& machine, const Product& product) {
  const Tile stand_in = machine.allocate(machine.type_of(product.result));
  std::memset(stand_in.data(), 0, static_cast<std::size_t>(machine.type_of(product.result).bytes()));
  BufferPool::retain(stand_in);
  machine.set(product.result, stand_in);
  return stand_in;
}

/// The tile of a slot with a count of its own; bit `bit` of the step says that the slot is dead.
Tile take_tile(Machine& machine, const Step* step, Slot slot, unsigned bit) {
  Tile& from = machine.slots[slot];
  const Tile taken = from;
  if ((step->dies >> bit & 1) != 0) {
    from.buffer = nullptr;
  } else {
    BufferPool::retain(from);
  }
  return taken;
}

const Step* step_product(Machine& machine, const Step* step) {
  const auto& product = *static_cast<const Product*>(step->record);
  Flight flight;
  flight.kind = &product;
  flight.step = step;
  flight.queue = product.queue;
  flight.numbers[0] = is_set(machine, product.adds) ? 1 : 0;
  if (!take_view(machine, step, product.a, flight.views[0]) || !take_view(machine, step, product.b, flight.views[1]) ||
      !take_view(machine, step, product.c, flight.views[2]) ||
      !take_view(machine, step, product.scales[0], flight.views[kViewOfScales]) ||
      !take_view(machine, step, product.scales[1], flight.views[kViewOfScales + 1]) ||
      !take_barriers(machine, step, product, flight)) {
    if (product.result != kNoSlot) machine.set(product.result, uniform_tile(0));
    return step + 1;
  }
  BlockState& state = block_state(machine, product.block);
  flight.number = current_group(state).filling[queue_index(product.queue)]++;
  touch_operand(machine, step, state, flight, product.a, flight.views[0], false);
  touch_operand(machine, step, state, flight, product.b, flight.views[1], false);
  for (std::size_t i = 0; i < 2; ++i)
    touch_operand(machine, step, state, flight, product.scales[i], flight.views[kViewOfScales + i], false);
  touch_operand(machine, step, state, flight, product.c, flight.views[2], true);
  if (product.queue == Queue::tensor) flight.own = operations_of(state, state.current, Queue::tensor);
  std::array<Tile, kFlightTiles> tiles;
  if (product.c.access == nullptr) {
    if (flight.numbers[0] != 0) tiles[kTileC] = take_tile(machine, step, product.c.operand, 2);
    tiles[kStandIn] = put_stand_in(machine, product);
  }
  if (product.a.access == nullptr) tiles[kTileA] = take_tile(machine, step, product.a.operand, 0);
  const Slot block = product.block;
  if (!issue(machine, flight, tiles)) return nullptr;
  if (!product.is_async && !wait_for_queue(machine, block, product.queue, 0)) return nullptr;
  return go_on(machine, block, step + 1);
}

struct DotWait {
  Slot block = kNoSlot;
  std::uint64_t pending = 0;
};

const Step* step_wait_for_products(Machine& machine, const Step* step) {
  const auto& wait = *static_cast<const DotWait*>(step->record);
  if (!wait_for_queue(machine, wait.block, Queue::products, wait.pending)) return nullptr;
  return go_on(machine, wait.block, step + 1);
}

const Step* step_jump_unless_on(Machine& machine, const Step* step) {
  return (machine.slots[step->operand[0]].base & 1) != 0 ? step + 1 : step->target;
}

bool plan_factor(PlanBuilder& builder, const ir::Op& op, const ir::Value* value, Factor& out) {
  out.operand = builder.slot_of(value);
  if (out.operand == kNoSlot) return false;
  if (value->type().is_memdesc()) {
    out.access = plan_view_access(builder, op, value->type());
    if (out.access == nullptr) return false;
    out.tile = builder.new_slot(out.access->places.tile);
  } else {
    out.tile = builder.new_slot(builder.type(out.operand));
  }
  return true;
}

/// The product's own step, out of line.
bool plan_own_step(PlanBuilder& builder, const ir::Op& op, Product& product) {
  const PlanBuilder::Label begin = builder.new_label(), end = builder.new_label();
  builder.set_target(builder.append_bare(step_jump, op), end);
  builder.place(begin);
  builder.set_pointer(&product.entry, begin);
  std::array<Slot, 2> factors{product.a.tile, product.b.tile};
  for (std::size_t i = 0; product.is_scaled() && i < 2; ++i) {
    const std::int64_t outer = builder.type(product.made)->shape[i];
    factors[i] = append_scaled_factor(builder, op, i, factors[i], product.scales[i].tile, outer);
    if (factors[i] == kNoSlot) return false;
  }
  const std::int64_t products = gpu_bits::marked_products(op);
  Step& step = products > 0 ? append_dot_bits(builder, op) : append_dot(builder, op);
  step.operand = {factors[0], factors[1], product.c.tile, kNoSlot};
  step.operand_count = 3;
  step.dies = 7;
  step.result = product.made;
  step.type = builder.type(product.made);
  DotFacts facts;
  if (product.c.access != nullptr && !product.is_scaled()) facts.precision = 0;  // the tensor core takes f32 as tf32
  if (!plan_dot(builder, op, step, facts)) return false;
  if (products > 0 && !plan_dot_bits(builder, op, step, products)) return false;
  builder.append_bare(step_end, op);
  builder.place(end);
  return true;
}

bool plan_factors(PlanBuilder& builder, const ir::Op& op, Product& product) {
  product.block = block_slot(builder);
  product.complete = complete_product;
  return plan_factor(builder, op, op.operand(0), product.a) && plan_factor(builder, op, op.operand(1), product.b) &&
         plan_factor(builder, op, op.operand(2), product.c);
}

/// The kernel commits its products itself, as Gluon's do. Between Triton's passes, a product without is_async is over at
/// once.
bool is_committed(const ir::Op& op) {
  const ir::Op* top = &op;
  while (top->parent_op() != nullptr) top = top->parent_op();
  bool found = false;
  ir::walk(*top, [&](const ir::Op& one) { found = found || one.def().evaluate == evaluate_tensor_commit; });
  return found;
}

// ---- results before their wait ----

struct ResultUse {
  Slot block = kNoSlot;
  bool is_passed_on = false;  // the op computes nothing with it
  std::vector<Slot> slots;
};

const Step* step_check_results(Machine& machine, const Step* step) {
  const auto& use = *static_cast<const ResultUse*>(step->record);
  while (true) {
    BlockState& state = block_state(machine, use.block);
    if (state.flight_count == 0) return step + 1;
    const Flight* found = nullptr;
    for (const Flight& flight : state.flights) {
      if (flight.kind == nullptr || flight.queue != Queue::products || flight.group != state.current) continue;
      const auto index = static_cast<std::size_t>(&flight - state.flights.data());
      const Tile& stand_in = machine.slots[flight_tile(use.block, index, kStandIn)];
      for (const Slot slot : use.slots) {
        if (stand_in.buffer != nullptr && machine.slots[slot].buffer == stand_in.buffer) found = &flight;
      }
    }
    if (found == nullptr) return step + 1;
    const std::uint64_t number = found->number;
    if (!use.is_passed_on)
      report_at(machine, step, FindingCode::LS419, "uses the result of an asynchronous product before a wait for it",
                {{"the product begins here", found->step->site}},
                "wait for the product first: ttng.warp_group_dot_wait (warpgroup_mma_wait) with the result among its deps");
    if (!complete_queue(machine, use.block, state.current, Queue::products, number)) return nullptr;
  }
}

/// Before the op, a step that reports results of products that are not complete.
bool guard_product_result(PlanBuilder& builder, const ir::Op& user) {
  const ir::OpDef& def = user.def();
  if (def.is_terminator || !user.regions().empty() || def.effects == ir::Effects::control ||
      def.evaluate == evaluate_warp_group_dot_wait)
    return true;
  ResultUse use;
  use.block = block_slot(builder);
  use.is_passed_on = ir::is_selection(user) && !user.operand(0)->type().is_tensor();
  for (std::size_t i = 0; i < user.operand_count(); ++i) {
    const ir::Value* value = user.operand(i);
    if (def.evaluate == evaluate_warp_group_dot && i == 2) continue;
    if (value->type().is_tensor() && builder.constant_of(value) == nullptr) use.slots.push_back(builder.slot_of(value));
  }
  if (!use.slots.empty() && use.block != kNoSlot)
    builder.append_bare(step_check_results, user).record = builder.record(std::move(use));
  return true;
}

// ---- copies of the tensor core ----

struct TensorCopy : FlightKind {
  Factor from, to;
};

bool complete_tensor_copy(Machine& machine, const FlightKind& kind, const Flight& flight, Tile*) {
  const auto& copy = static_cast<const TensorCopy&>(kind);
  const Temporary value(machine, read_view(machine, flight.step, flight.views[0], copy.from.access->places));
  write_view(machine, flight.views[1], copy.to.access->places, *value);
  return true;
}

const Step* step_tensor_copy(Machine& machine, const Step* step) {
  const auto& copy = *static_cast<const TensorCopy*>(step->record);
  Flight flight;
  flight.kind = &copy;
  flight.step = step;
  flight.queue = Queue::tensor;
  if (!take_view(machine, step, copy.from, flight.views[0]) || !take_view(machine, step, copy.to, flight.views[1]))
    return step + 1;
  BlockState& state = block_state(machine, copy.block);
  flight.number = current_group(state).filling[queue_index(Queue::tensor)]++;
  touch_operand(machine, step, state, flight, copy.from, flight.views[0], false);
  touch_operand(machine, step, state, flight, copy.to, flight.views[1], true);
  flight.own = operations_of(state, state.current, Queue::tensor);
  const Slot block = copy.block;
  if (!issue(machine, flight, {})) return nullptr;
  return go_on(machine, block, step + 1);
}

}  // namespace

bool evaluate_tensor_copy(PlanBuilder& builder, const ir::Op& op) {
  const ir::Type from = op.operand(0)->type(), to = op.operand(1)->type();
  if (from.pointee().shape() != to.pointee().shape())
    return builder.unsupported(op, "copies of scales, whose shape in tensor memory is another, are");
  TensorCopy copy;
  copy.block = block_slot(builder);
  copy.complete = complete_tensor_copy;
  if (!plan_factor(builder, op, op.operand(0), copy.from) || !plan_factor(builder, op, op.operand(1), copy.to)) return false;
  builder.append_bare(step_tensor_copy, op).record = builder.record(std::move(copy));
  return true;
}

void guard_products(PlanBuilder& builder, const ir::Op& function) {
  ir::walk(function.parent_op() != nullptr ? *function.parent_op() : function, [&](const ir::Op& op) {
    if (op.def().evaluate == evaluate_warp_group_dot && op.integer_attribute("isAsync", 0) != 0)
      builder.guard(op.result()->type(), guard_product_result);
  });
}

bool evaluate_warp_group_dot(PlanBuilder& builder, const ir::Op& op) {
  Product product;
  if (!plan_factors(builder, op, product)) return false;
  if (product.b.access == nullptr) return builder.error(op, "operand b is not in a buffer");
  const ir::Value* is_used = op.operand_or_null(3);
  product.adds = is_used != nullptr ? builder.slot_of(is_used) : kNoSlot;
  product.is_async = op.integer_attribute("isAsync", 0) != 0;
  product.result = builder.result(op);
  if (product.result == kNoSlot) return false;
  product.made = builder.new_slot(builder.type(product.result));
  Product* record = builder.record(std::move(product));
  Step& step = builder.append_bare(step_product, op);
  step.record = record;
  if (record->a.access == nullptr && builder.dies_at(op.operand(0), op)) step.dies |= 1;
  if (builder.dies_at(op.operand(2), op)) step.dies |= 4;
  return plan_own_step(builder, op, *record);
}

bool evaluate_warp_group_dot_wait(PlanBuilder& builder, const ir::Op& op) {
  DotWait wait;
  wait.block = block_slot(builder);
  wait.pending = static_cast<std::uint64_t>(op.integer_attribute("pendings", 0));
  builder.append_bare(step_wait_for_products, op).record = builder.record(wait);
  std::vector<Move> moves;
  for (std::size_t i = 0; i < op.operand_count(); ++i) {
    const Slot from = builder.operand(op, i), to = builder.result(op, i);
    if (from == kNoSlot || to == kNoSlot) return false;
    moves.push_back({from, to, builder.dies_at(op.operand(i), op)});
  }
  builder.append_moves(std::move(moves), op);
  return true;
}

namespace {

/// A product of the tensor core: operand groups from `next` are whether d is added, the predicate, barriers and theirs.
bool plan_tensor_product(PlanBuilder& builder, const ir::Op& op, Product product, std::size_t next) {
  product.queue = Queue::tensor;
  if (!plan_factors(builder, op, product)) return false;
  product.adds = builder.slot_of(op.operand_group(next)[0]);
  const Slot acts = builder.slot_of(op.operand_group(next + 1)[0]);
  if (op.result_count() != 0) builder.bind_constant(op.result(), uniform_tile(0));
  const std::vector<ir::Value*> barriers = op.operand_group(next + 2), on = op.operand_group(next + 3);
  if (barriers.size() >= kFlightNumbers) return builder.unsupported(op, "more than 7 barriers are");
  for (std::size_t i = 0; i < barriers.size(); ++i)
    product.barriers.emplace_back(builder.slot_of(barriers[i]), builder.slot_of(on[i]));
  product.is_async = op.attribute("is_async") || !barriers.empty() || is_committed(op);
  product.made = builder.new_slot(builder.type(product.c.tile));
  Product* record = builder.record(std::move(product));
  const PlanBuilder::Label end = builder.new_label();
  Step& skip = builder.append_bare(step_jump_unless_on, op);
  skip.operand[0] = acts;
  skip.operand_count = 1;
  builder.set_target(skip, end);
  builder.append_bare(step_product, op).record = record;
  if (!plan_own_step(builder, op, *record)) return false;
  builder.place(end);
  return true;
}

}  // namespace

bool evaluate_tensor_product(PlanBuilder& builder, const ir::Op& op) {
  if (op.attribute("is_unsigned")) return builder.unsupported(op, "products of unsigned integers are");
  return plan_tensor_product(builder, op, {}, 4);
}

bool evaluate_scaled_product(PlanBuilder& builder, const ir::Op& op) {
  Product product;
  for (std::size_t i = 0; i < 2; ++i) {
    if (!plan_factor(builder, op, op.operand_group(4 + i)[0], product.scales[i])) return false;
  }
  return plan_tensor_product(builder, op, std::move(product), 6);
}

}  // namespace lockstep::interpreter
