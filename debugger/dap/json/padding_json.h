// Padding of a value's lanes as JSON.
#pragma once

#include <cstdint>

#include "debugger/dap/state.h"
#include "debugger/queries/padding.h"
#include "support/json.h"

namespace lockstep::debugger::dap {

/// {runs: [[first, count, source]], sources: [{text, file?, line?}], text}; null where no lane is padding. `text`
/// counts all lanes by where they come from.
Json padding_json(const State& state, const PaddingFlow& flow, const LaneOrigins& origins, std::int64_t lanes);
/// The padding of a variable by its name, as the session sees it now; null also where it is unknown.
Json padding_of(State& state, std::string_view name, std::int64_t lanes);

}  // namespace lockstep::debugger::dap
