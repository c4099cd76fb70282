// Dots whose elements are converted on their way to shared memory: f32 operands in three or six products are cut into
// pieces (S-70), results of 16 bits are summed in f32. mma.sync multiplies whole tiles, fused multiply-adds the others.
#include "backend_cuda/emit/emit_context.h"
#include "backend_cuda/emit/emit_dot.h"

#include <algorithm>

#include "backend_cuda/emit/emit.h"
#include "ir/op_def.h"

namespace lockstep::backend_cuda {
namespace {

int value_bytes(const ir::Value* value) { return size_bytes(*value->type().element().scalar_kind()); }

/// Elements of one side of a product: their type in shared memory, and how they come from x.
struct Piece {
  const char* type;
  int bytes;
  const char* text;
};
constexpr Piece kLarge{"float", 4, "tf32_near(x)"}, kSmall{"float", 4, "tf32_rest(x)"};
constexpr Piece kHigh{"bf16", 2, "bf16_piece<0>(x)"}, kMiddle{"bf16", 2, "bf16_piece<1>(x)"},
    kLow{"bf16", 2, "bf16_piece<2>(x)"};
constexpr Piece kCut{"float", 4, "tf32_cut(x)"};

struct Product {
  Piece a, b;
};

/// The products of an input precision, in order; before the last one NaN becomes 0. Empty: the operands as they are.
std::vector<Product> products_of(const ir::Op& op, DotKind kind) {
  const auto is_f32 = [&](std::size_t i) { return op.operand(i)->type().element().scalar_kind() == ScalarKind::f32; };
  if (!is_f32(0) || !is_f32(1)) return {};
  switch (op.integer_attribute("inputPrecision", 2)) {
    case 0: return kind == DotKind::mma ? std::vector<Product>{} : std::vector<Product>{{kCut, kCut}};
    case 1: return {{kSmall, kLarge}, {kLarge, kSmall}, {kLarge, kLarge}};
    case 3: return {{kMiddle, kHigh}, {kHigh, kMiddle}, {kHigh, kHigh}};
    case 4:
      return {{kMiddle, kMiddle}, {kLow, kHigh}, {kHigh, kLow}, {kMiddle, kHigh}, {kHigh, kMiddle}, {kHigh, kHigh}};
    default: return {};
  }
}

DotSide side_of(EmitContext& context, const Variable& tile, LayoutId id, std::int64_t rows, std::int64_t columns,
                const std::string& type, int bytes, const std::string& text) {
  const auto write = [&context, tile, id, rows, columns, type, text](const std::string& place) {
    const std::string owner = context.layout(id).owner_text();
    context.open(owner.empty() ? "" : "if (" + owner + ")");
    context.open("LS_EACH(" + number(context.layout(id).registers()) + ")");
    if (text != "x") context.line("const float x = " + tile.at() + ";");
    context.line("Stored<" + type + ", " + number(rows) + ", " + number(columns) + ", false>::at(" + place + ", " +
                 context.index_text(id) + ") = " + (text == "x" ? tile.at() : text) + ";");
    context.close();
    context.close();
  };
  return {type, bytes, write};
}

std::int64_t padded(std::int64_t bytes) { return (bytes + 1023) / 1024 * 1024; }

}  // namespace

void write_product(EmitContext& context, const DotShape& shape, const DotSide& a, const DotSide& b, const Variable& sum,
                   std::int64_t first, const std::function<void(const std::string& place)>& prepare) {
  const std::int64_t a_bytes = padded(shape.batch * shape.rows * shape.depth * a.bytes);
  const std::int64_t b_bytes = padded(shape.batch * shape.depth * shape.columns * b.bytes);
  const std::string scratch = context.memory().exchange(a_bytes + b_bytes + first);
  const std::string place_b = scratch + " + " + number(a_bytes);
  if (prepare != nullptr) {
    prepare(scratch + " + " + number(a_bytes + b_bytes));
    context.memory().barrier();
  }
  a.write(scratch);
  b.write(place_b);
  context.memory().exchanged();
  const std::string extents = number(shape.rows) + ", " + number(shape.columns) + ", " + number(shape.depth);
  const auto operand = [](const std::string& type) { return type == "float" ? "tf32" : type; };
  if (shape.kind == DotKind::mma) {
    context.line("dot_mma<" + operand(a.type) + ", " + operand(b.type) + ", " + extents + ", " +
                 number(shape.warp_rows) + ", " + number(context.target().warps) + ", false, false>(" + sum.name +
                 ", " + scratch + ", " + place_b + ", lane, warp);");
    return;
  }
  context.each(sum, sum.at() + " = dot_scalar<" + a.type + ", " + b.type + ", " + number(shape.batch) + ", " + extents +
                        ", false, false>(" + sum.at() + ", " + scratch + ", " + place_b + ", " +
                        context.index_text(sum.layout) + ");");
}

Variable start_sum(EmitContext& context, const Variable& result, const std::string& c) {
  const bool is_narrow = result.type == "f16" || result.type == "bf16";
  const Variable sum = context.temporary("sum", is_narrow ? "float" : result.type, result.layout);
  const std::string start = is_narrow ? "wide(" + c + ")" : c;
  context.each(sum, sum.at() + " = " + (c.empty() ? "0" : start) + ";");
  return sum;
}

bool emit_converted_dot(EmitContext& context, const ir::Op& op) {
  const DotShape shape = converted_dot_shape(op, context.target());
  const Variable a = context.operand(op, 0), b = context.operand(op, 1), c = context.operand(op, 2);
  const LayoutId a_layout = context.plan().operand_layout(op, 0, context.variant());
  const LayoutId b_layout = context.plan().operand_layout(op, 1, context.variant());
  const Variable d = context.declare(op.result());
  const bool is_narrow = d.type == "f16" || d.type == "bf16";
  const std::string end = is_narrow ? "narrow<" + d.type + ">(" : "(";
  const std::vector<Product> products = products_of(op, shape.kind);
  if (products.size() <= 1) {
    const Piece* piece = products.empty() ? nullptr : &products[0].a;
    const std::string text = piece != nullptr ? piece->text : "x";
    const Variable sum = start_sum(context, d, c.at());
    write_product(
        context, shape,
        side_of(context, a, a_layout, shape.batch * shape.rows, shape.depth, a.type, value_bytes(op.operand(0)), text),
        side_of(context, b, b_layout, shape.batch * shape.depth, shape.columns, b.type, value_bytes(op.operand(1)), text),
        sum);
    context.each(d, d.at() + " = " + end + sum.at() + ");");
    return true;
  }
  const Variable sum = start_sum(context, d, "");
  for (const Product& product : products) {
    if (&product == &products.back()) context.each(sum, sum.at() + " = without_nan(" + sum.at() + ");");
    write_product(context, shape,
                  side_of(context, a, a_layout, shape.batch * shape.rows, shape.depth, product.a.type, product.a.bytes,
                          product.a.text),
                  side_of(context, b, b_layout, shape.batch * shape.depth, shape.columns, product.b.type,
                          product.b.bytes, product.b.text),
                  sum);
  }
  context.each(d, d.at() + " = " + end + sum.at() + " + " + c.at() + ");");
  return true;
}

}  // namespace lockstep::backend_cuda
