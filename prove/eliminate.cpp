#include "prove/eliminate.h"

#include <algorithm>
#include <cstddef>
#include <utility>

namespace lockstep::prove {
namespace {

constexpr std::size_t kMostRests = 12, kMostTerms = 80, kMostDegree = 6, kMostFacts = 300, kMostDivisors = 3;
constexpr Effort kQuick{6, 60, 0};

}  // namespace

struct Elimination::Search {
  std::vector<Poly> facts;
  std::set<Poly> seen{};
  std::vector<Poly> rests{};
  int nodes = 0;
  bool notes_rests = true;
  std::size_t steps = 0;
};

Poly cut(const Poly& poly) {
  Integer factor = 0;
  for (const auto& [monomial, coefficient] : poly.terms()) {
    if (!monomial.empty()) factor = gcd(factor, coefficient);
  }
  if (factor <= 1) return poly;
  Poly result(floor_divide(poly.constant(), factor));
  for (const auto& [monomial, coefficient] : poly.terms()) {
    if (!monomial.empty()) result.add(monomial, coefficient / factor);
  }
  return result;
}

// Facts of the atoms in sight, and of the atoms that those name.
std::vector<Poly> Elimination::usable_facts(const Poly& goal, const Path* path, const std::vector<Poly>& facts) const {
  std::vector<Poly> all = facts;
  for (const Path* at = path; at != nullptr; at = at->parent) all.insert(all.end(), at->facts.begin(), at->facts.end());
  std::set<AtomId> known;
  const auto add_facts_of = [&](const Poly& poly) {
    for (const auto& [monomial, coefficient] : poly.terms()) {
      for (const AtomId id : monomial) {
        if (!known.insert(id).second || !encloses(atoms_[id].scope, path)) continue;
        all.insert(all.end(), atoms_[id].facts.begin(), atoms_[id].facts.end());
      }
    }
  };
  add_facts_of(goal);
  for (std::size_t i = 0; i < all.size() && all.size() < kMostFacts; ++i) add_facts_of(Poly(all[i]));
  // After masks: an atom's own bounds before what joins it to others.
  std::stable_partition(all.begin() + static_cast<std::ptrdiff_t>(facts.size()), all.end(), [](const Poly& fact) {
    return fact.terms().size() <= 2 && fact.terms().begin()->first.empty();
  });
  return all;
}

// What is left speaks of the launch alone; terms of other atoms that are not negative may be left out.
void Elimination::note_rest(Search& search, const Poly& goal) const {
  if (!search.notes_rests || search.rests.size() >= kMostRests) return;
  Poly rest;
  for (const auto& [monomial, coefficient] : goal.terms()) {
    if (atoms_.rank(monomial) == kOfLaunch)
      rest.add(monomial, coefficient);
    else if (coefficient < 0 || !atoms_.is_not_negative(monomial))
      return;
  }
  rest = cut(rest);
  if (rest.is_constant()) return;
  if (std::find(search.rests.begin(), search.rests.end(), rest) == search.rests.end()) search.rests.push_back(rest);
}

bool Elimination::try_fact(Search& search, const Poly& goal, const Monomial& bad, const Integer& coefficient,
                           AtomId inner, const Poly& fact, int depth) const {
  for (const auto& [part, weight] : fact.terms()) {
    if ((weight > 0) != (coefficient > 0)) continue;
    Monomial by;
    if (!divide(bad, part, by) || !atoms_.is_not_negative(by)) continue;
    const bool has_inner = std::find(part.begin(), part.end(), inner) != part.end();
    if (!has_inner) {  // a constant: only where it brings no new term
      if (!part.empty()) continue;
      bool is_there = true;
      for (const auto& [other, ignored] : fact.terms())
        is_there = is_there && (other.empty() || goal.terms().contains(product(other, by)));
      if (!is_there) continue;
    }
    const Integer common = gcd(weight, coefficient);
    const Integer scale = abs(weight) / common, times = abs(coefficient) / common;
    // All are integers: goal >= 0 if scale * goal + scale - 1 >= 0.
    Poly next = goal.times(scale, {}) + Poly(scale - 1) - fact.times(times, by);
    if (next.terms().size() > kMostTerms || next.degree() > kMostDegree) continue;
    if (descend(search, std::move(next), depth - 1)) return ++search.steps, true;
  }
  return false;
}

bool Elimination::descend(Search& search, Poly goal, int depth) const {
  goal = cut(goal);
  const Monomial* bad = nullptr;
  std::pair<std::uint8_t, AtomId> worst{0, 0};
  bool is_of_launch = true;
  for (const auto& [monomial, coefficient] : goal.terms()) {
    if (coefficient > 0 && atoms_.is_not_negative(monomial)) continue;
    std::pair<std::uint8_t, AtomId> here{0, 0};
    for (const AtomId id : monomial) here = std::max(here, {atoms_[id].rank, id});
    is_of_launch = is_of_launch && here.first == kOfLaunch;
    if (bad == nullptr || here >= worst) bad = &monomial, worst = here;
  }
  if (bad == nullptr) return true;
  if (is_of_launch) note_rest(search, goal);
  if (depth == 0 || ++search.nodes > 400 || !search.seen.insert(goal).second) return false;
  const Monomial monomial = *bad;
  const Integer coefficient = goal.terms().at(monomial);
  for (const Poly& fact : search.facts) {
    if (try_fact(search, goal, monomial, coefficient, worst.second, fact, depth)) return true;
    if (search.nodes > 400) return false;
  }
  return false;
}

std::vector<Poly> Elimination::divisors(const Search& search, const Poly& goal, const Path* path) const {
  std::vector<Poly> found;
  const auto look = [&](const Poly& poly) {
    for (const auto& [monomial, coefficient] : poly.terms()) {
      for (const AtomId id : monomial) {
        const Atom& atom = atoms_[id];
        if (atom.kind != AtomKind::quotient || atom.operands[1].is_constant() || !encloses(atom.scope, path)) continue;
        if (std::find(found.begin(), found.end(), atom.operands[1]) == found.end()) found.push_back(atom.operands[1]);
      }
    }
  };
  look(goal);
  for (const Poly& fact : search.facts) look(fact);
  if (found.size() > kMostDivisors) found.resize(kMostDivisors);
  return found;
}

// All are integers, and d >= 1: goal >= 0 if d * goal + d - 1 >= 0.
bool Elimination::descend_scaled(const Search& search, const Poly& goal, const Path* path, Effort effort) const {
  for (const Poly& divisor : divisors(search, goal, path)) {
    Poly scaled = divisor * goal + divisor - Poly(1);
    if (scaled.terms().size() > kMostTerms || scaled.degree() > kMostDegree) continue;
    Search again{.facts = usable_facts(scaled, path, search.facts)};
    again.notes_rests = false;
    again.nodes = 400 - effort.nodes;
    if (descend(again, std::move(scaled), effort.depth)) return true;
  }
  return false;
}

bool Elimination::names_remainder(const Poly& poly) const {
  for (const auto& [monomial, coefficient] : poly.terms()) {
    for (const AtomId id : monomial) {
      if (atoms_[id].kind == AtomKind::remainder) return true;
    }
  }
  return false;
}

// Remainders say the same in more words.
std::optional<Poly> Elimination::weakest(const Search& search) const {
  std::vector<Poly> rests = search.rests;
  std::erase_if(rests, [&](const Poly& rest) { return names_remainder(rest); });
  std::optional<Poly> best;
  for (const Poly& rest : rests.empty() ? search.rests : rests) {
    if (proves(Poly(-1) - rest, nullptr, {}, kQuick)) continue;  // no launch has it
    if (!best || proves(rest - *best, nullptr, {}, kQuick)) best = rest;
  }
  return best;
}

bool Elimination::proves(const Poly& goal, const Path* path, const std::vector<Poly>& facts, Effort effort) const {
  Search search{.facts = usable_facts(goal, path, facts)};
  search.notes_rests = false;
  search.nodes = 400 - effort.nodes;
  if (descend(search, goal, effort.depth) || descend_scaled(search, goal, path, effort)) return true;
  return effort.cases > 0 && decide_by_cases(goal, path, facts, effort).is_proved;
}

Verdict Elimination::decide(const Poly& goal, const Path* path, const std::vector<Poly>& facts, Effort effort) const {
  Search search{.facts = usable_facts(goal, path, facts)};
  search.nodes = 400 - effort.nodes;
  if (descend(search, goal, effort.depth)) return {true, {}, search.steps};
  if (descend_scaled(search, goal, path, effort)) return {true, {}, search.steps + 1};
  if (effort.cases > 0) {
    Verdict by_cases = decide_by_cases(goal, path, facts, effort);
    if (by_cases.is_proved || !by_cases.suffices.empty()) return by_cases;
  }
  Verdict verdict;
  if (const auto rest = weakest(search)) verdict.suffices.push_back(*rest);
  return verdict;
}

// The innermost atom with cases whose case is still open.
std::optional<AtomId> Elimination::splitting_atom(const Poly& goal, const Path* path,
                                                  const std::vector<Poly>& facts) const {
  std::optional<AtomId> found;
  const auto look = [&](const Poly& poly) {
    for (const auto& [monomial, coefficient] : poly.terms()) {
      for (const AtomId id : monomial) {
        const Atom& atom = atoms_[id];
        const bool splits = atom.kind == AtomKind::minimum || atom.kind == AtomKind::maximum ||
                            atom.kind == AtomKind::selection;
        if (splits && encloses(atom.scope, path) && (!found || id > *found) &&
            std::find(facts.begin(), facts.end(), Poly::atom(id) - atom.operands[0]) == facts.end() &&
            std::find(facts.begin(), facts.end(), Poly::atom(id) - atom.operands[1]) == facts.end())
          found = id;
      }
    }
  };
  for (const Poly& poly : usable_facts(goal, path, facts)) look(poly);
  look(goal);
  return found;
}

Verdict Elimination::decide_by_cases(const Poly& goal, const Path* path, const std::vector<Poly>& facts,
                                     Effort effort) const {
  const auto id = splitting_atom(goal, path, facts);
  if (!id) return {};
  const Atom& atom = atoms_[*id];
  const Poly here = Poly::atom(*id), &a = atom.operands[0], &b = atom.operands[1];
  --effort.cases;
  Verdict all{true, {}, 0};
  for (const bool is_first : {true, false}) {
    std::vector<Poly> more = facts;
    const Poly& value = is_first ? a : b;
    more.push_back(here - value);
    more.push_back(value - here);
    if (atom.kind == AtomKind::selection)
      (is_first ? atom.condition : atom.condition.negated()).consequences(more);
    else
      more.push_back((atom.kind == AtomKind::minimum) == is_first ? b - a : a - b);
    const Verdict one = decide(goal, path, more, effort);
    if (!one.is_proved && one.suffices.empty()) return {};
    all.is_proved = all.is_proved && one.is_proved;
    all.suffices.insert(all.suffices.end(), one.suffices.begin(), one.suffices.end());
    all.steps += one.steps;
  }
  return all;
}

}  // namespace lockstep::prove
