// PlanBuilder: turns a verified tt.func into a Plan. It walks blocks, regions and calls; each op's row (`evaluate`)
// appends the steps of its op through this writer. Work that depends only on the launch is hoisted into the prologue,
// loop-invariant work before its loop (hoist.h). Invariant: an op whose row has no hook is reported by name as not
// supported yet, never skipped. Bounds: kMaxCallDepth inlined calls, kMaxRegionDepth nested regions. Not here: slots,
// steps, jumps (plan_writer.h).
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "interpreter/batching/sort_network.h"
#include "interpreter/plan/op_note.h"
#include "interpreter/plan/plan_writer.h"
#include "ir/op_def.h"

namespace lockstep::interpreter {

class PlanBuilder : public PlanWriter {
 public:
  static constexpr int kMaxCallDepth = 64;
  static constexpr int kMaxRegionDepth = 200;

  PlanBuilder(const ir::Module& module, DiagnosticSink& sink, TargetProfile profile = {},
              const Tuning& tuning = default_tuning());
  ~PlanBuilder();

  /// Plans a kernel. Null: diagnosed.
  std::unique_ptr<Plan> build(const ir::Op& function);
  /// For a debugger, before build(): values stay in their slots after their last use, and every op runs in its place.
  void keep_all() { PlanWriter::keep_all(); }
  /// Lets others add steps between those of the ops: `before` is asked for each op and may plan it itself (true);
  /// `after` hears of each that is planned. `watched`: ops that every program is to execute, though they come out the
  /// same in all, because each execution counts; null: none.
  void instrument(std::function<bool(const ir::Op&)> before, std::function<void(const ir::Op&)> after,
                  std::function<bool(const ir::Op&)> watched = nullptr) {
    before_ = std::move(before);
    after_ = std::move(after);
    watched_ = std::move(watched);
  }
  /// Others may want to see every op's results where it runs.
  bool is_instrumented() const { return before_ != nullptr || after_ != nullptr; }

  // For the hooks of the rows.

  /// Plans the ops of a block in order (not its arguments). False: diagnosed.
  bool plan_block(const ir::Block& block);
  /// Plans a region of several blocks; `arguments` of the entry block are already bound. `on_return` is the label that
  /// tt.return of this function jumps to, with result slots (empty for a kernel).
  bool plan_cfg(const ir::Region& region);
  /// Plans an op before its place, where plan_block then leaves it out. Its results live until their slots are written
  /// again. False: diagnosed.
  bool plan_ahead(const ir::Op& op);
  bool is_planned_ahead(const ir::Op& op) const { return ahead_.contains(&op); }
  /// From here on, the hook is called before each op that takes a value of this type, and may append steps.
  void guard(ir::Type type, ir::EvaluateHook hook);
  /// Plans the callee in place. False: diagnosed.
  bool inline_call(const ir::Op& call, const ir::Op& callee);
  const ir::Op* find_function(std::string_view symbol) const { return module_.find_function(symbol); }
  /// Frame of the planned function: where tt.return goes.
  struct Frame {
    const ir::Op* function = nullptr;
    std::vector<Slot> results;
    Label exit = 0;
    std::unordered_map<const ir::Block*, Label> block_labels;
    std::unordered_map<const ir::Block*, std::size_t> block_order;
  };
  Frame& frame() { return *frames_.back(); }
  bool is_kernel_frame() const { return frames_.size() == 1; }
  Label label_of(const ir::Block* block);

  /// A region that a step runs by itself on scalars (reduce, scan): planned out of line, entered at the returned step.
  struct SubPlan {
    std::vector<Slot> arguments;
    std::vector<Slot> results;
    Label entry = 0;
  };
  std::optional<SubPlan> plan_sub_region(const ir::Region& region, const ir::Op& op);
  /// Called by the region's terminator: ends the sub-plan with these values.
  void end_sub_region(const ir::Op& terminator);
  /// Whether it plans the region of an op such as tt.reduce, whose steps cannot give way to other programs.
  bool is_in_sub_region() const { return !sub_plans_.empty(); }

 private:
  bool plan_op(const ir::Op& op);
  bool is_launch_invariant(const ir::Op& op);
  ir::EvaluateHook guard_of(ir::Type type) const;  // null: none
  void plan_guards(const ir::Op& op);
  /// Forgets the slots of a function's values, so that inlining it again makes new ones.
  void forget(const ir::Op& function);

  const ir::Module& module_;
  OpNotes op_notes_;  // for fuse_groups
  SortNetworks networks_;
  std::unordered_set<const ir::Op*> ahead_;  // planned before their loop
  std::vector<std::unique_ptr<Frame>> frames_;
  std::vector<SubPlan*> sub_plans_;
  std::function<bool(const ir::Op&)> before_;
  std::function<void(const ir::Op&)> after_;
  std::function<bool(const ir::Op&)> watched_;
  std::vector<std::pair<ir::Type, ir::EvaluateHook>> guards_;
  int region_depth_ = 0;
};

/// The op's results depend on its operands alone, and it has no other effect.
bool is_pure(const ir::Op& op);

}  // namespace lockstep::interpreter
