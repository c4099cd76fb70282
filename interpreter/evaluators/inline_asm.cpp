#include "interpreter/evaluators/inline_asm.h"

#include <algorithm>
#include <cstring>

#include "interpreter/evaluators/expand_asm.h"
#include "interpreter/gpu_bits/marks.h"
#include "interpreter/plan/plan_builder.h"
#include "interpreter/ptx/asm_facts.h"
#include "interpreter/ptx/parser.h"
#include "interpreter/tile/dense.h"

namespace lockstep::interpreter {

namespace {

/// Elements of one argument or result that one register holds.
struct Packing {
  std::size_t operand = 0;  // which argument or result
  int first = 0;            // within the pack
  int count = 1;
  std::uint16_t index = 0;  // the register
};

struct InlineAsm {
  ptx::Program program;
  int pack = 1;
  std::vector<Slot> sources, results;
  std::vector<bool> dies;
  std::vector<const TileType*> source_types, result_types;
  std::vector<Packing> inputs, outputs;
  std::int64_t count = 1;  // elements of every argument and result
};

/// The places of a register's elements: packing.count neighbours in memory, `pack` elements from lane to lane.
struct Place {
  std::int64_t first = 0;   // byte of lane 0
  std::int64_t stride = 0;  // bytes
  int whole = 0;            // lanes whose elements are all there
  int rest = 0;             // bytes that the next lane has
};

Place asm_place(const InlineAsm& record, const Packing& packing, int bytes, std::int64_t first_pack, int lanes) {
  Place place;
  const std::int64_t first = first_pack * record.pack + packing.first;
  place.first = first * bytes;
  place.stride = std::int64_t{record.pack} * bytes;
  const std::int64_t left = record.count - first;  // elements from the first one on
  const std::int64_t whole = left < packing.count ? 0 : (left - packing.count) / record.pack + 1;
  place.whole = static_cast<int>(std::min<std::int64_t>(whole, lanes));
  const std::int64_t tail = left - std::int64_t{place.whole} * record.pack;
  if (place.whole < lanes) place.rest = static_cast<int>(std::clamp<std::int64_t>(tail, 0, packing.count)) * bytes;
  return place;
}

template <typename Word>
void load_words(std::uint64_t* to, const char* data, const Place& place) {
  for (int k = 0; k < place.whole; ++k) {
    Word word;
    std::memcpy(&word, data + place.first + k * place.stride, sizeof word);
    to[k] = word;
  }
}
template <typename Word>
void store_words(const std::uint64_t* from, char* data, const Place& place) {
  for (int k = 0; k < place.whole; ++k) {
    const auto word = static_cast<Word>(from[k]);
    std::memcpy(data + place.first + k * place.stride, &word, sizeof word);
  }
}

/// The registers of lanes from an argument's memory; elements beyond the end read 0.
void load_lanes(const InlineAsm& record, const Packing& packing, const char* data, int bytes, std::int64_t first,
                ptx::State& state) {
  std::uint64_t* to = state.registers[packing.index];
  const Place place = asm_place(record, packing, bytes, first, state.lanes);
  switch (bytes * packing.count) {
    case 1: load_words<std::uint8_t>(to, data, place); break;
    case 2: load_words<std::uint16_t>(to, data, place); break;
    case 4: load_words<std::uint32_t>(to, data, place); break;
    default: load_words<std::uint64_t>(to, data, place); break;
  }
  if (place.rest != 0)
    std::memcpy(&to[place.whole], data + place.first + place.whole * place.stride,
                static_cast<std::size_t>(place.rest));
}

void store_lanes(const InlineAsm& record, const Packing& packing, char* data, int bytes, std::int64_t first,
                 const ptx::State& state) {
  const std::uint64_t* from = state.registers[packing.index];
  const Place place = asm_place(record, packing, bytes, first, state.lanes);
  switch (bytes * packing.count) {
    case 1: store_words<std::uint8_t>(from, data, place); break;
    case 2: store_words<std::uint16_t>(from, data, place); break;
    case 4: store_words<std::uint32_t>(from, data, place); break;
    default: store_words<std::uint64_t>(from, data, place); break;
  }
  if (place.rest != 0) {
    std::memcpy(data + place.first + place.whole * place.stride, &from[place.whole],
                static_cast<std::size_t>(place.rest));
  }
}

/// Registers that a strip starts with: zero, immediates filled.
void reset(const ptx::Program& program, ptx::State& state) {
  std::memset(state.registers, 0, sizeof(ptx::Lanes) * program.register_count);
  for (const ptx::Immediate& immediate : program.immediates) {
    for (int k = 0; k < state.lanes; ++k) state.registers[immediate.index][k] = immediate.bits;
  }
}

ptx::Environment environment_of(const Machine& machine) {
  ptx::Environment made;
  for (std::size_t d = 0; d < 3; ++d) {
    made.program_id[d] = static_cast<std::uint32_t>(machine.program->id[d]);
    made.grid[d] = static_cast<std::uint64_t>(machine.launch.grid[d]);
  }
  made.program_number = machine.program->number;
  made.clock = machine.program->clock;
  return made;
}

/// Argument tiles made contiguous and result tiles, released at the end.
struct Tiles {
  explicit Tiles(Machine& owner) : machine(owner) {}
  ~Tiles() {
    for (Tile& tile : held) machine.pool.release(tile);
  }
  Tiles(const Tiles&) = delete;
  Tiles& operator=(const Tiles&) = delete;
  Machine& machine;
  std::vector<Tile> held;
};

/// A result of one element is a scalar's uniform form.
Tile finished(Machine& machine, Tile tile, const TileType& type) {
  if (!type.is_scalar()) return tile;
  std::uint64_t bits = 0;
  std::memcpy(&bits, tile.data(), static_cast<std::size_t>(type.element_bytes));
  machine.pool.release(tile);
  return uniform_tile(bits);
}

bool run_strips(Machine& machine, const InlineAsm& record, const Tiles& in, const Tiles& out) {
  std::vector<std::uint64_t> memory(static_cast<std::size_t>(record.program.register_count) * ptx::kStrip);
  ptx::Environment environment = environment_of(machine);
  ptx::State state{reinterpret_cast<ptx::Lanes*>(memory.data()), 0, &environment};
  const std::int64_t packs = (record.count + record.pack - 1) / record.pack;
  for (std::int64_t first = 0; first < packs; first += ptx::kStrip) {
    state.lanes = static_cast<int>(std::min<std::int64_t>(ptx::kStrip, packs - first));
    environment.clock = machine.program->clock;  // one read per run of the tile, however many strips it takes
    reset(record.program, state);
    for (const Packing& p : record.inputs)
      load_lanes(record, p, in.held[p.operand].data(), record.source_types[p.operand]->element_bytes, first, state);
    ptx::run(record.program, state);
    for (const Packing& p : record.outputs)
      store_lanes(record, p, out.held[p.operand].data(), record.result_types[p.operand]->element_bytes, first, state);
    if (!machine.poll(ptx::kStrip)) return false;
  }
  machine.program->clock = environment.clock;
  return true;
}

const Step* step_inline_asm(Machine& machine, const Step* step) {
  const auto& record = *static_cast<const InlineAsm*>(step->record);
  Tiles in(machine), out(machine);
  for (std::size_t i = 0; i < record.sources.size(); ++i)
    in.held.push_back(make_contiguous(machine, machine.slots[record.sources[i]], *record.source_types[i]));
  for (const TileType* type : record.result_types) out.held.push_back(machine.allocate(*type));
  if (!run_strips(machine, record, in, out)) {
    machine.program->next = step;
    return nullptr;
  }
  for (std::size_t i = 0; i < record.sources.size(); ++i) {
    if (record.dies[i]) machine.pool.release(machine.slots[record.sources[i]]);
  }
  for (std::size_t i = 0; i < record.results.size(); ++i)
    machine.set(record.results[i], finished(machine, out.held[i], *record.result_types[i]));
  out.held.clear();
  return step + 1;
}

// ---- planning ----

bool describe_values(PlanBuilder& builder, const ir::Op& op, InlineAsm& record) {
  for (std::size_t i = 0; i < op.operand_count(); ++i) {
    const Slot slot = builder.operand(op, i);
    if (slot == kNoSlot) return false;
    bool dies = builder.dies_at(op.operand(i), op);
    for (std::size_t j = i + 1; j < op.operand_count(); ++j) dies = dies && op.operand(j) != op.operand(i);
    record.sources.push_back(slot);
    record.dies.push_back(dies);
    record.source_types.push_back(builder.type(slot));
  }
  for (std::size_t i = 0; i < op.result_count(); ++i) {
    const Slot slot = builder.result(op, i);
    if (slot == kNoSlot) return false;
    record.results.push_back(slot);
    record.result_types.push_back(builder.type(slot));
  }
  if (record.results.empty()) return builder.unsupported(op, "an asm without results is");
  record.count = record.result_types[0]->count;
  std::vector<const TileType*> all = record.source_types;
  all.insert(all.end(), record.result_types.begin(), record.result_types.end());
  for (const TileType* type : all) {
    if (type->shape != all.back()->shape) return builder.error(op, "the shapes of arguments and results differ");
    if (type->kind == ScalarKind::i1) return builder.unsupported(op, "i1 in inline assembly is");
  }
  return true;
}

/// Distributes the elements of `types` over registers from `next` on. False: there are too few.
bool place(const std::vector<const TileType*>& types, int pack, const ptx::Constraints& constraints,
           const ptx::Program& program, bool outputs, std::size_t& next, std::vector<Packing>& made,
           std::string& problem) {
  for (std::size_t v = 0; v < types.size(); ++v) {
    const int width = 8 * types[v]->element_bytes;
    const int each = std::min(width < 32 ? 32 / width : 1, pack);
    for (int first = 0; first < pack; first += each) {
      if (next >= constraints.list.size() || constraints.list[next].is_output != outputs) {
        problem = std::string("there are fewer ") + (outputs ? "output" : "input") +
                  " constraints than registers that the elements take";
        return false;
      }
      if (constraints.list[next].width < width * each) {
        problem = "$" + std::to_string(next) + " has " + std::to_string(constraints.list[next].width) +
                  " bits for elements of " + std::to_string(width * each);
        return false;
      }
      made.push_back({v, first, each, program.operands[next++]});
    }
  }
  return true;
}

bool place_all(PlanBuilder& builder, const ir::Op& op, const ptx::Constraints& constraints, InlineAsm& record) {
  std::size_t next = 0;
  std::string problem;
  if (!place(record.result_types, record.pack, constraints, record.program, true, next, record.outputs, problem) ||
      !place(record.source_types, record.pack, constraints, record.program, false, next, record.inputs, problem))
    return builder.error(op, problem);
  if (next != constraints.list.size())
    return builder.error(op, "there are more constraints than registers that the elements take");
  return true;
}

}  // namespace

bool evaluate_inline_asm(PlanBuilder& builder, const ir::Op& op) {
  InlineAsm record;
  const std::int64_t pack = op.integer_attribute("packed_element", 1);
  if (pack < 1 || pack > 64 || (pack & (pack - 1)) != 0)
    return builder.error(op, "packed_element must be a power of two from 1 to 64");
  if (pack > 1 && op.operand_count() != 0 && op.operand(0)->type().layout() != nullptr)
    return builder.unsupported(op, "a pack of elements that a layout chooses is");
  record.pack = static_cast<int>(pack);
  if (!describe_values(builder, op, record)) return false;
  const ptx::Constraints constraints = ptx::parse_constraints(asm_attribute(op, "constraints"));
  if (!constraints.problem.empty()) {
    return constraints.is_unsupported ? builder.unsupported(op, constraints.problem + " is")
                                      : builder.error(op, constraints.problem);
  }
  const std::string assembly = asm_attribute(op, "asm_string");
  ptx::Compiled compiled = ptx::compile(assembly, constraints, gpu_bits::is_marked(op));
  if (!compiled.problem.empty()) {
    const std::string place = ptx::place_of(assembly, compiled.offset);
    if (const std::string why = expansion_problem(op); !why.empty()) return builder.unsupported(op, why + " is");
    if (compiled.is_unsupported)
      return builder.unsupported(op, compiled.problem + " (" + place + " of the asm string) is");
    return builder.error(op, compiled.problem + " (" + place + " of the asm string)");
  }
  record.program = std::move(compiled.program);
  if (!place_all(builder, op, constraints, record)) return false;
  builder.append_bare(step_inline_asm, op).record = builder.record(std::move(record));
  return true;
}

}  // namespace lockstep::interpreter
