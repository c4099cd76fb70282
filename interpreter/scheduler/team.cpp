#include "interpreter/scheduler/team.h"

#include <algorithm>

#include "interpreter/access/atomic.h"
#include "interpreter/kernels/kernels.h"
#include "interpreter/scheduler/worker_pool.h"

namespace lockstep::interpreter {

namespace {

constexpr auto kWait = std::chrono::milliseconds(20);
constexpr std::size_t kMaxWaitingBytes = std::size_t{1} << 26;
/// Stores of a chunk of programs that work in place: its undo log stays in the second-level cache.
constexpr double kUndoBytes = 1 << 18;
constexpr std::uint64_t kMaxChunk = 64, kChunksPerThread = 8;

}  // namespace

Team::Team(ProgramRunner& runner, LaunchTotals& totals, std::uint64_t first_unit, unsigned threads)
    : runner_(runner),
      totals_(totals),
      launch_(runner.launch()),
      first_unit_(first_unit),
      left_(runner.units() - first_unit),
      threads_(threads) {
  const std::uint64_t most = std::max<std::uint64_t>(kMaxChunk / launch_.batch_programs, 1);
  chunk_size_ = std::clamp<std::uint64_t>(left_ / (threads * kChunksPerThread), 1, most);
  if (!launch_.undoes) return;
  if (const double bytes = launch_.bytes_per_program; bytes > 0) {
    const auto fitting = static_cast<std::uint64_t>(std::min(kUndoBytes / bytes, static_cast<double>(kMaxChunk)));
    chunk_size_ = std::clamp<std::uint64_t>(fitting, 1, chunk_size_);
  }
  commits_.emplace(launch_.budget, (left_ + chunk_size_ - 1) / chunk_size_, [&totals](ChunkRecord& chunk) {
    totals.collect(chunk);
    totals.keep_touched(std::move(chunk.touched), chunk.has_lost_touched);
  });
}

/// Where chunks are large, the last units go in smaller ones, so that nobody waits long for the last one.
std::uint64_t Team::first_of(std::uint64_t chunk) const {
  constexpr std::uint64_t kLarge = 16, kParts = 8;
  const std::uint64_t last_ones = std::min(left_, 2 * threads_ * chunk_size_);
  const std::uint64_t whole = (left_ - last_ones) / chunk_size_;
  const std::uint64_t part = chunk_size_ / (chunk_size_ < kLarge ? 1 : kParts);
  return chunk <= whole ? chunk * chunk_size_ : std::min(left_, whole * chunk_size_ + (chunk - whole) * part);
}

template <typename Body>
void Team::guard(Body&& body) {
  try {
    body();
  } catch (const MemoryLimitReached&) {
    // Others' undo memory may have taken what this worker needs; in order, the launch needs less.
    if (commits_) {
      commits_->lose();
    } else {
      launch_.out_of_memory = launch_.abort = true;
    }
  } catch (const std::bad_alloc&) {
    launch_.out_of_memory = true;
    launch_.abort = true;
  } catch (...) {
    const std::lock_guard lock(mutex_);
    if (!defect_) defect_ = std::current_exception();
    launch_.abort = true;
  }
}

void Team::join(void* context) {
  auto& team = *static_cast<Team*>(context);
  team.guard([&team] {
    if (team.commits_ ? !team.commits_->has_more() : team.first_of(team.next_chunk_.load()) >= team.left_) return;
    auto made = std::make_unique<Worker>(team.launch_);
    Worker& worker = *made;
    {
      const std::lock_guard lock(team.mutex_);
      team.workers_.push_back(std::move(made));
    }
    team.runner_.prepare(worker.machine, worker.program);
    team.work(worker);
  });
  kernels::finish_streams();
}

void Team::run(Worker& caller) {
  caller_ = &caller;
  SharedWork shared(&Team::join, this);
  const std::uint64_t chunks = (left_ + chunk_size_ - 1) / chunk_size_;
  shared.offer(static_cast<unsigned>(std::min<std::uint64_t>(threads_, chunks)) - 1);
  guard([&] { work(caller); });
  shared.withdraw();
  guard([&] {
    while (!shared.wait_for(kWait)) caller.machine.poll_slowly();
  });
  while (!shared.wait_for(kWait)) {
  }
  if (defect_) std::rethrow_exception(defect_);
}

void Team::work(Worker& worker) {
  Machine& machine = worker.machine;
  machine.is_beside_others = true;
  if (commits_) return work_in_place(worker);
  while (!launch_.abort.load(std::memory_order_relaxed)) {
    const std::uint64_t chunk = next_chunk_.fetch_add(1);
    const std::uint64_t first = first_of(chunk), last = first_of(chunk + 1);
    if (first >= left_) break;
    machine.chunk = static_cast<std::uint32_t>(chunk);
    for (std::uint64_t i = first; i < last && runner_.run_unit(worker, first_unit_ + i); ++i) {
    }
    if (launch_.logs_updates) deliver(machine, machine.chunk);
  }
  machine.program = nullptr;
}

void Team::work_in_place(Worker& worker) {
  Machine& machine = worker.machine;
  while (!launch_.abort.load(std::memory_order_relaxed)) {
    ChunkRecord* record = commits_->begin([&machine] { return machine.poll_slowly(); });
    if (record == nullptr) break;
    machine.chunk = record->chunk;
    machine.undo = &record->undo;
    const std::uint64_t first = record->chunk * chunk_size_, last = std::min(left_, first + chunk_size_);
    for (std::uint64_t i = first; i < last && runner_.run_unit(worker, first_unit_ + i); ++i) {
    }
    machine.undo = nullptr;
    commits_->end(*record, machine);
  }
  machine.program = nullptr;
}

void Team::deliver(Machine& machine, std::uint32_t chunk) {
  std::unique_lock lock(delivery_mutex_);
  // A long backlog waits here; the chunk that everybody waits for never does, so this ends.
  // The time-out is for a launch that is aborted by a worker that will never deliver, and for the callbacks.
  const auto may_go = [&] {
    return chunk == next_delivery_ || waiting_bytes_ < kMaxWaitingBytes || launch_.abort.load();
  };
  while (!turn_.wait_for(lock, kWait, may_go)) {
    lock.unlock();
    machine.poll_slowly();
    lock.lock();
  }
  waiting_bytes_ += machine.float_log.bytes.size();
  finished_.emplace(chunk, std::move(machine.float_log));
  machine.float_log = {};
  while (!finished_.empty() && finished_.begin()->first == next_delivery_) {
    const FloatLog& log = finished_.begin()->second;
    apply_float_log(log);
    waiting_bytes_ -= log.bytes.size();
    finished_.erase(finished_.begin());
    ++next_delivery_;
  }
  turn_.notify_all();
}

std::uint64_t Team::take_back() {
  if (!commits_) return 0;
  commits_->undo();
  return commits_->first_open() * chunk_size_;
}

void Team::collect_open() {
  if (commits_) commits_->for_each_open([this](ChunkRecord& chunk) { totals_.collect(chunk); });
}

bool Team::programs_overlapped() {
  if (commits_) return commits_->is_lost();
  std::vector<LoggedRange> log;
  std::vector<LoggedRows> rows;
  bool is_lost = false;
  for_each([&](Machine& machine) {
    log.insert(log.end(), machine.log.entries().begin(), machine.log.entries().end());
    rows.insert(rows.end(), machine.row_log.entries().begin(), machine.row_log.entries().end());
    is_lost = is_lost || machine.log_overflow;
  });
  return is_lost || chunks_overlap(log, rows);
}

}  // namespace lockstep::interpreter
