#include "debugger/engine/programs.h"

#include <algorithm>

#include "interpreter/scheduler/deadlock.h"

namespace lockstep::debugger {

using interpreter::BufferPool;
using interpreter::Status;
using interpreter::Step;
using interpreter::Tile;

namespace {

void retain_all(const interpreter::ProgramState& state) {
  for (const Tile& tile : state.slots) BufferPool::retain(tile);
}

void release_all(interpreter::ProgramState& state, BufferPool& pool) {
  for (Tile& tile : state.slots) pool.release(tile);
}

}  // namespace

SavedProgram::SavedProgram(const LiveProgram& program, BufferPool& pool) : program_(program), pool_(pool) {
  program_.saved = nullptr;
  retain_all(program_.state);
}

SavedProgram::~SavedProgram() { release_all(program_.state, pool_); }

Programs::~Programs() {
  for (auto& [number, program] : live_) release_all(program->state, launch_.machine().pool);
}

// ---- running ----

Programs::Next Programs::advance() {
  LiveProgram& program = *current_;
  program.saved = nullptr;
  ++program.steps;
  ++mark_.step;
  point_ = nullptr;
  return run_from(program.state.next + 1);
}

Programs::Next Programs::run_from(const Step* step) {
  interpreter::Machine& machine = launch_.machine();
  LiveProgram& program = *current_;
  machine.program = &program.state;
  machine.slots = program.state.slots.data();
  machine.status = Status::running;
  program.state.has_more_to_do = false;
  try {
    while (step != nullptr && !DebugKernel::is_marker(step)) {
      if (!machine.poll(step->cost)) return Next::aborted;
      step = step->run(machine, step);
    }
  } catch (const std::bad_alloc&) {
    machine.launch.out_of_memory = true;
    return Next::aborted;
  }
  if (step != nullptr) {
    program.state.next = step;
    arrive(*DebugKernel::point_of(step));
    return Next::visit;
  }
  if (machine.status == Status::stopped) return Next::aborted;
  return leave(machine.status == Status::done);
}

/// The current program's turn is over.
Programs::Next Programs::leave(bool has_ended) {
  interpreter::ProgramState& state = current_->state;
  interpreter::Machine& machine = launch_.machine();
  if (has_ended) {
    const std::uint64_t number = state.number;
    order_.note_end();
    release_all(state, machine.pool);
    live_.erase(number);
  } else {
    order_.note_yield(state.has_more_to_do, machine.memory_changes);
  }
  current_ = nullptr;
  return Next::turn_over;
}

/// Which group of warps stands here; those that are over leave no trail.
void Programs::note_group(LiveProgram& program) const {
  const interpreter::BlockState* state = block(program);
  if (state == nullptr) return;
  program.group = state->current;
  if (program.trails.size() < state->group_count) program.trails.resize(state->group_count);
  for (std::uint32_t i = 1; i < program.trails.size(); ++i) {
    if (!interpreter::is_live_group(*state, i)) program.trails[i].clear();
  }
}

bool Programs::has_live_group(std::uint32_t group) const {
  const interpreter::BlockState* state = block(*current_);
  return group == 0 || (state != nullptr && interpreter::is_live_group(*state, group));
}

/// Computes which frames' statements begin at the point.
void Programs::arrive(const Point& point) {
  point_ = &point;
  LiveProgram& program = *current_;
  note_group(program);
  program.new_level = LiveProgram::kNoLevel;
  const std::size_t depth = point.frames.size();
  if (!point.is_statement || depth == 0) return;
  std::vector<FrameStatement>& trail = program.trails[program.group];
  std::size_t fresh = LiveProgram::kNoLevel;
  if (!trail.empty() && point.number <= trail.front().point) {  // the next iteration of a loop
    fresh = std::min<std::size_t>(point.loop_level, depth - 1);
  }
  for (std::size_t level = 0; level < depth; ++level) {
    const Place& place = point.frames[depth - 1 - level];
    if (level >= trail.size()) {
      trail.resize(level + 1);
      fresh = std::min(fresh, level);
    } else if (!trail[level].place.same_line(place)) {
      fresh = std::min(fresh, level);
    }
    trail[level] = {place, point.number};
  }
  trail.resize(depth);
  program.new_level = fresh;
}

// ---- turns ----

Programs::Next Programs::take_turn(std::uint64_t number) {
  mark_ = {mark_.turn + (has_begun_ ? 1 : 0), 0};
  has_begun_ = true;
  current_ = live_.at(number).get();
  current_->saved = nullptr;
  return run_from(current_->state.next);
}

Programs::Next Programs::start(std::uint64_t number) {
  auto program = std::make_unique<LiveProgram>();
  launch_.begin(program->state, number);
  live_[number] = std::move(program);
  return take_turn(number);
}

std::optional<std::uint64_t> Programs::next_fresh() const {
  return live_.empty() ? order_.next_of_all() : std::nullopt;
}

void Programs::skip_to(std::uint64_t number) {
  constexpr std::uint64_t kAfterAll = std::uint64_t{1} << 62;  // points of a program that nobody counted
  mark_ = {next_turn() + (number - *order_.next_of_all()) - 1, kAfterAll};
  has_begun_ = true;
  order_.skip_to(number);
}

Programs::Next Programs::begin_turn() {
  using Kind = interpreter::Scheduler::TimeSlice::Kind;
  for (;;) {
    const auto turn = order_.next(launch_.machine().memory_changes);
    switch (turn.kind) {
      case Kind::resume: return take_turn(turn.program);
      case Kind::start: return start(turn.program);
      case Kind::over: return Next::ended;
      case Kind::idle: break;
    }
    if (gives_up()) return Next::deadlocked;
  }
}

/// No program seems able to move. False: one may, after all.
bool Programs::gives_up() {
  std::vector<interpreter::ProgramState*> waiting;
  for (const auto& one : order_.waiting()) waiting.push_back(&live_.at(one.program)->state);
  const auto outlook = order_.look_around(waiting);
  if (outlook.expired != nullptr) live_.at(outlook.expired->number)->saved = nullptr;
  if (!outlook.is_over) return false;
  interpreter::report_deadlock(launch_.machine(), {waiting.begin(), waiting.end()},
                               {outlook.is_proven, interpreter::Scheduler::kMaxIdleRounds, order_.not_started()});
  return true;
}

Programs::Next Programs::switch_to(std::uint64_t number) {
  const auto turn = order_.take_over(number, launch_.machine().memory_changes);
  point_ = nullptr;
  return turn.kind == interpreter::Scheduler::TimeSlice::Kind::start ? start(number) : take_turn(number);
}

const LiveProgram* Programs::find(std::uint64_t number) const {
  const auto found = live_.find(number);
  return found == live_.end() ? nullptr : found->second.get();
}

// ---- saving ----

Programs::Saved Programs::save() {
  Saved saved;
  saved.mark = mark_;
  saved.point = point_;
  saved.has_begun = has_begun_;
  saved.memory_changes = launch_.machine().memory_changes;
  saved.order = order_;
  if (current_ != nullptr) saved.current = current_->state.number;
  for (auto& [number, program] : live_) {
    if (program->saved == nullptr) program->saved = std::make_shared<SavedProgram>(*program, launch_.machine().pool);
    saved.programs.push_back(program->saved);
  }
  return saved;
}

void Programs::restore(const Saved& saved) {
  for (auto& [number, program] : live_) release_all(program->state, launch_.machine().pool);
  live_.clear();
  for (const auto& kept : saved.programs) {
    auto program = std::make_unique<LiveProgram>(kept->program());
    retain_all(program->state);
    program->saved = kept;
    const std::uint64_t number = program->state.number;
    live_[number] = std::move(program);
  }
  mark_ = saved.mark;
  point_ = saved.point;
  has_begun_ = saved.has_begun;
  order_ = saved.order;
  current_ = saved.point == nullptr ? nullptr : live_.at(saved.current).get();
  interpreter::Machine& machine = launch_.machine();
  machine.memory_changes = saved.memory_changes;
  if (current_ == nullptr) return;
  machine.program = &current_->state;
  machine.slots = current_->state.slots.data();
}

}  // namespace lockstep::debugger
