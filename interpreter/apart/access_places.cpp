#include "interpreter/apart/access_places.h"

#include <algorithm>

#include "interpreter/apart/place_reader.h"
#include "interpreter/launch/machine.h"
#include "ir/analysis/nesting.h"

namespace lockstep::interpreter::apart {

AccessPlaces::AccessPlaces(const ir::Op& kernel, const std::vector<PlainAccess>& accesses)
    : numbers_(kernel, accesses) {
  for (const PlainAccess& access : accesses) {
    AccessPlace& place = places_.emplace_back();
    place.is_write = access.is_write;
    if (ir::is_inside(*access.op, kernel)) PlaceReader(kernel, numbers_).read(*access.op, place);
    if (place.is_known) continue;
    place.arguments.assign(access.memory.arguments.begin(), access.memory.arguments.end());
    is_complete_ = is_complete_ && !access.memory.is_unknown;
  }
}

namespace {

Wide product_of_factors(const std::vector<KernelNumbers::Index>& factors, const KernelNumbers::Values& values,
                        bool& is_known) {
  Wide factor = 1;
  for (const KernelNumbers::Index index : factors) {
    const Range& range = values[index];
    is_known = is_known && range.is_one();
    factor *= range.low;
    is_known = is_known && factor < ProgramPlace::kMost && factor > -ProgramPlace::kMost;
    if (!is_known) return 0;
  }
  return factor;
}

void add_run(ProgramPlace& place, Wide step, const Range& range) {
  constexpr Wide kMost = ProgramPlace::kMost;
  place.is_known = place.is_known && range.low > -kMost && range.high < kMost;
  if (!place.is_known) return;
  const Wide count = range.high - range.low + 1;
  place.base += step * (step < 0 ? range.high : range.low);
  if (step != 0 && count > 1) place.runs.push_back({step < 0 ? -step : step, count});
}

}  // namespace

/// Nothing if the access is never made, or not logged.
void AccessPlaces::put(const Launch& launch, const KernelNumbers::Values& values, const AccessPlace& place,
                       std::size_t argument, std::vector<ProgramPlace>& out) const {
  const Tile& tile = launch.arguments[argument];
  if (tile.provenance < 0) return;
  const ViewRange& view = launch.views[static_cast<std::size_t>(tile.provenance)];
  if (!view.is_logged) return;
  ProgramPlace made;
  made.is_write = place.is_write;
  made.begin = view.begin;
  made.end = view.end;
  made.bytes = place.bytes;
  made.base = tile.base;
  made.is_known = place.is_known;
  for (const KernelNumbers::Index index : place.exact)
    made.is_known = made.is_known && !values.wraps[static_cast<std::size_t>(index)];
  for (const PlaceTerm& term : place.terms) {
    const Wide factor = product_of_factors(term.factors, values, made.is_known);
    if (!made.is_known) break;
    if (term.axis >= 0) {
      made.step[static_cast<std::size_t>(term.axis)] += factor;
      made.is_known = term.counter < 0;
      continue;
    }
    Range range = values[term.number];
    for (const NumberBound& bound : term.bounds) {
      const Range& than = values[bound.than];
      if (bound.is_upper) range.high = std::min(range.high, than.high + bound.more);
      if (!bound.is_upper) range.low = std::max(range.low, than.low + bound.more);
    }
    if (range.low > range.high) return;
    if (term.counter >= 0) {
      const Range& counter = values[term.counter];
      if (counter.low > counter.high) return;
      const Wide turns = (counter.high - counter.low) / std::max(values[term.step].low, Wide{1}) + 1;
      range = product_of(range, {0, turns - 1});
    }
    add_run(made, factor, range);
  }
  out.push_back(std::move(made));
}

bool AccessPlaces::find_out(const Launch& launch, const std::vector<Range>& arrays) const {
  const KernelNumbers::Values values = numbers_.in_launch(launch, arrays);
  std::vector<ProgramPlace> places;
  places.reserve(places_.size());
  for (const AccessPlace& place : places_) {
    for (const std::size_t argument : place.arguments) put(launch, values, place, argument, places);
  }
  return programs_are_apart(places, launch.grid);
}

namespace {

/// All of a launch that the answer depends on.
std::vector<std::uint64_t> question_of(const Launch& launch, const std::vector<Range>& arrays) {
  std::vector<std::uint64_t> words;
  words.reserve(launch.grid.size() + 4 * launch.arguments.size() + 2 * arrays.size());
  for (const std::int64_t count : launch.grid) words.push_back(static_cast<std::uint64_t>(count));
  for (const Range& range : arrays)
    words.insert(words.end(), {static_cast<std::uint64_t>(range.low), static_cast<std::uint64_t>(range.high)});
  for (const Tile& argument : launch.arguments) {
    words.push_back(argument.base);
    if (argument.provenance < 0) continue;
    const ViewRange& view = launch.views[static_cast<std::size_t>(argument.provenance)];
    words.insert(words.end(), {view.begin, view.end, view.is_logged ? std::uint64_t{1} : 0});
  }
  return words;
}

}  // namespace

bool AccessPlaces::are_apart(const Launch& launch) const {
  if (!is_complete_) return false;
  const std::vector<Range> arrays = numbers_.arrays_in(launch);
  std::vector<std::uint64_t> question = question_of(launch, arrays);
  {
    const std::lock_guard lock(mutex_);
    if (last_.question == question) return last_.are_apart;
  }
  const bool answer = find_out(launch, arrays);
  const std::lock_guard lock(mutex_);
  last_ = {std::move(question), answer};
  return answer;
}

}  // namespace lockstep::interpreter::apart
