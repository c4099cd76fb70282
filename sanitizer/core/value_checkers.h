// The checkers of values (integers, floats, hints) that registry.cpp lists. The file of each says what it looks for and
// when. Invariant: prototypes keep facts about the kernel, instances keep those of a launch.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "sanitizer/core/checker.h"
#include "sanitizer/lanes/lane_values.h"
#include "sanitizer/numeric/float_births.h"
#include "sanitizer/numeric/float_trace.h"
#include "sanitizer/undef/lane_taint.h"

namespace lockstep::sanitizer {

/// division.cpp: integer operations without a result.
class UndefinedChecker : public Checker {
 public:
  UndefinedChecker();
  ~UndefinedChecker() override;
  Requirements needs(const LaunchContext& context) const override;
  Interest wish(const ir::Op& op) const override;
  void before(Execution& run) override;
  bool end(const LaunchContext& context, interpreter::LaunchReport& report) override;

 private:
  struct Known;
  virtual bool looks_at(const ir::Op& op) const = 0;

  mutable std::mutex mutex_;
  mutable std::unique_ptr<const Known> known_;
  FaultLog faults_;
};
class DivisionChecker : public UndefinedChecker {
  bool looks_at(const ir::Op& op) const override;
};
class ConversionChecker : public UndefinedChecker {
  bool looks_at(const ir::Op& op) const override;
};

/// overflow.cpp, overflow_masks.cpp
class OverflowChecker : public Checker {
 public:
  OverflowChecker();
  ~OverflowChecker() override;
  Requirements needs(const LaunchContext& context) const override;
  Interest wish(const ir::Op& op) const override;
  void before(Execution& run) override;

 private:
  struct Known;
  /// A result that wrapped.
  struct Origin {
    const ir::Op* op = nullptr;
    Location location;
    ScalarKind kind = ScalarKind::i32;
    WrappedLane lane;
    std::vector<std::int64_t> position;
  };
  const Known& known(const LaunchContext& context) const;
  std::uint32_t note_origin(Execution& run, const WrappedLane& lane);
  void compute(Execution& run);
  void carry(Execution& run);
  void carry_pointers(Execution& run);
  void move_pointer(Execution& run);
  void look_at_access(Execution& run);
  void follow_bits(Execution& run);
  void compare(Execution& run);
  void combine(Execution& run);
  void look_at_mask(Execution& run);
  void report_mask(Execution& run, const Origin& origin, std::uint64_t on, std::uint64_t off);
  static std::string widening_hint(const Origin& origin);

  mutable std::mutex mutex_;
  mutable std::unique_ptr<const Known> known_;
  std::vector<Origin> origins_;
};

/// floats.cpp
class FloatChecker : public Checker {
 public:
  FloatChecker();
  ~FloatChecker() override;
  Requirements needs(const LaunchContext& context) const override;
  Interest wish(const ir::Op& op) const override;
  void before(Execution& run) override;
  void after(Execution& run) override;
  bool end(const LaunchContext& context, interpreter::LaunchReport& report) override;

 private:
  struct Known;
  mutable std::mutex mutex_;
  mutable std::unique_ptr<const Known> known_;
  FaultLog faults_;
  std::optional<FloatOperands> operands_;  // of the op that runs
  bool is_stepped_ = false;
};

/// hints.cpp
class HintChecker : public Checker {
 public:
  HintChecker();
  ~HintChecker() override;
  Requirements needs(const LaunchContext& context) const override;
  Interest wish(const ir::Op& op) const override;
  void before(Execution& run) override;
  void after(Execution& run) override;
  bool end(const LaunchContext& context, interpreter::LaunchReport& report) override;

 private:
  struct Known;
  mutable std::mutex mutex_;
  mutable std::unique_ptr<const Known> known_;
};

/// wrapping.cpp
class WrappingChecker : public Checker {
 public:
  WrappingChecker();
  ~WrappingChecker() override;
  Requirements needs(const LaunchContext& context) const override;
  Interest wish(const ir::Op& op) const override;
  void begin(const LaunchContext& context) override;
  void before(Execution& run) override;

 private:
  struct Known;
  void note(Execution& run, FindingCode code, std::string message, const std::vector<std::int64_t>& lanes,
            std::string hint);
  void look_at_arithmetic(Execution& run);
  void look_at_division(Execution& run);
  void look_at_sum(Execution& run);

  mutable std::mutex mutex_;
  mutable std::unique_ptr<const Known> known_;
  FaultLog faults_{Tier::warning};
};

/// precision.cpp
struct PrecisionOps;
class PrecisionChecker : public Checker {
 public:
  PrecisionChecker();
  ~PrecisionChecker() override;
  Requirements needs(const LaunchContext& context) const override;
  Interest wish(const ir::Op& op) const override;
  void begin(const LaunchContext& context) override;
  void before(Execution& run) override;
  void after(Execution& run) override;
  bool end(const LaunchContext& context, interpreter::LaunchReport& report) override;

 private:
  /// The largest error of a sum, over programs.
  struct Sum {
    std::uint64_t program = 0;
    bool is_open = false;
    double ulps_now = 0, ulps = 0;
    Finding now;  // of the program that runs, as it stands
    std::optional<Finding> worst;
  };
  static void close(Sum& sum);
  std::optional<double> largest_addend() const;
  void look_at_sum(Execution& run);
  void look_at_cast(Execution& run);
  void look_at_difference(Execution& run);

  mutable std::mutex mutex_;
  mutable std::unique_ptr<const PrecisionOps> ops_;
  std::map<const ir::Op*, Sum> sums_;
  std::vector<std::vector<double>> operands_;  // of the op that runs
};

/// cancellation.cpp
class CancellationChecker : public Checker {
 public:
  Requirements needs(const LaunchContext& context) const override;
  Interest wish(const ir::Op& op) const override;
  void before(Execution& run) override;
  void after(Execution& run) override;
  bool end(const LaunchContext& context, interpreter::LaunchReport& report) override;

 private:
  /// An op in which digits cancelled.
  struct Site {
    double error = -1;
    std::optional<Finding> finding;
    bool is_stored = false;
  };
  /// An op that stores.
  struct Output {
    Location location;
    double largest = 0;
    std::map<std::uint32_t, double> errors;  // the largest by the op that brought it
  };
  /// From 1, in the order in which ops first ran.
  std::uint32_t number_of(const ir::Op& op);
  void note(Execution& run, const ComingLane& coming, const TracedNumber& number, std::int64_t lane, double value);
  void look_at_access(Execution& run);

  std::map<const ir::Op*, std::uint32_t> numbers_;
  std::map<std::uint32_t, Site> sites_;
  std::map<const ir::Op*, Output> outputs_;
  TracedMemory memory_;
  std::vector<TracedOperand> operands_;          // of the op that runs
  std::vector<std::vector<ComingLane>> coming_;  // by result
};

}  // namespace lockstep::sanitizer
