#include "driver/proving/mend.h"

#include <algorithm>
#include <tuple>
#include <utility>

namespace lockstep::driver {
namespace {

using prove::AtomId;
using prove::Integer;
using prove::Numbers;

constexpr int kMostChanges = 48;
const Integer kLargest = Integer(1) << 20;

}  // namespace

Mend::Mend(const prove::Atoms& atoms, std::vector<AtomId> free, std::map<AtomId, Integer> multiples, std::vector<prove::Poly> wanted)
    : atoms_(atoms), free_(std::move(free)), multiples_(std::move(multiples)), wanted_(std::move(wanted)) {}

bool Mend::holds(std::size_t which, const Numbers& numbers) const {
  const auto value = prove::evaluate(wanted_[which], numbers, atoms_);
  return value && *value >= 0;
}

std::size_t Mend::count_broken(const Numbers& numbers) const {
  std::size_t count = 0;
  for (std::size_t i = 0; i < wanted_.size(); ++i) {
    if (!holds(i, numbers)) ++count;
  }
  return count;
}

// In steps of what it has to be a multiple of. Between a number that does and one that does not, the end is found by halving.
std::optional<Integer> Mend::nearest(std::size_t which, AtomId id, Numbers numbers, bool goes_up) const {
  const auto factor = multiples_.find(id);
  const Integer step = factor == multiples_.end() ? Integer(1) : factor->second;
  const Integer start = prove::floor_divide(numbers[id] + step - 1, step);
  const auto meets_at = [&](const Integer& count) {
    numbers[id] = count * step;
    return holds(which, numbers);
  };
  const Integer farthest = goes_up ? Integer(prove::floor_divide(kLargest, step) - start) : Integer(start - 1);
  const auto at = [&](const Integer& away) { return goes_up ? Integer(start + away) : Integer(start - away); };
  Integer far = std::min<Integer>(1, farthest);
  if (far < 1) return std::nullopt;
  while (!meets_at(at(far))) {
    if (far == farthest) return std::nullopt;
    far = std::min<Integer>(far * 2, farthest);
  }
  Integer near = 0;
  while (far - near > 1) {
    const Integer middle = (far + near) / 2;
    (meets_at(at(middle)) ? far : near) = middle;
  }
  return at(far) * step;
}

std::optional<Mend::Change> Mend::best_change(std::size_t which, const Numbers& numbers) const {
  std::map<AtomId, bool> named;
  prove::parameters_of(wanted_[which], atoms_, named);
  std::optional<Change> best;
  for (const AtomId id : free_) {
    if (!named.contains(id)) continue;
    for (const bool goes_up : {false, true}) {
      const auto number = nearest(which, id, numbers, goes_up);
      if (!number || *number < 1) continue;
      Numbers changed = numbers;
      changed[id] = *number;
      const Change here{id, *number, count_broken(changed)};
      if (!best || std::tie(here.broken, here.number) < std::tie(best->broken, best->number)) best = here;
    }
  }
  return best;
}

bool Mend::mend(Numbers& numbers) {
  for (int i = 0; i < kMostChanges; ++i) {
    std::size_t which = 0;
    while (which < wanted_.size() && holds(which, numbers)) ++which;
    if (which == wanted_.size()) return true;
    unmet_ = which;
    const auto change = best_change(which, numbers);
    if (!change) return false;
    numbers[change->id] = change->number;
  }
  return false;
}

}  // namespace lockstep::driver
