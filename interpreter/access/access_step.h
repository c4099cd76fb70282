// Steps of the loads and stores that kernels make most: rectangles of up to three dimensions whose addresses are a
// range and whose mask, if any, is a box or the same everywhere. Invariant: they have the effect of load_tile and
// store_tile, byte for byte; they touch only what is_plainly_inside admits, and hand other cases over to the general
// step (load_store.h) before anything happens. Not here: gathers, rows, findings, booleans, accesses that wait for
// other programs.
#pragma once

#include <cstdint>

#include "interpreter/access/bounds.h"

namespace lockstep::interpreter {

/// The step for an access of the record's types; the general one if there is no better.
StepFunction load_step(const Access& access);
StepFunction store_step(const Access& access);

/// A tt.load whose result is needed only at the indices start <= i < end of every dimension: makes it a view of memory
/// that nothing writes, undefined elsewhere. False: not possible, and nothing was read (an earlier tile of the result's
/// slot is gone). Precondition: elements other than i1; neither pointer nor mask holds a count then.
bool view_part(Machine& machine, const Step& load, const std::int64_t* start, const std::int64_t* end);

}  // namespace lockstep::interpreter
