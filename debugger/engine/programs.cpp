#include "debugger/engine/programs.h"

#include <algorithm>

#include "interpreter/deadlock.h"

namespace lockstep::debugger {

using interpreter::BufferPool;
using interpreter::Status;
using interpreter::Step;
using interpreter::Tile;

namespace {

constexpr std::uint64_t kMaxIdleRounds = 1u << 16;

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
  ++moment_.step;
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
  LiveProgram& program = *current_;
  const std::uint64_t number = program.state.number;
  const auto turn = std::find(order_.turns.begin(), order_.turns.end(), number);
  if (has_ended) {
    if (turn != order_.turns.end()) {
      if (turn - order_.turns.begin() < static_cast<std::ptrdiff_t>(order_.cursor)) --order_.cursor;
      order_.turns.erase(turn);
    }
    order_.has_ended = true;
    release_all(program.state, launch_.machine().pool);
    live_.erase(number);
  } else if (turn == order_.turns.end()) {
    order_.turns.push_back(number);
  } else {
    order_.cursor = static_cast<std::size_t>(turn - order_.turns.begin()) + 1;
  }
  current_ = nullptr;
  return Next::turn_over;
}

/// Works out which frames' statements begin at the point.
void Programs::arrive(const Point& point) {
  point_ = &point;
  LiveProgram& program = *current_;
  program.new_level = LiveProgram::kNoLevel;
  const std::size_t depth = point.frames.size();
  if (!point.is_statement || depth == 0) return;
  std::vector<FrameStatement>& trail = program.trail;
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

// ---- whose turn it is ----

Programs::Next Programs::take_turn(std::uint64_t number) {
  moment_ = {moment_.turn + (has_begun_ ? 1 : 0), 0};
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
  if (!live_.empty() || !order_.early.empty() || order_.next >= launch_.programs()) return std::nullopt;
  return order_.next;
}

void Programs::skip_to(std::uint64_t number) {
  constexpr std::uint64_t kAfterAll = std::uint64_t{1} << 62;  // points of a program that nobody counted
  moment_ = {next_turn() + (number - order_.next) - 1, kAfterAll};
  has_begun_ = true;
  order_.next = number;
}

Programs::Next Programs::begin_turn() {
  interpreter::Machine& machine = launch_.machine();
  while (true) {
    if (order_.cursor < order_.turns.size()) return take_turn(order_.turns[order_.cursor]);
    const bool has_moved = order_.has_ended || machine.memory_changes != order_.changes;
    order_.cursor = 0;
    order_.changes = machine.memory_changes;
    order_.has_ended = false;
    if (has_moved) order_.idle_rounds = 0;
    if (has_moved && !order_.turns.empty()) continue;
    while (order_.early.erase(order_.next) != 0) ++order_.next;
    if (order_.next < launch_.programs()) return start(order_.next++);
    if (order_.turns.empty()) return Next::ended;
    if (const Next next = give_up(); next != Next::turn_over) return next;
  }
}

/// Nobody can move, as it seems. turn_over: somebody may, after all.
Programs::Next Programs::give_up() {
  const auto is_stuck = [](const auto& entry) { return entry.second->state.is_stuck; };
  const bool all_stuck = std::all_of(live_.begin(), live_.end(), is_stuck);
  if (!all_stuck && ++order_.idle_rounds < kMaxIdleRounds) return Next::turn_over;
  for (const std::uint64_t number : order_.turns) {  // time passes only when nobody can move
    LiveProgram& program = *live_.at(number);
    if (program.state.polling == nullptr || !program.state.poll_may_expire) continue;
    program.saved = nullptr;
    program.state.poll_expired = true;
    return Next::turn_over;
  }
  interpreter::LivePrograms waiting;
  for (const std::uint64_t number : order_.turns)
    waiting.push_back(std::make_unique<interpreter::ProgramState>(live_.at(number)->state));
  interpreter::report_deadlock(launch_.machine(), waiting, {all_stuck, kMaxIdleRounds, 0});
  return Next::deadlocked;
}

Programs::Next Programs::switch_to(std::uint64_t number) {
  const std::uint64_t before = current_->state.number;
  if (std::find(order_.turns.begin(), order_.turns.end(), before) == order_.turns.end()) order_.turns.push_back(before);
  const auto turn = std::find(order_.turns.begin(), order_.turns.end(), number);
  point_ = nullptr;
  if (turn != order_.turns.end()) {
    order_.cursor = static_cast<std::size_t>(turn - order_.turns.begin());
    return take_turn(number);
  }
  order_.early.insert(number);
  return start(number);
}

const LiveProgram* Programs::find(std::uint64_t number) const {
  const auto found = live_.find(number);
  return found == live_.end() ? nullptr : found->second.get();
}

// ---- saving ----

Programs::Saved Programs::save() {
  Saved saved;
  saved.moment = moment_;
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
  moment_ = saved.moment;
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
