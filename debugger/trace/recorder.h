// Recorder: runs a session's launch once to its end, then again program by program and op by op, and records the page's
// answers at each: docs/trace.md. It leaves out what exceeds the limit in this order: uninteresting programs, elements
// of big tiles, the ends of long programs; the trace lists what is missing. Precondition: the session is at its
// beginning, and only the recorder moves it; afterwards it is at its end. Not here: the page (trace_page.h).
#pragma once

#include <atomic>
#include <cstdint>
#include <string>
#include <vector>

#include "debugger/session/session.h"

namespace lockstep::debugger::trace {

constexpr std::size_t kMostPrinted = std::size_t{64} << 10;  // bytes of what a kernel prints that are kept

struct RecordOptions {
  std::string title;
  std::uint64_t most_bytes = 0;             // of the container
  const std::string* printed = nullptr;     // what the launch has printed by now; null: nobody listens
  const std::atomic<bool>* stop = nullptr;  // becomes true: nobody wants it any more
};

struct Recorded {
  std::string container;
  std::uint64_t programs = 0, whole = 0;  // recorded ones; of them those with every op and every element
};

/// The error: the limit is too small for one program, or the recording was stopped.
Expected<Recorded, std::string> record(Session& session, const RecordOptions& options);

}  // namespace lockstep::debugger::trace
