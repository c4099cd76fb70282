// CheckPlan: adds steps to the plan of a kernel in which checkers examine its ops, and steps that pass the states of
// values on with the values. Invariant: none of these steps writes a slot or the kernel's memory. Private to this
// folder.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "interpreter/instrument/instrumentation_pass.h"
#include "sanitizer/core/execution.h"
#include "sanitizer/coverage/code_coverage.h"

namespace lockstep::sanitizer {

class CheckPlan : public interpreter::InstrumentationPass {
 public:
  /// `checkers`: those asked which ops they wish to see, in the order of a launch's list. `coverage`: null unless
  /// requested.
  explicit CheckPlan(const std::vector<const Checker*>& checkers, CodeCoveragePlan* coverage = nullptr)
      : checkers_(checkers), coverage_(coverage) {}
  /// After the plan was built: how many values have states.
  std::size_t value_count() const { return ids_.size(); }

 private:
  bool is_watched(const ir::Op& op) const override;
  void before_any(interpreter::PlanBuilder& builder, const ir::Op& op) override;
  void before_op(interpreter::PlanBuilder& builder, const ir::Op& op) override;
  void after_op(interpreter::PlanBuilder& builder, const ir::Op& op) override;
  void decide(interpreter::PlanBuilder& builder, const ir::Op& op, const Values& conditions,
              const ir::Op* construct) override;
  void move(interpreter::PlanBuilder& builder, const ir::Op& op, const ValueEdges& values,
            const ir::Op* construct) override;
  void branch(interpreter::PlanBuilder& builder, const ir::Op& op, interpreter::Slot condition,
              const std::array<ValueEdges, 2>& sides) override;
  std::uint32_t id_of(const ir::Value* value);
  ValueRecord record_of(interpreter::PlanBuilder& builder, const ir::Value& value);
  /// Null: no checker wishes to see the op, or it cannot be planned.
  OpRecord* plan(interpreter::PlanBuilder& builder, const ir::Op& op, const std::vector<const ir::Value*>& operands);
  std::vector<std::pair<std::uint32_t, std::uint32_t>> ids_of(const ValueEdges& values);

  const std::vector<const Checker*>& checkers_;
  CodeCoveragePlan* coverage_;
  std::unordered_map<const ir::Value*, std::uint32_t> ids_;
  std::unordered_map<const ir::Op*, OpRecord*> records_;
};

}  // namespace lockstep::sanitizer
