// PlanBuilder: turns a verified tt.func into a Plan. Each op's row (`evaluate`) appends the steps of its op through
// this class; the builder assigns slots, finds last uses, hoists what depends only on the launch into the prologue, and
// resolves jumps. Invariant: an operand's slot is written before any step that names it. An op whose row has no hook is
// reported by name as not supported yet, never skipped. Bounds: kMaxSteps steps, kMaxCallDepth inlined calls, tiles of
// at most kMaxElements.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "interpreter/batching/sort_network.h"
#include "interpreter/plan/op_note.h"
#include "interpreter/plan/plan.h"
#include "ir/module.h"
#include "support/diagnostic.h"
#include "support/target_profile.h"

namespace lockstep::interpreter {

class PlanBuilder {
 public:
  static constexpr std::size_t kMaxSteps = 1u << 21;
  static constexpr int kMaxCallDepth = 64;
  static constexpr int kMaxRegionDepth = 200;
  static constexpr std::int64_t kMaxElements = 1 << 20;  // Triton's own limit

  PlanBuilder(const ir::Module& module, DiagnosticSink& sink, TargetProfile profile = {},
              const Tuning& tuning = default_tuning());
  ~PlanBuilder();

  /// Plans a kernel. Null: diagnosed.
  std::unique_ptr<Plan> build(const ir::Op& function);
  /// For a debugger, before build(): values stay in their slots after their last use, and every op runs in its place.
  void keep_all() {
    keeps_all_ = true;
    tuning_.fuses = tuning_.hoists = false;
  }
  bool keeps_all() const { return keeps_all_; }
  /// Lets others add steps between those of the ops: `before` is asked for each op and may plan it itself (true);
  /// `after` hears of each that is planned.
  void accompany(std::function<bool(const ir::Op&)> before, std::function<void(const ir::Op&)> after) {
    before_ = std::move(before);
    after_ = std::move(after);
  }

  // For the hooks of the rows.

  /// Slot of an operand. Precondition: planned already.
  Slot operand(const ir::Op& op, std::size_t i) { return slot_of(op.operand(i)); }
  Slot slot_of(const ir::Value* value);
  /// New slot for a result of the op; kNoSlot if its type cannot be held (diagnosed).
  Slot result(const ir::Op& op, std::size_t i = 0);
  Slot new_slot(const ir::Value* value);
  Slot new_slot(const TileType* type);
  const TileType* type(Slot slot) const { return plan_->slot_types[slot]; }
  /// Interned type of an IR type; null (diagnosed at `op`) when it cannot be held.
  const TileType* tile_type(ir::Type type, const ir::Op& op);
  const TileType* tile_type(ScalarKind kind, std::vector<std::int64_t> shape);

  /// Appends a step with all operands of the op (at most four) and its last uses, and without result.
  Step& append(StepFunction run, const ir::Op& op);
  /// The same with result 0 of the op in a new slot; null when the result's type cannot be held.
  Step* append_with_result(StepFunction run, const ir::Op& op);
  /// Appends a bare step.
  Step& append_bare(StepFunction run, const ir::Op& op);
  /// Appends steps that move values; nothing for an empty list.
  void append_moves(std::vector<Move> moves, const ir::Op& op);
  /// True if `value` is dead after `op` (its last use, not in a nested region).
  bool dies_at(const ir::Value* value, const ir::Op& op) const;

  /// Binds a value to a constant that every program sees; no step is needed.
  void bind_constant(const ir::Value* value, const Tile& tile);
  /// The constant tile of a value, if it is one.
  const Tile* constant_of(const ir::Value* value) const;

  /// A record owned by the plan.
  template <typename R>
  R* record(R value = {}) {
    auto owned = std::make_shared<R>(std::move(value));
    R* raw = owned.get();
    plan_->records.push_back(std::move(owned));
    return raw;
  }

  // Jumps. Labels are resolved when the plan is complete.
  using Label = std::uint32_t;
  Label new_label();
  void place(Label label);
  void set_target(Step& step, Label label);

  /// Plans the ops of a block in order (not its arguments). False: diagnosed.
  bool plan_block(const ir::Block& block);
  /// Plans a region of several blocks; `arguments` of the entry block are already bound. `on_return` is the label that
  /// tt.return of this function jumps to, with result slots (empty for a kernel).
  bool plan_cfg(const ir::Region& region);
  /// Plans what the loop computes anew in every iteration though it always comes out the same; plan_block leaves it out
  /// later. Only pure ops: nothing shows that they ran, even if the loop does not. Call it before the loop's first
  /// step (hoist.cpp).
  bool hoist_invariants(const ir::Op& loop);
  /// Plans the callee in place. False: diagnosed.
  bool inline_call(const ir::Op& call, const ir::Op& callee);
  const ir::Op* find_function(std::string_view symbol) const { return module_.find_function(symbol); }
  /// Frame of the function being planned: where tt.return goes.
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
  /// Stores where the label will be into a record once the plan is complete.
  void set_pointer(const Step** where, Label label);

  Plan& plan() { return *plan_; }
  /// What the GPU of --as decides about numbers.
  const TargetProfile& profile() const { return profile_; }
  const Tuning& tuning() const { return tuning_; }
  /// False, with LS1904 reported at the op, when the profile has no arithmetic of the kind.
  bool admits(const ir::Op& op, ScalarKind kind);
  /// Planning the region of an op such as tt.reduce, whose steps cannot give way to other programs.
  bool is_in_sub_region() const { return !sub_plans_.empty(); }
  /// Reports that `what` ("on tensor<4xf8> is") is not supported yet for the op; returns false.
  bool unsupported(const ir::Op& op, const std::string& what);
  /// Reports an error at the op; returns false.
  bool error(const ir::Op& op, const std::string& message);

 private:
  struct LastUse {
    const ir::Op* op = nullptr;
    bool is_nested = false;
  };
  enum class Section : std::uint8_t { body, prologue };

  bool plan_function_body(const ir::Op& function);
  bool plan_op(const ir::Op& op);
  bool is_launch_invariant(const ir::Op& op) const;
  /// Its results depend on its operands alone and nothing but the results shows that it ran.
  bool is_pure(const ir::Op& op) const;
  bool hoist_from(const ir::Block& block, const ir::Op& loop);
  void find_last_uses(const ir::Block& block);
  void release_after(const ir::Op& op);
  void finish_plan();
  /// Of the steps whose hooks did not say theirs: by the elements they look at.
  void set_costs();
  /// Forgets the slots of a function's values, so that inlining it again makes new ones.
  void forget(const ir::Op& function);
  bool unsupported_op(const ir::Op& op, std::string_view reason);
  void report_at(const ir::Op& op, Diagnostic diagnostic);
  std::uint32_t site(const ir::Op& op);
  std::vector<Step>& section() { return section_ == Section::prologue ? prologue_ : body_; }
  Location location_of(const ir::Op& op) const;

  const ir::Module& module_;
  DiagnosticSink& sink_;
  TargetProfile profile_;
  Tuning tuning_;
  std::unique_ptr<Plan> plan_;
  std::vector<Step> prologue_, body_;
  Section section_ = Section::body;
  std::unordered_map<const ir::Value*, Slot> slots_;
  std::unordered_map<Slot, Tile> constants_;
  std::vector<bool> invariant_;    // by slot
  OpNotes op_notes_;               // for fuse_chains
  std::unordered_set<Slot> kept_;  // of hoisted values: no use of them is the last
  SortNetworks networks_;
  std::unordered_set<const ir::Op*> hoisted_;                // planned before their loop
  std::unordered_map<const ir::Op*, std::size_t> op_order_;  // within its block
  std::unordered_map<const ir::Value*, LastUse> last_use_;
  std::unordered_map<const ir::Op*, std::vector<const ir::Value*>> dies_after_;
  std::vector<std::unique_ptr<Frame>> frames_;
  std::vector<std::int64_t> labels_;  // body step index, -1 unplaced
  std::vector<std::pair<std::size_t, Label>> targets_;
  std::vector<std::pair<const Step**, Label>> pointers_;
  std::vector<SubPlan*> sub_plans_;
  std::function<bool(const ir::Op&)> before_;
  std::function<void(const ir::Op&)> after_;
  std::vector<const ir::Op*> calls_;  // call chain, for locations
  int region_depth_ = 0;
  bool too_large_ = false, keeps_all_ = false;
};

// Steps shared by several families.
const Step* step_release(Machine& machine, const Step* step);
const Step* step_move(Machine& machine, const Step* step);
const Step* step_move_in_turn(Machine& machine, const Step* step);  // no move reads what an earlier one wrote
const Step* step_jump(Machine& machine, const Step* step);
const Step* step_end(Machine& machine, const Step* step);

}  // namespace lockstep::interpreter
