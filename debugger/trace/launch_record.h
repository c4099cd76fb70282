// LaunchRecord: a trace's facts about a launch as a whole: sources, ops, arguments' memory before the launch, and the
// facts at the end.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "debugger/trace/answers.h"
#include "debugger/trace/nodes.h"

namespace lockstep::debugger::trace {

/// Pointer parameters that are arguments' memory, in their order.
std::vector<MemoryWindow> argument_windows(Session& session);
/// Of arguments: looking ahead in a line, as the page's answers do, copies as much each time.
std::uint64_t memory_bytes(Session& session);

/// Members of the launch's record. Precondition: the launch has ended.
std::vector<std::pair<std::string, Node>> record_launch(Answers& answers, Nodes& nodes, std::uint64_t most_memory);

}  // namespace lockstep::debugger::trace
