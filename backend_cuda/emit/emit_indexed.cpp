// Gathers and histograms: through shared memory, where every thread reaches every element.
#include <algorithm>

#include "backend_cuda/emit/emit.h"
#include "backend_cuda/emit/emit_context.h"
#include "ir/op_def.h"

namespace lockstep::backend_cuda {
namespace {

int element_bytes(const ir::Value* value) {
  const auto kind = value->type().element().scalar_kind();
  return kind ? size_bytes(*kind) : 8;
}

void open_owner(EmitContext& context, const Variable& tile) {
  const std::string owner = context.layout(tile.layout).owner_text();
  context.open(owner.empty() ? "" : "if (" + owner + ")");
}

}  // namespace

// An index outside counts modulo the extent of the axis (S-101), a power of two.
bool emit_gather(EmitContext& context, const ir::Op& op) {
  const auto axis = static_cast<std::size_t>(op.integer_attribute("axis", 0));
  const auto& from = op.operand(0)->type().shape();
  const auto& to = op.result()->type().shape();
  if (axis >= from.size()) return context.unsupported(op, "its axis");
  const Variable source = context.operand(op, 0), indices = context.operand(op, 1);
  const Variable result = context.declare(op.result());
  if (!source.is_tile) {
    context.each(result, result.at() + " = " + source.name + ";");
    return true;
  }
  const std::string scratch = context.memory().exchange(op.operand(0)->type().element_count() * element_bytes(op.operand(0)));
  const std::string table = "reinterpret_cast<" + source.type + "*>(" + scratch + ")[";
  open_owner(context, source);
  context.each(source, table + context.index_text(source.layout) + "] = " + source.at() + ";");
  context.close();
  context.memory().exchanged();
  std::string place = "0";
  for (std::size_t d = 0; d < from.size(); ++d) {
    const std::string at = d == axis ? "(int)(" + indices.at() + " & " + number(from[d] - 1) + ")"
                                     : context.coordinate_text(result.layout, to, d);
    place = d == 0 ? at : "(" + place + ") * " + number(from[d]) + " + " + at;
  }
  context.each(result, result.at() + " = " + table + place + "];");
  return true;
}

// Values count modulo the larger of the number of bins and 32 (S-100).
bool emit_histogram(EmitContext& context, const ir::Op& op) {
  const Variable source = context.operand(op, 0);
  const ir::Value* mask = op.operand_or_null(1);
  const std::string counted = mask != nullptr ? context.operand(op, 1).at() + " && " : "";
  const Variable result = context.declare(op.result());
  const std::int64_t bins = op.result()->type().element_count();
  const std::string scratch = "reinterpret_cast<int*>(" + context.memory().exchange(bins * 4) + ")";
  context.line("for (int i = threadIdx.x; i < " + number(bins) + "; i += " + number(context.target().threads()) + ") " +
               scratch + "[i] = 0;");
  context.memory().barrier();
  const LayoutId id = context.plan().operand_layout(op, 0, context.variant());
  const std::string owner = context.layout(id).owner_text();
  context.open(owner.empty() ? "" : "if (" + owner + ")");
  context.open("LS_EACH(" + number(context.layout(id).registers()) + ")");
  context.line("const int bin = (int)(" + source.at() + " & " + number(std::max<std::int64_t>(bins, 32) - 1) + ");");
  context.line("if (" + counted + "bin < " + number(bins) + ") atomicAdd(" + scratch + " + bin, 1);");
  context.close();
  context.close();
  context.memory().exchanged();
  context.each(result,
               result.at() + " = (" + result.type + ")" + scratch + "[" + context.index_text(result.layout) + "];");
  return true;
}

}  // namespace lockstep::backend_cuda
