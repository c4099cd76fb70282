// `lockstep run`: prepares and runs the launch, then prints findings, outputs and the summary, in that order.
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <string>

#include "cli/commands/command.h"
#include "cli/interrupt.h"
#include "cli/listings/answers.h"
#include "cli/listings/first_launch.h"
#include "cli/listings/summary.h"
#include "cli/progress.h"
#include "cli/report_output.h"
#include "debugger/launch/mismatch.h"
#include "driver/files/save.h"
#include "driver/launch/outputs.h"
#include "driver/launch/prepared_launch.h"
#include "driver/words/print_tensor.h"
#include "driver/words/quantities.h"
#include "findings/code_coverage.h"
#include "findings/origins.h"
#include "findings/places.h"
#include "interpreter/profile/profile_text.h"
#include "memory_model/touched.h"
#include "sanitizer/core/checked_kernel.h"
#include "sanitizer/coverage/covered_by.h"
#include "support/log.h"

namespace lockstep::cli {
namespace {

using Clock = std::chrono::steady_clock;

/// Texts for people go to the stream without a report.
void put_beside_report(const driver::LaunchSpec& options, const std::string& text) {
  std::fwrite(text.data(), 1, text.size(), has_report_on_output(options) ? stderr : stdout);
}

/// What the launch is compared with, read before it.
struct Judging {
  std::vector<ReportRequest> reports;
  Baseline baseline;
  sanitizer::CheckOptions checks;
};

std::optional<Judging> read_judging(const driver::LaunchSpec& options, DiagnosticSink& sink) {
  auto reports = parse_reports(options.reports);
  auto baseline = read_baseline(options.baseline);
  auto checks = driver::checks_of(options, options.check, sink);
  if (!reports) report_status(sink, reports.error());
  if (!baseline) report_status(sink, baseline.error());
  if (!reports || !baseline || !checks) return std::nullopt;
  return Judging{std::move(*reports), std::move(*baseline), *checks};
}

// Tensors may be larger than the machine's memory. Lockstep ends the launch before the system ends the process.
bool memory_is_exhausted() {
  constexpr std::uint64_t kReserve = std::uint64_t{256} << 20;
  const std::uint64_t available = memory_model::available_memory();
  return available != 0 && available < kReserve;
}

void report_exhaustion(std::uint64_t tensor_bytes, DiagnosticSink& sink) {
  report_status(sink, {"LS3010",
                       "the kernel touched more of its tensors (" + driver::format_bytes(tensor_bytes) +
                           ") than the machine has memory for: this process holds " +
                           driver::format_bytes(memory_model::resident_memory()),
                       "run fewer programs, or use smaller tensors"});
}

std::optional<interpreter::LaunchReport> launch(const driver::LaunchSpec& options,
                                                const sanitizer::CheckOptions& checks,
                                                driver::PreparedLaunch& session, Clock::time_point start,
                                                DiagnosticSink& sink, CodeCoverage* coverage, sanitizer::NotLookedFor& missed) {
  interpreter::LaunchRequest request = session.request();
  if (has_report_on_output(options)) request.print = [&](const std::string& line) { put_beside_report(options, line); };
  const InterruptGuard interrupt;
  ProgressLine progress;
  request.stop = interrupt.flag();
  request.progress = [&](const interpreter::Progress& now) { progress.update(now); };
  if (options.timeout_seconds > 0) {
    const double passed = std::chrono::duration<double>(Clock::now() - start).count();
    request.limits.timeout_seconds = std::max(options.timeout_seconds - passed, 1e-3);
  }
  bool has_run_out = false;
  if (session.may_run_out_of_memory()) request.poll = [&] { return !(has_run_out = memory_is_exhausted()); };
  auto report = sanitizer::launch_checked(request, checks, sink, coverage, &missed);
  if (report && has_run_out) {
    report->outcome = interpreter::Outcome::out_of_memory;
    report_exhaustion(session.tensor_bytes(), sink);
  }
  return report;
}

const memory_model::View& view_of(const driver::PreparedLaunch& session, const std::string& name) {
  return session.memory().view(session.find_tensor(name)->view);
}

void print_outputs(const driver::LaunchSpec& options, const driver::PreparedLaunch& session) {
  for (const std::string& name : options.print) {
    put_beside_report(options, driver::print_tensor(view_of(session, name), session.find_tensor(name)->is_unsigned));
  }
}

// --expect: the worst code of all comparisons.
ExitCode compare_outputs(const driver::LaunchSpec& options, const driver::PreparedLaunch& session) {
  ExitCode code = ExitCode::clean;
  for (const auto& [request, reference] : session.expectations()) {
    const bool is_unsigned = session.find_tensor(request.name)->is_unsigned;
    const auto output = driver::gather(view_of(session, request.name), is_unsigned, 0);
    if (!output) return report(output.error());
    const auto tolerance = driver::tolerance_of(options, output->element);
    const driver::ExpectResult result = driver::check_expectation(request, *output, reference, tolerance);
    put_beside_report(options, result.text);
    if (!result.is_equal) code = ExitCode::findings;
  }
  return code;
}

ExitCode save_outputs(const driver::PreparedLaunch& session) {
  for (const driver::FileRequest& request : session.saves()) {
    const auto written = driver::save_npy(request.path, session.memory(), view_of(session, request.name),
                                        session.find_tensor(request.name)->is_unsigned);
    if (!written) return report(written.error());
  }
  return ExitCode::clean;
}

ExitCode show_profile(const driver::LaunchSpec& options, const interpreter::Profile& profile) {
  if (options.profile) put_beside_report(options, interpreter::profile_text(profile));
  if (options.trace.empty()) return ExitCode::clean;
  const auto written = driver::write_text(options.trace, interpreter::profile_trace(profile));
  return written ? ExitCode::clean : report(written.error());
}

/// Information that the user did not ask for by name takes one line.
void put_findings(const driver::LaunchSpec& options, const sanitizer::CheckOptions& checks, const Report& findings) {
  const bool color = use_color(has_report_on_output(options) ? STDERR_FILENO : STDOUT_FILENO);
  for (const Finding& finding : findings.findings()) {
    const std::string text = render_text(finding, color);
    const bool is_brief = finding.tier == Tier::info && checks.when_cheap != 0;
    put_beside_report(options, is_brief ? text.substr(0, text.find('\n') + 1) : text);
  }
}

/// Findings, outputs and the exit code for them.
ExitCode judge(const driver::LaunchSpec& options, const sanitizer::CheckOptions& checks,
               const driver::PreparedLaunch& session, const interpreter::LaunchReport& report) {
  put_findings(options, checks, report.findings);
  ExitCode code = code_of(report.outcome, report.findings, options.fail_on);
  if (report.outcome == interpreter::Outcome::completed) {
    print_outputs(options, session);
    const ExitCode saved = save_outputs(session);
    const ExitCode compared = saved == ExitCode::clean ? compare_outputs(options, session) : saved;
    if (compared != ExitCode::clean && (code == ExitCode::clean || compared != ExitCode::findings)) code = compared;
  }
  return code;
}

/// The checkers that did not run although the user did not exclude them, for the summary. A list of checkers names them
/// itself.
std::string not_looked(const driver::LaunchSpec& options, const sanitizer::CheckOptions& checks,
                       const sanitizer::NotLookedFor& missed) {
  if (options.check == "none") return "Lockstep checked only accesses, assertions and deadlocks";
  const bool is_quick = options.check == "quick";
  const std::string names =
      sanitizer::checker_names(missed.left_out | (is_quick ? sanitizer::all_checkers() & ~checks.checkers : 0));
  return names.empty() ? "" : "not looked for: " + names;
}

/// Of a launch that was looked at with the checks that it has by itself.
std::string none_means(const driver::LaunchSpec& options, const interpreter::LaunchReport& report) {
  const bool is_whole = report.outcome == interpreter::Outcome::completed && report.programs_run > 0;
  if (!is_whole || (options.check != "default" && options.check != "auto")) return "";
  return std::string("as with --check all") + (options.expect.empty() ? "; results not compared: --expect" : "");
}

ExitCode finish(const driver::LaunchSpec& options, driver::PreparedLaunch& session, const Judging& judging,
                interpreter::LaunchReport report, const std::optional<CodeCoverage>& coverage,
                const sanitizer::NotLookedFor& missed, const Answers& answers) {
  const interpreter::LaunchRequest request = session.request();
  const auto effects = interpreter::effects_of(*request.module, *request.function);
  const CheckCoverage covered = sanitizer::covered_by(
      {*request.module, *request.function, request, request.profile, judging.checks, effects}, report, missed);
  note_origins(report.findings, [&](const Finding& one) { return session.origin_of(one.argument); });
  const SourceCache sources;
  const auto found = judge_findings(report.findings, session.kernel_name(), judging.baseline);
  const std::size_t all = found.size();
  report.findings = counting(found);
  ExitCode code = judge(options, judging.checks, session, report);
  put_beside_report(options, format_summary(session.kernel_name(), report, session.profile(), options.fp_fusion == "on",
                              {all - report.findings.findings().size(), not_looked(options, judging.checks, missed), none_means(options, report)}));
  if (options.check != "default" && options.check != "auto") put_beside_report(options, covered_text(covered));
  if (coverage) put_beside_report(options, code_coverage_text(*coverage));
  put_beside_report(options, answers.text);
  if (const std::string outcome = sanitizer::shown_outcome(judging.checks); !outcome.empty())
    put_beside_report(options, "  " + outcome + "\n");
  if (session.has_memory_limit() || session.may_run_out_of_memory() || report.profile != nullptr)
    put_beside_report(options, format_memory(session.tensor_bytes(), report));
  const ExitCode shown = report.profile == nullptr ? ExitCode::clean : show_profile(options, *report.profile);
  if (shown != ExitCode::clean) code = shown;
  auto facts = report_facts(options, session.kernel_name(), session.profile(), judging.checks, report, covered);
  facts.code = coverage;
  facts.answers = answers.parts;
  const auto written = write_reports(judging.reports, facts, found);
  if (!written) code = cli::report(written.error());
  LOCKSTEP_CHECK(session.memory().red_zones_intact(), "a red zone was overwritten: a store passed the bounds check");
  return code;
}

ExitCode run_run(const driver::LaunchSpec& options) {
  const Clock::time_point start = Clock::now();
  DiagnosticSink sink;
  driver::PreparedLaunch session(options, sink);
  const auto judging = read_judging(options, sink);
  if (!judging || !prepare(session)) {
    const ExitCode code = report(sink);
    show_whole_command("run", options, sink);
    return session.is_over_memory_limit() ? ExitCode::stopped : code;
  }
  const auto answers = answer_beside(options, session, sink);
  if (!answers) return report(sink);
  debugger::MismatchSearch mismatch(options, judging->checks, session);
  std::optional<CodeCoverage> coverage;
  if (options.cover) coverage.emplace();
  sanitizer::NotLookedFor missed;
  auto launched = launch(options, judging->checks, session, start, sink, coverage ? &*coverage : nullptr, missed);
  const ExitCode code = report(sink);
  if (!launched) return code;
  const InterruptGuard interrupt;
  const std::string left_out = mismatch.locate(*launched, *interrupt.flag());
  const ExitCode finished = finish(options, session, *judging, std::move(*launched), coverage, missed, *answers);
  put_beside_report(options, left_out);
  return finished;
}

void declare_run(OptionList& options, driver::LaunchSpec& spec) { options.run(spec); }

constexpr const char* kRunFooter = R"(
Arguments, NAME=VALUE each:
  n=98432  eps=1e-5  flag=true  x=none  n=5:i64     scalars, typed as Triton specialises them unless a type is given
  BLOCK=1024                                        constexpr parameters
  x=randn:f32[1823,781]   zeros ones rand arange empty  full(3):f32[8]  randint(0,9):i64[8]
  x=randn:f32[rows,columns]                         sizes may name integer arguments
  x=@in.npy   x=@data.npz:key   x=@bits.npy:bf16    from files
  x=view(y, offset=1, shape=[4,4], strides=[8,1])   a window on another argument's storage
  x=desc(y, block=[16,32], padding=nan)             a tensor descriptor of another argument; block for .py kernels
  x=addresses(y, z)                                 a table of 64-bit addresses of other arguments
  t=(randn:f32[64], 5, (none, 1))                   a tuple; its elements are t.0, t.1, t.2.0: --print t.0
  v=(data=zeros:f32[8], size=8)                     a NamedTuple; its elements are v.data and v.size
A grid is one to three expressions over the arguments: --grid "cdiv(n, BLOCK), 2"

Exit codes: 0 clean, 1 findings or a failed --expect, 2 usage or source error, 3 environment, 4 not supported yet,
  5 stopped by --timeout or --max-memory, 70 a defect of Lockstep, 130 interrupted.
Example:
  lockstep run examples/softmax.py::softmax --grid rows x=randn:f32[rows,columns] out=empty:f32[rows,columns] \
    x_stride=100 out_stride=100 rows=8 columns=100 BLOCK=128 --print out)";

}  // namespace

extern const CommandRow kRunCommand{
    .name = "run",
    .summary = "run a kernel over a grid on the CPU and report what it did",
    .make = make_command<driver::LaunchSpec, declare_run, run_run>,
    .footer = kRunFooter,
};

}  // namespace lockstep::cli
