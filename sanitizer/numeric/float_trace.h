// Float lanes as f64 has them, beside what the launch makes of them, and which execution of an op brought most of the
// distance between the two. What ErrorOrigin and the checker of cancellation are made of: the lanes of one execution of
// an op before it runs, what became of them after it, and memory that traced programs stored to. Invariant: an op that
// is not known here has no lanes, and its result then counts as exact. Not here: which programs are followed, what a
// distance means. Private to the room.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "sanitizer/core/execution.h"
#include "sanitizer/numeric/exact_math.h"

namespace lockstep::sanitizer {

/// Where a lane's distance comes from, in its user's numbers. execution 0: the lane equals its f64 value.
struct Blame {
  std::uint32_t execution = 0, lane = 0;
  std::uint8_t bits = 0;  // that cancelled there; 0: its own rounding
};

struct TracedNumber {
  double exact = 0;
  Blame blame;
};

/// State of a float value.
struct FloatTrace {
  std::vector<TracedNumber> lanes;
};

/// An operand: its actual lanes (integers as numbers), and their trace.
struct TracedOperand {
  /// Before the op.
  TracedOperand(Execution& run, const ir::Value& value);
  std::vector<double> actual;
  std::shared_ptr<FloatTrace> trace;  // null: without rounding it is the same
  double exact(std::size_t lane) const { return trace != nullptr ? trace->lanes[lane].exact : actual[lane]; }
  TracedNumber number(std::size_t lane) const {
    return trace != nullptr ? trace->lanes[lane] : TracedNumber{actual[lane], {}};
  }
  /// Some lane differs from its f64 value.
  bool is_off() const;
};

/// A lane of a result before the op has run.
struct ComingLane {
  double from_actual = 0, from_exact = 0;  // what f64 makes of the operands as they are, and without rounding
  Blame inherited;                         // of the operand lane that brings most of the distance between the two
  double largest = 0;                      // of what is added up; 0: nothing is
  /// After the op. `here`: this execution; cancellation counts from `min_bits` on.
  TracedNumber settled(double value, Blame here, int min_bits) const;
};

/// The lanes that an op computes from its operands.
class ComingLanes {
 public:
  ComingLanes(const ir::Op& op, const std::vector<TracedOperand>& operands) : op_(op), operands_(operands) {}
  /// For one result; empty: unknown.
  std::vector<ComingLane> result(std::size_t number) const;
  /// "2048 + 1", "the sum of 1024 numbers", "math.exp(-3.5)" of a lane of result 0.
  std::string text(std::int64_t lane) const;

 private:
  ComingLane element(std::size_t lane) const;
  ComingLane moved(std::size_t operand, std::size_t lane) const;
  ComingLane folded(const ir::OpDef& by, std::int64_t lane) const;
  ComingLane product(std::int64_t lane) const;
  std::size_t selected(std::size_t lane) const;
  std::size_t gathered(std::int64_t lane) const;

  const ir::Op& op_;
  const std::vector<TracedOperand>& operands_;
};

/// What traced programs stored, by address.
class TracedMemory {
 public:
  void clear() { numbers_.clear(); }
  /// Null: not stored by them, or not known.
  const TracedNumber* find(std::uint64_t address) const {
    const auto found = numbers_.find(address);
    return found == numbers_.end() ? nullptr : &found->second;
  }
  /// Before a load: what it brings; null: nothing that was stored by them.
  std::shared_ptr<FloatTrace> load(Execution& run) const;
  /// Before a store or an atomic: calls body(lane, address, number) for every active lane whose number is known;
  /// nullopt if it is unknown (integers, atomics that do not add).
  template <typename Body>
  void store(Execution& run, Body&& body) {
    const ir::Value* value = stored_value(run);
    std::optional<TracedOperand> operand;
    if (value != nullptr) operand.emplace(run, *value);
    for (std::int64_t i = 0; i < run.lanes().count(); ++i) {
      if (!run.lanes().is_on(i)) continue;
      const std::uint64_t address = run.lanes().address(i);
      body(i, address, operand ? put(run, *operand, static_cast<std::size_t>(i), address) : forget(address));
    }
  }

 private:
  /// Null: not floats, or an atomic that does not add.
  static const ir::Value* stored_value(Execution& run);
  std::optional<TracedNumber> put(Execution& run, const TracedOperand& operand, std::size_t lane,
                                  std::uint64_t address);
  std::optional<TracedNumber> forget(std::uint64_t address);

  std::unordered_map<std::uint64_t, TracedNumber> numbers_;
};

/// The distance of two numbers; infinity if one is not a number.
double distance_between(double a, double b);

}  // namespace lockstep::sanitizer
