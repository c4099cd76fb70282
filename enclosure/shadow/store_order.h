// StoreOrder: which thread of a program stored each element last. Two stores of one program on the same bytes are in
// order if one thread makes both, or a barrier (gpu.barrier, ttg.barrier) is between them; else either number may stay
// on a GPU. A thread means an element of a tile of one shape: layouts of equal shapes count as equal. Invariant: of one
// program, since its last barrier. Not here: loads between stores, atomics. Private to the room.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <utility>
#include <vector>

#include "ir/module.h"

namespace lockstep::enclosure {

class StoreOrder {
 public:
  using Shape = std::vector<std::int64_t>;

  /// Notes a store of elements of `bytes` (a power of two) by a tile of this shape; returns by lane where another
  /// thread stored before. Conflicts between lanes of this store do not count, nor do lanes that are not `is_on`.
  std::vector<bool> note(const Shape& shape, int bytes, const std::vector<std::uint64_t>& addresses,
                         const std::vector<bool>& is_on);
  /// All threads of the program have stored.
  void wait() { pages_.clear(); }
  /// The last noted store overwrote an element that a store of the program had written, without a barrier in between.
  bool has_stored_again() const { return has_stored_again_; }

 private:
  static constexpr std::uint64_t kPageBytes = 256;
  /// The thread of the last store there.
  struct Cell {
    std::int32_t shape = -1;  // index into shapes_; -1: nobody
    std::int32_t lane = -1;   // kSeveral: nobody is that lane
  };
  static constexpr std::int32_t kSeveral = -2;
  struct Page {
    std::uint64_t unit = 0;  // bytes of a cell
    std::vector<Cell> cells;
  };
  /// The cells of an element; a page's cells become as small as the smallest element stored there.
  std::pair<Cell*, Cell*> cells_of(std::uint64_t address, std::uint64_t bytes);

  std::unordered_map<std::uint64_t, Page> pages_;
  std::vector<Shape> shapes_;
  bool has_stored_again_ = false;
};

/// False: every store op of the module runs at most once in a program, and there is no second one.
bool may_store_twice(const ir::Module& module);

}  // namespace lockstep::enclosure
