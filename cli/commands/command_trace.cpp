// `lockstep trace`: records a launch as one page that opens without a server.
#include <algorithm>
#include <cstdio>

#include "cli/commands/command.h"
#include "cli/interrupt.h"
#include "cli/listings/first_launch.h"
#include "debugger/launch/debug_launch.h"
#include "debugger/trace/recorder.h"
#include "debugger/trace/trace_page.h"
#include "driver/launch/outputs.h"
#include "driver/words/quantities.h"
#include "support/check.h"

namespace lockstep::cli {

namespace trace = debugger::trace;

namespace {

constexpr const char* kTraceLimit = "2MiB";

struct TraceOptions {
  driver::LaunchSpec run;
  std::string html;  // the file
  std::string limit = kTraceLimit;
  std::string history = "512MiB";
};

ExitCode outcome_of(debugger::Session& session) {
  const auto& findings = session.engine().findings();
  const Report* checked = session.caught().checked();
  const bool has_errors =
      (checked != nullptr && checked->has(Tier::error)) ||
      std::any_of(findings.begin(), findings.end(), [](const auto& entry) { return entry.second.tier == Tier::error; });
  return has_errors ? ExitCode::findings : ExitCode::clean;
}

void tell(const std::string& path, const std::string& page, const trace::Recorded& recorded,
          const debugger::Engine& engine) {
  std::string text = "wrote " + path + ": " + driver::format_bytes(page.size()) + ", " +
                     std::to_string(recorded.programs) + " of " + driver::format_count(engine.program_count(), "program");
  if (recorded.whole < recorded.programs)
    text += " (" + std::to_string(recorded.programs - recorded.whole) + " of them without every step or element)";
  std::puts(text.c_str());
}

/// The room for the container in a file of `limit` bytes; 0: the page alone takes it all. In base64 it grows by a
/// third.
std::uint64_t room_for_container(std::uint64_t limit, std::uint64_t page) {
  return page < limit ? (limit - page) / 4 * 3 : 0;
}

/// A page without any run would be a defect of ours, not of the launch.
std::string page_of(const std::string& container) {
  auto page = trace::trace_page(container);
  if (!page) throw InternalError("the page cannot be put into one file: " + page.error());
  return std::move(*page);
}

OwnOptions trace_only(const TraceOptions& options) {
  OwnOptions own{{"--html", options.html}};
  if (options.limit != kTraceLimit) own.emplace_back("--limit", options.limit);
  return own;
}

ExitCode run_trace(const TraceOptions& options) {
  const auto limit = driver::parse_bytes(options.limit);
  if (!limit)
    return report(Status{"LS2209", "--limit " + options.limit + " is not a size", "for example 2MiB or 500kB"});
  if (const auto writable = driver::check_writable(options.html); !writable) return report(writable.error());
  DiagnosticSink sink;
  debugger::DebugLaunch launch(options.run, sink);
  if (!launch.prepare(options.history)) {
    const ExitCode code = report(sink);
    show_whole_command("trace", options.run, sink, trace_only(options));
    return launch.session().is_over_memory_limit() ? ExitCode::stopped : code;
  }
  const InterruptGuard interrupt;
  std::string printed;
  debugger::Session::Setup setup = launch.setup();
  setup.output = setup.request.print = [&printed](const std::string& line) {
    if (printed.size() + line.size() <= trace::kMostPrinted) printed += line;
  };
  const auto session = debugger::Session::make(std::move(setup), sink);
  const ExitCode code = report(sink);
  if (session == nullptr) return code;
  const trace::RecordOptions wish{options.run.target, room_for_container(*limit, page_of("").size()), &printed,
                                  interrupt.flag()};
  const auto recorded = trace::record(*session, wish);
  if (*interrupt.flag()) return ExitCode::interrupted;
  if (!recorded)
    return report(Status{"LS2218", "--limit " + options.limit + ": " + recorded.error(), "a larger --limit"});
  const std::string page = page_of(recorded->container);
  if (const auto written = driver::write_text(options.html, page); !written) return report(written.error());
  tell(options.html, page, *recorded, session->engine());
  return outcome_of(*session);
}

void declare_trace(OptionList& options, TraceOptions& trace) {
  options.debugged(trace.run);
  options.text("--html", trace.html, "FILE.html", "the file to write", {.is_required = true});
  options.text("--limit", trace.limit, "SIZE", "largest size of the file; the page lists what is missing");
}

constexpr const char* kTraceFooter = R"(
Arguments are those of `lockstep debug`. The file opens in a browser without a server; docs/page.md tells what it shows.
Exit codes: as for `lockstep run`; 1 if a finding of tier error was made, the file is written nevertheless.
Example:
  lockstep trace launch.capsule --html launch.html)";

}  // namespace

extern const CommandRow kTraceCommand{
    .name = "trace",
    .summary = "record a launch as a page to open without a server",
    .make = make_command<TraceOptions, declare_trace, run_trace>,
    .footer = kTraceFooter,
};

}  // namespace lockstep::cli
