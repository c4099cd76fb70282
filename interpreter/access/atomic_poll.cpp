#include "interpreter/access/atomic_poll.h"

#include <algorithm>
#include <cstring>

#include "interpreter/access/bounds.h"
#include "interpreter/plan/plan_builder.h"

namespace lockstep::interpreter {

namespace {

enum LaneState : std::uint8_t { open, seen, refused };

struct Poll {
  Access access;
  const TileType* flags = nullptr;  // of the result
  bool has_timeout = false;
};

/// The first visit: which lanes may be read at all.
void begin(Machine& machine, const Step* step, const Poll& poll) {
  ProgramState& program = *machine.program;
  program.polling = step;
  program.poll_expired = poll.has_timeout && machine.slots[step->operand[2]].base == 0;
  program.poll_may_expire = poll.has_timeout;
  program.polled.assign(static_cast<std::size_t>(poll.access.value->count), open);
  const AdmittedLanes admitted(machine, step, poll.access, machine.slots[step->operand[0]], nullptr);
  const std::uint8_t* mask = admitted.mask();
  for (std::size_t i = 0; mask != nullptr && i < program.polled.size(); ++i) {
    if ((mask[i] & 1) == 0) program.polled[i] = refused;
  }
}

/// Reads the open lanes; true if one stays open.
bool look(Machine& machine, const Step* step, const Poll& poll) {
  ProgramState& program = *machine.program;
  const Tile& pointer = machine.slots[step->operand[0]];
  const Temporary addresses(machine, make_contiguous(machine, pointer, *poll.access.pointer));
  const Temporary expected(machine, make_contiguous(machine, machine.slots[step->operand[1]], *poll.access.value));
  const auto size = static_cast<std::size_t>(poll.access.bytes);
  bool waits = false;
  for (std::size_t i = 0; i < program.polled.size(); ++i) {
    if (program.polled[i] != open) continue;
    const std::uint64_t address = reinterpret_cast<const std::uint64_t*>(addresses->data())[i];
    std::uint64_t value = 0, wanted = 0;
    std::memcpy(&value, reinterpret_cast<const char*>(address), size);
    std::memcpy(&wanted, expected->data() + i * size, size);
    machine.bytes_read += size;
    machine.observe(step, pointer.provenance, address, value);
    if (value == wanted) program.polled[i] = seen;
    waits = waits || value != wanted;
  }
  return waits;
}

Tile outcome(Machine& machine, const Poll& poll) {
  const auto& lanes = machine.program->polled;
  if (poll.flags->is_scalar()) return uniform_tile(lanes[0] == seen ? 1 : 0);
  Tile out = machine.allocate(*poll.flags);
  std::transform(lanes.begin(), lanes.end(), out.data(), [](std::uint8_t state) { return state == seen ? 1 : 0; });
  return out;
}

const Step* step_poll(Machine& machine, const Step* step) {
  const auto& poll = *static_cast<const Poll*>(step->record);
  ProgramState& program = *machine.program;
  if (program.polling != step) begin(machine, step, poll);
  if (look(machine, step, poll) && !program.poll_expired) {
    program.is_stuck = true;
    program.next = step;
    machine.status = Status::yielded;
    return nullptr;
  }
  program.polling = nullptr;
  machine.set(step->result, outcome(machine, poll));
  return machine.finish(step);
}

}  // namespace

bool evaluate_atomic_poll(PlanBuilder& builder, const ir::Op& op) {
  if (builder.is_in_sub_region()) return builder.unsupported(op, "in the region of another op is");
  Step* step = builder.append_with_result(step_poll, op);
  if (step == nullptr) return false;
  Poll poll;
  poll.access.pointer = builder.type(step->operand[0]);
  poll.access.value = builder.type(step->operand[1]);
  poll.access.bytes = poll.access.value->element_bytes;
  poll.flags = step->type;
  poll.has_timeout = op.operand_count() > 2;
  step->record = builder.record(poll);
  return true;
}

}  // namespace lockstep::interpreter
