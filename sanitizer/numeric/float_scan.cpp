#include "sanitizer/numeric/float_scan.h"

#include <algorithm>
#include <atomic>
#include <cstring>

#include "interpreter/access/storage_copy.h"
#include "interpreter/scheduler/worker_pool.h"
#include "sanitizer/core/touched_bytes.h"

namespace lockstep::sanitizer {

using interpreter::LoggedRange;

namespace {

constexpr std::uint64_t kPartBytes = std::uint64_t{1} << 18;

/// All bits of the exponent (and, where infinities do not exist, of the fraction) are set. The scan mostly reads memory
/// that was just stored past the caches: prefetching it makes the scan twice as fast.
template <typename Bits>
bool any_special(const char* data, std::uint64_t bytes, Bits mask) {
  constexpr std::uint64_t kBlock = 256, kAhead = 4096, kLine = 64, kLanes = kBlock / sizeof(Bits);
  Bits found = 0;
  const auto look = [&found, mask](const char* at) {
    Bits bits;
    std::memcpy(&bits, at, sizeof bits);
    found = static_cast<Bits>(found | ((bits & mask) == mask ? 1 : 0));
  };
  std::uint64_t done = 0;
  for (; done + kBlock <= bytes; done += kBlock) {
    for (std::uint64_t line = 0; line < kBlock; line += kLine) __builtin_prefetch(data + done + kAhead + line);
    for (std::uint64_t i = 0; i < kLanes; ++i) look(data + done + i * sizeof(Bits));
  }
  for (; done + sizeof(Bits) <= bytes; done += sizeof(Bits)) look(data + done);
  return found != 0;
}

bool holds_special(ScalarKind kind, const char* data, std::uint64_t bytes) {
  switch (kind) {
    case ScalarKind::f16: return any_special<std::uint16_t>(data, bytes, 0x7c00);
    case ScalarKind::bf16: return any_special<std::uint16_t>(data, bytes, 0x7f80);
    case ScalarKind::f32: return any_special<std::uint32_t>(data, bytes, 0x7f800000);
    case ScalarKind::f64: return any_special<std::uint64_t>(data, bytes, 0x7ff0000000000000);
    case ScalarKind::f8E5M2: return any_special<std::uint8_t>(data, bytes, 0x7c);
    case ScalarKind::f8E4M3FN: return any_special<std::uint8_t>(data, bytes, 0x7f);
    case ScalarKind::f8E4M3FNUZ:
    case ScalarKind::f8E5M2FNUZ: return std::memchr(data, 0x80, bytes) != nullptr;
    default: return false;
  }
}

}  // namespace

/// What the threads share.
struct FloatScan::Search {
  const std::vector<Part>& parts;
  std::atomic<std::size_t> next{0};
  std::atomic<bool> is_found{false};

  static void run(void* context) {
    auto& search = *static_cast<Search*>(context);
    while (!search.is_found.load(std::memory_order_relaxed)) {
      const std::size_t i = search.next.fetch_add(1, std::memory_order_relaxed);
      if (i >= search.parts.size()) return;
      const Part& part = search.parts[i];
      if (holds_special(part.kind, interpreter::bytes_at(part.begin), part.end - part.begin)) search.is_found = true;
    }
  }
};

void FloatScan::add(ScalarKind kind, std::uint64_t begin, std::uint64_t end) {
  for (; begin < end; begin += kPartBytes) parts_.push_back({kind, begin, std::min(end, begin + kPartBytes)});
}

void FloatScan::add_written(const memory_model::View& view, const std::vector<LoggedRange>* touched) {
  const memory_model::Extent& extent = view.extent;
  if (!is_float(view.element) || extent.bytes() == 0) return;
  if (touched == nullptr) return add(view.element, extent.begin, extent.end);
  constexpr std::uint64_t kFew = 64;  // runs, for each of which a quarter of a part may be looked at as well
  std::vector<const LoggedRange*> ranges;
  std::uint64_t bytes = 0, runs = 0;
  for (const LoggedRange& range : *touched) {
    if (!range.is_write || range.end <= extent.begin || range.begin >= extent.end) continue;
    ranges.push_back(&range);
    bytes += bytes_of(range);
    runs += range.rows;
  }
  if (ranges.empty()) return;
  if (extent.bytes() <= kPartBytes || bytes >= extent.bytes() / 2 || runs * kFew >= extent.bytes())
    return add(view.element, extent.begin, extent.end);
  const auto size = static_cast<std::uint64_t>(size_bytes(view.element));
  for (const LoggedRange* range : ranges) {
    const std::uint64_t run = range->rows == 1 ? range->end - range->begin : range->run;
    for (std::uint64_t row = 0; row < range->rows; ++row) {
      const std::uint64_t first = std::max(range->begin + row * range->stride, extent.begin);
      const std::uint64_t last = std::min(range->begin + row * range->stride + run, extent.end);
      if (first >= last) continue;
      add(view.element, extent.begin + (first - extent.begin) / size * size,
          extent.begin + (last - extent.begin + size - 1) / size * size);
    }
  }
}

bool FloatScan::finds_special(unsigned threads) const {
  if (parts_.empty()) return false;
  Search search{parts_};
  const auto helpers = static_cast<unsigned>(std::min<std::size_t>(threads, parts_.size())) - 1;
  if (helpers == 0) {
    Search::run(&search);
    return search.is_found;
  }
  interpreter::SharedWork shared(&Search::run, &search);
  shared.offer(helpers);
  Search::run(&search);
  shared.withdraw();
  while (!shared.wait_for(std::chrono::milliseconds(20))) {
  }
  return search.is_found;
}

}  // namespace lockstep::sanitizer
