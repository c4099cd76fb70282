// Requests about the whole past (requests_past.cpp), beside those of dispatch.h.
#pragma once

#include "debugger/dap/state.h"

namespace lockstep::debugger::dap {

/// {argument, firstRow?, rows?, cells?}: which elements were written, how often, by whom.
Answer lockstep_coverage(State& state, Arguments& in);
/// {first?, count?}: whose turns there were, and what ordered programs.
Answer lockstep_timeline(State& state, Arguments& in);

}  // namespace lockstep::debugger::dap
