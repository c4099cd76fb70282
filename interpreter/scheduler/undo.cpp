#include "interpreter/scheduler/undo.h"

#include <algorithm>
#include <cstring>
#include <new>

#include "interpreter/access/storage_copy.h"

namespace lockstep::interpreter {

namespace {

/// Slots without a lock: a child forked at any moment finds them in order.
std::array<std::atomic<char*>, UndoMemory::kSpare>& spare_blocks() {
  static std::array<std::atomic<char*>, UndoMemory::kSpare> blocks{};
  return blocks;
}

char* take_spare() {
  for (auto& slot : spare_blocks()) {
    if (char* block = slot.exchange(nullptr); block != nullptr) return block;
  }
  return new (std::nothrow) char[UndoMemory::kBlockBytes];
}

void leave_as_spare(char* block) {
  for (auto& slot : spare_blocks()) {
    char* none = nullptr;
    if (slot.compare_exchange_strong(none, block)) return;
  }
  delete[] block;
}

}  // namespace

// ---- memory ----

UndoMemory::~UndoMemory() {
  for (char* block : all_) leave_as_spare(block);
  budget_.give_back(all_.size() * kBlockBytes);
}

char* UndoMemory::take() {
  const std::lock_guard lock(mutex_);
  if (!free_.empty()) {
    char* block = free_.back();
    free_.pop_back();
    in_use_.fetch_add(kBlockBytes, std::memory_order_relaxed);
    return block;
  }
  all_.reserve(all_.size() + 1);
  if ((all_.size() + 1) * kBlockBytes > kMostBytes || !budget_.take(kBlockBytes)) throw NoRoomToUndo();
  char* block = take_spare();
  if (block == nullptr) {
    budget_.give_back(kBlockBytes);
    throw NoRoomToUndo();
  }
  all_.push_back(block);
  in_use_.fetch_add(kBlockBytes, std::memory_order_relaxed);
  return block;
}

void UndoMemory::give_back(std::vector<char*>& blocks) {
  if (blocks.empty()) return;
  const std::lock_guard lock(mutex_);
  in_use_.fetch_sub(blocks.size() * kBlockBytes, std::memory_order_relaxed);
  free_.insert(free_.end(), blocks.begin(), blocks.end());
  blocks.clear();
}

std::uint64_t UndoMemory::stamp() {
  // On every processor, saves stay before it and the following stores after it.
  const std::uint64_t stamp = clock_.fetch_add(1, std::memory_order_seq_cst) + 1;
#if !defined(__x86_64__)  // where the addition itself is such a fence
  std::atomic_thread_fence(std::memory_order_seq_cst);
#endif
  return stamp;
}

// ---- one chunk's log ----

void UndoLog::keep(std::uint64_t begin, std::uint64_t end) {
  Run& known = recent_[(begin >> 5 ^ begin >> 13) % recent_.size()];
  if (known.begin == begin && known.end == end) return;
  bytes_ += end - begin;
  for (std::uint64_t at = begin; at < end;) {
    if (left_ == 0) {
      blocks_.reserve(blocks_.size() + 1);
      blocks_.push_back(memory_.take());
      left_ = UndoMemory::kBlockBytes;
    }
    const std::uint64_t part = std::min(left_, end - at);
    char* to = blocks_.back() + (UndoMemory::kBlockBytes - left_);
    std::memcpy(to, bytes_at(at), part);
    left_ -= part;
    Entry* last = entries_.size() > sealed_ ? &entries_.back() : nullptr;
    if (last != nullptr && last->address + last->bytes == at && last->saved + last->bytes == to) {
      last->bytes += part;
    } else {
      entries_.push_back({at, part, 0, to});
    }
    at += part;
  }
  known = {begin, end};
}

void UndoLog::seal() {
  if (sealed_ == entries_.size()) return;
  const std::uint64_t stamp = memory_.stamp();
  for (; sealed_ < entries_.size(); ++sealed_) entries_[sealed_].stamp = stamp;
}

void put_back(const std::vector<const UndoLog*>& logs) {
  std::vector<UndoLog::Entry> entries;
  for (const UndoLog* log : logs) {
    entries.insert(entries.end(), log->entries_.begin(),
                   log->entries_.begin() + static_cast<std::ptrdiff_t>(log->sealed_));
  }
  // Of several saves of a byte, the one completed first is from before every store to it. Within a box, the first one.
  std::reverse(entries.begin(), entries.end());
  std::stable_sort(entries.begin(), entries.end(), [](const auto& a, const auto& b) { return a.stamp > b.stamp; });
  for (const auto& entry : entries) std::memcpy(bytes_at(entry.address), entry.saved, entry.bytes);
}

}  // namespace lockstep::interpreter
