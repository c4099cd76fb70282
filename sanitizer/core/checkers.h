// The checkers that registry.cpp lists. The file of each says what it looks for and when.
#pragma once

#include <memory>
#include <mutex>
#include <unordered_map>

#include "interpreter/batching/effects.h"
#include "sanitizer/core/checker.h"

namespace lockstep::sanitizer {

class LaneFacts;
class LaneHazards;
class LaneUpdates;
struct LaneUpdate;
class RaceEngine;
struct RaceFacts;
class TaintedValues;
class UndefProbe;
class UndefinedBytes;

/// definedness.cpp
class DefinednessChecker : public Checker {
 public:
  DefinednessChecker();
  ~DefinednessChecker() override;
  Requirements needs(const LaunchContext& context) const override;
  Interest wish(const ir::Op& op) const override;
  void begin(const LaunchContext& context) override;
  void before(Execution& run) override;
  bool end(const LaunchContext& context, interpreter::LaunchReport& report) override;

 private:
  struct Known;
  const Known& known(const LaunchContext& context) const;

  mutable std::once_flag once_;
  mutable std::unique_ptr<Known> known_;
  mutable std::unordered_map<const ir::Op*, std::unique_ptr<TaintedValues>> tainted_;  // by function
  std::unique_ptr<UndefinedBytes> memory_;                                             // of a launch
  std::unique_ptr<UndefProbe> probe_;                                                     // of a launch
};

/// coverage.cpp
class CoverageChecker : public Checker {
 public:
  Requirements needs(const LaunchContext& context) const override;
  bool end(const LaunchContext& context, interpreter::LaunchReport& report) override;
};

/// coverage.cpp
class TilesChecker : public Checker {
 public:
  Requirements needs(const LaunchContext& context) const override;
  bool end(const LaunchContext& context, interpreter::LaunchReport& report) override;
};

/// aliasing.cpp
class AliasingChecker : public Checker {
 public:
  Requirements needs(const LaunchContext& context) const override;
  bool end(const LaunchContext& context, interpreter::LaunchReport& report) override;
};

/// idempotence.cpp
class IdempotenceChecker : public Checker {
 public:
  Requirements needs(const LaunchContext& context) const override;
  bool end(const LaunchContext& context, interpreter::LaunchReport& report) override;
};

/// races.cpp
class RaceChecker : public Checker {
 public:
  RaceChecker();
  ~RaceChecker() override;
  Requirements needs(const LaunchContext& context) const override;
  Interest wish(const ir::Op& op) const override;
  void learn_from(const Checker& kept, const LaunchContext& context) override;
  void before(Execution& run) override;
  void after(Execution& run) override;
  bool end(const LaunchContext& context, interpreter::LaunchReport& report) override;

 private:
  const RaceFacts& facts(const LaunchContext& context) const;

  mutable std::once_flag is_known_;
  mutable std::shared_ptr<const RaceFacts> facts_;
  std::unique_ptr<RaceEngine> engine_;  // of a launch
};

/// lanes.cpp
class LaneChecker : public Checker {
 public:
  LaneChecker();
  ~LaneChecker() override;
  Requirements needs(const LaunchContext& context) const override;
  Interest wish(const ir::Op& op) const override;
  void learn_from(const Checker& kept, const LaunchContext& context) override;
  void begin(const LaunchContext& context) override;
  void before(Execution& run) override;
  void after(Execution& run) override;
  bool end(const LaunchContext& context, interpreter::LaunchReport& report) override;

 private:
  const LaneFacts& facts(const LaunchContext& context) const;
  bool may_meet(const LaunchContext& context) const;
  bool must_step(const LaunchContext& context) const;

  mutable std::once_flag is_known_;
  mutable std::shared_ptr<const LaneFacts> facts_;
  mutable std::shared_ptr<const std::vector<LaneUpdate>> updates_;
  std::unique_ptr<LaneHazards> hazards_;  // of a launch
  std::unique_ptr<LaneUpdates> lost_;     // of a launch
  bool is_stepped_ = false;
};

/// lints.cpp
class LintChecker : public Checker {
 public:
  LintChecker();
  ~LintChecker() override;
  Requirements needs(const LaunchContext& context) const override;
  Interest wish(const ir::Op& op) const override;
  void begin(const LaunchContext& context) override;
  void before(Execution& run) override;
  bool end(const LaunchContext& context, interpreter::LaunchReport& report) override;

 private:
  struct Counts;
  std::unique_ptr<Counts> counts_;  // of a launch
};

}  // namespace lockstep::sanitizer
