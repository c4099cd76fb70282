// Tiles without kernels: a machine on its own, random tiles in every form, and their elements as an oracle sees them.
// Invariant: the same seed gives the same tiles. For tests of forms and accesses; kernels as text are run by
// launch_fixture.h.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <random>
#include <vector>

#include "interpreter/access/load_store.h"
#include "interpreter/plan/structure.h"
#include "interpreter/tile/dense.h"
#include "interpreter/tile/rows.h"

namespace lockstep::interpreter {

class TileLab {
 public:
  explicit TileLab(unsigned seed) : random(seed) {
    launch.plan = &plan;
    machine.emplace(launch);
  }

  static TileType type_of(ScalarKind kind, std::vector<std::int64_t> shape) {
    TileType type;
    type.kind = kind;
    type.element_bytes = size_bytes(kind);
    for (const std::int64_t extent : shape) type.count *= extent;
    type.shape = std::move(shape);
    return type;
  }
  std::int64_t below(std::int64_t n) { return static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(n)); }
  bool often() { return below(3) != 0; }
  /// Rank 1 to 3, at most `most` elements a dimension.
  std::vector<std::int64_t> shape(std::int64_t most) {
    std::vector<std::int64_t> made(static_cast<std::size_t>(1 + below(3)));
    for (std::int64_t& extent : made) extent = often() ? 1 + below(most) : 1;
    return made;
  }
  /// Small mostly, near the ends of the kind sometimes.
  std::int64_t number(ScalarKind kind) {
    const std::int64_t small = below(41) - 20;
    if (often()) return small;
    return small >= 0 ? highest_of(kind) - small : lowest_of(kind) - (1 + small);
  }

  Tile uniform(const TileType& type) {
    return uniform_tile(truncate_bits(type.kind, static_cast<std::uint64_t>(number(type.kind))));
  }
  /// Affine where the range admits it, else uniform.
  Tile affine(const TileType& type) {
    AffineView view;
    view.base = number(type.kind);
    for (std::size_t d = 0; d < type.shape.size(); ++d) view.stride[d] = often() ? below(9) - 4 : 0;
    Tile made;
    return from_affine(view, type, made) ? made : uniform(type);
  }
  /// Dense with own memory; repeated along some dimensions where `repeats`.
  Tile dense(const TileType& type, bool repeats) {
    TileType own = type;
    own.count = 1;
    const auto kept = static_cast<std::size_t>(below(type.rank()));
    for (std::size_t d = 0; d < own.shape.size(); ++d) {
      if (repeats && (d != kept || !often())) own.shape[d] = 1;
      own.count *= own.shape[d];
    }
    Tile made = machine->allocate(own);
    for (std::int64_t i = 0; i < own.count; ++i) {
      const std::int64_t value = type.kind == ScalarKind::i1 ? below(2) : number(type.kind);
      std::memcpy(made.data() + i * own.element_bytes, &value, static_cast<std::size_t>(own.element_bytes));
    }
    for (std::size_t d = 0; d < own.shape.size(); ++d) made.stride[d] = own.shape[d] == 1 ? 0 : made.stride[d];
    made.is_contiguous = own.count == type.count;
    if (made.is_contiguous) set_row_major(type, made.stride);
    return made;
  }
  Tile box(const TileType& type) {
    Box made;
    for (std::size_t d = 0; d < type.shape.size(); ++d) {
      made.low[d] = often() ? 0 : below(type.shape[d]);
      made.high[d] = often() ? type.shape[d] : made.low[d] + 1 + below(type.shape[d] - made.low[d]);
    }
    return from_box(made, type);
  }
  /// In any form. Holds a count.
  Tile any(const TileType& type) {
    switch (below(5)) {
      case 0: return type.kind == ScalarKind::i1 ? uniform_tile(static_cast<std::uint64_t>(below(2))) : uniform(type);
      case 1: return type.kind == ScalarKind::i1 ? box(type) : affine(type);
      case 2: return dense(type, false);
      case 3: return rows(type);
      default: return dense(type, true);
    }
  }
  /// In the form rows where that can be, else some other.
  Tile rows(const TileType& type) {
    const bool is_mask = type.kind == ScalarKind::i1;
    const Temporary first(*machine, dense(type, true)), second(*machine, is_mask ? box(type) : affine(type));
    Tile made;
    const bool works = is_mask ? and_row_masks(*machine, *first, *second, type, made)
                               : add_rows(*machine, *first, *second, type, false, made);
    if (works) return made;
    BufferPool::retain(*first);
    return *first;
  }
  /// The elements as the bits of their kind.
  std::vector<std::uint64_t> elements(const Tile& tile, const TileType& type) {
    const Temporary packed(*machine, make_contiguous(*machine, tile, type));
    std::vector<std::uint64_t> out(static_cast<std::size_t>(type.count));
    for (std::size_t i = 0; i < out.size(); ++i) {
      const auto size = static_cast<std::size_t>(type.element_bytes);
      std::memcpy(&out[i], packed->data() + i * size, size);
    }
    return out;
  }

  std::mt19937 random;
  Plan plan;
  Launch launch;
  std::optional<Machine> machine;
};

}  // namespace lockstep::interpreter
