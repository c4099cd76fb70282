// Programs: the running programs of a launch, one of which is at a point, and the choice of the next turn: as in the
// launch itself (interpreter/scheduler/scheduler.h), unless a person chose another one. Invariant: the next event
// depends only on this state and memory, so that a restored state repeats it. Not here: memory, stops, the past.
#pragma once

#include <compare>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "debugger/engine/points.h"
#include "interpreter/scheduler/scheduler.h"
#include "interpreter/shared_memory/block_view.h"

namespace lockstep::debugger {

/// A place in a run: how many turns began before, and how many points were passed in this one. A turn is a program's
/// stretch from its start, or from where it continues, to its end or until another program takes over.
struct Mark {
  std::uint64_t turn = 0, step = 0;
  friend auto operator<=>(const Mark&, const Mark&) = default;
};

/// The statement of a program in one of its frames.
struct FrameStatement {
  Place place;
  std::uint32_t point = 0;  // the last one passed in it
};

class SavedProgram;

/// A program that was started and has not ended.
struct LiveProgram {
  static constexpr std::size_t kNoLevel = ~std::size_t{0};
  interpreter::ProgramState state;
  std::uint64_t steps = 0;            // points passed since it began
  /// Of each group of warps (0: the default one, or all there is), outermost frame first; empty: it has not begun.
  std::vector<std::vector<FrameStatement>> trails = {{}};
  std::uint32_t group = 0;  // that stands at the current point, or did last
  // The outermost frame whose statement begins (again) at the current point; kNoLevel: none does.
  std::size_t new_level = kNoLevel;
  std::shared_ptr<const SavedProgram> saved;  // of this very state; null: not saved since it ran

  bool is_statement_start() const { return new_level != kNoLevel; }
  const std::vector<FrameStatement>& trail() const { return trails[group]; }
};

/// A copy of a live program. Holds counts of its tiles' buffers; on the pool's thread.
class SavedProgram {
 public:
  SavedProgram(const LiveProgram& program, interpreter::BufferPool& pool);
  ~SavedProgram();
  SavedProgram(const SavedProgram&) = delete;
  SavedProgram& operator=(const SavedProgram&) = delete;
  const LiveProgram& program() const { return program_; }

 private:
  LiveProgram program_;
  interpreter::BufferPool& pool_;
};

class Programs {
 public:
  explicit Programs(interpreter::SteppedLaunch& launch)
      : launch_(launch),
        order_(0, launch.programs(), launch.launch().schedule, launch.launch().resident),
        block_(interpreter::find_block(launch.plan())) {}
  ~Programs();
  Programs(const Programs&) = delete;
  Programs& operator=(const Programs&) = delete;

  /// visit: a program is at a point. turn_over: the program ended or gave way, begin_turn() is next. ended: all
  /// programs have. deadlocked: the remaining ones wait forever (LS901 is among the machine's findings). aborted: the
  /// launch reached a limit within an op (Launch has which); nothing continues from there.
  enum class Next : std::uint8_t { visit, turn_over, ended, deadlocked, aborted };

  /// Runs the op at the point where the current program stands.
  Next advance();
  /// The next program takes a turn.
  Next begin_turn();
  /// The program that begin_turn() would start, if no other is running and no later one has run already.
  std::optional<std::uint64_t> next_fresh() const;
  /// The number of the next turn.
  std::uint64_t next_turn() const { return mark_.turn + (has_begun_ ? 1 : 0); }
  /// Programs from next_fresh() up to `number`, exclusive, have run elsewhere, a turn each.
  void skip_to(std::uint64_t number);
  /// `number` takes a turn now; the current program continues later. Precondition: point(), and `number` is another
  /// program of the grid that has not ended.
  Next switch_to(std::uint64_t number);

  /// Null: no program is at a point.
  const Point* point() const { return point_; }
  /// Precondition: point().
  LiveProgram& current() const { return *current_; }
  Mark mark() const { return mark_; }
  const LiveProgram* find(std::uint64_t number) const;  // null: not started, or ended
  bool has_live(std::uint64_t number) const { return live_.contains(number); }
  /// The groups of warps of a live program and the operations in flight; null: the kernel has no such ops.
  const interpreter::BlockState* block(const LiveProgram& program) const {
    return interpreter::block_in(program.state.slots, block_);
  }
  /// The group of warps of the current program has begun and has not ended. Precondition: point().
  bool has_live_group(std::uint32_t group) const;
  const std::map<std::uint64_t, std::unique_ptr<LiveProgram>>& live() const { return live_; }
  bool has_started(std::uint64_t number) const { return order_.has_started(number); }
  bool has_ended(std::uint64_t number) const { return has_started(number) && !live_.contains(number); }
  std::uint64_t started_count() const { return launch_.programs() - order_.not_started(); }
  /// The current program's slot now holds something else.
  void note_edit() { current_->saved = nullptr; }

  struct Saved {
    Mark mark;
    const Point* point = nullptr;
    bool has_begun = false;
    std::uint64_t current = 0, memory_changes = 0;
    std::vector<std::shared_ptr<const SavedProgram>> programs;
    interpreter::Scheduler order;
  };
  Saved save();
  void restore(const Saved& saved);

 private:
  Next run_from(const interpreter::Step* step);
  Next leave(bool has_ended);
  void arrive(const Point& point);
  void note_group(LiveProgram& program) const;
  Next take_turn(std::uint64_t number);
  Next start(std::uint64_t number);
  bool gives_up();

  interpreter::SteppedLaunch& launch_;
  std::map<std::uint64_t, std::unique_ptr<LiveProgram>> live_;
  LiveProgram* current_ = nullptr;
  const Point* point_ = nullptr;
  Mark mark_;
  bool has_begun_ = false;
  interpreter::Scheduler order_;
  interpreter::Slot block_ = interpreter::kNoSlot;
};

}  // namespace lockstep::debugger
