#include "debugger/session/session.h"

#include <algorithm>
#include <cstdio>
#include <utility>

#include "debugger/engine/steps.h"
#include "debugger/queries/padding.h"
#include "debugger/session/program_text.h"
#include "debugger/session/summary.h"
#include "ir/interfaces/op_kinds.h"
#include "ir/op_def.h"
#include "ir/opcode.h"

namespace lockstep::debugger {

namespace {

std::string joined(const std::vector<std::uint32_t>& ids) {
  std::string text;
  for (const std::uint32_t id : ids) text += (text.empty() ? "" : ", ") + std::to_string(id);
  return text;
}

/// How many inner frames are calls that begin at the current point, and are not entered.
std::size_t hidden_at(const Engine& engine, const SessionStops& stops, const StopEvent& stop_event, const Stop& stop,
                      bool enters) {
  const Point* point = engine.point();
  if (point == nullptr || point->frames.empty()) return 0;
  std::size_t frame = 0;
  for (const std::uint32_t id : stop.ids) frame = std::max(frame, stops.frame_of(id));
  if (!stop.ids.empty() || !enters || !stop_event.findings.empty()) return frame;  // a finding is of the innermost frame
  const LiveProgram& program = engine.programs().current();
  const std::size_t depth = point->frames.size();
  if (!program.is_statement_start() || program.new_level >= depth) return 0;
  return depth - 1 - program.new_level;
}

}  // namespace

std::unique_ptr<Session> Session::make(Setup setup, DiagnosticSink& sink) {
  std::unique_ptr<Session> made(new Session(std::move(setup)));
  Setup& given = made->setup_;
  if (!given.output) given.output = [](const std::string& line) { std::fputs(line.c_str(), stdout); };
  made->engine_ = Engine::make(*given.module, *given.function, given.profile, given.request, given.engine, sink);
  if (made->engine_ == nullptr) return nullptr;
  made->padding_ = std::make_unique<Padding>(*made->engine_);
  if (given.whole != nullptr) given.whole->stop_when(made->engine_->is_pausing());
  made->listing_ = std::make_unique<Listing>(made->engine_->kernel());
  made->calls_ = std::make_unique<InlinedCalls>(made->engine_->kernel(), *made->listing_);
  made->engine_->kernel().set_renamings(made->calls_->renamings());
  for (const ir::Value* value : made->calls_->offsets()) made->engine_->kernel().add_intermediate(*value);
  for (auto& [value, name] : made->calls_->unpacked()) made->engine_->kernel().add_name(*value, std::move(name));
  const EngineScope::Extras extras{&given.constants, &given.reference, made->calls_.get()};
  made->scope_ = std::make_unique<EngineScope>(*made->engine_, extras);
  made->stop_scope_ = std::make_unique<EngineScope>(*made->engine_, extras);
  made->stops_ = std::make_unique<SessionStops>(*made->engine_, *made->scope_, *made->stop_scope_, given.output);
  made->caught_ = std::make_unique<CaughtFindings>(*made->engine_, *made->stop_scope_, given.checked_run);
  const CaughtFindings* caught = made->caught_.get();
  made->engine_->catch_findings([caught](const Finding& finding) { return caught->is_caught(finding); });
  made->caught_->set({{"fault", ""}});
  made->stops_->add_written();
  made->look_again();
  return made;
}

Session::Session(Setup setup) : setup_(std::move(setup)) {}
Session::~Session() = default;

// ---- why ----

std::string Session::why() const {
  using R = Stop::Reason;
  std::string text;
  const auto add = [&text](const std::string& more) { text += (text.empty() ? "" : "; ") + more; };
  for (const WatchHit& hit : stop_event_.stop.watches) add(stops_->watch_text(hit));
  for (const Finding& finding : stop_event_.findings)
    add("finding " + std::string(spelling(finding.code)) + ": " + finding.message);
  const auto& ids = stop_event_.stop.ids;
  if (!ids.empty()) add((ids.size() == 1 ? "breakpoint " : "breakpoints ") + joined(ids));
  switch (stop_event_.stop.reason) {
    case R::ended: add("the launch has ended"); break;
    case R::begin: add("the beginning of the launch"); break;
    case R::deadlock: add("the launch is deadlocked"); break;
    case R::paused: add("paused"); break;
    case R::limit: add("the launch was stopped by a limit"); break;
    default: break;
  }
  return text;
}

// ---- arriving ----

void Session::begin_move() {
  stops_->begin_move();
  level_ = hidden_ = 0;
  scope_->set_level(0);
}

const StopEvent& Session::arrive(Stop stop, bool enters) {
  stop_event_ = {};
  if (stop.reason != Stop::Reason::ended)
    stop_event_.findings = stop.findings;  // at the end they are those that nobody caught
  for (Finding& finding : caught_->take_own(stop.ids)) stop_event_.findings.push_back(std::move(finding));
  std::sort(stop.ids.begin(), stop.ids.end());
  stop.ids.erase(std::unique(stop.ids.begin(), stop.ids.end()), stop.ids.end());
  if (stop.reason == Stop::Reason::breakpoint && stop.ids.empty() && !stop_event_.findings.empty())
    stop.reason = Stop::Reason::finding;
  stop_event_.problems = stops_->take_problems();
  hidden_ = level_ = hidden_at(*engine_, *stops_, stop_event_, stop, enters);
  scope_->set_level(level_);
  stops_->forget_ended(stop.ids);
  stop_event_.stop = std::move(stop);
  return stop_event_;
}

const StopEvent& Session::look_again() {
  begin_move();
  arrive({}, true);
  if (engine_->point() == nullptr) stop_event_.stop.reason = Stop::Reason::ended;
  return stop_event_;
}

// ---- going ----

const StopEvent& Session::go(Direction direction) {
  begin_move();
  return arrive(engine_->go(direction, {}), false);
}

const StopEvent& Session::step_line(Direction direction, bool over) {
  if (hidden_ > 0 && direction == Direction::forward && !over) {
    const std::size_t entered = hidden_ - 1;
    stop_event_ = {};
    hidden_ = level_ = entered;
    scope_->set_level(level_);
    return stop_event_;
  }
  const bool is_first = engine_->point() == nullptr || engine_->programs().current().steps == 0;
  if (hidden_ == 0 || (direction == Direction::backward && is_first)) {
    begin_move();
    return arrive(debugger::step_line(*engine_, direction, over), true);
  }
  // Out of the calls that begin here, to the next statement of the current frame.
  const std::size_t depth = engine_->point()->frames.size() - hidden_;
  const std::uint64_t number = engine_->program();
  const std::uint32_t group = engine_->programs().current().group;
  const auto is_there = [this, depth, number, group] {
    const Programs& programs = engine_->programs();
    if (engine_->program() != number) return !programs.has_live(number);
    const LiveProgram& program = programs.current();
    if (program.group != group) return !programs.has_live_group(group);
    return program.is_statement_start() && program.new_level < depth;
  };
  begin_move();
  return arrive(engine_->go(direction, is_there), true);
}

Expected<void, Problem> Session::step_group(Direction direction, std::uint32_t group, bool by_op) {
  if (engine_->point() == nullptr || !engine_->programs().has_live_group(group))
    return Unexpected{Problem{"no such group of warps runs here", "`info groups` lists them"}};
  begin_move();
  arrive(by_op ? debugger::step_op(*engine_, direction, group) : debugger::step_line(*engine_, direction, false, group),
         !by_op);
  return {};
}

const StopEvent& Session::step_op(Direction direction) {
  begin_move();
  return arrive(debugger::step_op(*engine_, direction), false);
}

/// Out of the selected frame.
const StopEvent& Session::finish(Direction direction) {
  if (engine_->point() == nullptr || level_ == 0) {
    begin_move();
    return arrive(step_out(*engine_, direction), true);
  }
  const std::size_t depth = engine_->point()->frames.size() - level_;
  const std::uint64_t number = engine_->program();
  const std::uint32_t group = engine_->programs().current().group;
  begin_move();
  const auto is_out = [this, depth, number, group, direction] {
    const bool is_same = engine_->program() == number && engine_->programs().current().group == group;
    const Point& point = *engine_->point();
    if (depth > 1) return is_same ? point.frames.size() < depth : !engine_->programs().has_live(number);
    if (direction == Direction::backward) return is_same && engine_->programs().current().steps == 0;
    if (!is_same) return !engine_->programs().has_live(number);
    return point.activation == 0 && ir::is_return(*point.op);
  };
  return arrive(engine_->go(direction, is_out), true);
}

const StopEvent& Session::step_turn(Direction direction) {
  begin_move();
  const Mark from = engine_->mark();
  const bool is_forward = direction == Direction::forward;
  return arrive(engine_->go(direction,
                            [this, from, is_forward] {
                              const Mark now = engine_->mark();
                              return is_forward ? now.turn != from.turn : now.step == 0;
                            }),
                true);
}

const StopEvent& Session::restart() {
  begin_move();
  caught_->restart();
  return arrive(engine_->restart(), true);
}

bool Session::run_to_end() {
  stops_->remove_all();
  caught_->set({});
  while (engine_->point() != nullptr) {
    if (go(Direction::forward).stop.reason == Stop::Reason::paused) return false;
  }
  return true;
}

const StopEvent& Session::run() {
  restart();
  if (engine_->point() == nullptr) return stop_event_;
  Stop stop;
  for (const auto& [id, known] : engine_->stops().breakpoints()) {
    if (stops_->stops_here(id)) stop.ids.push_back(id);
  }
  if (stop.ids.empty()) return go(Direction::forward);
  stop.reason = Stop::Reason::breakpoint;
  for (const std::uint32_t id : stop.ids) {
    if (engine_->stops().breakpoint(id)->is_temporary) engine_->stops().remove(id);
  }
  return arrive(std::move(stop), true);
}

const StopEvent& Session::go_to_where(Direction direction, const Where& where) {
  begin_move();
  std::size_t frame = 0;
  const Stop stop = engine_->go(direction, [this, &where, &frame] {
    for (const Breakpoint::At& at : where.at) {
      if (at.point != engine_->point()->number) continue;
      frame = at.frame == Breakpoint::kAnyTime ? 0 : at.frame;
      if (at.frame == Breakpoint::kAnyTime) return true;
      if (engine_->programs().current().new_level <= engine_->point()->frames.size() - 1 - at.frame) return true;
    }
    return false;
  });
  const bool is_there = stop.reason == Stop::Reason::arrived;
  arrive(stop, false);
  if (is_there) {
    hidden_ = level_ = frame;
    scope_->set_level(level_);
  }
  return stop_event_;
}

Expected<void, Problem> Session::go_to_iteration(std::int64_t number, std::string_view variable) {
  if (engine_->point() == nullptr) return Unexpected{Problem{"the launch has ended", "`restart` or `rc`"}};
  std::string name(variable);
  std::optional<std::int64_t> now;
  for (const LoopPosition& loop : Frame(*engine_).loops()) {
    if (!name.empty() && loop.variable != name) continue;
    if (name.empty() && loop.variable.empty()) break;
    name = loop.variable;
    now = loop.iteration;
    break;
  }
  auto where = resolve_where(engine_->kernel(), "loop:" + (name.empty() ? "iter" : name), {});
  if (!where) return Unexpected{where.error()};
  const Mark home = engine_->mark();
  const std::uint64_t program = engine_->program();
  const Direction direction = now && number <= *now ? Direction::backward : Direction::forward;
  begin_move();
  bool is_there = false;
  const auto is_iteration = [&] {
    if (engine_->program() != program) return !engine_->programs().has_live(program);
    const bool begins = std::any_of(where->at.begin(), where->at.end(),
                                    [&](const auto& at) { return at.point == engine_->point()->number; });
    if (!begins) return false;
    const auto loops = Frame(*engine_).loops();
    return is_there = !loops.empty() && loops.front().iteration == number;
  };
  const Stop stop = engine_->go(direction, is_iteration);
  if (is_there || (stop.reason != Stop::Reason::arrived && stop.reason != Stop::Reason::ended &&
                   stop.reason != Stop::Reason::begin)) {
    arrive(stop, true);
    return {};
  }
  engine_->seek(home);
  arrive({}, true);
  return Unexpected{Problem{"the program does not reach iteration " + std::to_string(number) +
                                (name.empty() ? " of a loop" : " of " + name),
                            ""}};
}

const StopEvent& Session::go_to_program(std::uint64_t number) {
  begin_move();
  return arrive(engine_->go_to_program(number), true);
}

Expected<void, Problem> Session::switch_to(std::uint64_t number) {
  if (engine_->point() == nullptr) return Unexpected{Problem{"the launch has ended", "`restart` or `rc`"}};
  begin_move();
  const bool has_switched = engine_->switch_to(number);
  arrive({}, true);
  if (has_switched) return {};
  return Unexpected{Problem{"program " + program_text(engine_->program_id(number)) + " has ended",
                            "`program` goes back to where it began"}};
}

Expected<void, Problem> Session::switch_timeline(std::uint32_t id) {
  begin_move();
  const bool has_switched = engine_->switch_timeline(id);
  arrive({}, true);
  if (has_switched) return {};
  return Unexpected{Problem{"there is no timeline " + std::to_string(id), "`timeline` lists them"}};
}

Expected<Where, Problem> Session::resolve(std::string_view text) const {
  const Place here = engine_->point() != nullptr ? frame().place() : Place{};
  auto where = resolve_where(engine_->kernel(), text, here);
  if (where) return where;
  std::vector<Breakpoint::At> entries = calls_->entries(text);
  if (entries.empty()) return where;
  const Place first = engine_->kernel().points()[entries.front().point].frames[entries.front().frame];
  return Where{std::string(text), std::move(entries), first};
}

// ---- frames ----

std::size_t Session::level_count() const { return engine_->point() == nullptr ? 0 : engine_->point()->frames.size(); }

bool Session::set_level(std::size_t level) {
  if (level < hidden_ || level >= level_count()) return false;
  level_ = level;
  scope_->set_level(level);
  return true;
}

std::string Session::function_name(std::size_t level) const {
  const Point& point = *engine_->point();
  if (level + 1 >= point.frames.size()) return setup_.kernel_name;
  const std::string& name = calls_->function_around(point.frames[level]);
  return name.empty() ? Frame(*engine_, level).function() : name;
}

}  // namespace lockstep::debugger
