// ProgramRecord: one program of a launch, op by op: its position, the page's view there, its writes.
#pragma once

#include <cstdint>
#include <string>

#include "debugger/trace/step_view.h"

namespace lockstep::debugger::trace {

struct ProgramRecord {
  Node node = 0;
  std::uint64_t steps = 0;
  std::uint64_t first_turn = 0;
  bool is_cut = false, is_sampled = false;
  bool is_too_large = false;  // given up on the way: nothing else holds
  Json turns;     // [turn, steps before it], one after the other
  Json findings;  // [steps before it was made, finding]
};

/// Goes there first. Gives up if the table needs more than `most_bytes` (packed) before the program ends. Precondition:
/// nothing stops the session.
ProgramRecord record_program(Answers& answers, Nodes& nodes, std::uint64_t number, const Detail& detail,
                             std::uint64_t most_bytes);

}  // namespace lockstep::debugger::trace
