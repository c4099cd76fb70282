// Fused groups: element-wise steps on tiles of one shape, fused into one step that works strip by strip through scratch
// that stays in the first-level cache, and that writes what is only stored straight to memory. Invariant: a group
// leaves the same bytes, counts and findings as its steps run one by one, which stay in the record and run instead if
// an operand's form is odd, everything is uniform, or a store is not a plain rectangle inside its view. Made by
// group_builder.cpp from straight-line stretches of a plan; run by contiguous_path.cpp where operands are simple, else
// by fused_executor.cpp. Loads that only a group of stores reads belong to it (group_loads.cpp): the stored part is
// read in place if nothing writes that memory. Not here: other loads, reductions, dots, and integer arithmetic on
// program ids, ranges and addresses, which keeps its structured forms.
#pragma once

#include <array>
#include <cstdint>
#include <utility>
#include <vector>

#include "interpreter/access/bounds.h"
#include "interpreter/evaluators/elementwise.h"
#include "interpreter/plan/op_note.h"

namespace lockstep::interpreter {

struct FusedGroup {
  static constexpr std::size_t kMaxInputs = 24;  // at most 32
  static constexpr std::size_t kMaxOps = 64;     // at most 64
  static constexpr std::size_t kMaxValues = kMaxInputs + kMaxOps;
  static constexpr std::size_t kMaxOutputs = 8;
  static constexpr std::size_t kMaxStores = 4;
  static constexpr std::size_t kFirstResult = kMaxInputs;  // of the values
  /// Between strips: neighbours at the same place in a page would wait for each other's stores.
  static constexpr std::int64_t kGapBytes = 1088;

  struct Input {
    Slot slot = kNoSlot;
    const TileType* type = nullptr;
    bool dies = false;
  };
  /// One kernel call a strip. Values are numbered: inputs, then results of ops in order.
  struct FusedOp {
    const Elementwise* op = nullptr;
    std::array<std::uint8_t, 3> operand{};
    std::uint8_t result = 0;
    std::uint32_t site = 0;
    std::uint32_t inputs = 0;  // bit i: the result depends on input i
    bool is_select = false;
  };
  /// The destination of an op's result: a strip register; the memory of a tile that is read later; or that of a store.
  struct Place {
    std::int8_t strip = -1;
    std::int8_t output = -1;
    std::int8_t store = -1;
    std::uint8_t bytes = 4;  // of an element
  };
  struct Output {
    Slot slot = kNoSlot;
    const TileType* type = nullptr;
    std::uint8_t value = 0;
    std::int8_t reuses = -1;  // input whose buffer it may take when nobody else sees it
  };
  struct Store {
    const Step* step = nullptr;  // into steps
    const Access* access = nullptr;
    std::uint8_t value = 0;
  };

  const TileType* type = nullptr;  // of one result: shape and count of all
  std::vector<Input> inputs;
  std::vector<FusedOp> ops;
  std::vector<Place> places;  // per op
  std::vector<Output> outputs;
  std::vector<Store> stores;
  std::vector<Step> loads;                // of inputs that nobody else reads; before everything else
  std::vector<std::uint8_t> load_inputs;  // what they load: numbers of inputs
  std::uint32_t loaded_inputs = 0;        // the same as bits
  std::vector<Step> steps;                // the original ones, in an order that is right for them
  std::vector<Slot> dead;                 // slots to release at the end
  int strips = 0;                         // strip registers
  int strip_bytes = 4;                    // of an element of the widest value
  bool is_line = false;                   // it may be run the straight way (contiguous_path.h)
  bool needs_scratch = false;             // there: some result goes to a strip register
  bool varies = false;                    // a result is dense even where no input is
  std::int64_t strip_elements = 1024;
};

/// Step function of a FusedGroup record.
const Step* step_fused_group(Machine& machine, const Step* step);

/// The step of `plan` that runs `step`: itself, or the group that holds it. Null: the plan has no such step. Searches
/// the whole plan: for who reports something.
const Step* step_around(const Plan& plan, const Step* step);

/// What a body of steps looks like before its jumps are resolved: labels are indices into it (-1: unplaced).
struct StepBody {
  std::vector<Step>& steps;
  std::vector<std::int64_t>& labels;
  std::vector<std::pair<std::size_t, std::uint32_t>>& targets;  // steps that jump, and their labels
};
/// Replaces runs of steps of `body` by fused groups. Steps that do not depend on a group may move before it. `notes` are
/// those of the steps that it leaves.
void fuse_groups(Plan& plan, const std::vector<Step>& prologue, const StepBody& body, OpNotes& notes);

}  // namespace lockstep::interpreter
