// Control: how the thread that reads requests stops a run of the other thread. Invariant: it repeats an interruption
// (tick) until the run has ended, so that one that comes just as the run begins is not lost. Whoever begins a run
// checks the queue first.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>

namespace lockstep::debugger::dap {

/// Why a run was interrupted; a later one in this list overrides an earlier one.
enum class Interruption : std::uint8_t {
  none,
  poke,   // a request has come that is answered in between; it goes on then
  pause,  // the person wants to look
  leave,  // the launch is not wanted any more (disconnect, terminate, restart)
};

class Control {
 public:
  /// A run begins. `pause` is called from the other thread. `may_be_poked`: the run can continue after a poke.
  /// `request`: the run computes its answer; nullopt: it is answered already.
  void begin(std::function<void()> pause, bool may_be_poked, std::optional<std::int64_t> request = {});
  /// The run has ended; returns why it was interrupted, if it was.
  Interruption end();

  /// False: there is no run, or it cannot be interrupted so. A pause is kept for the run of a request that is still to
  /// be answered.
  bool interrupt(Interruption why);
  /// The client withdrew this request: pauses the run that computes its answer, now or when it begins.
  void cancel(std::int64_t request);
  /// A request waits for its answer; its answer was sent (or withdrawn).
  void expect();
  void settle();
  /// Asks again. Called now and then by the thread that reads.
  void tick();

  /// Without such a thread: pokes runs after this time, if they may be poked.
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
