// Requests about programs and where they are: threads, stackTrace, scopes. A thread is a program; a large grid lists
// only the interesting ones.
#include <algorithm>

#include "debugger/dap/dispatch.h"
#include "debugger/dap/instructions.h"
#include "debugger/dap/json/members.h"
#include "debugger/dap/sources.h"
#include "debugger/session/overview.h"

namespace lockstep::debugger::dap {

namespace {

const char* status_text(ProgramStatus status) {
  switch (status) {
    case ProgramStatus::not_started: return "not started";
    case ProgramStatus::focus: return "";
    case ProgramStatus::waiting: return "waiting";
    case ProgramStatus::ended: return "ended";
    case ProgramStatus::fault: return "fault";
  }
  return "";
}

Json thread_json(const State& state, const ProgramFacts& facts) {
  std::string name = state.session().kernel_name() + " " + program_text(facts.id);
  const std::string status = status_text(facts.status);
  if (!status.empty()) name += " " + status;
  return Json::record({{"id", thread_of(facts.number)}, {"name", name}});
}

/// The threads of a program: its groups of warps, if it has several now.
void add_threads(const State& state, const ProgramFacts& facts, Json::Array& found) {
  const Programs& programs = state.engine().programs();
  const LiveProgram* live = programs.find(facts.number);
  const interpreter::BlockState* block = live == nullptr ? nullptr : programs.block(*live);
  const auto groups = block == nullptr ? std::vector<interpreter::GroupLine>{} : interpreter::describe_groups(*block);
  if (groups.size() < 2) {
    found.push_back(thread_json(state, facts));
    return;
  }
  const bool is_focus = facts.status == ProgramStatus::focus;
  for (const interpreter::GroupLine& group : groups) {
    if (group.has_ended) continue;
    const bool stands = is_focus && group.number == live->group;
    const std::string name = state.session().kernel_name() + " " + program_text(facts.id) + " " + group.name;
    found.push_back(Json::record({{"id", thread_of(state, {facts.number, group.number})},
                                  {"name", name + (stands ? "" : group.waits ? " waiting" : " ready")}}));
  }
}

Json frame_json(State& state, const FrameReference& reference, std::string name, const Place& place) {
  Json frame = Json::record({{"id", state.references.add(reference)}, {"name", std::move(name)}});
  set_place(state, frame, place);
  return frame;
}

std::string loop_name(const LoopPosition& loop) {
  return "loop: " + loop.text();
}

void add_loops(State& state, std::size_t level, Json::Array& frames) {
  const std::uint64_t program = state.engine().program();
  for (const LoopPosition& loop : Frame(state.engine(), level).loops()) {
    Json frame = frame_json(state, {FrameReference::Kind::loop, program, level}, loop_name(loop), loop.place);
    frame.set("presentationHint", "label");
    frames.push_back(std::move(frame));
  }
}

void add_outer_frames(State& state, Json::Array& frames) {
  const std::uint64_t program = state.engine().program();
  for (const OuterFrame& outer : outer_frames(state.session())) {
    const Place place{&outer.file, outer.line, 0};
    frames.push_back(frame_json(state, {FrameReference::Kind::outer, program, 0}, outer.name, place));
    frames.back().set("presentationHint", "subtle");
  }
}

/// Innermost first; the loops around are below the frame of the nearest one. Without a text to show, the innermost one
/// is in the TTIR.
Json::Array standing_frames(State& state) {
  const Point& point = *state.engine().point();
  const std::size_t count = point.frames.size(), hidden = state.session().hidden_levels();
  Json::Array frames;
  const std::uint64_t program = state.engine().program();
  const std::string instruction = instruction_address(point.number);
  if (count == 0) {
    frames.push_back(
        frame_json(state, {FrameReference::Kind::standing, program, 0}, state.session().kernel_name(), {}));
    set_op_place(state, frames.back(), point.number);
    frames.back().set("instructionPointerReference", instruction);
  }
  for (std::size_t level = hidden; level < count; ++level) {
    frames.push_back(frame_json(state, {FrameReference::Kind::standing, program, level},
                                state.session().function_name(level), point.frames[level]));
    if (level == hidden && !has_text(state, point.frames[level])) set_op_place(state, frames.back(), point.number);
    if (level == hidden) frames.back().set("instructionPointerReference", instruction);
    frames.back().set("moduleId", 1);
    if (point.loop_level + level + 1 == count) add_loops(state, level, frames);
  }
  add_outer_frames(state, frames);
  return frames;
}

/// For a program, or a group of warps, that waits for its turn: lines only. For one that is not running: its state.
Json::Array waiting_frames(State& state, ThreadPlace thread) {
  Json::Array frames;
  const std::uint64_t program = thread.program;
  const LiveProgram* live = state.engine().programs().find(program);
  if (live == nullptr) {
    const char* status = state.engine().programs().has_started(program) ? ": ended" : ": not started";
    frames.push_back(
        frame_json(state, {FrameReference::Kind::waiting, program, 0}, state.session().kernel_name() + status, {}));
    frames.back().set("presentationHint", "subtle");
    return frames;
  }
  static const std::vector<FrameStatement> kNone;
  const std::vector<FrameStatement>& trail = thread.group < live->trails.size() ? live->trails[thread.group] : kNone;
  for (std::size_t i = trail.size(); i-- > 0;) {
    const std::string& function = state.session().calls().function_around(trail[i].place);
    const std::string name = i == 0 || function.empty() ? state.session().kernel_name() : function;
    frames.push_back(frame_json(state, {FrameReference::Kind::waiting, program, 0}, name, trail[i].place));
    frames.back().set("presentationHint", "subtle");
  }
  return frames;
}

Json::Array frames_of(State& state, std::int64_t thread) {
  if (thread == current_thread(state) && state.engine().point() != nullptr) return standing_frames(state);
  if (thread != launch_thread(state)) return waiting_frames(state, place_of_thread(state, thread));
  Json::Array frames;
  if (state.engine().point() != nullptr) return frames;
  const std::string name = state.session().kernel_name() + ": the launch has ended";
  frames.push_back(frame_json(state, {FrameReference::Kind::ended, 0, 0}, name, {}));
  frames.back().set("presentationHint", "subtle");
  return frames;
}

void add_scope(State& state, Json::Array& scopes, const char* name, const char* hint, Container container) {
  if (state.engine().point() != nullptr) state.session().set_level(container.level);
  const std::size_t members = members_of(state, container).size();
  if (members == 0) return;
  Json scope = Json::record({{"name", name}});
  if (hint != nullptr) scope.set("presentationHint", hint);
  scope.set("variablesReference", state.references.add(std::move(container)));
  scope.set("namedVariables", members);
  scope.set("expensive", false);
  scopes.push_back(std::move(scope));
}

}  // namespace

Answer threads(State& state, Arguments&) {
  Json::Array found;
  const Engine& engine = state.engine();
  if (engine.point() == nullptr)
    found.push_back(Json::record({{"id", launch_thread(state)}, {"name", state.session().kernel_name() + " (ended)"}}));
  const auto notable = notable_programs(state.session(), state.options.most_threads);
  for (const ProgramFacts& facts : notable) add_threads(state, facts, found);
  const std::uint64_t rest = engine.program_count() - std::min<std::uint64_t>(engine.program_count(), notable.size());
  if (rest != 0 && engine.point() != nullptr)
    found.push_back(Json::record({{"id", launch_thread(state)}, {"name", "... " + std::to_string(rest) + " others"}}));
  return done(Json::record({{"threads", std::move(found)}}));
}

Answer stack_trace(State& state, Arguments& in) {
  const std::int64_t thread = in.integer("threadId", 1, INT64_MAX);
  const auto start = static_cast<std::size_t>(in.integer_or("startFrame", 0, INT32_MAX, 0));
  const auto levels = static_cast<std::size_t>(in.integer_or("levels", 0, INT32_MAX, 0));
  if (!in.is_good()) return refuse(in.problem());
  if (place_of_thread(state, thread).program > state.engine().program_count()) return refuse("there is no such thread");
  Json::Array all = frames_of(state, thread), page;
  for (std::size_t i = start; i < all.size() && (levels == 0 || i - start < levels); ++i) page.push_back(all[i]);
  return done(Json::record({{"stackFrames", std::move(page)}, {"totalFrames", all.size()}}));
}

Answer scopes(State& state, Arguments& in) {
  using Kind = Container::Kind;
  const std::int64_t number = in.integer("frameId", 1, INT32_MAX);
  if (!in.is_good()) return refuse(in.problem());
  const FrameReference* known = state.references.frame(number);
  if (known == nullptr) return refuse("this frame no longer exists");
  const FrameReference frame = *known;
  Json::Array found;
  if (frame.kind == FrameReference::Kind::outer) return done(Json::record({{"scopes", std::move(found)}}));
  if (frame.kind == FrameReference::Kind::waiting) {
    const std::size_t levels = state.session().level_count(), outermost = levels == 0 ? 0 : levels - 1;
    add_scope(state, found, "Program", nullptr, Container{Kind::program, outermost, {}, {}, frame.program});
    add_scope(state, found, "Arguments", "arguments", Container{Kind::arguments, outermost, {}, {}, 0});
    return done(Json::record({{"scopes", std::move(found)}}));
  }
  if (state.engine().point() != nullptr) state.session().set_level(frame.level);
  const auto add = [&](const char* name, const char* hint, Kind kind) {
    add_scope(state, found, name, hint, Container{kind, frame.level, {}, {}, 0});
  };
  if (frame.kind == FrameReference::Kind::loop) {
    add("Loop", nullptr, Kind::loops);
    return done(Json::record({{"scopes", std::move(found)}}));
  }
  add("Tiles and scalars", "locals", Kind::tiles);
  add("Masks", nullptr, Kind::masks);
  add("Pointers", nullptr, Kind::pointers);
  add("Arguments", "arguments", Kind::arguments);
  add("Loop", nullptr, Kind::loops);
  add("Launch", nullptr, Kind::launch);
  add("Memory model", nullptr, Kind::model);
  return done(Json::record({{"scopes", std::move(found)}}));
}

}  // namespace lockstep::debugger::dap
