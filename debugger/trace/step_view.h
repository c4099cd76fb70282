// StepView: a page's view of a program's position: frames, variables with their elements, the line's values, the
// current access.
#pragma once

#include <cstdint>

#include "debugger/trace/answers.h"
#include "debugger/trace/nodes.h"

namespace lockstep::debugger::trace {

/// The kept level of detail.
struct Detail {
  std::uint64_t most_tile_bytes = std::uint64_t{64} << 10;  // of a larger tile, every so manieth element
  std::uint64_t most_steps = 50'000;                        // of one program
};

struct StepView {
  Node node = 0;
  bool is_sampled = false;  // a tile was larger
};
StepView view_step(Answers& answers, Nodes& nodes, const Detail& detail);

}  // namespace lockstep::debugger::trace
