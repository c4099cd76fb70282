// Capabilities: what `initialize` claims. Invariant: each of them is answered by a handler (tests/debugger/dap).
#pragma once

#include "support/json.h"

namespace lockstep::debugger::dap {

Json capabilities();

}  // namespace lockstep::debugger::dap
