// LaneNeeds: which lanes of an op's operands made certain lanes of its results: one step of a backward slice.
// Invariant: no lane that could have mattered is left out; where an operand's value decides (a select, a gather's
// index), only the chosen lanes and the deciding ones are named. Not here: control flow, memory, time.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "ir/op.h"

namespace lockstep::debugger {

/// Lanes of a value, row-major; a scalar has one. Empty vector: none is needed.
class LaneSet {
 public:
  LaneSet() = default;
  explicit LaneSet(std::int64_t count) : lanes_(static_cast<std::size_t>(count), false) {}
  bool any() const { return count_ != 0; }
  std::int64_t count() const { return count_; }
  std::int64_t size() const { return static_cast<std::int64_t>(lanes_.size()); }
  bool has(std::int64_t lane) const {
    return lanes_.size() > static_cast<std::size_t>(lane) && lanes_[static_cast<std::size_t>(lane)];
  }
  /// `size`: of the value, for an empty set.
  void add(std::int64_t lane, std::int64_t size);
  void add_all(std::int64_t size);
  void add(const LaneSet& other);
  std::int64_t first() const;
  template <typename Body>
  void for_each(Body&& body) const {
    for (std::size_t i = 0; i < lanes_.size(); ++i) {
      if (lanes_[i]) body(static_cast<std::int64_t>(i));
    }
  }

 private:
  std::vector<bool> lanes_;
  std::int64_t count_ = 0;
};

/// Elements of a type: 1 for scalars.
std::int64_t lane_count(ir::Type type);

/// Integer value of an operand's lane when the op ran; only for conditions of selects and indices of gathers.
using LaneValue = std::function<std::int64_t(std::size_t operand, std::int64_t lane)>;

/// Whether find_needs() reads values of that operand.
bool asks_for_value(const ir::Op& op, std::size_t operand);
/// Adds the needs of result `result`'s lanes in operand i to needs[i]. Precondition: no control flow, no memory.
void find_needs(const ir::Op& op, std::size_t result, const LaneSet& lanes, const LaneValue& value,
                std::vector<LaneSet>& needs);

}  // namespace lockstep::debugger
