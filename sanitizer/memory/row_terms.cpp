#include "sanitizer/memory/row_terms.h"

#include <algorithm>
#include <unordered_map>

#include "interpreter/access/access_lanes.h"
#include "ir/interfaces/lane_movement.h"
#include "ir/interfaces/op_kinds.h"
#include "ir/interfaces/region_branch.h"
#include "ir/op_def.h"

namespace lockstep::sanitizer {

namespace {

using ir::Dimensions;

/// To more bits, or to index.
bool keeps_value(const ir::Op& op) {
  return ir::resizes_integer(op) && op.def().numbers != ir::Numbers::integers;
}

class Reader {
 public:
  Reader(const ir::Op& function, const ValueRanges& ranges) : function_(function), ranges_(ranges) {}

  std::optional<RowTerms> read(const ir::Value& pointer) {
    made_.argument = function_.region().front().arguments().size();
    add_pointer(pointer, ir::own_dimensions(pointer));
    if (!is_known_ || made_.argument == function_.region().front().arguments().size()) return std::nullopt;
    return made_;
  }

 private:
  static constexpr int kMaxDepth = 200;
  // Larger factors are not strides, and larger ranges add no information; sums of products of the two stay within 128
  // bits.
  static constexpr Wide kMost = Wide{1} << 58;

  void add_pointer(const ir::Value& pointer, const Dimensions& dimensions) {
    if (!is_known_ || ++depth_ > kMaxDepth) return give_up();
    const ir::Op* op = pointer.defining_op();
    if (op == nullptr) return add_block_argument(pointer, dimensions);
    if (ir::is_displacement(*op)) {
      add_pointer(*op->operand(0), dimensions);
      return add(*op->operand(1), 1, dimensions);
    }
    if (ir::moves_lanes(*op) && op->operand_count() == 1)
      return add_pointer(*op->operand(0), ir::dimensions_before(*op, dimensions));
    give_up();
  }

  /// The kernel's own argument, or a pointer that a loop advances by the same sums in every iteration.
  void add_block_argument(const ir::Value& pointer, const Dimensions& dimensions) {
    const ir::Op* around = pointer.owner_block()->parent_op();
    if (around == &function_ && pointer.owner_block() != &function_.region().front()) return give_up();
    if (around == &function_) {
      made_.argument = pointer.index();
      return;
    }
    const ir::Value* next = ir::yielded_value(pointer);
    if (next == nullptr) return give_up();
    const Range outer = times_;
    times_ = product_of(times_, {0, turns_of(*around) - 1});
    times_.high = std::min(times_.high, Wide{1} << 40);
    while (is_known_ && next != &pointer) {
      const ir::Op* made = next->defining_op();
      if (made == nullptr || !ir::is_displacement(*made)) return give_up();
      moves_ = true;
      add(*made->operand(1), 1, dimensions);
      moves_ = false;
      next = made->operand(0);
    }
    times_ = outer;
    add_pointer(*ir::initial_value(pointer), dimensions);
  }

  /// At most this many, at least one: the body runs.
  Wide turns_of(const ir::Op& loop) const {
    const Range lower = ranges_.of(*loop.operand(0)), upper = ranges_.of(*loop.operand(1)),
                step = ranges_.of(*loop.operand(2));
    const Wide stride = std::max(step.low, Wide{1});
    return std::clamp((upper.high - lower.low + stride - 1) / stride, Wide{1}, Wide{1} << 40);
  }

  void add(const ir::Value& value, Wide factor, const Dimensions& dimensions) {
    if (!is_known_ || ++depth_ > kMaxDepth || factor > kMost || factor < -kMost) return give_up();
    const Range range = ranges_.of(value);
    const ir::Op* op = value.defining_op();
    if (range.is_one() || op == nullptr) return put(factor, range, -1);
    if (ir::is_integer_sum(*op) || ir::is_integer_difference(*op)) {
      add(*op->operand(0), factor, dimensions);
      return add(*op->operand(1), ir::is_integer_sum(*op) ? factor : -factor, dimensions);
    }
    if (ir::is_integer_product(*op)) {
      for (std::size_t i = 0; i < 2; ++i) {
        const Range one = ranges_.of(*op->operand(i));
        if (one.is_one()) return add(*op->operand(1 - i), factor * one.low, dimensions);
      }
    }
    if (keeps_value(*op)) return add(*op->operand(0), factor, dimensions);
    if (ir::moves_lanes(*op) && op->operand_count() == 1)
      return add(*op->operand(0), factor, ir::dimensions_before(*op, dimensions));
    const bool is_lane = ir::is_range(*op) && !dimensions.empty();
    put(factor, range, is_lane ? dimensions.front() : -1);
  }

  void put(Wide factor, const Range& range, int dimension) {
    if (factor > kMost || factor < -kMost) return give_up();
    if (!moves_) {
      made_.terms.push_back({factor, range, dimension});
    } else if (range.is_one()) {
      made_.terms.push_back({factor * range.low, times_, -1});
    } else {
      made_.terms.push_back({factor, product_of(range, times_), -1});
    }
    Range& made = made_.terms.back().range;
    made = {std::clamp(made.low, -kMost, kMost), std::clamp(made.high, -kMost, kMost)};
    made_.terms.back().factor = std::clamp(made_.terms.back().factor, -kMost, kMost);
  }

  void give_up() { is_known_ = false; }

  const ir::Op& function_;
  const ValueRanges& ranges_;
  RowTerms made_;
  Range times_{1, 1};    // of what a loop adds: in how many turns before
  bool moves_ = false;   // it is that
  bool is_known_ = true;
  int depth_ = 0;
};

/// What a mask does along one dimension of the access's tile, as far as can be told; what is loaded may cut.
class MaskReader {
 public:
  MaskReader(int wanted, const ValueRanges& ranges) : wanted_(wanted), ranges_(ranges) {}

  MaskAlong read(const ir::Value& value, const Dimensions& dimensions) {
    const auto here = std::find(dimensions.begin(), dimensions.end(), wanted_);
    if (here == dimensions.end()) {
      const bool is_lost = std::find(dimensions.begin(), dimensions.end(), -1) != dimensions.end();
      return is_lost ? MaskAlong::cuts : MaskAlong::none;
    }
    if (value.type().shape()[static_cast<std::size_t>(here - dimensions.begin())] == 1) return MaskAlong::none;
    const ir::Op* op = value.defining_op();
    if (op == nullptr) return MaskAlong::cuts;
    if (ir::is_constant(*op)) return MaskAlong::none;
    const auto known = seen_.find(&value);
    if (known != seen_.end()) return known->second;
    MaskAlong made = read_op(*op, dimensions);
    if (made == MaskAlong::cuts && ir::is_integer_comparison(*op) && ranges_.of(value).is_one())
      made = MaskAlong::always;
    seen_.emplace(&value, made);
    return made;
  }

 private:
  MaskAlong read_op(const ir::Op& op, const Dimensions& dimensions) {
    if (ir::moves_lanes(op) && op.operand_count() == 1) return read(*op.operand(0), ir::dimensions_before(op, dimensions));
    if (!ir::keeps_lanes(op)) return MaskAlong::cuts;
    MaskAlong made = MaskAlong::none;
    for (const ir::Value* operand : op.operands()) {
      if (operand->type().is_tensor()) made = std::max(made, read(*operand, dimensions));
    }
    return made;
  }

  int wanted_ = 0;
  const ValueRanges& ranges_;
  std::unordered_map<const ir::Value*, MaskAlong> seen_;
};

}  // namespace

std::optional<RowTerms> row_terms(const ir::Op& access, const ir::Op& function, const ValueRanges& ranges) {
  return Reader(function, ranges).read(*access.operand(0));
}

MaskAlong mask_along(const ir::Op& access, int dimension, const ValueRanges& ranges) {
  const ir::Value* mask = interpreter::access_mask(access);
  if (mask == nullptr || !mask->type().is_tensor()) return MaskAlong::none;
  return MaskReader(dimension, ranges).read(*mask, ir::own_dimensions(*mask));
}

}  // namespace lockstep::sanitizer
