// Recorder: makes a launch under a session once to its end, then again program by program and op by op, and writes down
// what a page would be told at each of them: docs/trace.md. What does not fit the limit is left out in this order: the
// programs nobody has a reason to look at, elements of big tiles, the ends of long programs; the trace says what is
// missing. Precondition: the session stands at its beginning, and nobody moves it meanwhile; it stands at the end
// afterwards. Not here: the page (trace_page.h).
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

/// The error says why there is none: the limit is too small for one program, or somebody stopped it.
Expected<Recorded, std::string> record(Session& session, const RecordOptions& options);

}  // namespace lockstep::debugger::trace
