// Programs in order, on one thread. A program that only waits gives way at a back-edge; it is resumed in rounds, and a
// new program is started when a whole round of those already started changed nothing. So few programs are alive at
// once, locks and flags work whoever they wait for, and a state in which nobody can ever move again is a proven
// deadlock. A launch with a schedule draws who goes on, and who starts, from its seed: the same seed, the same order;
// or follows the grid's order but for one program that it holds back (directed_order.h).
#include <algorithm>
#include <exception>
#include <memory>
#include <optional>
#include <utility>

#include "interpreter/deadlock.h"
#include "interpreter/directed_order.h"
#include "interpreter/grid.h"

namespace lockstep::interpreter {

namespace {

constexpr std::uint64_t kMaxIdleRounds = 1u << 16;

/// Time passes only when nobody can move: the first poll with a timeout that waits then gives up.
bool expire_a_poll(const LivePrograms& waiting) {
  const auto first = std::find_if(waiting.begin(), waiting.end(),
                                  [](const auto& p) { return p->polling != nullptr && p->poll_may_expire; });
  if (first == waiting.end()) return false;
  (*first)->poll_expired = true;
  return true;
}

/// splitmix64.
class Dice {
 public:
  explicit Dice(std::uint64_t seed) : state_(seed) {}
  std::uint64_t below(std::uint64_t bound) {
    state_ += 0x9e3779b97f4a7c15u;
    std::uint64_t bits = state_;
    bits = (bits ^ bits >> 30) * 0xbf58476d1ce4e5b9u;
    bits = (bits ^ bits >> 27) * 0x94d049bb133111ebu;
    return (bits ^ bits >> 31) % bound;
  }

 private:
  std::uint64_t state_;
};

/// The numbers from `first` to the end of the grid, each once: in order, or drawn from those that are due soon.
class StartOrder {
 public:
  StartOrder(std::uint64_t first, std::uint64_t end, bool is_mixed) : next_(first), end_(end), is_mixed_(is_mixed) {}
  bool has_more() const { return next_ < end_ || !window_.empty(); }
  std::uint64_t take(Dice& dice) {
    constexpr std::size_t kWindow = 256;
    if (!is_mixed_) return next_++;
    while (next_ < end_ && window_.size() < kWindow) window_.push_back(next_++);
    std::swap(window_[dice.below(window_.size())], window_.back());
    const std::uint64_t taken = window_.back();
    window_.pop_back();
    return taken;
  }

 private:
  std::uint64_t next_, end_;
  bool is_mixed_;
  std::vector<std::uint64_t> window_;
};

/// How far a directed order has got.
class Direction {
 public:
  explicit Direction(std::uint64_t schedule) : order_(DirectedOrder::of(schedule)) {}
  bool is_on() const { return order_.has_value(); }
  bool holds(std::uint64_t program) const {
    return is_on() && !is_released_ && program == order_->held && held_ == order_->held_after;
  }
  void note_atomic(std::uint64_t program) {
    if (!is_on()) return;
    if (program == order_->held) ++held_;
    if (program == order_->awaited && ++awaited_ == order_->awaited_at) is_released_ = true;
  }
  void note_end(std::uint64_t program) { is_released_ |= is_on() && program == order_->awaited; }
  /// Nobody else can move. False: nothing was held back.
  bool release() { return is_on() && !std::exchange(is_released_, true); }

 private:
  std::optional<DirectedOrder> order_;
  std::uint64_t held_ = 0, awaited_ = 0;
  bool is_released_ = false;
};

}  // namespace

/// A launch's programs that were started and have not ended, and what may be done with them.
class Cooperation {
 public:
  explicit Cooperation(Grid& grid)
      : grid_(grid),
        launch_(grid.launch_),
        machine_(grid.launch_),
        dice_(grid.launch_.schedule),
        direction_(grid.launch_.schedule),
        order_(grid.next_, grid.programs_,
               grid.launch_.schedule != 0 && grid.launch_.resident == 0 && !direction_.is_on()) {
    grid_.watch(machine_);
  }
  Machine& machine() { return machine_; }

  void run() {
    while ((has_more() || !live_.empty()) && machine_.poll()) {
      if (!(launch_.schedule == 0 || direction_.is_on() ? step_in_order() : step_at_random())) return;
    }
  }

 private:
  bool has_more() const { return order_.has_more() || put_off_; }
  bool may_start() const {
    const bool is_there = order_.has_more() || (put_off_ && !direction_.holds(*put_off_));
    return is_there && (launch_.resident == 0 || live_.size() < launch_.resident);
  }

  /// True if the program gave way.
  bool resume(ProgramState& program) {
    if (direction_.holds(program.number)) return true;
    machine_.program = &program;
    machine_.slots = program.slots.data();
    do {
      program.has_more_to_do = false;
      machine_.run();
      if (program.has_more_to_do) direction_.note_atomic(program.number);
    } while (direction_.is_on() && program.has_more_to_do && !direction_.holds(program.number) && machine_.poll());
    if (machine_.status == Status::done) {
      direction_.note_end(program.number);
      machine_.note_end(program);
      grid_.done_.fetch_add(1, std::memory_order_relaxed);
    }
    return machine_.status == Status::yielded;
  }

  /// The next program to start; one that is held back from its beginning comes later. nullopt: there is no other.
  std::optional<std::uint64_t> next_to_start() {
    if (put_off_ && !direction_.holds(*put_off_)) return std::exchange(put_off_, std::nullopt);
    const std::uint64_t next = order_.take(dice_);
    if (!direction_.holds(next)) return next;
    put_off_ = next;
    return order_.has_more() ? std::optional(order_.take(dice_)) : std::nullopt;
  }

  /// Its first turn.
  void start() {
    const auto number = next_to_start();
    if (!number) return;
    if (spare_.empty()) {
      spare_.push_back(std::make_unique<ProgramState>());
      grid_.prepare(machine_, *spare_.back());
    }
    auto program = std::move(spare_.back());
    spare_.pop_back();
    grid_.start(*launch_.plan, *program, *number);
    (resume(*program) ? live_ : spare_).push_back(std::move(program));
  }

  /// A turn for each; false: nothing moved.
  bool round() {
    const std::uint64_t changes = machine_.memory_changes;
    std::size_t kept = 0;
    const std::size_t count = live_.size();
    for (std::size_t i = 0; i < count && machine_.poll(); ++i) {
      if (resume(*live_[i])) {
        std::swap(live_[kept++], live_[i]);
      } else {
        spare_.push_back(std::move(live_[i]));
      }
    }
    if (launch_.abort) return true;
    live_.resize(kept);
    return kept != count || machine_.memory_changes != changes;
  }

  /// False: the launch is over.
  bool step_in_order() {
    const bool moved = round();
    if (launch_.abort) return false;
    if (moved) idle_rounds_ = 0;
    if (moved && !live_.empty()) return true;
    if (may_start()) {
      start();
      return true;
    }
    if (direction_.release()) return true;
    return live_.empty() || wait_or_give_up();
  }

  /// Nobody can move, as it seems. False: for good.
  bool wait_or_give_up() {
    const bool all_stuck = std::all_of(live_.begin(), live_.end(), [](const auto& p) { return p->is_stuck; });
    if ((!all_stuck && ++idle_rounds_ < kMaxIdleRounds) || expire_a_poll(live_)) return true;
    const std::uint64_t started = grid_.done_.load() + live_.size();
    report_deadlock(machine_, live_, {all_stuck, kMaxIdleRounds, grid_.programs_ - started});
    grid_.deadlocked_ = true;
    return false;
  }

  /// One turn of a program drawn from all that may go on, or of a new one.
  bool step_at_random() {
    constexpr std::size_t kMostAtOnce = 64;  // unless all of them wait
    if (changes_ != machine_.memory_changes) {
      changes_ = machine_.memory_changes;
      idle_rounds_ = 0;
      asleep_ = 0;  // whoever waits may find what it waits for
    }
    const std::size_t awake = live_.size() - asleep_;
    const bool may_begin = may_start() && (awake == 0 || live_.size() < kMostAtOnce);
    if (awake == 0 && !may_begin) {
      asleep_ = 0;
      return live_.empty() || wait_or_give_up();
    }
    const std::size_t drawn = dice_.below(awake + (may_begin ? 1 : 0));
    if (drawn == awake) {
      const std::size_t before = live_.size();
      start();
      if (live_.size() != before) note_yield(before, machine_.memory_changes);
    } else {
      go_on(asleep_ + drawn);
    }
    return !launch_.abort;
  }

  void go_on(std::size_t i) {
    const auto seen = seen_.find(live_[i].get());
    const std::uint64_t changes = seen != seen_.end() ? seen->second : machine_.memory_changes;
    if (resume(*live_[i])) {
      note_yield(i, changes);
    } else {
      seen_.erase(live_[i].get());
      spare_.push_back(std::move(live_[i]));
      live_.erase(live_.begin() + static_cast<std::ptrdiff_t>(i));
    }
  }

  /// `changes`: of memory, when the program looked at it last before its turn.
  void note_yield(std::size_t i, std::uint64_t changes) {
    const ProgramState* program = live_[i].get();
    if (program->has_more_to_do) {
      seen_[program] = machine_.memory_changes;
      return;
    }
    seen_.erase(program);
    if (changes == machine_.memory_changes) put_to_sleep(i);  // else what it saw is not what is there
  }

  /// It waits: those in front do.
  void put_to_sleep(std::size_t i) { std::swap(live_[i], live_[asleep_++]); }

  Grid& grid_;
  Launch& launch_;
  Machine machine_;
  Dice dice_;
  Direction direction_;
  StartOrder order_;
  std::optional<std::uint64_t> put_off_;  // a program that a directed order lets begin later
  LivePrograms live_, spare_;
  std::size_t asleep_ = 0;                                       // of live_, in a launch with a schedule
  std::unordered_map<const ProgramState*, std::uint64_t> seen_;  // changes of memory when one yielded after an atomic
  std::uint64_t idle_rounds_ = 0, changes_ = 0;
};

void Grid::run_in_order() {
  launch_.is_ordered = true;
  Cooperation programs(*this);
  try {
    programs.run();
  } catch (const std::bad_alloc&) {
    launch_.out_of_memory = true;
  }
  collect(programs.machine());
  collect_touched(programs.machine());
}

}  // namespace lockstep::interpreter
