#include "memory_model/footprint.h"

#include <algorithm>
#include <bit>
#include <numeric>
#include <utility>

#include "memory_model/progressions.h"
#include "support/check.h"

namespace lockstep::memory_model {
namespace {

constexpr std::int64_t kSearchSteps = std::int64_t{1} << 20;

using Bits = std::vector<std::uint64_t>;

// bits |= bits << shift, from the top word down so that no word is read after it changed.
void or_shifted(Bits& bits, std::int64_t shift) {
  const auto words = static_cast<std::size_t>(shift / 64);
  const int offset = static_cast<int>(shift % 64);
  for (std::size_t i = bits.size(); i-- > words;) {
    std::uint64_t moved = bits[i - words] << offset;
    if (offset != 0 && i > words) moved |= bits[i - words - 1] >> (64 - offset);
    bits[i] |= moved;
  }
}

// The sum with a progression is a union of `count` shifted copies; doubling reaches it in log2(count) steps.
void add_progression(Bits& bits, const Progression& p) {
  std::int64_t copies = 1;
  while (copies < p.count) {
    const std::int64_t step = std::min(copies, p.count - copies);
    or_shifted(bits, step * p.stride);
    copies += step;
  }
}

Bits make_bits(std::span<const Progression> progressions, std::int64_t reach) {
  Bits bits(static_cast<std::size_t>(reach / 64 + 1), 0);
  bits[0] = 1;
  for (const Progression& p : progressions) add_progression(bits, p);
  return bits;
}

std::int64_t count_bits(const Bits& bits) {
  std::int64_t count = 0;
  for (const std::uint64_t word : bits) count += std::popcount(word);
  return count;
}

}  // namespace

std::optional<Footprint> Footprint::make(std::span<const std::int64_t> shape, std::span<const std::int64_t> strides) {
  LOCKSTEP_CHECK(shape.size() == strides.size(), "shape and strides of different ranks");
  Footprint footprint;
  for (const std::int64_t extent : shape) {
    if (extent == 0) return footprint;
  }
  std::optional<ProgressionSum> sum = normalise(shape, strides);
  if (!sum) return std::nullopt;
  footprint.is_empty_ = false;
  footprint.lowest_ = sum->shift;
  footprint.highest_ = sum->shift + sum->reach;
  merge_progressions(sum->progressions);
  if (is_nested(sum->progressions)) {
    footprint.slot_count_ = 1;
    for (const Progression& p : sum->progressions) footprint.slot_count_ *= p.count;
    footprint.nest_ = std::move(sum->progressions);
  } else {
    if (sum->reach >= kMaxIrregularSlots) return std::nullopt;
    footprint.bits_ = make_bits(sum->progressions, sum->reach);
    footprint.slot_count_ = count_bits(footprint.bits_);
  }
  footprint.is_dense_ = footprint.slot_count_ == sum->reach + 1;
  return footprint;
}

std::int64_t Footprint::run_length(std::int64_t slot, std::int64_t wanted) const {
  if (is_empty_ || slot < lowest_ || slot > highest_) return 0;
  if (is_dense_) return std::min(wanted, highest_ - slot + 1);
  if (!bits_.empty()) return run_in_bits(slot - lowest_, wanted);
  std::int64_t run = 0;  // blocks of different levels may touch: (1 x 2) + (5 x 2) + (7 x 2) covers 5, 6, 7, 8
  while (run < wanted && slot + run <= highest_) {
    const std::int64_t more = run_in_nest(slot + run - lowest_, wanted - run);
    if (more == 0) break;
    run += more;
  }
  return run;
}

std::int64_t Footprint::distance_above_covered(std::int64_t slot) const {
  LOCKSTEP_CHECK(!is_empty_ && slot >= lowest_ && slot <= highest_, "slot outside the footprint's range");
  std::int64_t distance = slot - lowest_;
  if (!bits_.empty()) {
    std::int64_t below = distance;
    while (run_in_bits(below, 1) == 0) --below;  // ends: the lowest slot is covered
    return distance - below;
  }
  for (const auto& [stride, count] : nest_) distance -= std::min(distance / stride, count - 1) * stride;
  return distance;
}

std::int64_t Footprint::run_in_nest(std::int64_t distance, std::int64_t wanted) const {
  std::int64_t run = 1;
  for (const auto& [stride, count] : nest_) {
    const std::int64_t index = distance / stride;
    if (index >= count) return 0;
    distance -= index * stride;
    run = stride == 1 ? count - index : 1;
  }
  return distance == 0 ? std::min(run, wanted) : 0;
}

std::int64_t Footprint::run_in_bits(std::int64_t distance, std::int64_t wanted) const {
  std::int64_t run = 0;
  const std::int64_t last = highest_ - lowest_;
  while (run < wanted && distance + run <= last) {
    const std::int64_t bit = distance + run;
    if (((bits_[static_cast<std::size_t>(bit / 64)] >> (bit % 64)) & 1U) == 0) break;
    ++run;
  }
  return run;
}

std::optional<std::vector<std::int64_t>> find_index(std::span<const std::int64_t> shape,
                                                    std::span<const std::int64_t> strides, std::int64_t slot) {
  if (std::find(shape.begin(), shape.end(), 0) != shape.end()) return std::nullopt;
  std::vector<std::size_t> order;
  for (std::size_t d = 0; d < shape.size(); ++d) {
    if (shape[d] > 1 && strides[d] != 0) order.push_back(d);
  }
  const std::optional<ProgressionSum> sum = normalise(shape, strides);
  if (!sum || slot < sum->shift || slot > sum->shift + sum->reach) return std::nullopt;
  const auto size_of = [&](std::size_t d) { return strides[d] < 0 ? -strides[d] : strides[d]; };
  std::sort(order.begin(), order.end(),
            [&](std::size_t a, std::size_t b) { return size_of(a) != size_of(b) ? size_of(a) > size_of(b) : a < b; });
  std::vector<Progression> sorted;
  sorted.reserve(order.size());
  for (const std::size_t d : order) sorted.push_back({size_of(d), shape[d]});
  std::int64_t budget = kSearchSteps;
  const auto found = solve(sorted, slot - sum->shift, budget);
  if (!found) return std::nullopt;
  std::vector<std::int64_t> index(shape.size(), 0);
  for (std::size_t k = 0; k < order.size(); ++k) {
    const std::size_t d = order[k];
    index[d] = strides[d] < 0 ? shape[d] - 1 - (*found)[k] : (*found)[k];
  }
  return index;
}

namespace {

// Adds the window's progressions in bytes (elements are runs of bytes); false: overflow.
bool append_bytes(const ByteWindow& window, ProgressionSum& all, std::int64_t& shift) {
  const std::optional<ProgressionSum> sum = normalise(window.shape, window.strides);
  if (!sum || sum->reach > (std::int64_t{1} << 50) / window.element_bytes) return false;
  shift = sum->shift * window.element_bytes;
  for (const Progression& p : sum->progressions) all.progressions.push_back({p.stride * window.element_bytes, p.count});
  if (window.element_bytes > 1) all.progressions.push_back({1, window.element_bytes});
  return true;
}

}  // namespace

// A shared byte is base_a + p = base_b + q with p, q sums of progressions; q mirrored (reach_b - q) is again such a
// sum, so the question is whether one number is in one larger sum.
std::optional<bool> share_a_byte(const ByteWindow& a, const ByteWindow& b) {
  const auto has_zero = [](std::span<const std::int64_t> shape) {
    return std::find(shape.begin(), shape.end(), 0) != shape.end();
  };
  if (has_zero(a.shape) || has_zero(b.shape)) return false;
  ProgressionSum all;
  std::int64_t shift_a = 0, shift_b = 0;
  if (!append_bytes(a, all, shift_a)) return std::nullopt;
  const std::int64_t reach_a = reach_of(all.progressions);
  if (!append_bytes(b, all, shift_b)) return std::nullopt;
  const std::int64_t reach_b = reach_of(all.progressions) - reach_a;
  const std::uint64_t low_a = a.base + static_cast<std::uint64_t>(shift_a);
  const std::uint64_t low_b = b.base + static_cast<std::uint64_t>(shift_b);
  const auto lead = static_cast<std::int64_t>(low_b - low_a);  // addresses are below 2^63 apart
  if (lead > reach_a || -lead > reach_b) return false;
  merge_progressions(all.progressions);
  std::int64_t budget = kSearchSteps;
  const bool found = solve(all.progressions, lead + reach_b, budget).has_value();
  if (!found && budget <= 0) return std::nullopt;
  return found;
}

}  // namespace lockstep::memory_model
