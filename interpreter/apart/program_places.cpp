#include "interpreter/apart/program_places.h"

#include <algorithm>
#include <span>

namespace lockstep::interpreter::apart {

namespace {

using Places = std::span<const ProgramPlace>;
using GridExtents = std::array<std::int64_t, 3>;

Wide magnitude(Wide value) { return value < 0 ? -value : value; }

/// Sets [begin, end) to what all programs together may touch.
void narrow(ProgramPlace& place, const GridExtents& grid) {
  if (!place.is_known) return;
  Wide low = place.base, high = place.base + place.bytes;
  for (const PlaceRun& run : place.runs) high += run.step * (run.count - 1);
  for (std::size_t axis = 0; axis < grid.size(); ++axis) {
    const Wide reach = place.step[axis] * (grid[axis] - 1);
    if (reach < 0) low += reach;
    if (reach > 0) high += reach;
  }
  // Addresses beyond wrap, and may come back.
  place.is_known = low >= 0 && high <= Wide{1} << 64;
  if (!place.is_known) return;
  const auto clamp = [&](Wide at) {
    return static_cast<std::uint64_t>(std::clamp(at, Wide{place.begin}, Wide{place.end}));
  };
  const std::uint64_t begin = clamp(low);
  place.end = clamp(high);
  place.begin = begin;
}

/// Along one kind of coordinate (bytes, columns or rows): the stretch that one program touches, and the steps of axes.
class PlaceLine {
 public:
  void add(Wide low, Wide high) {
    low_ = is_empty_ ? low : std::min(low_, low);
    high_ = is_empty_ ? high : std::max(high_, high);
    is_empty_ = false;
  }
  /// Keeps axes in the order of their steps.
  void add_axis(Wide step, std::int64_t count) {
    std::size_t i = size_++;
    for (; i > 0 && axes_[i - 1].step > step; --i) axes_[i] = axes_[i - 1];
    axes_[i] = {step, count};
  }
  /// The stretch of all programs; -1: those of two programs that differ along its axes may overlap.
  Wide length_if_apart() const {
    Wide length = high_ - low_;
    for (std::size_t i = 0; i < size_; ++i) {
      if (axes_[i].step < length) return -1;
      length += axes_[i].step * (axes_[i].count - 1);
    }
    return length;
  }

 private:
  Wide low_ = 0, high_ = 0;
  bool is_empty_ = true;
  std::array<PlaceRun, 3> axes_{};
  std::size_t size_ = 0;
};

/// Memory as rows of `pitch` bytes (0: one row): places that begin in a row end in it, so a byte is one row and one
/// column. Programs that differ along an axis have different rows or different columns.
bool are_apart_in_rows(Places places, const GridExtents& grid, Wide pitch) {
  PlaceLine rows, columns;
  const auto is_rows = [pitch](Wide step) { return pitch != 0 && magnitude(step) >= pitch; };
  for (std::size_t axis = 0; axis < grid.size(); ++axis) {
    if (grid[axis] == 1) continue;
    const Wide step = magnitude(places.front().step[axis]);
    if (!is_rows(step)) {
      columns.add_axis(step, grid[axis]);
    } else {
      if (step % pitch != 0) return false;
      rows.add_axis(step / pitch, grid[axis]);
    }
  }
  Wide origin = places.front().base;
  for (const ProgramPlace& place : places) origin = std::min(origin, place.base);
  for (const ProgramPlace& place : places) {
    const Wide distance = place.base - origin, row = pitch == 0 ? 0 : distance / pitch, column = distance - row * pitch;
    Wide last_row = row, end = column + place.bytes;
    for (const PlaceRun& run : place.runs) {
      if (is_rows(run.step) && run.step % pitch != 0) return false;
      if (is_rows(run.step)) {
        last_row += run.step / pitch * (run.count - 1);
      } else {
        end += run.step * (run.count - 1);
      }
    }
    rows.add(row, last_row + 1);
    columns.add(column, end);
  }
  const Wide length = columns.length_if_apart();
  return length >= 0 && (pitch == 0 || length <= pitch) && rows.length_if_apart() >= 0;
}

/// Places that may share bytes, over all programs.
bool group_is_apart(Places places, const GridExtents& grid) {
  const auto writes = [](const ProgramPlace& place) { return place.is_write; };
  if (std::none_of(places.begin(), places.end(), writes)) return true;
  for (const ProgramPlace& place : places) {
    if (!place.is_known) return false;
    for (std::size_t axis = 0; axis < grid.size(); ++axis) {
      if (grid[axis] != 1 && place.step[axis] != places.front().step[axis]) return false;
    }
  }
  if (are_apart_in_rows(places, grid, 0)) return true;
  Wide tried = 0;
  for (const ProgramPlace& place : places) {
    for (const PlaceRun& run : place.runs) {
      if (run.step <= place.bytes || run.step == tried) continue;
      tried = run.step;
      if (are_apart_in_rows(places, grid, tried)) return true;
    }
  }
  return false;
}

}  // namespace

bool programs_are_apart(std::vector<ProgramPlace>& places, const GridExtents& grid) {
  if (std::any_of(grid.begin(), grid.end(), [](std::int64_t count) { return count < 1; })) return true;
  for (ProgramPlace& place : places) narrow(place, grid);
  std::erase_if(places, [](const ProgramPlace& place) { return place.begin >= place.end; });
  std::sort(places.begin(), places.end(), [](const auto& a, const auto& b) { return a.begin < b.begin; });
  for (std::size_t first = 0, next = 0; first < places.size(); first = next) {
    std::uint64_t end = places[first].end;
    for (next = first + 1; next < places.size() && places[next].begin < end; ++next)
      end = std::max(end, places[next].end);
    if (!group_is_apart(Places(places).subspan(first, next - first), grid)) return false;
  }
  return true;
}

}  // namespace lockstep::interpreter::apart
