// Stops as DAP shows them.
#pragma once

#include "debugger/dap/state.h"

namespace lockstep::debugger::dap {

/// Of a breakpoint or data breakpoint that was made, or why not. `shows_place`: where it is in the source.
Json breakpoint_json(const State& state, const StopTable::Made& made, bool shows_place);

}  // namespace lockstep::debugger::dap
