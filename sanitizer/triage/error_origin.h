// ErrorOrigin: computes one element of a wrong result in f64 beside the launch, and finds the op in which the two
// diverge. Every float lane of the programs that store the element carries what it would be without rounding, and the
// execution of an op that brought most of its distance: its own rounding, or digits that cancel there. Invariant: the
// shadow follows the launch's own control flow and addresses; memory is left as the launch leaves it. Not here: whether
// the distance is what is wrong with the result (mismatch.h).
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "sanitizer/core/storage_bytes.h"
#include "sanitizer/numeric/float_trace.h"

namespace lockstep::sanitizer {

/// One execution of an op.
struct OpExecution {
  const ir::Op* op = nullptr;
  std::uint64_t program = 0;  // in grid order
  std::uint64_t number = 0;   // of this op in this program, from 1
};

/// What the trace found out about the element.
struct Origin {
  /// In f64; nullopt: no float store writes the element, or it derives from values without a shadow (too many
  /// programs).
  std::optional<double> exact;
  std::optional<Finding> store;  // LS608 without a message, at the op that stored the element last
  /// The op that caused the distance, with its operands; nullopt: none.
  std::optional<Finding> birth;
  OpExecution store_at, birth_at;  // of `store` and of `birth`
  int cancelled_bits = 0;
  /// The share of the element's distance that this op's rounding alone causes (over all its executions); nullopt: not a
  /// number.
  std::optional<double> share;
  /// A value that differs from f64 went through an op without a shadow: `exact` is incomplete.
  bool is_partial = false;
  bool is_small = false, is_tf32 = false;  // the birth: a result below f32; a product in tf32
  /// Lanes of float ops that one program of the launch evaluated: a measure of its work.
  std::uint64_t lanes = 0;
};

class ErrorOrigin : public Checker {
 public:
  /// `before`: the memory that the launch may write, as it was before. `address`: of the element. All must outlive
  /// this.
  ErrorOrigin(const LaunchContext& context, const StorageBytes& before, std::uint64_t address);
  ~ErrorOrigin() override;

  /// Runs the launch up to three times, on one thread. `got`: the stored value. nullopt: a launch did not complete.
  std::optional<Origin> trace(double got);

  Requirements needs(const LaunchContext& context) const override;
  Interest wish(const ir::Op& op) const override;
  void before(Execution& run) override;
  void after(Execution& run) override;

 private:
  enum class Pass : std::uint8_t { find_stores, trace, capture };
  bool run_pass(Pass pass);
  bool is_traced(Execution& run) const;
  void find_store(Execution& run);
  void look_at_access(Execution& run);
  TracedNumber finish_lane(Execution& run, const ComingLane& lane, std::int64_t number, double value);
  void capture(Execution& run, const ComingLane& lane, std::int64_t number, double value);

  const LaunchContext& context_;
  const StorageBytes& before_;
  std::uint64_t address_ = 0;
  Pass pass_ = Pass::find_stores;
  std::set<std::uint64_t> programs_;  // that store the element
  bool has_more_programs_ = false;
  std::uint32_t execution_ = 0;
  std::vector<const ir::Op*> executed_;  // by execution, from 1
  std::map<std::pair<const ir::Op*, std::uint64_t>, std::uint64_t>
      times_;  // that a program ran an op: stores, rounding_
  TracedMemory memory_;
  std::vector<TracedOperand> operands_;          // of the op that runs
  std::vector<std::vector<ComingLane>> coming_;  // by result
  std::optional<TracedNumber> element_;
  Blame wanted_;                      // capture: what to show
  const ir::Op* rounding_ = nullptr;  // capture: the only op that may round
  Origin origin_;
};

}  // namespace lockstep::sanitizer
