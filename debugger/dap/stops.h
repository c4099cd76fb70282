// Stops in DAP's form.
#pragma once

#include "debugger/dap/state.h"

namespace lockstep::debugger::dap {

/// A breakpoint or data breakpoint that was made, or why it was not. `shows_place`: its place in the source.
Json breakpoint_json(const State& state, const StopTable::Made& made, bool shows_place);

}  // namespace lockstep::debugger::dap
