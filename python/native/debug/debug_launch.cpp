#include "python/native/debug/debug_launch.h"

#include <algorithm>
#include <utility>

#include "debugger/dap/transport/attachment.h"
#include "debugger/terminal/pause_on_interrupt.h"
#include "debugger/terminal/terminal.h"
#include "interpreter/scheduler/execution_mode.h"
#include "ir/breakpoint.h"
#include "ir/module.h"
#include "ir/walk.h"
#include "python/native/debug/debug_console.h"
#include "python/native/sink_text.h"

namespace lockstep::python {

namespace py = pybind11;

namespace {

using debugger::Session;
using interpreter::LaunchReport;

struct ValueOf {
  debugger::Value operator()(std::monostate) const { return debugger::Nothing{}; }
  debugger::Value operator()(bool value) const { return debugger::Tensor::of(value); }
  debugger::Value operator()(std::int64_t value) const { return debugger::Tensor::of(value); }
  debugger::Value operator()(double value) const { return debugger::Tensor::of(value); }
  debugger::Value operator()(const std::string& value) const { return value; }
};

std::vector<memory_model::StorageId> written_by(const KernelData& kernel, const interpreter::RunRequest& request) {
  return interpreter::written_storages(request,
                                       interpreter::effects_of(kernel.module->module, kernel.prepared->function()));
}

/// Empty: done.
std::string set_catches(Session& session, const std::vector<std::string>& names) {
  if (names.empty()) return "";
  std::vector<debugger::CatchRequest> requests;
  for (const std::string& name : names) requests.push_back({name, ""});
  const auto done = session.caught().set(requests);
  return done ? "" : "catch: " + done.error().text();
}

}  // namespace

DebugLaunch::DebugLaunch(std::shared_ptr<const KernelData> kernel, const interpreter::RunRequest& request,
                         const sanitizer::CheckOptions& checks, const std::vector<memory_model::Extent>& read_only)
    : kernel_(std::move(kernel)), request_(request), checks_(checks) {
  for (const memory_model::Extent& range : read_only) read_only_.push_back({range.begin, range.end});
}

DebugLaunch::~DebugLaunch() = default;

void DebugLaunch::close() {
  session_.reset();
  before_.reset();
  is_open_ = false;
}

std::vector<std::pair<std::string, std::uint32_t>> DebugLaunch::breakpoints() const {
  std::vector<std::pair<std::string, std::uint32_t>> lines;
  ir::walk(kernel_->module->module.op(), [&](const ir::Op& op) {
    if (!ir::is_breakpoint(op)) return;
    const auto frames = user_frames(op.location());
    std::pair<std::string, std::uint32_t> line;
    if (!frames.empty()) line = {frames.front()->text, frames.front()->line};
    if (std::find(lines.begin(), lines.end(), line) == lines.end()) lines.push_back(std::move(line));
  });
  return lines;
}

// ---- making the session ----

/// Without the lock. False: problem_ has the reason.
bool DebugLaunch::begin(DebugWish& wish, Line print, Line log) {
  if (!is_open_ || report_) {
    problem_ = "this launch is over";
    return false;
  }
  begun_ = std::chrono::steady_clock::now();
  if (request_.rollback) {
    before_.emplace(budget_);
    if (!before_->take(*request_.memory, written_by(*kernel_, request_))) throw std::bad_alloc();
  }
  interpreter::RunRequest request = request_;
  request.schedule = kernel_->prepared->schedule_of(request_, checks_);
  questions_ = std::make_unique<DebugQuestions>(*kernel_, request, checks_);
  problem_ = questions_->expect(std::move(wish.expected));
  if (!problem_.empty()) return false;
  Session::Setup setup;
  setup.module = &kernel_->module->module;
  setup.function = &kernel_->prepared->function();
  setup.profile = kernel_->module->profile;
  setup.request = request;
  setup.request.profiling = {};
  setup.request.print = std::move(print);
  setup.engine.history_bytes = wish.history_bytes;
  setup.read_only = read_only_;
  setup.kernel_name = kernel_->name;
  for (const auto& [name, value] : kernel_->constants) setup.constants.emplace_back(name, std::visit(ValueOf(), value));
  setup.checked_run = [this](const std::atomic<bool>& stop) { return checked_run(stop); };
  setup.reference = [this](std::string_view name) { return questions_->reference(name); };
  setup.whole = questions_.get();
  setup.outer = std::move(wish.outer);
  setup.output = std::move(log);
  DiagnosticSink sink;
  session_ = Session::make(std::move(setup), sink);
  if (session_ != nullptr) questions_->ask_of(session_->engine());
  problem_ = session_ == nullptr ? text_of(sink) : set_catches(*session_, wish.catches);
  return problem_.empty();
}

/// The same launch under checkers, on the same memory, which is restored afterwards.
std::optional<Report> DebugLaunch::checked_run(const std::atomic<bool>& stop) {
  DiagnosticSink sink;
  sanitizer::CheckOptions checks = checks_;
  checks.when_cheap = 0;  // who asks for this run asks for all of it
  checks.warns_only = false;
  checks.schedules = 1;  // the one that is stepped through
  interpreter::RunRequest request = request_;
  request.profiling = {};
  request.print = [](const std::string&) {};
  request.stop = &stop;
  std::optional<LaunchReport> report;
  const auto act = [&] { report = kernel_->prepared->launch(request, checks, sink); };
  if (!session_->engine().with_memory_before(act) || !report || stop) return std::nullopt;
  return report->findings;
}

// ---- the end ----

void DebugLaunch::finish(bool is_interrupted) {
  const debugger::Engine& engine = session_->engine();
  LaunchReport made;
  made.outcome = is_interrupted ? interpreter::Outcome::interrupted : engine.outcome();
  made.programs_total = engine.program_count();
  made.programs_run = engine.programs().started_count() - engine.programs().live().size();
  made.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begun_).count();
  made.finished = engine.finished();
  for (const auto& [mark, finding] : engine.findings()) made.findings.add(finding);
  made.findings.sort();
  const bool is_wrong = made.outcome != interpreter::Outcome::completed || made.findings.has(Tier::error);
  session_.reset();
  if (before_ && is_wrong) {
    before_->restore();
    made.rolled_back = true;
  }
  before_.reset();
  report_ = std::move(made);
}

/// A launch that did not run to its end.
void DebugLaunch::abandon() {
  session_.reset();
  if (before_) before_->restore();
  before_.reset();
}

// ---- in the terminal ----

/// Without the lock.
DebugEnd DebugLaunch::converse(DebugConsole& console, const DebugWish& wish) {
  using debugger::Terminal;
  const debugger::PauseOnInterrupt guard(*session_);
  const auto failed = [&console] { return console.has_failed(); };
  Terminal::End end;
  if (wish.runs_to_breakpoint) session_->run();
  if (!wish.runs_to_breakpoint || session_->engine().point() != nullptr) {
    const debugger::Screen screen([&console](std::string_view text) { console.write(text); }, console.has_color(),
                                  console.width());
    Terminal::Options options;
    options.scripts = wish.scripts;
    options.commands = wish.commands;
    options.is_batch = wish.is_batch;
    options.at_end = wish.runs_to_breakpoint ? debugger::AtEnd::leaves : debugger::AtEnd::asks;
    options.input = [&console](debugger::LineInput::Complete complete) { return console.input(std::move(complete)); };
    end = Terminal(*session_, screen, std::move(options)).run();
  }
  if (failed()) return DebugEnd::gave_up;
  if (end.is_killed) return DebugEnd::killed;
  const bool has_come = session_->run_to_end();
  if (failed()) return DebugEnd::gave_up;
  finish(!has_come);
  if (!has_come) return DebugEnd::interrupted;
  return end.has_script_error ? DebugEnd::bad_command : DebugEnd::ran_on;
}

DebugEnd DebugLaunch::talk(const py::object& given, DebugWish wish) {
  DebugConsole console(given);
  DebugEnd end{};
  wish.outer = [&console](const debugger::Place& here) { return console.outer_frames(here); };
  {
    const py::gil_scoped_release unlocked;
    const bool has_begun = begin(
        wish, [&console](const std::string& line) { console.print(line); },
        [&console](const std::string& line) { console.write(line); });
    console.when_failed([this] { session_->engine().pause(); });
    end = has_begun ? converse(console, wish) : DebugEnd::refused;
    if (!report_) abandon();
  }
  console.raise_pending();
  return end;
}

// ---- in an editor ----

DebugEnd DebugLaunch::serve(const py::object& given, DebugWish wish, std::uint16_t port) {
  namespace dap = debugger::dap;
  DebugConsole console(given);
  DebugEnd result{};
  wish.outer = [&console](const debugger::Place& here) { return console.outer_frames(here); };
  {
    const py::gil_scoped_release unlocked;
    const auto listener = dap::Listener::open("", port);
    if (!listener) {
      problem_ = listener.error().message;
      return DebugEnd::refused;
    }
    dap::Attachment attachment([&console](const std::string& line) { console.print(line); });
    if (!begin(wish, attachment.print(), attachment.log())) return DebugEnd::refused;
    console.announce((*listener)->address());
    const StopOnInterrupt interrupt;
    const auto end = attachment.serve(**listener, *session_, interrupt.flag());
    if (end == dap::Attachment::End::ran_on) {
      finish(false);
    } else {
      abandon();
    }
    result = end == dap::Attachment::End::ran_on       ? DebugEnd::ran_on
             : end == dap::Attachment::End::terminated ? DebugEnd::killed
                                                       : DebugEnd::gave_up;
  }
  console.raise_pending();
  return result;
}

}  // namespace lockstep::python
