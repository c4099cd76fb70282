#include "driver/proving/trials.h"

#include <algorithm>
#include <array>
#include <set>
#include <utility>

#include "driver/proving/far_trials.h"
#include "driver/proving/mend.h"
#include "prove/evaluate.h"

namespace lockstep::driver {
namespace {

using prove::Integer;
using prove::Poly;

constexpr std::array<std::int64_t, 20> kNumbers{1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 31, 32, 33, 63, 64, 65, 100, 128, 129};
constexpr std::uint64_t kDraws = 3000;
constexpr std::size_t kMostMet = 6, kMostUnmet = 16, kMostBoundaries = 12;
const Integer kMostPrograms = 128, kMostElements = 1 << 20;

/// The same numbers on every machine (splitmix64).
std::uint64_t mix(std::uint64_t seed) {
  std::uint64_t x = seed + 0x9e3779b97f4a7c15U;
  x = (x ^ (x >> 30U)) * 0xbf58476d1ce4e5b9U;
  x = (x ^ (x >> 27U)) * 0x94d049bb133111ebU;
  return x ^ (x >> 31U);
}

class Trials {
 public:
  Trials(const LaunchSpec& options, Asked& asked, const prove::Statement& statement)
      : asked_(asked), statement_(statement), launcher_(options, asked, statement) {}
  Tried run();

 private:
  void find_free_numbers();
  bool has_free_grid() const;
  void draw(std::uint64_t number, prove::Numbers& numbers) const;
  bool draw_launch(std::uint64_t number, prove::Numbers& numbers) const {
    draw(number, numbers);
    return is_launch(numbers);
  }
  void try_draws(Tried& tried);
  void try_mended(Tried& tried);
  void try_numbers(prove::Numbers numbers, Tried& tried);
  bool wants_more(const Tried& tried) const {
    return !asked_.atoms.is_stopped() && tried.refutations.empty() && tried.contradictions.empty() &&
           (tried.met < kMostMet || (may_refute_ && unmet_ < kMostUnmet));
  }
  bool is_launch(const prove::Numbers& numbers) const;
  bool fails_where_one_is_large(std::size_t which) const;
  bool meets(const std::vector<Poly>& facts, const prove::Numbers& numbers) const { return launcher_.meets(facts, numbers); }
  bool own_enough(prove::Numbers& numbers) const;
  Boundary find_boundary(std::size_t which) const;
  std::optional<Integer> step_beyond(std::size_t which, prove::Numbers& numbers) const;
  std::optional<Trial> make(const prove::Numbers& numbers) const {
    return launcher_.make(numbers, {kMostElements, asked_.contract.wants_races || asked_.contract.wants_lanes});
  }
  bool launch(Trial& trial, bool takes_all) const;
  std::optional<Integer> value(const Poly& poly, const prove::Numbers& numbers) const { return launcher_.value(poly, numbers); }

  Asked& asked_;
  const prove::Statement& statement_;
  TrialLauncher launcher_;
  std::vector<std::int64_t> numbers_;
  std::map<prove::AtomId, Integer> multiples_;  // facts n % d == 0: of what a number has to be one
  std::vector<prove::AtomId> free_, owned_;  // owned: elements that nobody gave
  bool may_refute_ = false;
  std::set<std::vector<std::string>> seen_;  // launches
  std::size_t unmet_ = 0;  // those that were run and do not meet the conditions
};

void Trials::find_free_numbers() {
  std::map<prove::AtomId, bool> named;
  for (const Poly& extent : asked_.contract.grid) prove::parameters_of(extent, asked_.atoms, named);
  for (const auto& [name, number] : asked_.contract.integers) prove::parameters_of(number, asked_.atoms, named);
  for (const auto& [name, number] : asked_.contract.elements) prove::parameters_of(number, asked_.atoms, named);
  for (const auto& [name, output] : asked_.contract.outputs) {
    for (const Poly& extent : output.shape) prove::parameters_of(extent, asked_.atoms, named);
    for (const Poly& stride : output.strides) prove::parameters_of(stride, asked_.atoms, named);
  }
  for (const Poly& fact : asked_.contract.facts) prove::parameters_of(fact, asked_.atoms, named);
  for (const auto& [name, range] : asked_.contract.data) {
    prove::parameters_of(range.low, asked_.atoms, named);
    prove::parameters_of(range.high, asked_.atoms, named);
  }
  for (const auto& [name, table] : asked_.contract.chunks) {
    prove::parameters_of(table.size, asked_.atoms, named);
    prove::parameters_of(table.sequences, asked_.atoms, named);
  }
  for (const AskedArgument& argument : asked_.arguments) {
    if (argument.kind == AskedArgument::Kind::integer) {
      if (const auto id = asked_.atoms.find_parameter(argument.name)) named[*id] = true;
    } else if (argument.kind == AskedArgument::Kind::tensor && !asked_.contract.elements.contains(argument.name)) {
      owned_.push_back(asked_.atoms.parameter(prove::elements_of(argument.name), 0, Integer(1) << 62));
    }
  }
  for (const auto& [id, is_parameter] : named) {
    if (is_parameter) free_.push_back(id);
  }
  multiples_ = prove::multiples_of(asked_.contract.facts, asked_.atoms);
  // A condition may ask for more: stride >= 431.
  numbers_.assign(kNumbers.begin(), kNumbers.end());
  for (const prove::Condition& condition : statement_.conditions) {
    for (const auto& [monomial, coefficient] : condition.rest.terms()) {
      const Integer number = abs(coefficient);
      if (number > kNumbers.back() && number <= kMostElements) numbers_.push_back(static_cast<std::int64_t>(number));
    }
  }
}

bool Trials::has_free_grid() const {
  return std::any_of(asked_.contract.grid.begin(), asked_.contract.grid.end(), [&](const Poly& extent) {
    return extent.terms().size() == 1 && extent.degree() == 1 &&
           asked_.atoms[extent.terms().begin()->first[0]].name.starts_with("grid.");
  });
}

// First a solver's numbers, then all numbers alike, then any; later draws let some be small.
void Trials::draw(std::uint64_t number, prove::Numbers& numbers) const {
  if (number < statement_.suspects.size()) {
    for (const prove::AtomId id : free_) numbers[id] = 1;
    for (const auto& [id, value] : statement_.suspects[number]) {
      if (numbers.contains(id)) numbers[id] = value;
    }
    return;
  }
  number -= statement_.suspects.size();
  for (std::size_t i = 0; i < free_.size(); ++i) {
    const std::uint64_t random = mix(number * 64 + i);
    const std::size_t count = number < kDraws / 2 ? kNumbers.size() : numbers_.size();
    std::size_t choice = number < count ? number : random % count;
    if (number >= count && (random >> 40U) % 2 == 0) choice = choice % 6;
    const auto factor = multiples_.find(free_[i]);
    numbers[free_[i]] = factor == multiples_.end() ? Integer(numbers_[choice]) : factor->second * numbers_[choice];
  }
}

bool Trials::is_launch(const prove::Numbers& numbers) const {
  if (!meets(asked_.contract.facts, numbers)) return false;
  Integer programs = 1;
  for (const Poly& extent : asked_.contract.grid) {
    const auto here = value(extent, numbers);
    if (!here || *here < 1) return false;
    programs *= *here;
  }
  return programs <= kMostPrograms;
}

// The least that meets the conditions on what an argument owns; they are linear in it.
bool Trials::own_enough(prove::Numbers& numbers) const {
  for (const prove::AtomId id : owned_) numbers[id] = 0;
  for (const prove::AtomId id : owned_) {
    Integer most = 1;
    for (const prove::Condition& condition : statement_.conditions) {
      prove::Numbers more = numbers;
      const auto at_zero = value(condition.rest, more);
      more[id] = 1;
      const auto at_one = value(condition.rest, more);
      if (!at_zero || !at_one || *at_one <= *at_zero || *at_zero >= 0) continue;
      const Integer slope = *at_one - *at_zero;
      most = std::max<Integer>(most, (-*at_zero + slope - 1) / slope);
    }
    numbers[id] = most;
  }
  return true;
}

bool Trials::launch(Trial& trial, bool takes_all) const {
  const prove::Contract& contract = asked_.contract;
  std::string checks;
  for (const auto& [is_wanted, name] :
       {std::pair(contract.wants_races, "races"), std::pair(contract.wants_lanes, "lanes"), std::pair(contract.wants_hints, "hints"), std::pair(contract.wants_coverage, "coverage")}) {
    if (is_wanted) checks += (checks.empty() ? "" : ",") + std::string(name);
  }
  return launcher_.launch(trial, takes_all, checks.empty() ? "none" : checks);
}

/// By how much the launch misses condition `which`, all others being met; a tensor of unknown size loses one element.
std::optional<Integer> Trials::step_beyond(std::size_t which, prove::Numbers& numbers) const {
  const Poly& rest = statement_.conditions[which].rest;
  for (const prove::AtomId id : owned_) {
    if (!rest.terms().contains({id})) continue;
    if (numbers[id] <= 1) return std::nullopt;
    numbers[id] -= 1;
  }
  for (std::size_t i = 0; i < statement_.conditions.size(); ++i) {
    if (i != which && !meets({statement_.conditions[i].rest}, numbers)) return std::nullopt;
  }
  const auto here = value(rest, numbers);
  return here && *here < 0 ? std::optional(-*here) : std::nullopt;
}

// One number may turn all lanes off where it is large.
bool Trials::fails_where_one_is_large(std::size_t which) const {
  constexpr std::int64_t kLarge = 5000;
  constexpr std::size_t kMostLarge = 4;
  std::size_t run = 0;
  for (const prove::AtomId large : free_) {
    prove::Numbers numbers;
    for (const prove::AtomId id : free_) numbers[id] = id == large ? kLarge : 2;
    if (run == kMostLarge || !is_launch(numbers) || !own_enough(numbers) || !step_beyond(which, numbers)) continue;
    auto trial = make(numbers);
    if (!trial || !launch(*trial, true)) continue;
    ++run;
    if (trial->failures.empty()) return false;
  }
  return true;
}

Boundary Trials::find_boundary(std::size_t which) const {
  constexpr std::uint64_t kBoundaryDraws = 600;
  constexpr std::size_t kBoundaryRuns = 6;
  std::map<Integer, std::vector<prove::Numbers>> by_distance;
  for (std::uint64_t i = 0; i < kBoundaryDraws; ++i) {
    prove::Numbers numbers;
    if (!draw_launch(i, numbers) || !own_enough(numbers)) continue;
    if (const auto distance = step_beyond(which, numbers)) by_distance[*distance].push_back(std::move(numbers));
  }
  Boundary boundary;
  std::size_t run = 0, failed = 0;
  for (const auto& [distance, launches] : by_distance) {
    // By turns from both ends: the first have all numbers alike, the last differ.
    for (std::size_t i = 0; i < launches.size(); ++i) {
      auto trial = make(launches[i % 2 == 0 ? i / 2 : launches.size() - 1 - i / 2]);
      if (!trial || run >= kBoundaryRuns || !launch(*trial, true)) continue;
      ++run;
      if (trial->failures.empty()) continue;
      ++failed;
      if (!boundary.beyond) boundary.beyond = std::move(*trial);
    }
  }
  boundary.is_exact = run > 0 && failed == run && fails_where_one_is_large(which);
  return boundary;
}

void Trials::try_draws(Tried& tried) {
  for (std::uint64_t i = 0; i < kDraws && wants_more(tried); ++i) {
    prove::Numbers numbers;
    if (draw_launch(i, numbers)) try_numbers(std::move(numbers), tried);
  }
}

// No draw meets the conditions: draws are changed until they do.
void Trials::try_mended(Tried& tried) {
  constexpr std::uint64_t kMendedDraws = 60;
  std::vector<Poly> wanted;
  std::vector<std::size_t> conditions;  // of what is wanted, the first
  for (std::size_t i = 0; i < statement_.conditions.size(); ++i) {
    std::map<prove::AtomId, bool> named;
    prove::parameters_of(statement_.conditions[i].rest, asked_.atoms, named);
    if (std::any_of(owned_.begin(), owned_.end(), [&](const prove::AtomId id) { return named.contains(id); })) continue;
    wanted.push_back(statement_.conditions[i].rest);
    conditions.push_back(i);
  }
  wanted.insert(wanted.end(), asked_.contract.facts.begin(), asked_.contract.facts.end());
  Poly programs(1);
  for (const Poly& extent : asked_.contract.grid) {
    wanted.push_back(extent - Poly(1));
    programs = programs * extent;
  }
  wanted.push_back(Poly(kMostPrograms) - programs);
  for (const auto& [name, elements] : asked_.contract.elements) wanted.push_back(Poly(kMostElements) - elements);
  for (const auto& [name, range] : asked_.contract.data) wanted.push_back(range.high - range.low);
  Mend mend(asked_.atoms, free_, multiples_, std::move(wanted));
  for (std::uint64_t i = statement_.suspects.size(); i < kMendedDraws && wants_more(tried); ++i) {
    prove::Numbers numbers;
    draw(i, numbers);
    if (mend.mend(numbers) && is_launch(numbers))
      try_numbers(std::move(numbers), tried);
    else if (!tried.is_possible && mend.unmet() < conditions.size())
      tried.in_the_way = conditions[mend.unmet()];
  }
}

void Trials::try_numbers(prove::Numbers numbers, Tried& tried) {
  if (!own_enough(numbers)) return;
  auto trial = make(numbers);
  if (!trial) return;
  trial->words.push_back("--grid " + trial->grid);
  const bool is_new = seen_.insert(trial->words).second;
  trial->words.pop_back();
  if (!is_new) return;
  if (trial->meets_conditions && !tried.is_possible) tried.witness = numbers;
  tried.is_possible = tried.is_possible || trial->meets_conditions;
  const bool proves = trial->meets_conditions && statement_.undecided.empty();
  std::size_t& count = proves ? tried.met : unmet_;
  if (!asked_.can_be_run || count >= (proves ? kMostMet : kMostUnmet) || (!proves && !may_refute_)) return;
  // What nobody said the size of is as large as the conditions ask: that refutes nothing where they are not all known.
  if (!launch(*trial, proves)) {
    if (!proves) ++count;
    return;
  }
  ++count;
  // A short grid leaves elements out: where any grid is meant, a condition says which is long enough.
  if (!proves && has_free_grid()) {
    std::erase_if(trial->failures, [](const TrialFailure& one) { return one.property == prove::Property::coverage; });
  }
  // What a condition of another kind asks for is printed with the answer.
  if (!proves && statement_.undecided.empty())
    std::erase_if(trial->failures, [](const TrialFailure& one) { return one.property != prove::Property::bounds; });
  if (trial->failures.empty() && proves) tried.clean.push_back(*trial);
  if (!trial->failures.empty()) (proves ? tried.contradictions : tried.refutations).push_back(std::move(*trial));
}

Tried Trials::run() {
  Tried tried;
  find_free_numbers();
  may_refute_ =
      !statement_.undecided.empty() ||
      std::any_of(statement_.conditions.begin(), statement_.conditions.end(),
                  [](const prove::Condition& one) { return one.property == prove::Property::bounds && one.is_of_contract; });
  try_draws(tried);
  if (!tried.is_possible && statement_.undecided.empty()) try_mended(tried);
  const bool holds = tried.refutations.empty() && tried.contradictions.empty() && statement_.undecided.empty();
  for (std::size_t i = 0; i < statement_.conditions.size() && holds && asked_.can_be_run && i < kMostBoundaries; ++i) {
    Boundary boundary = find_boundary(i);
    if (!boundary.beyond && !boundary.is_exact && is_of_numbers(statement_.conditions[i]))
      boundary = find_far_boundary({asked_, statement_, launcher_, free_, [&](prove::Numbers& numbers) { return own_enough(numbers); }}, i);
    if (boundary.contradiction) tried.contradictions.push_back(*boundary.contradiction);
    tried.boundaries.push_back(std::move(boundary));
  }
  return tried;
}

}  // namespace

Tried try_statement(const LaunchSpec& options, Asked& asked, const prove::Statement& statement) {
  return Trials(options, asked, statement).run();
}

}  // namespace lockstep::driver
