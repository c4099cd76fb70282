// Looking at the past, and coming back.
#include <algorithm>

#include "debugger/engine/engine.h"

namespace lockstep::debugger {

namespace {

constexpr std::uint64_t kToTheEnd = ~std::uint64_t{0};

}  // namespace

void Engine::replay(Mark from, Mark to, const std::function<void()>& visit, const AccessObserver& witness) {
  throw_if_paused();
  seek(from);
  observer_ = witness ? witness : [](const Point&, interpreter::AccessLanes&) {};
  try {
    while (point() != nullptr && mark() < to) {
      if (visit) visit();
      move(0);
      throw_if_paused();
    }
    if (visit) visit();
  } catch (...) {
    observer_ = nullptr;
    throw;
  }
  observer_ = nullptr;
}

void Engine::return_to(const ReturnMark& home) {
  if (!home.is_end) {
    seek(home.mark);
    return;
  }
  target_program_ = kToTheEnd;  // nothing needs to be looked at on the way to the end
  while (point() != nullptr) move(kToTheEnd);
  target_program_.reset();
}

/// The state of the engine and its machine at the starting point.
struct Engine::ScopedReplay::Kept {
  ReturnMark home;
  std::unique_ptr<History::Present> present;  // null: there was no room
  MemoryLog foreign;                          // as it is now
  FindingLog log;
  AheadRuns ahead;
  StopList::Seen seen;
  interpreter::Outcome outcome{};
  bool is_aborted = false, is_timed_out = false, is_out_of_memory = false;
  std::unordered_map<std::uint64_t, interpreter::LastChange> last_changes;
};

Engine::ScopedReplay::ScopedReplay(Engine& engine) : engine_(engine), kept_(std::make_unique<Kept>()) {
  const interpreter::Launch& launch = engine.launch_->launch();
  *kept_ = {engine.home(),
            engine.history_->keep_all(engine.memory()),
            {},
            engine.log_,
            engine.ahead_,
            engine.stops_->seen(),
            engine.outcome_,
            launch.abort,
            launch.timed_out,
            launch.out_of_memory,
            engine.machine().last_changes};
  kept_->foreign.keep_places_of(engine.foreign_);
  engine.is_pausing_ = false;
  engine.is_away_ = true;
  engine.request_.stop = &engine.is_pausing_;
}

Engine::ScopedReplay::~ScopedReplay() {
  engine_.is_away_ = false;
  engine_.request_.stop = nullptr;
  if (kept_ == nullptr) return;
  if (kept_->present == nullptr) {
    engine_.return_to(kept_->home);
    engine_.log_.announce_again(kept_->log);
    return;
  }
  engine_.history_->put_back(std::move(kept_->present));
  kept_->foreign.put_back();
  engine_.log_ = std::move(kept_->log);
  engine_.ahead_ = std::move(kept_->ahead);
  engine_.stops_->set_seen(std::move(kept_->seen));
  engine_.outcome_ = kept_->outcome;
  interpreter::Launch& launch = engine_.launch_->launch();
  launch.abort = kept_->is_aborted;
  launch.timed_out = kept_->is_timed_out;
  launch.out_of_memory = kept_->is_out_of_memory;
  engine_.machine().findings = {};
  engine_.machine().last_changes = std::move(kept_->last_changes);
}

void Engine::ScopedReplay::stay() {
  if (kept_->present != nullptr) engine_.history_->drop(std::move(kept_->present));
  kept_.reset();
}

}  // namespace lockstep::debugger
