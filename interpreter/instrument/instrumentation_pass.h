// InstrumentationPass: additional steps between those of a kernel's ops (PlanBuilder::instrument), for code that keeps
// a state for every value of a running program: bounds (enclosure/), definedness, the origin of NaNs (sanitizer/). This
// class follows control flow: it reports which values become which in loops, branches and calls. Invariant: it reports
// every op of the kernel outside the regions of reductions, scans and maps once, at its planning, and every hand-over
// once on each path. Not here: the kept state.
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
  /// Before an op that is not control flow: its operands exist.
  virtual void before_op(PlanBuilder& builder, const ir::Op& op) = 0;
  /// After it: its results exist, operands may be gone. Also after control flow.
  virtual void after_op(PlanBuilder& builder, const ir::Op& op) = 0;
  /// Control flow reads `conditions` (none: a scf.while begins). `construct`: the scf op that they decide; null: a
  /// branch between blocks.
  virtual void decide(PlanBuilder& builder, const ir::Op& op, const Values& conditions, const ir::Op* construct) = 0;
  /// `construct`: the scf op of the edge; null: a call or a return.
  virtual void move(PlanBuilder& builder, const ir::Op& op, const ValueEdges& values, const ir::Op* construct) = 0;
  /// Branches between blocks; `condition`: kNoSlot for cf.br, whose only side is the first.
  virtual void branch(PlanBuilder& builder, const ir::Op& op, Slot condition, const std::array<ValueEdges, 2>& sides) = 0;

 private:
  void before(PlanBuilder& builder, const ir::Op& op);
  void after(PlanBuilder& builder, const ir::Op& op);
  /// All the edges out of an op, in one: values of edges that are not taken are not read.
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
