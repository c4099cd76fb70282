// Whether the order of combination matters in a region: compares f(x, y) with f(y, x), and f(f(x, y), z) with f(x, f(y,
// z)), on sample numbers. A layout may combine in any order, so that the result of such a region is unknown; Triton
// leaves that to the kernel. Invariant: differences of the size of roundings never count. Not here: a proof of
// associativity; sample numbers may miss a rare case.
#include <algorithm>
#include <random>

#include "enclosure/rules/fold.h"
#include "enclosure/rules/region.h"

namespace lockstep::enclosure {

namespace {

constexpr std::int64_t kSamples = 64;
constexpr std::int64_t kLeastComparable = 8, kPartThatShows = 8;  // one comparable sample in eight


/// Numbers that a format mostly holds exactly: floats of 1 to 2.5. None is negative or small, because a region may be
/// meant for a subset of numbers: a part of Welford's variance is a count.
BoundsRef samples_of(ScalarKind kind, std::mt19937_64& random) {
  const auto made = std::make_shared<Bounds>(kSamples);
  for (std::int64_t i = 0; i < kSamples; ++i) {
    const std::uint64_t bits = random();
    const double number = is_float(kind)           ? static_cast<double>(64 + bits % 96) / 64
                          : kind == ScalarKind::i1 ? static_cast<double>(bits % 2)
                                                   : static_cast<double>(1 + bits % 64);
    made->set(i, point(number));
  }
  if (is_float(kind)) round_bounds(kind, *made);
  return made;
}

/// Farther apart than roundings of numbers of this size.
bool are_apart(ScalarKind kind, const Interval& a, const Interval& b) {
  if (!is_float(kind)) return a.high < b.low || b.high < a.low;
  constexpr int kFinest = 10, kRoundings = 3;
  const double part = std::ldexp(1.0, -std::min(format_of(kind).precision - kRoundings, kFinest));
  const double size = 1 + std::max({-a.low, a.high, -b.low, b.high});
  return std::max(b.low - a.high, a.low - b.high) > part * size;
}

bool is_comparable(const Interval& a) { return !a.is_unbounded() && !a.is_nan() && a.is_finite(); }

/// Whether one of the results differs, for more of the samples than coincidence explains.
bool differ(const ir::Region& region, const Tiles& a, const Tiles& b) {
  for (std::size_t r = 0; r < a.size(); ++r) {
    const ScalarKind kind = kind_of(*region.front().argument(r));
    std::int64_t comparable = 0, apart = 0;
    for (std::int64_t i = 0; i < kSamples; ++i) {
      const Interval left = a[r]->at(i), right = b[r]->at(i);
      if (!is_comparable(left) || !is_comparable(right)) continue;
      ++comparable;
      apart += are_apart(kind, left, right) ? 1 : 0;
    }
    if (comparable >= kLeastComparable && apart * kPartThatShows >= comparable) return true;
  }
  return false;
}

std::optional<Tiles> combined(EncloseContext& outside, const ir::Region& region, const std::optional<Tiles>& a,
                              const std::optional<Tiles>& b) {
  if (!a || !b) return std::nullopt;
  Tiles arguments = *a;
  arguments.insert(arguments.end(), b->begin(), b->end());
  return evaluate_region(outside, region, arguments);
}

}  // namespace

bool order_shows(EncloseContext& outside, const ir::Region& region) {
  std::mt19937_64 random(1);
  const std::size_t places = region.front().arguments().size() / 2;
  std::optional<Tiles> x(std::in_place), y(std::in_place), z(std::in_place);
  for (auto* tiles : {&x, &y, &z}) {
    for (std::size_t i = 0; i < places; ++i)
      (*tiles)->push_back(samples_of(kind_of(*region.front().argument(i)), random));
  }
  const auto xy = combined(outside, region, x, y);
  if (!xy) return false;
  const auto left = combined(outside, region, xy, z);
  const auto right = combined(outside, region, x, combined(outside, region, y, z));
  if (left && right && differ(region, *left, *right)) return true;
  const auto yx = combined(outside, region, y, x);
  return yx && differ(region, *xy, *yx);
}

}  // namespace lockstep::enclosure
