#include "debugger/dap/runs.h"

#include <algorithm>

#include "debugger/dap/dispatch.h"
#include "debugger/session/overview.h"

namespace lockstep::debugger::dap {

namespace {

void answer_waiting(State& state) {
  state.is_running = true;
  while (const auto request = state.queue.pop_if([](const Request& one) { return !leaves_run(one); }))
    answer(state, *request);
  state.is_running = false;
}

/// Handles requests that came before the run began and could not interrupt it.
void look_at_queue(State& state) {
  if (state.queue.has(leaves_run)) {
    state.control.interrupt(Interruption::leave);
  } else if (state.queue.has([](const Request&) { return true; })) {
    state.control.interrupt(Interruption::poke);
  }
}

/// The position on the way; forwards also how many programs have begun.
void report_progress(State& state, Direction direction) {
  const Engine& engine = state.engine();
  if (engine.point() == nullptr) return;
  const std::string message = "program " + program_text(engine.program_id(engine.program())) + ", step " +
                              std::to_string(engine.programs().current().steps);
  const std::uint64_t count = engine.program_count();
  const bool is_share = direction == Direction::forward && count > 1;
  state.progress.update(message,
                        is_share ? static_cast<std::int64_t>(engine.programs().started_count() * 100 / count) : -1);
}

/// True: it continues after this.
bool was_poked(State& state, const Run& run, const StopEvent& stop_event, Interruption why) {
  if (stop_event.stop.reason != Stop::Reason::paused || why != Interruption::poke) return false;
  answer_waiting(state);
  report_progress(state, run.direction);
  return !state.has_ended;
}

std::string reason_of_breakpoint(const State& state, const Stop& stop) {
  const std::string list = stop.ids.empty() ? "" : state.stops.list_of(stop.ids.front());
  if (list == "functions") return "function breakpoint";
  if (list == "instructions") return "instruction breakpoint";
  return "breakpoint";
}

std::string reason_of(const State& state, const StopEvent& stop_event, const std::string& arrived) {
  if (!stop_event.findings.empty()) return "exception";
  switch (stop_event.stop.reason) {
    case Stop::Reason::arrived: return arrived;
    case Stop::Reason::breakpoint: return reason_of_breakpoint(state, stop_event.stop);
    case Stop::Reason::watch: return "data breakpoint";
    case Stop::Reason::finding:
    case Stop::Reason::deadlock: return "exception";
    case Stop::Reason::begin: return "entry";
    case Stop::Reason::paused: return "pause";
    case Stop::Reason::ended:
    case Stop::Reason::limit: return "end";
  }
  return arrived;
}

/// Reports new threads to the client, and those that are gone.
void report_threads(State& state) {
  const std::int64_t current = current_thread(state);
  const Programs& programs = state.engine().programs();
  std::erase_if(state.announced_threads, [&](std::int64_t thread) {
    const ThreadPlace place = place_of_thread(state, thread);
    const LiveProgram* live = programs.find(place.program);
    const bool is_live = live != nullptr && (place.group == 0 || (place.group < live->trails.size() &&
                                                                  !live->trails[place.group].empty()));
    if (thread == current || is_live) return false;
    state.channel.event("thread", Json::record({{"reason", "exited"}, {"threadId", thread}}));
    return true;
  });
  if (state.announced_threads.insert(current).second)
    state.channel.event("thread", Json::record({{"reason", "started"}, {"threadId", current}}));
}

Json stopped_body(const State& state, const StopEvent& stop_event, const std::string& reason) {
  Json body = Json::record({{"reason", reason}});
  const std::string why = state.session().why();
  if (!why.empty()) body.set("description", why);
  if (!stop_event.findings.empty()) body.set("text", std::string(spelling(stop_event.findings.front().code)) + ": " + stop_event.findings.front().message);
  body.set("threadId", current_thread(state));
  body.set("allThreadsStopped", true);
  Json::Array ids;
  for (const std::uint32_t id : stop_event.stop.ids) ids.emplace_back(id);
  for (const WatchHit& hit : stop_event.stop.watches) ids.emplace_back(hit.id);
  if (!ids.empty()) body.set("hitBreakpointIds", std::move(ids));
  return body;
}

}  // namespace

void say(State& state, const std::string& text, const std::string& category) {
  state.channel.event("output", Json::record({{"category", category}, {"output", text + "\n"}}));
}

int exit_code(const State& state) {
  const auto& findings = state.engine().findings();
  return std::any_of(findings.begin(), findings.end(),
                     [](const auto& entry) { return entry.second.tier == Tier::error; })
             ? 1
             : 0;
}

void report_end(State& state) {
  if (state.is_terminated) return;
  state.is_terminated = true;
  state.channel.event("exited", Json::record({{"exitCode", exit_code(state)}}));
  state.channel.event("terminated");
}

void report_stop(State& state, const StopEvent& stop_event, const std::string& reason) {
  for (const std::string& problem : stop_event.problems) say(state, problem, "important");
  if (stop_event.has_ended() && stop_event.findings.empty() && !state.options.stops_at_end) return report_end(state);
  report_threads(state);
  state.channel.event("stopped", stopped_body(state, stop_event, reason_of(state, stop_event, reason)));
}

void forget_references(State& state) {
  state.references.clear();
  state.goto_targets.clear();
  state.step_targets.clear();
}

Interruption interruptible(State& state, const std::string& title, const std::function<void()>& move) {
  Session& session = state.session();
  state.control.begin([&session] { session.engine().pause(); }, false, state.request);
  state.progress.begin(title, true);
  look_at_queue(state);
  move();
  state.progress.end();
  return state.control.end();
}

Answer withdrawable(State& state, const std::string& title, const std::function<Answer()>& ask) {
  Answer answer;
  const Interruption why = interruptible(state, title, [&] { answer = ask(); });
  if (why != Interruption::none && !answer.problem.empty()) return {Json(), "cancelled", "cancelled", {}};
  return answer;
}

namespace {

/// Runs up to an interruption. False: it continues after this.
bool run_a_while(State& state, const Run& run) {
  Session& session = state.session();
  state.control.begin([&session] { session.engine().pause(); }, run.may_be_poked);
  look_at_queue(state);
  const StopEvent& stop_event = run.move();
  const Interruption why = state.control.end();
  if (why != Interruption::leave && was_poked(state, run, stop_event, why)) return false;
  state.progress.end();
  if (why != Interruption::leave && !state.has_ended) report_stop(state, stop_event, run.reason);
  return true;
}

}  // namespace

void run(State& state, const Run& run) {
  forget_references(state);
  state.progress.begin(run.title, true);
  if (!state.control.makes_slices() || run.direction == Direction::backward) {
    while (!run_a_while(state, run)) {
    }
    return;
  }
  state.session().engine().set_on_way([&state] { state.control.look_at_clock(); });
  state.unfinished = run;
  go_on(state);
}

void go_on(State& state) {
  if (!state.unfinished) return;
  state.is_running = false;
  if (run_a_while(state, *state.unfinished)) state.unfinished.reset();
  state.is_running = state.unfinished.has_value();
}

void drop_unfinished(State& state, bool is_pause) {
  if (!state.unfinished) return;
  state.unfinished.reset();
  state.is_running = false;
  state.progress.end();
  if (is_pause) report_stop(state, state.session().stop_event(), "pause");
}

}  // namespace lockstep::debugger::dap
