#include "debugger/engine/runner.h"

#include <algorithm>
#include <chrono>
#include <iostream>
#include <utility>

#include "support/diagnostics/report_status.h"

namespace lockstep::debugger {

bool Runner::begin(const ir::Module& module, const ir::Op& function, const TargetProfile& profile,
                   DiagnosticSink& sink) {
  print_ = request_.print;  // lines of tt.print come once, however often the way is gone
  request_.print = [this](const std::string& line) {
    if (is_silent_) return;
    if (print_) {
      print_(line);
    } else {
      std::cout << line;
    }
  };
  request_.stop = nullptr;
  request_.poll = nullptr;
  request_.progress = nullptr;
  request_.rollback = false;
  request_.limits.timeout_seconds = 0;
  request_.touches = interpreter::AccessTracking::none;
  kernel_ = DebugKernel::make(module, function, profile, sink);
  if (kernel_ == nullptr) return false;
  fast_ = interpreter::PreparedKernel::make(module, function, profile, sink);
  if (fast_ == nullptr) return false;
  launch_ = interpreter::SteppedLaunch::make(kernel_->kernel(), request_, sink);
  if (launch_ == nullptr) return false;
  programs_ = std::make_unique<Programs>(*launch_);
  stops_ = std::make_unique<StopList>(*kernel_, *programs_);
  history_ = std::make_unique<History>(*launch_, *programs_, options_.history_bytes, options_.checkpoint_distance);
  machine().on_late_store = [this] { history_->note_unlogged(); };
  if (!history_->begin(*request_.memory)) {
    report_status(sink, {"LS3012",
                         "the copy of the outputs that stepping backwards needs does not fit into the " +
                             std::to_string(options_.history_bytes >> 20) + " MiB of --history",
                         "give it more, for example --history 4GiB"});
    return false;
  }
  begin_turn(0);
  return true;
}

Runner::~Runner() {
  history_.reset();  // before the pool that its tiles come from
  programs_.reset();
}

std::optional<std::uint64_t> Runner::number_of(const ProgramId& id) const {
  std::uint64_t number = 0;
  for (std::size_t d = 3; d-- > 0;) {
    if (id[d] < 0 || id[d] >= grid()[d]) return std::nullopt;
    number = number * static_cast<std::uint64_t>(grid()[d]) + static_cast<std::uint64_t>(id[d]);
  }
  return number;
}

// ---- forward by one point ----

Runner::Next Runner::move(std::uint64_t bound) {
  const Mark at = mark();
  stops_->forget_accesses();
  log_.begin_op(at);
  is_silent_ = at < furthest_;
  watch_access(*point());
  const Next next = programs_->advance();
  furthest_ = std::max(furthest_, mark());
  log_.end_op(at, machine().findings);
  if (next != Next::turn_over) return settle(next);
  if (may_stop_here_ && log_.makes_caught()) return next;  // it goes back: nobody needs to run yet
  const FindingLog::Made made = log_.made();
  const Next then = begin_turn(bound);
  log_.set_made(made);  // on the way there others may have run
  return then;
}

/// The consequences of the new position.
Runner::Next Runner::settle(Next next) {
  if (next == Next::visit) {
    if (mark().step == 0 && programs_->current().steps == 0) ahead_.note_first_turn(mark().turn, program());
    history_->keep_present();
    apply_events();
    return point() != nullptr ? Next::visit : next;
  }
  const interpreter::Launch& launch = launch_->launch();
  if (next == Next::deadlocked) outcome_ = interpreter::Outcome::deadlocked;
  if (next == Next::aborted)
    outcome_ = launch.out_of_memory ? interpreter::Outcome::out_of_memory : interpreter::Outcome::timed_out;
  return next;
}

/// Goes to the first point of the next program, or to the end.
Runner::Next Runner::begin_turn(std::uint64_t bound) {
  if (const auto turn = run_ahead(bound)) {
    const bool may_stop_here = std::exchange(may_stop_here_, false);
    back_to_start();
    const Next next = begin_turn(*turn);
    const bool is_there = next != Next::visit || forward_to({*turn, 0});
    may_stop_here_ = may_stop_here;
    return is_there ? next : Next::ended;
  }
  const std::size_t before = log_.all().size();
  const Next next = programs_->begin_turn();
  log_.take(mark(), machine().findings);
  if (next == Next::deadlocked) log_.include_from(before);
  return settle(next);
}

void Runner::watch_access(const Point& point) {
  const interpreter::LaneLookup* lookup = kernel_->lookup(point);
  if (lookup == nullptr || (!point.writes && !observer_ && !stops_->is_watching())) return;
  interpreter::AccessLanes lanes(machine(), *lookup);
  if (observer_) observer_(point, lanes);
  if (point.writes) history_->note_write(lanes);
  stops_->note_access(point, lanes);
}

// ---- edits ----

void Runner::take_over(std::uint64_t number) {
  const Next next = programs_->switch_to(number);
  next == Next::turn_over ? begin_turn(0) : settle(next);
}

void Runner::apply(const TimelineEvent& event) {
  interpreter::Machine& machine = launch_->machine();
  if (event.kind == TimelineEvent::Kind::memory) {
    const auto bytes = static_cast<std::int64_t>(event.bytes.size());
    history_->note_write(event.number, bytes);
    std::copy(event.bytes.begin(), event.bytes.end(), interpreter::bytes_at(event.number));
    return;
  }
  const auto slot = static_cast<interpreter::Slot>(event.number);
  const interpreter::TileType& type = machine.type_of(slot);
  programs_->note_edit();
  if (type.is_scalar()) {
    std::uint64_t bits = 0;
    std::copy(event.bytes.begin(), event.bytes.end(), reinterpret_cast<char*>(&bits));
    machine.set(slot, interpreter::uniform_tile(bits, machine.slots[slot].provenance));
    return;
  }
  const std::int32_t provenance = machine.slots[slot].provenance;
  interpreter::Tile tile = machine.allocate(type);
  tile.provenance = provenance;
  std::copy(event.bytes.begin(), event.bytes.end(), tile.data());
  machine.set(slot, tile);
}

/// The edits of this mark. A turn may move on to another mark, whose edits come then.
void Runner::apply_events() {
  for (const TimelineEvent& event : timelines_.events_at(mark())) {
    if (event.kind == TimelineEvent::Kind::turn) return take_over(event.number);
    apply(event);
  }
}

// ---- programs that run ahead ----

bool Runner::may_stop_in(std::uint64_t program) const {
  return target_program_ ? program == *target_program_ : stops_->may_stop_in(program);
}

/// The first program from `fresh` on that must run point by point.
std::uint64_t Runner::ahead_end(std::uint64_t fresh, std::uint64_t bound) const {
  const std::uint64_t turn = programs_->next_turn();
  if (const auto event = timelines_.turn_with_event(turn)) bound = std::min(bound, *event);
  if (bound <= turn) return fresh;
  const std::uint64_t end = fresh + std::min(program_count() - fresh, bound - turn);
  std::uint64_t program = fresh;
  while (program < end && !may_stop_in(program)) ++program;
  return program;
}

std::optional<std::uint64_t> Runner::run_ahead(std::uint64_t bound) {
  constexpr std::uint64_t kFirst = 8;  // programs; twice as many as long as it is quick, so that pause() is heard
  constexpr auto kQuick = std::chrono::milliseconds(30);
  const auto fresh = programs_->next_fresh();
  if (!options_.runs_ahead || launch_->is_in_order() || observer_ || !fresh) return std::nullopt;
  const std::uint64_t end = ahead_end(*fresh, bound);
  std::uint64_t count = may_stop_here_ || is_away_ ? kFirst : end - *fresh;
  for (std::uint64_t first = *fresh; first < end;) {
    const auto before = std::chrono::steady_clock::now();
    const std::uint64_t next = first + std::min(count, end - first);
    if (const auto turn = run_some(first, next)) return turn;
    throw_if_paused();
    if (may_stop_here_ && on_way_) on_way_();
    if (may_stop_here_ && is_pausing_) break;
    if (std::chrono::steady_clock::now() - before < kQuick) count *= 2;
    first = next;
  }
  return std::nullopt;
}

std::optional<std::uint64_t> Runner::run_some(std::uint64_t first, std::uint64_t end) {
  const std::uint64_t turn = programs_->next_turn();
  history_->note_unlogged();
  is_silent_ = Mark{turn, 0} < furthest_;
  DiagnosticSink sink;
  const auto report = fast_->launch_some(request_, {first, end - 1}, sink);
  LOCKSTEP_CHECK(report.has_value(), "a launch that was bound before does not bind any more");
  throw_if_paused();
  if (report->outcome != interpreter::Outcome::completed) return turn;  // point by point it shows where
  for (const Finding& finding : report->findings.findings()) {
    if (!target_program_ && log_.is_caught(finding)) return turn + (*number_of(finding.program) - first);
  }
  for (const Finding& finding : report->findings.findings()) log_.add(Mark{turn, 0}, finding);
  programs_->skip_to(end);
  ahead_.add({turn, first, end - first, report->finished});
  furthest_ = std::max(furthest_, mark());
  return std::nullopt;
}

// ---- to another mark ----

bool Runner::forward_to(Mark mark) {
  while (point() != nullptr && this->mark() < mark) {
    move(mark.turn);
    throw_if_paused();
  }
  return point() != nullptr && this->mark() == mark;
}

void Runner::back_to(Mark mark) {
  history_->back_to(mark);
  if (point() == nullptr) foreign_.put_back();
  forget_from_here();
  if (point() == nullptr) {
    begin_turn(mark.turn);
  } else {
    apply_events();
  }
}

void Runner::back_to_start() {
  history_->back_to_start();
  foreign_.put_back();
  forget_from_here();
}

/// Forgets the notes about later marks.
void Runner::forget_from_here() {
  const Mark here = point() == nullptr ? Mark{} : mark();
  log_.forget_from(here);
  ahead_.forget_from(here, point() == nullptr);
  stops_->forget_accesses();
  outcome_ = interpreter::Outcome::completed;
  interpreter::Launch& launch = launch_->launch();
  launch.abort = launch.timed_out = launch.out_of_memory = false;
  machine().findings = {};
}

bool Runner::seek(Mark mark) {
  if (point() == nullptr || mark < this->mark()) back_to(mark);
  forward_to(mark);
  stops_->read_values();
  return point() != nullptr && this->mark() == mark;
}

}  // namespace lockstep::debugger
