#include "memory_model/touched.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <string>

namespace lockstep::memory_model {
namespace {

constexpr std::uint64_t kPresentOrSwapped = std::uint64_t{3} << 62;
constexpr std::size_t kEntriesAtOnce = std::size_t{1} << 16;

class File {
 public:
  explicit File(const char* path) : descriptor_(open(path, O_RDONLY | O_CLOEXEC)) {}
  ~File() {
    if (descriptor_ >= 0) close(descriptor_);
  }
  File(const File&) = delete;
  File& operator=(const File&) = delete;
  bool is_open() const { return descriptor_ >= 0; }
  /// False: not all of it could be read.
  bool read_at(void* to, std::size_t bytes, std::uint64_t offset) const {
    auto* next = static_cast<char*>(to);
    while (bytes != 0) {
      const ssize_t got = pread(descriptor_, next, bytes, static_cast<off_t>(offset));
      if (got <= 0) return false;
      next += got;
      offset += static_cast<std::uint64_t>(got);
      bytes -= static_cast<std::size_t>(got);
    }
    return true;
  }

 private:
  int descriptor_;
};

std::uint64_t page_bytes() {
  static const long size = sysconf(_SC_PAGESIZE);
  return static_cast<std::uint64_t>(std::max(size, 1L));
}

}  // namespace

std::optional<std::vector<Extent>> touched_ranges(const Extent& extent) {
  std::vector<Extent> ranges;
  if (extent.bytes() == 0) return ranges;
  const File map("/proc/self/pagemap");
  if (!map.is_open()) return std::nullopt;
  const std::uint64_t page = page_bytes();
  std::vector<std::uint64_t> entries(kEntriesAtOnce);
  const std::uint64_t end = (extent.end + page - 1) / page;
  for (std::uint64_t first = extent.begin / page; first < end; first += kEntriesAtOnce) {
    const std::size_t count = std::min<std::uint64_t>(kEntriesAtOnce, end - first);
    if (!map.read_at(entries.data(), count * sizeof(std::uint64_t), first * sizeof(std::uint64_t))) return std::nullopt;
    for (std::size_t i = 0; i < count; ++i) {
      if ((entries[i] & kPresentOrSwapped) == 0) continue;
      const Address begin = std::max(extent.begin, (first + i) * page);
      const Address past = std::min(extent.end, (first + i + 1) * page);
      if (!ranges.empty() && ranges.back().end == begin) {
        ranges.back().end = past;
      } else {
        ranges.push_back({begin, past});
      }
    }
  }
  return ranges;
}

std::uint64_t available_memory() {
  std::ifstream file("/proc/meminfo");
  for (std::string line; std::getline(file, line);) {
    unsigned long long kib = 0;
    if (std::sscanf(line.c_str(), "MemAvailable: %llu", &kib) == 1) return std::uint64_t{kib} * 1024;
  }
  return 0;
}

std::uint64_t resident_memory() {
  std::ifstream file("/proc/self/statm");
  std::uint64_t total = 0, resident = 0;
  file >> total >> resident;
  return file ? resident * page_bytes() : 0;
}

}  // namespace lockstep::memory_model
