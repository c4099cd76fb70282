// UndefinedBytes: which bytes of a launch's storages nobody has written yet: those of views that are marked as
// uninitialised and of no other view. Invariant: a byte is defined for good once it was written. It keeps one bit per
// byte for the pages that a launch touches, and nothing for others: storages may be larger than the machine's memory.
#pragma once

#include <bitset>
#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

#include "memory_model/view.h"

namespace lockstep::sanitizer {

class UndefinedBytes {
 public:
  UndefinedBytes() = default;
  explicit UndefinedBytes(const memory_model::AddressSpace& memory);

  bool is_empty() const { return ranges_.empty(); }
  /// Some byte of [address, address + bytes) is undefined.
  bool any(memory_model::Address address, std::int64_t bytes);
  void define(memory_model::Address address, std::int64_t bytes);

 private:
  static constexpr std::uint64_t kPage = 4096;
  using Page = std::bitset<kPage>;
  struct Range {
    memory_model::Extent extent;
    std::vector<memory_model::View> undefined, defined;              // views, as the launch began
    std::unordered_map<std::uint64_t, std::unique_ptr<Page>> pages;  // by number, from the extent's begin
  };
  Range* find(memory_model::Address address);
  static Page& page_of(Range& range, std::uint64_t number);
  /// Calls body(page, first, last) for the parts of [address, address + bytes); false ends it.
  template <typename Body>
  void for_each_part(memory_model::Address address, std::int64_t bytes, Body&& body);

  std::vector<Range> ranges_;  // by rising address
};

/// True if the storage has a view that is marked as uninitialised.
bool is_uninitialised(const memory_model::AddressSpace& memory, memory_model::StorageId storage);

}  // namespace lockstep::sanitizer
