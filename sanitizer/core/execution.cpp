#include "sanitizer/core/execution.h"

#include <cstring>
#include <functional>

#include "findings/codes.h"
#include "interpreter/launch/name_op.h"
#include "interpreter/tile/dense.h"
#include "support/check.h"
#include "support/float_formats.h"

namespace lockstep::sanitizer {

using interpreter::Form;
using interpreter::Machine;
using interpreter::Step;
using interpreter::Temporary;
using interpreter::Tile;

CheckRun& run_of(const Machine& machine) { return *static_cast<CheckRun*>(machine.launch.instrumentation_state); }

ProgramStates& states_of(Machine& machine) {
  std::shared_ptr<void>& kept = machine.program->instrumentation_state;
  if (kept == nullptr) {
    const auto made = std::make_shared<ProgramStates>();
    made->states.resize(run_of(machine).values * run_of(machine).checkers.size());
    kept = made;
  }
  return *static_cast<ProgramStates*>(kept.get());
}

Execution::Execution(Machine& machine, const Step* step, const OpRecord& record)
    : machine_(machine), record_(record), run_(run_of(machine)), states_(states_of(machine)), step_(step) {
  is_once_ = std::less<>()(step, machine.plan->entry);
}

Location Execution::location() const { return machine_.plan->sites[step_->site].location; }

const ValueRecord& Execution::find(const ir::Value& value) const {
  for (const auto* list : {&record_.operands, &record_.results}) {
    for (const ValueRecord& one : *list) {
      if (one.value == &value) return one;
    }
  }
  LOCKSTEP_CHECK(false, "a checker looks at a value that is not its op's");
}

const char* Execution::elements(const ir::Value& value) {
  std::unique_ptr<Temporary>& packed = packed_[&value];
  if (packed == nullptr) {
    const ValueRecord& record = find(value);
    packed =
        std::make_unique<Temporary>(machine_, make_contiguous(machine_, machine_.slots[record.slot], *record.type));
  }
  return (*packed)->data();
}

void Execution::replace(const ir::Value& result, const char* elements) {
  const ValueRecord& record = find(result);
  Tile made;
  if (record.type->is_scalar()) {
    std::uint64_t bits = 0;
    std::memcpy(&bits, elements, static_cast<std::size_t>(record.type->element_bytes));
    made = interpreter::uniform_tile(bits);
  } else {
    made = machine_.allocate(*record.type);
    std::memcpy(made.data(), elements, static_cast<std::size_t>(record.type->bytes()));
  }
  packed_.erase(&result);
  machine_.set(record.slot, made);
}

std::uint64_t Execution::bits(const ir::Value& value, std::int64_t lane) {
  const ValueRecord& record = find(value);
  const Tile& tile = machine_.slots[record.slot];
  if (tile.form == Form::uniform) return tile.base;
  std::uint64_t bits = 0;
  const auto size = static_cast<std::size_t>(record.type->element_bytes);
  std::memcpy(&bits, elements(value) + static_cast<std::size_t>(lane) * size, size);
  return bits;
}

std::int64_t Execution::integer(const ir::Value& value, std::int64_t lane) {
  return interpreter::sign_extend(find(value).type->kind, bits(value, lane));
}

double Execution::number(const ir::Value& value, std::int64_t lane) {
  return decode_float(find(value).type->kind, bits(value, lane));
}

std::vector<double> Execution::numbers(const ir::Value& value) {
  const ValueRecord& record = find(value);
  const ScalarKind kind = record.type->kind;
  const auto count = static_cast<std::size_t>(record.type->count);
  const Tile& tile = machine_.slots[record.slot];
  if (tile.form == Form::uniform) return std::vector<double>(count, decode_float(kind, tile.base));
  const char* from = elements(value);
  const auto size = static_cast<std::size_t>(record.type->element_bytes);
  std::vector<double> numbers(count);
  for (std::size_t i = 0; i < count; ++i) {
    std::uint64_t bits = 0;
    std::memcpy(&bits, from + i * size, size);
    numbers[i] = decode_float(kind, bits);
  }
  return numbers;
}

std::shared_ptr<void>& Execution::state(const ir::Value& value) {
  return states_.states[find(value).id * run_.checkers.size() + checker_];
}

interpreter::AccessLanes& Execution::lanes() {
  LOCKSTEP_CHECK(record_.lanes.has_value(), "lanes of an op that touches no memory");
  if (!lanes_) lanes_.emplace(machine_, *record_.lanes);
  return *lanes_;
}

std::vector<Execution::LoopPosition> Execution::loop_positions() const {
  std::vector<LoopPosition> made;
  for (const LoopRecord& loop : record_.loops) {
    const std::uint64_t bits = machine_.slots[loop.induction].base;
    made.push_back({loop.op, interpreter::sign_extend(machine_.type_of(loop.induction).kind, bits)});
  }
  return made;
}

Finding Execution::finding(FindingCode code, std::string message) const {
  Finding made;
  made.code = code;
  made.tier = row_of(code).tier;
  made.message = std::move(message);
  made.location = location();
  interpreter::name_op(made, *record_.op);
  made.program = is_once_ ? ProgramId{} : program_id();
  made.loops = loops();
  return made;
}

std::vector<std::int64_t> position_of(std::int64_t lane, const std::vector<std::int64_t>& shape) {
  std::vector<std::int64_t> index(shape.size());
  for (std::size_t d = shape.size(); d-- > 0;) {
    index[d] = lane % shape[d];
    lane /= shape[d];
  }
  return index;
}

}  // namespace lockstep::sanitizer
