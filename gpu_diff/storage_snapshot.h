// StorageSnapshot: the bytes of every storage of a launch, taken out and put back, so that one launch can be made twice
// from the same memory. Invariant: as long as the address space gets no storage and loses none, a snapshot fits it.
// Cost: a copy of all storages. Not here: views, devices. Units: bytes.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "memory_model/view.h"

namespace lockstep::gpu_diff {

class StorageSnapshot {
 public:
  explicit StorageSnapshot(const memory_model::AddressSpace& memory);
  /// Restores the memory as it was when this was taken.
  void restore() const;
  /// Exchanges the contents of the memory and this.
  void exchange();
  /// For storage `i` of the lookup table.
  const std::string& bytes(std::size_t i) const { return copies_[i]; }

 private:
  const memory_model::AddressSpace& memory_;
  std::vector<std::string> copies_;
};

/// Bytes outside of every view's elements that differ between memory and a snapshot.
struct StrayBytes {
  std::string storage;       // its name
  std::int64_t offset = 0;   // of the first of them, from the storage's first byte; outside of it where it was overrun
  std::uint64_t count = 0;   // how many there are
  std::string text() const;  // "x: 12 bytes that no tensor holds were changed, the first 4096 bytes after its start"
};
/// One entry for each storage with such bytes.
std::vector<StrayBytes> stray_bytes(const memory_model::AddressSpace& memory, const StorageSnapshot& other);

}  // namespace lockstep::gpu_diff
