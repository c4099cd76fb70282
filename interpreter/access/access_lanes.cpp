#include "interpreter/access/access_lanes.h"

#include <cstring>

#include "interpreter/plan/plan_builder.h"
#include "ir/op_def.h"

namespace lockstep::interpreter {

std::optional<BlockLookup> plan_block_lookup(PlanBuilder& builder, const ir::Op& op) {
  const ir::MemoryAccess& access = op.def().access;
  const bool has_indices = access.indices >= 0;
  const bool is_plain = access.is_plain_load() || access.is_plain_store();
  if (!has_indices && !(is_plain && is_block_type(op.operand(0)->type()))) return std::nullopt;
  BlockLookup made;
  made.is_descriptor = has_indices;
  const ir::Value& moved = moved_value(op);
  const TileType* tile = builder.tile_type(moved.type(), op);
  const ir::Type block = op.operand(0)->type().pointee();
  if (tile == nullptr || !plan_block_shape(builder, op, block, *tile, made.shape)) return std::nullopt;
  made.checked = ~0u;
  if (has_indices) {
    const auto indices = static_cast<std::size_t>(access.indices);
    if (!dimension_slots(builder, op, indices, block.shape().size(), made.index)) return std::nullopt;
    return made;
  }
  made.checked = 0;
  if (const ir::Attribute checked = op.attribute("boundaryCheck")) {
    for (const std::int64_t d : checked->values) made.checked |= 1u << d;
  }
  return made;
}

BlockLanes find_block_lanes(Machine& machine, const Tile& record, const TileType& type, const BlockLookup& block) {
  BlockRecord at = read_record(machine, record, type);
  for (std::size_t d = 0; d < block.index.size(); ++d) at.offset[d] = signed_value(machine, block.index[d]);
  return block_lanes(block.shape, at, block.checked);
}

std::optional<LaneLookup> plan_lanes(PlanBuilder& builder, const ir::Op& op) {
  const ir::MemoryAccess& access = op.def().access;
  if (!access.is_access()) return std::nullopt;
  LaneLookup made;
  made.kind = *touch_kind(op);
  made.pointer = builder.operand(op, 0);
  const TileType* tile = builder.tile_type(moved_value(op).type(), op);
  if (made.pointer == kNoSlot || tile == nullptr) return std::nullopt;
  made.pointer_type = builder.type(made.pointer);
  made.shape = tile->shape;
  made.bytes = tile->element_bytes;
  if (access.place == ir::MemoryAccess::Place::rows) {
    made.rows = builder.operand(op, 1);
    made.column = builder.operand(op, 2);
    made.row_type = builder.type(made.rows);
    return made;
  }
  made.block = plan_block_lookup(builder, op);
  if (made.block) return made;
  if (const ir::Value* mask = access_mask(op)) {
    made.mask = builder.slot_of(mask);
    made.mask_type = builder.type(made.mask);
  }
  return made;
}

AccessLanes::AccessLanes(Machine& machine, const LaneLookup& lookup) : machine_(machine), lookup_(lookup) {
  for (const std::int64_t extent : lookup.shape) count_ *= extent;
  const Tile& pointer = machine.slots[lookup.pointer];
  if (lookup.rows != kNoSlot) {
    find_rows();
  } else if (lookup.block) {
    const BlockLanes lanes = find_block_lanes(machine, pointer, *lookup.pointer_type, *lookup.block);
    const Access& access = lookup.block->shape.access;
    provenance_ = lanes.pointer.provenance;
    find(lanes.pointer, *access.pointer, &lanes.mask, access.mask_type);
  } else {
    provenance_ = pointer.provenance;
    const Tile* mask = lookup.mask == kNoSlot ? nullptr : &machine.slots[lookup.mask];
    find(pointer, *lookup.pointer_type, mask, lookup.mask_type);
  }
}

void AccessLanes::find(const Tile& pointer, const TileType& type, const Tile* mask, const TileType* mask_type) {
  Access access;
  access.pointer = &type;
  access.mask_type = mask_type;
  access.bytes = bytes();
  is_box_ = find_addresses(access, pointer, mask, box_);
  if (is_box_ && (box_.count == 0 || box_is_inside(machine_, provenance_, box_, bytes()))) {
    active_ = box_.count;
    if (active_ == 0) {
      is_box_ = false;
      on_.assign(static_cast<std::size_t>(count_), 0);
      addresses_.assign(static_cast<std::size_t>(count_), 0);
      is_expanded_ = true;
    }
    return;
  }
  is_box_ = false;
  take(pointer, type, mask, mask_type);
  admit();
}

void AccessLanes::take(const Tile& pointer, const TileType& type, const Tile* mask, const TileType* mask_type) {
  is_expanded_ = true;
  const Temporary packed(machine_, make_contiguous(machine_, pointer, type));
  addresses_.resize(static_cast<std::size_t>(count_));
  on_.assign(static_cast<std::size_t>(count_), 1);
  std::memcpy(addresses_.data(), packed->data(), addresses_.size() * sizeof(std::uint64_t));
  if (mask == nullptr) return;
  const Temporary lanes(machine_, make_contiguous(machine_, *mask, *mask_type));
  for (std::size_t i = 0; i < on_.size(); ++i) on_[i] = static_cast<std::uint8_t>(lanes->data()[i] & 1);
}

void AccessLanes::find_rows() {
  const BlockRecord record = read_record(machine_, machine_.slots[lookup_.pointer], *lookup_.pointer_type);
  provenance_ = record.provenance;
  const Temporary packed(machine_, make_contiguous(machine_, machine_.slots[lookup_.rows], *lookup_.row_type));
  const std::int64_t first = signed_value(machine_, lookup_.column), columns = lookup_.shape.back();
  const auto size = static_cast<std::uint64_t>(bytes());
  is_expanded_ = true;
  addresses_.assign(static_cast<std::size_t>(count_), 0);
  on_.assign(static_cast<std::size_t>(count_), 0);
  for (std::int64_t i = 0; i < count_; ++i) {
    std::uint64_t bits = 0;
    const auto row_bytes = static_cast<std::size_t>(lookup_.row_type->element_bytes);
    std::memcpy(&bits, packed->data() + static_cast<std::size_t>(i / columns) * row_bytes, row_bytes);
    const std::int64_t row = sign_extend(lookup_.row_type->kind, bits), column = first + i % columns;
    const std::uint64_t element = static_cast<std::uint64_t>(row) * static_cast<std::uint64_t>(record.stride[0]) +
                                  static_cast<std::uint64_t>(column) * static_cast<std::uint64_t>(record.stride[1]);
    addresses_[static_cast<std::size_t>(i)] = record.base + element * size;
    const bool is_in = row >= 0 && row < record.shape[0] && column >= 0 && column < record.shape[1];
    on_[static_cast<std::size_t>(i)] = is_in ? 1 : 0;
  }
  admit();
}

/// Lanes that the access path refuses are off.
void AccessLanes::admit() {
  AddressBox one{};
  one.rank = 0;
  one.count = 1;
  active_ = 0;
  for (std::size_t i = 0; i < on_.size(); ++i) {
    if (on_[i] == 0) continue;
    one.origin = addresses_[i];
    set_bytes(one, bytes());
    on_[i] = box_is_inside(machine_, provenance_, one, bytes()) ? 1 : 0;
    active_ += on_[i];
  }
}

void AccessLanes::expand() {
  if (is_expanded_) return;
  is_expanded_ = true;
  addresses_.assign(static_cast<std::size_t>(count_), 0);
  on_.assign(static_cast<std::size_t>(count_), 0);
  std::vector<std::int64_t> index(static_cast<std::size_t>(box_.rank), 0);
  for (std::int64_t k = 0; k < box_.count; ++k) {
    std::int64_t lane = 0;
    std::uint64_t address = box_.origin;
    for (std::size_t d = 0; d < index.size(); ++d) {
      const std::int64_t extent = lookup_.block ? lookup_.block->shape.access.value->shape[d] : lookup_.shape[d];
      lane = lane * extent + box_.low[d] + index[d];
      address += static_cast<std::uint64_t>(index[d]) * static_cast<std::uint64_t>(box_.stride[d]);
    }
    addresses_[static_cast<std::size_t>(lane)] = address;
    on_[static_cast<std::size_t>(lane)] = 1;
    for (std::size_t d = index.size(); d-- > 0;) {
      if (++index[d] < box_.shape[d]) break;
      index[d] = 0;
    }
  }
}

}  // namespace lockstep::interpreter
