// How undefined elements go through ops: OpDef::defined_if, worked out by lanes. Where a value that is defined decides
// (a select, false and, 0 times) an undefined one does not matter.
#include <algorithm>

#include "checkers/definedness.h"
#include "ir/op_def.h"
#include "ir/opcode.h"

namespace lockstep::checkers {

using ir::Opcode;

namespace {

using Lanes = std::vector<std::uint8_t>;
using States = std::vector<UndefinedState>;

/// One result of one op.
class Flow {
 public:
  Flow(Execution& run, std::size_t result, const States& states)
      : run_(run), op_(run.op()), states_(states), lanes_(size_of(*op_.result(result)), 0), result_(result) {}

  UndefinedState follow();

 private:
  std::size_t size_of(const ir::Value& value) const { return static_cast<std::size_t>(run_.count(value)); }
  bool is_undefined(std::size_t operand, std::size_t lane) const {
    const UndefinedState& state = states_[operand];
    return state != nullptr && state->lanes[state->lanes.size() == 1 ? 0 : lane] != 0;
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
  void broadcast();
  void transpose();
  void join_or_split();
  void concatenate();
  void gather();
  void fold();
  void product();
  bool carries_over() const;

  Execution& run_;
  const ir::Op& op_;
  const States& states_;
  Lanes lanes_;
  std::size_t result_;
};

void Flow::by_place() {
  for (std::size_t o = 0; o < states_.size(); ++o) {
    if (!any(o)) continue;
    if (states_[o]->lanes.size() != lanes_.size() && states_[o]->lanes.size() != 1) return fill();
    for (std::size_t i = 0; i < lanes_.size(); ++i) {
      if (is_undefined(o, i)) lanes_[i] = 1;
    }
  }
}

void Flow::select() {
  for (std::size_t i = 0; i < lanes_.size(); ++i) {
    if (is_undefined(0, i)) {
      lanes_[i] = is_undefined(1, i) || is_undefined(2, i) || bits(1, i) != bits(2, i) ? 1 : 0;
    } else {
      lanes_[i] = is_undefined((bits(0, i) & 1) != 0 ? 1 : 2, i) ? 1 : 0;
    }
  }
}

/// and, or, integer multiplication: an operand of 0 (or: of ones) decides.
void Flow::unless_decided() {
  const auto ones = interpreter::truncate_bits(run_.kind(*op_.result()), ~std::uint64_t{0});
  const std::uint64_t decides = op_.def().opcode == Opcode::arith_ori ? ones : 0;
  for (std::size_t i = 0; i < lanes_.size(); ++i) {
    const bool first = is_undefined(0, i), second = is_undefined(1, i);
    if (first != second && bits(first ? 1 : 0, i) == decides) continue;
    lanes_[i] = first || second ? 1 : 0;
  }
}

void Flow::fill() { std::fill(lanes_.begin(), lanes_.end(), 1); }

void Flow::broadcast() {
  const auto &from = run_.shape(*op_.operand(0)), &to = run_.shape(*op_.result());
  for (std::size_t i = 0; i < lanes_.size(); ++i) {
    const auto index = position_of(static_cast<std::int64_t>(i), to);
    std::int64_t lane = 0;
    for (std::size_t d = 0; d < from.size(); ++d) lane = lane * from[d] + (from[d] == 1 ? 0 : index[d]);
    lanes_[i] = states_[0]->lanes[static_cast<std::size_t>(lane)];
  }
}

void Flow::transpose() {
  const auto &from = run_.shape(*op_.operand(0)), &to = run_.shape(*op_.result());
  const ir::Attribute order = op_.attribute("order");
  for (std::size_t i = 0; i < lanes_.size(); ++i) {
    const auto index = position_of(static_cast<std::int64_t>(i), to);
    std::vector<std::int64_t> source(from.size());
    for (std::size_t d = 0; d < to.size(); ++d) source[static_cast<std::size_t>(order->values[d])] = index[d];
    std::int64_t lane = 0;
    for (std::size_t d = 0; d < from.size(); ++d) lane = lane * from[d] + source[d];
    lanes_[i] = states_[0]->lanes[static_cast<std::size_t>(lane)];
  }
}

void Flow::join_or_split() {
  const bool joins = op_.def().opcode == Opcode::tt_join;
  for (std::size_t i = 0; i < lanes_.size(); ++i)
    lanes_[i] = (joins ? is_undefined(i % 2, i / 2) : is_undefined(0, 2 * i + result_)) ? 1 : 0;
}

void Flow::concatenate() {
  const std::size_t half = lanes_.size() / 2;
  for (std::size_t i = 0; i < lanes_.size(); ++i) lanes_[i] = is_undefined(i < half ? 0 : 1, i % half) ? 1 : 0;
}

void Flow::gather() {
  const auto &from = run_.shape(*op_.operand(0)), &to = run_.shape(*op_.result());
  const auto axis = static_cast<std::size_t>(op_.integer_attribute("axis", 0));
  for (std::size_t i = 0; i < lanes_.size(); ++i) {
    const auto at = static_cast<std::int64_t>(i);
    auto index = position_of(at, to);
    const std::int64_t wanted = run_.integer(*op_.operand(1), at) % from[axis];
    index[axis] = wanted < 0 ? wanted + from[axis] : wanted;
    std::int64_t lane = 0;
    for (std::size_t d = 0; d < from.size(); ++d) lane = lane * from[d] + index[d];
    lanes_[i] = is_undefined(1, i) || is_undefined(0, static_cast<std::size_t>(lane)) ? 1 : 0;
  }
}

/// Reductions and scans: what is folded is as undefined as any part of it.
void Flow::fold() {
  const auto& from = run_.shape(*op_.operand(0));
  const auto axis = static_cast<std::size_t>(op_.integer_attribute("axis", 0));
  const bool scans = op_.def().opcode == Opcode::tt_scan, reverse = op_.integer_attribute("reverse", 0) != 0;
  std::size_t inner = 1;
  for (std::size_t d = axis + 1; d < from.size(); ++d) inner *= static_cast<std::size_t>(from[d]);
  const auto extent = static_cast<std::size_t>(from[axis]);
  const std::size_t outer = size_of(*op_.operand(0)) / (inner * extent);
  for (std::size_t line = 0; line < outer * inner; ++line) {
    const std::size_t first = line / inner * extent * inner + line % inner;
    bool is_bad = false;
    for (std::size_t k = 0; k < extent; ++k) {
      const std::size_t lane = first + (reverse ? extent - 1 - k : k) * inner;
      for (std::size_t o = 0; o < states_.size(); ++o) is_bad |= is_undefined(o, lane);
      if (scans) lanes_[lane] = is_bad ? 1 : 0;
    }
    if (!scans) lanes_[line] = is_bad ? 1 : 0;
  }
}

/// Rows of the left side and columns of the right one; batches lie outermost.
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
    if (is_undefined(0, i)) row[i / depth] = 1;
  }
  const std::size_t right = size_of(*op_.operand(1)) / (batches * columns);
  for (std::size_t i = 0; any(1) && i < column.size() * right; ++i) {
    if (is_undefined(1, i)) column[i / (right * columns) * columns + i % columns] = 1;
  }
  for (std::size_t i = 0; i < lanes_.size(); ++i) {
    const std::size_t batch = i / (rows * columns);
    const bool is_bad = row[i / columns] != 0 || column[batch * columns + i % columns] != 0 || is_undefined(2, i);
    lanes_[i] = is_bad ? 1 : 0;
  }
}

bool Flow::carries_over() const {
  switch (op_.def().defined_if) {
    case ir::Definedness::across_axis:
    case ir::Definedness::row_by_column: return true;
    case ir::Definedness::everything: return op_.def().opcode == Opcode::tt_histogram;
    default: return op_.def().opcode == Opcode::tt_gather;
  }
}

UndefinedState Flow::follow() {
  switch (op_.def().opcode) {
    case Opcode::arith_select: select(); break;
    case Opcode::arith_andi:
    case Opcode::arith_ori:
    case Opcode::arith_muli: unless_decided(); break;
    case Opcode::tt_broadcast: broadcast(); break;
    case Opcode::tt_trans: transpose(); break;
    case Opcode::tt_join:
    case Opcode::tt_split: join_or_split(); break;
    case Opcode::tt_cat: concatenate(); break;
    case Opcode::tt_gather: gather(); break;
    case Opcode::tt_reduce:
    case Opcode::tt_scan: fold(); break;
    case Opcode::tt_dot:
    case Opcode::tt_dot_scaled: product(); break;
    default: op_.def().defined_if == ir::Definedness::everything ? fill() : by_place();
  }
  if (std::find(lanes_.begin(), lanes_.end(), 1) == lanes_.end()) return nullptr;
  Undefined made;
  // What went across lanes is what a mask at the store does not take out again.
  for (const UndefinedState& state : states_) {
    if (state == nullptr || (made.origin != nullptr && (state->spread_op.empty() || !made.spread_op.empty()))) continue;
    made.origin = state->origin;
    made.spread = state->spread;
    made.spread_op = state->spread_op;
  }
  if (made.spread_op.empty() && carries_over()) {
    made.spread = run_.location();
    made.spread_op = std::string(op_.spelling());
  }
  made.lanes = std::move(lanes_);
  return std::make_shared<const Undefined>(std::move(made));
}

}  // namespace

UndefinedState flow_undefined(Execution& run, std::size_t result, const States& states) {
  if (std::all_of(states.begin(), states.end(), [](const auto& state) { return state == nullptr; })) return nullptr;
  return Flow(run, result, states).follow();
}

}  // namespace lockstep::checkers
