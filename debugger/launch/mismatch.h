// --expect that is not met: keeps what the search for the place needs before the launch, and adds the result to the
// launch's findings. Where the launch has errors that explain a wrong result, it searches nothing. It keeps nothing
// without --expect, if --check leaves `expectation` out, or while launches are recorded (LOCKSTEP_RECORD).
#pragma once

#include <atomic>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "driver/launch/prepared_launch.h"
#include "interpreter/batching/effects.h"
#include "sanitizer/triage/mismatch.h"

namespace lockstep::debugger {

class MismatchSearch {
 public:
  /// Before the launch. All must outlive this.
  MismatchSearch(const driver::LaunchSpec& options, const sanitizer::CheckOptions& checks,
                 driver::PreparedLaunch& session);
  /// After the launch. `stop` ends the search with what it has. Returns why it searched nothing, as a line of text, or
  /// "".
  std::string locate(interpreter::LaunchReport& report, const std::atomic<bool>& stop);

 private:
  interpreter::LaunchRequest request_;
  interpreter::MemoryEffects effects_;
  sanitizer::LaunchContext context_;
  std::vector<sanitizer::Expectation> expectations_;
  std::unique_ptr<sanitizer::StorageBytes> before_;
};

}  // namespace lockstep::debugger
