// `lockstep prove`: what holds of a kernel in every launch, under which conditions; or a launch that fails; or what was
// not decided, and why.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <string>
#include <vector>

#include "cli/commands/command.h"
#include "driver/files/file.h"
#include "driver/proving/asked.h"
#include "driver/proving/like.h"
#include "cli/listings/build_facts.h"
#include "driver/proving/proof_report.h"
#include "driver/proving/proof_sarif.h"
#include "driver/proving/solvers.h"
#include "driver/proving/trials.h"
#include "driver/words/quantities.h"
#include "prove/words.h"
#include "support/diagnostics/report_status.h"

namespace lockstep::cli {
namespace {

struct ProveOptions : driver::LaunchSpec {
  driver::AskedMore more;
  std::vector<std::string> proof_reports;  // FORMAT=FILE
  std::vector<std::string> like;           // capsules
  std::vector<std::string> missed{};  // conditions, by the launches of like
  bool is_strict = false;
  bool is_certified = false;
  bool is_json = false;
  std::string proof;
};

constexpr std::size_t kNarrow = 48;

void declare_prove(OptionList& options, ProveOptions& given) {
  options.word("kernel", given.target, "FILE.py[::KERNEL], FILE.ttir or LAUNCH.capsule", {.is_required = true});
  options.words("arguments", given.arguments, "NAME=TYPE[SHAPE], NAME=*TYPE, NAME, NAME=TYPE or NAME=VALUE for each argument");
  options.text("--grid", given.grid, "X[,Y[,Z]]", "expressions over the named sizes (default: any grid)");
  options.texts("--where", given.more.where, "A<=B", "a condition that every launch meets: n % 16 == 0");
  options.texts("--properties", given.more.properties, "P,...", "beside bounds and integers: races, lanes, hints, coverage; all");
  options.texts("--assume", given.more.assume, "ROW", "of the integers in an argument's memory: index in [0,n), index rises from 0 to n, chunks counts chunks of 64 in n sequences of starts");
  options.texts("--like", given.like, "CAPSULE", "a launch that says which argument is a size or stride of which tensor, and what is an output");
  options.flag("--json", given.is_json, "the answer as JSON");
  options.texts("--report", given.proof_reports, "FORMAT=FILE", "write the answer as sarif or json to FILE");
  options.text("--proof", given.proof, "FILE", "write the proof to FILE; check_proof.py reads it");
  options.flag("--certified", given.is_certified, "what only z3 or isl proves, without a certificate, is not decided");
  options.flag("--strict", given.is_strict, "exit with code 4 if the proof needs conditions");
}

std::string padded(std::string text) {
  if (text.size() < kNarrow) text.resize(kNarrow, ' ');
  return text;
}

std::string number_text(std::size_t count, const char* one, const char* several) {
  return std::to_string(count) + " " + (count == 1 ? one : several);
}

void put_conditions(const driver::Asked& asked, const prove::Statement& statement, const driver::Tried& tried) {
  for (std::size_t i = 0; i < statement.conditions.size(); ++i) {
    const prove::Condition& one = statement.conditions[i];
    const bool is_exact = i < tried.boundaries.size() && tried.boundaries[i].is_exact;
    std::printf("  %s  %s  %s%s\n", padded(prove::condition_text(one.rest, asked.atoms)).c_str(),
                prove::place_text(*one.op).c_str(), prove::reason_text(one).c_str(), is_exact ? "  [exactly]" : "");
  }
}

void put_undecided(const prove::Statement& statement) {
  for (const prove::Undecided& one : statement.undecided) {
    std::printf("  %s  %s: %s\n", prove::place_text(*one.op).c_str(), driver::property_text(one.property),
                one.reason.c_str());
  }
  for (const std::string& row : statement.suggestions) std::printf("  an assumption that says more: --assume \"%s\"\n", row.c_str());
}

void put_counts(const char* lead, const prove::Statement& statement, double seconds) {
  std::string pairs;
  if (statement.races != 0) pairs += "; " + number_text(statement.races, "pair", "pairs") + " of accesses without a race";
  if (statement.lanes != 0) pairs += "; lanes of " + number_text(statement.lanes, "store", "stores") + " apart";
  if (statement.covered != 0) pairs += "; " + number_text(statement.covered, "output", "outputs") + " written";
  if (statement.hints != 0) pairs += "; " + number_text(statement.hints, "hint", "hints") + " kept";
  std::printf("%s: %s in bounds; %s exact; %s; %s%s. %s\n", lead,
              number_text(statement.accesses, "access", "accesses").c_str(),
              number_text(statement.integers, "integer", "integers").c_str(),
              number_text(statement.loops, "loop", "loops").c_str(),
              number_text(statement.divisions, "division", "divisions").c_str(), pairs.c_str(), driver::format_seconds(seconds).c_str());
}

void put_uncertified(const ProveOptions& options, const prove::Statement& statement) {
  for (const prove::Uncertified& one : statement.uncertified)
    std::printf("proved (%s): %s  %s\n", one.by.c_str(), prove::place_text(*one.op).c_str(), driver::property_text(one.property));
  if (statement.uncertified.empty()) return;
  std::printf("these have no certificate%s\n", options.proof.empty() ? "" : ", so no proof was written");
}

void put_trial(const driver::LaunchSpec& options, const driver::Trial& trial) {
  std::printf("  %s\n", driver::command_text(options, trial).c_str());
  for (const driver::TrialFailure& one : trial.failures)
    std::printf("  fails with %s at %s: %s\n", one.code.c_str(), one.place.c_str(), one.message.c_str());
}

/// The smallest launch that was run and misses a condition.
void put_first_beyond(const driver::LaunchSpec& options, const driver::Tried& tried) {
  const auto found = std::find_if(tried.boundaries.begin(), tried.boundaries.end(),
                                  [](const driver::Boundary& one) { return one.beyond.has_value(); });
  if (found == tried.boundaries.end()) return;
  std::printf("beyond the first of these:\n");
  put_trial(options, *found->beyond);
}

/// To be read and kept: what fits a few launches may be a chance.
void put_like(const ProveOptions& options) {
  if (options.like.empty()) return;
  std::printf("contract, like %s:", number_text(options.like.size(), "launch", "launches").c_str());
  for (const std::string& word : options.arguments) std::printf(" \"%s\"", word.c_str());
  std::printf("%s\n", options.grid.empty() ? "" : (" --grid \"" + options.grid + "\"").c_str());
  for (const std::string& one : options.missed) std::printf("not met by what was recorded, so the contract says something else: %s\n", one.c_str());
}

void put_assumed(const driver::Asked& asked, const driver::Tried& tried) {
  std::printf("assumed: integers and sizes are 1 or more; different arguments are different memory");
  std::printf("%s\n", asked.contract.facts.empty() ? "" : "; what --where says");
  for (const auto& [name, range] : asked.contract.data) std::printf("assumed of data: %s\n", range.text.c_str());
  for (const auto& [name, table] : asked.contract.chunks) std::printf("assumed of data: %s\n", table.text.c_str());
  if (!asked.can_be_run)
    std::printf("no launch was run: words cannot make this kernel's arguments\n");
  else
    std::printf("run: %s that meet this, none out of bounds\n", number_text(tried.met, "launch", "launches").c_str());
}

ExitCode exit_code_of_proof(const ProveOptions& options, const prove::Statement& statement, const driver::Tried& tried) {
  if (!tried.contradictions.empty()) return ExitCode::defect;
  if (!tried.refutations.empty()) return ExitCode::findings;
  const bool holds = statement.undecided.empty() && tried.is_possible;
  return !holds || (options.is_strict && !statement.conditions.empty()) ? ExitCode::unsupported : ExitCode::clean;
}

ExitCode answer(const ProveOptions& options, const driver::Asked& asked, const prove::Statement& statement,
                const driver::Tried& tried, double seconds) {
  const std::string& kernel = asked.kernel;
  if (!tried.contradictions.empty()) {
    std::printf("%s: a launch that meets what was proved fails; this is a defect of Lockstep, please report it\n", kernel.c_str());
    put_trial(options, tried.contradictions[0]);
    return exit_code_of_proof(options, statement, tried);
  }
  if (!tried.refutations.empty()) {
    std::printf("%s fails\n", kernel.c_str());
    put_trial(options, tried.refutations[0]);
    if (!statement.conditions.empty()) std::printf("it needs\n");
    put_conditions(asked, statement, tried);
    put_undecided(statement);
    return exit_code_of_proof(options, statement, tried);
  }
  if (!statement.undecided.empty()) {
    std::printf("%s is not decided\n", kernel.c_str());
    put_undecided(statement);
    if (!statement.conditions.empty()) std::printf("the rest needs\n");
    put_conditions(asked, statement, tried);
    put_counts("proved of it", statement, seconds);
    put_uncertified(options, statement);
    put_like(options);
    return exit_code_of_proof(options, statement, tried);
  }
  if (!tried.is_possible) {
    std::printf("%s is not decided\n  %s\n", kernel.c_str(), driver::impossible_text(asked, statement, tried).c_str());
    put_conditions(asked, statement, tried);
    return exit_code_of_proof(options, statement, tried);
  }
  std::printf("%s holds for all launches%s\n", kernel.c_str(), statement.conditions.empty() ? "" : " with");
  put_conditions(asked, statement, tried);
  put_counts("proved", statement, seconds);
  put_uncertified(options, statement);
  put_first_beyond(options, tried);
  put_assumed(asked, tried);
  put_like(options);
  return exit_code_of_proof(options, statement, tried);
}

ExitCode run_prove(const ProveOptions& given) {
  const auto start = std::chrono::steady_clock::now();
  DiagnosticSink sink;
  ProveOptions options = given;
  std::optional<driver::FittingWords> like;
  if (!options.like.empty()) {
    like = driver::words_like(options.like, {options, options.more}, sink);
    if (!like) return report(sink);
    driver::add_words(options.arguments, like->words);
    if (options.grid.empty()) options.grid = like->grid;
  }
  for (const std::string& one : options.proof_reports) {
    const std::size_t equals = one.find('=');
    const bool is_known = one.starts_with("sarif=") || one.starts_with("json=");
    if (is_known && equals + 1 < one.size()) continue;
    report_status(sink, {"LS1922", "--report " + one + " is not FORMAT=FILE", "sarif or json, for example --report sarif=proof.sarif"});
    return report(sink);
  }
  driver::Asked asked;
  const bool is_read = driver::read_asked(options, options.more, asked, sink);
  const ExitCode code = report(sink);
  if (!is_read) return code;
  asked.contract.wants_certificates = options.is_certified;
  driver::Solvers solvers;
  const prove::Statement statement = prove::prove(*asked.function, asked.contract, asked.atoms, &solvers);
  if (like) options.missed = driver::conditions_missed(*like, asked, statement);
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  const driver::Tried tried = driver::try_statement(options, asked, statement);
  const bool is_whole = std::string(driver::answer_text(statement, tried)) == "holds";
  if (!options.proof.empty() && is_whole && statement.uncertified.empty()) {
    const std::string text = driver::proof_of(asked, statement, driver::words_of(options, options.more), tried.witness);
    if (const auto written = driver::write_file(options.proof, text, {}); !written) {
      report_status(sink, written.error());
      return report(sink);
    }
  }
  for (const std::string& one : options.proof_reports) {
    const std::string text = one.starts_with("sarif=") ? driver::proof_sarif(build_version(), options, asked, statement, tried)
                                                       : driver::report_json(options, asked, statement, tried).dump() + "\n";
    if (const auto written = driver::write_file(one.substr(one.find('=') + 1), text, {}); !written) {
      report_status(sink, written.error());
      return report(sink);
    }
  }
  if (options.is_json) {
    Json answer = driver::report_json(options, asked, statement, tried);
    if (like) answer.set("missed", Json::Array(options.missed.begin(), options.missed.end()));
    std::printf("%s\n", answer.dump().c_str());
    std::fflush(stdout);
    return exit_code_of_proof(options, statement, tried);
  }
  return answer(options, asked, statement, tried, seconds);
}

constexpr const char* kProveFooter = R"TEXT(
For every launch, Lockstep proves that accesses stay inside their argument, that integers in addresses, masks and
bounds of loops do not wrap, and that divisors are positive.
--properties races,lanes: no two programs, and no two lanes of a
store, touch the same bytes. hints: what tl.multiple_of, tl.assume and their kin promise holds. coverage: every element of
an output, x=f32[M,N] out, is written. all: all of these.
It does not check results.
  x=f32[M,N]  x=f32[M,N]:(s,1)  x=*f32     a tensor: its sizes, its strides too, or nothing
  n  n=i64  n=5                            any integer from 1; a fixed one
  eps=f32  BLOCK=64  H=any                 another scalar; a constexpr; one that may be any integer
Where no proof is found, isl is asked if this build has it (-DLOCKSTEP_ISL=ON, `lockstep --version`; LOCKSTEP_ISL=off: never).
Then z3 is asked if there is one: LOCKSTEP_Z3, on PATH, or beside LOCKSTEP_PYTHON (LOCKSTEP_Z3=off: never).
Exit codes: 0 proved under the conditions printed, 1 a launch that it ran fails, 2 usage, 4 not decided.
Example:
  lockstep prove examples/softmax.py::softmax "x=f32[rows,columns]:(x_stride,1)" "out=f32[rows,columns]:(out_stride,1)" \
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
