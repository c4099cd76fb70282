// The checkers, as registry.cpp lists them. What each looks for, and when it needs to look, stands in its own file.
#pragma once

#include "checkers/checker.h"

namespace lockstep::checkers {

/// division.cpp
class DivisionChecker : public Checker {
 public:
  Needs needs(const LaunchContext& context) const override;
  Wish wish(const ir::Op& op) const override;
  void before(Execution& run) override;
};

}  // namespace lockstep::checkers
