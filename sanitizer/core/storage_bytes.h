// The bytes of storages at one moment of a check, for comparing and restoring. Invariant: put_back() restores exactly
// the bytes of that moment. Not here: rollback of launches, whose memory counts as scratch
// (interpreter/access/storage_copy.h).
#pragma once

#include <cstdint>
#include <cstring>
#include <memory>
#include <vector>

#include "interpreter/access/storage_copy.h"

namespace lockstep::sanitizer {

class StorageBytes {
 public:
  StorageBytes(const memory_model::AddressSpace& memory, const std::vector<memory_model::StorageId>& storages)
      : storages_(storages) {
    parts_.reserve(storages.size());
    for (const memory_model::StorageId id : storages) {
      const memory_model::Extent& extent = memory.storage(id).extent;
      parts_.push_back({extent, std::make_unique<char[]>(extent.bytes())});
      std::memcpy(parts_.back().bytes.get(), interpreter::bytes_at(extent.begin), extent.bytes());
    }
  }
  const std::vector<memory_model::StorageId>& storages() const { return storages_; }
  void put_back() const {
    for (const Part& part : parts_)
      std::memcpy(interpreter::bytes_at(part.extent.begin), part.bytes.get(), part.extent.bytes());
  }
  /// Null: not among them.
  const char* at(std::uint64_t address) const {
    for (const Part& part : parts_) {
      if (address >= part.extent.begin && address < part.extent.end)
        return part.bytes.get() + (address - part.extent.begin);
    }
    return nullptr;
  }
  /// The storages hold the same bytes as then.
  bool is_unchanged() const {
    for (const Part& part : parts_) {
      if (std::memcmp(interpreter::bytes_at(part.extent.begin), part.bytes.get(), part.extent.bytes()) != 0)
        return false;
    }
    return true;
  }

 private:
  struct Part {
    memory_model::Extent extent;
    std::unique_ptr<char[]> bytes;
  };
  std::vector<memory_model::StorageId> storages_;
  std::vector<Part> parts_;
};

}  // namespace lockstep::sanitizer
