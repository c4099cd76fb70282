#include "memory_model/progressions.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <utility>

namespace lockstep::memory_model {
namespace {

// Values stay far inside int64 so that sums of two of them, and their byte forms, cannot overflow.
constexpr std::int64_t kLargestValue = std::numeric_limits<std::int64_t>::max() / 64;

bool try_merge(Progression& fine, const Progression& coarse) {
  if (coarse.stride % fine.stride != 0) return false;
  const std::int64_t ratio = coarse.stride / fine.stride;
  if (ratio > fine.count) return false;  // a gap would stay between the copies
  fine.count += ratio * (coarse.count - 1);
  return true;
}

bool merge_one_pair(std::vector<Progression>& progressions) {
  for (std::size_t i = 0; i < progressions.size(); ++i) {
    for (std::size_t j = 0; j < progressions.size(); ++j) {
      if (i == j || !try_merge(progressions[i], progressions[j])) continue;
      progressions.erase(progressions.begin() + static_cast<std::ptrdiff_t>(j));
      return true;
    }
  }
  return false;
}

struct Solver {
  std::span<const Progression> progressions;
  std::vector<std::int64_t> reach_after;    // of progressions d.. end
  std::vector<std::int64_t> divisor_after;  // greatest common divisor of strides d.. end; 0 at the end
  std::vector<std::int64_t> index;
  std::int64_t& budget;

  bool search(std::size_t d, std::int64_t value) {
    if (d == progressions.size()) return value == 0;
    if (value < 0 || value > reach_after[d] || value % divisor_after[d] != 0) return false;
    const auto [stride, count] = progressions[d];
    const std::int64_t missing = value - reach_after[d + 1];
    const std::int64_t low = missing <= 0 ? 0 : (missing + stride - 1) / stride;
    const std::int64_t high = std::min(count - 1, value / stride);
    for (std::int64_t i = high; i >= low; --i) {
      if (--budget <= 0) return false;
      index[d] = i;
      if (search(d + 1, value - i * stride)) return true;
      if (budget <= 0) return false;
    }
    return false;
  }
};

}  // namespace

std::optional<ProgressionSum> normalise(std::span<const std::int64_t> shape, std::span<const std::int64_t> strides) {
  ProgressionSum sum;
  for (std::size_t d = 0; d < shape.size(); ++d) {
    if (shape[d] <= 1 || strides[d] == 0) continue;
    if (strides[d] == std::numeric_limits<std::int64_t>::min()) return std::nullopt;
    const std::int64_t stride = strides[d] < 0 ? -strides[d] : strides[d];
    std::int64_t span = 0;
    if (__builtin_mul_overflow(stride, shape[d] - 1, &span) || span > kLargestValue - sum.reach) return std::nullopt;
    sum.reach += span;
    if (strides[d] < 0) sum.shift -= span;
    sum.progressions.push_back({stride, shape[d]});
  }
  return sum;
}

void merge_progressions(std::vector<Progression>& progressions) {
  while (merge_one_pair(progressions)) {
  }
  std::sort(progressions.begin(), progressions.end(),
            [](const Progression& a, const Progression& b) { return a.stride > b.stride; });
}

bool is_nested(std::span<const Progression> progressions) {
  std::int64_t reach = 0;
  for (auto it = progressions.rbegin(); it != progressions.rend(); ++it) {
    if (it->stride <= reach) return false;
    reach += it->stride * (it->count - 1);
  }
  return true;
}

std::int64_t reach_of(std::span<const Progression> progressions) {
  std::int64_t reach = 0;
  for (const Progression& p : progressions) reach += p.stride * (p.count - 1);
  return reach;
}

std::optional<std::vector<std::int64_t>> solve(std::span<const Progression> progressions, std::int64_t value,
                                               std::int64_t& budget) {
  const std::size_t rank = progressions.size();
  Solver solver{progressions, std::vector<std::int64_t>(rank + 1, 0), std::vector<std::int64_t>(rank + 1, 0),
                std::vector<std::int64_t>(rank, 0), budget};
  for (std::size_t d = rank; d-- > 0;) {
    solver.reach_after[d] = solver.reach_after[d + 1] + progressions[d].stride * (progressions[d].count - 1);
    solver.divisor_after[d] = std::gcd(solver.divisor_after[d + 1], progressions[d].stride);
  }
  if (!solver.search(0, value)) return std::nullopt;
  return std::move(solver.index);
}

}  // namespace lockstep::memory_model
