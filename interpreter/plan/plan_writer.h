// PlanWriter: a plan as it is written, step by step: slots and their types, steps with their operands and last uses,
// records, constants, jumps, and reports. Invariants: an operand's slot is written before any step that names it;
// labels are resolved once, by finish(). Bounds: kMaxSteps steps, tiles of at most kMaxElements. Not here: which ops
// are planned, in which order (plan_builder.h).
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "interpreter/plan/last_uses.h"
#include "interpreter/plan/plan.h"
#include "interpreter/plan/plan_messages.h"
#include "interpreter/plan/value_slots.h"
#include "support/target_profile.h"

namespace lockstep::interpreter {

/// The steps of a plan before its jumps are resolved: labels are indices into `body` (-1: unplaced).
struct PlanDraft {
  std::vector<Step> prologue, body;
  std::vector<std::int64_t> labels;
  std::vector<std::pair<std::size_t, std::uint32_t>> targets;    // steps of the body that jump, and their labels
  std::vector<std::pair<const Step**, std::uint32_t>> pointers;  // into records
  bool is_too_large = false;                                     // steps were left out
};

class PlanWriter {
 public:
  static constexpr std::size_t kMaxSteps = 1u << 21;
  static constexpr std::int64_t kMaxElements = 1 << 20;  // Triton's own limit

  PlanWriter(const ir::Module& module, DiagnosticSink& sink, TargetProfile profile, const Tuning& tuning);

  /// Slot of an operand. Precondition: planned already.
  Slot operand(const ir::Op& op, std::size_t i) { return slot_of(op.operand(i)); }
  /// A new one if the value has none; kNoSlot if its type cannot be held (diagnosed).
  Slot slot_of(const ir::Value* value);
  /// New slot for a result of the op; kNoSlot if its type cannot be held (diagnosed).
  Slot result(const ir::Op& op, std::size_t i = 0);
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

  /// Binds a value to a constant for all programs; needs no step.
  void bind_constant(const ir::Value* value, const Tile& tile);
  /// The constant tile of a value, if it is one.
  const Tile* constant_of(const ir::Value* value) const { return slots_.constant(value); }

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
  /// Stores the label's place into a record once the plan is complete.
  void set_pointer(const Step** where, Label label);

  Plan& plan() { return *plan_; }
  /// The number rules of the GPU of --as.
  const TargetProfile& profile() const { return profile_; }
  const Tuning& tuning() const { return tuning_; }
  /// False, with LS1904 reported at the op, when the profile has no arithmetic of the kind.
  bool admits(const ir::Op& op, ScalarKind kind) { return messages_.admits(op, kind, profile_); }
  /// For a debugger: values stay in their slots after their last use.
  bool keeps_all() const { return keeps_all_; }
  /// Reports that `what` ("on tensor<4xf8> is") is not supported yet for the op; returns false.
  bool unsupported(const ir::Op& op, const std::string& what) { return messages_.unsupported(op, what); }
  /// Reports an error at the op; returns false.
  bool error(const ir::Op& op, const std::string& message) { return messages_.error(op, message); }

 protected:
  enum class Section : std::uint8_t { body, prologue };

  ~PlanWriter() = default;
  /// An empty plan.
  void start();
  /// Later steps belong to this section: once a launch, or once a program. Returns the old one.
  Section write_to(Section section) { return std::exchange(section_, section); }
  Section section() const { return section_; }
  void keep_all();
  ValueSlots& slots() { return slots_; }
  LastUses& last_uses() { return last_uses_; }
  /// Releases values that die within the regions of `op`.
  void release_after(const ir::Op& op);
  PlanMessages& messages() { return messages_; }
  PlanDraft& draft() { return draft_; }
  std::vector<Step>& steps() { return section_ == Section::prologue ? draft_.prologue : draft_.body; }
  /// The plan with its jumps resolved; nothing may be written afterwards.
  std::unique_ptr<Plan> finish();

 private:
  std::uint32_t site(const ir::Op& op);

  TargetProfile profile_;
  Tuning tuning_;
  std::unique_ptr<Plan> plan_;
  PlanDraft draft_;
  PlanMessages messages_;
  Section section_ = Section::body;
  ValueSlots slots_;
  LastUses last_uses_;
  bool keeps_all_ = false;
};

}  // namespace lockstep::interpreter
