// Server: one client's conversation. The caller's thread reads requests and answers at once those that must not wait
// (pause, cancel); all others are answered in their order by a thread of their own, which owns the launch. Ends when
// the client is gone or says goodbye.
#pragma once

#include <atomic>
#include <cstdint>

#include "debugger/dap/transport/launcher.h"
#include "debugger/dap/transport/stream.h"

namespace lockstep::debugger::dap {

enum class Goodbye : std::uint8_t {
  said,          // disconnect, or the stream ended between two messages
  lost_framing,  // nobody knows where the next message begins; the client was told
};

/// `stop`: ends it as if the client had gone; may be null.
Goodbye serve(Stream& stream, const Offer& offer, const std::atomic<bool>* stop = nullptr);

}  // namespace lockstep::debugger::dap
