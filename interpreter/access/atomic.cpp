// Atomics. Lanes are carried out one after the other in order of their position. Between programs: if programs run in
// order (old values are used), an atomic is a plain update; for concurrent programs, integer operations are real
// atomics, whose order does not matter, and float additions are logged and applied in program order (team.cpp). Old
// values of lanes that are masked off or out of bounds are 0. Source: PTX ISA "atom"; Triton 3.6 atomic ops.

#include "interpreter/access/atomic.h"

#include <array>
#include <bit>
#include <cstring>
#include <mutex>

#include "interpreter/evaluators/nan.h"
#include "interpreter/plan/plan_builder.h"
#include "interpreter/plan/structure.h"

namespace lockstep::interpreter {

namespace {

template <typename Word>
Word element(const void* from, std::int64_t i) {
  Word word{};
  std::memcpy(&word, static_cast<const char*>(from) + i * static_cast<std::int64_t>(sizeof word), sizeof word);
  return word;
}

/// 32-bit counters that wrap: up to the value, or down from it. PTX ISA, "red": .inc and .dec.
template <bool up>
void count(void* out, const void* old, const void* value, std::int64_t n, int old_step, int value_step) {
  for (std::int64_t i = 0; i < n; ++i) {
    const auto at = element<std::uint32_t>(old, i * old_step), bound = element<std::uint32_t>(value, i * value_step);
    const std::uint32_t down = at == 0 || at > bound ? bound : at - 1;
    const std::uint32_t next = up ? (at >= bound ? 0 : at + 1) : down;
    std::memcpy(static_cast<char*>(out) + i * 4, &next, sizeof next);
  }
}

/// Subnormals become zeros of their sign.
float flushed(float value) {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  return (bits & 0x7f800000u) != 0 ? value : std::bit_cast<float>(bits & 0x80000000u);
}

float add_flushed(float a, float b) { return flushed(flushed(a) + flushed(b)); }

/// The GPU's atomic addition of f32. Adjacent elements go in strips, which the compiler turns into vectors.
void add_flushing(void* out, const void* a, const void* b, std::int64_t n, int a_step, int b_step) {
  constexpr std::int64_t kStrip = 16;
  auto* to = static_cast<char*>(out);
  std::int64_t i = 0;
  for (; a_step == 1 && b_step == 1 && i + kStrip <= n; i += kStrip) {
    const auto old = element<std::array<float, kStrip>>(a, i / kStrip);
    const auto value = element<std::array<float, kStrip>>(b, i / kStrip);
    std::array<float, kStrip> sum;
    bool has_nan = false;
    for (std::size_t k = 0; k < kStrip; ++k) {
      sum[k] = add_flushed(old[k], value[k]);
      has_nan |= sum[k] != sum[k];
    }
    for (std::size_t k = 0; k < kStrip && has_nan; ++k) sum[k] = settled(sum[k], old[k], value[k]);
    std::memcpy(to + i * 4, sum.data(), sizeof sum);
  }
  for (; i < n; ++i) {
    const auto old = element<float>(a, i * a_step), value = element<float>(b, i * b_step);
    const float sum = settled(add_flushed(old, value), old, value);
    std::memcpy(to + i * 4, &sum, sizeof sum);
  }
}

bool is_float_addition(Update update) { return update == Update::fadd || update == Update::float_add; }

std::uint64_t read_bits(std::uint64_t address, int bytes) {
  std::uint64_t bits = 0;
  std::memcpy(&bits, reinterpret_cast<const char*>(address), static_cast<std::size_t>(bytes));
  return bits;
}

void write_bits(std::uint64_t address, int bytes, std::uint64_t bits) {
  std::memcpy(reinterpret_cast<char*>(address), &bits, static_cast<std::size_t>(bytes));
}

std::uint64_t updated(const Atomic& atomic, std::uint64_t old, std::uint64_t value) {
  if (atomic.update == Update::read) return old;
  if (atomic.combine == nullptr) return value;
  std::uint64_t out = 0;
  atomic.combine(&out, &old, &value, 1, 0, 0);
  return out;
}

/// A real atomic update by compare and swap of the element's width; the order of workers does not affect the result.
template <typename Word>
void update_shared(const Atomic& atomic, std::uint64_t address, std::uint64_t value) {
  auto* word = reinterpret_cast<Word*>(address);
  Word old = __atomic_load_n(word, __ATOMIC_RELAXED);
  while (true) {
    const auto next = static_cast<Word>(updated(atomic, old, value));
    if (__atomic_compare_exchange_n(word, &old, next, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) return;
  }
}

void update_beside_others(const Atomic& atomic, std::uint64_t address, std::uint64_t value) {
  static std::mutex misaligned;
  const int bytes = atomic.access.bytes;
  if (address % static_cast<unsigned>(bytes) != 0) {
    const std::lock_guard lock(misaligned);
    write_bits(address, bytes, updated(atomic, read_bits(address, bytes), value));
    return;
  }
  if (atomic.update == Update::add && bytes == 4) {
    __atomic_fetch_add(reinterpret_cast<std::uint32_t*>(address), static_cast<std::uint32_t>(value), __ATOMIC_RELAXED);
    return;
  }
  switch (bytes) {
    case 1: update_shared<std::uint8_t>(atomic, address, value); break;
    case 2: update_shared<std::uint16_t>(atomic, address, value); break;
    case 4: update_shared<std::uint32_t>(atomic, address, value); break;
    default: update_shared<std::uint64_t>(atomic, address, value); break;
  }
}

void log_addition(Machine& machine, const Atomic& atomic, std::uint64_t address, const char* values,
                  std::int64_t count) {
  const bool flushes = atomic.update == Update::fadd && atomic.kind == ScalarKind::f32;
  machine.float_log.entries.push_back({address, static_cast<std::uint32_t>(count), atomic.kind, flushes});
  machine.float_log.bytes.insert(machine.float_log.bytes.end(), values, values + count * atomic.access.bytes);
}

/// Signed updates with negative operands and unsigned ones without the sign bit are not halves of float updates: the
/// programs must run in order (a log that overflowed makes them).
void check_signs(Machine& machine, const Atomic& atomic, const char* values, std::int64_t count) {
  if (!machine.launch.checks_signs || !machine.is_beside_others) return;
  const bool is_signed = atomic.update == Update::max || atomic.update == Update::min;
  if (!is_signed && atomic.update != Update::umax && atomic.update != Update::umin) return;
  const int bytes = atomic.access.bytes;
  for (std::int64_t i = 1; i <= count; ++i) {  // little-endian: the sign is in the last byte
    if ((static_cast<signed char>(values[i * bytes - 1]) < 0) == is_signed) machine.log_overflow = true;
  }
}

/// Adjacent elements whose old values are unused.
void update_run(Machine& machine, const Atomic& atomic, std::uint64_t address, const char* values, std::int64_t count) {
  if (machine.is_beside_others && is_float_addition(atomic.update))
    return log_addition(machine, atomic, address, values, count);
  check_signs(machine, atomic, values, count);
  auto* memory = reinterpret_cast<char*>(address);
  if (!machine.is_beside_others) {
    atomic.combine(memory, memory, values, count, 1, 1);
    return;
  }
  for (std::int64_t i = 0; i < count; ++i) {
    std::uint64_t value = 0;
    std::memcpy(&value, values + i * atomic.access.bytes, static_cast<std::size_t>(atomic.access.bytes));
    update_beside_others(atomic, address + static_cast<std::uint64_t>(i * atomic.access.bytes), value);
  }
}

/// One lane; returns the old value (0 if it was not read because of concurrent programs).
std::uint64_t update_lane(Machine& machine, const Step* step, const Atomic& atomic, std::int32_t view,
                          std::uint64_t address, std::uint64_t value, std::uint64_t expected) {
  const int bytes = atomic.access.bytes;
  if (machine.is_beside_others) {
    update_run(machine, atomic, address, reinterpret_cast<const char*>(&value), 1);
    return 0;
  }
  check_signs(machine, atomic, reinterpret_cast<const char*>(&value), 1);
  const std::uint64_t old = read_bits(address, bytes);
  const bool swaps = atomic.update != Update::compare_and_swap || old == expected;
  const std::uint64_t next = swaps ? updated(atomic, old, value) : old;
  if (atomic.update != Update::read) write_bits(address, bytes, next);
  if (machine.launch.is_ordered) {
    if (next != old && atomic.access.value->is_scalar()) machine.note_change_of(address, step);
    if (next != old) machine.note_change();
    if (atomic.has_result) machine.observe(step, view, address, old);
  }
  return old;
}

/// A rectangle under a box mask with unused old values: whole rows at once. False: it must go lane by lane.
bool update_box(Machine& machine, const Atomic& atomic, const AtomicLanes& lanes) {
  const Access& access = atomic.access;
  AddressBox to;
  if (atomic.has_result || atomic.combine == nullptr || !find_addresses(access, *lanes.pointer, lanes.mask, to))
    return false;
  if (to.count == 0) return true;
  if (to.rank == 0 || !box_is_inside(machine, lanes.pointer->provenance, to, access.bytes)) return false;
  if (is_kept(machine, lanes.pointer->provenance)) keep_box(machine, to, access.bytes);
  const Temporary values(machine, make_contiguous(machine, *lanes.value, *access.value));
  AnyStrides value_stride{};
  std::int64_t start = 0;
  for (std::size_t d = 0; d < access.pointer->shape.size(); ++d) {
    value_stride[d] = values->stride[d] * access.bytes;
    start += to.low[d] * value_stride[d];
  }
  const StridedWalk walk(to.shape.data(), to.rank, {to.stride.data(), value_stride.data(), nullptr, nullptr}, 2);
  machine.bytes_read += static_cast<std::uint64_t>(to.count * access.bytes);
  machine.bytes_written += static_cast<std::uint64_t>(to.count * access.bytes);
  if (machine.launch.is_ordered) machine.note_change();
  const bool adjacent = walk.inner_stride[0] == access.bytes && walk.inner_stride[1] == access.bytes;
  walk.for_each_run([&](const std::array<std::int64_t, StridedWalk::kMaxTiles>& offset) {
    const std::uint64_t address = to.origin + static_cast<std::uint64_t>(offset[0]);
    const char* from = values->data() + start + offset[1];
    if (adjacent) return update_run(machine, atomic, address, from, walk.inner);
    for (std::int64_t i = 0; i < walk.inner; ++i) {
      update_run(machine, atomic, address + static_cast<std::uint64_t>(i * walk.inner_stride[0]),
                 from + i * walk.inner_stride[1], 1);
    }
  });
  return true;
}

Tile contiguous_or_zero(Machine& machine, const Tile* tile, const TileType& type) {
  return tile != nullptr ? make_contiguous(machine, *tile, type) : uniform_tile(0);
}

/// Lane by lane; returns the old values.
Tile update_lanes(Machine& machine, const Step* step, const Atomic& atomic, const AtomicLanes& lanes) {
  const Access& access = atomic.access;
  const std::int64_t n = access.value->count;
  const AdmittedLanes admitted(machine, step, access, *lanes.pointer, lanes.mask);
  if (!admitted.any()) return uniform_tile(0);
  const auto* addresses = admitted.addresses();
  const auto* mask = admitted.mask();
  if (access.is_write && is_kept(machine, lanes.pointer->provenance))
    keep_lanes(machine, addresses, mask, n, access.bytes);
  const Temporary values(machine, contiguous_or_zero(machine, lanes.value, *access.value));
  const Temporary compared(machine, contiguous_or_zero(machine, lanes.expected, *access.value));
  Tile out = machine.allocate(*access.value);
  std::memset(out.data(), 0, static_cast<std::size_t>(access.value->bytes()));
  const auto size = static_cast<std::size_t>(access.bytes);
  std::int64_t active = 0;
  for (std::int64_t i = 0; i < n; ++i) {
    if (mask != nullptr && (mask[i] & 1) == 0) continue;
    ++active;
    std::uint64_t operand = 0, wanted = 0;
    if (lanes.value != nullptr) std::memcpy(&operand, values->data() + i * access.bytes, size);
    if (lanes.expected != nullptr) std::memcpy(&wanted, compared->data() + i * access.bytes, size);
    const std::uint64_t old =
        update_lane(machine, step, atomic, lanes.pointer->provenance, addresses[i], operand, wanted);
    std::memcpy(out.data() + i * access.bytes, &old, size);
  }
  machine.bytes_read += static_cast<std::uint64_t>(active * access.bytes);
  if (access.is_write) machine.bytes_written += static_cast<std::uint64_t>(active * access.bytes);
  return out;
}

Tile as_scalar(Machine& machine, const Atomic& atomic, Tile tile) {
  if (!atomic.access.value->is_scalar() || tile.form == Form::uniform) return tile;
  std::uint64_t bits = 0;
  std::memcpy(&bits, tile.data(), static_cast<std::size_t>(atomic.access.bytes));
  machine.pool.release(tile);
  return uniform_tile(bits);
}

/// If the launch has a schedule, any program may continue after an atomic.
const Step* let_others_run(Machine& machine, const Step* next) {
  if (machine.launch.schedule == 0 || !machine.launch.is_ordered || machine.is_in_region) return next;
  machine.program->has_more_to_do = true;
  machine.program->next = next;
  machine.status = Status::yielded;
  return nullptr;
}

/// Operand numbers of an atomic op; -1 when absent (the mask's is in the access).
struct AtomicOp {
  Atomic atomic;
  int value = -1, expected = -1;
};

const Step* step_atomic(Machine& machine, const Step* step) {
  const auto& op = *static_cast<const AtomicOp*>(step->record);
  const auto operand = [&](int number) {
    return number < 0 ? nullptr : &machine.slots[step->operand[static_cast<std::size_t>(number)]];
  };
  Tile old = update_memory(machine, step, op.atomic,
                           {operand(0), operand(op.atomic.access.mask), operand(op.value), operand(op.expected)});
  if (step->result != kNoSlot)
    machine.set(step->result, as_scalar(machine, op.atomic, old));
  else
    machine.pool.release(old);
  return let_others_run(machine, machine.finish(step));
}

/// Shared by all: `op` has its update and operand numbers.
bool plan_atomic(PlanBuilder& builder, const ir::Op& op, AtomicOp planned, int mask) {
  const bool has_result = op.result_count() != 0;
  Step* step = has_result ? builder.append_with_result(step_atomic, op) : &builder.append(step_atomic, op);
  if (step == nullptr) return false;
  for (std::size_t i = 0; i < step->operand_count; ++i) {
    if (step->operand[i] == kNoSlot) return false;
  }
  Atomic& atomic = planned.atomic;
  const TileType* value =
      has_result ? step->type : builder.type(step->operand[static_cast<std::size_t>(planned.value)]);
  atomic.access.pointer = builder.type(step->operand[0]);
  atomic.access.value = value;
  atomic.access.bytes = value->element_bytes;
  atomic.access.is_write = atomic.update != Update::read;
  atomic.kind = value->kind;
  const bool is_swap = atomic.update == Update::compare_and_swap || atomic.update == Update::read;
  atomic.has_result = is_swap || (has_result && op.result(0)->has_uses());
  if (mask > 0 && op.operand_count() > static_cast<std::size_t>(mask)) {
    atomic.access.mask = mask;
    atomic.access.mask_type = builder.type(step->operand[static_cast<std::size_t>(mask)]);
  }
  atomic.combine = combine_of(atomic.update, atomic.kind);
  if (!is_swap && atomic.update != Update::exchange && atomic.combine == nullptr)
    return builder.error(op, "this update does not exist for " + op.operand(1)->type().to_string());
  step->record = builder.record(planned);
  return true;
}

AtomicOp planned(Update update, int value = -1, int expected = -1) {
  AtomicOp op;
  op.atomic.update = update;
  op.value = value;
  op.expected = expected;
  return op;
}

}  // namespace

kernels::BinaryFn combine_of(Update update, ScalarKind kind) {
  using kernels::Binary;
  const bool is_counter = kind == ScalarKind::i32;
  switch (update) {
    case Update::and_: return kernels::binary(Binary::andi, kind);
    case Update::or_: return kernels::binary(Binary::ori, kind);
    case Update::xor_: return kernels::binary(Binary::xori, kind);
    case Update::add: return kernels::binary(Binary::addi, kind);
    case Update::fadd: return kind == ScalarKind::f32 ? add_flushing : kernels::binary(Binary::addf, kind);
    case Update::float_add: return kernels::binary(Binary::addf, kind);
    case Update::max: return kernels::binary(Binary::maxsi, kind);
    case Update::min: return kernels::binary(Binary::minsi, kind);
    case Update::umax: return kernels::binary(Binary::maxui, kind);
    case Update::umin: return kernels::binary(Binary::minui, kind);
    case Update::float_max: return kernels::binary(Binary::maxnumf, kind);
    case Update::float_min: return kernels::binary(Binary::minnumf, kind);
    case Update::inc: return is_counter ? count<true> : nullptr;
    case Update::dec: return is_counter ? count<false> : nullptr;
    default: return nullptr;
  }
}

Tile update_memory(Machine& machine, const Step* step, const Atomic& atomic, const AtomicLanes& lanes) {
  return update_box(machine, atomic, lanes) ? uniform_tile(0) : update_lanes(machine, step, atomic, lanes);
}

void apply_float_log(const FloatLog& log) {
  const char* values = log.bytes.data();
  for (const FloatAtomic& entry : log.entries) {
    auto* memory = reinterpret_cast<char*>(entry.address);
    const auto add = entry.flushes ? add_flushing : kernels::binary(kernels::Binary::addf, entry.kind);
    add(memory, memory, values, entry.count, 1, 1);
    values += entry.count * static_cast<unsigned>(size_bytes(entry.kind));
  }
}

bool evaluate_atomic_rmw(PlanBuilder& builder, const ir::Op& op) {
  const auto kind = op.integer_attribute("atomic_rmw_op", 0);
  if (kind < 1 || kind > 10) return builder.error(op, "unknown atomic operation");
  return plan_atomic(builder, op, planned(static_cast<Update>(kind), 1), 2);
}

bool evaluate_atomic_cas(PlanBuilder& builder, const ir::Op& op) {
  return plan_atomic(builder, op, planned(Update::compare_and_swap, 2, 1), -1);
}

bool evaluate_atomic_load(PlanBuilder& builder, const ir::Op& op) {
  return plan_atomic(builder, op, planned(Update::read), 1);
}

bool evaluate_atomic_store(PlanBuilder& builder, const ir::Op& op) {
  return plan_atomic(builder, op, planned(Update::exchange, 1), 2);
}

}  // namespace lockstep::interpreter
