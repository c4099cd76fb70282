// Row copies: a load of a tile whose only reader is a store, as one step. Rows that a table names (rows.h) go straight
// from their places to a rectangle, without a tile in between. Invariant: bytes, counts, logs and findings are those of
// the two steps, which run instead wherever the loaded memory may be written by the launch, an access is not plainly
// inside, or the stored lanes are not the loaded ones. Made by group_builder.cpp. Not here: moving the rows
// (access_rows.h).
#pragma once

#include "interpreter/plan/plan.h"

namespace lockstep::interpreter {

struct RowCopy {
  Step load, store;
};

/// Step function of a RowCopy record.
const Step* step_copy_rows(Machine& machine, const Step* step);

}  // namespace lockstep::interpreter
