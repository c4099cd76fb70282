// Facts about a launch's time from its plan and mode: the ops of a fused step, and known reasons why the launch is
// slower than it could be. Only certain ones; every note names its line if it has one.
#pragma once

#include <vector>

#include "interpreter/plan/plan.h"
#include "interpreter/profile/profile.h"

namespace lockstep::interpreter {

struct Launch;
struct ExecutionMode;

/// Plan::parts and the ops in the plan's groups, by step. A group's weights are estimates by kind of op.
std::vector<StepPart> parts_of_plan(const Plan& plan);

/// The type of a fused step's tiles; null for other steps.
const TileType* fused_group_type(const Step& step);

/// After the launch.
std::vector<ProfileAdvice> advice_on(const Launch& launch, const ExecutionMode& mode);

}  // namespace lockstep::interpreter
