#include "interpreter/libdevice/extern_elementwise.h"

#include <array>
#include <string>

#include "interpreter/evaluators/elementwise_ops.h"
#include "interpreter/libdevice/catalogue.h"
#include "interpreter/libdevice/extern.h"
#include "interpreter/plan/plan_builder.h"
#include "interpreter/tile/dense.h"

namespace lockstep::interpreter {

namespace {

using libdevice::extern_text;
using libdevice::Function;
using libdevice::kMaxOperands;

std::string signature_of(const Function& function) {
  std::string text = "(";
  for (std::size_t i = 0; i < function.operand_count; ++i)
    text += (i > 0 ? ", " : "") + std::string(spelling(function.operand[i]));
  return text + ") -> " + std::string(spelling(function.result));
}

/// Four operands: no elementwise record has room for them.
struct Quaternary {
  libdevice::QuaternaryFn function = nullptr;
  const TileType* result = nullptr;
  const TileType* operand = nullptr;
};

const Step* step_quaternary(Machine& machine, const Step* step) {
  const auto& op = *static_cast<const Quaternary*>(step->record);
  std::array<Tile, kMaxOperands> tiles;
  std::array<const void*, kMaxOperands> in{};
  std::array<int, kMaxOperands> steps{};
  bool is_uniform = true;
  for (std::size_t i = 0; i < kMaxOperands; ++i) {
    const Tile& tile = machine.slots[step->operand[i]];
    const bool is_element = tile.form == Form::uniform;
    tiles[i] = is_element ? tile : make_contiguous(machine, tile, *op.operand);
    in[i] = is_element ? static_cast<const void*>(&tiles[i].base) : tiles[i].data();
    steps[i] = is_element ? 0 : 1;
    is_uniform = is_uniform && is_element;
  }
  Tile out = is_uniform ? uniform_tile(0) : machine.allocate(*op.result);
  op.function(is_uniform ? static_cast<void*>(&out.base) : out.data(), in, is_uniform ? 1 : op.result->count, steps);
  for (std::size_t i = 0; i < kMaxOperands; ++i)
    if (steps[i] != 0) machine.pool.release(tiles[i]);
  machine.set(step->result, out);
  return machine.finish(step);
}

bool evaluate_quaternary(PlanBuilder& builder, const ir::Op& op, const Function& function) {
  Step* step = builder.append_with_result(step_quaternary, op);
  if (step == nullptr) return false;
  step->record =
      builder.record(Quaternary{function.quaternary, builder.type(step->result), builder.type(builder.operand(op, 0))});
  return true;
}

}  // namespace

bool evaluate_extern_elementwise(PlanBuilder& builder, const ir::Op& op) {
  const std::string symbol(extern_text(op, "symbol"));
  if (!libdevice::is_libdevice(op)) {
    return builder.unsupported(op, "the symbol '" + symbol + "' of the library '" +
                                       std::string(extern_text(op, "libname")) + "' at '" +
                                       std::string(extern_text(op, "libpath")) + "' is");
  }
  const Function* function = libdevice::find(symbol);
  if (function == nullptr) return builder.unsupported(op, "the symbol '" + symbol + "' is");
  if (!libdevice::has_types_of(op, *function))
    return builder.error(
        op, "the symbol '" + symbol + "' has the type " + signature_of(*function) + ", element by element");
  return function->quaternary != nullptr ? evaluate_quaternary(builder, op, *function)
                                         : evaluate_elementwise(builder, op);
}

}  // namespace lockstep::interpreter
