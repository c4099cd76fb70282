#include "interpreter/access/storage_copy.h"

#ifdef __linux__
#include <sys/mman.h>
#endif

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstring>

#include "interpreter/scheduler/worker_pool.h"
#include "memory_model/touched.h"

namespace lockstep::interpreter {

using memory_model::Extent;

char* bytes_at(memory_model::Address address) {
  return reinterpret_cast<char*>(address);  // NOLINT(performance-no-int-to-ptr)
}

namespace {

/// Below this size, asking for the touched pages and the machine's memory costs more than it saves.
constexpr std::uint64_t kLarge = std::uint64_t{64} << 20;

constexpr std::uint64_t kHugePage = std::uint64_t{1} << 21;

/// Null: there is no memory. Large blocks come in huge pages, which are made several times as fast.
char* allocate(std::uint64_t bytes) {
  if (bytes < 2 * kHugePage) return static_cast<char*>(std::malloc(std::max<std::uint64_t>(bytes, 1)));
  const std::uint64_t whole = (bytes + kHugePage - 1) / kHugePage * kHugePage;
  void* made = std::aligned_alloc(kHugePage, whole);
#ifdef __linux__
  if (made != nullptr) madvise(made, whole, MADV_HUGEPAGE);
#endif
  return static_cast<char*>(made);
}

/// Copies of storages, made by several threads in parts.
class Copying {
 public:
  void add(char* to, const Extent& from) {
    for (std::uint64_t done = 0; done < from.bytes(); done += kHugePage)
      parts_.push_back({to + done, {from.begin + done, std::min(from.end, from.begin + done + kHugePage)}});
  }
  void run_on(unsigned threads) {
    if (threads <= 1 || parts_.size() <= 1) return run(this);
    SharedWork shared(&run, this);
    shared.offer(static_cast<unsigned>(std::min<std::size_t>(threads, parts_.size())) - 1);
    run(this);
    shared.withdraw();
    while (!shared.wait_for(std::chrono::milliseconds(20))) {
    }
  }

 private:
  struct Part {
    char* to = nullptr;
    Extent from;
  };
  static void run(void* context) {
    auto& work = *static_cast<Copying*>(context);
    while (true) {
      const std::size_t i = work.next_.fetch_add(1, std::memory_order_relaxed);
      if (i >= work.parts_.size()) return;
      std::memcpy(work.parts_[i].to, bytes_at(work.parts_[i].from.begin), work.parts_[i].from.bytes());
    }
  }

  std::vector<Part> parts_;
  std::atomic<std::size_t> next_{0};
};

}  // namespace

bool StorageCopy::take(const memory_model::AddressSpace& memory, const std::vector<memory_model::StorageId>& storages,
                       unsigned threads) {
  std::vector<Extent> ranges;
  std::uint64_t total = 0;
  for (const auto id : storages) {
    const memory_model::Storage& storage = memory.storage(id);
    std::optional<std::vector<Extent>> touched;
    if (storage.is_owned && storage.extent.bytes() >= kLarge) touched = memory_model::touched_ranges(storage.extent);
    if (touched) sparse_.push_back(storage.extent);
    if (!touched) touched.emplace({storage.extent});
    for (const Extent& range : *touched) total += range.bytes();
    ranges.insert(ranges.end(), touched->begin(), touched->end());
  }
  if (total == 0) return true;
  const bool is_too_much =
      total >= kLarge && memory_model::available_memory() != 0 && total > memory_model::available_memory();
  if (is_too_much || !budget_.take(total)) {
    sparse_.clear();
    return false;
  }
  for (const Extent& range : ranges) {
    Copy& copy = copies_.emplace_back(Copy{range});
    copy.bytes.reset(allocate(range.bytes()));
    if (copy.bytes == nullptr) {
      copies_.clear();
      sparse_.clear();
      budget_.give_back(total);
      return false;
    }
  }
  Copying work;
  for (const Copy& copy : copies_) work.add(copy.bytes.get(), copy.extent);
  work.run_on(threads);
  taken_ += total;
  return true;
}

StorageCopy::~StorageCopy() { budget_.give_back(taken_); }

void StorageCopy::restore() const {
  for (const Extent& storage : sparse_) {
    for (const Extent& range : memory_model::touched_ranges(storage).value_or(std::vector<Extent>{storage}))
      std::memset(bytes_at(range.begin), 0, range.bytes());
  }
  for (const Copy& copy : copies_) std::memcpy(bytes_at(copy.extent.begin), copy.bytes.get(), copy.extent.bytes());
}

bool StorageCopy::read(memory_model::Address address, std::size_t bytes, char* out) const {
  const Extent wanted{address, address + bytes};
  bool is_taken = false;
  for (const Extent& storage : sparse_) {
    if (!storage.contains(wanted)) continue;
    std::memset(out, 0, bytes);
    is_taken = true;
  }
  for (const Copy& copy : copies_) {
    const memory_model::Address begin = std::max(copy.extent.begin, wanted.begin);
    const memory_model::Address end = std::min(copy.extent.end, wanted.end);
    if (begin >= end) continue;
    std::memcpy(out + (begin - wanted.begin), copy.bytes.get() + (begin - copy.extent.begin), end - begin);
    is_taken = is_taken || copy.extent.contains(wanted);
  }
  return is_taken;
}

}  // namespace lockstep::interpreter
