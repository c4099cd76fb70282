// Plan: a verified tt.func as a flat array of steps. A step is a function pointer with resolved slots and a record of
// the op's needs; regions and blocks have become jumps; calls are inlined. Invariants: a plan never changes after it is
// built and may be run by many workers; no step looks anything up by name. Steps before `entry` form the prologue: work
// that depends on the launch only, run once per slot array. Not here: how IR becomes a plan (plan_builder.h), how it
// runs (machine.h).
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <vector>

#include "interpreter/launch/tuning.h"
#include "interpreter/tile/tile.h"
#include "ir/op.h"

namespace lockstep::interpreter {

struct Machine;
struct Step;
using Slot = std::uint32_t;
inline constexpr Slot kNoSlot = ~Slot{0};

/// Runs one step and returns the next one; null: the program ended or was suspended (Machine::status has which).
using StepFunction = const Step* (*)(Machine&, const Step*);

struct Step {
  StepFunction run = nullptr;
  std::uint32_t site = 0;  // index into Plan::sites
  std::uint8_t dies = 0;   // bit i: operand i is dead after this step
  std::uint8_t operand_count = 0;
  Slot result = kNoSlot;
  std::array<Slot, 4> operand{kNoSlot, kNoSlot, kNoSlot, kNoSlot};
  std::uint32_t cost = 0;          // of running it, roughly in units of 4 ns; at least 1 in a finished plan
  const TileType* type = nullptr;  // of the result, or of what is stored
  const void* record = nullptr;    // what else the step needs; owned by the plan
  const Step* target = nullptr;    // where jumps go
};

/// The origin of a step.
struct Site {
  const ir::Op* op = nullptr;
  Location location;
};

/// A parallel assignment: every source is read before any target is written.
struct Move {
  Slot from = kNoSlot;
  Slot to = kNoSlot;
  bool dies = false;  // the source is dead afterwards
};

/// For the profile: one of the ops of a step. It counts for `weight` of the step's time.
struct StepPart {
  std::uint32_t step = 0;  // index into Plan::steps
  std::uint32_t site = 0;
  std::uint32_t weight = 1;
};

struct Plan {
  std::vector<Step> steps;  // prologue, then body
  const Step* prologue = nullptr;
  const Step* entry = nullptr;
  std::vector<const TileType*> slot_types;
  std::vector<std::pair<Slot, Tile>> constants;  // set once per slot array; they own no buffers
  std::vector<Slot> arguments;
  std::vector<Site> sites;
  bool needs_order = false;  // programs must run one after the other (see effects.h)
  Tuning tuning;
  std::deque<TileType> types;
  std::vector<std::shared_ptr<const void>> records;
  std::vector<StepPart> parts;  // of steps that stand for several ops
};

}  // namespace lockstep::interpreter
