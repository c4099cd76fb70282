// `lockstep prove`: what holds of a kernel in every launch, under which conditions; or a launch that fails; or what was
// not decided, and why.
#include <chrono>
#include <cstdio>
#include <map>
#include <string>
#include <vector>

#include "cli/commands/command.h"
#include "driver/proving/asked.h"
#include "driver/proving/trials.h"
#include "driver/words/quantities.h"
#include "prove/words.h"

namespace lockstep::cli {
namespace {

struct ProveOptions : driver::LaunchSpec {
  std::vector<std::string> where;
  bool is_strict = false;
};

constexpr std::size_t kNarrow = 48;

void declare_prove(OptionList& options, ProveOptions& given) {
  options.word("kernel", given.target, "FILE.py[::KERNEL], FILE.ttir or LAUNCH.capsule", {.is_required = true});
  options.words("arguments", given.arguments, "NAME=TYPE[SHAPE], NAME=*TYPE, NAME, NAME=TYPE or NAME=VALUE for each argument");
  options.text("--grid", given.grid, "X[,Y[,Z]]", "the grid, over names; without it, any");
  options.texts("--where", given.where, "A<=B", "what every launch has: n % 16 == 0");
  options.flag("--strict", given.is_strict, "conditions that are printed count as not proved (exit code 4)");
}

std::string padded(std::string text) {
  if (text.size() < kNarrow) text.resize(kNarrow, ' ');
  return text;
}

std::string number_text(std::size_t count, const char* one, const char* several) {
  return std::to_string(count) + " " + (count == 1 ? one : several);
}

std::string property_text(prove::Property property) {
  switch (property) {
    case prove::Property::bounds: return "bounds";
    case prove::Property::integers: return "integers";
    case prove::Property::loops: return "loop";
    case prove::Property::division: return "division";
  }
  return {};
}

void put_conditions(const driver::Asked& asked, const prove::Statement& statement) {
  for (const prove::Condition& one : statement.conditions) {
    std::printf("  %s  %s  %s\n", padded(prove::condition_text(one.rest, asked.atoms)).c_str(),
                prove::place_text(*one.op).c_str(), prove::reason_text(one).c_str());
  }
}

void put_undecided(const prove::Statement& statement) {
  for (const prove::Undecided& one : statement.undecided) {
    std::printf("  %s  %s: %s\n", prove::place_text(*one.op).c_str(), property_text(one.property).c_str(),
                one.reason.c_str());
  }
}

void put_counts(const char* lead, const prove::Statement& statement, double seconds) {
  std::printf("%s: %s in bounds; %s exact; %s; %s. %s\n", lead,
              number_text(statement.accesses, "access", "accesses").c_str(),
              number_text(statement.integers, "integer", "integers").c_str(),
              number_text(statement.loops, "loop", "loops").c_str(),
              number_text(statement.divisions, "division", "divisions").c_str(), driver::format_seconds(seconds).c_str());
}

void put_trial(const driver::LaunchSpec& options, const driver::Trial& trial) {
  std::printf("  %s\n", driver::command_text(options, trial).c_str());
  for (const driver::TrialFailure& one : trial.failures)
    std::printf("  fails with %s at %s: %s\n", one.code.c_str(), one.place.c_str(), one.message.c_str());
}

void put_assumed(const driver::Asked& asked, const driver::Tried& tried) {
  std::printf("assumed: integers and sizes are 1 or more; different arguments are different memory");
  std::printf("%s\n", asked.contract.facts.empty() ? "" : "; what --where says");
  if (!asked.can_be_run)
    std::printf("no launch was run: words cannot make this kernel's arguments\n");
  else
    std::printf("run: %s that meet this, none out of bounds\n", number_text(tried.met, "launch", "launches").c_str());
}

ExitCode answer(const ProveOptions& options, const driver::Asked& asked, const prove::Statement& statement,
                const driver::Tried& tried, double seconds) {
  const std::string& kernel = asked.kernel;
  if (!tried.contradictions.empty()) {
    std::printf("%s: a launch that meets what was proved fails; this is a defect of Lockstep, please report it\n", kernel.c_str());
    put_trial(options, tried.contradictions[0]);
    return ExitCode::defect;
  }
  if (!tried.refutations.empty()) {
    std::printf("%s fails\n", kernel.c_str());
    put_trial(options, tried.refutations[0]);
    if (!statement.conditions.empty()) std::printf("it needs\n");
    put_conditions(asked, statement);
    put_undecided(statement);
    return ExitCode::findings;
  }
  if (!statement.undecided.empty()) {
    std::printf("%s is not decided\n", kernel.c_str());
    put_undecided(statement);
    if (!statement.conditions.empty()) std::printf("the rest needs\n");
    put_conditions(asked, statement);
    put_counts("proved of it", statement, seconds);
    return ExitCode::unsupported;
  }
  if (!tried.is_possible) {
    std::printf("%s is not decided\n  no small launch meets the contract and the conditions: they may contradict each other\n", kernel.c_str());
    put_conditions(asked, statement);
    return ExitCode::unsupported;
  }
  std::printf("%s holds for all launches%s\n", kernel.c_str(), statement.conditions.empty() ? "" : " with");
  put_conditions(asked, statement);
  put_counts("proved", statement, seconds);
  put_assumed(asked, tried);
  return options.is_strict && !statement.conditions.empty() ? ExitCode::unsupported : ExitCode::clean;
}

ExitCode run_prove(const ProveOptions& options) {
  const auto start = std::chrono::steady_clock::now();
  DiagnosticSink sink;
  driver::Asked asked;
  const bool is_read = driver::read_asked(options, options.where, asked, sink);
  const ExitCode code = report(sink);
  if (!is_read) return code;
  const prove::Statement statement = prove::prove(*asked.function, asked.contract, asked.atoms);
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  const driver::Tried tried = driver::try_statement(options, asked, statement);
  return answer(options, asked, statement, tried, seconds);
}

constexpr const char* kProveFooter = R"TEXT(
Proved of every launch: accesses stay in the memory of their argument; integers that become addresses, masks or
bounds of loops do not wrap; divisors are positive. Not looked at: races, and what values are.
  x=f32[M,N]  x=f32[M,N]:(s,1)  x=*f32     a tensor: its sizes, its strides too, or nothing
  n  n=i64  n=5                            any integer from 1; a fixed one
  eps=f32  BLOCK=64                        another scalar; a constexpr
Exit codes: 0 proved under the conditions printed, 1 a launch was run and fails, 2 usage, 4 not decided.
Example:
  lockstep prove examples/softmax.py::softmax "x=f32[rows,columns]" "out=f32[rows,columns]:(out_stride,1)" \
    --grid rows BLOCK=128)TEXT";

}  // namespace

extern const CommandRow kProveCommand{
    .name = "prove",
    .summary = "prove for all sizes that a kernel stays in bounds and its integers do not wrap",
    .make = make_command<ProveOptions, declare_prove, run_prove>,
    .footer = kProveFooter,
    .usage = " FILE.py[::KERNEL] --grid X[,Y[,Z]] NAME=TYPE[SHAPE] ...",
};

}  // namespace lockstep::cli
