#include "sanitizer/memory/value_ranges.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "interpreter/access/storage_copy.h"
#include "interpreter/scheduler/schedule.h"
#include "ir/interfaces/op_kinds.h"
#include "ir/op_def.h"
#include "ir/opcode.h"
#include "sanitizer/memory/range_rules.h"
#include "support/float_formats.h"

namespace lockstep::sanitizer {

using ir::Opcode;

namespace {

constexpr std::uint64_t kMaxScannedBytes = std::uint64_t{1} << 26;
constexpr double kUnbounded = std::numeric_limits<double>::infinity();
constexpr NumberRange kAnyNumber{-kUnbounded, kUnbounded, true};

std::optional<ScalarKind> integer_kind(const ir::Value& value) {
  const auto kind = value.type().element().scalar_kind();
  return kind && is_integer(*kind) ? kind : std::nullopt;
}

/// Bits of a splat or scalar constant; nullopt: elements differ.
std::optional<std::uint64_t> constant_bits(const ir::Attribute& value) {
  if (!value) return std::nullopt;
  if (value.is_integer()) return static_cast<std::uint64_t>(value->integer);
  if (value.is_float()) return value->float_bits;
  if (!value.is_dense() || !value->is_splat || value->data.size() > 8) return std::nullopt;
  std::uint64_t bits = 0;
  std::memcpy(&bits, value->data.data(), value->data.size());
  return bits;
}

Range fit(const Range& range, ScalarKind kind) { return range.is_within(full_range(kind)) ? range : full_range(kind); }

template <typename Element>
Range scan(const char* data, std::uint64_t count) {
  Element low = 0, high = 0;  // lanes that are masked off, and those out of bounds
  for (std::uint64_t i = 0; i < count; ++i) {
    Element value;
    std::memcpy(&value, data + i * sizeof value, sizeof value);
    low = std::min(low, value);
    high = std::max(high, value);
  }
  return {low, high};
}

bool hands_through(Opcode code) {
  switch (code) {
    case Opcode::tt_splat:
    case Opcode::tt_unsplat:
    case Opcode::tt_broadcast:
    case Opcode::tt_expand_dims:
    case Opcode::tt_reshape:
    case Opcode::tt_trans:
    case Opcode::tt_gather:
    case Opcode::arith_extsi:
    case Opcode::arith_trunci:
    case Opcode::arith_index_cast: return true;
    default: return false;
  }
}

/// eq, ne, slt, sle, sgt, sge by their numbers; i1.
Range compared(std::int64_t predicate, const Range& a, const Range& b) {
  constexpr Range kTrue{-1, -1}, kFalse{0, 0}, kEither{-1, 0};
  const auto decide = [&](bool always, bool never) { return always ? kTrue : never ? kFalse : kEither; };
  const bool are_apart = a.high < b.low || b.high < a.low, are_one = a.is_one() && b.is_one() && a.low == b.low;
  switch (predicate) {
    case 0: return decide(are_one, are_apart);
    case 1: return decide(are_apart, are_one);
    case 2: return decide(a.high < b.low, a.low >= b.high);
    case 3: return decide(a.high <= b.low, a.low > b.high);
    case 4: return decide(a.low > b.high, a.high <= b.low);
    case 5: return decide(a.low >= b.high, a.high < b.low);
    default: return kEither;
  }
}

/// arith.addi as the whole of the region.
bool adds_integers_up(const ir::Op& op) {
  if (op.regions().empty() || op.region().blocks().size() != 1) return false;
  const auto& ops = op.region().front().ops();
  return ops.size() == 2 && ir::computes(*ops.front(), ir::Arithmetic::sum, ir::Numbers::integers);
}

/// The first op of the region picks one of its operands: maxima, minima.
bool picks_one(const ir::Op& op) {
  if (op.regions().empty() || op.region().blocks().size() != 1) return false;
  const auto& ops = op.region().front().ops();
  if (ops.size() != 2) return false;
  switch (ops.front()->def().opcode) {
    case Opcode::arith_maxsi:
    case Opcode::arith_minsi:
    case Opcode::arith_maxui:
    case Opcode::arith_minui: return true;
    default: return false;
  }
}

}  // namespace

ValueRanges::ValueRanges(const LaunchContext& context, const interpreter::MemoryEffects& effects, bool reads_memory)
    : context_(context), effects_(effects), reads_memory_(reads_memory) {
  const ir::Op& function = context.function;
  if (function.region().empty()) return;
  const ir::Block& entry = function.region().front();
  for (std::size_t i = 0; i < entry.arguments().size() && i < context.request.arguments.size(); ++i) {
    const ir::Value& value = *entry.argument(i);
    const auto kind = value.type().scalar_kind();
    const interpreter::Argument& given = context.request.arguments[i];
    if (!kind || given.kind != interpreter::Argument::Kind::scalar) continue;
    if (is_integer(*kind)) {
      const Wide number = interpreter::sign_extend(*kind, given.bits);
      set(value, {number, number});
    } else if (is_float(*kind)) {
      const double number = decode_float(*kind, given.bits);
      numbers_[&value] = {number, number, std::isnan(number)};
    }
  }
  visit_function(function);
}

Range ValueRanges::of(const ir::Value& value) const {
  const auto found = integers_.find(&value);
  if (found != integers_.end()) return found->second;
  return full_range(integer_kind(value).value_or(ScalarKind::i64));
}

NumberRange ValueRanges::number(const ir::Value& value) const {
  const auto found = numbers_.find(&value);
  return found != numbers_.end() ? found->second : kAnyNumber;
}

Range ValueRanges::exact(const ir::Op& op) const {
  const Range a = of(*op.operand(0)), b = of(*op.operand(1));
  return binary_range(op.def().opcode, a, b, ScalarKind::i64).value_or(full_range(ScalarKind::i64));
}

bool ValueRanges::may_wrap(const ir::Op& op) const {
  return !exact(op).is_within(full_range(integer_kind(*op.result()).value_or(ScalarKind::i64)));
}

// ---- control flow ----

void ValueRanges::visit_function(const ir::Op& function) {
  for (const auto& block : function.region().blocks()) visit_block(*block);
}

void ValueRanges::visit_block(const ir::Block& block) {
  for (const auto& op : block.ops()) visit_op(*op);
}

void ValueRanges::visit_op(const ir::Op& op) {
  switch (op.def().opcode) {
    case Opcode::scf_for: return visit_for(op);
    case Opcode::scf_while: return visit_while(op);
    case Opcode::scf_if: return visit_if(op);
    default: break;
  }
  if (op.result_count() == 0) return;
  const auto kind = op.result()->type().element().scalar_kind();
  if (!kind) return;
  if (is_integer(*kind)) {
    for (std::size_t i = 0; i < op.result_count(); ++i) {
      const auto own = integer_kind(*op.result(i));
      if (own) set(*op.result(i), i == 0 ? fit(integer_result(op), *own) : full_range(*own));
    }
  } else if (is_float(*kind)) {
    const NumberRange made = number_result(op);
    if (made.may_be_nan && made.low == -kUnbounded && made.high == kUnbounded) {
      numbers_.erase(op.result());
    } else {
      numbers_[op.result()] = made;
    }
  }
}

/// The last number below the upper bound and one step more is no number of the type.
bool counter_may_wrap(const Range& lower, const Range& upper, const Range& step, const Range& full) {
  const bool is_known = lower.is_one() && upper.is_one() && step.is_one() && step.low > 0;
  const Wide last = is_known ? lower.low + (upper.low - 1 - lower.low) / step.low * step.low : upper.high - 1;
  return last + step.high > full.high;
}

/// What a loop carries may be anything at first. Then what only grows by the same ranges again and again is bounded by
/// the number of trips, and what is handed on unchanged stays what it was.
void ValueRanges::visit_for(const ir::Op& op) {
  const Range lower = of(*op.operand(0)), upper = of(*op.operand(1)), step = of(*op.operand(2));
  const ir::Block& body = op.region().front();
  const Range full = full_range(integer_kind(*body.argument(0)).value_or(ScalarKind::i64));
  const bool is_unsigned = static_cast<bool>(op.attribute("unsignedCmp")) && (lower.low < 0 || upper.low < 0);
  const bool counter_wraps =
      is_unsigned || (upper.high > lower.low && counter_may_wrap(lower, upper, step, full));
  if (!is_unsigned && upper.high <= lower.low) {
    set(*body.argument(0), {0, -1});
  } else if (counter_wraps) {
    set(*body.argument(0), full);
  } else {
    set(*body.argument(0), {lower.low, upper.high - 1});
  }
  bool carries_integers = false;
  for (std::size_t i = 1; i < body.arguments().size(); ++i) {
    numbers_.erase(body.argument(i));
    integers_.erase(body.argument(i));
    carries_integers |= integer_kind(*body.argument(i)).has_value();
  }
  // Each loop is gone through twice, so that only so many within each other are.
  constexpr int kMaxNested = 8;
  ++nested_;
  visit_block(body);
  --nested_;
  for (std::size_t i = 0; i < op.result_count(); ++i) integers_.erase(op.result(i));
  if (!carries_integers || nested_ >= kMaxNested) return;
  const Wide span = std::max(upper.high - lower.low, Wide{0});
  const Wide stride = std::max(step.low, Wide{1});
  refine_carried(op, counter_wraps ? Wide{1} << 62 : std::min((span + stride - 1) / stride, Wide{1} << 62));
  ++nested_;
  visit_block(body);
  --nested_;
}

void ValueRanges::refine_carried(const ir::Op& op, Wide trips) {
  const ir::Block& body = op.region().front();
  const ir::Op* yield = body.terminator();
  if (yield == nullptr) return;
  std::vector<std::pair<std::size_t, Range>> found;
  for (std::size_t i = 0; i < op.result_count() && i < yield->operand_count(); ++i) {
    const ir::Value* carried = body.argument(i + 1);
    if (!integer_kind(*carried)) continue;
    const Range start = of(*op.operand(3 + i));
    const ir::Value* next = yield->operand(i);
    const ir::Op* made = next->defining_op();
    const Range after = of(*next);
    if (next == carried) {
      found.emplace_back(i, start);
    } else if (made != nullptr &&
               (ir::computes(*made, ir::Arithmetic::sum, ir::Numbers::integers) ||
                ir::computes(*made, ir::Arithmetic::difference, ir::Numbers::integers)) &&
               (made->operand(0) == carried ||
                (made->operand(1) == carried && ir::computes(*made, ir::Arithmetic::sum, ir::Numbers::integers)))) {
      Range change = of(*made->operand(made->operand(0) == carried ? 1 : 0));
      if (ir::computes(*made, ir::Arithmetic::difference, ir::Numbers::integers))
        change = difference_of({0, 0}, change);
      const Range all = product_of(change, {0, trips});
      found.emplace_back(i, fit(sum_of(start, all), *integer_kind(*carried)));
    } else if (!(after.low == full_range(*integer_kind(*carried)).low &&
                 after.high == full_range(*integer_kind(*carried)).high)) {
      found.emplace_back(i, hull(start, after));
    }
  }
  for (const auto& [i, range] : found) {
    set(*body.argument(i + 1), range);
    set(*op.result(i), range);
  }
}

void ValueRanges::visit_while(const ir::Op& op) {
  for (const auto& region : op.regions()) {
    for (const auto& block : region->blocks()) {
      for (const auto& argument : block->arguments()) {
        integers_.erase(argument.get());
        numbers_.erase(argument.get());
      }
      visit_block(*block);
    }
  }
}

void ValueRanges::visit_if(const ir::Op& op) {
  for (const auto& region : op.regions()) {
    for (const auto& block : region->blocks()) visit_block(*block);
  }
  for (std::size_t i = 0; i < op.result_count(); ++i) {
    if (!integer_kind(*op.result(i))) continue;
    Range all{0, -1};
    for (const auto& region : op.regions()) {
      const ir::Op* yield = region->empty() ? nullptr : region->front().terminator();
      if (yield != nullptr && i < yield->operand_count()) all = hull(all, of(*yield->operand(i)));
    }
    set(*op.result(i), all);
  }
}

// ---- ops ----

Range ValueRanges::integer_result(const ir::Op& op) {
  const ScalarKind kind = *integer_kind(*op.result());
  const Opcode code = op.def().opcode;
  const Range full = full_range(kind);
  if (hands_through(code)) return fit(of(*op.operand(0)), kind);
  switch (code) {
    case Opcode::arith_constant: {
      const auto bits = constant_bits(op.attribute("value"));
      if (!bits) return full;
      const Wide number = interpreter::sign_extend(kind, *bits);
      return {number, number};
    }
    case Opcode::tt_make_range: return {op.integer_attribute("start", 0), op.integer_attribute("end", 0) - 1};
    case Opcode::tt_get_program_id:
    case Opcode::tt_get_num_programs: {
      const auto axis = static_cast<std::size_t>(op.integer_attribute("axis", 0)) % 3;
      const std::int64_t count = context_.request.grid[axis];
      return code == Opcode::tt_get_program_id ? Range{0, count - 1} : Range{count, count};
    }
    case Opcode::arith_extui:
    case Opcode::arith_index_castui: {
      const Range given = of(*op.operand(0));
      const int width = bit_width(integer_kind(*op.operand(0)).value_or(ScalarKind::i64));
      return given.low >= 0 ? given : Range{0, (Wide{1} << width) - 1};
    }
    case Opcode::arith_cmpi:
      return compared(op.integer_attribute("predicate", -1), of(*op.operand(0)), of(*op.operand(1)));
    case Opcode::arith_select: return hull(of(*op.operand(1)), of(*op.operand(2)));
    case Opcode::tt_load: return loaded(op);
    case Opcode::arith_fptosi:
    case Opcode::arith_fptoui: {
      const NumberRange given = number(*op.operand(0));
      constexpr double kSafe = 9.0e18;
      if (given.may_be_nan || !(given.low > -kSafe) || !(given.high < kSafe)) return full;
      return {static_cast<Wide>(given.low), static_cast<Wide>(given.high)};
    }
    case Opcode::tt_reduce:
    case Opcode::tt_scan: {
      if (op.operand_count() != 1) return full;
      const Range given = of(*op.operand(0));
      if (picks_one(op)) return given;
      const std::int64_t count = op.operand(0)->type().element_count();
      return adds_integers_up(op) ? hull(given, product_of(given, {count, count})) : full;
    }
    default: break;
  }
  if (op.operand_count() != 2 || !integer_kind(*op.operand(0))) return full;
  return binary_range(code, of(*op.operand(0)), of(*op.operand(1)), kind).value_or(full);
}

NumberRange ValueRanges::number_result(const ir::Op& op) const {
  const auto of_operand = [&](std::size_t i) { return number(*op.operand(i)); };
  switch (op.def().opcode) {
    case Opcode::arith_constant: {
      const auto bits = constant_bits(op.attribute("value"));
      if (!bits) return kAnyNumber;
      const double value = decode_float(*op.result()->type().element().scalar_kind(), *bits);
      return {value, value, std::isnan(value)};
    }
    case Opcode::arith_sitofp: {
      const Range given = of(*op.operand(0));
      if (*op.result()->type().element().scalar_kind() < ScalarKind::f32) return kAnyNumber;
      const double slack =
          std::max(std::abs(static_cast<double>(given.low)), std::abs(static_cast<double>(given.high))) * 0x1p-22;
      return {static_cast<double>(given.low) - slack, static_cast<double>(given.high) + slack, false};
    }
    case Opcode::tt_splat:
    case Opcode::tt_broadcast:
    case Opcode::tt_expand_dims:
    case Opcode::tt_reshape:
    case Opcode::tt_trans:
    case Opcode::arith_extf: return of_operand(0);
    case Opcode::math_floor:
    case Opcode::math_ceil: {
      const NumberRange given = of_operand(0);
      return {std::floor(given.low), std::ceil(given.high), given.may_be_nan};
    }
    case Opcode::tt_clampf: {
      const NumberRange least = of_operand(1), most = of_operand(2);
      return {std::min(least.low, most.low), std::max(least.high, most.high), true};
    }
    case Opcode::arith_maxnumf:
    case Opcode::arith_maximumf:
    case Opcode::arith_minnumf:
    case Opcode::arith_minimumf: {
      const NumberRange a = of_operand(0), b = of_operand(1);
      const bool is_max = op.def().opcode == Opcode::arith_maxnumf || op.def().opcode == Opcode::arith_maximumf;
      const bool drops_nan = op.def().opcode == Opcode::arith_maxnumf || op.def().opcode == Opcode::arith_minnumf;
      const bool may_be_nan = drops_nan ? a.may_be_nan && b.may_be_nan : a.may_be_nan || b.may_be_nan;
      if (drops_nan && (a.may_be_nan != b.may_be_nan)) {
        const NumberRange& sound = a.may_be_nan ? b : a;
        const NumberRange& other = a.may_be_nan ? a : b;
        return is_max ? NumberRange{sound.low, std::max(sound.high, other.high), false}
                      : NumberRange{std::min(sound.low, other.low), sound.high, false};
      }
      return is_max ? NumberRange{std::max(a.low, b.low), std::max(a.high, b.high), may_be_nan}
                    : NumberRange{std::min(a.low, b.low), std::min(a.high, b.high), may_be_nan};
    }
    default: return kAnyNumber;
  }
}

// ---- memory ----

/// What an integer array that nobody writes in this launch holds; else anything.
Range ValueRanges::loaded(const ir::Op& op) {
  const ScalarKind kind = *integer_kind(*op.result());
  const Range full = full_range(kind);
  const ir::Value* argument = pointer_argument(*op.operand(0));
  if (argument == nullptr || bit_width(kind) < 32 || !reads_memory_) return full;
  const auto known = arrays_.find(argument->index());
  Range held = known != arrays_.end() ? known->second : stored_numbers(argument->index(), kind);
  arrays_.emplace(argument->index(), held);
  if (const ir::Value* other = op.operand_or_null(2)) held = hull(held, of(*other));
  return held;
}

Range ValueRanges::stored_numbers(std::size_t argument, ScalarKind kind) {
  const interpreter::RunRequest& request = context_.request;
  const Range full = full_range(kind);
  if (argument >= request.arguments.size()) return full;
  const interpreter::Argument& given = request.arguments[argument];
  if (given.kind != interpreter::Argument::Kind::pointer) return full;
  const memory_model::View& view = request.memory->view(given.view);
  const memory_model::Storage& storage = request.memory->storage(view.storage);
  for (const memory_model::StorageId written : interpreter::written_storages(request, effects_)) {
    if (written == storage.id) return full;
  }
  memory_model::Extent extent = request.reach == interpreter::Reach::storage ? storage.extent : view.extent;
  const auto size = static_cast<std::uint64_t>(size_bytes(kind));
  extent.begin += (view.base - extent.begin) % size;
  if (view.element != kind || extent.begin >= extent.end || extent.bytes() > kMaxScannedBytes) return full;
  uses_memory_ = true;
  const char* data = interpreter::bytes_at(extent.begin);
  return kind == ScalarKind::i32 ? scan<std::int32_t>(data, extent.bytes() / size)
                                 : scan<std::int64_t>(data, extent.bytes() / size);
}

namespace {

const ir::Value* trace(const ir::Value& value, int depth) {
  constexpr int kMaxDepth = 64;
  if (depth > kMaxDepth) return nullptr;
  const ir::Op* op = value.defining_op();
  if (op == nullptr) {
    const ir::Op* around = value.owner_block()->parent_op();
    if (around == nullptr) return nullptr;
    if (ir::is_function(*around))
      return ir::is_private(*around) || value.owner_block() != &around->region().front() ? nullptr : &value;
    if (!ir::is_counted_loop(*around) || value.index() == 0) return nullptr;
    const ir::Op* yield = around->region().front().terminator();
    const std::size_t i = value.index() - 1;
    if (yield == nullptr || i >= yield->operand_count()) return nullptr;
    // What comes round must be the same pointer, moved.
    const ir::Value* next = yield->operand(i);
    while (next != &value) {
      const ir::Op* made = next->defining_op();
      if (made == nullptr || !ir::is_displacement(*made)) return nullptr;
      next = made->operand(0);
    }
    return trace(*around->operand(3 + i), depth + 1);
  }
  switch (op->def().opcode) {
    case Opcode::tt_addptr:
    case Opcode::tt_splat:
    case Opcode::tt_broadcast:
    case Opcode::tt_expand_dims:
    case Opcode::tt_reshape:
    case Opcode::tt_trans: return trace(*op->operand(0), depth + 1);
    default: return nullptr;
  }
}

void walk(const ir::Region& region, const std::function<void(const ir::Op&)>& body, bool& calls) {
  for (const auto& block : region.blocks()) {
    for (const auto& op : block->ops()) {
      body(*op);
      const Opcode code = op->def().opcode;
      calls |= code == Opcode::tt_call;
      const bool is_combine =
          code == Opcode::tt_reduce || code == Opcode::tt_scan || code == Opcode::tt_map_elementwise;
      for (std::size_t i = 0; i < op->regions().size() && !is_combine; ++i) walk(op->region(i), body, calls);
    }
  }
}

}  // namespace

const ir::Value* pointer_argument(const ir::Value& value) { return trace(value, 0); }

void for_each_op(const ir::Module& module, const ir::Op& function, const std::function<void(const ir::Op&)>& body) {
  bool calls = false;
  for (const auto& region : function.regions()) walk(*region, body, calls);
  if (!calls) return;
  for (const ir::Op* other : module.functions()) {
    if (other == &function) continue;
    for (const auto& region : other->regions()) walk(*region, body, calls);
  }
}

}  // namespace lockstep::checkers
