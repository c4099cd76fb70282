#include "interpreter/scheduler/commit.h"

#include <algorithm>
#include <chrono>

#include "interpreter/launch/machine.h"

namespace lockstep::interpreter {

namespace {

/// Beyond this, no chunk begins while others run that may make older ones final.
constexpr std::uint64_t kManyBytes = UndoMemory::kMostBytes / 4;
constexpr auto kCommitWait = std::chrono::milliseconds(20);

}  // namespace

ChunkRecord* CommitQueue::begin(const std::function<bool()>& poll) {
  std::unique_lock lock(mutex_);
  const auto may_go = [&] { return running_.empty() || memory_.in_use() < kManyBytes || lost_; };
  while (!ended_some_.wait_for(lock, kCommitWait, may_go)) {
    lock.unlock();
    if (!poll()) return nullptr;
    lock.lock();
  }
  if (!has_more()) return nullptr;
  auto made = std::make_unique<ChunkRecord>(memory_);
  ChunkRecord& record = *made;
  record.chunk = static_cast<std::uint32_t>(next_.load());
  record.begun = ++event_;
  running_.emplace(record.chunk, std::move(made));
  ++next_;
  return &record;
}

void CommitQueue::end(ChunkRecord& record, Machine& machine) {
  record.log = machine.log.take();
  if (machine.log_overflow) lose();
  record.touched = machine.kept.take();
  record.has_lost_touched = std::exchange(machine.kept_overflow, false);
  record.bytes_read = std::exchange(machine.bytes_read, 0);
  record.bytes_written = std::exchange(machine.bytes_written, 0);
  record.bytes_streamed = std::exchange(machine.bytes_streamed, 0);
  record.findings = std::exchange(machine.findings, {});
  record.finished = std::exchange(machine.finished, {});
  sort_log(record.log);
  {
    const std::lock_guard lock(mutex_);
    record.ended = ++event_;
    if (!lost_) check(record);
    ended_.insert(running_.extract(record.chunk));
    if (!lost_) make_final();
  }
  ended_some_.notify_all();
}

/// Against ended chunks that ran at the same time; later ones will check this one.
void CommitQueue::check(const ChunkRecord& record) {
  for (const auto& [chunk, other] : ended_) {
    if (other->ended > record.begun && logs_overlap(record.log, other->log)) return lose();
  }
}

void CommitQueue::make_final() {
  const std::uint64_t open = running_.empty() ? UINT64_MAX : running_.begin()->second->begun;
  while (!ended_.empty() && ended_.begin()->first == next_final_ && ended_.begin()->second->ended < open) {
    take_in_(*ended_.begin()->second);
    ended_.erase(ended_.begin());
    ++next_final_;
  }
}

void CommitQueue::undo() {
  std::vector<const UndoLog*> logs;
  for_each_open([&logs](const ChunkRecord& record) { logs.push_back(&record.undo); });
  put_back(logs);
}

}  // namespace lockstep::interpreter
