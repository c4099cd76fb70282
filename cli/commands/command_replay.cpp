// `lockstep replay`: repeats recorded launches in the interpreter, and compares what was recorded with the bounds of
// every legal result. Judges each capsule on its own; the exit code is the highest.
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <iostream>
#include <string>
#include <system_error>
#include <vector>

#include "cli/commands/bits_agreement.h"
#include "cli/commands/command.h"
#include "cli/commands/command_debug.h"
#include "cli/interrupt.h"
#include "cli/listings/capsule_listing.h"
#include "cli/listings/summary.h"
#include "cli/put.h"
#include "cli/report_output.h"
#include "driver/launch/prepared_launch.h"
#include "gpu_diff/report.h"
#include "support/diagnostics/report_status.h"
#include "support/json.h"

namespace lockstep::cli {
namespace {

using driver::OptionGroup;

struct ReplayOptions {
  driver::LaunchSpec run;  // without target
  std::vector<std::string> capsules;
  bool checks_only = false, lists = false, as_json = false, spreads_sums = false, debugs = false;
  std::string extract;  // a folder; empty: none
};


/// One capsule; returns its exit code.
class Replay {
 public:
  Replay(const ReplayOptions& options, const std::string& path)
      : options_(options), path_(path), session_(with_target(options.run, path), sink_) {}

  ExitCode run() {
    if (!path_.ends_with(".capsule")) {
      std::error_code error;
      const bool is_folder = std::filesystem::is_directory(path_, error);
      return refuse({"LS2202", is_folder ? "the folder '" + path_ + "' has no .capsule file" : "'" + path_ + "' is not a .capsule file",
                     "record one with lockstep.record()"});
    }
    if (!session_.read_target() || !session_.read_arguments() || !session_.read_kernel()) return refused();
    if (options_.lists) return list();
    if (!session_.make_tensors() || !session_.bind() || !session_.evaluate_grid() || !session_.compile())
      return refused();
    if (!options_.extract.empty()) return extract();
    return options_.checks_only ? check() : judge();
  }

 private:
  static driver::LaunchSpec with_target(driver::LaunchSpec run, const std::string& path) {
    run.target = path;
    return run;
  }

  ExitCode refuse(const Status& status) {
    report_status(sink_, status);
    return refused();
  }

  ExitCode refused() {
    const ExitCode code = report(sink_);
    const bool is_stopped = session_.is_over_memory_limit();
    if (options_.as_json) put_json("\"problem\": " + json_quoted(render_text(sink_)));
    return is_stopped ? ExitCode::stopped : code;
  }

  const driver::Manifest& manifest() const { return session_.capsule()->manifest(); }

  void put_json(const std::string& values) const { put("{\"capsule\": " + json_quoted(path_) + ", " + values + "}\n"); }

  ExitCode list() const {
    if (options_.as_json) {
      put_json("\"manifest\": " + capsule_json(manifest()));
    } else {
      put(path_ + ": " + capsule_text(manifest()));
    }
    return ExitCode::clean;
  }

  ExitCode extract() {
    const auto written = extract_capsule(session_, options_.extract);
    if (!written) return refuse(written.error());
    put(*written);
    return ExitCode::clean;
  }

  ExitCode check() {
    if (manifest().has_outputs) {
      const auto outputs = driver::recorded_outputs(*session_.capsule(), session_.tensors(), session_.memory());
      if (!outputs) return refuse(outputs.error());
    }
    if (options_.as_json) {
      put_json("\"kernel\": " + json_quoted(manifest().kernel) + ", \"sound\": true");
    } else {
      put(path_ + ": " + manifest().kernel + ", sound\n");
    }
    return ExitCode::clean;
  }

  ExitCode judge() {
    request_ = session_.request();
    request_.stop = interrupt_.flag();
    request_.limits.timeout_seconds = options_.run.timeout_seconds;
    if (options_.as_json) request_.print = [](const std::string& line) { std::fputs((line + "\n").c_str(), stderr); };
    if (!manifest().has_outputs) return run_only();
    auto outputs = driver::recorded_outputs(*session_.capsule(), session_.tensors(), session_.memory());
    if (!outputs) return refuse(outputs.error());
    const auto judged = gpu_diff::judge(request_, *outputs, sink_, {false, options_.spreads_sums});
    if (!judged) return refused();
    report(sink_);
    std::optional<BitsAgreement> bits;
    if (manifest().recorded_by == "gpu")
      bits = agreement_with_bits(with_target(options_.run, path_), *judged, {outputs->begin(), outputs->end()}, request_.stop);
    const Report& findings = judged->enclosure.report.findings;
    const std::string seconds = gpu_diff::json_number(judged->enclosure.report.seconds);
    if (options_.as_json) {
      put_json("\"kernel\": " + json_quoted(manifest().kernel) +
               ", \"recorded_by\": " + json_quoted(manifest().recorded_by) + ", \"seconds\": " + seconds +
               ", \"outcome\": " + json_quoted(outcome_name(judged->enclosure.report.outcome)) +
               ", \"judgement\": " + gpu_diff::judgement_json(*judged) + ", \"bits\": " + bits_json(bits));
    } else {
      put_head();
      put_findings(findings);
      put(gpu_diff::judgement_text(*judged));
      put(bits_text(bits));
      put(path_ + ": " + (judged->is_inside() ? "inside: every recorded element is legal\n" : "OUTSIDE\n"));
    }
    const ExitCode code = code_of(judged->enclosure.report.outcome, findings);
    return code == ExitCode::clean && !judged->is_inside() ? ExitCode::findings : code;
  }

  ExitCode run_only() {
    const auto ran = interpreter::launch(request_, sink_);
    if (!ran) return refused();
    report(sink_);
    if (options_.as_json) {
      put_json("\"kernel\": " + json_quoted(manifest().kernel) +
               ", \"seconds\": " + gpu_diff::json_number(ran->seconds) +
               ", \"findings\": " + gpu_diff::json_list(ran->findings.findings(), [](const Finding& one) {
                 return json_quoted(render_text(one, false));
               }));
    } else {
      put_head();
      put_findings(ran->findings);
      put(format_summary(session_.kernel_name(), *ran, session_.profile(), false));
      put(path_ + ": no outputs were recorded, nothing to judge\n");
    }
    return code_of(ran->outcome, ran->findings);
  }

  void put_head() const {
    put(path_ + ": " + manifest().kernel + ", grid (" + std::to_string(manifest().grid[0]) + ", " +
        std::to_string(manifest().grid[1]) + ", " + std::to_string(manifest().grid[2]) + ")" +
        (manifest().recorded_by.empty() ? "" : ", recorded by " + manifest().recorded_by) + "\n");
  }

  static void put_findings(const Report& findings) {
    for (const Finding& finding : findings.findings()) put(render_text(finding, use_color(STDOUT_FILENO)));
  }

  const ReplayOptions& options_;
  std::string path_;
  DiagnosticSink sink_;
  driver::PreparedLaunch session_;
  interpreter::LaunchRequest request_;
  const InterruptGuard interrupt_;
};

/// Of a folder its capsules, by name.
std::vector<std::string> capsules_in(const std::vector<std::string>& names) {
  namespace fs = std::filesystem;
  std::vector<std::string> all;
  for (const std::string& name : names) {
    std::error_code error;
    std::vector<std::string> found;
    if (fs::is_directory(name, error)) {
      for (fs::directory_iterator it(name, error), end; !error && it != end; it.increment(error)) {
        if (it->path().extension() == ".capsule") found.push_back(it->path().string());
      }
      std::sort(found.begin(), found.end());
    }
    if (found.empty()) found.push_back(name);
    all.insert(all.end(), found.begin(), found.end());
  }
  return all;
}

ExitCode run_replay(const ReplayOptions& given) {
  ReplayOptions options = given;
  options.capsules = capsules_in(given.capsules);
  if (options.debugs) {
    DebugOptions debug;
    debug.run = options.run;
    debug.run.target = options.capsules.front();
    if (options.capsules.size() == 1) return run_debug(debug);
    return report(Status{"LS2202", "only one capsule can be debugged at a time", "name one FILE.capsule"});
  }
  const bool is_asked = options.capsules == std::vector<std::string>{"-"};
  ExitCode worst = ExitCode::clean;
  const auto goes_on = [&](const std::string& path) {
    const ExitCode code = Replay(options, path).run();
    std::fflush(stdout);
    worst = std::max(worst, code);
    return code != ExitCode::interrupted;
  };
  if (!is_asked) {
    static_cast<void>(std::all_of(options.capsules.begin(), options.capsules.end(), goes_on));
    return worst;
  }
  for (std::string path; std::getline(std::cin, path);) {
    if (!path.empty() && !goes_on(path)) break;
  }
  return worst;
}

void declare_replay(OptionList& options, ReplayOptions& replay) {
  options.words("capsule", replay.capsules, "FILE.capsule ..., or folders of them (-: names from standard input)", {.is_required = true});
  options.flag("--check-only", replay.checks_only, "read and check the whole capsule; run nothing");
  options.flag("--debug", replay.debugs, "step through the launch: `lockstep debug FILE.capsule`");
  options.flag("--list", replay.lists, "list the recorded kernel, grid, arguments and versions; run nothing");
  options.text("--extract", replay.extract, "FOLDER",
               "write TTIR, sources and arguments as files, and the command that runs them");
  options.flag("--json", replay.as_json, "print JSON instead: one line for each capsule");
  options.flag("--spread-sums", replay.spreads_sums, kSpreadSums);
  options.group(replay.run, OptionGroup::limits);
  options.group(replay.run, OptionGroup::time, "each launch ");
  options.group(replay.run, OptionGroup::recorded_bounds);
}

constexpr const char* kReplayFooter = R"(
A capsule is made by lockstep.record() or `python -m lockstep record` (docs/capsules.md). The launch runs in the
interpreter; what was recorded is held against the bounds of every legal result (docs/differential.md).
With - for the files, their names are read from standard input, one a line; each is answered before the next is read.
Exit codes: as for `lockstep run`; 1 if a recorded element lies outside. Of several capsules, the highest.
Example:
  lockstep replay 0000-add.capsule)";

}  // namespace

extern const CommandRow kReplayCommand{
    .name = "replay",
    .summary = "run recorded launches on the CPU and judge the recorded results",
    .make = make_command<ReplayOptions, declare_replay, run_replay>,
    .footer = kReplayFooter,
    .usage = " FILE.capsule ... | -",
};

}  // namespace lockstep::cli
