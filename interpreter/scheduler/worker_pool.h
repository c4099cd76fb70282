// The threads that run programs besides the calling one. They are made on demand, sleep without work (after polling for
// a moment, because launches often follow each other) and live until the process ends; a launch offers them work and
// withdraws the offer when its own thread has finished, so that it never waits for a thread that has not begun.
// Invariants: no worker begins after withdraw(); none touches the work after wait_for() returned true. Safe from
// several threads at once; a forked child starts with no workers. They block all signals, which stay with the program's
// own threads.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>

namespace lockstep::interpreter {

/// Work for several threads: they all call `run(context)`, which must not throw.
class SharedWork {
 public:
  SharedWork(void (*run)(void*), void* context) : run_(run), context_(context) {}
  /// Withdraws the offer and waits.
  ~SharedWork();
  SharedWork(const SharedWork&) = delete;
  SharedWork& operator=(const SharedWork&) = delete;

  /// Asks up to `helpers` workers to join in; returns at once. Fewer come if the system gives no more threads.
  void offer(unsigned helpers);
  /// Whether some workers sleep already: then an offer need not make a thread, which takes the calling thread some 50
  /// us.
  static bool helpers_are_there();
  /// From now on, no worker begins.
  void withdraw();
  /// Waits until all workers that began have ended, at most this long; true if they have.
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
