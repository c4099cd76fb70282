// BlockRecord: a block pointer or a tensor descriptor of a running program. Both are one slot: an ordinary tile of
// 64-bit words (base address, padding, then shape, strides and offsets in elements) whose provenance is the base
// pointer's, so that it passes through loops, branches, calls and selects like any tile. Not here: accesses through one
// (block.h).
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "interpreter/launch/machine.h"
#include "ir/op.h"

namespace lockstep::interpreter {

struct BlockRecord {
  std::uint64_t base = 0;
  std::int32_t provenance = -1;
  bool pads_nan = false;
  std::uint32_t faults = 0;  // descriptors: what the hardware would refuse (descriptor.cpp)
  int rank = 0;
  /// In elements. Offsets are those of a block pointer; 0 for descriptors.
  std::array<std::int64_t, kMaxStridedRank> shape{}, stride{}, offset{};
};

/// Words of the slot of a record of this rank, 0 to kMaxStridedRank; its kind is ScalarKind::pointer.
std::int64_t record_length(std::size_t rank);
/// True for !tt.ptr<tensor<...>> and !tt.tensordesc<...>.
bool is_block_type(ir::Type type);
/// True for the ops that use records, or only pass them on. Any other op with one is not supported.
bool handles_blocks(const ir::Op& op);
/// The words of a record's slot.
std::vector<std::int64_t> record_words(const TileType& type, const BlockRecord& record);
Tile write_record(Machine& machine, const TileType& type, const BlockRecord& record);
/// A record that was never written (poison) is all zeros.
BlockRecord read_record(Machine& machine, const Tile& tile, const TileType& type);

}  // namespace lockstep::interpreter
