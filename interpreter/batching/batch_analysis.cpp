#include "interpreter/batching/batch_analysis.h"

#include <algorithm>
#include <bit>

#include "interpreter/batching/effects.h"
#include "interpreter/ptx/asm_facts.h"
#include "interpreter/tile/tile.h"
#include "ir/analysis/dataflow.h"
#include "ir/breakpoint.h"
#include "ir/interfaces/op_kinds.h"
#include "ir/op_def.h"
#include "ir/opcode.h"

namespace lockstep::interpreter {

namespace {


/// Ops on packs of elements give a program's elements the same packs only where its tile is made of whole ones.
bool has_whole_packs(const ir::Op& op, const char* attribute) {
  const std::int64_t pack = op.integer_attribute(attribute, 1);
  if (pack <= 1) return true;
  return op.operand_count() > 0 && op.operand(0)->type().element_count() % pack == 0;
}

bool reaches_block(const ir::Op& op) {
  return op.operand_count() > 0 && op.operand(0)->type().element().is_pointer() &&
         op.operand(0)->type().element().pointee().is_tensor();
}

/// The shape of a tile before its elements were repeated.
const std::vector<std::int64_t>& own_shape(const ir::Value* value) {
  const ir::Op* made_by = value->defining_op();
  const bool is_repeated = made_by != nullptr && ir::moves_as(*made_by, ir::Movement::broadcast);
  return (is_repeated ? made_by->operand(0) : value)->type().shape();
}

/// A comparison of the elements along one dimension with those along another (a triangle): not described by intervals.
bool compares_across(const ir::Op& op) {
  if (!ir::is_integer_comparison(op) || !op.result()->type().is_tensor()) return false;
  const auto &a = own_shape(op.operand(0)), &b = own_shape(op.operand(1));
  bool only_a = false, only_b = false;
  for (std::size_t d = 0; d < a.size() && d < b.size(); ++d) {
    only_a = only_a || (a[d] > 1 && b[d] == 1);
    only_b = only_b || (b[d] > 1 && a[d] == 1);
  }
  return only_a && only_b;
}

BatchingRule inline_asm_rule(const ir::Op& op) {
  if (depends_on_program(op)) return BatchingRule::refused;
  return has_whole_packs(op, "packed_element") ? BatchingRule::elementwise : BatchingRule::shared_only;
}

BatchingRule rule_by_effects(const ir::OpDef& def) {
  const bool is_harmless = def.effects == ir::Effects::pure || def.effects == ir::Effects::read;
  return is_harmless && def.evaluate != nullptr ? BatchingRule::shared_only : BatchingRule::refused;
}

}  // namespace

BatchingRule batching_rule(const ir::Op& op) {
  switch (const BatchingRule rule = op.def().batching) {
    case BatchingRule::by_effects: return rule_by_effects(op.def());
    case BatchingRule::load:
      if (is_volatile_load(op)) return BatchingRule::refused;
      return reaches_block(op) ? BatchingRule::shared_only : rule;
    case BatchingRule::store: return reaches_block(op) ? BatchingRule::refused : rule;
    case BatchingRule::elementwise_in_packs: return inline_asm_rule(op);
    case BatchingRule::elementwise_if_pure:
      return op.integer_attribute("pure", 1) != 0 ? BatchingRule::elementwise : BatchingRule::refused;
    case BatchingRule::assumption_if_breakpoint:
      return ir::is_breakpoint(op) ? BatchingRule::assumption : BatchingRule::refused;
    default: return rule;
  }
}

namespace {

/// Of a value, between the programs of a batch.
struct Variance {
  bool varies = false, is_dense_anyway = false;

  bool is_any() const { return varies || is_dense_anyway; }
  bool join(const Variance& other) {
    const Variance before = *this;
    varies = varies || other.varies;
    is_dense_anyway = is_dense_anyway || other.is_dense_anyway;
    return varies != before.varies || is_dense_anyway != before.is_dense_anyway;
  }
};

class Analyst final : private ir::ForwardAnalysis<Variance> {
 public:
  explicit Analyst(const ir::Op& function) : function_(function), has_blocks_(function.region().blocks().size() > 1) {}

  BatchAnalysis analyse() {
    if (function_.region().empty()) return {};
    run(function_);
    for (const auto& [value, variance] : states()) {
      if (variance.varies) found_.varying.insert(value);
      if (variance.is_dense_anyway) found_.dense_anyway.insert(value);
    }
    found_.is_possible = is_in_order(function_.region()) && admits(function_.region(), has_blocks_);
    found_.orders_stores = stores_ > 1;
    measure();
    return std::move(found_);
  }

  BatchAnalysis analyse(const AheadPart& part) {
    run(function_);
    found_.part = &part;
    for (const auto& [value, variance] : states()) {
      if (!part.ops.contains(value->defining_op())) continue;
      if (variance.varies) found_.varying.insert(value);
      if (variance.is_dense_anyway) found_.dense_anyway.insert(value);
    }
    found_.is_possible =
        std::all_of(part.ops.begin(), part.ops.end(), [&](const ir::Op* op) { return admits(*op, false); }) &&
        std::all_of(part.kept.begin(), part.kept.end(), [&](const ir::Op* op) { return varies(op->result()); });
    measure();
    return std::move(found_);
  }

 private:
  bool enters(const ir::Op& op) const override { return ir::is_function(op) || ir::is_structured(op); }

  void visit(const ir::Op& op) override {
    if (ir::is_structured(op)) return;
    if (ir::is_program_id(op)) {
      if (op.integer_attribute("axis", 0) == 0) join(*op.result(), {true, false});
      return;
    }
    for (std::size_t i = 0; i < op.result_count(); ++i) {
      const Variance made = variance_of(op, *op.result(i));
      if (made.is_any()) join(*op.result(i), made);
    }
  }

  /// A smaller tile of loaded data that is repeated makes rows, not a dense tile.
  Variance variance_of(const ir::Op& op, const ir::Value& result) const {
    Variance made{false, compares_across(op)};
    for (const ir::Value* operand : op.operands()) {
      const Variance* given = find(*operand);
      if (given == nullptr) continue;
      made.varies = made.varies || given->varies;
      const bool is_repeated = result.type().element_count() > operand->type().element_count();
      made.is_dense_anyway = made.is_dense_anyway || (given->is_dense_anyway && !is_repeated);
    }
    if (op.def().effects == ir::Effects::read && (result.type().is_tensor() || made.varies)) made.is_dense_anyway = true;
    return made;
  }

  void measure() {
    for (const ir::Value* value : found_.varying) {
      found_.is_possible = found_.is_possible && can_lift(value->type());
      found_.largest = std::max(found_.largest, value->type().element_count());
    }
  }

  bool varies(const ir::Value* value) const { return found_.varying.contains(value); }
  bool has_varying_operand(const ir::Op& op) const {
    return std::any_of(op.operands().begin(), op.operands().end(), [&](const ir::Value* v) { return varies(v); });
  }

  /// Every value is made before its use in the order of the text, which the rewrite follows.
  bool is_in_order(const ir::Region& region) {
    for (const auto& block : region.blocks()) {
      for (const auto& argument : block->arguments()) seen_.insert(argument.get());
    }
    for (const auto& block : region.blocks()) {
      for (const auto& op : block->ops()) {
        for (const ir::Value* operand : op->operands()) {
          if (!seen_.contains(operand)) return false;
        }
        for (const auto& inner : op->regions()) {
          if (!is_in_order(*inner)) return false;
        }
        for (std::size_t i = 0; i < op->result_count(); ++i) seen_.insert(op->result(i));
      }
    }
    return true;
  }

  bool admits(const ir::Region& region, bool is_in_loop) {
    for (const auto& block : region.blocks()) {
      for (const auto& op : block->ops()) {
        if (!admits(*op, is_in_loop)) return false;
      }
    }
    return true;
  }

  bool admits(const ir::Op& op, bool is_in_loop) {
    const BatchingRule rule = batching_rule(op);
    if (rule == BatchingRule::refused) return false;
    if (rule == BatchingRule::shared_only && has_varying_operand(op)) return false;
    if (rule == BatchingRule::product && has_varying_operand(op)) {
      found_.has_products = true;
      if (op.result()->type().shape().size() != 2) return false;  // batches of matrices already
    }
    if (rule == BatchingRule::store) stores_ += is_in_loop ? 2 : 1;
    if (rule == BatchingRule::along_axis) {
      // A region that uses values around it would need them per program.
      return op.regions().empty() || !captures_varying(op.region());
    }
    const bool is_loop = ir::is_loop(op);
    for (const auto& region : op.regions()) {
      if (!admits(*region, is_in_loop || is_loop)) return false;
    }
    return true;
  }

  bool captures_varying(const ir::Region& region) const {
    for (const auto& block : region.blocks()) {
      for (const auto& op : block->ops()) {
        if (has_varying_operand(*op)) return true;
        for (const auto& inner : op->regions()) {
          if (captures_varying(*inner)) return true;
        }
      }
    }
    return false;
  }

  static bool can_lift(ir::Type type) {
    const auto kind = type.element().scalar_kind();
    return kind && !type.element().is_index() && !type.encoding() &&
           type.shape().size() < static_cast<std::size_t>(kMaxStridedRank) &&
           !(type.element().is_pointer() && type.element().pointee().is_tensor());
  }

  const ir::Op& function_;
  BatchAnalysis found_;
  const bool has_blocks_;
  std::unordered_set<const ir::Value*> seen_;
  int stores_ = 0;
};

}  // namespace

BatchAnalysis analyse_for_batch(const ir::Op& function) { return Analyst(function).analyse(); }

BatchAnalysis analyse_for_batch(const ir::Op& function, const AheadPart& part) {
  return part.empty() ? BatchAnalysis{} : Analyst(function).analyse(part);
}

std::uint32_t BatchAnalysis::most_programs(const Tuning& tuning) const {
  if (!is_possible || varying.empty() || largest <= 0) return 0;
  constexpr std::int64_t kMostElements = 1 << 18;  // far below what a tile may have
  const std::int64_t elements =
      std::min(has_products ? tuning.batch_product_elements : tuning.batch_elements, kMostElements);
  const std::int64_t fitting = std::min(elements / largest, tuning.batch_programs);
  return fitting < 2 ? 0 : std::bit_floor(static_cast<std::uint32_t>(fitting));
}

}  // namespace lockstep::interpreter
