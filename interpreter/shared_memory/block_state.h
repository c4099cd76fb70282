// The BlockState of the running program (block_layout.h): plain bytes in one slot of the plan, so that a program's state
// stays its slots; and reports of findings at a step.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "interpreter/shared_memory/block_layout.h"
#include "interpreter/shared_memory/storage.h"

namespace lockstep::interpreter {

/// The running program's, to be changed.
BlockState& block_state(Machine& machine, Slot slot);
inline WarpGroup& current_group(BlockState& state) { return state.groups[state.current]; }
/// "the default group", "partition 1", or "" if there is one group only.
std::string name_of_group(const BlockState& state, std::uint32_t group);

/// Another place that a finding names.
struct Note {
  std::string text;
  std::uint32_t site = 0;
};
/// Reports a finding of the running program at `step`.
void report_at(Machine& machine, const Step* step, FindingCode code, std::string message,
               const std::vector<Note>& notes = {}, std::string hint = "");

}  // namespace lockstep::interpreter
