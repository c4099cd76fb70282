// The straight way through a chain: every operand is one value or a row-major stretch of memory, and so is every place
// that is stored to. Then a chain is a few pointers that move on, and its fixed cost is small beside its data.
// Invariant: the bytes, counts and results of chain_run.cpp, which takes every other case; a refusal leaves everything
// as it was. Not here: broadcast rows, masks among the operands, results that are the same everywhere.
#pragma once

#include "interpreter/fusion/chain.h"

namespace lockstep::interpreter {

/// What the ops of the chain admit.
bool may_run_as_line(const Chain& chain);
/// Runs the chain; false: its operands do not admit it, and nothing has happened. Precondition: may_run_as_line.
bool run_as_line(Machine& machine, const Chain& chain);

}  // namespace lockstep::interpreter
