// tt.atomic_poll (Triton 3.9): waits until every lane has seen its expected value. A program that must wait gives way;
// its lanes keep what they have seen, so that a short-lived value is not missed. Time passes only when no program can
// move: then the first poll with a timeout gives up, and its open lanes are false (S-66). Lanes out of bounds are false
// at once.
#pragma once

#include "ir/op.h"
#include "ir/op_def.h"

namespace lockstep::interpreter {

bool evaluate_atomic_poll(PlanBuilder& builder, const ir::Op& op);

}  // namespace lockstep::interpreter
