// tt.dot: operands go to shared memory, products come from the tensor core (mma.sync) where there is an instruction,
// from fused multiply-adds else.
#include <algorithm>

#include "backend_cuda/dot_shape.h"
#include "backend_cuda/emit.h"
#include "backend_cuda/emit_context.h"
#include "ir/op_def.h"

namespace lockstep::backend_cuda {
namespace {

std::string number(std::int64_t value) { return std::to_string(value); }

int bytes_of(const ir::Value* value) { return size_bytes(*value->type().element().scalar_kind()); }

/// Writes a tile's elements to `place`, rows of `columns` elements, chunks of 16 bytes swizzled (prelude: Swizzled).
void write_shared(EmitContext& context, const Variable& tile, const std::string& place, std::int64_t columns) {
  const Layout layout = context.layout(tile.layout);
  const std::string owner = layout.owner_text();
  if (!owner.empty()) context.open("if (" + owner + ")");
  context.each(tile, "Swizzled<" + tile.type + ", " + number(columns) + ">::at(" + place + ", " +
                         context.index_text(tile.layout) + ") = " + tile.at() + ";");
  if (!owner.empty()) context.close();
}

}  // namespace

bool emit_dot(EmitContext& context, const ir::Op& op) {
  const DotShape shape = dot_shape(op, context.target());
  const Variable a = context.operand(op, 0), b = context.operand(op, 1), c = context.operand(op, 2);
  const Variable d = context.declare(op.result());
  context.each(d, d.at() + " = " + c.at() + ";");
  const std::int64_t a_bytes = (shape.batch * shape.rows * shape.depth * bytes_of(op.operand(0)) + 127) / 128 * 128;
  const std::int64_t b_bytes = (shape.batch * shape.depth * shape.columns * bytes_of(op.operand(1)) + 127) / 128 * 128;
  const std::string scratch = context.exchange(a_bytes + b_bytes);
  const std::string place_b = scratch + " + " + number(a_bytes);
  write_shared(context, a, scratch, shape.depth);
  write_shared(context, b, place_b, shape.columns);
  context.exchanged();
  const std::string extents = number(shape.rows) + ", " + number(shape.columns) + ", " + number(shape.depth);
  if (shape.kind == DotKind::mma) {
    const bool is_tf32 = a.type == "float";
    context.line(std::string("dot_mma<") + (is_tf32 ? "tf32" : a.type) + ", " + (is_tf32 ? "tf32" : b.type) + ", " +
                 extents + ", " + number(shape.warp_rows) + ", " + number(context.target().warps) + ">(" + d.name +
                 ", " + scratch + ", " + place_b + ", lane, warp);");
    return true;
  }
  const std::string index = context.index_text(d.layout);
  context.each(d, d.at() + " = dot_scalar<" + a.type + ", " + b.type + ", " + extents + ">(" + d.at() + ", " + scratch +
                      ", " + place_b + ", " + index + ");");
  return true;
}

}  // namespace lockstep::backend_cuda
