#include "debugger/queries/access_map.h"

#include <algorithm>

namespace lockstep::debugger {

using memory_model::Extent;
using LaneMark = LaneAddresses::LaneMark;

namespace {

std::int64_t byte_distance(std::uint64_t from, std::uint64_t to) { return static_cast<std::int64_t>(to - from); }

/// Bytes from each lane that is on to its neighbour along dimension `d`.
std::optional<std::int64_t> stride_along(const LaneAddresses& lanes, std::size_t d) {
  std::int64_t inner = 1;
  for (std::size_t i = d + 1; i < lanes.shape.size(); ++i) inner *= lanes.shape[i];
  const std::int64_t extent = lanes.shape[d], count = static_cast<std::int64_t>(lanes.addresses.size());
  std::optional<std::int64_t> stride;
  for (std::int64_t lane = 0; lane + inner < count; ++lane) {
    if (lane / inner % extent == extent - 1) continue;
    const auto here = static_cast<std::size_t>(lane), there = static_cast<std::size_t>(lane + inner);
    if (lanes.marks[here] == LaneMark::off || lanes.marks[there] == LaneMark::off) continue;
    const std::int64_t found = byte_distance(lanes.addresses[here], lanes.addresses[there]);
    if (stride && *stride != found) return std::nullopt;
    stride = found;
  }
  return stride;
}

std::uint64_t common(const Extent& a, const Extent& b) {
  const std::uint64_t begin = std::max(a.begin, b.begin), end = std::min(a.end, b.end);
  return begin < end ? end - begin : 0;
}

}  // namespace

AccessMap map_access(const LaneAddresses& lanes) {
  AccessMap map;
  map.shape = lanes.shape;
  map.bytes_each = lanes.bytes;
  map.view = lanes.view;
  map.lanes = static_cast<std::int64_t>(lanes.addresses.size());
  std::vector<std::uint64_t> starts;
  for (std::size_t i = 0; i < lanes.addresses.size(); ++i) {
    if (lanes.marks[i] == LaneMark::off) {
      ++map.masked;
    } else if (lanes.marks[i] == LaneMark::inside) {
      starts.push_back(lanes.addresses[i]);
    } else if (++map.outside <= static_cast<std::int64_t>(kMostOutside)) {
      map.outside_lanes.push_back({static_cast<std::int64_t>(i), lanes.addresses[i]});
    }
  }
  map.inside = static_cast<std::int64_t>(starts.size());
  std::sort(starts.begin(), starts.end());
  starts.erase(std::unique(starts.begin(), starts.end()), starts.end());
  map.elements = static_cast<std::int64_t>(starts.size());
  for (const std::uint64_t start : starts) map.runs.push_back({start, start + static_cast<std::uint64_t>(lanes.bytes)});
  memory_model::join_runs(map.runs);
  map.bytes = memory_model::bytes_of_runs(map.runs);
  map.sectors = memory_model::units_of(map.runs, memory_model::kSectorBytes);
  map.lines = memory_model::units_of(map.runs, memory_model::kLineBytes);
  if (!map.runs.empty()) map.hole_bytes = map.runs.back().end - map.runs.front().begin - map.bytes;
  for (std::size_t d = 0; d < lanes.shape.size(); ++d) map.strides.push_back(stride_along(lanes, d));
  return map;
}

namespace {

/// The range of the ruler: what is touched, with nearby lanes outside.
Extent shown_extent(const LaneAddresses& lanes, const AccessMap& map) {
  Extent shown;
  bool is_known = map.inside > 0;
  if (is_known) shown = {map.runs.front().begin, map.runs.back().end};
  const Extent inside = shown;
  const std::uint64_t reach = std::max(inside.bytes(), memory_model::kLineBytes);
  for (std::size_t i = 0; i < lanes.addresses.size(); ++i) {
    if (lanes.marks[i] != LaneMark::outside) continue;
    const Extent lane{lanes.addresses[i], lanes.addresses[i] + static_cast<std::uint64_t>(lanes.bytes)};
    if (lane.end < lane.begin) continue;  // around the end of the address space
    if (!is_known) shown = lane;
    const bool is_near = map.inside == 0 ? lane.begin - std::min(lane.begin, shown.begin) <= reach &&
                                               shown.end - std::min(shown.end, lane.end) <= reach
                                         : lane.begin <= inside.end + reach && lane.end + reach >= inside.begin;
    is_known = true;
    if (is_near) shown = {std::min(shown.begin, lane.begin), std::max(shown.end, lane.end)};
  }
  return shown;
}

/// Whole sectors.
Extent in_sectors(Extent extent) {
  constexpr std::uint64_t kUnit = memory_model::kSectorBytes;
  return {extent.begin / kUnit * kUnit, (extent.end - 1) / kUnit * kUnit + kUnit};
}

void fill_cells(const LaneAddresses& lanes, const AccessMap& map, const Extent& buffer, Ruler& ruler) {
  const std::uint64_t begin = ruler.cells.front().begin, size = ruler.cell_bytes;
  for (RulerCell& cell : ruler.cells) cell.holds = common({cell.begin, cell.begin + size}, buffer);
  for (const Extent& run : map.runs) {
    for (std::uint64_t i = (run.begin - begin) / size; i < ruler.cells.size(); ++i) {
      const std::uint64_t used = common({ruler.cells[i].begin, ruler.cells[i].begin + size}, run);
      if (used == 0) break;
      ruler.cells[i].used += used;
    }
  }
  for (std::size_t i = 0; i < lanes.addresses.size(); ++i) {
    if (lanes.marks[i] != LaneMark::outside || lanes.addresses[i] < begin) continue;
    const std::uint64_t cell = (lanes.addresses[i] - begin) / size;
    if (cell < ruler.cells.size()) ++ruler.cells[cell].outside;
  }
}

}  // namespace

Ruler ruler_of(const LaneAddresses& lanes, const AccessMap& map, const Extent& buffer, std::size_t most) {
  Ruler ruler;
  Extent shown = shown_extent(lanes, map);
  if (shown.bytes() == 0) return ruler;
  shown = in_sectors(shown);
  if (buffer.bytes() > 0) {
    const Extent whole = in_sectors({std::min(shown.begin, buffer.begin), std::max(shown.end, buffer.end)});
    if (whole.bytes() <= most * memory_model::kSectorBytes) shown = whole;
  }
  const std::uint64_t sectors = shown.bytes() / memory_model::kSectorBytes;
  const std::uint64_t each = (sectors + most - 1) / most;
  ruler.cell_bytes = each * memory_model::kSectorBytes;
  for (std::uint64_t at = 0; at < sectors; at += each)
    ruler.cells.push_back({.begin = shown.begin + at * memory_model::kSectorBytes});
  fill_cells(lanes, map, buffer, ruler);
  return ruler;
}

}  // namespace lockstep::debugger
