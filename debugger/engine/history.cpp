#include "debugger/engine/history.h"

#include <algorithm>
#include <cstring>
#include <unordered_set>

namespace lockstep::debugger {

namespace {

constexpr std::uint64_t kFirstDistance = 64;  // visits; doubles whenever there are too many checkpoints
constexpr std::size_t kMostCheckpoints = 256;

/// Bytes of the tiles of a saved program whose buffers are not in `seen` yet, and of its slots.
std::uint64_t saved_bytes(const SavedProgram& saved, std::unordered_set<const interpreter::Buffer*>& seen) {
  const auto& slots = saved.program().state.slots;
  std::uint64_t bytes = sizeof(LiveProgram) + slots.size() * sizeof(interpreter::Tile);
  for (const interpreter::Tile& tile : slots) {
    if (tile.buffer != nullptr && seen.insert(tile.buffer).second) bytes += std::uint64_t{1} << tile.buffer->size_class;
  }
  return bytes;
}

}  // namespace

// ---- what was overwritten ----

void MemoryLog::keep(std::uint64_t address, std::int64_t bytes) {
  const auto count = static_cast<std::uint64_t>(bytes);
  entries_.push_back({address, count});
  const char* from = interpreter::bytes_at(address);
  saved_.insert(saved_.end(), from, from + count);
}

void MemoryLog::keep_places_of(const MemoryLog& other) {
  for (const Entry& entry : other.entries_) keep(entry.address, static_cast<std::int64_t>(entry.bytes));
}

void MemoryLog::put_back() const {
  std::size_t end = saved_.size();
  for (std::size_t i = entries_.size(); i-- > 0;) {
    end -= entries_[i].bytes;
    std::memcpy(interpreter::bytes_at(entries_[i].address), saved_.data() + end, entries_[i].bytes);
  }
}

void MemoryLog::read_before(std::uint64_t address, std::size_t bytes, char* out) const {
  std::size_t end = saved_.size();
  for (std::size_t i = entries_.size(); i-- > 0;) {
    const Entry& entry = entries_[i];
    end -= entry.bytes;
    const std::uint64_t first = std::max(entry.address, address);
    const std::uint64_t last = std::min(entry.address + entry.bytes, address + bytes);
    if (first < last) std::memcpy(out + (first - address), saved_.data() + end + (first - entry.address), last - first);
  }
}

void MemoryLog::append(const MemoryLog& later) {
  entries_.insert(entries_.end(), later.entries_.begin(), later.entries_.end());
  saved_.insert(saved_.end(), later.saved_.begin(), later.saved_.end());
}

// ---- checkpoints ----

History::History(interpreter::SteppedLaunch& launch, Programs& programs, std::uint64_t limit_bytes,
                 std::uint64_t distance)
    : launch_(launch),
      programs_(programs),
      limit_(limit_bytes),
      fixed_distance_(distance),
      distance_(distance == 0 ? kFirstDistance : distance),
      base_(budget_) {
  budget_.limit = limit_bytes;
}

bool History::begin(const memory_model::AddressSpace& memory) {
  if (!base_.take(memory, launch_.written())) return false;
  base_bytes_ = most_bytes_ = budget_.used.load();
  start_ = programs_.save();
  add_checkpoint();
  return true;
}

/// A log without other owners.
MemoryLog& History::own(std::shared_ptr<MemoryLog>& log) {
  if (log.use_count() != 1) log = std::make_shared<MemoryLog>(*log);
  return *log;
}

void History::note_write(interpreter::AccessLanes& lanes) {
  MemoryLog& log = open_log();
  lanes.for_each_run([&](std::uint64_t address, std::int64_t bytes) { log.keep(address, bytes); });
}

void History::keep_present() {
  constexpr std::uint64_t kLogsInLimit = 8;  // a checkpoint's own log is at most this part of it
  if (++since_ >= distance_ || checkpoints_.back().log->bytes() > limit_ / kLogsInLimit) add_checkpoint();
}

void History::add_checkpoint() {
  since_ = 0;
  if (!checkpoints_.empty()) old_log_bytes_ += checkpoints_.back().log->bytes();
  checkpoints_.push_back({programs_.save(), std::make_shared<MemoryLog>(), true});
  std::unordered_set<const interpreter::Buffer*> seen;
  if (checkpoints_.size() > 1) {
    for (const auto& saved : checkpoints_[checkpoints_.size() - 2].programs.programs) saved_bytes(*saved, seen);
  }
  const auto& before = checkpoints_.size() > 1 ? checkpoints_[checkpoints_.size() - 2].programs.programs
                                               : std::vector<std::shared_ptr<const SavedProgram>>{};
  for (const auto& saved : checkpoints_.back().programs.programs) {
    if (std::find(before.begin(), before.end(), saved) == before.end()) held_bytes_ += saved_bytes(*saved, seen);
  }
  if (fixed_distance_ == 0 && checkpoints_.size() > kMostCheckpoints) {
    thin_out();
    distance_ *= 2;
  }
  if (bytes() > limit_) make_room();
  most_bytes_ = std::max(most_bytes_, bytes());
}

/// Drops every second one; its log moves to the one before.
void History::thin_out() {
  std::vector<Checkpoint> kept;
  for (std::size_t i = 0; i < checkpoints_.size(); ++i) {
    const bool is_last = i + 1 == checkpoints_.size();
    if (i % 2 == 0 || is_last) {
      kept.push_back(std::move(checkpoints_[i]));
      continue;
    }
    Checkpoint& before = kept.back();
    own(before.log).append(*checkpoints_[i].log);
    before.is_logged = before.is_logged && checkpoints_[i].is_logged;
  }
  checkpoints_ = std::move(kept);
  held_bytes_ = count_held();
  old_log_bytes_ = 0;
  for (std::size_t i = 0; i + 1 < checkpoints_.size(); ++i) old_log_bytes_ += checkpoints_[i].log->bytes();
}

/// Drops checkpoints; if that is not enough, all but the present: then going back starts at the beginning.
void History::make_room() {
  while (bytes() > limit_ && checkpoints_.size() > 2) {
    const std::uint64_t before = bytes();
    thin_out();
    distance_ *= 2;
    if (bytes() > limit_ && bytes() > before / 8 * 7) break;
  }
  if (bytes() <= limit_) return;
  checkpoints_.erase(checkpoints_.begin(), checkpoints_.end() - 1);
  held_bytes_ = count_held();
  old_log_bytes_ = 0;
}

std::uint64_t History::count_held() const {
  std::unordered_set<const interpreter::Buffer*> seen;
  std::unordered_set<const SavedProgram*> programs;
  std::uint64_t bytes = 0;
  for (const Checkpoint& checkpoint : checkpoints_) {
    for (const auto& saved : checkpoint.programs.programs) {
      if (programs.insert(saved.get()).second) bytes += saved_bytes(*saved, seen);
    }
  }
  return bytes;
}

std::uint64_t History::log_bytes() const {
  return old_log_bytes_ + (checkpoints_.empty() ? 0 : checkpoints_.back().log->bytes());
}

// ---- back ----

/// Index of the earliest checkpoint that logs lead back to.
std::size_t History::first_reachable() const {
  std::size_t first = checkpoints_.size();
  while (first > 0 && checkpoints_[first - 1].is_logged) --first;
  return first;
}

bool History::reaches(Mark from, Mark to) const {
  for (std::size_t i = first_reachable(); i < checkpoints_.size(); ++i) {
    if (from <= checkpoints_[i].programs.mark && checkpoints_[i].programs.mark < to) return true;
  }
  return false;
}

void History::back_to(Mark mark) {
  const std::size_t first = first_reachable();
  std::size_t at = checkpoints_.size();
  while (at > first && checkpoints_[at - 1].programs.mark > mark) --at;
  if (at == first) return back_to_start();
  for (std::size_t i = checkpoints_.size(); i-- > at - 1;) checkpoints_[i].log->put_back();
  checkpoints_.resize(at);
  checkpoints_.back().log = std::make_shared<MemoryLog>();
  programs_.restore(checkpoints_.back().programs);
  since_ = 0;
  held_bytes_ = count_held();
  old_log_bytes_ = 0;
  for (std::size_t i = 0; i + 1 < checkpoints_.size(); ++i) old_log_bytes_ += checkpoints_[i].log->bytes();
}

void History::back_to_start() {
  base_.restore();
  checkpoints_.clear();
  held_bytes_ = old_log_bytes_ = 0;
  programs_.restore(start_);
  add_checkpoint();
}

// ---- the present ----

std::unique_ptr<History::Present> History::keep_all(const memory_model::AddressSpace& memory) {
  if (bytes() >= limit_) return nullptr;
  auto present = std::make_unique<Present>();
  present->budget.limit = limit_ - bytes();
  if (!present->memory.take(memory, launch_.written())) return nullptr;
  present->programs = programs_.save();
  present->checkpoints = checkpoints_;
  present->distance = distance_;
  present->since = since_;
  present->held_bytes = held_bytes_;
  present->old_log_bytes = old_log_bytes_;
  kept_bytes_ = present->budget.used.load() + held_bytes_ + log_bytes();
  add_checkpoint();  // which makes room
  if (bytes() <= limit_) return present;
  put_back(std::move(present));
  return nullptr;
}

void History::put_back(std::unique_ptr<Present> present) {
  present->memory.restore();
  programs_.restore(present->programs);
  checkpoints_ = std::move(present->checkpoints);
  distance_ = present->distance;
  since_ = present->since;
  held_bytes_ = present->held_bytes;
  old_log_bytes_ = present->old_log_bytes;
  drop(std::move(present));
}

void History::drop(std::unique_ptr<Present> present) {
  kept_bytes_ = 0;
  present.reset();
}

}  // namespace lockstep::debugger
