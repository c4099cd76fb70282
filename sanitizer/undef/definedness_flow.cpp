// How undefined elements pass through ops: OpDef::defined_if, lane by lane. Where a defined value decides (a select,
// false and, 0 times), an undefined one does not matter.
#include <algorithm>

#include "ir/interfaces/lane_movement.h"
#include "ir/interfaces/op_kinds.h"
#include "ir/text/python_name.h"
#include "sanitizer/undef/definedness_flow.h"

namespace lockstep::sanitizer {

namespace {

using Id = std::uint8_t;  // as in Undefined::lanes
using Lanes = std::vector<Id>;
using States = std::vector<UndefinedState>;

/// Adds a path to `ways`; returns its number there.
Id number_of(std::vector<UndefPath>& ways, const UndefPath& way) {
  for (std::size_t i = 0; i < ways.size(); ++i) {
    if (ways[i].origin == way.origin && ways[i].spread == way.spread && ways[i].spread_op == way.spread_op)
      return static_cast<Id>(i + 1);
  }
  if (ways.size() < 255) ways.push_back(way);
  return static_cast<Id>(ways.size());
}

/// One operand alone may decide the result.
bool may_be_decided(const ir::Op& op) {
  using ir::Arithmetic;
  const Arithmetic what = op.def().arithmetic;
  return op.def().numbers == ir::Numbers::integers &&
         (what == Arithmetic::conjunction || what == Arithmetic::disjunction || what == Arithmetic::product);
}

/// Moves lanes to other places of a tile.
bool changes_places(const ir::Op& op) {
  switch (op.def().movement) {
    case ir::Movement::broadcast:
    case ir::Movement::transpose:
    case ir::Movement::join:
    case ir::Movement::split:
    case ir::Movement::concatenate: return true;
    default: return false;
  }
}

/// One result of one op.
class Flow {
 public:
  Flow(Execution& run, std::size_t result, const States& states)
      : run_(run),
        op_(run.op()),
        states_(states),
        numbers_(states.size()),
        lanes_(size_of(*op_.result(result)), 0),
        result_(result) {}

  UndefinedState follow();

 private:
  std::size_t size_of(const ir::Value& value) const { return static_cast<std::size_t>(run_.count(value)); }
  bool is_undefined(std::size_t operand, std::size_t lane) const {
    const UndefinedState& state = states_[operand];
    return state != nullptr && state->lanes[state->lanes.size() == 1 ? 0 : lane] != 0;
  }
  /// The operand's lane in the result's numbering of paths.
  Id id(std::size_t operand, std::size_t lane) {
    const UndefinedState& state = states_[operand];
    if (state == nullptr) return 0;
    const Id known = state->lanes[state->lanes.size() == 1 ? 0 : lane];
    if (known == 0) return 0;
    Lanes& numbers = numbers_[operand];
    if (numbers.empty()) numbers.assign(state->ways.size(), 0);
    if (numbers[known - 1u] == 0) numbers[known - 1u] = take(state->ways[known - 1u]);
    return numbers[known - 1u];
  }
  Id take(UndefPath way) {
    if (way.spread_op.empty() && carries_over()) {
      way.spread = run_.location();
      way.spread_op = ir::shown_name(op_);
    }
    return number_of(ways_, way);
  }
  /// Keeps the path across lanes, if either is one: a mask at the store does not remove it.
  void mark(std::size_t i, Id undefined) {
    const auto is_spread = [this](Id way) { return !ways_[way - 1u].spread_op.empty(); };
    if (lanes_[i] == 0 || (undefined != 0 && is_spread(undefined) && !is_spread(lanes_[i]))) lanes_[i] = undefined;
  }
  std::uint64_t bits(std::size_t operand, std::size_t lane) {
    const ir::Value& value = *op_.operand(operand);
    return run_.bits(value, size_of(value) == 1 ? 0 : static_cast<std::int64_t>(lane));
  }
  bool any(std::size_t operand) const { return states_[operand] != nullptr; }
  void by_place();
  void select();
  void unless_decided();
  void fill();
  void move();
  void gather();
  void fold();
  void product();
  bool carries_over() const;

  Execution& run_;
  const ir::Op& op_;
  const States& states_;
  std::vector<Lanes> numbers_;  // by operand and its way: the result's, 0: not taken yet
  std::vector<UndefPath> ways_;
  Lanes lanes_;
  std::size_t result_;
};

void Flow::by_place() {
  for (std::size_t o = 0; o < states_.size(); ++o) {
    if (!any(o)) continue;
    if (states_[o]->lanes.size() != lanes_.size() && states_[o]->lanes.size() != 1) return fill();
    for (std::size_t i = 0; i < lanes_.size(); ++i) mark(i, id(o, i));
  }
}

void Flow::select() {
  for (std::size_t i = 0; i < lanes_.size(); ++i) {
    if (!is_undefined(0, i)) {
      mark(i, id((bits(0, i) & 1) != 0 ? 1 : 2, i));
    } else if (is_undefined(1, i) || is_undefined(2, i) || bits(1, i) != bits(2, i)) {
      mark(i, id(0, i));
    }
  }
}

/// and, or, integer multiplication: an operand of 0 (or of ones) decides.
void Flow::unless_decided() {
  const auto ones = interpreter::truncate_bits(run_.kind(*op_.result()), ~std::uint64_t{0});
  const std::uint64_t decides = ir::computes(op_, ir::Arithmetic::disjunction, ir::Numbers::integers) ? ones : 0;
  for (std::size_t i = 0; i < lanes_.size(); ++i) {
    const bool first = is_undefined(0, i), second = is_undefined(1, i);
    if (first != second && bits(first ? 1 : 0, i) == decides) continue;
    mark(i, id(0, i));
    mark(i, id(1, i));
  }
}

void Flow::fill() {
  Id found = 0;
  for (std::size_t o = 0; o < states_.size(); ++o) {
    for (std::size_t i = 0; found == 0 && any(o) && i < states_[o]->lanes.size(); ++i) found = id(o, i);
  }
  std::fill(lanes_.begin(), lanes_.end(), found);
}

void Flow::move() {
  for (std::size_t i = 0; i < lanes_.size(); ++i) {
    const ir::LaneSource source = ir::lane_source(op_, result_, static_cast<std::int64_t>(i));
    lanes_[i] = id(source.operand, static_cast<std::size_t>(source.lane));
  }
}

void Flow::gather() {
  for (std::size_t i = 0; i < lanes_.size(); ++i) {
    const auto at = static_cast<std::int64_t>(i);
    mark(i, id(1, i));
    mark(i, id(0, static_cast<std::size_t>(ir::gathered_lane(op_, at, run_.integer(*op_.operand(1), at)))));
  }
}

/// Reductions and scans: the result is as undefined as any of its elements.
void Flow::fold() {
  const auto& from = run_.shape(*op_.operand(0));
  const auto axis = static_cast<std::size_t>(op_.integer_attribute("axis", 0));
  const bool scans = ir::is_scan(op_), reverse = op_.integer_attribute("reverse", 0) != 0;
  std::size_t inner = 1;
  for (std::size_t d = axis + 1; d < from.size(); ++d) inner *= static_cast<std::size_t>(from[d]);
  const auto extent = static_cast<std::size_t>(from[axis]);
  const std::size_t outer = size_of(*op_.operand(0)) / (inner * extent);
  for (std::size_t line = 0; line < outer * inner; ++line) {
    const std::size_t first = line / inner * extent * inner + line % inner;
    Id bad = 0;
    for (std::size_t k = 0; k < extent; ++k) {
      const std::size_t lane = first + (reverse ? extent - 1 - k : k) * inner;
      for (std::size_t o = 0; o < states_.size() && bad == 0; ++o) bad = id(o, lane);
      if (scans) lanes_[lane] = bad;
    }
    if (!scans) lanes_[line] = bad;
  }
}

/// Rows of the left operand and columns of the right one; batches are outermost.
void Flow::product() {
  const auto& shape = run_.shape(*op_.result());
  const auto columns = static_cast<std::size_t>(shape.back()), rows = static_cast<std::size_t>(shape[shape.size() - 2]);
  const std::size_t batches = lanes_.size() / (rows * columns);
  const std::size_t depth = size_of(*op_.operand(0)) / (batches * rows);
  for (std::size_t o = 3; o < states_.size(); ++o) {
    if (any(o)) return fill();  // scales
  }
  Lanes row(batches * rows, 0), column(batches * columns, 0);
  for (std::size_t i = 0; any(0) && i < row.size() * depth; ++i) {
    if (row[i / depth] == 0) row[i / depth] = id(0, i);
  }
  const std::size_t right = size_of(*op_.operand(1)) / (batches * columns);
  for (std::size_t i = 0; any(1) && i < column.size() * right; ++i) {
    Id& known = column[i / (right * columns) * columns + i % columns];
    if (known == 0) known = id(1, i);
  }
  for (std::size_t i = 0; i < lanes_.size(); ++i) {
    mark(i, row[i / columns]);
    mark(i, column[i / (rows * columns) * columns + i % columns]);
    mark(i, id(2, i));
  }
}

bool Flow::carries_over() const {
  switch (op_.def().defined_if) {
    case ir::Definedness::across_axis:
    case ir::Definedness::row_by_column: return true;
    case ir::Definedness::everything: return op_.def().combination == ir::Combination::counts;
    default: return ir::is_gather(op_);
  }
}

UndefinedState Flow::follow() {
  if (ir::is_selection(op_)) {
    select();
  } else if (may_be_decided(op_)) {
    unless_decided();
  } else if (changes_places(op_)) {
    move();
  } else if (ir::is_gather(op_)) {
    gather();
  } else if (ir::folds_lines(op_)) {
    fold();
  } else if (ir::multiplies_matrices(op_)) {
    product();
  } else {
    op_.def().defined_if == ir::Definedness::everything ? fill() : by_place();
  }
  const bool is_defined = std::all_of(lanes_.begin(), lanes_.end(), [](Id lane) { return lane == 0; });
  return is_defined ? nullptr : std::make_shared<const Undefined>(Undefined{std::move(lanes_), std::move(ways_)});
}

}  // namespace

UndefinedState flow_undefined(Execution& run, std::size_t result, const States& states) {
  if (std::all_of(states.begin(), states.end(), [](const auto& state) { return state == nullptr; })) return nullptr;
  return Flow(run, result, states).follow();
}

UndefinedState join_undefined(const UndefinedState& a, const UndefinedState& b) {
  if (a == nullptr || b == nullptr) return a == nullptr ? b : a;
  Undefined made = *a;
  for (std::size_t i = 0; i < made.lanes.size(); ++i) {
    if (made.lanes[i] == 0 && b->lanes[i] != 0) made.lanes[i] = number_of(made.ways, b->ways[b->lanes[i] - 1u]);
  }
  return std::make_shared<const Undefined>(std::move(made));
}

}  // namespace lockstep::sanitizer
