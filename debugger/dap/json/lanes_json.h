// The lanes of an access one by one, for lockstep/lanes and lockstep/accessMap.
#pragma once

#include "debugger/queries/access_map.h"
#include "memory_model/view.h"
#include "support/json.h"

namespace lockstep::debugger::dap {

constexpr std::size_t kMostLanes = 65536;

/// [first lane, lanes, mark], one after the other.
Json marks_json(const LaneAddresses& lanes);
/// Bytes from the view's first element; addresses where there is no view.
Json offsets_json(const LaneAddresses& lanes, const memory_model::View* view);

}  // namespace lockstep::debugger::dap
