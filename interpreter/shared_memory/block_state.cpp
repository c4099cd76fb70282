#include "interpreter/shared_memory/block_state.h"

#include <cstring>

#include "interpreter/launch/name_op.h"

namespace lockstep::interpreter {

BlockState& block_state(Machine& machine, Slot slot) {
  Tile& tile = machine.slots[slot];
  if (tile.buffer->references > 1) {
    const Tile copy = machine.allocate(machine.type_of(slot));
    std::memcpy(copy.data(), tile.data(), sizeof(BlockState));
    machine.set(slot, copy);
  }
  return *reinterpret_cast<BlockState*>(machine.slots[slot].data());
}

std::string name_of_group(const BlockState& state, std::uint32_t group) {
  if (state.group_count == 1) return "";
  return group == 0 ? "the default group" : "partition " + std::to_string(group - 1);
}

void report_at(Machine& machine, const Step* step, FindingCode code, std::string message,
               const std::vector<Note>& notes, std::string hint) {
  const Site& site = machine.plan->sites[step->site];
  Finding finding;
  finding.code = code;
  finding.tier = row_of(code).tier;
  finding.location = site.location;
  name_op(finding, *site.op);
  finding.program = machine.program->id;
  finding.message = std::move(message);
  for (const Note& note : notes) finding.notes.push_back({note.text, machine.plan->sites[note.site].location});
  finding.hint = std::move(hint);
  machine.report(std::move(finding), step);
}

}  // namespace lockstep::interpreter
