// Shape ops and changes of layout. A shape op moves nothing: each register of the result is a register of an operand.
#include "backend_cuda/emit/emit.h"

#include "backend_cuda/emit/convert_layout.h"
#include "backend_cuda/emit/emit_context.h"
#include "ir/opcode.h"
#include "support/check.h"

namespace lockstep::backend_cuda {
bool emit_splat(EmitContext& context, const ir::Op& op) {
  // Every element is the scalar: no registers.
  const Variable source = context.operand(op, 0);
  context.bind(op.result(), context.variant(), {source.name, source.type, context.variant(), 1, false});
  return true;
}

bool emit_unsplat(EmitContext& context, const ir::Op& op) {
  const Variable source = context.operand(op, 0);
  const Variable result = context.declare(op.result());
  context.line(result.name + " = " + source.at("0") + ";");
  return true;
}

bool emit_shape_op(EmitContext& context, const ir::Op& op) {
  const Variable result = context.declare(op.result());
  std::string text;
  for (std::size_t i = op.operand_count(); i-- > 0;) {
    const auto map = shape_map(op, i);
    LOCKSTEP_CHECK(map.has_value(), "a shape op without a shape map");
    const Variable operand = context.operand(op, i);
    const Layout from = context.layout(result.layout), to = context.layout(operand.layout);
    const std::string element = operand.at(register_map(from, map->bits, to));
    const std::string bit = "(" + context.index_text(result.layout) + " >> " + std::to_string(map->selector) + " & 1)";
    text = text.empty() ? element : bit + " == " + std::to_string(map->selected) + " ? " + element + " : " + text;
  }
  context.each(result, result.at() + " = " + text + ";");
  return true;
}

bool emit_split(EmitContext& context, const ir::Op& op) {
  const Variable source = context.operand(op, 0);
  for (std::size_t i = 0; i < op.result_count(); ++i) {
    const Variable result = context.declare(op.result(i));
    if (!result.is_tile) {
      context.line(result.name + " = " + source.at(std::to_string(i)) + ";");
      continue;
    }
    // The source's layout is the result's with the lowest index bit inserted as register bit 0 (LayoutPlan).
    BitMap up = same_bits(context.layout(result.layout));
    for (int& bit : up) ++bit;
    const std::string place = register_map(context.layout(result.layout), up, context.layout(source.layout));
    context.each(result, result.at() + " = " + source.at("(" + place + ") | " + std::to_string(i)) + ";");
  }
  return true;
}

}  // namespace lockstep::backend_cuda
