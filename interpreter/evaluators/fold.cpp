#include "interpreter/evaluators/fold.h"

#include <cstring>

#include "interpreter/tile/dense.h"

namespace lockstep::interpreter {

void release_sources(Machine& machine, const Fold& fold) {
  for (std::size_t i = 0; i < fold.sources.size(); ++i) {
    if (fold.dies[i]) machine.pool.release(machine.slots[fold.sources[i]]);
  }
}

void set_result(Machine& machine, Slot slot, const TileType& type, Tile tile) {
  if (type.is_scalar()) {
    std::uint64_t bits = 0;
    std::memcpy(&bits, tile.data(), static_cast<std::size_t>(type.element_bytes));
    machine.pool.release(tile);
    tile = uniform_tile(bits);
  } else {
    set_row_major(type, tile.stride);
  }
  machine.set(slot, tile);
}

Tile reordered(Machine& machine, const Tile& tile, const TileType& type, const AxisView& view,
               const std::vector<std::int64_t>& places) {
  const Temporary in(machine, make_contiguous(machine, tile, type));
  const Tile out = machine.allocate(type);
  const std::int64_t bytes = view.inner * type.element_bytes;
  for (std::int64_t o = 0; o < view.outer; ++o) {
    for (std::int64_t p = 0; p < view.n; ++p)
      std::memcpy(out.data() + (o * view.n + p) * bytes,
                  in->data() + (o * view.n + places[static_cast<std::size_t>(p)]) * bytes,
                  static_cast<std::size_t>(bytes));
  }
  return out;
}

FoldElements::FoldElements(Machine& machine, const Fold& fold) : machine_(machine), fold_(fold) {
  for (std::size_t i = 0; i < fold.sources.size(); ++i) {
    const TileType& type = *fold.source_types[i];
    if (fold.order) {
      tiles_.push_back(reordered(machine, machine.slots[fold.sources[i]], type, fold.view, fold.order->places));
      continue;
    }
    const Temporary packed(machine, make_contiguous(machine, machine.slots[fold.sources[i]], type));
    tiles_.push_back(machine.allocate(type));
    std::memcpy(tiles_.back().data(), packed->data(), static_cast<std::size_t>(type.bytes()));
  }
}

FoldElements::~FoldElements() {
  for (Tile& tile : tiles_) machine_.pool.release(tile);
}

char* FoldElements::at(std::size_t operand, std::int64_t index) {
  return tiles_[operand].data() + index * fold_.source_types[operand]->element_bytes;
}

Tile FoldElements::take(std::size_t operand) {
  Tile tile = tiles_[operand];
  tiles_[operand].buffer = nullptr;
  return tile;
}

bool FoldElements::combine(std::int64_t a, std::int64_t b, std::int64_t to) {
  const std::size_t count = tiles_.size();
  for (std::size_t i = 0; i < count; ++i) {
    load(i, a, fold_.region_arguments[i]);
    load(i, b, fold_.region_arguments[count + i]);
  }
  if (!machine_.run_region(fold_.entry)) return false;
  for (std::size_t i = 0; i < count; ++i) {
    std::memcpy(at(i, to), &machine_.slots[fold_.region_results[i]].base,
                static_cast<std::size_t>(fold_.source_types[i]->element_bytes));
  }
  return true;
}

void FoldElements::load(std::size_t operand, std::int64_t index, Slot slot) {
  Tile& target = machine_.slots[slot];
  target.base = 0;
  std::memcpy(&target.base, at(operand, index), static_cast<std::size_t>(fold_.source_types[operand]->element_bytes));
}

}  // namespace lockstep::interpreter
