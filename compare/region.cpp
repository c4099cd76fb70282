#include "compare/region.h"

#include <algorithm>
#include <unordered_map>

#include "compare/enclose.h"
#include "ir/opcode.h"

namespace lockstep::compare {

using ir::Opcode;

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
  bool keep_points(const ir::Op&) override { return false; }
  bool may_contract(const ir::Op&) override { return true; }
  CauseId cause(const ir::Op& op) override { return outside_.cause(op); }
  bool spreads_sums() const override { return false; }
  bool access_memory(const ir::Op&) override { return false; }
  std::unordered_map<const ir::Region*, bool>& orders() override { return outside_.orders(); }

  /// The operands of the block's terminator; false: an op is not known.
  bool run(const ir::Block& block, std::vector<BoundsRef>& results) {
    for (const auto& op : block.ops()) {
      if (op->def().is_terminator) {
        for (const ir::Value* value : op->operands()) results.push_back(rounded(*value));
        return true;
      }
      if (!run(*op)) return false;
    }
    return false;
  }

 private:
  bool run(const ir::Op& op) {
    if (op.def().opcode == Opcode::scf_if) return choose(op);
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
      set(*op.result(r), made);
    }
    return true;
  }

  /// One number stands for all.
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

bool is_exact_op(const ir::Op& op) {
  if (op.def().is_terminator) return true;
  switch (op.def().opcode) {
    case Opcode::arith_maximumf:
    case Opcode::arith_minimumf:
    case Opcode::arith_maxnumf:
    case Opcode::arith_minnumf:
    case Opcode::arith_cmpf:
    case Opcode::arith_select:
    case Opcode::arith_constant:
    case Opcode::arith_negf:
    case Opcode::arith_extf:
    case Opcode::math_absf:
    case Opcode::scf_if: break;
    default:
      // What touches no float is exact: integers combine alike in any order.
      for (const ir::Value* value : op.operands()) {
        if (is_float(kind_of(*value))) return false;
      }
      for (std::size_t i = 0; i < op.result_count(); ++i) {
        if (is_float(kind_of(*op.result(i)))) return false;
      }
  }
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

bool is_commutative(Opcode opcode) {
  switch (opcode) {
    case Opcode::arith_addf:
    case Opcode::arith_maxnumf:
    case Opcode::arith_minnumf:
    case Opcode::arith_maximumf:
    case Opcode::arith_minimumf:
    case Opcode::arith_addi:
    case Opcode::arith_maxsi:
    case Opcode::arith_maxui:
    case Opcode::arith_minsi:
    case Opcode::arith_minui:
    case Opcode::arith_andi:
    case Opcode::arith_ori:
    case Opcode::arith_xori: return true;
    default: return false;
  }
}

/// One of the two arguments of each place, chosen by comparing.
bool is_choice(const ir::Region& region) {
  bool compares = false;
  for (const auto& op : region.front().ops()) {
    const Opcode opcode = op->def().opcode;
    const bool is_comparison = opcode == Opcode::arith_cmpf || opcode == Opcode::arith_cmpi;
    compares = compares || is_comparison || is_commutative(opcode);
    const bool is_truth = op->result_count() == 1 && kind_of(*op->result(0)) == ScalarKind::i1;
    if (!op->def().is_terminator && !is_comparison && opcode != Opcode::arith_select && !is_truth &&
        (!is_commutative(opcode) || opcode == Opcode::arith_addf || opcode == Opcode::arith_addi))
      return false;
  }
  return compares;
}

/// Every result is a known operation of the two arguments of its place.
bool is_known_by_place(const ir::Region& region) {
  const auto& arguments = region.front().arguments();
  const ir::Op& last = *region.front().ops().back();
  const std::size_t places = arguments.size() / 2;
  if (last.operand_count() != places) return false;
  for (std::size_t i = 0; i < places; ++i) {
    const ir::Op* op = last.operand(i)->defining_op();
    if (op == nullptr || op->operand_count() != 2) return false;
    const bool is_known = is_commutative(op->def().opcode) || op->def().opcode == Opcode::arith_mulf ||
                          op->def().opcode == Opcode::arith_muli;
    const ir::Value *a = arguments[i].get(), *b = arguments[places + i].get();
    const bool is_plain = (op->operand(0) == a && op->operand(1) == b) || (op->operand(0) == b && op->operand(1) == a);
    if (!is_known || !is_plain) return false;
  }
  return true;
}

}  // namespace

bool has_known_order(const ir::Region& region) {
  if (region.blocks().size() != 1 || region.front().ops().empty()) return false;
  if (is_known_by_place(region)) return true;
  if (region.front().ops().size() == 2) return false;  // one op, and none of the known: a difference, a quotient
  if (!is_exact_region(region)) return true;
  return region.front().arguments().size() > 2 && is_choice(region);
}

bool is_order_free(const ir::Op& op) {
  if (op.def().opcode != Opcode::tt_reduce || op.operand_count() != 1) return false;
  if (op.operand(0)->type().shape().size() != 1) return false;
  const ir::Op* combine = only_op(op.region());
  return combine != nullptr && is_commutative(combine->def().opcode);
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

}  // namespace lockstep::compare
