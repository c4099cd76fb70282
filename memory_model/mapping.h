// Arena: address ranges from the system, handed out one after the other so that the distance between two allocations is
// the same in every run. Pages cost memory only once touched. Private to the room. Its destructor releases everything;
// a single range cannot be freed. Not here: filling, naming, checking. Source: mmap(2), mprotect(2) of POSIX; large
// pages if the system has them and the arena's memory is small compared with the machine's.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace lockstep::memory_model {

class Arena {
 public:
  static constexpr std::uint64_t kPageBytes = 4096;

  Arena() = default;
  ~Arena();
  Arena(const Arena&) = delete;
  Arena& operator=(const Arena&) = delete;

  /// Zeroed, readable and writable, page-aligned. nullptr: the system refuses.
  std::byte* take(std::uint64_t bytes);

 private:
  struct Range {
    std::byte* begin = nullptr;
    std::uint64_t bytes = 0, used = 0;
  };
  bool reserve(std::uint64_t bytes);
  std::vector<Range> ranges_;
  std::uint64_t taken_ = 0;
};

}  // namespace lockstep::memory_model
