// The straight way through a group: every operand is one value or a row-major stretch of memory, and so is every place
// that is stored to. Then a group is a few pointers that move on, and its fixed cost is small beside its data.
// Invariant: the bytes, counts and results of fused_executor.cpp, which takes every other case; a refusal leaves everything
// as it was. Not here: broadcast rows, masks among the operands, results that are the same everywhere.
#pragma once

#include "interpreter/fusion/fused_group.h"

namespace lockstep::interpreter {

/// What the ops of the group admit.
bool may_run_as_line(const FusedGroup& group);
/// Runs the group; false: its operands do not admit it, and nothing has happened. Precondition: may_run_as_line.
bool run_as_line(Machine& machine, const FusedGroup& group);

}  // namespace lockstep::interpreter
