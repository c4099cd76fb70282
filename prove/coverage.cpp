#include "prove/coverage.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>

#include "ir/text/python_name.h"
#include "prove/words.h"

namespace lockstep::prove {
namespace {

/// All ways to take neighbours of `rank` dimensions together: each one's sizes.
std::vector<std::vector<std::size_t>> groupings(std::size_t rank) {
  std::vector<std::vector<std::size_t>> all;
  for (std::size_t bits = 0; bits < (std::size_t{1} << (rank - 1)); ++bits) {
    std::vector<std::size_t> sizes{1};
    for (std::size_t i = 0; i + 1 < rank; ++i) {
      if ((bits >> i) % 2 != 0)
        ++sizes.back();
      else
        sizes.push_back(1);
    }
    all.push_back(std::move(sizes));
  }
  return all;
}

/// What a term is of a stride of one term; false: no multiple.
bool take_multiple(const Poly& stride, const Monomial& monomial, const Integer& coefficient, Poly& count) {
  if (stride.terms().size() != 1) return false;
  const auto& [letters, factor] = *stride.terms().begin();
  Monomial others;
  if (factor <= 0 || coefficient % factor != 0 || !divide(monomial, letters, others)) return false;
  count.add(others, coefficient / factor);
  return true;
}

/// Whether each of the letters is a factor of some term.
bool names_all(const Poly& poly, const std::set<AtomId>& letters) {
  return std::all_of(letters.begin(), letters.end(), [&](AtomId id) {
    return std::any_of(poly.terms().begin(), poly.terms().end(), [&](const auto& term) {
      return std::find(term.first.begin(), term.first.end(), id) != term.first.end();
    });
  });
}

bool is_larger(const Poly& a, const Poly& b) {
  if (a.degree() != b.degree()) return a.degree() > b.degree();
  return a.terms().rbegin()->second > b.terms().rbegin()->second;
}

}  // namespace

struct Coverage::Attempt {
  const Site& site;
  std::vector<Decided> ignored{}, taken{};  // what was proved while a point was sought, and what its letters rest on
  std::map<AtomId, Poly> chosen{};
  struct Parts {
    std::optional<Poly> quotient, remainder;
  };
  std::map<std::pair<Poly, Poly>, Parts> divisions{};  // of letters, by parts that have a value
  std::vector<Goal> goals{};
  std::vector<std::size_t> sizes{};
  std::set<AtomId> unused{};  // programs that are 0, although the address names them
  std::vector<Decided> settled{};
  std::vector<Poly> conditions{};
};

void Coverage::decide(const ir::Op& function, const std::vector<Site>& sites) {
  for (const auto& argument : contract_.outputs) {
    const std::string& name = argument.first;
    const Output& output = argument.second;
    bool is_covered = false;
    std::vector<const Site*> stores;
    for (const Site& site : sites) {
      if (site.writes && !site.is_atomic && argument_name(*site.base) == name) stores.push_back(&site);
    }
    const ir::Op* last = stores.empty() ? nullptr : stores.back()->op;
    const bool is_added = std::any_of(sites.begin(), sites.end(), [&](const Site& site) { return site.is_atomic && argument_name(*site.base) == name; });
    for (const bool takes_conditions : {false, true}) {
      const auto by_one = [&](const Site* site) { return try_site(name, output, *site, takes_conditions); };
      const auto by_any = [&] { return std::any_of(stores.begin(), stores.end(), by_one); };
      const auto by_all = [&] { return stores.size() > 1 && try_together(name, output, stores, takes_conditions); };
      // Of several stores, what one of them would need says little.
      is_covered = is_covered || (takes_conditions ? by_all() || by_any() : by_any() || by_all());
    }
    statement_.covered += is_covered ? 1 : 0;
    if (!is_covered)
      ledger_.leave_open(last != nullptr ? *last : function, Property::coverage,
                         last != nullptr ? "no store was found to write every element" : is_added ? "it is only added to, and what was there before counts" : "no plain store to it was followed", name);
  }
}

std::optional<std::vector<Coverage::Group>> Coverage::groups_of(const std::string& name, const Output& output,
                                                                const std::vector<std::size_t>& sizes) {
  std::vector<Group> groups;
  std::string kind = name;
  for (const std::size_t size : sizes) kind += ":" + std::to_string(size);
  std::size_t d = 0;
  for (const std::size_t size : sizes) {
    Group group{{}, output.shape[d], output.strides[d]};
    for (std::size_t i = 1; i < size; ++i) {
      if (!(output.strides[d] == output.strides[d + 1] * output.shape[d + 1])) return std::nullopt;
      ++d;
      group.extent = group.extent * output.shape[d];
      group.stride = output.strides[d];
    }
    ++d;
    group.letter = Poly::atom(atoms_.element(kind, static_cast<std::int64_t>(groups.size()), group.extent));
    groups.push_back(std::move(group));
  }
  return groups;
}

bool Coverage::try_site(const std::string& name, const Output& output, const Site& site, bool takes_conditions) {
  std::optional<Attempt> best;
  for (const std::vector<std::size_t>& sizes : groupings(output.shape.size())) {
    const auto groups = groups_of(name, output, sizes);
    for (unsigned bits = 0; groups && bits < 8 && !(best && best->conditions.empty()); ++bits) {
      Attempt attempt{.site = site, .sizes = sizes};
      for (std::size_t axis = 0; axis < kPrograms.size(); ++axis) {
        if ((bits >> axis) % 2 != 0) attempt.unused.insert(atoms_.program(axis, contract_.grid[axis]));
      }
      if (!names_all(site.at, attempt.unused) || !try_groups(attempt, *groups, takes_conditions)) continue;
      if (!best || attempt.conditions.size() < best->conditions.size()) best.emplace(std::move(attempt));
    }
  }
  if (best) take(name, *best);
  return best.has_value();
}

void Coverage::take(const std::string& name, const Attempt& attempt) {
  const Site& site = attempt.site;
  std::vector<Decided>& taken = statement_.notes.taken[site.op];
  taken.insert(taken.end(), attempt.taken.begin(), attempt.taken.end());
  for (const Poly& rest : attempt.conditions) ledger_.take_condition({rest, site.op, Property::coverage, name});
  statement_.notes.settled.insert(statement_.notes.settled.end(), attempt.settled.begin(), attempt.settled.end());
  statement_.coverings.push_back({name, attempt.sizes, {site.op, {attempt.chosen.begin(), attempt.chosen.end()}}});
}

bool Coverage::try_groups(Attempt& attempt, const std::vector<Group>& groups, bool takes_conditions) {
  return choose(attempt, groups) && list_goals(attempt, groups) && settle(attempt, takes_conditions);
}

// ---- the point ----

// A term of the address counts along the first dimension whose stride divides it.
bool Coverage::choose(Attempt& attempt, const std::vector<Group>& groups) {
  std::vector<const Group*> sorted;
  for (const Group& group : groups) sorted.push_back(&group);
  std::stable_sort(sorted.begin(), sorted.end(), [](const Group* a, const Group* b) { return is_larger(a->stride, b->stride); });
  std::vector<Poly> counts(sorted.size());
  for (const auto& [monomial, coefficient] : attempt.site.at.terms()) {
    if (coefficient % attempt.site.bytes != 0) return false;
    if (std::any_of(monomial.begin(), monomial.end(), [&](AtomId id) { return attempt.unused.contains(id); })) continue;
    bool is_taken = false;
    for (std::size_t i = 0; i < sorted.size() && !is_taken; ++i)
      is_taken = take_multiple(sorted[i]->stride, monomial, coefficient / attempt.site.bytes, counts[i]);
    if (!is_taken) return false;
  }
  for (std::size_t i = 0; i < sorted.size(); ++i) {
    if (!solve(attempt, counts[i], sorted[i]->letter)) return false;
  }
  return resolve_divisions(attempt);
}

// count = target: letters in mixed radix, the largest first.
bool Coverage::solve(Attempt& attempt, const Poly& count, Poly target) {
  std::map<AtomId, Poly> factors;
  std::vector<Poly> offsets;  // without a letter
  for (const auto& [monomial, coefficient] : count.terms()) {
    Monomial sizes;
    std::optional<AtomId> letter;
    for (const AtomId id : monomial) {
      if (atoms_[id].rank == kOfLaunch) {
        sizes.push_back(id);
      } else {
        if (letter) return false;
        letter = id;
      }
    }
    Poly term;
    term.add(sizes, coefficient);
    if (letter)
      factors[*letter] += term;
    else
      offsets.push_back(std::move(term));
  }
  std::vector<std::pair<AtomId, Poly>> sorted(factors.begin(), factors.end());
  std::stable_sort(sorted.begin(), sorted.end(), [](const auto& a, const auto& b) { return is_larger(a.second, b.second); });
  // A piece of a block: what is smaller than the block's stride is taken off within the block.
  const auto take_off = [&](const Poly* below) {
    std::erase_if(offsets, [&](const Poly& offset) {
      if (below != nullptr && offset.terms().begin()->second > 0 && is_larger(*below, offset)) return false;
      target -= offset;
      return true;
    });
  };
  Substitution point(atoms_, ledger_.root(), attempt.ignored);
  for (const auto& [letter, factor] : sorted) {
    take_off(&factor);
    const auto parts = point.divide(target, factor);
    if (!parts || !assign(attempt, letter, parts->quotient)) return false;
    target = parts->remainder;
  }
  take_off(nullptr);
  if (!sorted.empty() || target == Poly()) return target == Poly();
  // The store stands still here: it writes the elements that are there.
  attempt.goals.push_back({target, {}, true, false});
  attempt.goals.push_back({Poly() - target, {}, true, false});
  return true;
}

bool Coverage::assign(Attempt& attempt, AtomId letter, const Poly& value) {
  const Atom atom = atoms_[letter];
  switch (atom.kind) {
    case AtomKind::program:
    case AtomKind::lane:
    case AtomKind::counter: return attempt.chosen.emplace(letter, value).first->second == value;
    case AtomKind::quotient: attempt.divisions[{atom.operands[0], atom.operands[1]}].quotient = value; return true;
    case AtomKind::remainder: attempt.divisions[{atom.operands[0], atom.operands[1]}].remainder = value; return true;
    default: return false;
  }
}

// x = d * quotient + remainder, once d is known; what has no value is 0.
bool Coverage::resolve_divisions(Attempt& attempt) {
  constexpr int kMost = 12;
  for (int i = 0; i < kMost && !attempt.divisions.empty(); ++i) {
    bool is_resolved = false;
    for (const auto& [operands, parts] : attempt.divisions) {
      Substitution point(atoms_, ledger_.root(), attempt.ignored);
      for (const auto& [letter, value] : attempt.chosen) point.set(letter, value);
      const auto divisor = point.put(operands.second);
      if (!divisor) continue;
      const Poly target = *divisor * parts.quotient.value_or(Poly()) + parts.remainder.value_or(Poly());
      const Poly x = operands.first;
      attempt.divisions.erase(operands);
      if (!solve(attempt, x, target)) return false;
      is_resolved = true;
      break;
    }
    if (!is_resolved) return false;
  }
  return attempt.divisions.empty();
}

// ---- what holds there ----

bool Coverage::list_goals(Attempt& attempt, const std::vector<Group>& groups) {
  const Site& site = attempt.site;
  Substitution point(atoms_, ledger_.root(), attempt.taken);
  std::set<AtomId> sizes;
  for (const Poly& extent : contract_.grid) {
    for (const auto& [monomial, coefficient] : extent.terms()) sizes.insert(monomial.begin(), monomial.end());
  }
  for (const auto& [letter, value] : attempt.chosen) {
    if (!point.admit(value, sizes, lemmas_)) return false;
  }
  for (std::size_t axis = 0; axis < kPrograms.size(); ++axis)
    point.set(atoms_.program(axis, contract_.grid[axis]), Poly());
  const auto& shape = site.op->operand(0)->type().shape();
  for (std::size_t d = 0; d < shape.size(); ++d) {
    const Poly lane = atoms_.lane(static_cast<std::int64_t>(d), shape[d]);
    if (shape[d] > 1) point.set(lane.terms().begin()->first[0], Poly());
  }
  for (const Path* at = site.path; at != nullptr; at = at->parent) {
    if (at->turn) point.set(*at->turn, Poly());
  }
  for (const auto& [letter, value] : attempt.chosen) {
    if (!point.values().contains(letter)) return false;
    point.set(letter, value);
    const Atom atom = atoms_[letter];
    attempt.goals.push_back({value, {}});
    if (atom.kind == AtomKind::counter) continue;
    const auto axis = static_cast<std::size_t>(std::find(kPrograms.begin(), kPrograms.end(), atom.name) - kPrograms.begin());
    const Poly extent = atom.kind == AtomKind::lane ? Poly(atom.extent) : contract_.grid[axis];
    attempt.goals.push_back({extent - Poly(1) - value, {}, atom.kind == AtomKind::lane});
  }
  std::vector<const Path*> way;
  for (const Path* at = site.path; at != nullptr && at->parent != nullptr; at = at->parent) way.insert(way.begin(), at);
  std::vector<Poly> facts;
  const auto put_formula = [&](const Formula& formula) {
    const auto there = point.put(formula);
    if (!there || !add_formula(attempt, *there, facts)) return false;
    there->consequences(facts);
    return true;
  };
  for (const Path* at : way) {
    if (!at->is_certain || !put_formula(at->condition)) return false;
    if (!at->turn) continue;
    const auto rest = point.put(at->last_turn);
    if (!rest) return false;
    attempt.goals.push_back({*rest, facts});
    facts.push_back(*rest);
  }
  if (!put_formula(site.mask)) return false;
  const auto address = point.put(site.at);
  if (!address) return false;
  Poly difference = *address;
  for (const Group& group : groups) difference -= group.letter * group.stride * Poly(site.bytes);
  attempt.goals.push_back({difference, {}, false});
  attempt.goals.push_back({Poly() - difference, {}, false});
  return true;
}

// Of two of which one must hold: the first where the second does not; or the other way round, where only that says more.
bool Coverage::add_formula(Attempt& attempt, const Formula& formula, const std::vector<Poly>& facts) {
  switch (formula.kind()) {
    case Formula::Kind::truth: return true;
    case Formula::Kind::not_negative: attempt.goals.push_back({formula.poly(), facts}); return true;
    case Formula::Kind::all: return add_formula(attempt, formula.parts()[0], facts) && add_formula(attempt, formula.parts()[1], facts);
    case Formula::Kind::any: {
      const Formula &a = formula.parts()[0], &b = formula.parts()[1];
      const bool swaps = b.negated().kind() == Formula::Kind::any && a.negated().kind() != Formula::Kind::any;
      std::vector<Poly> more = facts;
      (swaps ? a : b).negated().consequences(more);
      return add_formula(attempt, swaps ? b : a, more);
    }
    default: return false;
  }
}

Verdict Coverage::decide(const Poly& goal, const std::vector<Poly>& facts) const {
  Verdict verdict = ledger_.elimination().decide(goal, ledger_.root(), facts, {},
                                                 [&](const Poly& rest) { return ledger_.is_plausible(rest, Property::coverage); });
  if (!verdict.is_proved && ledger_.elimination().proves_by_sum(goal, ledger_.root(), facts, verdict.why)) verdict.is_proved = true;
  return verdict;
}

// No launch of the contract meets a condition that contradicts it.
bool Coverage::is_of_use(const std::vector<Poly>& conditions) const {
  return !conditions.empty() && std::all_of(conditions.begin(), conditions.end(), [&](const Poly& rest) {
    return ledger_.is_plausible(rest, Property::coverage) && !ledger_.elimination().proves(Poly(-1) - rest, ledger_.root());
  });
}

bool Coverage::settle(Attempt& attempt, bool takes_conditions) {
  std::vector<Poly>& known = ledger_.root()->facts;
  const std::size_t before = known.size();
  bool is_settled = true;
  for (const Goal& goal : attempt.goals) {
    if (!goal.is_owed) continue;
    Verdict verdict = decide(goal.goal, goal.facts);
    is_settled = is_settled && (verdict.is_proved || (takes_conditions && is_of_use(verdict.suffices)));
    if (!is_settled) break;
    if (!verdict.is_proved) known.insert(known.end(), verdict.suffices.begin(), verdict.suffices.end());
    attempt.settled.push_back({goal.goal, std::move(verdict.why)});
  }
  attempt.conditions.assign(known.begin() + static_cast<std::ptrdiff_t>(before), known.end());
  known.resize(before);
  return is_settled;
}

// ---- several stores ----

/// What the stores of one output write together.
struct Coverage::Joint {
  const std::vector<Group>& groups;
  const std::vector<std::size_t>& sizes;
  bool takes_conditions = false;
  int& attempts;  // that are left
  std::vector<std::pair<const ir::Op*, std::vector<Decided>>> taken{};
  std::vector<Decided> settled{};
  std::vector<std::pair<Poly, const ir::Op*>> conditions{};  // the last facts of the root

  struct Mark {
    std::size_t taken, settled, conditions;
  };
  Mark mark() const { return {taken.size(), settled.size(), conditions.size()}; }
  void back_to(const Mark& mark, Path& root) {
    root.facts.resize(root.facts.size() - (conditions.size() - mark.conditions));
    taken.resize(mark.taken);
    settled.resize(mark.settled);
    conditions.resize(mark.conditions);
  }
};

bool Coverage::try_together(const std::string& name, const Output& output, const std::vector<const Site*>& sites, bool takes_conditions) {
  int attempts = 96;
  for (const std::vector<std::size_t>& sizes : groupings(output.shape.size())) {
    const auto groups = groups_of(name, output, sizes);
    if (!groups) continue;
    Joint joint{*groups, sizes, takes_conditions, attempts};
    const Joint::Mark start = joint.mark();
    Covered by;
    const bool is_covered = cover(joint, sites, {}, by);
    const std::vector<std::pair<Poly, const ir::Op*>> conditions = joint.conditions;
    ledger_.root()->facts.resize(ledger_.root()->facts.size() - conditions.size());
    joint.conditions.clear();
    if (!is_covered) {
      joint.back_to(start, *ledger_.root());
      continue;
    }
    for (const auto& [op, taken] : joint.taken) {
      std::vector<Decided>& all = statement_.notes.taken[op];
      all.insert(all.end(), taken.begin(), taken.end());
    }
    for (const auto& [rest, op] : conditions) ledger_.take_condition({rest, op, Property::coverage, name});
    statement_.notes.settled.insert(statement_.notes.settled.end(), joint.settled.begin(), joint.settled.end());
    statement_.coverings.push_back({name, sizes, std::move(by)});
    return true;
  }
  return false;
}

bool Coverage::cover(Joint& joint, const std::vector<const Site*>& sites, const std::vector<Poly>& facts, Covered& by) {
  for (const Site* site : sites) {
    std::vector<const Site*> others = sites;
    std::erase(others, site);
    const Joint::Mark before = joint.mark();
    if (cover_by(joint, *site, others, facts, by)) return true;
    joint.back_to(before, *ledger_.root());
  }
  return false;
}

// The site writes elements of which all goals hold; of those of which one does not, the others.
bool Coverage::cover_by(Joint& joint, const Site& site, const std::vector<const Site*>& others, const std::vector<Poly>& facts, Covered& by) {
  Attempt attempt{.site = site, .sizes = joint.sizes};
  if (!choose(attempt, joint.groups) || joint.attempts-- <= 0 || !list_goals(attempt, joint.groups)) return false;
  const auto missed = settle_part(joint, attempt, facts, !others.empty());
  if (!missed) return false;
  joint.taken.emplace_back(site.op, std::move(attempt.taken));
  by = Covered{};
  Covered* inner = &by;
  std::vector<Poly> more = facts;
  for (const Poly& goal : *missed) {
    inner->difference = goal;
    inner->cases.resize(2);
    std::vector<Poly> below = more;
    below.push_back(Poly(-1) - goal);
    if (!cover(joint, others, below, inner->cases[1])) return false;
    more.push_back(goal);
    inner = &inner->cases.front();
  }
  inner->op = site.op;
  inner->map.assign(attempt.chosen.begin(), attempt.chosen.end());
  return true;
}

// The goals that do not hold of all elements. nullopt: the site writes none of them, or too few.
std::optional<std::vector<Poly>> Coverage::settle_part(Joint& joint, Attempt& attempt, const std::vector<Poly>& facts, bool may_split) {
  constexpr std::size_t kMostMissed = 4;
  std::vector<Poly> missed, all = facts;
  for (const Goal& goal : attempt.goals) {
    std::vector<Poly> here = all;
    here.insert(here.end(), goal.facts.begin(), goal.facts.end());
    const bool splits = may_split && goal.may_split;
    if (settle_goal(joint, attempt.site, goal, here, joint.takes_conditions && !splits)) continue;
    if (!splits || missed.size() == kMostMissed || ledger_.elimination().proves(Poly(-1) - goal.goal, ledger_.root(), all)) return std::nullopt;
    missed.push_back(goal.goal);
    all.push_back(goal.goal);
    if (goal.is_owed) joint.settled.push_back({goal.goal, {.steps = {{.times = 1, .fact = goal.goal}}}});
  }
  return missed;
}

bool Coverage::settle_goal(Joint& joint, const Site& site, const Goal& goal, const std::vector<Poly>& facts, bool takes_conditions) {
  Verdict verdict = decide(goal.goal, facts);
  if (!verdict.is_proved && !(takes_conditions && is_of_use(verdict.suffices))) return false;
  for (std::size_t i = 0; i < verdict.suffices.size() && !verdict.is_proved; ++i) {
    ledger_.root()->facts.push_back(verdict.suffices[i]);
    joint.conditions.emplace_back(verdict.suffices[i], site.op);
  }
  if (goal.is_owed) joint.settled.push_back({goal.goal, std::move(verdict.why)});
  return true;
}

}  // namespace lockstep::prove
