#include "interpreter/grid.h"

#include <algorithm>
#include <condition_variable>
#include <cstring>
#include <exception>
#include <map>
#include <mutex>
#include <system_error>
#include <thread>

#include "interpreter/storage_copy.h"

namespace lockstep::interpreter {

using Clock = std::chrono::steady_clock;

namespace {
constexpr auto kPollInterval = std::chrono::milliseconds(20);
}

// ---- machine ----

void Machine::run() {
  status = Status::running;
  const Step* step = program->next;
  while (step != nullptr) step = step->run(*this, step);
}

bool Machine::poll_slowly() {
  poll_budget = 16;
  if (launch.stop != nullptr && launch.stop->load(std::memory_order_relaxed)) {
    launch.interrupted = true;
    launch.abort = true;
  }
  if (launch.deadline != Clock::time_point::max() && Clock::now() >= launch.deadline) {
    launch.timed_out = true;
    launch.abort = true;
  }
  if (launch.max_steps != 0 && program != nullptr && program->steps > launch.max_steps) {
    launch.timed_out = true;
    launch.abort = true;
  }
  if (on_poll && !on_poll()) {
    launch.interrupted = true;
    launch.abort = true;
  }
  if (!launch.abort.load(std::memory_order_relaxed)) return true;
  status = Status::stopped;
  return false;
}

// ---- float atomics in program order ----

/// Logs of finished chunks that wait for the chunks before them.
struct Grid::Deliveries {
  std::mutex mutex;
  std::condition_variable turn;
  std::uint32_t next = 0;
  std::size_t waiting_bytes = 0;
  std::map<std::uint32_t, FloatLog> finished;
  static constexpr std::size_t kMaxWaitingBytes = std::size_t{1} << 26;
};

void Grid::deliver(Machine& machine, std::uint32_t chunk) {
  Deliveries& d = *deliveries_;
  std::unique_lock lock(d.mutex);
  // A long backlog waits here; the chunk that everybody waits for never does, so this ends.
  // The time-out is for a launch that is aborted by a worker that will never deliver.
  const auto may_go = [&] {
    return chunk == d.next || d.waiting_bytes < Deliveries::kMaxWaitingBytes || launch_.abort.load();
  };
  while (!d.turn.wait_for(lock, std::chrono::milliseconds(50), may_go)) {
  }
  d.waiting_bytes += machine.float_log.bytes.size();
  d.finished.emplace(chunk, std::move(machine.float_log));
  machine.float_log = {};
  while (!d.finished.empty() && d.finished.begin()->first == d.next) {
    const FloatLog& log = d.finished.begin()->second;
    apply_float_log(log);
    d.waiting_bytes -= log.bytes.size();
    d.finished.erase(d.finished.begin());
    ++d.next;
  }
  d.turn.notify_all();
}

// ---- programs ----

Grid::Grid(Launch& launch, unsigned threads, const std::function<void(const Progress&)>& progress)
    : launch_(launch),
      threads_(std::max(1u, threads)),
      progress_(progress),
      started_(Clock::now()),
      last_progress_(started_) {
  const std::uint64_t programs = program_count();
  threads_ = static_cast<unsigned>(std::min<std::uint64_t>(threads_, std::max<std::uint64_t>(programs, 1)));
  chunk_size_ = std::clamp<std::uint64_t>(programs / (threads_ * 8u), 1, 64);
  deliveries_ = std::make_shared<Deliveries>();
}

std::uint64_t Grid::program_count() const {
  return static_cast<std::uint64_t>(launch_.grid[0]) * static_cast<std::uint64_t>(launch_.grid[1]) *
         static_cast<std::uint64_t>(launch_.grid[2]);
}

std::array<std::int32_t, 3> Grid::id_of(std::uint64_t number) const {
  const auto x = static_cast<std::uint64_t>(launch_.grid[0]), y = static_cast<std::uint64_t>(launch_.grid[1]);
  return {static_cast<std::int32_t>(number % x), static_cast<std::int32_t>(number / x % y),
          static_cast<std::int32_t>(number / x / y)};
}

std::unique_ptr<ProgramState> Grid::make_state(Machine& machine) {
  auto made = std::make_unique<ProgramState>();
  made->slots.resize(launch_.plan->slot_types.size());
  for (const auto& [slot, tile] : launch_.plan->constants) made->slots[slot] = tile;
  for (std::size_t i = 0; i < launch_.arguments.size(); ++i)
    made->slots[launch_.plan->arguments[i]] = launch_.arguments[i];
  made->next = launch_.plan->prologue;
  machine.program = made.get();
  machine.slots = made->slots.data();
  machine.run();
  return made;
}

void Grid::start(ProgramState& program, std::uint64_t number) const {
  program.number = number;
  program.id = id_of(number);
  program.next = launch_.plan->entry;
  program.observed = program.last_observed = program.carried = program.back_edges = program.steps = 0;
  program.clock = 0;
  program.changed_memory = true;
  program.is_stuck = program.is_faulted = false;
  program.waiting_at = nullptr;
  program.polling = nullptr;
}

bool Grid::call_back() {
  const auto time = Clock::now();
  if (time - last_poll_ < kPollInterval) return true;
  last_poll_ = time;
  report_progress(false);
  return !*launch_.poll || (*launch_.poll)();
}

void Grid::watch(Machine& machine) {
  if (progress_ || *launch_.poll) machine.on_poll = [this] { return call_back(); };
}

void Grid::report_progress(bool now) {
  const auto time = Clock::now();
  if (!progress_ || (!now && time - last_progress_ < std::chrono::milliseconds(200))) return;
  last_progress_ = time;
  progress_({done_.load(), program_count(), std::chrono::duration<double>(time - started_).count()});
}

void Grid::run_chunk(Machine& machine, ProgramState& program, std::uint64_t first, std::uint64_t last) {
  for (std::uint64_t number = first; number < last; ++number) {
    if (!machine.poll()) return;
    start(program, number);
    machine.run();
    if (machine.status != Status::done) return;
    machine.note_end(program);
    done_.fetch_add(1, std::memory_order_relaxed);
  }
}

void Grid::work(Machine& machine, bool is_caller) {
  if (is_caller) watch(machine);
  const auto program = make_state(machine);
  machine.defer_float_atomics = threads_ > 1;
  const std::uint64_t programs = program_count();
  while (!launch_.abort.load(std::memory_order_relaxed)) {
    const std::uint64_t chunk = next_chunk_.fetch_add(1);
    const std::uint64_t first = chunk * chunk_size_;
    if (first >= programs) break;
    machine.chunk = static_cast<std::uint32_t>(chunk);
    run_chunk(machine, *program, first, std::min(programs, first + chunk_size_));
    if (machine.defer_float_atomics) deliver(machine, machine.chunk);
  }
  machine.program = nullptr;
}

void Grid::collect(Machine& machine) {
  bytes_read_ += machine.bytes_read;
  bytes_written_ += machine.bytes_written;
  findings_.merge(std::move(machine.findings));
  finished_.insert(finished_.end(), machine.finished.begin(), machine.finished.end());
  log_.insert(log_.end(), machine.log.begin(), machine.log.end());
  log_overflow_ = log_overflow_ || machine.log_overflow;
}

namespace {

/// What may leave a worker: running out of memory ends the launch, a defect of ours is rethrown to the caller.
template <typename Body>
void guard(Launch& launch, std::exception_ptr& defect, std::mutex& mutex, Body&& body) {
  try {
    body();
  } catch (const std::bad_alloc&) {
    launch.out_of_memory = true;
    launch.abort = true;
  } catch (...) {
    const std::lock_guard lock(mutex);
    defect = std::current_exception();
    launch.abort = true;
  }
}

/// The furthest end among ranges seen so far, and that among those of other chunks than the furthest one's.
struct Furthest {
  std::uint64_t end = 0, other_end = 0;
  std::uint32_t chunk = 0;

  bool reaches(const LoggedRange& range) const { return (range.chunk == chunk ? other_end : end) > range.begin; }
  void add(const LoggedRange& range) {
    if (range.chunk == chunk) {
      end = std::max(end, range.end);
    } else if (range.end > end) {
      other_end = end;
      end = range.end;
      chunk = range.chunk;
    } else {
      other_end = std::max(other_end, range.end);
    }
  }
};

}  // namespace

bool Grid::programs_overlapped() {
  if (log_overflow_) return true;
  const auto by_begin = [](const LoggedRange& a, const LoggedRange& b) { return a.begin < b.begin; };
  if (!std::is_sorted(log_.begin(), log_.end(), by_begin)) std::sort(log_.begin(), log_.end(), by_begin);
  Furthest writes, reads;
  for (const LoggedRange& range : log_) {
    if (writes.reaches(range) || (range.is_write && reads.reaches(range))) return true;
    (range.is_write ? writes : reads).add(range);
  }
  return false;
}

bool Grid::run_in_parallel(const std::vector<memory_model::StorageId>& snapshot) {
  StorageCopy before(launch_.budget);
  if (!before.take(*launch_.memory, snapshot)) return false;  // in order nothing is run twice
  std::exception_ptr defect;
  std::mutex mutex;
  std::vector<std::unique_ptr<Machine>> machines;
  for (unsigned i = 0; i < threads_; ++i) machines.push_back(std::make_unique<Machine>(launch_));
  std::atomic<unsigned> running{0};
  std::vector<std::thread> threads;
  try {
    for (unsigned i = 1; i < threads_; ++i) {
      running.fetch_add(1);
      threads.emplace_back([&, i] {
        guard(launch_, defect, mutex, [&] { work(*machines[i], false); });
        running.fetch_sub(1);
      });
    }
  } catch (const std::system_error&) {
    running.fetch_sub(1);  // the system gives no more threads: those that are there do the work
  }
  guard(launch_, defect, mutex, [&] { work(*machines[0], true); });
  while (machines[0]->on_poll && running.load() != 0) {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
    machines[0]->poll_slowly();
  }
  for (std::thread& thread : threads) thread.join();
  if (defect) std::rethrow_exception(defect);
  for (auto& machine : machines) collect(*machine);
  if (launch_.abort || !programs_overlapped()) return true;
  before.restore();
  findings_ = {};
  finished_.clear();
  bytes_read_ = bytes_written_ = 0;
  done_ = 0;
  log_.clear();
  return false;
}

namespace {

std::vector<ProgramRange> join_ranges(std::vector<ProgramRange> ranges) {
  std::sort(ranges.begin(), ranges.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  std::size_t kept = 0;
  for (const ProgramRange& range : ranges) {
    if (kept != 0 && ranges[kept - 1].last + 1 == range.first) {
      ranges[kept - 1].last = range.last;
    } else {
      ranges[kept++] = range;
    }
  }
  ranges.resize(kept);
  return ranges;
}

}  // namespace

void Grid::fill(LaunchReport& report) {
  report.programs_total = program_count();
  report.programs_run = done_.load();
  report.bytes_read = bytes_read_;
  report.bytes_written = bytes_written_;
  report.scratch_bytes = launch_.budget.used.load();
  report.threads = launch_.is_ordered ? 1 : threads_;
  findings_.sort();
  report.findings = std::move(findings_);
  report.finished = join_ranges(std::move(finished_));
  report.outcome = launch_.out_of_memory ? Outcome::out_of_memory
                   : launch_.interrupted ? Outcome::interrupted
                   : launch_.timed_out   ? Outcome::timed_out
                   : deadlocked_         ? Outcome::deadlocked
                                         : Outcome::completed;
  report.seconds = std::chrono::duration<double>(Clock::now() - started_).count();
  if (progress_) report_progress(true);
}

}  // namespace lockstep::interpreter
