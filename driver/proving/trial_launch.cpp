#include "driver/proving/trial_launch.h"

#include <algorithm>
#include <utility>

#include "driver/launch/prepared_launch.h"
#include "driver/words/dtype_name.h"
#include "sanitizer/core/checked_kernel.h"

namespace lockstep::driver {
namespace {

using prove::Integer;
using prove::Poly;

constexpr std::int64_t kMostFilled = std::int64_t{1} << 22;

/// As shapes name it: "f32", "u8".
std::string element_name(const AskedArgument& argument) {
  return argument.is_unsigned ? short_name(argument.element, true) : std::string(spelling(argument.element));
}

/// What a finding says the kernel does not keep; nullopt: nothing that is proved.
std::optional<prove::Property> broken_property(const Finding& finding) {
  using Code = FindingCode;
  switch (finding.code) {
    case Code::LS203:
    case Code::LS204: return prove::Property::coverage;
    case Code::LS301:
    case Code::LS302:
    case Code::LS309: return prove::Property::races;
    case Code::LS404: return prove::Property::lanes;
    case Code::LS501:
    case Code::LS509: return prove::Property::integers;
    case Code::LS701:
    case Code::LS702:
    case Code::LS703:
    case Code::LS704:
      return finding.tier == Tier::error ? std::optional(prove::Property::hints) : std::nullopt;
    case Code::LS508: return prove::Property::loops;
    case Code::LS101:
    case Code::LS102:
    case Code::LS103:
    case Code::LS104:
    case Code::LS105:
    case Code::LS106:
      return finding.tier == Tier::error ? std::optional(prove::Property::bounds) : std::nullopt;
    default: return std::nullopt;
  }
}

}  // namespace

bool TrialLauncher::meets(const std::vector<Poly>& facts, const prove::Numbers& numbers) const {
  return std::all_of(facts.begin(), facts.end(), [&](const Poly& fact) {
    const auto rest = value(fact, numbers);
    return rest && *rest >= 0;
  });
}

std::optional<std::string> TrialLauncher::word_of(const AskedArgument& argument, const prove::Numbers& numbers,
                                                  const Making& making) const {
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
      if (!number || *number < 0 || *number > making.most_elements) return std::nullopt;
      // Values that differ: two programs that store one number do not race.
      std::string fill = making.values_differ ? "arange" : "zeros";
      if (const auto range = asked_.contract.data.find(name); range != asked_.contract.data.end()) {
        const auto low = value(range->second.low, numbers), high = value(range->second.high, numbers);
        if (!low || !high || *low > *high) return std::nullopt;
        fill = "full(" + high->str() + ")";
        // Each sequence has one element, and the last one ends where all do: a chunk begins inside of it.
        if (offsets_of_chunks(name)) {
          if (*high - *low < *number - 1) return std::nullopt;
          fill = "arange(" + Integer(*high - *number + 1).str() + ")";
        }
        // Of zeros, what no program touches costs nothing; other values are all made.
        if (*number > kMostFilled) {
          if (offsets_of_chunks(name) || *low > 0 || *high < 0) return std::nullopt;
          fill = "zeros";
        }
      }
      // The first chunk of each sequence, because each pair is there once.
      if (const auto table = asked_.contract.chunks.find(name); table != asked_.contract.chunks.end()) {
        const auto sequences = value(table->second.sequences, numbers);
        if (!sequences || *sequences < *number / 2 || *number > kMostFilled) return std::nullopt;
        fill = "pairs";
      }
      const auto output = asked_.contract.outputs.find(name);
      if (asked_.contract.wants_coverage && given != asked_.contract.elements.end() && output != asked_.contract.outputs.end()) {
        if (auto word = empty_word(argument, output->second, numbers)) return word;
      }
      return name + "=" + fill + ":" + element_name(argument) + "[" + number->str() + "]";
    }
    case Kind::other: return std::nullopt;
  }
  return std::nullopt;
}

bool TrialLauncher::offsets_of_chunks(const std::string& name) const {
  return std::any_of(asked_.contract.chunks.begin(), asked_.contract.chunks.end(), [&](const auto& one) { return one.second.offsets == name; });
}

// Without a value, so that what nobody writes is seen. nullopt: it has gaps, which nobody writes.
std::optional<std::string> TrialLauncher::empty_word(const AskedArgument& argument, const prove::Output& output,
                                                     const prove::Numbers& numbers) const {
  std::string shape;
  Integer dense = 1;
  for (std::size_t d = output.shape.size(); d-- > 0;) {
    const auto extent = value(output.shape[d], numbers), stride = value(output.strides[d], numbers);
    if (!extent || !stride || *stride != dense) return std::nullopt;
    dense *= *extent;
    shape = extent->str() + (shape.empty() ? "" : ",") + shape;
  }
  return argument.name + "=empty:" + element_name(argument) + "[" + shape + "]";
}

std::optional<Trial> TrialLauncher::make(const prove::Numbers& numbers, const Making& making) const {
  Trial trial;
  for (const Poly& extent : asked_.contract.grid) {
    const auto here = value(extent, numbers);
    if (!here) return std::nullopt;
    trial.grid += (trial.grid.empty() ? "" : ",") + here->str();
  }
  for (const AskedArgument& argument : asked_.arguments) {
    auto word = word_of(argument, numbers, making);
    if (!word) return std::nullopt;
    trial.words.push_back(std::move(*word));
  }
  trial.meets_conditions = true;
  for (const prove::Condition& condition : statement_.conditions)
    trial.meets_conditions = trial.meets_conditions && meets({condition.rest}, numbers);
  return trial;
}

bool TrialLauncher::launch(Trial& trial, bool takes_all, const std::string& looks_for) const {
  if (asked_.atoms.is_stopped()) return false;
  LaunchSpec spec = options_;
  spec.arguments = trial.words;
  spec.grid = trial.grid;
  spec.only = trial.only;
  spec.check = looks_for;
  spec.threads = 1;
  DiagnosticSink sink;
  PreparedLaunch session(spec, sink);
  if (!prepare(session)) return false;
  const auto checks = checks_of(spec, spec.check, sink);
  if (!checks) return false;
  interpreter::LaunchRequest request = session.request();
  constexpr std::uint64_t kMostSteps = 1 << 12;
  if (!trial.only.empty()) request.limits.max_steps_per_program = kMostSteps;
  request.limits.timeout_seconds = 5;
  request.print = [](const std::string&) {};
  const auto report = sanitizer::launch_checked(request, *checks, sink);
  if (!report || report->outcome != interpreter::Outcome::completed) return false;
  for (const Finding& finding : report->findings.findings()) {
    const auto property = broken_property(finding);
    // Programs that were left out write nothing.
    if (property == prove::Property::coverage && !trial.only.empty()) continue;
    if (!property || (*property == prove::Property::bounds && !takes_all && !asked_.contract.elements.contains(finding.argument)))
      continue;
    trial.failures.push_back({std::string(spelling(finding.code)), finding.location.file_text(), finding.message, *property,
                              place_of(finding.location)});
  }
  return trial.has_run = true;
}

std::string command_text(const LaunchSpec& options, const Trial& trial) {
  std::string text = "lockstep run " + options.target + " --grid " + trial.grid;
  if (!trial.only.empty()) text += " --only \"" + trial.only + "\"";
  for (const std::string& word : trial.words) text += " " + word;
  return text;
}

}  // namespace lockstep::driver
