// tt.dot_scaled (S-74): every element becomes f16 or bf16, is multiplied by its group's scale in that type and goes to
// shared memory; the product is tt.dot's. Scales go through shared memory first, where every thread reaches them.
#include <algorithm>

#include "backend_cuda/emit/emit.h"
#include "backend_cuda/emit/emit_context.h"
#include "backend_cuda/emit/emit_dot.h"
#include "ir/op_def.h"

namespace lockstep::backend_cuda {
namespace {

// The names of a_elem_type and b_elem_type.
constexpr std::int64_t kE4m3 = 0, kE5m2 = 1, kE2m1 = 4, kBf16 = 5, kFp16 = 6;

/// One operand with its scales.
struct Side {
  Variable tile, scale;
  LayoutId layout = kScalar, scale_layout = kScalar;
  const ir::Value* scale_value = nullptr;  // null: no scales
  std::int64_t element = kE4m3;
  bool is_right = false, packs_rows = false, packs_columns = false;
  std::int64_t columns = 1;             // of the whole matrix
  std::int64_t groups = 1, group = 32;  // scales of a row, elements of one
  std::string table;                    // C++ text of the scales in shared memory
};

/// Element `bits` (C++ text) in the compute type; empty: not supported.
std::string converted(const Side& side, const std::string& type, const std::string& x, const std::string& half) {
  switch (side.element) {
    case kE4m3: return "narrow<" + type + ">(wide(bits_as<f8e4m3>(" + x + ")))";
    case kE5m2: return "from_e5m2<" + type + ">(bits_as<f8e5m2>(" + x + "))";
    case kE2m1: return "narrow<" + type + ">(e2m1_of(" + x + " >> " + half + "))";
    case kBf16: return type == "bf16" ? "bits_as<bf16>(" + x + ")" : "";
    case kFp16: return type == "f16" ? "bits_as<f16>(" + x + ")" : "";
    default: return "";
  }
}

/// C++ text of the scale of element `e` of the matrix.
std::string scale_text(const Side& side, const DotShape& shape, const std::string& type, bool is_fast) {
  const std::string depth = number(shape.depth), columns = number(shape.columns);
  const std::string row =
      side.is_right ? "(e / " + number(shape.columns * shape.depth) + " * " + columns + " + e % " + columns + ")"
                    : "(e / " + depth + ")";
  const std::string k = side.is_right ? "(e / " + columns + " % " + depth + ")" : "(e % " + depth + ")";
  return "scale_of<" + type + ", " + (is_fast ? "true" : "false") + ">(" + side.table + "[" + row + " * " +
         number(side.groups) + " + " + k + " / " + number(side.group) + "])";
}

void write_elements(EmitContext& context, const Side& side, const DotShape& shape, const std::string& type,
                    bool is_fast, const std::string& place) {
  const std::string owner = context.layout(side.layout).owner_text();
  context.open(owner.empty() ? "" : "if (" + owner + ")");
  context.open("LS_EACH(" + number(context.layout(side.layout).registers()) + ")");
  const std::string index = context.index_text(side.layout), columns = number(side.columns);
  const std::string rows = number(shape.batch * (side.is_right ? shape.depth : shape.rows));
  const bool is_packed = side.packs_rows || side.packs_columns;
  for (int half = 0; half < (is_packed ? 2 : 1); ++half) {
    const std::string high = number(half);
    const std::string in_rows =
        "(" + index + " / " + columns + " * 2 + " + high + ") * " + columns + " + " + index + " % " + columns;
    const std::string in_columns = index + " * 2 + " + high;
    context.open("");
    context.line("const int e = " + (side.packs_rows ? in_rows : side.packs_columns ? in_columns : index) + ";");
    const std::string x = converted(side, type, side.tile.at(), number(4 * half));
    const std::string value =
        side.scale_value == nullptr ? x : "fmul(" + x + ", " + scale_text(side, shape, type, is_fast) + ")";
    context.line("Stored<" + type + ", " + rows + ", " + columns + ", false>::at(" + place + ", e) = " + value + ";");
    context.close();
  }
  context.close();
  context.close();
}

void write_scales(EmitContext& context, const Side& side) {
  if (side.scale_value == nullptr) return;
  const std::string owner = context.layout(side.scale_layout).owner_text();
  context.open(owner.empty() ? "" : "if (" + owner + ")");
  context.line("LS_EACH(" + number(context.layout(side.scale_layout).registers()) + ") " + side.table + "[" +
               context.index_text(side.scale_layout) + "] = " + side.scale.at() + ";");
  context.close();
}

std::int64_t scale_bytes(const Side& side) {
  return side.scale_value == nullptr ? 0 : (side.scale_value->type().element_count() + 15) / 16 * 16;
}

std::size_t operand_number(const ir::Op& op, const ir::Value* value, std::size_t from) {
  for (std::size_t i = from; i < op.operand_count(); ++i) {
    if (op.operand(i) == value) return i;
  }
  return from;
}

Side read_side(EmitContext& context, const ir::Op& op, const DotShape& shape, bool is_right) {
  Side side;
  const std::size_t i = is_right ? 1 : 0;
  side.is_right = is_right;
  side.tile = context.operand(op, i);
  side.layout = context.plan().operand_layout(op, i, context.variant());
  side.element = op.integer_attribute(is_right ? "b_elem_type" : "a_elem_type", kE4m3);
  const bool along_k = op.integer_attribute(is_right ? "rhs_k_pack" : "lhs_k_pack", 1) != 0;
  if (side.element == kE2m1) (along_k == is_right ? side.packs_rows : side.packs_columns) = true;
  side.columns = is_right ? shape.columns : shape.depth;
  side.scale_value = op.operand_or_null(is_right ? 4 : 3);
  if (side.scale_value == nullptr) return side;
  const std::size_t place = operand_number(op, side.scale_value, is_right && op.operand_or_null(3) != nullptr ? 4 : 3);
  side.scale = context.operand(op, place);
  side.scale_layout = context.plan().operand_layout(op, place, context.variant());
  side.groups = side.scale_value->type().shape().back();
  side.group = std::max<std::int64_t>(shape.depth / side.groups, 1);
  return side;
}

}  // namespace

bool emit_dot_scaled(EmitContext& context, const ir::Op& op) {
  const DotShape shape = converted_dot_shape(op, context.target());
  Side a = read_side(context, op, shape, false), b = read_side(context, op, shape, true);
  const std::string type = a.element == kFp16 || b.element == kFp16 ? "f16" : "bf16";
  if (converted(a, type, "x", "0").empty() || converted(b, type, "x", "0").empty()) {
    return context.unsupported(op, "e2m3, e3m2, or fp16 beside bf16 (docs/semantics.md S-74)");
  }
  const bool is_fast = op.integer_attribute("fastMath", 0) != 0;
  const Variable d = context.declare(op.result());
  const Variable sum = start_sum(context, d, context.operand(op, 2).at());
  const auto prepare = [&](const std::string& place) {
    a.table = "reinterpret_cast<" + a.scale.type + "*>(" + place + ")";
    b.table = "reinterpret_cast<" + b.scale.type + "*>(" + place + " + " + number(scale_bytes(a)) + ")";
    write_scales(context, a);
    write_scales(context, b);
  };
  const auto write = [&](const Side& side) {
    return [&](const std::string& place) { write_elements(context, side, shape, type, is_fast, place); };
  };
  write_product(context, shape, {type, 2, write(a)}, {type, 2, write(b)}, sum, scale_bytes(a) + scale_bytes(b),
                prepare);
  const bool is_narrow = d.type == "f16" || d.type == "bf16";
  context.each(d, d.at() + " = " + (is_narrow ? "narrow<" + d.type + ">(" : "(") + sum.at() + ");");
  return true;
}

}  // namespace lockstep::backend_cuda
