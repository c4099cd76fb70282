#include "interpreter/evaluators/dot_cache.h"

#include <atomic>

namespace lockstep::interpreter {

namespace {
std::atomic<std::uint64_t> all_found{0}, all_kept{0};
}  // namespace

OperandCounts operand_counts() { return {all_found.load(), all_kept.load()}; }

OperandCache::~OperandCache() {
  all_found += found_;
  all_kept += kept_;
}

bool Reuse::is_promising() {
  constexpr std::uint32_t kWindow = 128, kPause = 2048, kFewest = 8;  // of so many, one must come back
  if (pause > 0) {
    --pause;
    return false;
  }
  if (found + missed < kWindow) return true;
  if (found * kFewest < found + missed) pause = kPause;
  found = missed = 0;
  return pause == 0;
}

std::size_t OperandCache::set_of(const Key& key) {
  const auto mixed = (reinterpret_cast<std::uint64_t>(key.data) ^ static_cast<std::uint64_t>(key.row_stride) << 40) *
                     0x9e3779b97f4a7c15u;
  return (mixed >> 48) % kSets;
}

const OperandCache::Entry* OperandCache::find(const Key& key) {
  const Entry* set = &entries_[set_of(key) * kWays];
  for (std::size_t way = 0; way < kWays; ++way) {
    if (set[way].prepared != nullptr && set[way].key == key) {
      ++found_;
      return &set[way];
    }
  }
  return nullptr;
}

void OperandCache::drop(Machine& machine, Entry& entry) {
  if (entry.prepared == nullptr) return;
  bytes_ -= entry.bytes;
  machine.pool.release(entry.prepared);
  if (entry.source != nullptr) machine.pool.release(entry.source);
  entry = Entry{};
}

void OperandCache::insert(Machine& machine, const Key& key, const kernels::PreparedOperand& operand, Buffer* prepared,
                          Buffer* source, std::int64_t bytes) {
  // A stride that visits every entry once, in an order unrelated to that of the operands: if more operands come around
  // than fit, some are still found.
  constexpr std::size_t kStride = 101;
  while (bytes_ + bytes > budget_) {
    victim_ = (victim_ + kStride) % entries_.size();
    drop(machine, entries_[victim_]);
  }
  Entry* set = &entries_[set_of(key) * kWays];
  Entry* place = &set[victim_ % kWays];
  for (std::size_t way = 0; way < kWays; ++way) {
    if (set[way].prepared == nullptr) place = &set[way];
  }
  drop(machine, *place);
  ++victim_;
  if (source != nullptr) ++source->references;
  *place = Entry{key, operand, prepared, source, bytes};
  bytes_ += bytes;
  ++kept_;
}

OpenSum& OperandCache::open_sum(Slot slot) {
  for (OpenSum& sum : sums_)
    if (sum.slot == slot) return sum;
  sums_.emplace_back().slot = slot;
  return sums_.back();
}

OperandCache& operand_cache_of(Machine& machine) {
  if (machine.operands == nullptr)
    machine.operands = std::make_shared<OperandCache>(machine.plan->tuning.operand_cache_bytes);
  return *machine.operands;
}

}  // namespace lockstep::interpreter
