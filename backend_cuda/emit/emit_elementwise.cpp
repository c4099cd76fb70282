// Elementwise ops: one statement per register, from the row's text.
#include <algorithm>
#include <array>
#include <charconv>
#include <cstdio>

#include "backend_cuda/emit/emit.h"
#include "backend_cuda/emit/emit_context.h"
#include "backend_cuda/layout/persistent.h"
#include "backend_cuda/layout/program_order.h"
#include "ir/interfaces/op_kinds.h"
#include "support/float_formats.h"

namespace lockstep::backend_cuda {
namespace {


/// `text` with %0 .. %9 replaced by the operands and %T by the result's type.
std::string fill(std::string_view text, const std::vector<std::string>& operands, const std::string& type) {
  std::string filled;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '%' || i + 1 == text.size()) {
      filled += text[i];
      continue;
    }
    const char what = text[++i];
    if (what == 'T') {
      filled += type;
    } else if (what >= '0' && static_cast<std::size_t>(what - '0') < operands.size()) {
      filled += operands[static_cast<std::size_t>(what - '0')];
    } else {
      filled += what;
    }
  }
  return filled;
}

// A negative number, so that no operator before it takes its sign.
std::string in_brackets(const std::string& text) { return text[0] == '-' ? "(" + text + ")" : text; }

std::string integer_text(ScalarKind kind, std::uint64_t bits) {
  const int width = bit_width(kind);
  if (kind == ScalarKind::i1) return (bits & 1) != 0 ? "true" : "false";
  const auto value = static_cast<std::int64_t>(bits << (64 - width)) >> (64 - width);
  if (kind == ScalarKind::i64) {
    return value == INT64_MIN ? "(-9223372036854775807ll - 1)" : in_brackets(std::to_string(value) + "ll");
  }
  const std::string text = value == INT32_MIN ? "(-2147483647 - 1)" : in_brackets(std::to_string(value));
  if (kind == ScalarKind::i32) return text;
  return "(" + std::string(kind == ScalarKind::i8 ? "signed char" : "short") + ")" + text;
}

std::string hex_text(std::uint64_t bits) {
  std::array<char, 24> buffer{};
  std::snprintf(buffer.data(), buffer.size(), "0x%llx", static_cast<unsigned long long>(bits));
  return buffer.data();
}

// Decimal where that is exact and short, the bits otherwise.
std::string float_text(ScalarKind kind, std::uint64_t bits) {
  const double value = decode_float(kind, bits);
  const std::string type = kind == ScalarKind::f32 ? "float" : kind == ScalarKind::f64 ? "double" : "";
  if (type.empty()) return cpp_bits_text(kind, bits);
  const bool is_plain = value == value && value - value == 0;
  if (!is_plain)
    return kind == ScalarKind::f32 ? "bits_f32(" + hex_text(bits) + "u)" : "bits_f64(" + hex_text(bits) + "ull)";
  std::array<char, 64> buffer{};
  const auto end = kind == ScalarKind::f32
                       ? std::to_chars(buffer.data(), buffer.data() + buffer.size(), static_cast<float>(value))
                       : std::to_chars(buffer.data(), buffer.data() + buffer.size(), value);
  std::string text(buffer.data(), end.ptr);
  if (text.find_first_of(".e") == std::string::npos) text += ".0";
  return in_brackets(kind == ScalarKind::f32 ? text + "f" : text);
}

std::string element_text(ScalarKind kind, const std::byte* data) {
  std::uint64_t bits = 0;
  for (int i = 0; i < size_bytes(kind); ++i) bits |= static_cast<std::uint64_t>(data[i]) << (8 * i);
  return is_float(kind) ? float_text(kind, bits) : integer_text(kind, bits);
}

// A constant tile with different elements: read from a table by index.
bool emit_table(EmitContext& context, const ir::Op& op, ScalarKind kind, const std::vector<std::byte>& data) {
  const Variable result = context.declare(op.result());
  const std::string table = context.fresh("table");
  std::string text = "const " + result.type + " " + table + "[] = {";
  const auto bytes = static_cast<std::size_t>(size_bytes(kind));
  for (std::size_t i = 0; i + bytes <= data.size(); i += bytes) {
    text += (i == 0 ? "" : ", ") + element_text(kind, data.data() + i);
  }
  context.line(text + "};");
  context.each(result, result.at() + " = " + table + "[" + context.index_text(result.layout) + "];");
  return true;
}

/// How many registers in a row have equal results (axis_info.h), from those that such a run begins with.
int equal_run(const EmitContext& context, const ir::Op& op, LayoutId id) {
  const ir::Type type = op.result()->type();
  if (!type.is_tensor()) return 1;
  std::int64_t longest = 1;
  const ir::AxisInfo& info = context.axes().of(op.result());
  for (std::size_t d = 0; d < type.shape().size(); ++d) {
    const int held = context.layout(id).contiguous_bits(bits_in_order(type.shape(), {static_cast<int>(d)}));
    longest = std::max(longest, std::min(info.constancy[d], std::int64_t{1} << held));
  }
  return static_cast<int>(longest);
}

}  // namespace

bool emit_expression(EmitContext& context, const ir::Op& op, std::string_view text, int equal) {
  const Variable result = context.declare(op.result());
  if (result.type.empty()) return context.unsupported(op, "values of type " + op.result()->type().to_string());
  std::vector<std::string> operands;
  const std::string index = equal > 1 ? "r / " + number(equal) + " * " + number(equal) : "r";
  for (std::size_t i = 0; i < op.operand_count(); ++i) operands.push_back(context.operand(op, i).at(index));
  context.each(result, result.at() + " = " + fill(text, operands, result.type) + ";");
  return true;
}

std::string cpp_bits_text(ScalarKind kind, std::uint64_t bits) {
  constexpr std::array<const char*, 6> kNames = {"f8e4m3", "f8e5m2", "f8e4m3fnuz", "f8e5m2fnuz", "f16", "bf16"};
  const auto place = static_cast<std::size_t>(kind) - static_cast<std::size_t>(ScalarKind::f8E4M3FN);
  return std::string(kNames[place]) + "{" + hex_text(bits) + "}";
}

bool emit_text(EmitContext& context, const ir::Op& op) { return emit_expression(context, op, op.def().cuda_text); }

bool emit_compare(EmitContext& context, const ir::Op& op) {
  constexpr std::array<const char*, 10> kInteger = {"%0 == %1",
                                                    "%0 != %1",
                                                    "as_signed(%0) < as_signed(%1)",
                                                    "as_signed(%0) <= as_signed(%1)",
                                                    "as_signed(%0) > as_signed(%1)",
                                                    "as_signed(%0) >= as_signed(%1)",
                                                    "as_unsigned(%0) < as_unsigned(%1)",
                                                    "as_unsigned(%0) <= as_unsigned(%1)",
                                                    "as_unsigned(%0) > as_unsigned(%1)",
                                                    "as_unsigned(%0) >= as_unsigned(%1)"};
  // By the predicate's value; the second eight are true if either operand is a NaN.
  constexpr std::array<const char*, 16> kFloat = {"false",
                                                  "wide(%0) == wide(%1)",
                                                  "wide(%0) > wide(%1)",
                                                  "wide(%0) >= wide(%1)",
                                                  "wide(%0) < wide(%1)",
                                                  "wide(%0) <= wide(%1)",
                                                  "differs(%0, %1)",
                                                  "is_ordered(%0, %1)",
                                                  "!differs(%0, %1)",
                                                  "!(wide(%0) <= wide(%1))",
                                                  "!(wide(%0) < wide(%1))",
                                                  "!(wide(%0) >= wide(%1))",
                                                  "!(wide(%0) > wide(%1))",
                                                  "!(wide(%0) == wide(%1))",
                                                  "!is_ordered(%0, %1)",
                                                  "true"};
  const auto predicate = static_cast<std::size_t>(op.integer_attribute("predicate", 0));
  const bool is_integer = ir::is_integer_comparison(op);
  if (predicate >= (is_integer ? kInteger.size() : kFloat.size())) return context.unsupported(op, "its predicate");
  return emit_expression(context, op, is_integer ? kInteger[predicate] : kFloat[predicate], is_integer ? equal_run(context, op, context.variant()) : 1);
}

bool emit_pair(EmitContext& context, const ir::Op& op) {
  constexpr std::array<const char*, 2> kAdd = {"add(%0, %1)", "carries(%0, %1)"};
  constexpr std::array<const char*, 2> kSubtract = {"sub(%0, %1)", "borrows(%0, %1)"};
  constexpr std::array<const char*, 2> kSigned = {"mul(%0, %1)", "mulhi_signed(%0, %1)"};
  constexpr std::array<const char*, 2> kUnsigned = {"mul(%0, %1)", "mulhi_unsigned(%0, %1)"};
  constexpr std::array<const char*, 2> kAngle = {"narrow<%T>(sin_of(wide(%0)))", "narrow<%T>(cos_of(wide(%0)))"};
  const bool has_sign = op.def().numbers == ir::Numbers::with_sign;
  const auto texts = op.def().arithmetic == ir::Arithmetic::sum_with_carry           ? kAdd
                     : op.def().arithmetic == ir::Arithmetic::difference_with_borrow ? kSubtract
                     : op.def().arithmetic != ir::Arithmetic::whole_product          ? kAngle
                     : has_sign                                                      ? kSigned
                                                                                     : kUnsigned;
  std::vector<std::string> operands;
  for (std::size_t i = 0; i < op.operand_count(); ++i) operands.push_back(context.operand(op, i).at());
  for (std::size_t i = 0; i < texts.size(); ++i) {
    const Variable result = context.declare(op.result(i));
    context.each(result, result.at() + " = " + fill(texts[i], operands, result.type) + ";");
  }
  return true;
}

bool emit_constant(EmitContext& context, const ir::Op& op) {
  const ir::Attribute value = op.attribute("value");
  const auto kind = op.result()->type().element().scalar_kind();
  if (!kind || *kind == ScalarKind::pointer) return context.unsupported(op, "constants of this type");
  if (value.is_dense() && !value->is_splat) return emit_table(context, op, *kind, value->data);
  std::string text;
  if (value.is_dense()) {
    text = element_text(*kind, value->data.data());
  } else if (value.is_float()) {
    text = float_text(*kind, value->float_bits);
  } else {
    text = integer_text(*kind, static_cast<std::uint64_t>(value->integer));
  }
  const LayoutId variant = op.result()->type().is_tensor() ? context.variant() : kScalar;
  context.bind(op.result(), variant, {text, cpp_type(op.result()->type()), variant, 1, false});
  return true;
}

bool emit_poison(EmitContext& context, const ir::Op& op) { return emit_expression(context, op, "nothing<%T>()"); }

bool emit_make_range(EmitContext& context, const ir::Op& op) {
  const Variable result = context.declare(op.result());
  const std::int64_t start = op.integer_attribute("start", 0);
  const std::string index = context.index_text(result.layout);
  context.each(result, result.at() + " = " + (start == 0 ? "" : std::to_string(start) + " + ") + index + ";");
  return true;
}

bool emit_program_info(EmitContext& context, const ir::Op& op) {
  const auto axis = static_cast<std::size_t>(op.integer_attribute("axis", 0));
  if (axis > 2) return context.unsupported(op, "its axis");
  const bool is_id = ir::is_program_id(op);
  if (context.target().is_persistent) return emit_expression(context, op, is_id ? program_text(axis) : program_count_text(axis));
  return emit_expression(context, op, "(int)" + (is_id ? program_number(axis, context.target().long_axis) : std::string("gridDim.") + "xyz"[axis]));
}

}  // namespace lockstep::backend_cuda
