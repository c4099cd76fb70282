// PastRecord: where the elements of outputs come from: `why` of every element or, where they are too many, of some that
// are evenly spread.
#pragma once

#include <atomic>
#include <cstdint>
#include <optional>

#include "debugger/trace/answers.h"
#include "debugger/trace/container.h"
#include "debugger/trace/nodes.h"

namespace lockstep::debugger::trace {

struct PastRecord {
  Section section;  // "why"
  Json contents;    // which elements it has: [{argument, every, elements, of}]
};

/// `base`: of the launch's section; `launch_steps`: ops that all programs run, about: each answer runs them again.
/// nullopt: there is no output, nothing fits, or `stop` became true. Precondition: the launch has ended.
std::optional<PastRecord> record_past(Answers& answers, const Nodes& base, std::uint64_t launch_steps,
                                      std::uint64_t most_bytes, const std::atomic<bool>* stop);

}  // namespace lockstep::debugger::trace
