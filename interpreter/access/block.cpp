#include "interpreter/access/block.h"

#include <algorithm>
#include <limits>
#include <numeric>

#include "interpreter/access/load_store.h"
#include "interpreter/plan/plan_builder.h"
#include "interpreter/tile/dense.h"
#include "support/float_formats.h"

namespace lockstep::interpreter {

namespace {

__extension__ using Wide = __int128;

/// extent - offset, cut to [0, most].
std::int64_t cut(std::int64_t extent, std::int64_t offset, std::int64_t most) {
  return static_cast<std::int64_t>(std::clamp<Wide>(static_cast<Wide>(extent) - offset, 0, most));
}

std::uint64_t bytes_apart(std::int64_t elements, std::int64_t stride, int element_bytes) {  // wraps
  return static_cast<std::uint64_t>(elements) * static_cast<std::uint64_t>(stride) *
         static_cast<std::uint64_t>(element_bytes);
}

/// Pairs the dimensions of `shape` with those of `block` of the same extent, in order, without extents of 1. False if
/// they do not pair.
bool pair_dimensions(const std::vector<std::int64_t>& block, const std::vector<std::int64_t>& shape,
                     std::vector<int>& dimension) {
  dimension.assign(shape.size(), -1);
  std::size_t d = 0;
  for (std::size_t e = 0; e < shape.size(); ++e) {
    if (shape[e] == 1) continue;
    while (d < block.size() && block[d] == 1) ++d;
    if (d == block.size() || block[d] != shape[e]) return false;
    dimension[e] = static_cast<int>(d++);
  }
  return std::all_of(block.begin() + static_cast<std::ptrdiff_t>(d), block.end(), [](auto n) { return n == 1; });
}

}  // namespace

bool dimension_slots(PlanBuilder& builder, const ir::Op& op, std::size_t group, std::size_t rank,
                     std::vector<Slot>& out) {
  for (const ir::Value* value : op.operand_group(group)) {
    const Slot slot = builder.slot_of(value);
    if (slot == kNoSlot) return false;
    out.push_back(slot);
  }
  return out.size() == rank || builder.error(op, "does not have one number for every dimension");
}

std::int64_t signed_value(const Machine& machine, Slot slot) {
  return sign_extend(machine.type_of(slot).kind, machine.slots[slot].base);
}

bool plan_block_slots(PlanBuilder& builder, const ir::Op& op, std::size_t rank, bool has_offsets, BlockSlots& out) {
  return dimension_slots(builder, op, 1, rank, out.shape) && dimension_slots(builder, op, 2, rank, out.stride) &&
         (!has_offsets || dimension_slots(builder, op, 3, rank, out.offset));
}

BlockRecord record_of(const Machine& machine, const BlockSlots& slots) {
  const Tile& base = machine.slots[slots.base];
  BlockRecord record;
  record.base = base.base;
  record.provenance = base.provenance;
  record.rank = static_cast<int>(slots.shape.size());
  for (std::size_t d = 0; d < slots.shape.size(); ++d) {
    record.shape[d] = signed_value(machine, slots.shape[d]);
    record.stride[d] = signed_value(machine, slots.stride[d]);
  }
  for (std::size_t d = 0; d < slots.offset.size(); ++d) record.offset[d] = signed_value(machine, slots.offset[d]);
  return record;
}

bool plan_block_shape(PlanBuilder& builder, const ir::Op& op, ir::Type block, const TileType& tile, BlockShape& out) {
  out.tile = &tile;
  out.block = block.shape();
  const TileType* moved = &tile;
  if (!tile.is_strided() || !pair_dimensions(out.block, tile.shape, out.dimension)) {
    moved = builder.tile_type(block, op);
    if (moved == nullptr) return false;
    if (moved->count != tile.count || moved->kind != tile.kind)
      return builder.error(op, "the block and the tile do not have the same elements");
    out.dimension.resize(moved->shape.size());
    std::iota(out.dimension.begin(), out.dimension.end(), 0);
  }
  out.access.set_value(*moved);
  out.access.pointer = builder.tile_type(ScalarKind::pointer, moved->shape);
  out.access.mask_type = builder.tile_type(ScalarKind::i1, moved->shape);
  return true;
}

BlockLanes block_lanes(const BlockShape& shape, const BlockRecord& record, std::uint32_t checked) {
  const int bytes = shape.access.bytes;
  std::uint64_t base = record.base;
  Box inside_block, box;
  bool is_empty = false;
  for (std::size_t d = 0; d < shape.block.size(); ++d) {
    base += bytes_apart(record.offset[d], record.stride[d], bytes);
    const bool is_checked = (checked >> d & 1) != 0;
    inside_block.low[d] = is_checked ? cut(0, record.offset[d], shape.block[d]) : 0;
    inside_block.high[d] = is_checked ? cut(record.shape[d], record.offset[d], shape.block[d]) : shape.block[d];
    is_empty = is_empty || inside_block.low[d] >= inside_block.high[d];
  }
  BlockLanes lanes;
  lanes.pointer.form = Form::affine;
  lanes.pointer.provenance = record.provenance;
  lanes.pointer.base = base;
  for (std::size_t e = 0; e < shape.dimension.size(); ++e) {
    const int d = shape.dimension[e];
    const auto at = static_cast<std::size_t>(std::max(d, 0));
    lanes.pointer.stride[e] = d < 0 ? 0 : static_cast<std::int64_t>(bytes_apart(1, record.stride[at], bytes));
    box.low[e] = d < 0 ? 0 : inside_block.low[at];
    box.high[e] = d < 0 ? 1 : inside_block.high[at];
  }
  lanes.mask = is_empty ? uniform_tile(0) : from_box(box, *shape.access.pointer);
  return lanes;
}

Tile from_block(Machine& machine, const BlockShape& shape, Tile moved) {
  if (shape.tile == shape.access.value || moved.form == Form::uniform) return moved;
  const Temporary held(machine, moved);
  Tile out = make_contiguous(machine, *held, *shape.access.value);
  set_row_major(*shape.tile, out.stride);
  return out;
}

Tile to_block(Machine& machine, const BlockShape& shape, const Tile& tile) {
  if (shape.tile == shape.access.value || tile.form == Form::uniform) {
    BufferPool::retain(tile);
    return tile;
  }
  Tile out = make_contiguous(machine, tile, *shape.tile);
  set_row_major(*shape.access.value, out.stride);
  return out;
}

const Step* load_block(Machine& machine, const Step* step, const BlockShape& shape, const BlockRecord& record,
                       std::uint32_t checked, bool pads_nan) {
  const BlockLanes at = block_lanes(shape, record, checked);
  const Tile padding = uniform_tile(padding_bits(shape.access.value->kind, pads_nan));
  const Tile value = load_tile(machine, step, shape.access, {&at.pointer, &at.mask, &padding});
  observe_tile(machine, step, shape.access, at.pointer, value);
  machine.set(step->result, from_block(machine, shape, value));
  return machine.finish(step);
}

const Step* store_block(Machine& machine, const Step* step, const BlockShape& shape, const BlockRecord& record,
                        std::uint32_t checked) {
  const BlockLanes at = block_lanes(shape, record, checked);
  const Temporary value(machine, to_block(machine, shape, machine.slots[step->operand[1]]));
  store_tile(machine, step, shape.access, {&at.pointer, &at.mask, nullptr}, *value);
  if (machine.launch.is_ordered) machine.note_change();
  return machine.finish(step);
}

std::uint64_t padding_bits(ScalarKind kind, bool is_nan) {
  return is_nan && is_float(kind) ? encode_float(kind, std::numeric_limits<double>::quiet_NaN()) : 0;
}

}  // namespace lockstep::interpreter
