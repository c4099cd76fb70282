// Blocks: how a block pointer or a tensor descriptor (block_record.h) becomes addresses. An access turns the record
// into an affine tile of addresses and a box mask, which the paths of load_store.h and atomic.h take. Invariant: an
// address is computed for every element, but none outside the mask is accessed. Rules S-60 to S-63.
#pragma once

#include <cstdint>
#include <vector>

#include "interpreter/access/block_record.h"
#include "interpreter/access/bounds.h"

namespace lockstep::interpreter {

class PlanBuilder;

/// The slots of an operand group that holds one scalar for each of `rank` dimensions. False: diagnosed.
bool dimension_slots(PlanBuilder& builder, const ir::Op& op, std::size_t group, std::size_t rank,
                     std::vector<Slot>& out);
/// A scalar integer, sign-extended.
std::int64_t signed_value(const Machine& machine, Slot slot);

/// The operands of a record: base, then a group of scalars each for shape, strides and, for block pointers, offsets.
struct BlockSlots {
  Slot base = kNoSlot;
  std::vector<Slot> shape, stride, offset;
};
/// The groups; the base is left to the caller. `has_offsets`: operand group 3 holds them. False: diagnosed.
bool plan_block_slots(PlanBuilder& builder, const ir::Op& op, std::size_t rank, bool has_offsets, BlockSlots& out);
/// The operands' values; no padding, no faults.
BlockRecord record_of(const Machine& machine, const BlockSlots& slots);

/// How a block's elements map to a tile: made once a plan.
struct BlockShape {
  Access access;                    // pointer and value: of the tile that is moved
  const TileType* tile = nullptr;   // what the op gives or takes; has the elements of access.value in row-major order
  std::vector<std::int64_t> block;  // extents
  /// For each dimension of access.value the block's dimension, or -1 (extent 1). Block dimensions that none names have
  /// extent 1.
  std::vector<int> dimension;
};
/// False: diagnosed. `block`: tensor type of the blocks.
bool plan_block_shape(PlanBuilder& builder, const ir::Op& op, ir::Type block, const TileType& tile, BlockShape& out);

/// The addresses of a block at `record.offset`, affine, and which of its elements lie inside of record.shape, where
/// `checked` (bit d: dimension d) asks for it.
struct BlockLanes {
  Tile pointer;
  Tile mask;
};
BlockLanes block_lanes(const BlockShape& shape, const BlockRecord& record, std::uint32_t checked);

/// A tile of access.value's type as one of `shape.tile`'s type, and back; takes over the count.
Tile from_block(Machine& machine, const BlockShape& shape, Tile moved);
/// Holds its own count.
Tile to_block(Machine& machine, const BlockShape& shape, const Tile& tile);

/// Moves the block of `record` for a step whose operand 0 is the record, and for a store 1 the tile; `checked` as in
/// block_lanes, padding (NaN or zero) where it does not admit an element. Returns the next step.
const Step* load_block(Machine& machine, const Step* step, const BlockShape& shape, const BlockRecord& record,
                       std::uint32_t checked, bool pads_nan);
const Step* store_block(Machine& machine, const Step* step, const BlockShape& shape, const BlockRecord& record,
                        std::uint32_t checked);

/// Bits of an element read outside: NaN or zero.
std::uint64_t padding_bits(ScalarKind kind, bool is_nan);

}  // namespace lockstep::interpreter
