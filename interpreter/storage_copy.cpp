#include "interpreter/storage_copy.h"

#include <cstring>
#include <new>

namespace lockstep::interpreter {

bool StorageCopy::take(const memory_model::AddressSpace& memory, const std::vector<memory_model::StorageId>& storages) {
  std::uint64_t total = 0;
  for (const auto id : storages) total += memory.storage(id).extent.bytes();
  if (total == 0) return true;
  if (budget_.used.fetch_add(total) + total > budget_.limit && budget_.limit != 0) {
    budget_.used.fetch_sub(total);
    return false;
  }
  for (const auto id : storages) {
    const memory_model::Extent extent = memory.storage(id).extent;
    Copy& copy = copies_.emplace_back(Copy{extent, {}});
    copy.bytes.reset(new (std::nothrow) char[extent.bytes()]);
    if (copy.bytes == nullptr) {
      copies_.clear();
      budget_.used.fetch_sub(total);
      return false;
    }
    std::memcpy(copy.bytes.get(), reinterpret_cast<const char*>(extent.begin), extent.bytes());
  }
  return true;
}

void StorageCopy::restore() const {
  for (const Copy& copy : copies_)
    std::memcpy(reinterpret_cast<char*>(copy.extent.begin), copy.bytes.get(), copy.extent.bytes());
}

}  // namespace lockstep::interpreter
