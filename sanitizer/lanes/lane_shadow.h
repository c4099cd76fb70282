// LaneShadow: which lanes of one program touched which bytes last. A cell has as many bytes as the kernel's smallest
// element; accesses have numbers in their order, and each has the number of barriers before it. Invariant: accesses
// before the last barrier are forgotten. Not here: what is a hazard.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

#include "sanitizer/core/execution.h"
#include "sanitizer/lanes/lane_facts.h"
#include "sanitizer/memory/lane_boxes.h"

namespace lockstep::sanitizer {

/// The thread of a lane, as far as the model tells: its row-major number in a tile of a shape. Two lanes with the same
/// number and shape are one thread; leading dimensions of one element do not change a shape.
using LaneIdentity = std::uint64_t;
inline constexpr LaneIdentity kEveryThread = ~LaneIdentity{0};

/// One execution of a memory op.
struct ShadowAccess {
  const LaneAccess* op = nullptr;
  Location location;
  std::vector<std::int64_t> shape;
  std::vector<std::int64_t> thread_shape;                      // what identities are told by
  std::uint32_t epoch = 0;                                     // barriers before it
  std::vector<std::pair<const ir::Op*, std::uint64_t>> loops;  // around it, with a number that every iteration changes
};

struct ShadowSide {
  std::uint32_t access = 0;  // 0: none
  LaneIdentity who = 0;
};

struct ShadowCell {
  ShadowSide store;
  std::array<ShadowSide, 2> loads;  // two different lanes, where there are two
};

class LaneShadow {
 public:
  explicit LaneShadow(std::uint64_t cell_bytes) : cell_bytes_(cell_bytes), accesses_(1) {}

  /// Forgets everything touched before.
  void pass_barrier() {
    ++epoch_;
    boxes_.clear();
    has_cells_ = false;
  }
  /// Accesses since the last barrier that the cells do not have yet; null: the cells have all.
  LaneBoxes* boxes() { return has_cells_ ? nullptr : &boxes_; }
  /// From now until the next barrier, cells record all accesses.
  void use_cells();
  /// Begins an access and returns its number.
  std::uint32_t begin(const LaneAccess& op, Execution& run);
  const ShadowAccess& access(std::uint32_t number) const { return accesses_[number]; }
  /// Whether a side refers to an access that no barrier has closed.
  bool is_open(const ShadowSide& side) const { return side.access != 0 && accesses_[side.access].epoch == epoch_; }
  /// `number`: address / cell size.
  ShadowCell& cell(std::uint64_t number);
  /// A lane that loads it.
  void note_load(ShadowCell& cell, std::uint32_t access, LaneIdentity who) const;
  LaneIdentity identity(const ShadowAccess& access, std::int64_t lane);
  /// Tile stores since the last barrier.
  const std::vector<std::uint32_t>& open_stores();
  void note_store(std::uint32_t access) { stores_.push_back(access); }

 private:
  void replay(const LaneBox& access);

  static constexpr std::uint64_t kCells = 512;  // of a page
  using Page = std::array<ShadowCell, kCells>;

  const std::uint64_t cell_bytes_;
  LaneBoxes boxes_;
  bool has_cells_ = false;
  std::uint32_t epoch_ = 1;
  std::vector<ShadowAccess> accesses_;
  std::unordered_map<std::uint64_t, std::unique_ptr<Page>> pages_;
  std::uint64_t last_page_ = ~std::uint64_t{0};
  Page* page_ = nullptr;
  std::vector<std::vector<std::int64_t>> shapes_;
  std::vector<std::uint32_t> stores_;
  struct LoopClock {
    std::int64_t induction = 0;
    std::uint64_t iteration = 0;
  };
  std::unordered_map<const ir::Op*, LoopClock> clocks_;
};

/// How many iterations of `loop` lie between the two; 0: the same iteration, or not both in the loop.
std::uint64_t iterations_between(const ShadowAccess& first, const ShadowAccess& second, const ir::Op& loop);
/// True if they belong to different iterations of a loop around both.
bool is_carried(const ShadowAccess& first, const ShadowAccess& second);

}  // namespace lockstep::sanitizer
