// AccessMap: what an access of a tile does to memory, counted: lanes that are on, off and outside; the different bytes
// that they touch, their sectors and cache lines, the distance from lane to lane. `map` and lockstep/accessMap.
// Invariant: counts are exact, and sectors are counted as the lints do (memory_model/byte_runs.h). access_lanes_of()
// and lanes_of_pointers() (pointer_lanes.h) find the lanes of an access. Not here: the engine, text.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "memory_model/byte_runs.h"

namespace lockstep::debugger {

/// A tile's lanes, row-major.
struct LaneAddresses {
  enum class LaneMark : std::uint8_t { off, inside, outside };  // outside: on, but the access path refuses it
  std::vector<std::int64_t> shape;                          // empty: a scalar
  std::int64_t bytes = 0;                                   // of an element
  std::int32_t view = -1;                // of the address space: the argument that the pointers come from; -1: unknown
  std::vector<std::uint64_t> addresses;  // of a lane that is off: what its pointer says
  std::vector<LaneMark> marks;
};

struct AccessMap {
  std::vector<std::int64_t> shape;
  std::int64_t bytes_each = 0;
  std::int32_t view = -1;
  std::int64_t lanes = 0, masked = 0, inside = 0, outside = 0;  // lanes = masked + inside + outside
  std::int64_t elements = 0;                                    // different addresses of lanes inside

  // Of the lanes inside:
  std::vector<memory_model::Extent> runs;  // different bytes
  std::uint64_t bytes = 0;                 // of all runs
  std::uint64_t sectors = 0, lines = 0;    // of 32 and of 128 bytes
  std::uint64_t hole_bytes = 0;            // between the first run and the last one
  /// By dimension of the tile: bytes from a lane to the next one along it, where that is the same for all lanes that
  /// are on; nullopt: it differs, or no two neighbours are on.
  std::vector<std::optional<std::int64_t>> strides;

  struct Lane {
    std::int64_t lane = 0;  // row-major
    std::uint64_t address = 0;
  };
  std::vector<Lane> outside_lanes;  // the first kMostOutside

  /// Addresses of the first and the last element inside. Precondition: inside > 0.
  std::uint64_t first() const { return runs.front().begin; }
  std::uint64_t last() const { return runs.back().end - static_cast<std::uint64_t>(bytes_each); }
  /// Share of the sectors' (lines') bytes that is used, 0 to 1.
  double sector_use() const { return share(sectors * memory_model::kSectorBytes); }
  double line_use() const { return share(lines * memory_model::kLineBytes); }

 private:
  double share(std::uint64_t moved) const {
    return moved == 0 ? 0 : static_cast<double>(bytes) / static_cast<double>(moved);
  }
};

inline constexpr std::size_t kMostOutside = 16;

AccessMap map_access(const LaneAddresses& lanes);

/// A stretch of memory in a ruler.
struct RulerCell {
  std::uint64_t begin = 0;   // address
  std::uint64_t used = 0;    // bytes that lanes inside touch
  std::uint64_t holds = 0;   // bytes of `buffer` in it
  std::int64_t outside = 0;  // lanes outside that begin here
};
/// Stretches of equal length, whole sectors, that together cover the touched bytes, and `buffer` if that needs no
/// longer ones. Lanes outside count if they are no farther away than the length of the inside. `most` >= 1 cells.
struct Ruler {
  std::uint64_t cell_bytes = 0;
  std::vector<RulerCell> cells;  // empty: nothing is touched
};
Ruler ruler_of(const LaneAddresses& lanes, const AccessMap& map, const memory_model::Extent& buffer, std::size_t most);

}  // namespace lockstep::debugger
