// Steps of the loads and stores that kernels make most: rectangles of up to three dimensions whose addresses are a
// range and whose mask, if any, is a box or the same everywhere. Invariant: what they do is what load_tile and
// store_tile do, byte for byte; they touch nothing but what is_plainly_inside admits, and hand over to the general step
// (access.h) before anything has happened where a case is not theirs. Not here: gathers, rows, findings, booleans,
// accesses that wait for other programs.
#pragma once

#include "interpreter/access.h"

namespace lockstep::interpreter {

/// The step for an access of the record's types; the general one where there is no better.
StepFunction load_step(const Access& access);
StepFunction store_step(const Access& access);

}  // namespace lockstep::interpreter
