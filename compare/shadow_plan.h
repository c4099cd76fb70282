// ShadowPlan: adds to the plan of a kernel the steps that compute bounds beside its values (PlanBuilder::accompany).
// Every op with a row's `enclose` hook gets a step before its own; control flow gets moves of bounds and looks whether
// its conditions are decided. Invariant: no step of it writes a slot or memory of the kernel. Private to the room.
#pragma once

#include <unordered_map>

#include "compare/shadow_run.h"
#include "interpreter/plan_builder.h"

namespace lockstep::compare {

class ShadowPlan {
 public:
  explicit ShadowPlan(ShadowRun& run) : run_(run) {}
  /// Before the builder builds. This must live until it has.
  void accompany(interpreter::PlanBuilder& builder);

 private:
  void before(interpreter::PlanBuilder& builder, const ir::Op& op);
  void after(interpreter::PlanBuilder& builder, const ir::Op& op);
  void enclose(interpreter::PlanBuilder& builder, const ir::Op& op);
  void move(interpreter::PlanBuilder& builder, const ir::Op& op, const std::vector<ir::Value*>& from,
            const std::vector<ir::Value*>& to, std::uint32_t construct = kNoValue);
  void decide(interpreter::PlanBuilder& builder, const ir::Op& op, const std::vector<const ir::Value*>& conditions,
              std::uint32_t construct, bool has_effects);
  void begin_for(interpreter::PlanBuilder& builder, const ir::Op& op);
  void begin_while(interpreter::PlanBuilder& builder, const ir::Op& op);
  void yield(interpreter::PlanBuilder& builder, const ir::Op& op);
  void branch(interpreter::PlanBuilder& builder, const ir::Op& op);
  void call(interpreter::PlanBuilder& builder, const ir::Op& op);
  ValueRecord record_of(interpreter::PlanBuilder& builder, const ir::Value& value);
  std::uint32_t id_of(const ir::Value* value);
  std::uint32_t construct_of(const ir::Op* op);
  CauseId cause_of(const ir::Op& op);

  ShadowRun& run_;
  std::unordered_map<const ir::Value*, std::uint32_t> ids_;
  std::unordered_map<const ir::Op*, std::uint32_t> constructs_;
  std::unordered_map<const ir::Op*, CauseId> causes_;
  std::vector<const ir::Op*> calls_;
  std::unordered_map<const ir::Op*, OpRecord*> records_;
};

/// Whether a product may be contracted: its value reaches an addition (or a sum) through ops that only move it.
bool feeds_sum(const ir::Value& value);

}  // namespace lockstep::compare
