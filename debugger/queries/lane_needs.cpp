#include "debugger/queries/lane_needs.h"

#include "ir/interfaces/lane_movement.h"
#include "ir/interfaces/op_kinds.h"
#include "ir/op_def.h"

namespace lockstep::debugger {


void LaneSet::add(std::int64_t lane, std::int64_t size) {
  if (lanes_.size() < static_cast<std::size_t>(size)) lanes_.resize(static_cast<std::size_t>(size), false);
  if (lanes_[static_cast<std::size_t>(lane)]) return;
  lanes_[static_cast<std::size_t>(lane)] = true;
  ++count_;
}

void LaneSet::add_all(std::int64_t size) {
  lanes_.assign(static_cast<std::size_t>(size), true);
  count_ = size;
}

void LaneSet::add(const LaneSet& other) {
  if (count_ == size() && size() >= other.size() && count_ != 0) return;
  other.for_each([&](std::int64_t lane) { add(lane, other.size()); });
}

std::int64_t LaneSet::first() const {
  for (std::size_t i = 0; i < lanes_.size(); ++i) {
    if (lanes_[i]) return static_cast<std::int64_t>(i);
  }
  return -1;
}

std::int64_t lane_count(ir::Type type) { return type.is_tensor() ? type.element_count() : 1; }

namespace {

/// Extents around an axis: lane = (outer * extent + k) * inner + rest.
struct Axis {
  std::int64_t extent = 1, inner = 1;
  Axis(const std::vector<std::int64_t>& shape, std::size_t axis) : extent(shape[axis]) {
    for (std::size_t d = axis + 1; d < shape.size(); ++d) inner *= shape[d];
  }
};

class Needs {
 public:
  Needs(const ir::Op& op, const LaneValue& value, std::vector<LaneSet>& needs)
      : op_(op), value_(value), needs_(needs) {}

  void everything(std::size_t operand) { needs_[operand].add_all(size(operand)); }
  void all() {
    for (std::size_t i = 0; i < op_.operand_count(); ++i) everything(i);
  }
  void same_lane(std::int64_t lane) {
    for (std::size_t i = 0; i < op_.operand_count(); ++i) take(i, size(i) == 1 ? 0 : lane);
  }
  void select(std::int64_t lane) {
    const std::int64_t condition = size(0) == 1 ? 0 : lane;
    take(0, condition);
    take((value_(0, condition) & 1) != 0 ? 1 : 2, lane);
  }
  void gather(std::int64_t lane);
  void fold(std::int64_t lane);
  void product(std::int64_t lane);

 private:
  std::int64_t size(std::size_t operand) const { return lane_count(op_.operand(operand)->type()); }
  void take(std::size_t operand, std::int64_t lane) {
    const std::int64_t count = size(operand);
    if (lane >= count) return everything(operand);
    needs_[operand].add(lane, count);
  }
  const std::vector<std::int64_t>& shape(std::size_t operand) const { return op_.operand(operand)->type().shape(); }
  std::size_t axis() const { return static_cast<std::size_t>(op_.integer_attribute("axis", 0)); }

  const ir::Op& op_;
  const LaneValue& value_;
  std::vector<LaneSet>& needs_;
};

void Needs::gather(std::int64_t lane) {
  take(1, lane);
  const Axis from(shape(0), axis()), to(op_.result()->type().shape(), axis());
  std::int64_t index = value_(1, lane) % from.extent;
  if (index < 0) index += from.extent;
  // Other extents are the same on both sides, as Triton demands.
  const std::int64_t outer = lane / (to.extent * to.inner), rest = lane % to.inner;
  take(0, (outer * from.extent + index) * from.inner + rest);
}

/// Reductions: the whole line; scans: the part before.
void Needs::fold(std::int64_t lane) {
  const Axis line(shape(0), axis());
  const bool is_scan = ir::is_scan(op_), is_reverse = op_.integer_attribute("reverse", 0) != 0;
  const std::int64_t rest = lane % line.inner;
  const std::int64_t outer = is_scan ? lane / (line.extent * line.inner) : lane / line.inner;
  const std::int64_t at = is_scan ? lane / line.inner % line.extent : 0;
  for (std::int64_t k = 0; k < line.extent; ++k) {
    if (is_scan && (is_reverse ? k < at : k > at)) continue;
    for (std::size_t i = 0; i < op_.operand_count(); ++i) take(i, (outer * line.extent + k) * line.inner + rest);
  }
}

/// A row of the left side, a column of the right one, the added element; all of scales.
void Needs::product(std::int64_t lane) {
  const auto& result = op_.result()->type().shape();
  const std::int64_t columns = result.back(), rows = result[result.size() - 2];
  const std::int64_t batch = lane / (rows * columns), row = lane / columns % rows, column = lane % columns;
  const std::int64_t left = shape(0).back(), right = shape(1)[shape(1).size() - 2];
  for (std::int64_t k = 0; k < left; ++k) take(0, (batch * rows + row) * left + k);
  const std::int64_t right_columns = shape(1).back();
  if (right_columns == columns) {
    for (std::int64_t k = 0; k < right; ++k) take(1, (batch * right + k) * columns + column);
  } else {
    everything(1);  // packed along the columns
  }
  take(2, lane);
  for (std::size_t i = 3; i < op_.operand_count(); ++i) everything(i);
}

}  // namespace

bool asks_for_value(const ir::Op& op, std::size_t operand) {
  return (ir::is_selection(op) && operand == 0) ||
         (ir::is_gather(op) && operand == 1);
}

void find_needs(const ir::Op& op, std::size_t result, const LaneSet& lanes, const LaneValue& value,
                std::vector<LaneSet>& needs) {
  Needs found(op, value, needs);
  const std::int64_t size = lane_count(op.result(result)->type());
  lanes.for_each([&](std::int64_t lane) {
    if (ir::moves_lanes(op)) {
      const ir::LaneSource source = ir::lane_source(op, result, lane);
      needs[source.operand].add(source.lane, lane_count(op.operand(source.operand)->type()));
    } else if (ir::is_selection(op)) {
      found.select(lane);
    } else if (ir::is_gather(op)) {
      found.gather(lane);
    } else if (ir::folds_lines(op)) {
      found.fold(lane);
    } else if (ir::multiplies_matrices(op)) {
      found.product(lane);
    } else if (ir::keeps_lanes(op) || size == 1) {
      found.same_lane(lane);
    } else {
      found.all();
    }
  });
}

}  // namespace lockstep::debugger
