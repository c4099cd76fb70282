// The checker behind find_dependences(): sets beside the lanes of every value, and of memory. Private to this folder.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <unordered_map>
#include <utility>
#include <vector>

#include "sanitizer/core/execution.h"
#include "sanitizer/values/element_sets.h"

namespace lockstep::sanitizer {

/// Of a lane or an element of memory.
struct Parts {
  ElementSets::Id value = 0, address = 0, condition = 0;
  friend bool operator==(const Parts&, const Parts&) = default;
};

class DependenceFlow : public Checker {
 public:
  Requirements needs(const LaunchContext& context) const override;
  Interest wish(const ir::Op& op) const override;
  void before(Execution& run) override;

  /// What the launch stored there; null: nothing.
  const Parts* stored(std::uint64_t address) const;
  const ElementSets& sets() const { return sets_; }
  const std::set<const ir::Op*>& coarse() const { return coarse_; }

 private:
  using Lanes = std::vector<Parts>;
  using LanesRef = std::shared_ptr<Lanes>;
  /// An operand's lanes with the conditions under which it came about; null: it depends on nothing.
  LanesRef lanes_of(Execution& run, const ir::Value& value);
  static Parts lane_or_none(const LanesRef& lanes, std::size_t lane);
  void set(Execution& run, const ir::Value& value, LanesRef lanes);

  void compute(Execution& run);
  LanesRef compute_result(Execution& run, std::size_t number, const std::vector<LanesRef>& operands);
  Parts selected(Execution& run, std::int64_t lane, const std::vector<LanesRef>& operands);
  Parts gathered(Execution& run, std::int64_t lane, const std::vector<LanesRef>& operands);
  Parts folded(const ir::Op& op, std::int64_t lane, const std::vector<LanesRef>& operands);
  LanesRef multiplied(const ir::Op& op, const std::vector<LanesRef>& operands);
  void access(Execution& run);
  void decide(Execution& run);

  Parts unite(const Parts& a, const Parts& b);
  ElementSets::Id whole(const Parts& parts);
  Parts unite_all(const LanesRef& lanes);
  Parts as_condition(const Parts& parts) { return {0, 0, whole(parts)}; }
  Parts as_address(const Parts& parts) { return {0, whole(parts), 0}; }
  Parts held(std::uint64_t address, int bytes);
  Parts conditions_around(Execution& run);
  ElementSets::Id conditions_of(const Execution& run, const ir::Value& value);
  const std::vector<const ir::Op*>& constructs_behind(const ir::Value& value);

  ElementSets sets_;
  std::map<std::uint64_t, std::pair<Parts, int>> memory_;  // by address, with the element's bytes
  std::map<std::pair<std::uint64_t, const ir::Op*>, ElementSets::Id> decided_;  // by program and construct
  std::unordered_map<std::uint64_t, ElementSets::Id> jumps_;  // by program: branches between blocks, for all that follows
  std::unordered_map<const ir::Value*, std::vector<const ir::Op*>> behind_;
  std::set<const ir::Op*> coarse_;
};

}  // namespace lockstep::sanitizer
