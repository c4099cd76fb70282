// AccessLanes: which bytes a load, store or atomic is about to touch, lane by lane or as a rectangle, for code that
// watches a launch with steps of its own (instrumentation_pass.h): plain pointers, block pointers, descriptors, rows of
// descriptors. Invariant: only lanes that the access path will admit are on. Not here: touching memory, findings.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "interpreter/access/block.h"
#include "interpreter/access/bounds.h"
#include "interpreter/access/memory_op.h"

namespace lockstep::interpreter {

/// How to find the lanes of a block access.
struct BlockLookup {
  BlockShape shape;
  std::uint32_t checked = 0;
  std::vector<Slot> index;  // of descriptors
  bool pads_nan = false, is_descriptor = false;
};
/// nullopt: the op is a plain access, or an access to rows.
std::optional<BlockLookup> plan_block_lookup(PlanBuilder& builder, const ir::Op& op);
/// Addresses (affine) and mask (a box) of all lanes.
BlockLanes find_block_lanes(Machine& machine, const Tile& record, const TileType& type, const BlockLookup& block);

/// How to find a memory op's lanes.
struct LaneLookup {
  TouchKind kind = TouchKind::load;
  Slot pointer = kNoSlot, mask = kNoSlot;
  const TileType* pointer_type = nullptr;
  const TileType* mask_type = nullptr;
  std::vector<std::int64_t> shape;  // of the lanes
  int bytes = 4;                    // of an element
  std::optional<BlockLookup> block;
  // Of descriptor_gather and descriptor_scatter:
  Slot rows = kNoSlot, column = kNoSlot;
  const TileType* row_type = nullptr;
};
/// Before the op is planned; its operands are. nullopt: it touches no memory, or (diagnosed) cannot be planned.
std::optional<LaneLookup> plan_lanes(PlanBuilder& builder, const ir::Op& op);

class AccessLanes {
 public:
  /// Of the access that the program is about to make.
  AccessLanes(Machine& machine, const LaneLookup& lookup);

  TouchKind kind() const { return lookup_.kind; }
  /// View that the pointers were derived from; -1: unknown.
  std::int32_t provenance() const { return provenance_; }
  /// Of an element.
  int bytes() const { return lookup_.bytes; }
  const std::vector<std::int64_t>& shape() const { return lookup_.shape; }
  /// All lanes, on or off.
  std::int64_t count() const { return count_; }
  /// Lanes that will touch memory.
  std::int64_t active() const { return active_; }
  /// All active lanes as one strided box of the tile; null: they do not form one.
  const AddressBox* box() const { return is_box_ ? &box_ : nullptr; }
  /// Row-major lane numbers.
  std::uint64_t address(std::int64_t lane) {
    expand();
    return addresses_[static_cast<std::size_t>(lane)];
  }
  bool is_on(std::int64_t lane) {
    expand();
    return on_[static_cast<std::size_t>(lane)] != 0;
  }
  /// Calls body(address, bytes) for runs of adjacent bytes, in no particular order.
  template <typename Body>
  void for_each_run(Body&& body) {
    if (is_box_) {
      for_each_address_run(box_, bytes(), [&](std::uint64_t address, std::int64_t run) {
        body(address, run);
        return true;
      });
      return;
    }
    for (std::int64_t i = 0; i < count_;) {
      if (on_[static_cast<std::size_t>(i)] == 0) {
        ++i;
        continue;
      }
      const std::uint64_t begin = addresses_[static_cast<std::size_t>(i)];
      std::uint64_t end = begin;
      for (; i < count_ && on_[static_cast<std::size_t>(i)] != 0 && addresses_[static_cast<std::size_t>(i)] == end; ++i)
        end += static_cast<std::uint64_t>(bytes());
      body(begin, static_cast<std::int64_t>(end - begin));
    }
  }

 private:
  void find(const Tile& pointer, const TileType& type, const Tile* mask, const TileType* mask_type);
  void find_rows();
  void admit();
  void expand();
  void take(const Tile& pointer, const TileType& type, const Tile* mask, const TileType* mask_type);

  Machine& machine_;
  const LaneLookup& lookup_;
  std::int32_t provenance_ = -1;
  std::int64_t count_ = 1, active_ = 0;
  bool is_box_ = false, is_expanded_ = false;
  AddressBox box_{};
  std::vector<std::uint64_t> addresses_;
  std::vector<std::uint8_t> on_;
};

}  // namespace lockstep::interpreter
