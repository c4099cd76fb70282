// NeedsCache: what each checker needed for launches like this one, so that a kernel that runs many times pays for the
// analysis once. Launches are alike if only the contents of memory may differ: same grid, scalars, shapes, strides,
// positions in storages, alignment and options. Thread-safe. Not here: what checkers need.
#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <vector>

#include "sanitizer/core/checker.h"

namespace lockstep::sanitizer {

using LaunchKey = std::vector<std::uint64_t>;
LaunchKey key_of(const interpreter::RunRequest& request, const CheckOptions& options);

class NeedsCache {
 public:
  using AllNeeds = std::vector<Checker::Requirements>;  // one a row; of checkers that are off: nothing

  std::optional<AllNeeds> find(const LaunchKey& key) const;
  void keep(const LaunchKey& key, const AllNeeds& needs);
  /// These checkers, whose needs do not depend on memory, found launches like this one sound: they need nothing from
  /// now on.
  void settle(const LaunchKey& key, std::uint32_t checkers);

 private:
  static constexpr std::size_t kMostKeys = 256;
  mutable std::mutex mutex_;
  std::map<LaunchKey, AllNeeds> known_;
};

}  // namespace lockstep::sanitizer
