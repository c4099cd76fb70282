// Refill: does it matter what masked loads leave where they have no value? The launch is made again, from the same
// bytes, by kernels whose loads have `other`: NaN (integers: -1), 1, the largest and the lowest number. Invariant:
// memory is left as the launch left it; where a stored byte or a finding of an access changes under any of these,
// errors stay errors. No change is no proof for every number, so that they become warnings. Not here: block pointers
// and atomics, which have no `other`, values that decide control flow, and launches that may write more than kMaxBytes:
// those are always taken to matter.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "checkers/checker.h"
#include "checkers/storage_bytes.h"

namespace lockstep::checkers {

class Refill {
 public:
  /// Of the storages that a launch may write; they are copied twice.
  static constexpr std::uint64_t kMaxBytes = std::uint64_t{1} << 30;
  /// Null: more than kMaxBytes, or than the launch may have.
  static std::unique_ptr<Refill> make(const LaunchContext& context);
  /// Before the launch: copies what it may write.
  Refill(const LaunchContext& context, std::vector<memory_model::StorageId> storages);

  /// After it: LS205 and LS206 of loads become warnings, with a note that says so, if none of the loads matters.
  void judge(interpreter::LaunchReport& report);

 private:
  /// How a launch ended, as far as the kernel's values could change it.
  struct Ending {
    bool is_complete = false, is_same = false;  // is_same: memory is as `result`
    std::vector<std::string> findings;
  };
  Ending run(std::optional<std::size_t> pattern, const StorageBytes& result);
  bool matters(const StorageBytes& result);

  const LaunchContext& context_;
  std::vector<memory_model::StorageId> storages_;
  StorageBytes before_;
  std::string text_;  // of the module, with locations
};

}  // namespace lockstep::checkers
