#include "enclosure/rules/region.h"

#include <algorithm>
#include <unordered_map>

#include "ir/interfaces/op_kinds.h"
#include "support/check.h"

namespace lockstep::enclosure {

namespace {

class RegionContext : public EncloseContext {
 public:
  RegionContext(EncloseContext& outside, std::int64_t count) : outside_(outside), count_(count) {}

  BoundsRef bounds(const ir::Value& value) override {
    const auto known = values_.find(&value);
    if (known != values_.end()) return known->second;
    BoundsRef captured = filled(outside_.bounds(value));
    values_[&value] = captured;
    return captured;
  }
  bool is_point(const ir::Value&) override { return false; }
  void set(const ir::Value& value, BoundsRef bounds) override { values_[&value] = filled(std::move(bounds)); }
  void keep_point(const ir::Value&) override { LOCKSTEP_CHECK(false, "a region has no values but bounds"); }
  bool keep_points(const ir::Op&) override { return false; }
  bool may_contract(const ir::Op&) override { return true; }
  CauseId cause(const ir::Op& op) override { return outside_.cause(op); }
  bool spreads_sums() const override { return false; }
  bool access_memory(const ir::Op&) override { return false; }
  void rely_on_model(const ir::Op& op) override { outside_.rely_on_model(op); }
  bool spend(double evaluations) override { return outside_.spend(evaluations); }
  bool is_real() const override { return outside_.is_real(); }
  KnownLaws& laws() override { return outside_.laws(); }

  /// The operands of the block's terminator; false: an op is not known.
  bool run(const ir::Block& block, std::vector<BoundsRef>& results) {
    for (const auto& op : block.ops()) {
      if (op->def().is_terminator) {
        // A product stays unrounded, too: a GPU may contract it into an addition of the next application.
        for (const ir::Value* value : op->operands()) results.push_back(bounds(*value));
        return true;
      }
      if (!run(*op)) return false;
    }
    return false;
  }

 private:
  bool run(const ir::Op& op) {
    if (ir::is_choice(op)) return choose(op);
    return op.def().enclose != nullptr && op.regions().empty() && op.def().enclose(*this, op);
  }

  bool choose(const ir::Op& op) {
    std::vector<BoundsRef> sides[2];
    for (std::size_t side = 0; side < 2; ++side) {
      if (side >= op.regions().size() || op.region(side).empty()) return op.result_count() == 0;
      if (!run(op.region(side).front(), sides[side])) return false;
    }
    const BoundsRef condition = bounds(*op.operand(0));
    for (std::size_t r = 0; r < op.result_count(); ++r) {
      const auto made = std::make_shared<Bounds>(count_);
      for (std::int64_t i = 0; i < count_; ++i) {
        const Interval which = condition->at(i), a = sides[0][r]->at(i), b = sides[1][r]->at(i);
        made->set(i, which.low >= 1 ? a : which.high <= 0 ? b : hull(a, b));
      }
      made->is_unrounded = sides[0][r]->is_unrounded || sides[1][r]->is_unrounded;
      set(*op.result(r), made);
    }
    return true;
  }

  /// One number for all elements.
  BoundsRef filled(BoundsRef bounds) const {
    if (bounds->count() == count_) return bounds;
    auto made = std::make_shared<Bounds>(count_);
    for (std::int64_t i = 0; i < count_; ++i) made->set(i, bounds->at(0));
    made->is_unrounded = bounds->is_unrounded;
    return made;
  }

  EncloseContext& outside_;
  std::int64_t count_;
  std::unordered_map<const ir::Value*, BoundsRef> values_;
};

/// The result is an operand, or describes operands; nothing is rounded.
bool takes_floats_exactly(const ir::Op& op) {
  const ir::Arithmetic what = op.def().arithmetic;
  return ir::is_extremum(what) || what == ir::Arithmetic::comparison || what == ir::Arithmetic::selection ||
         what == ir::Arithmetic::negation || what == ir::Arithmetic::magnitude || ir::is_constant(op) ||
         ir::is_choice(op) || ir::widens_float(op);
}

/// Ops without floats are exact: integers combine alike in any order.
bool touches_floats(const ir::Op& op) {
  for (const ir::Value* value : op.operands()) {
    if (is_float(kind_of(*value))) return true;
  }
  for (std::size_t i = 0; i < op.result_count(); ++i) {
    if (is_float(kind_of(*op.result(i)))) return true;
  }
  return false;
}

bool is_exact_op(const ir::Op& op) {
  if (op.def().is_terminator) return true;
  if (!takes_floats_exactly(op) && touches_floats(op)) return false;
  return std::all_of(op.regions().begin(), op.regions().end(), [](const auto& one) { return is_exact_region(*one); });
}

}  // namespace

bool is_exact_region(const ir::Region& region) {
  for (const auto& block : region.blocks()) {
    for (const auto& op : block->ops()) {
      if (!is_exact_op(*op)) return false;
    }
  }
  return true;
}

const ir::Op* only_op(const ir::Region& region) {
  if (region.blocks().size() != 1 || region.front().ops().size() != 2) return nullptr;
  const ir::Op& first = *region.front().ops().front();
  const ir::Op& last = *region.front().ops().back();
  const auto& arguments = region.front().arguments();
  if (arguments.size() != 2 || first.operand_count() != 2 || last.operand_count() != 1 || first.result_count() != 1)
    return nullptr;
  const bool is_plain = (first.operand(0) == arguments[0].get() && first.operand(1) == arguments[1].get()) ||
                        (first.operand(1) == arguments[0].get() && first.operand(0) == arguments[1].get());
  return is_plain && last.operand(0) == first.result(0) ? &first : nullptr;
}

namespace {

bool is_commutative(const ir::Op& op) {
  return op.def().arithmetic == ir::Arithmetic::sum || ir::is_extremum(op.def().arithmetic) || ir::is_bitwise(op);
}

}  // namespace

bool is_order_free(const ir::Op& op) {
  if (!ir::is_reduction(op) || op.operand_count() != 1) return false;
  if (op.operand(0)->type().shape().size() != 1) return false;
  const ir::Op* combine = only_op(op.region());
  return combine != nullptr && is_commutative(*combine);
}

std::optional<std::vector<BoundsRef>> evaluate_region(EncloseContext& outside, const ir::Region& region,
                                                      const std::vector<BoundsRef>& arguments) {
  if (region.blocks().size() != 1 || region.front().arguments().size() != arguments.size()) return std::nullopt;
  RegionContext context(outside, arguments.front()->count());
  for (std::size_t i = 0; i < arguments.size(); ++i) context.set(*region.front().argument(i), arguments[i]);
  std::vector<BoundsRef> results;
  if (!context.run(region.front(), results)) return std::nullopt;
  return results;
}

}  // namespace lockstep::enclosure
