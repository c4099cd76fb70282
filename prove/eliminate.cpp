#include "prove/eliminate.h"

#include <algorithm>
#include <cstddef>
#include <functional>
#include <iterator>
#include <utility>

#include "prove/linear.h"

namespace lockstep::prove {
namespace {

constexpr std::size_t kMostRests = 24, kMostTerms = 80, kMostDegree = 6, kMostFacts = 300, kMostDivisors = 3;
constexpr Effort kQuick{6, 60, 0};

bool has_multiple_of(const Poly& poly, const Monomial& monomial) {
  constexpr std::size_t kFewTerms = 3;  // of more the search grows too fast
  Monomial ignored;
  return std::any_of(poly.terms().begin(), poly.terms().end(), [&](const auto& term) {
    return term.first == monomial || (poly.terms().size() <= kFewTerms && term.second > 0 && divide(term.first, monomial, ignored));
  });
}

}  // namespace

struct Elimination::Search {
  std::vector<Poly> facts;
  std::set<Poly> seen{};
  std::vector<CertificateStep> way{};  // from the goal to here
  std::vector<Decided> rests{};        // polynomials of the launch's numbers, and the way to them
  int nodes = 0;
  bool notes_rests = true;
  std::size_t steps = 0;
};

struct Elimination::Node {
  Poly goal;  // cut
  Integer divisor;  // that it was cut by
  int depth = 0;
  Monomial bad{};  // a term that may be negative, and its innermost atom
  Integer coefficient{};
  AtomId inner = 0;
};

Poly cut(const Poly& poly, Integer* divisor) {
  if (divisor != nullptr) *divisor = 1;
  Integer factor = 0;
  for (const auto& [monomial, coefficient] : poly.terms()) {
    if (!monomial.empty()) factor = gcd(factor, coefficient);
  }
  if (factor <= 1) return poly;
  if (divisor != nullptr) *divisor = factor;
  Poly result(floor_divide(poly.constant(), factor));
  for (const auto& [monomial, coefficient] : poly.terms()) {
    if (!monomial.empty()) result.add(monomial, coefficient / factor);
  }
  return result;
}

// Facts of the atoms in sight, and of the atoms that those name.
std::vector<Poly> Elimination::usable_facts(const Poly& goal, const Path* path, const std::vector<Poly>& facts, Use use) const {
  std::vector<Poly> all = facts;
  for (const Path* at = path; at != nullptr; at = at->parent)
    std::copy_if(at->facts.begin(), at->facts.end(), std::back_inserter(all), [&](const Poly& fact) { return use.takes_multiples || !is_multiple(fact); });
  const std::size_t before = use.is_path_first ? all.size() : facts.size();
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
  // After masks: an atom's own bounds before what joins it to others; so are lemmas, size - 1 - quotient.
  const auto is_lemma = [&](const Poly& fact) {
    if (fact.terms().size() != 3 || fact.constant() != -1) return false;
    return std::any_of(fact.terms().begin(), fact.terms().end(), [&](const auto& term) {
      return term.second == -1 && term.first.size() == 1 && atoms_[term.first[0]].kind == AtomKind::quotient;
    });
  };
  const auto is_bound = [&](const Poly& fact) {  // by a number of the launch
    return fact.terms().size() <= 2 && std::any_of(fact.terms().begin(), fact.terms().end(), [&](const auto& term) {
      return term.first.size() <= 1 && atoms_.rank(term.first) == kOfLaunch;
    });
  };
  std::stable_partition(all.begin() + static_cast<std::ptrdiff_t>(before), all.end(),
                        [&](const Poly& fact) { return is_bound(fact) || is_lemma(fact); });
  return all;
}

bool Elimination::is_multiple(const Poly& fact) const {
  if (fact.terms().size() != 1 || fact.degree() != 1 || fact.terms().begin()->second >= 0) return false;
  const Atom& atom = atoms_[fact.terms().begin()->first[0]];
  return atom.kind == AtomKind::remainder && atom.rank == kOfLaunch;
}

// What is left speaks of the launch alone; terms of other atoms that are not negative may be left out.
void Elimination::note_rest(Search& search, const Node& node) const {
  if (!search.notes_rests || search.rests.size() >= kMostRests) return;
  Poly rest;
  for (const auto& [monomial, coefficient] : node.goal.terms()) {
    if (atoms_.rank(monomial) == kOfLaunch)
      rest.add(monomial, coefficient);
    else if (coefficient < 0 || !atoms_.is_not_negative(monomial))
      return;
  }
  CertificateStep last{.divide = node.divisor};
  rest = cut(rest, &last.times);
  if (rest.is_constant()) return;
  const bool is_known =
      std::any_of(search.rests.begin(), search.rests.end(), [&](const Decided& one) { return one.goal == rest; });
  if (is_known) return;
  last.fact = rest;
  search.rests.push_back({std::move(rest), {.steps = search.way}});
  search.rests.back().why.steps.push_back(std::move(last));
}

bool Elimination::is_plain(const Poly& goal) const {
  const Poly whole = cut(goal, nullptr);
  return std::all_of(whole.terms().begin(), whole.terms().end(),
                     [&](const auto& term) { return term.second > 0 && atoms_.is_not_negative(term.first); });
}

bool Elimination::try_fact(Search& search, const Node& node, const Poly& fact, bool is_last) const {
  for (const auto& [part, weight] : fact.terms()) {
    if ((weight > 0) != (node.coefficient > 0)) continue;
    Monomial by;
    if (!divide(node.bad, part, by) || !atoms_.is_not_negative(by)) continue;
    const bool has_inner = std::find(part.begin(), part.end(), node.inner) != part.end();
    if (!has_inner) {  // a constant: only where it brings no new term, or a factor of one
      if (!part.empty()) continue;
      bool is_there = true;
      for (const auto& [other, ignored] : fact.terms())
        is_there = is_there && (other.empty() || has_multiple_of(node.goal, product(other, by)));
      if (!is_there) continue;
    }
    const Integer common = gcd(weight, node.coefficient);
    const Integer scale = abs(weight) / common, times = abs(node.coefficient) / common;
    // All are integers: goal >= 0 if scale * goal + scale - 1 >= 0.
    Poly next = node.goal.times(scale, {}) + Poly(scale - 1) - fact.times(times, by);
    if (next.terms().size() > kMostTerms || next.degree() > kMostDegree) continue;
    if (is_last && !is_plain(next)) continue;
    search.way.push_back({.divide = node.divisor, .scale = scale, .times = times, .by = by, .fact = fact});
    if (descend(search, std::move(next), node.depth - 1)) return ++search.steps, true;
    search.way.pop_back();
  }
  return false;
}

bool Elimination::descend(Search& search, Poly goal, int depth) const {
  Node node{.goal = {}, .divisor = 1, .depth = depth};
  node.goal = cut(goal, &node.divisor);
  const Monomial* bad = nullptr;
  std::pair<std::uint8_t, AtomId> worst{0, 0};
  bool is_of_launch = true;
  for (const auto& [monomial, coefficient] : node.goal.terms()) {
    if (coefficient > 0 && atoms_.is_not_negative(monomial)) continue;
    std::pair<std::uint8_t, AtomId> here{0, 0};
    for (const AtomId id : monomial) here = std::max(here, {atoms_[id].rank, id});
    is_of_launch = is_of_launch && here.first == kOfLaunch;
    if (bad == nullptr || here >= worst) bad = &monomial, worst = here;
  }
  if (bad == nullptr) return true;
  if (is_of_launch) note_rest(search, node);
  if (depth == 0 || ++search.nodes > 400 || atoms_.is_stopped() || !search.seen.insert(node.goal).second) return false;
  node.bad = *bad;
  node.coefficient = node.goal.terms().at(*bad);
  node.inner = worst.second;
  // What ends the search at once comes first: others may spend all nodes.
  const auto ends = [&](const Poly& fact) { return try_fact(search, node, fact, true); };
  if (std::any_of(search.facts.begin(), search.facts.end(), ends)) return true;
  for (const Poly& fact : search.facts) {
    if (try_fact(search, node, fact, false)) return true;
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
bool Elimination::descend_scaled(Search& search, const Poly& goal, const Path* path, Effort effort) const {
  for (const Poly& divisor : divisors(search, goal, path)) {
    Poly scaled = divisor * goal + divisor - Poly(1);
    if (scaled.terms().size() > kMostTerms || scaled.degree() > kMostDegree) continue;
    Search again{.facts = usable_facts(scaled, path, search.facts)};
    again.notes_rests = false;
    again.nodes = 400 - effort.nodes;
    again.way.push_back({.factor = divisor});
    if (!descend(again, std::move(scaled), effort.depth)) continue;
    search.way = std::move(again.way);
    return true;
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
std::optional<Decided> Elimination::weakest(const Search& search, const Preference& prefers) const {
  std::vector<Decided> rests = search.rests;
  const auto is_preferred = [&](const Decided& rest) { return prefers(rest.goal); };
  if (prefers && std::any_of(rests.begin(), rests.end(), is_preferred)) std::erase_if(rests, std::not_fn(is_preferred));
  const std::vector<Decided> all = rests;
  std::erase_if(rests, [&](const Decided& rest) { return names_remainder(rest.goal); });
  std::optional<Decided> best;
  for (const Decided& rest : rests.empty() ? all : rests) {
    if (proves(Poly(-1) - rest.goal, nullptr, {}, kQuick)) continue;  // no launch has it
    if (!best || proves(rest.goal - best->goal, nullptr, {}, kQuick)) best = rest;
  }
  return best;
}

bool Elimination::proves(const Poly& goal, const Path* path, const std::vector<Poly>& facts, Effort effort,
                         Certificate* why) const {
  Search search{.facts = usable_facts(goal, path, facts)};
  search.notes_rests = false;
  search.nodes = 400 - effort.nodes;
  if (descend(search, goal, effort.depth) || descend_scaled(search, goal, path, effort)) {
    if (why != nullptr) *why = {.steps = std::move(search.way)};
    return true;
  }
  if (effort.cases <= 0) return false;
  Verdict verdict = decide_by_cases(goal, path, facts, effort, {});
  if (why != nullptr) *why = std::move(verdict.why);
  return verdict.is_proved;
}

bool Elimination::proves_by_sum(const Poly& goal, const Path* path, const std::vector<Poly>& facts, Certificate& why) const {
  auto found = prove_by_sum(goal, usable_facts(goal, path, facts), atoms_);
  if (found) why = std::move(*found);
  return found.has_value();
}

// Of what a number of the launch is a multiple matters to few goals. To the others it is so many more words: they are asked
// without it first, and a condition is taken that does without it.
Verdict Elimination::decide(const Poly& goal, const Path* path, const std::vector<Poly>& facts, Effort effort,
                            const Preference& prefers) const {
  bool has_multiples = false;
  for (const Path* at = path; at != nullptr && !has_multiples; at = at->parent)
    has_multiples = std::any_of(at->facts.begin(), at->facts.end(), [&](const Poly& fact) { return is_multiple(fact); });
  for (const auto& [monomial, coefficient] : goal.terms()) {
    for (const AtomId id : monomial) has_multiples = has_multiples && !(atoms_[id].kind == AtomKind::quotient || atoms_[id].kind == AtomKind::remainder);
  }
  if (!has_multiples) return decide_with(goal, path, facts, effort, prefers);
  effort.takes_multiples = false;
  Verdict plain = decide_with(goal, path, facts, effort, prefers);
  if (plain.is_proved) return plain;
  effort.takes_multiples = true;
  Verdict all = decide_with(goal, path, facts, effort, prefers);
  const bool is_plain_enough = !plain.suffices.empty() && (!prefers || std::all_of(plain.suffices.begin(), plain.suffices.end(), prefers));
  return all.is_proved || !is_plain_enough ? all : plain;
}

Verdict Elimination::decide_with(const Poly& goal, const Path* path, const std::vector<Poly>& facts, Effort effort,
                                 const Preference& prefers) const {
  Search search{.facts = usable_facts(goal, path, facts, {false, effort.takes_multiples})};
  search.nodes = 400 - effort.nodes;
  if (descend(search, goal, effort.depth)) return {true, {}, search.steps, {.steps = search.way}};
  if (descend_scaled(search, goal, path, effort)) return {true, {}, search.steps + 1, {.steps = search.way}};
  if (effort.cases > 0) {
    Verdict by_cases = decide_by_cases(goal, path, facts, effort, prefers);
    if (by_cases.is_proved || !by_cases.suffices.empty()) return by_cases;
  }
  // Bounds may spend all nodes: what a branch asked for says where a chunk ends.
  if (prefers && std::none_of(search.rests.begin(), search.rests.end(), [&](const Decided& rest) { return prefers(rest.goal); })) {
    Search again{.facts = usable_facts(goal, path, facts, {true, effort.takes_multiples})};
    if (descend(again, goal, effort.depth)) return {true, {}, again.steps, {.steps = again.way}};
    std::move(again.rests.begin(), again.rests.end(), std::back_inserter(search.rests));
  }
  Verdict verdict;
  if (search.rests.empty() && proves_by_sum(goal, path, facts, verdict.why)) return verdict.is_proved = true, verdict;
  if (auto rest = weakest(search, prefers)) {
    verdict.suffices.push_back(std::move(rest->goal));
    verdict.why = std::move(rest->why);
  }
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

// What is >= 0 in each of the cases, of which one is always there: first what tells them apart, then the atom's value.
std::vector<std::vector<Poly>> Elimination::cases_of(AtomId id) const {
  const Atom& atom = atoms_[id];
  const Poly &a = atom.operands[0], &b = atom.operands[1];
  std::vector<std::vector<Poly>> all(1);
  if (atom.kind == AtomKind::selection) {
    atom.condition.consequences(all[0]);
    for (const Formula& part : atom.condition.negated().alternatives()) part.consequences(all.emplace_back());
  } else {
    const bool is_minimum = atom.kind == AtomKind::minimum;
    all = {{is_minimum ? b - a : a - b}, {is_minimum ? a - b : b - a}};
  }
  for (std::size_t i = 0; i < all.size(); ++i) {
    const Poly difference = Poly::atom(id) - (i == 0 ? a : b);
    all[i].push_back(difference);
    all[i].push_back(Poly() - difference);
  }
  return all;
}

std::optional<Certificate> Elimination::contradiction(const std::vector<Poly>& hypotheses, const Path* path,
                                                      const std::vector<Poly>& facts) const {
  for (std::size_t i = 0; i + 2 < hypotheses.size(); ++i) {
    Certificate why;
    if (!proves(Poly(-1) - hypotheses[i], path, facts, kQuick, &why)) continue;
    why.is_absurd = true;
    why.steps.insert(why.steps.begin(), CertificateStep{.times = 1, .fact = hypotheses[i]});
    return why;
  }
  return std::nullopt;
}

Verdict Elimination::decide_by_cases(const Poly& goal, const Path* path, const std::vector<Poly>& facts,
                                     Effort effort, const Preference& prefers) const {
  const auto id = splitting_atom(goal, path, facts);
  if (!id) return {};
  --effort.cases;
  Verdict all{true, {}, 0, {.cases_of = id}};
  for (const std::vector<Poly>& hypotheses : cases_of(*id)) {
    if (auto why = contradiction(hypotheses, path, facts)) {
      all.why.cases.push_back(std::move(*why));
      continue;
    }
    std::vector<Poly> more = facts;
    more.insert(more.end(), hypotheses.end() - 2, hypotheses.end());
    more.insert(more.end(), hypotheses.begin(), hypotheses.end() - 2);
    Verdict one = decide_with(goal, path, more, effort, prefers);
    if (!one.is_proved && one.suffices.empty()) return {};
    all.is_proved = all.is_proved && one.is_proved;
    all.suffices.insert(all.suffices.end(), one.suffices.begin(), one.suffices.end());
    all.steps += one.steps;
    all.why.cases.push_back(std::move(one.why));
  }
  return all;
}

}  // namespace lockstep::prove
