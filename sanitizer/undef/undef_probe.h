// UndefProbe: do the results depend on lanes to which ops give no value (masked-off lanes of loads without `other` and
// of atomics, lanes outside of a block pointer's tensor)? It runs the launch again, from the same bytes, with NaN
// (integers: -1), 1, the largest and the lowest number in these lanes. Invariant: memory is left as the launch left it;
// where a stored byte, how many are stored or a finding of an access changes under any of these, or the launch does not
// end in time, errors stay errors. No change is no proof for every number, so that they become warnings. Not here:
// loads of pointers, and launches that may write more than kMaxBytes: those are always taken to matter.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "sanitizer/core/checker.h"
#include "sanitizer/core/storage_bytes.h"

namespace lockstep::sanitizer {

class UndefProbe {
 public:
  /// The limit for the storages that a launch may write; the probe copies them twice.
  static constexpr std::uint64_t kMaxBytes = std::uint64_t{1} << 30;
  /// The limit for a program, if undefined lanes decide how long it runs.
  static constexpr std::uint64_t kMaxSteps = 20'000'000;
  /// Null: more than kMaxBytes, or more than the launch may use.
  static std::unique_ptr<UndefProbe> make(const LaunchContext& context);
  /// Before the launch: copies the memory that it may write.
  UndefProbe(const LaunchContext& context, std::vector<memory_model::StorageId> storages);
  ~UndefProbe();

  /// After it: findings LS205, LS206 and LS208 on such lanes become warnings with a note, if none of the lanes matters.
  void judge(interpreter::LaunchReport& report);

 private:
  struct Kernel;
  /// How a launch ended, as far as the kernel's values could change it.
  struct Ending {
    bool is_complete = false, is_same = false;  // is_same: memory is as `result`
    std::uint64_t bytes_written = 0;
    std::vector<std::string> findings;
  };
  Ending run(std::optional<std::size_t> pattern, const StorageBytes& result);
  bool matters(const StorageBytes& result);

  const LaunchContext& context_;
  std::vector<memory_model::StorageId> storages_;
  StorageBytes before_;
  std::unique_ptr<Kernel> kernel_;
  bool decides_control_flow_ = false;
};

}  // namespace lockstep::sanitizer
