#include "sanitizer/numeric/float_trace.h"

#include <array>
#include <cmath>
#include <cstring>
#include <limits>

#include "interpreter/access/storage_copy.h"
#include "ir/interfaces/lane_movement.h"
#include "ir/interfaces/op_kinds.h"
#include "ir/op_def.h"
#include "sanitizer/lanes/lane_values.h"
#include "support/float_formats.h"

namespace lockstep::sanitizer {

namespace {

constexpr std::size_t kMaxOperands = 3;

bool adds(const ir::OpDef& def) {
  return def.arithmetic == ir::Arithmetic::sum || def.arithmetic == ir::Arithmetic::difference;
}

/// Keeps the largest contribution.
struct Largest {
  double value = 0;
  template <typename Take>
  void offer(double candidate, Take&& take) {
    const double size = std::isnan(candidate) ? std::numeric_limits<double>::infinity() : std::fabs(candidate);
    if (size <= value) return;
    value = size;
    take();
  }
};

std::string_view operator_text(const ir::OpDef& def) {
  if (def.numbers != ir::Numbers::floats) return "";
  switch (def.arithmetic) {
    case ir::Arithmetic::sum: return " + ";
    case ir::Arithmetic::difference: return " - ";
    case ir::Arithmetic::product: return " * ";
    case ir::Arithmetic::quotient: return " / ";
    default: return "";
  }
}

}  // namespace

double distance_between(double a, double b) {
  if (a == b || (std::isnan(a) && std::isnan(b))) return 0;
  const double apart = std::fabs(a - b);
  return std::isfinite(apart) ? apart : std::numeric_limits<double>::infinity();
}

TracedOperand::TracedOperand(Execution& run, const ir::Value& value) {
  if (is_float(run.kind(value))) {
    actual = run.numbers(value);
    trace = std::static_pointer_cast<FloatTrace>(run.state(value));
    return;
  }
  const bool has_sign = !(ir::converts_to_float(run.op()) && run.op().def().numbers == ir::Numbers::without_sign);
  actual.resize(static_cast<std::size_t>(run.count(value)));
  for (std::size_t i = 0; i < actual.size(); ++i) {
    const auto lane = static_cast<std::int64_t>(i);
    actual[i] = has_sign ? static_cast<double>(run.integer(value, lane)) : static_cast<double>(run.bits(value, lane));
  }
}

bool TracedOperand::is_off() const {
  if (trace == nullptr) return false;
  for (std::size_t i = 0; i < actual.size(); ++i) {
    if (trace->lanes[i].exact != actual[i]) return true;
  }
  return false;
}

TracedNumber ComingLane::settled(double value, Blame here, int min_bits) const {
  const double own = distance_between(value, from_actual), brought = distance_between(from_actual, from_exact);
  TracedNumber made{from_exact, inherited};
  if (own > brought) {
    made.blame = here;
    made.blame.bits = 0;
  } else if (largest > 0 && brought > 0) {
    const double left = std::fmax(std::fabs(from_exact), std::ldexp(largest, -60));
    const int bits = static_cast<int>(std::log2(largest / left));
    if (bits >= min_bits && bits > inherited.bits) {
      made.blame = here;
      made.blame.bits = static_cast<std::uint8_t>(bits);
    }
  }
  return made;
}

std::vector<ComingLane> ComingLanes::result(std::size_t number) const {
  if (!is_float_value(*op_.result(number))) return {};
  const auto count = static_cast<std::size_t>(op_.result(number)->type().element_count());
  std::vector<ComingLane> made;
  made.reserve(count);
  const auto fill = [&](auto&& lane_of) {
    for (std::size_t i = 0; i < count; ++i) made.push_back(lane_of(i));
    return made;
  };
  if (const ir::OpDef* by = combining_op(op_))
    return fill([&](std::size_t i) { return folded(*by, static_cast<std::int64_t>(i)); });
  if (ir::moves_lanes(op_)) {
    return fill([&](std::size_t i) {
      const auto source = ir::lane_source(op_, number, static_cast<std::int64_t>(i));
      return moved(source.operand, static_cast<std::size_t>(source.lane));
    });
  }
  if (ir::is_selection(op_)) return fill([&](std::size_t i) { return moved(selected(i), i); });
  if (ir::is_matrix_product(op_))
    return fill([&](std::size_t i) { return product(static_cast<std::int64_t>(i)); });
  if (ir::is_gather(op_) && number == 0) {
    return fill([&](std::size_t i) { return moved(0, gathered(static_cast<std::int64_t>(i))); });
  }
  const std::array<double, kMaxOperands> ones{1, 1, 1};
  const bool is_known = op_.operand_count() <= kMaxOperands && ir::keeps_lanes(op_) &&
                        exact_element(op_.def(), {ones.data(), op_.operand_count()}).has_value();
  if (!is_known) return made;
  return fill([&](std::size_t i) { return element(i); });
}

std::size_t ComingLanes::selected(std::size_t lane) const {
  const std::vector<double>& condition = operands_[0].actual;
  return condition[condition.size() == 1 ? 0 : lane] != 0 ? 1 : 2;
}

/// The access reported an index outside; its lane counts as the first.
std::size_t ComingLanes::gathered(std::int64_t lane) const {
  const auto& from = op_.operand(0)->type().shape();
  std::vector<std::int64_t> index = position_of(lane, op_.result()->type().shape());
  const auto axis = static_cast<std::size_t>(op_.integer_attribute("axis", 0));
  index[axis] = static_cast<std::int64_t>(operands_[1].actual[static_cast<std::size_t>(lane)]);
  if (index[axis] < 0 || index[axis] >= from[axis]) index[axis] = 0;
  std::int64_t at = 0;
  for (std::size_t d = 0; d < from.size(); ++d) at = at * from[d] + index[d];
  return static_cast<std::size_t>(at);
}

ComingLane ComingLanes::moved(std::size_t operand, std::size_t lane) const {
  const TracedNumber number = operands_[operand].number(lane);
  return {operands_[operand].actual[lane], number.exact, number.blame, 0};
}

ComingLane ComingLanes::element(std::size_t lane) const {
  const std::size_t count = operands_.size();
  const ir::OpDef& def = op_.def();
  std::array<double, kMaxOperands> actual{}, exact{};
  for (std::size_t j = 0; j < count; ++j) {
    actual[j] = operands_[j].actual[lane];
    exact[j] = operands_[j].exact(lane);
  }
  ComingLane made;
  made.from_actual = *exact_element(def, {actual.data(), count});
  made.from_exact = *exact_element(def, {exact.data(), count});
  Largest largest;
  for (std::size_t j = 0; j < count; ++j) {
    if (actual[j] == exact[j]) continue;
    auto mixed = exact;
    mixed[j] = actual[j];
    const double moves = *exact_element(def, {mixed.data(), count}) - made.from_exact;
    largest.offer(moves, [&] { made.inherited = operands_[j].number(lane).blame; });
  }
  if (def.arithmetic == ir::Arithmetic::fused_product) {
    made.largest = std::fmax(std::fabs(exact[0] * exact[1]), std::fabs(exact[2]));
  } else if (adds(def)) {
    made.largest = std::fmax(std::fabs(exact[0]), std::fabs(exact[1]));
  }
  return made;
}

ComingLane ComingLanes::folded(const ir::OpDef& by, std::int64_t lane) const {
  const AxisLine line = line_of(op_, lane);
  const TracedOperand& input = operands_[0];
  const bool is_sum = by.arithmetic == ir::Arithmetic::sum;
  ComingLane made;
  Largest distance;
  for (std::int64_t k = 0; k < line.count; ++k) {
    const auto at = static_cast<std::size_t>(line.first + k * line.step);
    const double actual = input.actual[at], exact = input.exact(at);
    const std::array<double, 2> as_is{made.from_actual, actual}, without{made.from_exact, exact};
    made.from_actual = k == 0 ? actual : *exact_element(by, as_is);
    const double folded = k == 0 ? exact : *exact_element(by, without);
    if (is_sum || by.arithmetic == ir::Arithmetic::product) {
      distance.offer(actual - exact, [&] { made.inherited = input.number(at).blame; });
    } else if (k == 0 || folded != made.from_exact) {
      made.inherited = input.number(at).blame;
    }
    made.from_exact = folded;
    if (is_sum) made.largest = std::fmax(made.largest, std::fabs(exact));
  }
  return made;
}

ComingLane ComingLanes::product(std::int64_t lane) const {
  const ProductLine line = product_line(op_, lane);
  const TracedOperand &a = operands_[0], &b = operands_[1], &c = operands_[2];
  const auto at = static_cast<std::size_t>(lane);
  ComingLane made{c.actual[at], c.exact(at), c.number(at).blame, std::fabs(c.exact(at))};
  Largest distance;
  distance.value = std::fabs(made.from_actual - made.from_exact);
  for (std::int64_t k = 0; k < line.count; ++k) {
    const auto i = static_cast<std::size_t>(line.a_first + k * line.a_step);
    const auto j = static_cast<std::size_t>(line.b_first + k * line.b_step);
    const double exact = a.exact(i) * b.exact(j), of_a = (a.actual[i] - a.exact(i)) * b.exact(j),
                 of_b = a.exact(i) * (b.actual[j] - b.exact(j));
    made.from_actual += a.actual[i] * b.actual[j];
    made.from_exact += exact;
    made.largest = std::fmax(made.largest, std::fabs(exact));
    if (of_a != 0) distance.offer(of_a, [&] { made.inherited = a.number(i).blame; });
    if (of_b != 0) distance.offer(of_b, [&] { made.inherited = b.number(j).blame; });
  }
  return made;
}

std::string ComingLanes::text(std::int64_t lane) const {
  const auto at = static_cast<std::size_t>(lane);
  if (const ir::OpDef* by = combining_op(op_))
    return (by->arithmetic == ir::Arithmetic::sum ? "the sum of " : "the fold of ") + std::to_string(line_of(op_,
                                                            lane).count) +
           " numbers";
  if (ir::is_matrix_product(op_)) {
    const std::int64_t depth = product_line(op_, lane).count;
    return digits(operands_[2].actual[at]) + " + the sum of " + std::to_string(depth) + " products";
  }
  const bool rounds = ir::computes(op_, ir::Arithmetic::conversion, ir::Numbers::floats) && op_.def().makes_nan;
  if (rounds)
    return digits(operands_[0].actual[at]) + " as " +
           std::string(spelling(*op_.result()->type().element().scalar_kind()));
  if (operands_.size() == 2 && !operator_text(op_.def()).empty())
    return digits(operands_[0].actual[at]) + std::string(operator_text(op_.def())) + digits(operands_[1].actual[at]);
  std::string made(op_.spelling());
  for (std::size_t j = 0; j < operands_.size(); ++j)
    made += (j == 0 ? "(" : ", ") + digits(operands_[j].actual[at < operands_[j].actual.size() ? at : 0]);
  return made + ")";
}

namespace {

constexpr std::int64_t kAtomicFloatAdd = 5;

double number_at(ScalarKind kind, std::uint64_t address) {
  std::uint64_t bits = 0;
  std::memcpy(&bits, interpreter::bytes_at(address), static_cast<std::size_t>(size_bytes(kind)));
  return decode_float(kind, bits);
}

}  // namespace

std::shared_ptr<FloatTrace> TracedMemory::load(Execution& run) const {
  const ir::Op& op = run.op();
  if (numbers_.empty() || op.result_count() != 1 || !is_float_value(*op.result())) return nullptr;
  const ScalarKind kind = *op.result()->type().element().scalar_kind();
  const ir::Value* other = named_operand(op, "other");
  auto& lanes = run.lanes();
  auto trace = std::make_shared<FloatTrace>();
  for (std::int64_t i = 0; i < lanes.count(); ++i) {
    if (!lanes.is_on(i)) {
      trace->lanes.push_back({other != nullptr ? run.number(*other, i) : 0, {}});
      continue;
    }
    const auto found = numbers_.find(lanes.address(i));
    trace->lanes.push_back(found != numbers_.end() ? found->second
                                                   : TracedNumber{number_at(kind, lanes.address(i)), {}});
  }
  return trace;
}

const ir::Value* TracedMemory::stored_value(Execution& run) {
  const ir::Op& op = run.op();
  const bool is_store = run.lanes().kind() == interpreter::TouchKind::store;
  const bool adds =
      ir::does_atomic(op, ir::MemoryAccess::Atomic::update) &&
          op.integer_attribute("atomic_rmw_op", 0) == kAtomicFloatAdd;
  if (!is_store && !adds) return nullptr;
  for (std::size_t i = 1; i < op.operand_count(); ++i) {
    const ir::Value* value = op.operand(i);
    if (is_float_value(*value)) return run.count(*value) == run.lanes().count() ? value : nullptr;
  }
  return nullptr;
}

std::optional<TracedNumber> TracedMemory::put(Execution& run, const TracedOperand& operand, std::size_t lane,
                                              std::uint64_t address) {
  const TracedNumber stored = operand.number(lane);
  if (run.lanes().kind() == interpreter::TouchKind::store) return numbers_[address] = stored;
  const ScalarKind kind = *run.op().result()->type().element().scalar_kind();
  const double was = number_at(kind, address);
  TracedNumber& sum = numbers_.try_emplace(address, TracedNumber{was, {}}).first->second;
  if (distance_between(operand.actual[lane], stored.exact) > distance_between(was, sum.exact)) sum.blame = stored.blame;
  sum.exact += stored.exact;
  return sum;
}

std::optional<TracedNumber> TracedMemory::forget(std::uint64_t address) {
  numbers_.erase(address);
  return std::nullopt;
}

}  // namespace lockstep::sanitizer
