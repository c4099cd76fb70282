#include "driver/proving/far_trials.h"

#include <algorithm>
#include <array>
#include <set>
#include <utility>

namespace lockstep::driver {
namespace {

using prove::Integer;
using prove::Numbers;
using prove::Poly;

constexpr std::array<std::int64_t, 9> kBases{1, 2, 3, 5, 8, 16, 33, 64, 128};
constexpr std::int64_t kLarge = 5000;
constexpr std::size_t kMostTried = 3, kMostTriedLarge = 4;
const Integer kMostFarElements = Integer(1) << 34;

struct Pair {
  Numbers beyond, within;
  Integer elements;  // of all tensors, beyond
  bool has_large = false;  // another number than the raised one
};

class Far {
 public:
  Far(const FarQuestion& question, std::size_t which)
      : asked_(question), rest_(question.statement.conditions[which].rest), which_(which) {}
  Boundary find();

 private:
  std::optional<Integer> value(const Poly& poly, const Numbers& numbers) const { return asked_.launcher.value(poly, numbers); }
  bool is_launch(Numbers& numbers) const;
  std::optional<Pair> raise(const Numbers& base, prove::AtomId id) const;
  std::vector<Numbers> bases() const;
  std::vector<Numbers> bases_with_large() const;
  std::vector<Pair> pairs() const;
  std::optional<Integer> elements(const Numbers& numbers) const;
  std::optional<Trial> run(const Numbers& numbers) const;
  std::string corners(const Numbers& numbers) const;

  const FarQuestion& asked_;
  const Poly& rest_;
  std::size_t which_;
};

// Of the contract, and all conditions but this one.
bool Far::is_launch(Numbers& numbers) const {
  for (const prove::AtomId id : asked_.free) {
    if (!asked_.launcher.meets(asked_.asked.atoms[id].facts, numbers)) return false;
  }
  static constexpr std::array<std::int64_t, 3> kMostOfGrid{2147483647, 65535, 65535};
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const auto extent = value(asked_.asked.contract.grid[axis], numbers);
    if (!extent || *extent < 1 || *extent > kMostOfGrid[axis]) return false;
  }
  if (!asked_.launcher.meets(asked_.asked.contract.facts, numbers) || !asked_.own_enough(numbers)) return false;
  for (std::size_t i = 0; i < asked_.statement.conditions.size(); ++i) {
    if (i != which_ && !asked_.launcher.meets({asked_.statement.conditions[i].rest}, numbers)) return false;
  }
  return true;
}

// The least number for `id` that misses the condition, all others being those of `base`.
std::optional<Pair> Far::raise(const Numbers& base, prove::AtomId id) const {
  const auto misses = [&](const Integer& number) {
    Numbers numbers = base;
    numbers[id] = number;
    const auto rest = value(rest_, numbers);
    return rest && *rest < 0;
  };
  Integer low = base.at(id), high = low;
  if (misses(low)) return std::nullopt;
  for (int doublings = 0; !misses(high); ++doublings, high *= 2) {
    if (doublings == 48) return std::nullopt;
    low = high;
  }
  while (high - low > 1) {
    const Integer middle = (low + high) / 2;
    (misses(middle) ? high : low) = middle;
  }
  Pair pair{base, base, 0};
  pair.beyond[id] = high;
  pair.within[id] = low;
  if (!is_launch(pair.beyond) || !is_launch(pair.within)) return std::nullopt;
  const auto elements_beyond = elements(pair.beyond);
  if (!elements_beyond) return std::nullopt;
  pair.elements = *elements_beyond;
  return pair;
}

std::optional<Integer> Far::elements(const Numbers& numbers) const {
  Integer all = 0;
  for (const auto& [name, poly] : asked_.asked.contract.elements) {
    const auto here = value(poly, numbers);
    if (!here || *here > kMostFarElements) return std::nullopt;
    all += *here;
  }
  return all;
}

// All numbers alike, and all but one, which is 1.
std::vector<Numbers> Far::bases() const {
  std::vector<Numbers> all;
  for (const std::int64_t size : kBases) {
    Numbers base;
    for (const prove::AtomId id : asked_.free) base[id] = size;
    all.push_back(base);
    for (const prove::AtomId id : asked_.free) {
      Numbers other = base;
      other[id] = 1;
      if (size > 1 && size % 8 == 0) all.push_back(std::move(other));
    }
  }
  return all;
}

// One number may turn all lanes off where it is large.
std::vector<Numbers> Far::bases_with_large() const {
  std::vector<Numbers> all;
  for (const prove::AtomId large : asked_.free) {
    Numbers base;
    for (const prove::AtomId id : asked_.free) base[id] = id == large ? kLarge : 2;
    all.push_back(std::move(base));
  }
  return all;
}

std::vector<Pair> Far::pairs() const {
  std::map<prove::AtomId, bool> named;
  prove::parameters_of(rest_, asked_.asked.atoms, named);
  std::vector<Pair> all;
  for (const bool has_large : {false, true}) {
    for (const Numbers& base : has_large ? bases_with_large() : bases()) {
      for (const prove::AtomId id : asked_.free) {
        if (!named.contains(id) || (has_large && base.at(id) == kLarge)) continue;
        auto pair = raise(base, id);
        if (!pair) continue;
        pair->has_large = has_large;
        all.push_back(std::move(*pair));
      }
    }
  }
  std::stable_sort(all.begin(), all.end(), [](const Pair& a, const Pair& b) { return a.elements < b.elements; });
  return all;
}

// The first and the last program along every axis.
std::string Far::corners(const Numbers& numbers) const {
  std::set<std::array<std::string, 3>> places;
  for (unsigned corner = 0; corner < 8; ++corner) {
    std::array<std::string, 3> place;
    for (std::size_t axis = 0; axis < 3; ++axis) {
      const Integer last = *value(asked_.asked.contract.grid[axis], numbers) - 1;
      place[axis] = (corner >> axis & 1U) != 0 ? last.str() : "0";
    }
    places.insert(place);
  }
  std::string text;
  for (const auto& [x, y, z] : places) text += (text.empty() ? "" : ";") + x + "," + y + "," + z;
  return text;
}

// nullopt: it could not be made, or does not end soon.
std::optional<Trial> Far::run(const Numbers& numbers) const {
  auto trial = asked_.launcher.make(numbers, {kMostFarElements, false});
  if (!trial) return std::nullopt;
  trial->only = corners(numbers);
  if (!asked_.launcher.launch(*trial, true, "overflow")) return std::nullopt;
  return trial;
}

Boundary Far::find() {
  Boundary boundary;
  std::size_t tried = 0, failed = 0, tried_large = 0;
  for (const Pair& pair : pairs()) {
    if (pair.has_large ? tried_large == kMostTriedLarge : tried - tried_large == kMostTried) continue;
    auto within = run(pair.within), beyond = run(pair.beyond);
    if (!within || !beyond) continue;
    ++tried;
    tried_large += pair.has_large ? 1 : 0;
    if (!within->failures.empty()) {
      boundary.contradiction = std::move(*within);
      return boundary;
    }
    if (beyond->failures.empty()) continue;
    ++failed;
    if (!boundary.beyond) boundary.beyond = std::move(*beyond);
  }
  boundary.is_exact = tried > 0 && failed == tried;
  return boundary;
}

}  // namespace

bool is_of_numbers(const prove::Condition& condition) {
  return condition.property == prove::Property::integers || condition.property == prove::Property::loops;
}

Boundary find_far_boundary(const FarQuestion& question, std::size_t which) { return Far(question, which).find(); }

}  // namespace lockstep::driver
