// The straight way through a group: every operand is one value or a row-major stretch of memory, and so is every stored
// place. Then a group is a few moving pointers, and its fixed cost is small compared with its data. Invariant: the
// bytes, counts and results of fused_executor.cpp, which takes every other case; a refusal changes nothing. Not here:
// broadcast rows, masks among the operands, uniform results.
#pragma once

#include "interpreter/fusion/fused_group.h"

namespace lockstep::interpreter {

/// Whether the ops of the group allow it.
bool may_run_as_line(const FusedGroup& group);
/// Runs the group; false: its operands do not allow it, and nothing has happened. Precondition: may_run_as_line.
bool run_as_line(Machine& machine, const FusedGroup& group);

}  // namespace lockstep::interpreter
