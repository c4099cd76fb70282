#include "enclosure/shadow/access_lanes.h"

#include "interpreter/tile/dense.h"

namespace lockstep::enclosure {

using interpreter::Machine;
using interpreter::Temporary;
using interpreter::Tile;

Lanes::Lanes(Machine& machine, const OpRecord& record, const ValueRecord& pointer, const ValueRecord* mask,
             const Bounds* mask_bounds)
    : memory_(*machine.launch.memory), mask_bounds_(mask_bounds) {
  if (!record.block) {
    take(machine, machine.slots[pointer.slot], *pointer.type, mask != nullptr ? &machine.slots[mask->slot] : nullptr,
         mask != nullptr ? mask->type : nullptr);
    return;
  }
  const interpreter::BlockLookup& block = *record.block;
  const interpreter::BlockLanes lanes = find_block_lanes(machine, machine.slots[pointer.slot], *pointer.type, block);
  take(machine, lanes.pointer, *block.shape.access.pointer, &lanes.mask, block.shape.access.mask_type);
}

void Lanes::take(Machine& machine, const Tile& pointer, const interpreter::TileType& type, const Tile* mask,
                 const interpreter::TileType* mask_type) {
  const Temporary addresses(machine, make_contiguous(machine, pointer, type));
  const auto* first = reinterpret_cast<const std::uint64_t*>(addresses->data());
  addresses_.assign(first, first + type.count);
  if (mask == nullptr) return;
  const Temporary lanes(machine, make_contiguous(machine, *mask, *mask_type));
  const auto* chosen = reinterpret_cast<const std::uint8_t*>(lanes->data());
  mask_.assign(chosen, chosen + type.count);
}

bool Lanes::is_valid(std::int64_t i, int bytes) {
  const std::uint64_t begin = address(i), end = begin + static_cast<std::uint64_t>(bytes);
  if (begin >= last_.begin && end <= last_.end && begin < end) return true;
  const auto storage = memory_.find_storage(begin);
  if (!storage) return false;
  last_ = memory_.storage(*storage).extent;
  return end <= last_.end && begin < end;
}

}  // namespace lockstep::enclosure
