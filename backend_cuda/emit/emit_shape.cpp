// Shape ops and changes of layout. A shape op moves nothing: each register of the result is a register of an operand.
#include "backend_cuda/emit/emit.h"

#include <algorithm>

#include "backend_cuda/emit/emit_context.h"
#include "ir/opcode.h"
#include "support/check.h"

namespace lockstep::backend_cuda {
namespace {

/// Text of the register of `to` that holds what register r of `from` does, given the index bits that `from`'s are in
/// `to`'s tile.
std::string register_map(const Layout& from, const BitMap& bits, const Layout& to) {
  std::vector<int> targets(from.reg.size(), kReplicated);
  for (std::size_t i = 0; i < from.reg.size(); ++i) {
    const int bit = bits[static_cast<std::size_t>(from.reg[i])];
    if (bit == kReplicated) continue;
    for (std::size_t k = 0; k < to.reg.size(); ++k) {
      if (to.reg[k] == bit) targets[i] = static_cast<int>(k);
    }
  }
  return move_bits_text("r", targets);
}

BitMap same_bits(const Layout& layout) {
  BitMap map(static_cast<std::size_t>(std::max(layout.bits(), 1)));
  for (std::size_t i = 0; i < map.size(); ++i) map[i] = static_cast<int>(i);
  return map;
}

}  // namespace

bool emit_splat(EmitContext& context, const ir::Op& op) {
  // Every element is the scalar: no registers.
  const Variable source = context.operand(op, 0);
  context.bind(op.result(), context.version(), {source.name, source.type, context.version(), 1, false});
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
    // The source's layout is the result's with the lowest index bit put in as register bit 0 (LayoutPlan).
    BitMap up = same_bits(context.layout(result.layout));
    for (int& bit : up) ++bit;
    const std::string place = register_map(context.layout(result.layout), up, context.layout(source.layout));
    context.each(result, result.at() + " = " + source.at("(" + place + ") | " + std::to_string(i)) + ";");
  }
  return true;
}

// Within a thread if the threads' parts agree; else through shared memory, in runs that a thread holds of the row-major
// tile, with a gap every row (or 128 bytes), so that columns do not meet in one bank.
void EmitContext::convert(const ir::Value* value, const Variable& from, const Variable& to) {
  const Layout source = layout(from.layout), target = layout(to.layout);
  if (source.lane == target.lane && source.warp == target.warp) {
    each(to, to.at() + " = " + from.at(register_map(target, same_bits(target), source)) + ";");
    return;
  }
  const auto kind = value->type().element().scalar_kind();
  const std::int64_t bytes = kind ? size_bytes(*kind) : 8;
  const auto& shape = value->type().shape();
  const std::int64_t total = value->type().element_count() * bytes, row = shape.back() * bytes;
  const std::int64_t gap = shape.size() > 1 ? std::max<std::int64_t>(row, 128) : 128;
  const std::string scratch = exchange(total + total / gap * 16 + 16);
  std::vector<int> order(shape.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = static_cast<int>(order.size() - 1 - i);
  const std::vector<int> row_major = bits_in_order(shape, order);
  const auto move = [&](const Variable& tile, bool gives) {
    const std::int64_t run = std::int64_t{1} << layout(tile.layout).contiguous_bits(row_major);
    const std::string width = std::to_string(std::min<std::int64_t>(run, 16 / bytes));
    const std::string place = scratch + ", " + index_text(tile.layout), part = tile.name + " + r";
    line("LS_EACH_BY(" + std::to_string(tile.registers) + ", " + width + ") " + (gives ? "give<" : "take<") + width +
         ", " + std::to_string(gap) + ">(" + (gives ? place + ", " + part : part + ", " + place) + ");");
  };
  const std::string owner = source.owner_text();
  if (!owner.empty()) open("if (" + owner + ")");
  move(from, true);
  if (!owner.empty()) close();
  exchanged();
  move(to, false);
}

}  // namespace lockstep::backend_cuda
