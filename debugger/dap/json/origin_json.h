// The source of a loaded tile, as rectangles of its argument.
#pragma once

#include "debugger/dap/state.h"
#include "debugger/queries/op_picture.h"
#include "support/json.h"

namespace lockstep::debugger::dap {

/// {argument, shape, parts: [{first, last, outside?}], lanes, outside}: every lane's own element is in a part (first
/// and last index, inclusive); a tile that runs over a row's end into the next row has two or more. `outside`: lanes
/// beyond the argument. Null: not an argument of one or two dimensions, or the lanes make no rectangles.
Json origin_json(const State& state, const TileOrigin& origin);

}  // namespace lockstep::debugger::dap
