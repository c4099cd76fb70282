#include "interpreter/evaluators/map_elementwise.h"

#include <cstring>

#include "interpreter/plan/plan_builder.h"
#include "interpreter/tile/dense.h"
#include "interpreter/tile/lifted.h"

namespace lockstep::interpreter {

namespace {

struct Map {
  std::int64_t pack = 1, count = 1;
  std::vector<Slot> sources, results;
  std::vector<bool> dies;
  std::vector<const TileType*> source_types, result_types;
  std::optional<Lifted> lifted;
  // Element by element.
  const Step* entry = nullptr;
  std::vector<Slot> region_arguments, region_results;
};

/// Tiles that are released at the end.
class ScopedTiles {
 public:
  explicit ScopedTiles(Machine& machine) : machine_(machine) {}
  ~ScopedTiles() {
    for (Tile& tile : tiles) machine_.pool.release(tile);
  }
  ScopedTiles(const ScopedTiles&) = delete;
  ScopedTiles& operator=(const ScopedTiles&) = delete;
  std::vector<Tile> tiles;

 private:
  Machine& machine_;
};

void finish(Machine& machine, const Map& map, std::vector<Tile>& made) {
  for (std::size_t i = 0; i < map.sources.size(); ++i) {
    if (map.dies[i]) machine.pool.release(machine.slots[map.sources[i]]);
  }
  for (std::size_t i = 0; i < map.results.size(); ++i) {
    machine.set(map.results[i], made[i]);
    made[i].buffer = nullptr;
  }
}

/// Element j of every pack of a contiguous tile, as a view without a count.
Tile every(const Tile& whole, std::int64_t pack, std::int64_t j, int bytes) {
  Tile part = whole;
  part.buffer = nullptr;
  part.base += static_cast<std::uint64_t>(j * bytes);
  part.stride = {pack};
  part.is_contiguous = pack == 1;
  return part;
}

/// The result's elements j of every pack, from a tile of any form.
void store_every(Machine& machine, const Tile& part, const TileType& type, char* out, std::int64_t pack,
                 std::int64_t j) {
  const int bytes = type.element_bytes;
  const Temporary packed(machine, make_contiguous(machine, part, type));
  const std::int64_t out_stride = pack * bytes, in_stride = bytes;
  copy_strided(out + j * bytes, &out_stride, packed->data(), &in_stride, type.shape.data(), 1, bytes);
}

TileType packs_type(const TileType& type, std::int64_t packs) {
  TileType made;
  made.kind = type.kind;
  made.element_bytes = type.element_bytes;
  made.shape = {packs};
  made.count = packs;
  return made;
}

const Step* step_map_lifted(Machine& machine, const Step* step) {
  const auto& map = *static_cast<const Map*>(step->record);
  if (map.pack == 1) {
    std::vector<Tile> arguments;
    for (const Slot slot : map.sources) arguments.push_back(machine.slots[slot]);
    std::vector<Tile> made = run_lifted(machine, *map.lifted, arguments);
    finish(machine, map, made);
    return step + 1;
  }
  ScopedTiles in(machine), out(machine);
  std::vector<Tile> arguments;
  for (std::size_t i = 0; i < map.sources.size(); ++i) {
    in.tiles.push_back(make_contiguous(machine, machine.slots[map.sources[i]], *map.source_types[i]));
    for (std::int64_t j = 0; j < map.pack; ++j)
      arguments.push_back(every(in.tiles[i], map.pack, j, map.source_types[i]->element_bytes));
  }
  ScopedTiles made(machine);
  made.tiles = run_lifted(machine, *map.lifted, arguments);
  for (std::size_t i = 0; i < map.results.size(); ++i) {
    out.tiles.push_back(machine.allocate(*map.result_types[i]));
    const TileType type = packs_type(*map.result_types[i], map.count / map.pack);
    for (std::int64_t j = 0; j < map.pack; ++j)
      store_every(machine, made.tiles[i * static_cast<std::size_t>(map.pack) + static_cast<std::size_t>(j)], type,
                  out.tiles[i].data(), map.pack, j);
  }
  finish(machine, map, out.tiles);
  return step + 1;
}

/// Runs the region for the pack that starts at `first`. False: the program must stop.
bool run_pack(Machine& machine, const Map& map, const ScopedTiles& in, const ScopedTiles& out, std::int64_t first) {
  std::size_t at = 0;
  for (std::size_t i = 0; i < map.sources.size(); ++i) {
    const int bytes = map.source_types[i]->element_bytes;
    for (std::int64_t j = 0; j < map.pack; ++j) {
      Tile& target = machine.slots[map.region_arguments[at++]];
      target = uniform_tile(0, in.tiles[i].provenance);
      std::memcpy(&target.base, in.tiles[i].data() + (first + j) * bytes, static_cast<std::size_t>(bytes));
    }
  }
  if (!machine.run_region(map.entry)) return false;
  at = 0;
  for (std::size_t i = 0; i < map.results.size(); ++i) {
    const int bytes = map.result_types[i]->element_bytes;
    for (std::int64_t j = 0; j < map.pack; ++j) {
      std::memcpy(out.tiles[i].data() + (first + j) * bytes, &machine.slots[map.region_results[at++]].base,
                  static_cast<std::size_t>(bytes));
    }
  }
  return true;
}

const Step* step_map_elements(Machine& machine, const Step* step) {
  const auto& map = *static_cast<const Map*>(step->record);
  ScopedTiles in(machine), out(machine);
  for (std::size_t i = 0; i < map.sources.size(); ++i)
    in.tiles.push_back(make_contiguous(machine, machine.slots[map.sources[i]], *map.source_types[i]));
  for (const TileType* type : map.result_types) out.tiles.push_back(machine.allocate(*type));
  for (std::int64_t first = 0; first < map.count; first += map.pack) {
    if (!run_pack(machine, map, in, out, first)) {
      machine.program->next = step;
      return nullptr;
    }
  }
  finish(machine, map, out.tiles);
  return step + 1;
}

// ---- planning ----

bool describe(PlanBuilder& builder, const ir::Op& op, Map& map) {
  map.pack = op.integer_attribute("pack", 1);
  for (std::size_t i = 0; i < op.operand_count(); ++i) {
    const Slot slot = builder.operand(op, i);
    if (slot == kNoSlot) return false;
    bool dies = builder.dies_at(op.operand(i), op);
    for (std::size_t j = i + 1; j < op.operand_count(); ++j) dies = dies && op.operand(j) != op.operand(i);
    map.sources.push_back(slot);
    map.dies.push_back(dies);
    map.source_types.push_back(builder.type(slot));
  }
  for (std::size_t i = 0; i < op.result_count(); ++i) {
    const Slot slot = builder.result(op, i);
    if (slot == kNoSlot) return false;
    map.results.push_back(slot);
    map.result_types.push_back(builder.type(slot));
  }
  if (map.sources.empty()) return builder.error(op, "it has no operands");
  map.count = map.source_types[0]->count;
  if (map.pack < 1 || map.count % map.pack != 0)
    return builder.error(op, "pack does not divide the number of elements");
  for (const auto* types : {&map.source_types, &map.result_types}) {
    for (const TileType* type : *types) {
      if (type->shape != map.source_types[0]->shape)
        return builder.error(op, "the shapes of operands and results differ");
    }
  }
  return true;
}

/// Kinds of the region's arguments and of what it returns against the operands and results.
bool region_fits(PlanBuilder& builder, const ir::Op& op, const Map& map) {
  const auto pack = static_cast<std::size_t>(map.pack);
  const bool has_entry = !op.region().empty() && !op.region().front().ops().empty();
  if (!has_entry || op.region().front().arguments().size() != pack * map.sources.size())
    return builder.error(op, "the region does not take pack values per operand");
  for (std::size_t i = 0; i < pack * map.sources.size(); ++i) {
    if (op.region().front().argument(i)->type().scalar_kind() != map.source_types[i / pack]->kind)
      return builder.error(op, "the region's arguments do not have the operands' element types");
  }
  return true;
}

bool plan_elements(PlanBuilder& builder, const ir::Op& op, Map& map) {
  const auto sub = builder.plan_sub_region(op.region(), op);
  if (!sub) return false;
  const auto pack = static_cast<std::size_t>(map.pack);
  bool fits = sub->results.size() == pack * map.results.size();
  for (std::size_t i = 0; fits && i < sub->results.size(); ++i) {
    const TileType& returned = *builder.type(sub->results[i]);
    fits = returned.is_scalar() && returned.kind == map.result_types[i / pack]->kind;
  }
  if (!fits) return builder.error(op, "the region does not return pack values of each result's element type");
  map.region_arguments = sub->arguments;
  map.region_results = sub->results;
  Map* record = builder.record(map);
  builder.set_pointer(&record->entry, sub->entry);
  builder.append_bare(step_map_elements, op).record = record;
  return true;
}

bool returns_fit(const ir::Op& op, const Map& map) {
  const ir::Op& end = *op.region().front().ops().back();
  const auto pack = static_cast<std::size_t>(map.pack);
  if (end.operand_count() != pack * map.results.size()) return false;
  for (std::size_t i = 0; i < end.operand_count(); ++i) {
    if (end.operand(i)->type().scalar_kind() != map.result_types[i / pack]->kind) return false;
  }
  return true;
}

}  // namespace

bool evaluate_map_elementwise(PlanBuilder& builder, const ir::Op& op) {
  Map map;
  if (!describe(builder, op, map) || !region_fits(builder, op, map)) return false;
  const std::vector<std::int64_t> shape =
      map.pack == 1 ? map.source_types[0]->shape : std::vector<std::int64_t>{map.count / map.pack};
  if (op.region().blocks().size() == 1 && returns_fit(op, map)) map.lifted = lift(builder, op.region(), shape);
  if (map.lifted) {
    builder.append_bare(step_map_lifted, op).record = builder.record(map);
    return true;
  }
  return plan_elements(builder, op, map);
}

}  // namespace lockstep::interpreter
