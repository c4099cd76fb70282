#include "interpreter/scheduler/worker_pool.h"

#include <pthread.h>
#include <signal.h>

#include <algorithm>
#include <atomic>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

namespace lockstep::interpreter {

namespace {

using Clock = std::chrono::steady_clock;

/// Waking a sleeping thread takes 50 us to 3 ms, a polling one 1 us. Between two launches of a library's function Python
/// takes 0.2 to 0.8 ms. After kBeforeYielding, a polling thread gives way to any other that could run.
constexpr std::chrono::microseconds kBeforeYielding{200}, kLookOut{1000};

void relax() {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  asm volatile("yield");
#endif
}

/// Polls until `is_true` or for a moment; returns whether it was.
template <typename Condition>
bool look_out(Condition&& is_true) {
  const auto begin = Clock::now();
  while (true) {
    for (int i = 0; i < 64; ++i) {
      if (is_true()) return true;
      relax();
    }
    const auto passed = Clock::now() - begin;
    if (passed >= kLookOut) return is_true();
    if (passed >= kBeforeYielding) std::this_thread::yield();
  }
}

/// Polling threads on a processor that others need only delay them.
bool has_idle_processors(unsigned threads) {
  static const unsigned processors = std::thread::hardware_concurrency();
  return threads < processors;
}

}  // namespace

class WorkerPool {
 public:
  static WorkerPool& instance();

  void offer(SharedWork& work, unsigned helpers);
  void withdraw(SharedWork& work);
  bool has_workers() const { return workers_made_.load(std::memory_order_relaxed); }
  bool wait_for(SharedWork& work, std::chrono::milliseconds time);

 private:
  static constexpr unsigned kMaxWorkers = 255;
  static std::atomic<WorkerPool*> current;
  friend class SharedWork;

  void add_workers(unsigned wanted);
  void live();
  void remove(SharedWork& work) {
    std::erase(offers_, &work);
    has_offers_.store(!offers_.empty(), std::memory_order_relaxed);
  }

  std::atomic<bool> workers_made_{false};
  std::mutex mutex_;
  std::condition_variable offered_;
  std::vector<SharedWork*> offers_;  // with open_ > 0, oldest first
  unsigned workers_ = 0, idle_ = 0, looking_ = 0;
  std::atomic<bool> has_offers_{false};  // of offers_, for those who look out
};

std::atomic<WorkerPool*> WorkerPool::current{nullptr};

/// Never destroyed: workers sleep in it while the process ends. After a fork, the child's copy has no threads and
/// perhaps a locked mutex, so the child forgets it.
WorkerPool& WorkerPool::instance() {
  if (WorkerPool* pool = current.load(std::memory_order_acquire)) return *pool;
  static const int registered = pthread_atfork(nullptr, nullptr, [] { current.store(nullptr); });
  static_cast<void>(registered);
  auto* made = new WorkerPool;
  WorkerPool* expected = nullptr;
  if (current.compare_exchange_strong(expected, made)) return *made;
  delete made;
  return *expected;
}

void WorkerPool::add_workers(unsigned wanted) {
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  workers_made_ = true;
  try {
    for (; workers_ < std::min(wanted, kMaxWorkers); ++workers_) std::thread([this] { live(); }).detach();
  } catch (const std::system_error&) {
    // The system gives no more threads: the existing ones do the work.
  }
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

void WorkerPool::offer(SharedWork& work, unsigned helpers) {
  if (helpers == 0) return;
  unsigned sleepers = 0;
  {
    const std::lock_guard lock(mutex_);
    offers_.push_back(&work);
    work.open_ = helpers;
    has_offers_.store(true, std::memory_order_relaxed);
    if (idle_ + looking_ < helpers) add_workers(workers_ + helpers - idle_ - looking_);
    sleepers = helpers > looking_ ? std::min(idle_, helpers - looking_) : 0;
  }
  for (unsigned i = 0; i < sleepers; ++i) offered_.notify_one();
}

void WorkerPool::withdraw(SharedWork& work) {
  const std::lock_guard lock(mutex_);
  if (work.open_ != 0) remove(work);
  work.open_ = 0;
}

bool WorkerPool::wait_for(SharedWork& work, std::chrono::milliseconds time) {
  const auto is_done = [&] { return work.active_.load(std::memory_order_acquire) == 0; };
  if (has_idle_processors(1)) look_out(is_done);
  std::unique_lock lock(mutex_);  // also where it is done: who ended it may still hold the lock
  return work.done_.wait_for(lock, time, is_done);
}

void WorkerPool::live() {
  std::unique_lock lock(mutex_);
  bool has_worked = false;
  while (true) {
    if (offers_.empty() && has_worked && has_idle_processors(workers_ - idle_)) {
      has_worked = false;
      ++looking_;
      lock.unlock();
      look_out([this] { return has_offers_.load(std::memory_order_relaxed); });
      lock.lock();
      --looking_;
      continue;
    }
    if (offers_.empty()) {
      ++idle_;
      offered_.wait(lock);
      --idle_;
      continue;
    }
    SharedWork& work = *offers_.front();
    has_worked = true;
    ++work.active_;
    if (--work.open_ == 0) remove(work);
    lock.unlock();
    work.run_(work.context_);
    lock.lock();
    if (--work.active_ == 0) work.done_.notify_all();  // under the lock: the waiter may destroy it afterwards
  }
}

SharedWork::~SharedWork() {
  withdraw();
  while (!wait_for(std::chrono::milliseconds(1000))) {
  }
}

bool SharedWork::helpers_are_there() {
  const WorkerPool* pool = WorkerPool::current.load(std::memory_order_acquire);
  return pool != nullptr && pool->has_workers();
}
void SharedWork::offer(unsigned helpers) { WorkerPool::instance().offer(*this, helpers); }
void SharedWork::withdraw() { WorkerPool::instance().withdraw(*this); }
bool SharedWork::wait_for(std::chrono::milliseconds time) { return WorkerPool::instance().wait_for(*this, time); }

}  // namespace lockstep::interpreter
