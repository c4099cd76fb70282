#include "interpreter/storage_copy.h"

#include <cstring>
#include <new>

#include "memory_model/touched.h"

namespace lockstep::interpreter {

using memory_model::Extent;

namespace {

/// Below, asking for the touched pages and for the machine's memory costs more than it can save.
constexpr std::uint64_t kLarge = std::uint64_t{64} << 20;

}  // namespace

char* bytes_at(memory_model::Address address) {
  return reinterpret_cast<char*>(address);  // NOLINT(performance-no-int-to-ptr)
}

bool StorageCopy::take(const memory_model::AddressSpace& memory, const std::vector<memory_model::StorageId>& storages) {
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
    Copy& copy = copies_.emplace_back(Copy{range, {}});
    copy.bytes.reset(new (std::nothrow) char[range.bytes()]);
    if (copy.bytes == nullptr) {
      copies_.clear();
      sparse_.clear();
      budget_.give_back(total);
      return false;
    }
    std::memcpy(copy.bytes.get(), bytes_at(range.begin), range.bytes());
  }
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

}  // namespace lockstep::interpreter
