#include "sanitizer/memory/value_ranges.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "interpreter/access/storage_copy.h"
#include "interpreter/apart/array_range.h"
#include "interpreter/scheduler/execution_mode.h"
#include "ir/interfaces/constants.h"
#include "ir/interfaces/op_kinds.h"
#include "ir/interfaces/region_branch.h"
#include "ir/op_def.h"
#include "support/float_formats.h"

namespace lockstep::sanitizer {

namespace {

constexpr std::uint64_t kMaxScannedBytes = std::uint64_t{1} << 26;
constexpr double kUnbounded = std::numeric_limits<double>::infinity();
constexpr NumberRange kAnyNumber{-kUnbounded, kUnbounded, true};

std::optional<ScalarKind> integer_kind(const ir::Value& value) {
  const auto kind = value.type().element().scalar_kind();
  return kind && is_integer(*kind) ? kind : std::nullopt;
}

/// The result is operand 0, as long as it fits.
bool hands_through(const ir::Op& op) { return ir::reshapes(op) || ir::is_gather(op) || ir::keeps_signed_integer(op); }

/// eq, ne, slt, sle, sgt, sge on intervals; the result is i1.
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

/// The region consists of one arith.addi.
bool adds_integers_up(const ir::Op& op) {
  if (op.regions().empty() || op.region().blocks().size() != 1) return false;
  const auto& ops = op.region().front().ops();
  return ops.size() == 2 && ir::is_integer_sum(*ops.front());
}

/// The first op of the region selects one of its operands: a maximum or a minimum.
bool picks_one(const ir::Op& op) {
  if (op.regions().empty() || op.region().blocks().size() != 1) return false;
  const auto& ops = op.region().front().ops();
  return ops.size() == 2 && ir::is_extremum(ops.front()->def().arithmetic) &&
         ops.front()->def().numbers != ir::Numbers::floats;
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
  return binary_range(ir::calculation(op), a, b, ScalarKind::i64).value_or(full_range(ScalarKind::i64));
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
  if (ir::is_counted_loop(op)) return visit_for(op);
  if (ir::is_open_loop(op)) return visit_while(op);
  if (ir::is_choice(op)) return visit_if(op);
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

/// A loop's carried values may be anything at first. Then the number of trips bounds values that grow by the same
/// ranges, and values that pass unchanged keep their range.
void ValueRanges::visit_for(const ir::Op& op) {
  const Range lower = of(*op.operand(0)), upper = of(*op.operand(1)), step = of(*op.operand(2));
  const ir::Block& body = op.region().front();
  const ScalarKind kind = integer_kind(*body.argument(0)).value_or(ScalarKind::i64);
  const Range counter = counter_range(lower, upper, step, kind, static_cast<bool>(op.attribute("unsignedCmp")));
  const Range full = full_range(kind);
  const bool counter_wraps = counter.low == full.low && counter.high == full.high;
  set(*body.argument(0), counter);
  bool carries_integers = false;
  for (std::size_t i = 1; i < body.arguments().size(); ++i) {
    numbers_.erase(body.argument(i));
    integers_.erase(body.argument(i));
    carries_integers |= integer_kind(*body.argument(i)).has_value();
  }
  // The analysis visits each loop twice, so that it limits their nesting.
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

/// A sum of the carried value and something else, or a difference; the change in one iteration.
std::optional<Range> ValueRanges::change_of(const ir::Value& next, const ir::Value& carried) const {
  const ir::Op* made = next.defining_op();
  if (made == nullptr || (!ir::is_integer_sum(*made) && !ir::is_integer_difference(*made))) return std::nullopt;
  const bool is_sum = ir::is_integer_sum(*made), is_first = made->operand(0) == &carried;
  if (!is_first && !(is_sum && made->operand(1) == &carried)) return std::nullopt;
  const Range change = of(*made->operand(is_first ? 1 : 0));
  return is_sum ? change : difference_of({0, 0}, change);
}

void ValueRanges::refine_carried(const ir::Op& op, Wide trips) {
  std::vector<std::pair<std::size_t, Range>> found;
  for (std::size_t i = 0; i < op.result_count(); ++i) {
    const ir::Value* carried = ir::carried_argument(*op.result(i));
    const ir::Value* next = ir::yielded_value(*op.result(i));
    if (next == nullptr || !integer_kind(*carried)) continue;
    const ScalarKind kind = *integer_kind(*carried);
    const Range start = of(*ir::initial_value(*carried)), after = of(*next), full = full_range(kind);
    if (next == carried) {
      found.emplace_back(i, start);
    } else if (const auto change = change_of(*next, *carried)) {
      found.emplace_back(i, fit(sum_of(start, product_of(*change, {0, trips})), kind));
    } else if (!(after.low == full.low && after.high == full.high)) {
      found.emplace_back(i, hull(start, after));
    }
  }
  for (const auto& [i, range] : found) {
    set(*ir::carried_argument(*op.result(i)), range);
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
    for (const ir::Value* yielded : ir::incoming_values(*op.result(i))) all = hull(all, of(*yielded));
    set(*op.result(i), all);
  }
}

// ---- ops ----

Range ValueRanges::integer_result(const ir::Op& op) {
  const ScalarKind kind = *integer_kind(*op.result());
  const Range full = full_range(kind);
  if (hands_through(op)) return fit(of(*op.operand(0)), kind);
  if (op.def().origin != ir::Origin::none) return made_from_nothing(op, kind);
  if (ir::is_integer_comparison(op))
    return compared(op.integer_attribute("predicate", -1), of(*op.operand(0)), of(*op.operand(1)));
  if (ir::is_selection(op)) return hull(of(*op.operand(1)), of(*op.operand(2)));
  if (ir::is_pointer_load(op)) return loaded(op);
  if (ir::folds_lines(op)) return folded(op).value_or(full);
  if (op.def().arithmetic == ir::Arithmetic::conversion) return converted(op).value_or(full);
  if (op.operand_count() != 2 || !integer_kind(*op.operand(0))) return full;
  return binary_range(ir::calculation(op), of(*op.operand(0)), of(*op.operand(1)), kind).value_or(full);
}

Range ValueRanges::made_from_nothing(const ir::Op& op, ScalarKind kind) const {
  if (ir::is_constant(op)) {
    const auto bits = ir::constant_bits(op.attribute("value"));
    if (!bits) return full_range(kind);
    const Wide number = interpreter::sign_extend(kind, *bits);
    return {number, number};
  }
  if (ir::is_range(op)) return {op.integer_attribute("start", 0), op.integer_attribute("end", 0) - 1};
  const bool is_index = ir::is_program_id(op);
  if (!is_index && op.def().origin != ir::Origin::program_count) return full_range(kind);
  const auto axis = static_cast<std::size_t>(op.integer_attribute("axis", 0)) % 3;
  const std::int64_t count = context_.request.grid[axis];
  return is_index ? Range{0, count - 1} : Range{count, count};
}

/// Along an axis, by a region. nullopt: any value.
std::optional<Range> ValueRanges::folded(const ir::Op& op) const {
  if (op.operand_count() != 1) return std::nullopt;
  const Range given = of(*op.operand(0));
  if (picks_one(op)) return given;
  const std::int64_t count = op.operand(0)->type().element_count();
  return adds_integers_up(op) ? std::optional(hull(given, product_of(given, {count, count}))) : std::nullopt;
}

/// To an integer, from an unsigned integer or a float. nullopt: any value.
std::optional<Range> ValueRanges::converted(const ir::Op& op) const {
  if (ir::extends_without_sign(op)) {
    const Range given = of(*op.operand(0));
    const int width = bit_width(integer_kind(*op.operand(0)).value_or(ScalarKind::i64));
    return given.low >= 0 ? given : Range{0, (Wide{1} << width) - 1};
  }
  const NumberRange given = number(*op.operand(0));
  constexpr double kSafe = 9.0e18;
  if (given.may_be_nan || !(given.low > -kSafe) || !(given.high < kSafe)) return std::nullopt;
  return Range{static_cast<Wide>(given.low), static_cast<Wide>(given.high)};
}

namespace {

/// The larger or the smaller of two.
NumberRange extremum(ir::Arithmetic what, const NumberRange& a, const NumberRange& b) {
  const bool is_max = ir::is_maximum(what);
  const bool drops_nan = what == ir::Arithmetic::maximum_number || what == ir::Arithmetic::minimum_number;
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

NumberRange constant_number(const ir::Op& op) {
  const auto bits = ir::constant_bits(op.attribute("value"));
  if (!bits) return kAnyNumber;
  const double value = decode_float(*op.result()->type().element().scalar_kind(), *bits);
  return {value, value, std::isnan(value)};
}

/// A signed integer as a float; the rounding is not modelled.
NumberRange as_number(const Range& given, ScalarKind kind) {
  if (kind < ScalarKind::f32) return kAnyNumber;
  const double slack =
      std::max(std::abs(static_cast<double>(given.low)), std::abs(static_cast<double>(given.high))) * 0x1p-22;
  return {static_cast<double>(given.low) - slack, static_cast<double>(given.high) + slack, false};
}

}  // namespace

NumberRange ValueRanges::number_result(const ir::Op& op) const {
  const auto of_operand = [&](std::size_t i) { return number(*op.operand(i)); };
  if (ir::is_constant(op)) return constant_number(op);
  if (ir::reshapes(op) || ir::widens_float(op)) return of_operand(0);
  if (ir::converts_to_float(op) && op.def().numbers == ir::Numbers::with_sign)
    return as_number(of(*op.operand(0)), *op.result()->type().element().scalar_kind());
  const ir::Arithmetic what = op.def().arithmetic;
  if (ir::is_extremum(what)) return extremum(what, of_operand(0), of_operand(1));
  if (what == ir::Arithmetic::floor || what == ir::Arithmetic::ceiling) {
    const NumberRange given = of_operand(0);
    return {std::floor(given.low), std::ceil(given.high), given.may_be_nan};
  }
  if (what == ir::Arithmetic::clamp) {
    const NumberRange least = of_operand(1), most = of_operand(2);
    return {std::min(least.low, most.low), std::max(least.high, most.high), true};
  }
  return kAnyNumber;
}

// ---- memory ----

/// The range of an integer array's contents, if nobody writes it in this launch; else any value.
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
  return interpreter::apart::range_of_array(data, extent.bytes() / size, kind);
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
    // The value that the loop carries must be the same pointer, moved.
    const ir::Value* next = ir::yielded_value(value);
    while (next != nullptr && next != &value) {
      const ir::Op* made = next->defining_op();
      next = made != nullptr && ir::is_displacement(*made) ? made->operand(0) : nullptr;
    }
    return next != nullptr ? trace(*ir::initial_value(value), depth + 1) : nullptr;
  }
  const bool is_passed_on = ir::is_displacement(*op) || ir::reshapes(*op);
  return is_passed_on ? trace(*op->operand(0), depth + 1) : nullptr;
}

void walk(const ir::Region& region, const std::function<void(const ir::Op&)>& body, bool& calls) {
  for (const auto& block : region.blocks()) {
    for (const auto& op : block->ops()) {
      body(*op);
      calls |= ir::is_call(*op);
      for (std::size_t i = 0; i < op->regions().size() && !ir::combines_lanes(*op); ++i) walk(op->region(i), body, calls);
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

}  // namespace lockstep::sanitizer
