// Execution: what a checker sees while one op of one program runs. It makes elements row-major and contiguous on
// request. A value's state is what this checker keeps for it; the state follows the value through loops, branches and
// calls. Invariant: nothing here changes what the kernel computes. Not here: what checkers look for.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "interpreter/access/access_lanes.h"
#include "interpreter/launch/machine.h"
#include "interpreter/plan/loops_around.h"
#include "sanitizer/core/checker.h"

namespace lockstep::sanitizer {

/// A value, for steps.
struct ValueRecord {
  const ir::Value* value = nullptr;
  std::uint32_t id = 0;  // of its state
  interpreter::Slot slot = interpreter::kNoSlot;
  const interpreter::TileType* type = nullptr;
};

/// A scf.for around an op.
struct LoopRecord {
  const ir::Op* op = nullptr;
  interpreter::Slot induction = interpreter::kNoSlot;
};

/// An op of the plan that a checker examines.
struct OpRecord {
  const ir::Op* op = nullptr;
  std::vector<ValueRecord> operands, results;  // operands: what its regions capture behind
  std::vector<LoopRecord> loops;               // outermost first
  std::optional<interpreter::LaneLookup> lanes;
  std::vector<std::uint32_t> before, after;  // numbers of checkers in the launch's list
};

/// What a launch's checkers keep about one program: states by value, then by checker.
struct ProgramStates {
  std::vector<std::shared_ptr<void>> states;
};

/// The parts of a kernel that a launch reached, by the sites of a CodeCoveragePlan: bit 0 the first side, bit 1 the
/// second. Any thread may set bits.
using CoverageBits = std::vector<std::atomic<std::uint8_t>>;

/// A launch under checkers.
struct CheckRun {
  std::vector<std::unique_ptr<Checker>> checkers;
  std::size_t values = 0;  // of the plan
  const LaunchContext* context = nullptr;
  CoverageBits* coverage = nullptr;  // where the plan notes it
};

class Execution {
 public:
  Execution(interpreter::Machine& machine, const interpreter::Step* step, const OpRecord& record);

  const ir::Op& op() const { return *record_.op; }
  const LaunchContext& context() const { return *run_.context; }
  const memory_model::AddressSpace& memory() const { return *machine_.launch.memory; }
  /// In grid order, x fastest.
  std::uint64_t program() const { return machine_.program->number; }
  const ProgramId& program_id() const { return machine_.program->id; }
  /// The op runs once per launch, before any program: none of its inputs depends on the program.
  bool is_once() const { return is_once_; }
  Location location() const;
  /// The loops around and their iterations, outermost first.
  std::vector<LoopTurn> loops() const { return interpreter::loops_around(machine_, step_); }
  /// The loops around with the value of their induction variable, outermost first.
  struct LoopPosition {
    const ir::Op* loop = nullptr;
    std::int64_t induction = 0;
  };
  std::vector<LoopPosition> loop_positions() const;

  // Values: operands before the op, results after it.
  ScalarKind kind(const ir::Value& value) const { return find(value).type->kind; }
  std::int64_t count(const ir::Value& value) const { return find(value).type->count; }
  const std::vector<std::int64_t>& shape(const ir::Value& value) const { return find(value).type->shape; }
  /// In any form: for quick looks at uniform and affine tiles.
  const interpreter::Tile& tile(const ir::Value& value) const { return machine_.slots[find(value).slot]; }
  /// count() elements; valid while this lives.
  const char* elements(const ir::Value& value);
  /// Zero-extended.
  std::uint64_t bits(const ir::Value& value, std::int64_t lane);
  /// Of integers, sign-extended.
  std::int64_t integer(const ir::Value& value, std::int64_t lane);
  /// For floats of any format.
  double number(const ir::Value& value, std::int64_t lane);
  /// number() of all lanes, at once.
  std::vector<double> numbers(const ir::Value& value);

  /// Replaces a result's elements: only to show another outcome, never in a check.
  void replace(const ir::Value& result, const char* elements);

  /// This checker's own state, null until it sets one. A checker that keeps states must set (or reset) those of an op's
  /// results on every execution of the ops that it wishes to see.
  std::shared_ptr<void>& state(const ir::Value& value);
  template <typename State>
  const State* state_as(const ir::Value& value) {
    return static_cast<const State*>(state(value).get());
  }

  /// The access that the op makes. Precondition: before a memory op (interpreter::touches_memory).
  interpreter::AccessLanes& lanes();

  /// Fills in code, tier, place, op, program and iterations.
  Finding finding(FindingCode code, std::string message) const;
  void report(Finding finding) {
    if (context().options.warns_only && finding.tier == Tier::error) finding.tier = Tier::warning;
    machine_.report(std::move(finding));
  }

  // For the steps.
  void set_checker(std::uint32_t number) { checker_ = number; }

 private:
  const ValueRecord& find(const ir::Value& value) const;

  interpreter::Machine& machine_;
  const OpRecord& record_;
  const CheckRun& run_;
  ProgramStates& states_;
  const interpreter::Step* step_;
  std::uint32_t checker_ = 0;
  bool is_once_ = false;
  std::optional<interpreter::AccessLanes> lanes_;
  std::unordered_map<const ir::Value*, std::unique_ptr<interpreter::Temporary>> packed_;
};

CheckRun& run_of(const interpreter::Machine& machine);
ProgramStates& states_of(interpreter::Machine& machine);

/// "3,17" for a lane of a tile.
std::vector<std::int64_t> position_of(std::int64_t lane, const std::vector<std::int64_t>& shape);

}  // namespace lockstep::sanitizer
