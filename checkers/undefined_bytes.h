// UndefinedBytes: which bytes of a launch's storages nobody has written yet: those of views that are marked as
// uninitialised and of no other view. Invariant: a byte is defined for good once it was written. One bit a byte of
// such storages, nothing for others.
#pragma once

#include <cstdint>
#include <vector>

#include "memory_model/view.h"

namespace lockstep::checkers {

class UndefinedBytes {
 public:
  UndefinedBytes() = default;
  explicit UndefinedBytes(const memory_model::AddressSpace& memory);

  bool is_empty() const { return ranges_.empty(); }
  /// Some byte of [address, address + bytes) is undefined.
  bool any(memory_model::Address address, std::int64_t bytes) const;
  void define(memory_model::Address address, std::int64_t bytes);

 private:
  struct Range {
    memory_model::Extent extent;
    std::vector<bool> undefined;
  };
  const Range* find(memory_model::Address address) const;
  void set(const memory_model::View& view, bool is_undefined);

  std::vector<Range> ranges_;  // by rising address
};

/// True if the storage has a view that is marked as uninitialised.
bool is_uninitialised(const memory_model::AddressSpace& memory, memory_model::StorageId storage);

}  // namespace lockstep::checkers
