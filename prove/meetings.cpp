#include "prove/meetings.h"

#include <algorithm>
#include <set>
#include <utility>

#include "ir/text/python_name.h"
#include "prove/words.h"

namespace lockstep::prove {

// Atomics of one width do not race with each other.
void Meetings::decide(const std::vector<Site>& sites) {
  constexpr std::size_t kMostPairs = 400;
  Pairs pairs(atoms_, contract_.grid, ragged_);
  std::size_t count = 0;
  for (std::size_t i = 0; i < sites.size() && (contract_.wants_races || contract_.wants_lanes); ++i) {
    const Site& a = sites[i];
    if (contract_.wants_lanes && a.writes && !a.is_atomic && a.op->operand(0)->type().is_tensor()) decide_lanes(a, pairs);
    for (std::size_t j = i; j < sites.size() && contract_.wants_races; ++j) {
      const Site& b = sites[j];
      if (a.base != b.base || !(a.writes || b.writes) || (a.is_atomic && b.is_atomic && a.bytes == b.bytes)) continue;
      if (++count > kMostPairs) return ledger_.leave_open(*a.op, Property::races, "too many pairs of accesses", argument_name(*a.base));
      decide_pair(a, b, pairs);
    }
  }
}

// pid % d without pid // d: one program for each remainder. Else one alone.
std::vector<Poly> Meetings::extents_meant(const Site& site, std::size_t axis) const {
  if (!ledger_.is_free_extent(contract_.grid[axis])) return {};
  const Poly program = Poly::atom(atoms_.program(axis, contract_.grid[axis]));
  std::vector<Poly> found;
  std::set<AtomId> letters;
  letters_of(site.at, atoms_, letters);
  for (const AtomId id : letters) {
    const Atom& atom = atoms_[id];
    if (atom.kind == AtomKind::remainder && atom.operands[0] == program && atoms_.rank(atom.operands[1]) == kOfLaunch) found.push_back(atom.operands[1]);
  }
  found.push_back(1);
  return found;
}

// Where no proof is found, what would do becomes a fact, one after another; if that leads to a proof, a condition. Else
// few programs along an axis of the grid may be what is meant.
std::optional<Apart> Meetings::apart_under_conditions(const Site& site, Property property, const Pairs& pairs, const Search& search) {
  constexpr std::size_t kMostConditions = 6;
  std::vector<Poly>& known = ledger_.root()->facts;
  const std::size_t before = known.size();
  const auto is_new = [&](const Poly& rest) {
    return atoms_.may_be_named(rest, ledger_.root()) && std::find(known.begin(), known.end(), rest) == known.end() &&
           !ledger_.elimination().proves(Poly(-1) - rest, ledger_.root());
  };
  auto why = search();
  while (!why && known.size() < before + kMostConditions) {
    const std::vector<Poly>& rests = pairs.suffices();
    const auto better = std::find_if(rests.begin(), rests.end(), [&](const Poly& rest) { return ledger_.is_plausible(rest, property) && is_new(rest); });
    if (better == rests.end()) break;
    known.push_back(Poly(*better));
    why = search();
  }
  for (std::size_t axis = 0; axis < 3 && !why && property == Property::races; ++axis) {
    for (const Poly& extent : extents_meant(site, axis)) {
      if (why) break;
      known.resize(before);
      const Poly few = extent - contract_.grid[axis];
      if (!is_new(few)) continue;
      known.push_back(few);
      why = search();
    }
  }
  if (why) leave_out_implied(before, search, *why);
  for (std::size_t i = before; i < known.size() && why; ++i)
    statement_.conditions.push_back({known[i], site.op, property, argument_name(*site.base)});
  if (!why) known.resize(before);
  return why;
}

// Of the conditions from `before` on: what came first may follow from what came last.
void Meetings::leave_out_implied(std::size_t before, const Search& search, Apart& why) {
  std::vector<Poly>& known = ledger_.root()->facts;
  for (std::size_t i = before; i + 1 < known.size();) {
    const Poly left_out = known[i];
    known.erase(known.begin() + static_cast<std::ptrdiff_t>(i));
    if (auto without = search())
      why = std::move(*without);
    else
      known.insert(known.begin() + static_cast<std::ptrdiff_t>(i++), left_out);
  }
}

void Meetings::decide_lanes(const Site& site, Pairs& pairs) {
  if (auto why = apart_under_conditions(site, Property::lanes, pairs, [&] { return pairs.lanes_apart(site); })) {
    statement_.pairs.push_back({site.op, site.op, true, std::move(*why)});
    ++statement_.lanes;
    return;
  }
  Query doubt = pairs.lanes_meet(site);
  if (ledger_.settle_outside(doubt, *site.op, Property::lanes, "two lanes may touch the same bytes", argument_name(*site.base)))
    ++statement_.lanes;
}

void Meetings::decide_pair(const Site& a, const Site& b, Pairs& pairs) {
  if (auto why = apart_under_conditions(a, Property::races, pairs, [&] { return pairs.programs_apart(a, b); })) {
    statement_.pairs.push_back({a.op, b.op, false, std::move(*why)});
    ++statement_.races;
    return;
  }
  const std::string other = a.op == b.op ? "itself in another program" : ir::shown_name(*b.op) + " at " + place_text(*b.op);
  Query doubt = pairs.programs_meet(a, b);
  if (ledger_.settle_outside(doubt, *a.op, Property::races, "may touch the bytes of " + other, argument_name(*a.base)))
    ++statement_.races;
}

}  // namespace lockstep::prove
