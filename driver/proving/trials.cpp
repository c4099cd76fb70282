#include "driver/proving/trials.h"

#include <algorithm>
#include <array>
#include <set>
#include <utility>

#include "driver/launch/prepared_launch.h"
#include "driver/words/dtype_name.h"
#include "prove/evaluate.h"
#include "sanitizer/core/checked_kernel.h"

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
      : options_(options), asked_(asked), statement_(statement) {}
  Tried run();

 private:
  void find_free_numbers();
  bool draw(std::uint64_t number, prove::Numbers& numbers) const;
  bool meets(const std::vector<Poly>& facts, const prove::Numbers& numbers) const;
  bool own_enough(prove::Numbers& numbers) const;
  Boundary find_boundary(std::size_t which) const;
  std::optional<Integer> step_beyond(std::size_t which, prove::Numbers& numbers) const;
  std::optional<Trial> make(const prove::Numbers& numbers) const;
  std::optional<std::string> word_of(const AskedArgument& argument, const prove::Numbers& numbers) const;
  /// takes_all: a tensor whose size nobody said counts, too.
  bool launch(Trial& trial, bool takes_all) const;
  std::optional<Integer> value(const Poly& poly, const prove::Numbers& numbers) const {
    return prove::evaluate(poly, numbers, asked_.atoms);
  }

  const LaunchSpec& options_;
  Asked& asked_;
  const prove::Statement& statement_;
  std::vector<prove::AtomId> free_, owned_;  // owned: elements that nobody gave
};

void Trials::find_free_numbers() {
  std::map<prove::AtomId, bool> named;
  for (const Poly& extent : asked_.contract.grid) prove::parameters_of(extent, asked_.atoms, named);
  for (const auto& [name, number] : asked_.contract.integers) prove::parameters_of(number, asked_.atoms, named);
  for (const auto& [name, number] : asked_.contract.elements) prove::parameters_of(number, asked_.atoms, named);
  for (const Poly& fact : asked_.contract.facts) prove::parameters_of(fact, asked_.atoms, named);
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
}

bool Trials::meets(const std::vector<Poly>& facts, const prove::Numbers& numbers) const {
  return std::all_of(facts.begin(), facts.end(), [&](const Poly& fact) {
    const auto rest = value(fact, numbers);
    return rest && *rest >= 0;
  });
}

// First all numbers alike, then any; later draws let some be small.
bool Trials::draw(std::uint64_t number, prove::Numbers& numbers) const {
  for (std::size_t i = 0; i < free_.size(); ++i) {
    const std::uint64_t random = mix(number * 64 + i);
    std::size_t choice = number < kNumbers.size() ? number : random % kNumbers.size();
    if (number >= kNumbers.size() && (random >> 40U) % 2 == 0) choice = choice % 6;
    numbers[free_[i]] = kNumbers[choice];
  }
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

namespace {
/// As shapes name it: "f32", "u8".
std::string element_name(const AskedArgument& argument) {
  return argument.is_unsigned ? short_name(argument.element, true) : std::string(spelling(argument.element));
}
}  // namespace

std::optional<std::string> Trials::word_of(const AskedArgument& argument, const prove::Numbers& numbers) const {
  using Kind = AskedArgument::Kind;
  const std::string& name = argument.name;
  switch (argument.kind) {
    case Kind::constant: return argument.word;
    case Kind::scalar: return name + (argument.element == ScalarKind::i1 ? "=true" : "=1.0");
    case Kind::integer: {
      const auto given = asked_.contract.integers.find(name);
      const auto id = asked_.atoms.find_parameter(name);
      const auto number = given != asked_.contract.integers.end() ? value(given->second, numbers)
                          : id                                    ? value(Poly::atom(*id), numbers)
                                                                  : std::nullopt;
      if (!number) return std::nullopt;
      return name + "=" + number->str() + (argument.element == ScalarKind::i32 ? "" : ":" + short_name(argument.element, false));
    }
    case Kind::tensor: {
      const auto given = asked_.contract.elements.find(name);
      const Poly elements = given != asked_.contract.elements.end()
                                ? given->second
                                : Poly::atom(*asked_.atoms.find_parameter(prove::elements_of(name)));
      const auto number = value(elements, numbers);
      if (!number || *number < 0 || *number > kMostElements) return std::nullopt;
      // Values that differ: two programs that store one number do not race.
      std::string fill = asked_.contract.wants_races || asked_.contract.wants_lanes ? "arange" : "zeros";
      if (const auto range = asked_.contract.data.find(name); range != asked_.contract.data.end()) {
        const auto low = value(range->second.low, numbers), high = value(range->second.high, numbers);
        if (!low || !high || *low > *high) return std::nullopt;
        fill = "full(" + high->str() + ")";
      }
      return name + "=" + fill + ":" + element_name(argument) + "[" + number->str() + "]";
    }
    case Kind::other: return std::nullopt;
  }
  return std::nullopt;
}

std::optional<Trial> Trials::make(const prove::Numbers& numbers) const {
  Trial trial;
  for (const Poly& extent : asked_.contract.grid) {
    const auto here = value(extent, numbers);
    if (!here) return std::nullopt;
    trial.grid += (trial.grid.empty() ? "" : ",") + here->str();
  }
  for (const AskedArgument& argument : asked_.arguments) {
    auto word = word_of(argument, numbers);
    if (!word) return std::nullopt;
    trial.words.push_back(std::move(*word));
  }
  trial.meets_conditions = true;
  for (const prove::Condition& condition : statement_.conditions)
    trial.meets_conditions = trial.meets_conditions && meets({condition.rest}, numbers);
  return trial;
}

bool is_race(const Finding& finding) {
  return finding.code == FindingCode::LS301 || finding.code == FindingCode::LS302 || finding.code == FindingCode::LS309 ||
         finding.code == FindingCode::LS404;
}

bool is_out_of_bounds(const Finding& finding) {
  return finding.tier == Tier::error &&
         (finding.code == FindingCode::LS101 || finding.code == FindingCode::LS102 || finding.code == FindingCode::LS103 ||
          finding.code == FindingCode::LS104 || finding.code == FindingCode::LS105 || finding.code == FindingCode::LS106);
}

bool Trials::launch(Trial& trial, bool takes_all) const {
  LaunchSpec spec = options_;
  spec.arguments = trial.words;
  spec.grid = trial.grid;
  const prove::Contract& contract = asked_.contract;
  spec.check = contract.wants_races && contract.wants_lanes ? "races,lanes"
               : contract.wants_races                       ? "races"
               : contract.wants_lanes                       ? "lanes"
                                                            : "none";
  spec.threads = 1;
  DiagnosticSink sink;
  PreparedLaunch session(spec, sink);
  if (!prepare(session)) return false;
  const auto checks = checks_of(spec, spec.check, sink);
  if (!checks) return false;
  interpreter::LaunchRequest request = session.request();
  request.limits.timeout_seconds = 5;
  request.print = [](const std::string&) {};
  const auto report = sanitizer::launch_checked(request, *checks, sink);
  if (!report || report->outcome != interpreter::Outcome::completed) return false;
  for (const Finding& finding : report->findings.findings()) {
    if (is_race(finding))
      trial.failures.push_back({std::string(spelling(finding.code)), finding.location.file_text(), finding.message});
    if (is_out_of_bounds(finding) && (takes_all || asked_.contract.elements.contains(finding.argument)))
      trial.failures.push_back({std::string(spelling(finding.code)), finding.location.file_text(), finding.message});
  }
  return trial.has_run = true;
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

Boundary Trials::find_boundary(std::size_t which) const {
  constexpr std::uint64_t kBoundaryDraws = 600;
  constexpr std::size_t kBoundaryRuns = 3;
  std::map<Integer, std::vector<prove::Numbers>> by_distance;
  for (std::uint64_t i = 0; i < kBoundaryDraws; ++i) {
    prove::Numbers numbers;
    if (!draw(i, numbers) || !own_enough(numbers)) continue;
    if (const auto distance = step_beyond(which, numbers)) by_distance[*distance].push_back(std::move(numbers));
  }
  Boundary boundary;
  std::size_t run = 0, failed = 0;
  for (const auto& [distance, launches] : by_distance) {
    for (const prove::Numbers& numbers : launches) {
      auto trial = make(numbers);
      if (!trial || run >= kBoundaryRuns || !launch(*trial, true)) continue;
      ++run;
      if (trial->failures.empty()) continue;
      ++failed;
      if (!boundary.beyond) boundary.beyond = std::move(*trial);
    }
  }
  boundary.is_exact = run > 0 && failed == run;
  return boundary;
}

Tried Trials::run() {
  Tried tried;
  find_free_numbers();
  const bool may_refute =
      !statement_.undecided.empty() ||
      std::any_of(statement_.conditions.begin(), statement_.conditions.end(),
                  [](const prove::Condition& one) { return one.property == prove::Property::bounds && one.is_of_contract; });
  std::set<std::vector<std::string>> seen;
  std::size_t unmet = 0;
  for (std::uint64_t i = 0; i < kDraws && (tried.met < kMostMet || (may_refute && unmet < kMostUnmet)); ++i) {
    prove::Numbers numbers;
    if (!draw(i, numbers) || !own_enough(numbers)) continue;
    auto trial = make(numbers);
    if (!trial) continue;
    trial->words.push_back("--grid " + trial->grid);
    const bool is_new = seen.insert(trial->words).second;
    trial->words.pop_back();
    if (!is_new) continue;
    if (trial->meets_conditions && !tried.is_possible) tried.witness = numbers;
    tried.is_possible = tried.is_possible || trial->meets_conditions;
    const bool proves = trial->meets_conditions && statement_.undecided.empty();
    std::size_t& count = proves ? tried.met : unmet;
    if (!asked_.can_be_run || count >= (proves ? kMostMet : kMostUnmet) || (!proves && !may_refute)) continue;
    ++count;
    // What nobody said the size of is as large as the conditions ask: that refutes nothing where they are not all known.
    if (!launch(*trial, proves)) {
      if (proves) --count;
      continue;
    }
    if (!trial->failures.empty()) (proves ? tried.contradictions : tried.refutations).push_back(std::move(*trial));
    if (!tried.refutations.empty() || !tried.contradictions.empty()) break;
  }
  const bool holds = tried.refutations.empty() && tried.contradictions.empty() && statement_.undecided.empty();
  for (std::size_t i = 0; i < statement_.conditions.size() && holds && asked_.can_be_run && i < kMostBoundaries; ++i)
    tried.boundaries.push_back(find_boundary(i));
  return tried;
}

}  // namespace

Tried try_statement(const LaunchSpec& options, Asked& asked, const prove::Statement& statement) {
  return Trials(options, asked, statement).run();
}

std::string command_text(const LaunchSpec& options, const Trial& trial) {
  std::string text = "lockstep run " + options.target + " --grid " + trial.grid;
  for (const std::string& word : trial.words) text += " " + word;
  return text;
}

}  // namespace lockstep::driver
