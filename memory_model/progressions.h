// Sums of arithmetic progressions: the arithmetic under footprint.h. A sum of progressions is the set of all values
// sum(i_d * stride_d), 0 <= i_d < count_d. Private to the room. Invariant: nothing here overflows; it refuses sums that
// would.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace lockstep::memory_model {

/// Arithmetic progression 0, stride, ..., stride * (count - 1). Canonical: stride > 0, count > 1.
struct Progression {
  std::int64_t stride = 1;
  std::int64_t count = 1;
};

/// Progressions with positive strides and the shift that moves them: the set is shift + sum(progressions).
struct ProgressionSum {
  std::int64_t shift = 0;                 // the smallest value
  std::int64_t reach = 0;                 // the largest value less the smallest
  std::vector<Progression> progressions;  // counts > 1, strides > 0
};

/// Turns signs, drops dimensions that do not move. Every shape must be > 0. nullopt: overflow.
std::optional<ProgressionSum> normalise(std::span<const std::int64_t> shape, std::span<const std::int64_t> strides);
/// Joins pairs whose sum is one progression, until none is left; then sorts by falling stride.
void merge_progressions(std::vector<Progression>& progressions);
/// True if each stride is larger than what all later progressions reach together (falling strides): sums are unique.
bool is_nested(std::span<const Progression> progressions);
/// Sum of the largest values. Cannot overflow after normalise().
std::int64_t reach_of(std::span<const Progression> progressions);
/// Solves value = sum(i_d * stride_d); falling strides. nullopt: no solution. Takes from `budget`, which is 0 when
/// exhausted.
std::optional<std::vector<std::int64_t>> solve(std::span<const Progression> progressions, std::int64_t value,
                                               std::int64_t& budget);

}  // namespace lockstep::memory_model
