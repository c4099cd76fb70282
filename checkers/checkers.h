// The checkers, as registry.cpp lists them. What each looks for, and when it needs to look, stands in its own file.
#pragma once

#include <memory>
#include <mutex>

#include "checkers/checker.h"

namespace lockstep::checkers {

class LaneFacts;
class LaneHazards;

/// lanes.cpp
class LaneChecker : public Checker {
 public:
  LaneChecker();
  ~LaneChecker() override;
  Needs needs(const LaunchContext& context) const override;
  Wish wish(const ir::Op& op) const override;
  void begin(const LaunchContext& context) override;
  void before(Execution& run) override;
  void after(Execution& run) override;
  bool end(const LaunchContext& context, interpreter::LaunchReport& report) override;

 private:
  const LaneFacts& facts(const LaunchContext& context) const;
  bool may_meet(const LaunchContext& context) const;

  mutable std::once_flag is_known_;
  mutable std::unique_ptr<const LaneFacts> facts_;
  std::unique_ptr<LaneHazards> hazards_;  // of a launch
  bool is_stepped_ = false;
};

}  // namespace lockstep::checkers
