// The run of a kernel with bounds beside its values: the state of a launch and its programs, and the context for the
// rows' hooks. Control flow, addresses, masks and integers are the interpreter's; a value without bounds is a point,
// and its number is in the interpreter's slot when the op begins. Invariant: bounds of a value are set before its op
// runs, from operands that still exist; loads complete theirs afterwards. Private to the room.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "enclosure/enclose_context.h"
#include "enclosure/observer.h"
#include "enclosure/shadow/shadow_memory.h"
#include "enclosure/shadow/store_order.h"
#include "interpreter/access/access_lanes.h"
#include "interpreter/launch/machine.h"
#include "interpreter/shared_memory/storage.h"

namespace lockstep::enclosure {

inline constexpr std::uint32_t kNoValue = ~0u;

/// An operand, a value captured by a region, or a result, as steps find it.
struct ValueRecord {
  const ir::Value* value = nullptr;
  std::uint32_t id = kNoValue;  // index into ProgramShadows::values
  interpreter::Slot slot = interpreter::kNoSlot;
  const interpreter::TileType* type = nullptr;
  std::shared_ptr<const interpreter::ViewPlaces> places;  // of a view of a buffer whose elements the op may touch
};

/// What a view of a buffer holds, where that is not the interpreter's numbers; row-major.
struct BufferBounds {
  interpreter::View view;
  std::shared_ptr<const interpreter::ViewPlaces> places;
  BoundsRef bounds;
};

struct OpRecord {
  const ir::Op* op = nullptr;
  CauseId cause = 0;
  bool may_contract = false;
  std::vector<ValueRecord> operands, results;  // operands: captured values behind
  std::optional<interpreter::BlockLookup> block;
};

struct MoveRecord {
  struct Move {
    std::uint32_t from = kNoValue, to = kNoValue;
    std::int64_t count = 0;
  };
  std::vector<Move> moves;
  std::uint32_t construct = kNoValue;  // whose results are unbounded if its condition was not decided
};

/// Where control flow reads values.
struct DecisionRecord {
  CauseId cause = 0;
  std::vector<std::uint32_t> conditions;
  std::uint32_t construct = kNoValue;
  bool has_effects = false;  // what runs, or does not, stores
};

/// Of one program.
struct ProgramShadows {
  std::vector<BoundsRef> values;
  std::vector<ModelSet> models;  // of each value: what it hangs on
  std::vector<CauseId> undecided;  // by construct; 0: decided
  StoreOrder order;
  std::vector<std::pair<std::int64_t, Interval>> pending;  // lanes of a load
  std::vector<BufferBounds> buffers;                       // no two of one view
  ModelSet buffer_models = 0;                              // of what was written to buffers
};

/// An interpreter's value outside its bounds: a defect of a rule, found only where the run checks itself.
struct Misfit {
  const ir::Op* op = nullptr;
  std::uint64_t program = 0;
  std::int64_t element = 0;
  double value = 0;
  Interval bounds;
};

/// What atomics without an order among programs did to an element: exchanges (the possible numbers) and
/// compare-and-swaps (the pair that all of them use).
struct Swapped {
  Interval first, second;  // exchanges: all numbers written, the old one; swaps: compared with, written
  std::uint64_t program = 0, step = 0;
};

/// Of a launch.
struct ShadowRun {
  ShadowRun() = default;
  /// `real`: EnclosureOptions::real, or null.
  explicit ShadowRun(ShadowMemory* real) : memory(real != nullptr ? *real : own_memory), is_real(real != nullptr) {}

  ShadowMemory own_memory;
  ShadowMemory& memory = own_memory;  // that of RealMemory where launches follow each other
  std::unordered_map<std::uint64_t, Swapped> exchanged, swapped;  // by address
  std::uint64_t atomic_steps = 0;
  KnownLaws laws;                     // EncloseContext::laws
  std::vector<const ir::Op*> models;  // ops whose bounds are a model, by bit of a ModelSet
  ModelSet everywhere = 0;            // control flow or addresses hang on these
  double work = 0x1p27;               // EncloseContext::spend; some ten seconds
  std::vector<const ir::Op*> causes;  // by CauseId - 1
  std::vector<std::uint64_t> times;   // each was the cause of something unbounded
  CauseId lost = 0;  // control flow or addresses were not decided: nothing is known of what was stored
  std::size_t values = 0, constructs = 0;
  bool checks_itself = false, spreads_sums = false;
  bool is_real = false;  // EnclosureOptions::real
  /// Of a run without rounding: parameters that are floats, with the slots of their numbers.
  std::vector<ValueRecord> float_parameters;
  const ir::Block* entry = nullptr;  // of the kernel
  bool may_store_twice = false;  // so that the order of stores counts
  Observer* observer = nullptr;
  std::uint64_t misfit_count = 0;
  std::vector<Misfit> misfits;  // the first few

  /// The bit of an op; all ops beyond the 63rd share the last one.
  ModelSet model_of(const ir::Op& op);
  void note(CauseId cause) { ++times[cause - 1]; }
  void lose(CauseId cause) {
    note(cause);
    if (lost == 0) lost = cause;
  }
};

ShadowRun& run_of(const interpreter::Machine& machine);
ProgramShadows& shadows_of(interpreter::Machine& machine);

/// After an op that makes a buffer of operand 0: its bounds.
const interpreter::Step* step_fill_buffer(interpreter::Machine& machine, const interpreter::Step* step);

/// The elements of a slot, row-major.
std::string slot_bytes(interpreter::Machine& machine, const ValueRecord& record);
/// The values of a slot as bounds.
BoundsRef read_slot(interpreter::Machine& machine, const ValueRecord& record);

class Lanes;

class SlotContext : public EncloseContext {
 public:
  SlotContext(interpreter::Machine& machine, const OpRecord& record)
      : machine_(machine), record_(record), run_(run_of(machine)), shadows_(shadows_of(machine)) {}

  BoundsRef bounds(const ir::Value& value) override;
  bool is_point(const ir::Value& value) override;
  void set(const ir::Value& value, BoundsRef bounds) override;
  void keep_point(const ir::Value& value) override;
  bool keep_points(const ir::Op& op) override;
  bool may_contract(const ir::Op&) override { return record_.may_contract; }
  CauseId cause(const ir::Op&) override { return record_.cause; }
  bool spreads_sums() const override { return run_.spreads_sums; }
  bool access_memory(const ir::Op& op) override;
  void rely_on_model(const ir::Op& op) override {
    if (!run_.is_real) relied_ |= run_.model_of(op);
  }
  bool is_real() const override { return run_.is_real; }
  bool spend(double evaluations) override;
  KnownLaws& laws() override { return run_.laws; }

  /// Makes every result unbounded; the op is the cause.
  void set_unbounded();
  /// Results carry the models of their operands and those that the op relied on. After the op's hook.
  void carry_models();

 private:
  friend class Lanes;
  const ValueRecord& find(const ir::Value& value) const;
  /// A view among the operands: what it holds, and what was written to it (null: points).
  BoundsRef held_by(const ValueRecord& view);
  void hold(const ValueRecord& view, BoundsRef bounds);
  bool holds_points(const ValueRecord& view);
  bool copy(const ir::Op& op);
  bool copy_in(const ir::Op& op, const ValueRecord& view);
  bool copy_out(const ir::Op& op);
  const ValueRecord* operand(std::size_t group) const;
  bool access(const ir::Op& op);
  void carry_models_through_memory(const ir::Op& op);
  ModelSet models_of(const ValueRecord& record) const { return shadows_.models[record.id]; }
  bool load(const ir::Op& op);
  bool store(const ir::Op& op);
  bool update(const ir::Op& op);
  bool exchange(const ir::Op& op);
  bool swap(const ir::Op& op);
  bool has_distinct_rows(const ir::Op& op);
  void keep_own_integers(const ir::Value& value);
  void keep_own_result();
  void tell_writes(const ir::Op& op);
  std::vector<bool> stored_by_others(const Lanes& lanes, const ValueRecord& value);

  interpreter::Machine& machine_;
  const OpRecord& record_;
  ShadowRun& run_;
  ProgramShadows& shadows_;
  ModelSet relied_ = 0;
};

}  // namespace lockstep::enclosure
