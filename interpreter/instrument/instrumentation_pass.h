// InstrumentationPass: steps of others beside those of a kernel's ops (PlanBuilder::instrument), for whoever keeps something
// for every value while a program runs: bounds (enclosure/), what is defined, where a NaN began (sanitizer/). This
// class follows control flow: it says which values become which where loops, branches and calls hand them on.
// Invariant: every op of the kernel outside the regions of reductions, scans and maps is heard of once where it is
// planned, and every hand-over once on each way. Not here: what is kept.
#pragma once

#include <array>
#include <vector>

#include "interpreter/plan/plan_builder.h"
#include "ir/interfaces/region_branch.h"

namespace lockstep::interpreter {

class InstrumentationPass {
 public:
  virtual ~InstrumentationPass() = default;
  /// Before the builder builds. This must live until it has.
  void instrument(PlanBuilder& builder);

 protected:
  using Values = std::vector<const ir::Value*>;
  /// `from[i]` becomes `to[i]`, all at once.
  struct ValueEdges {
    Values from, to;
  };

  /// Each program's execution counts, also where all come out the same.
  virtual bool is_watched(const ir::Op& op) const { return (void)op, false; }
  /// Before any of the ops, control flow too, and before what is called below.
  virtual void before_any(PlanBuilder& builder, const ir::Op& op) { (void)builder, (void)op; }
  /// Before an op that is no control flow: its operands are there.
  virtual void before_op(PlanBuilder& builder, const ir::Op& op) = 0;
  /// After it: its results are there, operands may be gone. Also after control flow.
  virtual void after_op(PlanBuilder& builder, const ir::Op& op) = 0;
  /// Control flow looks at `conditions` (none: a scf.while begins). `construct`: the scf op that they decide; null: a
  /// branch between blocks.
  virtual void decide(PlanBuilder& builder, const ir::Op& op, const Values& conditions, const ir::Op* construct) = 0;
  /// `construct`: the scf op whose way it is; null: a call or a return.
  virtual void move(PlanBuilder& builder, const ir::Op& op, const ValueEdges& values, const ir::Op* construct) = 0;
  /// Branches between blocks; `condition`: kNoSlot for cf.br, whose only side is the first.
  virtual void branch(PlanBuilder& builder, const ir::Op& op, Slot condition, const std::array<ValueEdges, 2>& sides) = 0;

 private:
  void before(PlanBuilder& builder, const ir::Op& op);
  void after(PlanBuilder& builder, const ir::Op& op);
  /// All the ways that an op goes on, in one: values of those that are not taken are not read then.
  static ValueEdges along(const std::vector<ir::RegionEdge>& edges);
  void begin_structured(PlanBuilder& builder, const ir::Op& op);
  void yield(PlanBuilder& builder, const ir::Op& op);
  void begin_branch(PlanBuilder& builder, const ir::Op& op);
  void call(PlanBuilder& builder, const ir::Op& op);

  std::vector<const ir::Op*> calls_;
};

/// Values from outside that the op's regions use.
std::vector<const ir::Value*> captured_values(const ir::Op& op);

}  // namespace lockstep::interpreter
