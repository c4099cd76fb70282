#include "debugger/dap/transport/conversation.h"

#include "debugger/dap/dispatch.h"
#include "debugger/dap/runs.h"

namespace lockstep::debugger::dap {

void Conversation::handle(const Request& request) { answer(state_, request); }
void Conversation::go_on() { dap::go_on(state_); }
void Conversation::stop_run() { drop_unfinished(state_, true); }
void Conversation::leave_run() { drop_unfinished(state_, false); }

}  // namespace lockstep::debugger::dap
