#include "interpreter/fusion/group_space.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <utility>

namespace lockstep::interpreter {

void GroupSpace::turn() {
  if (rank < 2 || extent[rank - 2] == 1 || extent[rank - 1] == 1) return;
  int along = 0, down = 0;
  for (std::size_t t = 0; t < track_count; ++t) {
    const std::int64_t row = std::abs(row_stride(*tracks[t])), column = std::abs(column_stride(*tracks[t]));
    if (!tracks[t]->is_memory || row == 0 || column == 0) continue;
    along += column < row ? 1 : 0;
    down += row < column ? 1 : 0;
  }
  if (down <= along) return;
  is_turned = true;
  std::swap(extent[rank - 2], extent[rank - 1]);
  for (std::size_t t = 0; t < track_count; ++t) std::swap(tracks[t]->stride[rank - 2], tracks[t]->stride[rank - 1]);
  for (std::size_t b = 0; b < interval_count; ++b) {
    std::swap(intervals[b]->low[rank - 2], intervals[b]->low[rank - 1]);
    std::swap(intervals[b]->high[rank - 2], intervals[b]->high[rank - 1]);
  }
}

void GroupSpace::merge() {
  std::size_t made = 0;
  if (rank == 1) {
    rows = 1;
    columns = extent[0];
    return;
  }
  for (std::size_t d = 0; d < rank; ++d) {
    const std::int64_t count = extent[d];
    if (count == 1) continue;
    bool merges = made > 0;
    for (std::size_t t = 0; t < track_count && merges; ++t)
      merges = static_cast<std::uint64_t>(tracks[t]->stride[made - 1]) ==
               static_cast<std::uint64_t>(tracks[t]->stride[d]) * static_cast<std::uint64_t>(count);
    for (std::size_t b = 0; b < interval_count && merges; ++b)
      merges = intervals[b]->low[d] == 0 && intervals[b]->high[d] == count;
    const std::size_t place = merges ? made - 1 : made++;
    extent[place] = merges ? extent[place] * count : count;
    for (std::size_t t = 0; t < track_count; ++t) tracks[t]->stride[place] = tracks[t]->stride[d];
    for (std::size_t b = 0; b < interval_count; ++b) {
      GroupInterval& interval = *intervals[b];
      interval.low[place] = merges ? interval.low[place] * count : interval.low[d];
      interval.high[place] = merges ? interval.high[place] * count : interval.high[d];
    }
  }
  rank = made;
  rows = rank > 1 ? extent[rank - 2] : 1;
  columns = rank > 0 ? extent[rank - 1] : 1;
}

void GroupSpace::cut(std::int64_t elements) {
  strip_rows = rows > 1 && columns <= kShortRow ? std::clamp<std::int64_t>(elements / columns, 1, rows) : 1;
  strip_columns = std::min(columns, elements);
}

GroupPart part_of(const GroupSpace& space, const GroupStrip& strip, const GroupInterval& interval) {
  GroupPart part{0, strip.rows, 0, strip.columns};
  for (std::size_t d = 0; d < space.outer_rank(); ++d) {
    if (strip.outer[d] < interval.low[d] || strip.outer[d] >= interval.high[d]) part.row_high = 0;
  }
  if (space.rank > 0) {
    const std::size_t d = space.rank - 1;
    part.column_low = std::max<std::int64_t>(part.column_low, interval.low[d] - strip.column);
    part.column_high = std::min(part.column_high, interval.high[d] - strip.column);
  }
  if (space.rank > 1) {
    const std::size_t d = space.rank - 2;
    part.row_low = std::max<std::int64_t>(part.row_low, interval.low[d] - strip.row);
    part.row_high = std::min(part.row_high, interval.high[d] - strip.row);
  }
  return part;
}

void write_mask(const GroupStrip& strip, const GroupPart& part, char* out) {
  std::memset(out, 0, static_cast<std::size_t>(strip.count()));
  for (std::int64_t r = part.row_low; r < part.row_high; ++r) {
    std::memset(out + r * strip.columns + part.column_low, 1,
                static_cast<std::size_t>(part.column_high - part.column_low));
  }
}

}  // namespace lockstep::interpreter
