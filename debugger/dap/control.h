// Control: how the thread that reads requests stops a run that the other one makes. Invariant: an interruption is asked
// for again (tick) until the run has ended, so that one which comes while the run only begins is not lost. What the
// queue holds when a run begins is for who begins it to look at.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>

namespace lockstep::debugger::dap {

/// Why a run was interrupted; a later one in this list outdoes an earlier one.
enum class Interruption : std::uint8_t {
  none,
  poke,   // a request has come that is answered in between; it goes on then
  pause,  // the person wants to look
  leave,  // the launch is not wanted any more (disconnect, terminate, restart)
};

class Control {
 public:
  /// A run begins. `pause` is called from the other thread. `may_be_poked`: the run can go on after a poke. `request`:
  /// its answer is what is worked out; nullopt: it has been answered.
  void begin(std::function<void()> pause, bool may_be_poked, std::optional<std::int64_t> request = {});
  /// It has ended; why it was interrupted, if it was.
  Interruption end();

  /// False: nothing runs, or a run cannot be interrupted so. A pause is kept for a run that requests which are still to
  /// be answered may make.
  bool interrupt(Interruption why);
  /// Nobody wants the answer of this request any more: pauses the run that works it out, now or when it begins.
  void cancel(std::int64_t request);
  /// A request waits for its answer; it has been answered (or withdrawn).
  void expect();
  void settle();
  /// Asks again. Called now and then by the thread that reads.
  void tick();

  /// There is no such thread: runs that may be poked are poked when they have taken this long.
  void make_slices(std::chrono::milliseconds slice) { slice_ = slice; }
  bool makes_slices() const { return slice_.count() != 0; }
  /// Called now and then by the run itself.
  void look_at_clock();

 private:
  std::mutex mutex_;
  std::function<void()> pause_;  // empty: nothing runs
  bool may_be_poked_ = false;
  std::optional<std::int64_t> request_, cancelled_;
  std::size_t expected_ = 0;  // requests without their answer
  Interruption wanted_ = Interruption::none;
  std::chrono::milliseconds slice_{0};  // 0: none
  std::chrono::steady_clock::time_point begun_;
};

}  // namespace lockstep::debugger::dap
