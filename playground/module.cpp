// Lockstep in a browser's worker: the debugger's conversation (debugger/dap/transport/inline_server.h) as functions that
// JavaScript calls. What it sends goes to Module.on_message. Invariant: nothing here outlives a worker; whoever wants a
// long question stopped ends the worker and makes another.
#include <emscripten.h>

#include <exception>
#include <memory>
#include <string>
#include <string_view>

#include "debugger/dap/transport/inline_server.h"
#include "debugger/launch/editor_launch.h"
#include "support/json.h"

namespace {

using lockstep::Json;
namespace dap = lockstep::debugger::dap;

// NOLINTNEXTLINE: JavaScript
EM_JS(void, send_text, (const char* text, int bytes), { Module["on_message"](UTF8ToString(text, bytes)); });

void send(std::string_view message) { send_text(message.data(), static_cast<int>(message.size())); }

const dap::Offer& offer() {
  static const dap::Offer what{lockstep::debugger::launch_for_editor, {}};
  return what;
}

std::unique_ptr<dap::InlineServer>& server() {
  static std::unique_ptr<dap::InlineServer> one = std::make_unique<dap::InlineServer>(send, offer());
  return one;
}

/// A defect of Lockstep ends the conversation, and is told.
template <typename Act>
void guarded(const Act& act) {
  try {
    act();
  } catch (const std::exception& error) {
    const std::string text = std::string("lockstep: ") + error.what() + "\n";
    send(Json::record({{"seq", 0},
                       {"type", "event"},
                       {"event", "output"},
                       {"body", Json::record({{"category", "important"}, {"output", text}})}})
             .dump());
    send(Json::record({{"seq", 0}, {"type", "event"}, {"event", "terminated"}}).dump());
    server().reset();
  }
}

}  // namespace

extern "C" {

/// 1: a run is under way, so that lockstep_go_on() is to be called; 0: nothing is; -1: the conversation is over.
EMSCRIPTEN_KEEPALIVE int lockstep_receive(const char* message) {
  guarded([&] {
    if (server()) server()->receive(message);
  });
  return server() && !server()->has_ended() ? static_cast<int>(server()->is_under_way()) : -1;
}

EMSCRIPTEN_KEEPALIVE int lockstep_go_on() {
  guarded([] {
    if (server()) server()->go_on();
  });
  return server() && !server()->has_ended() ? static_cast<int>(server()->is_under_way()) : -1;
}
}
