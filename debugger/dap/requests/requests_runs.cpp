// Requests that move the launch, forwards and backwards: continue, steps, goto, restartFrame.
#include "debugger/dap/dispatch.h"
#include "debugger/dap/runs.h"
#include "debugger/dap/sources.h"
#include "debugger/session/overview.h"

namespace lockstep::debugger::dap {

namespace {

constexpr const char* kStepping = "stepping";

enum class Granularity : std::uint8_t { line, instruction };

struct Step {
  ThreadPlace place;
  bool is_of_other_group = false;  // than that which stands
  Granularity granularity = Granularity::line;
};

/// Reads thread and granularity. A program other than the current one takes its turn now: a step of it means that.
Expected<Step, std::string> read_step(State& state, Arguments& in) {
  const std::int64_t thread = in.integer("threadId", 1, INT64_MAX);
  in.boolean_or("singleThread", false);
  const std::string granularity = in.text_or("granularity", "statement");
  if (granularity != "statement" && granularity != "line" && granularity != "instruction")
    in.fail("'granularity' must be statement, line or instruction");
  if (!in.is_good()) return Unexpected{in.problem()};
  Step step;
  step.place = place_of_thread(state, thread);
  if (granularity == "instruction") step.granularity = Granularity::instruction;
  if (thread == current_thread(state)) return step;
  const Engine& engine = state.engine();
  if (engine.point() == nullptr) return Unexpected{std::string("the launch has ended: go back, or restart")};
  if (step.place.program >= engine.program_count()) return Unexpected{std::string("there is no such thread")};
  if (step.place.program != engine.program()) {
    const auto switched = state.session().switch_to(step.place.program);
    if (!switched) return Unexpected{switched.error().text()};
    say(state, "program " + program_text(engine.program_id(step.place.program)) + " runs out of order");
  }
  step.is_of_other_group = engine.point() != nullptr && engine.programs().current().group != step.place.group;
  if (step.is_of_other_group && !engine.programs().has_live_group(step.place.group))
    return Unexpected{std::string("this partition does not run")};
  return step;
}

Answer moved(State& state, Run run_of) {
  return then(done(), [&state, run_of = std::move(run_of)] { run(state, run_of); });
}

/// Steps by `line`, or by op where the client asked for that.
Answer stepped(State& state, Arguments& in, Direction direction, const std::function<const StopEvent&(Session&)>& by_line) {
  const auto step = read_step(state, in);
  if (!step) return refuse(step.error());
  Session& session = state.session();
  if (step->is_of_other_group) {
    const bool by_op = step->granularity == Granularity::instruction;
    return moved(state, {[&session, direction, by_op, group = step->place.group]() -> const StopEvent& {
                           static_cast<void>(session.step_group(direction, group, by_op));  // it runs: see read_step
                           return session.stop_event();
                         },
                         "step", false, kStepping, direction});
  }
  if (step->granularity == Granularity::instruction) {
    return moved(state, {[&session, direction]() -> const StopEvent& { return session.step_op(direction); }, "step", false,
                         kStepping});
  }
  return moved(state, {[&session, by_line]() -> const StopEvent& { return by_line(session); }, "step", false, kStepping});
}

Answer went(State& state, Arguments& in, Direction direction, Json body) {
  in.integer("threadId", 0, INT64_MAX);
  in.boolean_or("singleThread", false);
  if (!in.is_good()) return refuse(in.problem());
  const bool is_over = state.engine().point() == nullptr && direction == Direction::forward;
  if (is_over) return then(done(std::move(body)), [&state] { report_end(state); });
  Session& session = state.session();
  const char* title = direction == Direction::forward ? "running the launch" : "going backwards";
  Answer answer = moved(state, {[&session, direction]() -> const StopEvent& { return session.go(direction); }, "step", true,
                                title, direction});
  answer.body = std::move(body);
  return answer;
}

Json target_json(State& state, std::string label, std::int64_t line, GotoTarget target) {
  state.goto_targets.push_back(std::move(target));
  return Json::record({{"id", state.goto_targets.size()}, {"label", std::move(label)}, {"line", line}});
}

const StopEvent& go_to_target(Session& session, const GotoTarget& target) {
  if (target.kind == GotoTarget::Kind::line) return session.go_to_where(target.direction, target.where);
  session.go_to_iteration(target.iteration, target.loop);  // what it cannot reach leaves it where it is
  return session.stop_event();
}

/// Iterations of the loops around that are useful jumps.
void offer_iterations(State& state, std::int64_t line, Json::Array& targets) {
  if (state.engine().point() == nullptr) return;
  for (const LoopPosition& loop : state.session().frame().loops()) {
    if (!loop.iteration || !loop.count) continue;
    const std::int64_t now = *loop.iteration, last = *loop.count - 1;
    const std::string name = loop.variable.empty() ? "the loop" : loop.variable;
    const auto offer = [&](const char* what, std::int64_t number) {
      if (number < 0 || number > last || number == now) return;
      GotoTarget target;
      target.kind = GotoTarget::Kind::iteration;
      target.iteration = number;
      target.loop = loop.variable;
      targets.push_back(target_json(state,
                                    std::string(what) + " iteration of " + name + " (the " +
                                        ordinal_text(static_cast<std::uint64_t>(number) + 1) + " of " +
                                        std::to_string(*loop.count) + ")",
                                    line, std::move(target)));
    };
    offer("previous", now - 1);
    offer("next", now + 1);
    if (now > 1) offer("first", 0);
    if (now + 1 < last) offer("last", last);
  }
}

}  // namespace

Answer continue_run(State& state, Arguments& in) {
  return went(state, in, Direction::forward, Json::record({{"allThreadsContinued", true}}));
}

Answer reverse_continue(State& state, Arguments& in) { return went(state, in, Direction::backward, Json()); }

Answer next(State& state, Arguments& in) {
  if (state.engine().point() == nullptr) return went(state, in, Direction::forward, Json());
  return stepped(state, in, Direction::forward,
                 [](Session& session) -> const StopEvent& { return session.step_line(Direction::forward, true); });
}

Answer step_in(State& state, Arguments& in) {
  const auto id = static_cast<std::size_t>(in.integer_or("targetId", 0, INT64_MAX, 0));
  if (id > state.step_targets.size()) return refuse("this call no longer exists");
  const std::int64_t thread = in.integer("threadId", 1, INT64_MAX);
  if (id != 0 && thread != current_thread(state)) return refuse("these calls belong to another thread than the current one");
  if (id != 0 && !state.step_targets[id - 1].is_here) {
    const auto step = read_step(state, in);
    if (!step) return refuse(step.error());
    Session& session = state.session();
    const auto move = [&session, where = state.step_targets[id - 1].where]() -> const StopEvent& {
      return session.go_to_where(Direction::forward, where);
    };
    return moved(state, {move, "step", false, kStepping});
  }
  if (state.engine().point() == nullptr) return went(state, in, Direction::forward, Json());
  return stepped(state, in, Direction::forward,
                 [](Session& session) -> const StopEvent& { return session.step_line(Direction::forward, false); });
}

Answer step_out(State& state, Arguments& in) {
  if (state.engine().point() == nullptr) return went(state, in, Direction::forward, Json());
  const auto step = read_step(state, in);
  if (!step) return refuse(step.error());
  Session& session = state.session();
  const auto move = [&session]() -> const StopEvent& { return session.finish(Direction::forward); };
  return moved(state, {move, "step", false, "stepping out"});
}

Answer step_back(State& state, Arguments& in) {
  return stepped(state, in, Direction::backward,
                 [](Session& session) -> const StopEvent& { return session.step_line(Direction::backward, true); });
}

Answer goto_targets(State& state, Arguments& in) {
  const NamedSource source = read_source(state, in);
  const std::int64_t line = in.integer("line", state.client.first_line, INT32_MAX);
  in.integer_or("column", 0, INT32_MAX, 0);
  if (!in.is_good()) return refuse(in.problem());
  if (state.goto_targets.size() > 10'000) state.goto_targets.clear();
  Json::Array targets;
  const auto number = static_cast<std::uint32_t>(line + 1 - state.client.first_line);
  const auto where = source.is_ttir ? Expected<Where, Problem>(Unexpected{Problem{"", ""}})
                                    : resolve_line(state.engine().kernel(), source.file, number);
  if (where) {
    const std::string place = place_text(where->place);
    for (const auto& [direction, label] :
         {std::pair(Direction::forward, "on to "), std::pair(Direction::backward, "back to ")}) {
      GotoTarget target;
      target.direction = direction;
      target.where = *where;
      targets.push_back(target_json(state, label + place, line, std::move(target)));
    }
  }
  offer_iterations(state, line, targets);
  return done(Json::record({{"targets", std::move(targets)}}));
}

Answer go_to(State& state, Arguments& in) {
  in.integer("threadId", 0, INT64_MAX);
  const std::int64_t id = in.integer("targetId", 1, INT32_MAX);
  if (!in.is_good()) return refuse(in.problem());
  if (id > static_cast<std::int64_t>(state.goto_targets.size())) return refuse("this target no longer exists");
  const GotoTarget target = state.goto_targets[static_cast<std::size_t>(id - 1)];
  Session& session = state.session();
  return moved(state, {[&session, target]() -> const StopEvent& { return go_to_target(session, target); }, "goto", false,
                       "going there"});
}

/// Back out of the frame and into it again; the kernel's own begins where its program does.
Answer restart_frame(State& state, Arguments& in) {
  const std::int64_t number = in.integer("frameId", 1, INT32_MAX);
  if (!in.is_good()) return refuse(in.problem());
  const FrameReference* frame = state.references.frame(number);
  if (frame == nullptr) return refuse("this frame no longer exists");
  if (frame->kind != FrameReference::Kind::standing) return refuse("this frame is not the current one");
  const std::size_t level = frame->level, count = state.session().level_count();
  Session& session = state.session();
  const auto move = [&session, level, count]() -> const StopEvent& {
    const std::size_t leaves = level + 1 < count ? level + 1 - session.hidden_levels() : level + 1;
    for (std::size_t i = 0; i < leaves; ++i) session.finish(Direction::backward);
    return level + 1 < count ? session.step_line(Direction::forward, false) : session.stop_event();
  };
  return moved(state, {move, "step", false, "going back to the beginning of the call"});
}

}  // namespace lockstep::debugger::dap
