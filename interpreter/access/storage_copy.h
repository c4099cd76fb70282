// Copies of storages from before a launch, to restore them: for rollback, and for running programs again in order.
// Invariant: restore() restores exactly the bytes that take() saw. The copies count as scratch of the launch. Only the
// touched pages of large storages that the address space allocated are copied: the others are zeros.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <memory>
#include <vector>

#include "interpreter/tile/buffer_pool.h"
#include "memory_model/view.h"

namespace lockstep::interpreter {

/// The launch's memory at an address that the memory model has admitted.
char* bytes_at(memory_model::Address address);

class StorageCopy {
 public:
  explicit StorageCopy(MemoryBudget& budget) : budget_(budget) {}
  ~StorageCopy();
  StorageCopy(const StorageCopy&) = delete;
  StorageCopy& operator=(const StorageCopy&) = delete;

  /// False: the launch's limit or the machine's memory is too small; nothing is kept.
  /// `threads`: at most so many copy.
  bool take(const memory_model::AddressSpace& memory, const std::vector<memory_model::StorageId>& storages,
            unsigned threads = 1);
  void restore() const;
  /// The bytes that take() saw there. False: the bytes are not all in one taken storage.
  bool read(memory_model::Address address, std::size_t bytes, char* out) const;

 private:
  struct Copy {
    memory_model::Extent extent;
    std::unique_ptr<char[], void (*)(void*)> bytes{nullptr, std::free};
  };
  /// Storages with only some ranges in copies_, because the others were zeros.
  std::vector<memory_model::Extent> sparse_;
  MemoryBudget& budget_;
  std::uint64_t taken_ = 0;  // of the budget
  std::vector<Copy> copies_;
};

}  // namespace lockstep::interpreter
