#include "memory_model/mapping.h"

#if defined(__EMSCRIPTEN__)
#include <cstdlib>
#include <cstring>
#else
#include <sys/mman.h>
#include <unistd.h>
#endif

#include <algorithm>

namespace lockstep::memory_model {
namespace {

#if defined(__EMSCRIPTEN__)
constexpr std::uint64_t kReservation = std::uint64_t{1} << 26;
constexpr std::uint64_t kLargestRequest = std::uint64_t{1} << 31;
#elif defined(__aarch64__)
constexpr std::uint64_t kReservation = std::uint64_t{1} << 30;  // qemu-user visits every page: 0.1 s for 2^32
constexpr std::uint64_t kLargestRequest = std::uint64_t{1} << 46;
#else
constexpr std::uint64_t kReservation = std::uint64_t{1} << 40;
constexpr std::uint64_t kLargestRequest = std::uint64_t{1} << 46;
#endif

#if defined(__EMSCRIPTEN__)  // one memory without pages: reserved is there

std::uint64_t system_page_bytes() { return Arena::kPageBytes; }
std::byte* map_reserved(std::uint64_t bytes) {
  return static_cast<std::byte*>(std::aligned_alloc(Arena::kPageBytes, static_cast<std::size_t>(bytes)));
}
void give_back(std::byte* begin, std::uint64_t) { std::free(begin); }
bool open_up(std::byte* begin, std::uint64_t bytes, std::uint64_t) {
  std::memset(begin, 0, static_cast<std::size_t>(bytes));
  return true;
}

#else

constexpr std::uint64_t kHugePageThreshold = std::uint64_t{8} << 20;
// Only a preference: with the same first address, runs that print or hash addresses repeat as well.
constexpr std::uintptr_t kPreferredAddress = 0x2000'0000'0000;

/// The system's page size: 16 KiB on some processors.
std::uint64_t system_page_bytes() {
  static const long size = sysconf(_SC_PAGESIZE);
  return std::max(Arena::kPageBytes, size > 0 ? static_cast<std::uint64_t>(size) : 0);
}

/// Large pages are quicker, but cost 2 MiB for every isolated byte: not for memory that the machine lacks.
void choose_page_size([[maybe_unused]] void* begin, [[maybe_unused]] std::uint64_t bytes,
                      [[maybe_unused]] bool is_plenty) {
#if defined(MADV_HUGEPAGE) && defined(MADV_NOHUGEPAGE)  // Linux only
  if (!is_plenty) madvise(begin, bytes, MADV_NOHUGEPAGE);
  if (is_plenty && bytes >= kHugePageThreshold) madvise(begin, bytes, MADV_HUGEPAGE);
#endif
}

std::uint64_t physical_memory() {
  static const long pages = sysconf(_SC_PHYS_PAGES);
  return pages > 0 ? static_cast<std::uint64_t>(pages) * system_page_bytes() : 0;
}

std::byte* map_reserved(std::uint64_t bytes) {
  void* wish = reinterpret_cast<void*>(kPreferredAddress);  // NOLINT(performance-no-int-to-ptr)
  void* result = mmap(wish, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  return result == MAP_FAILED ? nullptr : static_cast<std::byte*>(result);
}
void give_back(std::byte* begin, std::uint64_t bytes) { munmap(begin, bytes); }

/// Makes reserved bytes usable. `taken`: usable bytes of the arena, including these.
bool open_up(std::byte* begin, std::uint64_t bytes, std::uint64_t taken) {
  if (mprotect(begin, bytes, PROT_READ | PROT_WRITE) != 0) return false;
  choose_page_size(begin, bytes, taken <= physical_memory() / 4);
  return true;
}

#endif

}  // namespace

Arena::~Arena() {
  for (const Range& range : ranges_) give_back(range.begin, range.bytes);
}

// A process may be limited in address space, so the generous reservation shrinks until the system agrees.
bool Arena::reserve(std::uint64_t bytes) {
  for (std::uint64_t size = std::max(kReservation, bytes); size >= bytes; size /= 4) {
    if (std::byte* begin = map_reserved(size); begin != nullptr) {
      ranges_.push_back({begin, size, 0});
      return true;
    }
  }
  std::byte* begin = map_reserved(bytes);
  if (begin != nullptr) ranges_.push_back({begin, bytes, 0});
  return begin != nullptr;
}

std::byte* Arena::take(std::uint64_t bytes) {
  if (bytes == 0 || bytes > kLargestRequest) return nullptr;
  const std::uint64_t page = system_page_bytes();
  bytes = (bytes + page - 1) / page * page;
  if (ranges_.empty() || ranges_.back().bytes - ranges_.back().used < bytes) {
    if (!reserve(bytes)) return nullptr;
  }
  Range& range = ranges_.back();
  std::byte* result = range.begin + range.used;
  if (!open_up(result, bytes, taken_ + bytes)) return nullptr;
  taken_ += bytes;
  range.used += bytes;
  return result;
}

}  // namespace lockstep::memory_model
