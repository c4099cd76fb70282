#include "interpreter/access/storage_copy.h"

#ifdef __linux__
#include <sys/mman.h>
#endif

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <new>

#include "interpreter/kernels/kernels.h"
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

/// Copies of so many bytes go past the caches, which they would empty.
constexpr std::uint64_t kStreamed = std::uint64_t{16} << 20;

// ---- memory for copies ----

/// Large blocks stay with the process for the next copy, so many bytes of them: the pages of fresh memory take longer
/// than the copy, many times as long where memory is short of huge pages. The system may take them when it needs them.
constexpr std::uint64_t kMostSpareBytes = std::uint64_t{1} << 28;
constexpr std::size_t kSpareCopies = 4;

/// A large block begins with its size and has the copy one line later.
struct CopyBlock {
  static constexpr std::uint64_t kHead = 64;

  std::uint64_t bytes;

  char* data() { return reinterpret_cast<char*>(this) + kHead; }
  static CopyBlock* of(void* data) { return reinterpret_cast<CopyBlock*>(static_cast<char*>(data) - kHead); }
};

/// Slots without a lock: a child forked at any moment finds them in order.
std::array<std::atomic<CopyBlock*>, kSpareCopies>& spare_copies() {
  static std::array<std::atomic<CopyBlock*>, kSpareCopies> blocks{};
  return blocks;
}
std::atomic<std::uint64_t> g_spare_bytes{0};

bool put_into_slot(CopyBlock* block) {
  for (auto& slot : spare_copies()) {
    CopyBlock* none = nullptr;
    if (slot.compare_exchange_strong(none, block)) return true;
  }
  return false;
}

void drop(CopyBlock* block) {
  g_spare_bytes.fetch_sub(block->bytes);
  std::free(block);
}

/// One of at least `bytes`, and of not more than twice as many. Null: there is none.
CopyBlock* take_spare_copy(std::uint64_t bytes) {
  for (auto& slot : spare_copies()) {
    CopyBlock* block = slot.exchange(nullptr);
    if (block == nullptr) continue;
    if (block->bytes >= bytes && block->bytes <= 2 * bytes) {
      g_spare_bytes.fetch_sub(block->bytes);
      return block;
    }
    if (!put_into_slot(block)) drop(block);
  }
  return nullptr;
}

/// False: it must be freed.
bool keep_spare_copy(CopyBlock* block) {
  const std::uint64_t bytes = block->bytes;
  if (g_spare_bytes.fetch_add(bytes) + bytes <= kMostSpareBytes && put_into_slot(block)) return true;
  g_spare_bytes.fetch_sub(bytes);
  return false;
}

void leave_block(void* data) {
  CopyBlock* block = CopyBlock::of(data);
#if defined(__linux__) && defined(MADV_FREE)
  madvise(reinterpret_cast<char*>(block) + kHugePage, block->bytes - kHugePage, MADV_FREE);
  if (keep_spare_copy(block)) return;
  for (auto& slot : spare_copies()) {  // of other sizes, perhaps: what is used now is worth more
    if (CopyBlock* other = slot.exchange(nullptr); other != nullptr) drop(other);
  }
  if (keep_spare_copy(block)) return;
#endif
  std::free(block);
}

using CopyBytes = std::unique_ptr<char[], void (*)(void*)>;

/// Null: there is no memory. Large blocks come in huge pages, which are made several times as fast.
CopyBytes allocate(std::uint64_t bytes) {
  if (bytes < 2 * kHugePage)
    return CopyBytes(static_cast<char*>(std::malloc(std::max<std::uint64_t>(bytes, 1))), std::free);
  const std::uint64_t whole = (bytes + CopyBlock::kHead + kHugePage - 1) / kHugePage * kHugePage;
  CopyBlock* block = take_spare_copy(whole);
  if (block == nullptr) {
    void* made = std::aligned_alloc(kHugePage, whole);
    if (made == nullptr) return CopyBytes(nullptr, std::free);
#ifdef __linux__
    madvise(made, whole, MADV_HUGEPAGE);
#endif
    block = new (made) CopyBlock{whole};
  }
  return CopyBytes(block->data(), leave_block);
}

/// Copies of storages, made by several threads in parts.
class Copying {
 public:
  void add(char* to, const Extent& from) {
    for (std::uint64_t done = 0; done < from.bytes(); done += kHugePage)
      parts_.push_back({to + done, {from.begin + done, std::min(from.end, from.begin + done + kHugePage)}});
    bytes_ += from.bytes();
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
      if (i >= work.parts_.size()) break;
      const Part& part = work.parts_[i];
      if (work.bytes_ >= kStreamed) {
        kernels::stream(part.to, bytes_at(part.from.begin), static_cast<std::int64_t>(part.from.bytes()));
      } else {
        std::memcpy(part.to, bytes_at(part.from.begin), part.from.bytes());
      }
    }
    if (work.bytes_ >= kStreamed) kernels::finish_streams();
  }

  std::vector<Part> parts_;
  std::uint64_t bytes_ = 0;
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
    copy.bytes = allocate(range.bytes());
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
