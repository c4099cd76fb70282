#include "checked_trial.h"

#include <algorithm>
#include <set>

#include "findings/silence.h"
#include "fuzz/random.h"
#include "sanitizer/core/checked_kernel.h"

namespace lockstep::exactness {
namespace {

using sanitizer::CheckedKernel;
using sanitizer::CheckOptions;
using interpreter::LaunchReport;
using interpreter::Outcome;
using interpreter::RunRequest;

constexpr unsigned kThreads = 4;
constexpr double kSeconds = 2, kSecondsChecked = 60;
constexpr std::uint64_t kSteps = 200'000;  // of a program, without checkers

/// What one launch left and said.
struct Said {
  Result result;
  std::set<std::string> findings;
  Outcome outcome = Outcome::completed;
  bool was_refused = false;
};

CheckOptions options_of(const std::string& checkers, const char* model = "tile", const char* triton = "3.6") {
  DiagnosticSink sink;
  const auto made = sanitizer::make_check_options(checkers, model, triton, sink);
  LOCKSTEP_CHECK(made.has_value(), "no checkers: " + checkers);
  return *made;
}

class CheckedTrial {
 public:
  CheckedTrial(const ir::Module& module, const ir::Op& function, const TargetProfile& profile, RunRequest request)
      : function_(function), request_(std::move(request)), before_(contents(*request_.memory)) {
    DiagnosticSink sink;
    kernel_ = CheckedKernel::make(module, function, profile, sink);
  }

  Verdict run(std::uint64_t seed) {
    plain_ = launch(CheckOptions{}, 1, kSeconds, kSteps);
    verdict_.ran = !plain_.was_refused && !is_stopped(plain_.outcome);
    if (!verdict_.ran) return verdict_;
    verdict_.hash = hash_of(plain_.result);
    try_all(seed) && try_some(seed);
    return verdict_;
  }

 private:
  static bool is_stopped(Outcome outcome) { return outcome == Outcome::timed_out || outcome == Outcome::out_of_memory; }

  Said launch(const CheckOptions& options, unsigned threads, double seconds, std::uint64_t steps) {
    Said said;
    std::string printed;
    RunRequest request = request_;
    request.threads = threads;
    request.print = [&printed](const std::string& line) { printed += line; };
    request.limits = {
        .timeout_seconds = seconds, .max_memory_bytes = std::uint64_t{1} << 30, .max_steps_per_program = steps};
    DiagnosticSink sink;
    const auto report = kernel_ == nullptr ? std::nullopt : kernel_->launch(request, options, sink);
    said.was_refused = !report;
    if (report) {
      said.outcome = report->outcome;
      said.result = make_result(*report, *request_.memory, printed);
      for (const Finding& one : report->findings.findings())
        said.findings.insert(render_text(one) + "count " + std::to_string(one.count) + " in " +
                             std::to_string(one.programs) + "\n");
      render(*report);
    }
    LOCKSTEP_CHECK(request_.memory->red_zones_intact(), "a red zone was written");
    put_back(*request_.memory, before_);
    return said;
  }

  /// Every format takes what was found.
  void render(const LaunchReport& report) const {
    ReportFacts facts;
    facts.kernel = ir::symbol_name(function_);
    const auto found = judge_findings(report.findings, facts.kernel, {});
    for (const char* format : {"json", "sarif", "junit", "github", "baseline"})
      LOCKSTEP_CHECK(!report_format(format)(facts, found).empty() || std::string_view(format) == "github", format);
  }

  Said launch(const CheckOptions& options, unsigned threads) { return launch(options, threads, kSecondsChecked, 0); }

  bool differs(const std::string& what) {
    verdict_.difference = what;
    return false;
  }

  /// The launch is what it was without checkers, and what it finds then is still found.
  bool is_as_plain(const std::string& name, const Said& said) {
    ++verdict_.runs;
    if (said.was_refused) return differs(name + "refused");
    if (is_stopped(said.outcome)) return differs(name + "hangs");
    if (said.outcome != plain_.outcome) return differs(name + "another outcome");
    if (said.result.memory != plain_.result.memory)
      return differs(name + what_differs(plain_.result, said.result, *request_.memory));
    if (said.result.printed != plain_.result.printed) return differs(name + "printed lines");
    for (const std::string& one : plain_.findings) {
      if (!said.findings.contains(one)) return differs(name + "no longer found: " + one + instead_of(one, said));
    }
    return true;
  }

  /// What was found under the same code, for who looks into a difference.
  static std::string instead_of(const std::string& finding, const Said& said) {
    const std::size_t at = finding.find(" [LS");
    const std::string code = at == std::string::npos ? "" : finding.substr(at, finding.find(']', at) + 1 - at);
    std::string text;
    for (const std::string& one : said.findings) {
      if (one.find(code) != std::string::npos) text += "instead: " + one;
    }
    return text.empty() ? "nothing instead" : text;
  }

  bool is_same_text(const std::string& name, const Said& a, const Said& b) {
    return a.result.texts == b.result.texts || differs(name + what_differs(a.result, b.result, *request_.memory));
  }

  bool try_all(std::uint64_t seed) {
    const Said all = launch(options_of("all"), 1);
    const Said again = launch(options_of("all"), 1), side_by_side = launch(options_of("all"), kThreads);
    if (!is_as_plain("all: ", all) || !is_as_plain("all with threads: ", side_by_side)) return false;
    if (!is_same_text("all, again: ", all, again) || !is_same_text("all with threads: ", all, side_by_side))
      return false;
    std::set<std::string> alone = plain_.findings;
    for (const sanitizer::CheckerRow& row : sanitizer::checker_rows()) {
      if (row.is_lint || row.name == "tiles") continue;
      const std::string name(row.name == "coverage" ? "coverage,tiles"
                                                    : row.name);  // one tells the other what is its own
      const Said one = launch(options_of(name), (seed & 1) != 0 ? 1 : kThreads);
      if (!is_as_plain(name + ": ", one)) return false;
      alone.insert(one.findings.begin(), one.findings.end());
    }
    std::vector<std::string> apart;
    std::set_symmetric_difference(alone.begin(), alone.end(), all.findings.begin(), all.findings.end(),
                                  std::back_inserter(apart));
    if (apart.empty()) return true;
    return differs((all.findings.contains(apart[0]) ? "among others only: " : "alone only: ") + apart[0]);
  }

  bool try_some(std::uint64_t seed) {
    fuzz::Random random(seed ^ 0x5eed);
    std::string some = random.one_in(2) ? "lints" : "none";
    for (const sanitizer::CheckerRow& row : sanitizer::checker_rows()) {
      if (random.one_in(2)) some += "," + std::string(row.name);
    }
    CheckOptions options = options_of(some, random.one_in(2) ? "strict" : "sequential", "3.9");
    const Said one = launch(options, 1), side_by_side = launch(options, kThreads);
    if (!is_as_plain(some + ": ", one) || !is_same_text(some + " with threads: ", one, side_by_side)) return false;
    options.schedules = 3;
    return is_as_plain(some + " in orders: ", launch(options, 1));
  }

  const ir::Op& function_;
  RunRequest request_;
  std::vector<Bytes> before_;
  std::unique_ptr<const CheckedKernel> kernel_;
  Said plain_;
  Verdict verdict_;
};

}  // namespace

Verdict try_checked(const ir::Module& module, const ir::Op& function, const TargetProfile& profile, RunRequest request,
                    std::uint64_t seed) {
  return CheckedTrial(module, function, profile, std::move(request)).run(seed);
}

}  // namespace lockstep::exactness
