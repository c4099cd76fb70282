#include "prove/pairs.h"

#include <algorithm>
#include <array>
#include <set>

namespace lockstep::prove {
namespace {

constexpr int kMostNodes = 400;
constexpr Effort kOfPairs{8, 120, 0}, kAtEnd{8, 300, 0}, kOfParts{8, 400, 0};

std::vector<Poly> joined_facts(std::vector<Poly> a, const std::vector<Poly>& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

/// The goal less a multiple of the fact, if that has fewer terms: certificate's step. Both the fact and its opposite are known.
std::optional<CertificateStep> shorter_by(Poly& goal, const Poly& fact, const Atoms& atoms) {
  for (const auto& [monomial, coefficient] : goal.terms()) {
    for (const auto& [part, weight] : fact.terms()) {
      Monomial by;
      if (part.empty() || coefficient % weight != 0 || !divide(monomial, part, by) || !atoms.is_not_negative(by)) continue;
      const Integer times = coefficient / weight;
      Poly next = goal - fact.times(times, by);
      if (next.terms().size() >= goal.terms().size()) continue;
      goal = std::move(next);
      return CertificateStep{.times = abs(times), .by = std::move(by), .fact = times > 0 ? fact : Poly() - fact};
    }
  }
  return std::nullopt;
}

/// By what is equal: what is left is shorter.
std::vector<CertificateStep> shorten(Poly& goal, const std::vector<Poly>& facts, const Atoms& atoms) {
  std::vector<CertificateStep> steps;
  for (std::size_t before = goal.terms().size() + 1; goal.terms().size() < before;) {
    before = goal.terms().size();
    for (const Poly& fact : facts) {
      if (std::find(facts.begin(), facts.end(), Poly() - fact) == facts.end()) continue;
      if (auto step = shorter_by(goal, fact, atoms)) steps.push_back(std::move(*step));
    }
  }
  return steps;
}

std::size_t sizes_named(const std::vector<Poly>& all) {
  std::set<AtomId> named;
  for (const Poly& poly : all) {
    for (const auto& [monomial, coefficient] : poly.terms()) named.insert(monomial.begin(), monomial.end());
  }
  return named.size();
}

}  // namespace

void letters_of(const Poly& poly, const Atoms& atoms, std::set<AtomId>& into) {
  for (const auto& [monomial, coefficient] : poly.terms()) {
    for (const AtomId id : monomial) {
      if (!into.insert(id).second) continue;
      for (const Poly& operand : atoms[id].operands) letters_of(operand, atoms, into);
    }
  }
}

struct Pairs::Question {
  Poly first, second;  // bytes
  Integer first_bytes, second_bytes;
  const Path* path = nullptr;
  const Path* second_path = nullptr;  // of another point of the launch; null: both are lanes of one
  std::vector<Poly> on{};  // >= 0: masks of both, and the second one's path
  std::vector<Poly> within{};  // of them those without a number of the launch
  std::vector<Poly> leading{};      // numbers that were loaded: compared before all others
  std::vector<Poly> trailing{};     // after them
  std::vector<Poly> differences{};  // compared, one after another
  std::vector<Poly> deciding{};     // where all of these are 0, it is the same point
  std::size_t least = 0;            // of the differences: what decides is asked after so many
  int nodes = 0;
  std::vector<Poly> suffices{};  // >= 0 would keep apart what was not proved apart
};

// By bounds of single letters first, then by everything.
bool Pairs::proves(const Question& question, const std::vector<Poly>& facts, const Poly& goal, Certificate& why) const {
  const Path with_masks{question.path, question.on};
  Poly rest = goal;
  std::vector<CertificateStep> steps = shorten(rest, facts, atoms_);
  if (!elimination_.proves(rest, &with_masks, joined_facts(facts, question.within), kOfPairs, &why) &&
      !elimination_.proves_by_sum(rest, question.path, facts, why) &&  // with masks there may be too many
      !elimination_.proves_by_sum(rest, question.path, joined_facts(facts, question.on), why))
    return false;
  why.steps.insert(why.steps.begin(), steps.begin(), steps.end());
  return true;
}

bool Pairs::try_direction(const Question& question, const std::vector<Poly>& facts, bool is_forward, Apart& found) const {
  const Poly goal = is_forward ? question.second - question.first - Poly(question.first_bytes)
                               : question.first - question.second - Poly(question.second_bytes);
  Certificate why;
  if (!proves(question, facts, goal, why)) return false;
  found.kind = is_forward ? Apart::Kind::forward : Apart::Kind::backward;
  found.goal = goal;
  found.why = std::move(why);
  return true;
}

// Those of the facts that speak of quotients and remainders of what differs, and of nothing else.
std::vector<Poly> Pairs::of_parts(const Poly& difference, const std::vector<Poly>& facts) const {
  std::set<AtomId> whole;
  letters_of(difference, atoms_, whole);
  const auto is_part = [&](AtomId id) {
    const Atom& atom = atoms_[id].kind == AtomKind::primed ? atoms_[static_cast<AtomId>(atoms_[id].index)] : atoms_[id];
    if (atom.kind != AtomKind::quotient && atom.kind != AtomKind::remainder) return false;
    std::set<AtomId> named;
    letters_of(atom.operands[0], atoms_, named);
    return std::any_of(named.begin(), named.end(), [&](AtomId one) { return whole.contains(one); });
  };
  std::vector<Poly> found;
  std::copy_if(facts.begin(), facts.end(), std::back_inserter(found), [&](const Poly& fact) {
    return std::all_of(fact.terms().begin(), fact.terms().end(), [&](const auto& term) {
      return std::all_of(term.first.begin(), term.first.end(), is_part);
    });
  });
  return found;
}

// All that was compared is equal: whether that leaves one point alone.
bool Pairs::try_same(const Question& question, std::size_t compared, const std::vector<Poly>& facts, Apart& found) const {
  std::vector<Equal> equal;
  const auto end = question.differences.begin() + static_cast<std::ptrdiff_t>(compared);
  for (const Poly& difference : question.deciding) {
    if (std::find(question.differences.begin(), end, difference) != end) continue;
    Equal one{difference, {}, {}};
    const std::vector<Poly> parts = of_parts(difference, facts);
    const auto is_proved = [&](const Poly& goal, Certificate& why) {
      return (!parts.empty() && elimination_.proves(goal, question.path, parts, kOfParts, &why)) || proves(question, facts, goal, why);
    };
    if (!is_proved(difference, one.low) || !is_proved(Poly() - difference, one.high)) return false;
    equal.push_back(std::move(one));
  }
  found.kind = Apart::Kind::same;
  found.equal = std::move(equal);
  return true;
}

// There are no two such points: the last case that was taken contradicts what is known everywhere.
bool Pairs::try_contradiction(const Question& question, const std::vector<Poly>& facts, Apart& found) const {
  const Path* root = question.path;
  while (root->parent != nullptr) root = root->parent;
  found.why = {};
  if (!elimination_.proves(Poly(-1) - facts.front(), root, {}, kAtEnd, &found.why)) return false;
  found.kind = Apart::Kind::forward;
  found.goal = question.second - question.first - Poly(question.first_bytes);
  found.why.is_absurd = true;
  found.why.steps.insert(found.why.steps.begin(), CertificateStep{.times = 1, .fact = facts.front()});
  return true;
}

// There are no two such points.
bool Pairs::try_absurd(const Question& question, const std::vector<Poly>& facts, Apart& found) const {
  if (!elimination_.proves_by_sum(Poly(-1), question.path, joined_facts(facts, question.on), found.why)) return false;
  found.kind = Apart::Kind::forward;
  found.goal = question.second - question.first - Poly(question.first_bytes);
  found.why.is_absurd = true;
  return true;
}

void Pairs::note_rests(Question& question, const std::vector<Poly>& facts, int direction) const {
  constexpr std::size_t kMostRests = 6;
  std::array goals{question.second - question.first - Poly(question.first_bytes),
                   question.first - question.second - Poly(question.second_bytes)};
  if (direction < 0) std::swap(goals[0], goals[1]);
  for (const Poly& goal : goals) {
    if (question.suffices.size() >= kMostRests) return;
    const Path with_masks{question.path, question.on};
    std::vector<Poly> by_bounds = elimination_.decide(goal, &with_masks, joined_facts(facts, question.within), kAtEnd).suffices,
                      by_masks = elimination_.decide(goal, question.path, joined_facts(facts, question.on), kAtEnd).suffices;
    // What names more of the launch says more of what is meant: D <= stride rather than 64 <= stride.
    if (sizes_named(by_bounds) < sizes_named(by_masks)) std::swap(by_bounds, by_masks);
    for (const Poly& rest : joined_facts(by_bounds, by_masks)) {
      if (std::find(question.suffices.begin(), question.suffices.end(), rest) == question.suffices.end())
        question.suffices.push_back(rest);
    }
  }
}

std::vector<Poly> Pairs::facts_of_case(const Question& question, const Poly& difference, int sign, const std::vector<Poly>& facts) const {
  std::vector<Poly> more{sign < 0 ? Poly(-1) - difference : sign > 0 ? difference - Poly(1) : difference};
  if (sign == 0) more.push_back(Poly() - difference);
  if (question.second_path == nullptr) return more;
  std::vector<Poly> all = joined_facts(facts, more);
  all = ragged_.between(question.path, question.second_path, all);
  return joined_facts(more, all);
}

// First in the direction of what was compared first.
bool Pairs::search(Question& question, std::size_t next, std::vector<Poly>& facts, int direction, Apart& found) {
  if (direction == 0 && next >= question.least && try_same(question, next, facts, found)) return true;
  if (++question.nodes > kMostNodes || atoms_.is_stopped()) return false;
  const bool is_last = next == question.differences.size(), goes_forward = direction >= 0;
  if (is_last && direction != 0 && !question.trailing.empty() && try_contradiction(question, facts, found)) return true;
  if ((direction != 0 || is_last) && try_direction(question, facts, goes_forward, found)) return true;
  if (is_last && try_direction(question, facts, !goes_forward, found)) return true;
  if (is_last) return try_absurd(question, facts, found) || (note_rests(question, facts, direction), false);
  found.kind = Apart::Kind::split;
  found.difference = question.differences[next];
  for (const int sign : {-1, 0, 1}) {
    const std::vector<Poly> before = facts;
    const std::vector<Poly> more = facts_of_case(question, found.difference, sign, facts);
    facts.insert(facts.begin(), more.begin(), more.end());
    const bool is_apart = search(question, next + 1, facts, direction != 0 ? direction : sign, found.cases.emplace_back());
    facts = before;
    if (!is_apart) return false;
  }
  return true;
}

std::optional<Apart> Pairs::search(Question question) {
  Apart found;
  std::vector<Poly> facts;
  if (question.second_path != nullptr) facts = ragged_.between(question.path, question.second_path, {});
  if (search(question, 0, facts, 0, found)) return found;
  for (Poly& rest : question.suffices) {
    if (std::find(suffices_.begin(), suffices_.end(), rest) == suffices_.end()) suffices_.push_back(std::move(rest));
  }
  return std::nullopt;
}

// An address is a sum of strides, products of the launch's numbers, times what counts them. Those of the largest strides
// first: where they differ the addresses do.
std::vector<Poly> Pairs::counted_differences(const Poly& first, const Poly& second, bool is_fine) const {
  std::map<std::pair<Monomial, Integer>, Poly> counted;
  const Poly between = second - first;
  for (const auto& [monomial, coefficient] : between.terms()) {
    Monomial stride, rest;
    for (const AtomId id : monomial) (atoms_[id].rank == kOfLaunch ? stride : rest).push_back(id);
    counted[{stride, is_fine ? Integer(-abs(coefficient)) : Integer(0)}].add(rest, coefficient);
  }
  std::vector<std::pair<std::pair<Monomial, Integer>, Poly>> sorted(counted.begin(), counted.end());
  std::stable_sort(sorted.begin(), sorted.end(), [](const auto& a, const auto& b) { return a.first.first.size() > b.first.first.size(); });
  std::vector<Poly> differences;
  for (const auto& [stride, count] : sorted) {
    const Integer constant = count.constant();
    Integer divisor = 1;
    const Poly shorter = cut(count, &divisor);
    if (!count.is_constant()) differences.push_back(constant % divisor == 0 ? shorter : count);
  }
  return differences;
}

Pairs::Question Pairs::question_of(const Site& a, const Site& b) {
  Question question{a.at, atoms_.primed(b.at), a.bytes, b.bytes, a.path, b.path};
  for (std::size_t axis = 0; axis < 3; ++axis) {
    if (grid_[axis] == Poly(1)) continue;
    const Poly program = Poly::atom(atoms_.program(axis, grid_[axis]));
    question.deciding.push_back(atoms_.primed(program) - program);
  }
  question.on = a.on;
  for (const Poly& fact : b.on) question.on.push_back(atoms_.primed(fact));
  for (const Path* at = b.path; at != nullptr; at = at->parent) {
    for (const Poly& fact : at->facts) question.on.push_back(atoms_.primed(fact));
  }
  return question;
}

// Where the address has a program's remainder alone, what it leaves out is compared, too.
std::vector<Poly> Pairs::unnamed_quotients(const std::set<AtomId>& letters) const {
  std::vector<Poly> found;
  for (const AtomId id : letters) {
    const Atom atom = atoms_[id];
    if (atom.kind != AtomKind::remainder) continue;
    const auto& terms = atom.operands[0].terms();
    if (terms.size() != 1 || terms.begin()->second != 1 || terms.begin()->first.size() != 1 || atoms_[terms.begin()->first[0]].kind != AtomKind::program) continue;
    const Poly quotient = atoms_.division(atom.operands[0], atom.operands[1], atom.index % 2 != 0, atom.index / 2 != 0, atom.scope).quotient;
    if (!letters.contains(quotient.terms().begin()->first[0])) found.push_back(atoms_.primed(quotient) - quotient);
  }
  return found;
}

std::optional<Apart> Pairs::programs_apart(const Site& a, const Site& b) {
  suffices_.clear();
  Question question = question_of(a, b);
  std::vector<Poly> single;
  std::set<AtomId> letters;
  letters_of(a.at, atoms_, letters);
  std::set<AtomId> of_both = letters;
  letters_of(b.at, atoms_, of_both);
  question.leading = ragged_.differences(of_both);
  question.trailing = unnamed_quotients(letters);
  for (const AtomId id : letters) {
    const AtomKind kind = atoms_[id].kind;
    if (kind == AtomKind::lane || kind == AtomKind::counter) single.push_back(atoms_.primed(Poly::atom(id)) - Poly::atom(id));
  }
  return search_both(std::move(question), single);
}

// By what strides count, then by single letters.
std::optional<Apart> Pairs::search_both(Question question, const std::vector<Poly>& single) {
  std::copy_if(question.on.begin(), question.on.end(), std::back_inserter(question.within), [&](const Poly& fact) {
    return std::all_of(fact.terms().begin(), fact.terms().end(), [&](const auto& term) {
      return std::all_of(term.first.begin(), term.first.end(), [&](AtomId id) { return atoms_[id].rank != kOfLaunch; });
    });
  });
  std::vector<Poly> before;
  for (const bool is_fine : {true, false}) {
    Question counted = question;
    counted.differences = joined_facts(question.leading, counted_differences(question.first, question.second, is_fine));
    counted.differences.insert(counted.differences.end(), question.trailing.begin(), question.trailing.end());
    counted.least = counted.differences.size();
    if (counted.differences == before) continue;
    before = counted.differences;
    if (auto found = search(std::move(counted))) return found;
  }
  question.differences = joined_facts(question.leading, question.deciding);
  question.least = question.differences.size();
  question.differences.insert(question.differences.end(), single.begin(), single.end());
  return search(std::move(question));
}

Pairs::Question Pairs::question_of(const Site& store) {
  const auto& shape = store.op->operand(0)->type().shape();
  std::vector<Poly> lanes;
  for (std::size_t i = 0; i < shape.size(); ++i)
    lanes.push_back(atoms_.lane(static_cast<std::int64_t>(i) + kSecondLane, shape[i]));
  Question question{store.at, atoms_.with_lanes(store.at, lanes), store.bytes, store.bytes, store.path};
  for (std::size_t i = 0; i < shape.size(); ++i) {
    if (shape[i] != 1) question.deciding.push_back(lanes[i] - atoms_.lane(static_cast<std::int64_t>(i), shape[i]));
  }
  question.on = store.on;
  for (const Poly& fact : store.on) question.on.push_back(atoms_.with_lanes(fact, lanes));
  return question;
}

std::optional<Apart> Pairs::lanes_apart(const Site& store) {
  suffices_.clear();
  return search_both(question_of(store), {});
}

// Another point, and a byte that both touch.
Query Pairs::query_of(const Question& question) const {
  Query query(atoms_, question.path);
  for (const Poly& fact : question.on) query.take(fact);
  query.take(question.first + Poly(question.first_bytes) - Poly(1) - question.second);
  query.take(question.second + Poly(question.second_bytes) - Poly(1) - question.first);
  Formula differs = Formula::constant(false);
  for (const Poly& d : question.deciding) {
    const Formula here = Formula::any(Formula::not_negative(d - Poly(1)), Formula::not_negative(Poly(-1) - d));
    differs = Formula::any(std::move(differs), here);
  }
  query.take(differs);
  return query;
}

Query Pairs::programs_meet(const Site& a, const Site& b) {
  Query query = query_of(question_of(a, b));
  query.take(a.mask);
  query.take(b.mask.with([&](const Poly& poly) { return atoms_.primed(poly); }));
  for (const Path* at = b.path; at != nullptr; at = at->parent)
    query.take(at->condition.with([&](const Poly& poly) { return atoms_.primed(poly); }));
  return query;
}

Query Pairs::lanes_meet(const Site& store) {
  Query query = query_of(question_of(store));
  query.take(store.mask);
  std::vector<Poly> lanes;
  const auto& shape = store.op->operand(0)->type().shape();
  for (std::size_t i = 0; i < shape.size(); ++i)
    lanes.push_back(atoms_.lane(static_cast<std::int64_t>(i) + kSecondLane, shape[i]));
  query.take(atoms_.with_lanes(store.mask, lanes));
  return query;
}

}  // namespace lockstep::prove
