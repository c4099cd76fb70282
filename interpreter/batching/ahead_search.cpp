#include "interpreter/batching/ahead_search.h"

#include <algorithm>

#include "interpreter/batching/batch_analysis.h"
#include "ir/analysis/nesting.h"
#include "ir/interfaces/op_kinds.h"
#include "ir/op_def.h"
#include "ir/walk.h"

namespace lockstep::interpreter {

namespace {

/// Dense ops between a load and a scan, at most: the program computes them in its turn, too.
constexpr int kMostDenseOps = 2;
/// Elements of a line below which its chain is too short to matter.
constexpr std::int64_t kShortLine = 64;
/// Lines that one program has for itself: with more of them, its chains run side by side anyway.
constexpr std::int64_t kFewLines = 8;

bool has_long_chains(const ir::Op& op) {
  if (op.def().combination != ir::Combination::scan || op.operand_count() != 1) return false;
  const std::vector<std::int64_t>& shape = op.operand(0)->type().shape();
  const std::int64_t axis = op.integer_attribute("axis", 0);
  if (axis < 0 || axis + 1 != static_cast<std::int64_t>(shape.size())) return false;
  return shape.back() >= kShortLine && op.operand(0)->type().element_count() / shape.back() < kFewLines;
}

/// One op and all that it needs.
class Slice {
 public:
  explicit Slice(const ir::Block& entry) : entry_(entry) {}

  /// False: some of it depends on more than arguments, numbers and plain loads.
  bool add(const ir::Op& op) {
    std::vector<const ir::Op*> open{&op};
    while (!open.empty()) {
      const ir::Op& next = *open.back();
      open.pop_back();
      if (!ops.insert(&next).second) continue;
      if (next.block() != &entry_ || !may_run_early(next) || !add_makers(next, open)) return false;
    }
    return true;
  }

  /// So little is dense between the loads and the op that it may be done twice.
  bool is_cheap() const {
    std::unordered_set<const ir::Op*> loaded;
    int dense = 0;
    for (const auto& op : entry_.ops()) {
      if (!ops.contains(op.get())) continue;
      const bool loads = ir::is_pointer_load(*op);
      const bool depends = std::any_of(op->operands().begin(), op->operands().end(), [&](const ir::Value* operand) {
        return loaded.contains(operand->defining_op());
      });
      if (loads || depends) loaded.insert(op.get());
      if (depends && !loads && !ir::folds_lines(*op)) ++dense;
    }
    return dense <= kMostDenseOps;
  }

  std::unordered_set<const ir::Op*> ops;

 private:
  static bool may_run_early(const ir::Op& op) {
    if (op.result_count() == 0 || ir::is_control_flow(op)) return false;
    if (ir::is_pointer_load(op)) return batching_rule(op) == BatchingRule::load;
    return op.def().effects == ir::Effects::pure && (op.regions().empty() || ir::folds_lines(op)) &&
           batching_rule(op) != BatchingRule::refused;
  }

  /// The makers of what `op` and the ops in its regions need.
  bool add_makers(const ir::Op& op, std::vector<const ir::Op*>& open) const {
    bool is_known = true;
    ir::walk(op, [&](const ir::Op& one) {
      for (const ir::Value* operand : one.operands()) {
        const bool is_of_entry = ir::block_of(*operand) == &entry_;
        is_known = is_known && (is_of_entry || ir::is_inside(*operand, op));
        if (is_of_entry && operand->defining_op() != nullptr) open.push_back(operand->defining_op());
      }
    });
    return is_known;
  }

  const ir::Block& entry_;
};

}  // namespace

AheadPart find_ahead_part(const ir::Module& module, const ir::Op& function, const MemoryEffects& effects) {
  AheadPart part;
  const bool may_wait = effects.has_observed_atomics || !effects.observed.empty();
  if (!may_wait || function.region().empty()) return part;
  const ir::Block& entry = function.region().front();
  std::unordered_set<const ir::Value*> scanned;
  for (const auto& op : entry.ops()) {
    Slice slice(entry);
    if (!has_long_chains(*op) || !slice.add(*op) || !slice.is_cheap()) continue;
    part.ops.insert(slice.ops.begin(), slice.ops.end());
    scanned.insert(op->operand(0));
  }
  for (const auto& op : entry.ops()) {
    if (ir::is_reduction(*op) && op->operand_count() == 1 && scanned.contains(op->operand(0))) {
      Slice slice(entry);
      if (slice.add(*op)) part.ops.insert(slice.ops.begin(), slice.ops.end());
    }
    if (part.ops.contains(op.get()) && ir::folds_lines(*op) && op->operand_count() == 1) part.kept.push_back(op.get());
  }
  for (const ir::Op* op : part.ops) {
    if (!ir::is_pointer_load(*op)) continue;
    const PointerSet read = memory_of(module, function, *op->operand(0));
    part.read.arguments.insert(read.arguments.begin(), read.arguments.end());
    part.read.is_unknown = part.read.is_unknown || read.is_unknown;
  }
  return part;
}

}  // namespace lockstep::interpreter
