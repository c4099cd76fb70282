// What a launch's plan and mode say about where its time goes: which ops a fused step stands for, and what is known
// to make the launch slower than it could be. Only what is certain; every note names its line where it has one.
#pragma once

#include <vector>

#include "interpreter/plan/plan.h"
#include "interpreter/profile/profile.h"

namespace lockstep::interpreter {

struct Launch;
struct ExecutionMode;

/// Plan::parts and the ops in the plan's groups, by step. A group's weights are estimates by kind of op.
std::vector<StepPart> parts_of_plan(const Plan& plan);

/// Of the tiles that a fused step works on; null for other steps.
const TileType* fused_group_type(const Step& step);

/// After the launch.
std::vector<ProfileAdvice> advice_on(const Launch& launch, const ExecutionMode& mode);

}  // namespace lockstep::interpreter
