// The threads that run programs beside the calling one. They are made when first needed, sleep when there is nothing to
// do (after looking out for more for a moment, as launches often follow each other) and live until the process ends; a
// launch offers them work and takes the offer back when its own thread is through, so that it never waits for a thread
// that has not begun. Invariants: nobody begins after withdraw(); the work is not touched after wait_for() said true.
// Safe from several threads at once; a forked child starts with no workers. They block all signals, which stay with the
// program's own threads.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>

namespace lockstep::interpreter {

/// Work for several threads: they all call `run(context)`, which must not throw.
class SharedWork {
 public:
  SharedWork(void (*run)(void*), void* context) : run_(run), context_(context) {}
  /// Takes the offer back and waits.
  ~SharedWork();
  SharedWork(const SharedWork&) = delete;
  SharedWork& operator=(const SharedWork&) = delete;

  /// Asks up to `helpers` workers to join in; returns at once. Fewer come when the system gives no more threads.
  void offer(unsigned helpers);
  /// Some workers sleep already: an offer need not make a thread first, which takes the calling thread some 50 us.
  static bool helpers_are_there();
  /// From now on nobody begins.
  void withdraw();
  /// Waits until all who began have ended, at most this long; true if they have.
  bool wait_for(std::chrono::milliseconds time);

 private:
  friend class WorkerPool;
  void (*run_)(void*);
  void* context_;
  unsigned open_ = 0;  // under the pool's lock, as are changes of the next
  std::atomic<unsigned> active_{0};
  std::condition_variable done_;
};

}  // namespace lockstep::interpreter
