// Capabilities: the claims of `initialize`. Invariant: a handler answers each of them (tests/debugger/dap).
#pragma once

#include "support/json.h"

namespace lockstep::debugger::dap {

Json capabilities();

}  // namespace lockstep::debugger::dap
