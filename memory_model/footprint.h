// Footprint: the exact set of slots that a strided window covers. A slot is one element wide; slot k starts k elements
// after the window's base. Slot k is covered when k = sum(i_d * stride_d) for some index with 0 <= i_d < shape_d.
// Invariant: answers are exact for any rank, sign and overlap of strides; a query never takes longer than the number of
// dimensions (regular windows) or one bit test per slot (irregular windows, which carry a bitmap).
// Does not know addresses or storages. Method: sums of arithmetic progressions, merged while the sum stays a
// progression.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "memory_model/progressions.h"

namespace lockstep::memory_model {

class Footprint {
 public:
  /// Largest slot range for which an irregular window gets its bitmap (128 MiB of bits).
  static constexpr std::int64_t kMaxIrregularSlots = std::int64_t{1} << 30;

  Footprint() = default;  // covers nothing
  /// shape and strides in elements, the same length, shape >= 0. nullopt: the arithmetic overflows 64 bits, or the
  /// window is irregular and wider than kMaxIrregularSlots.
  static std::optional<Footprint> make(std::span<const std::int64_t> shape, std::span<const std::int64_t> strides);

  bool is_empty() const { return is_empty_; }
  /// Every slot from lowest() to highest() is covered.
  bool is_dense() const { return is_dense_; }
  std::int64_t lowest() const { return lowest_; }  // covered slots; lowest <= 0 <= highest unless empty
  std::int64_t highest() const { return highest_; }
  bool covers(std::int64_t slot) const { return run_length(slot, 1) > 0; }
  /// Covered slots in a row from `slot` on, counted up to `wanted`; 0 if `slot` is not covered.
  std::int64_t run_length(std::int64_t slot, std::int64_t wanted) const;
  /// Slots from the nearest covered slot at or below `slot` to it; slot within [lowest(), highest()].
  std::int64_t distance_above_covered(std::int64_t slot) const;
  /// Distinct slots covered.
  std::int64_t slot_count() const { return slot_count_; }

 private:
  std::int64_t run_in_nest(std::int64_t distance, std::int64_t wanted) const;
  std::int64_t run_in_bits(std::int64_t distance, std::int64_t wanted) const;

  bool is_empty_ = true, is_dense_ = false;
  std::int64_t lowest_ = 0, highest_ = -1, slot_count_ = 0;
  std::vector<Progression> nest_;    // strides falling, each larger than all the later ones reach together
  std::vector<std::uint64_t> bits_;  // irregular windows: bit (slot - lowest)
};

/// An index of `slot`: the solution of slot = sum(i_d * stride_d) with 0 <= i_d < shape_d that has the smallest outer
/// indices among dimensions of smaller stride; 0 along dimensions of stride 0. nullopt: none, or more than 2^20 steps
/// to find it.
std::optional<std::vector<std::int64_t>> find_index(std::span<const std::int64_t> shape,
                                                    std::span<const std::int64_t> strides, std::int64_t slot);

/// A window in bytes, for comparing windows of different element sizes.
struct ByteWindow {
  std::uint64_t base = 0;  // address of element (0, 0, ...)
  std::int64_t element_bytes = 1;
  std::span<const std::int64_t> shape, strides;  // elements
};
/// True if some byte belongs to an element of both. nullopt: too irregular to decide in 2^20 steps (treat as "may
/// share").
std::optional<bool> share_a_byte(const ByteWindow& a, const ByteWindow& b);

}  // namespace lockstep::memory_model
