// ShadowPlan: adds to the plan of a kernel the steps that compute bounds beside its values (PlanBuilder::instrument).
// Every op with a row's `enclose` hook gets a step before its own; control flow gets moves of bounds and checks whether
// its conditions are decided. Invariant: none of its steps writes a slot or memory of the kernel. Private to the room.
#pragma once

#include <cstdint>
#include <unordered_map>

#include "enclosure/shadow/shadow_run.h"
#include "interpreter/instrument/instrumentation_pass.h"

namespace lockstep::enclosure {

class ShadowPlan : public interpreter::InstrumentationPass {
 public:
  explicit ShadowPlan(ShadowRun& run) : run_(run) {}

 private:
  void before_op(interpreter::PlanBuilder& builder, const ir::Op& op) override;
  void after_op(interpreter::PlanBuilder& builder, const ir::Op& op) override;
  void move(interpreter::PlanBuilder& builder, const ir::Op& op, const ValueEdges& values,
            const ir::Op* construct) override;
  void decide(interpreter::PlanBuilder& builder, const ir::Op& op, const Values& conditions,
              const ir::Op* construct) override;
  void branch(interpreter::PlanBuilder& builder, const ir::Op& op, interpreter::Slot condition,
              const std::array<ValueEdges, 2>& sides) override;
  MoveRecord record_of(const ValueEdges& values);
  ValueRecord record_of(interpreter::PlanBuilder& builder, const ir::Value& value);
  std::uint32_t id_of(const ir::Value* value);
  std::uint32_t construct_of(const ir::Op* op);
  CauseId cause_of(const ir::Op& op);

  ShadowRun& run_;
  std::unordered_map<const ir::Value*, std::uint32_t> ids_;
  std::unordered_map<const ir::Op*, std::uint32_t> constructs_;
  std::unordered_map<const ir::Op*, CauseId> causes_;
  std::unordered_map<const ir::Op*, OpRecord*> records_;
};

/// Whether a product may be contracted: its value reaches an addition (or a sum) through ops that only move it.
bool feeds_sum(const ir::Value& value);

}  // namespace lockstep::enclosure
