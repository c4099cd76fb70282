#include "frontend/semantics/types.h"

#include <array>
#include <charconv>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "frontend/gluon/layout_encoding.h"
#include "frontend/gluon/layout_text.h"

namespace lockstep::frontend {

namespace {

struct ScalarFacts {
  std::string_view name;
  std::string_view python_name;
  std::string_view mangled;
  int bits;
  int mantissa;
  int bias;
  ScalarKind kind;
};

// In the order of Scalar. fp8e4b15 lives in i8 (Triton converts it with inline assembly).
constexpr std::array<ScalarFacts, 19> kFacts{{
    {"void", "void", "V", 0, 0, 0, ScalarKind::i8},
    {"int1", "int1", "u1", 1, 0, 0, ScalarKind::i1},
    {"int8", "int8", "i8", 8, 0, 0, ScalarKind::i8},
    {"int16", "int16", "i16", 16, 0, 0, ScalarKind::i16},
    {"int32", "int32", "i32", 32, 0, 0, ScalarKind::i32},
    {"int64", "int64", "i64", 64, 0, 0, ScalarKind::i64},
    {"uint8", "uint8", "u8", 8, 0, 0, ScalarKind::i8},
    {"uint16", "uint16", "u16", 16, 0, 0, ScalarKind::i16},
    {"uint32", "uint32", "u32", 32, 0, 0, ScalarKind::i32},
    {"uint64", "uint64", "u64", 64, 0, 0, ScalarKind::i64},
    {"fp8e4b15", "float8e4b15", "fp8e4b15", 8, 3, 15, ScalarKind::i8},
    {"fp8e4nv", "float8e4nv", "fp8e4nv", 8, 3, 7, ScalarKind::f8E4M3FN},
    {"fp8e4b8", "float8e4b8", "fp8e4b8", 8, 3, 8, ScalarKind::f8E4M3FNUZ},
    {"fp8e5", "float8e5", "fp8e5", 8, 2, 15, ScalarKind::f8E5M2},
    {"fp8e5b16", "float8e5b16", "fp8e5b16", 8, 2, 16, ScalarKind::f8E5M2FNUZ},
    {"fp16", "float16", "fp16", 16, 10, 15, ScalarKind::f16},
    {"bf16", "bfloat16", "bf16", 16, 7, 127, ScalarKind::bf16},
    {"fp32", "float32", "fp32", 32, 23, 127, ScalarKind::f32},
    {"fp64", "float64", "fp64", 64, 52, 1023, ScalarKind::f64},
}};

const ScalarFacts& facts(Scalar scalar) { return kFacts[static_cast<std::size_t>(scalar)]; }

struct Alias {
  std::string_view spelling;
  Scalar scalar;
};
constexpr std::array<Alias, 22> kAliases{{
    {"i1", Scalar::int1},
    {"uint1", Scalar::int1},
    {"u1", Scalar::int1},
    {"bool", Scalar::int1},
    {"i8", Scalar::int8},
    {"i16", Scalar::int16},
    {"i32", Scalar::int32},
    {"int", Scalar::int32},
    {"i64", Scalar::int64},
    {"u8", Scalar::uint8},
    {"u16", Scalar::uint16},
    {"u32", Scalar::uint32},
    {"u64", Scalar::uint64},
    {"half", Scalar::fp16},
    {"float", Scalar::fp32},
    {"double", Scalar::fp64},
    {"float8_e4m3fn", Scalar::fp8e4nv},
    {"float8_e4m3fnuz", Scalar::fp8e4b8},
    {"float8_e5m2", Scalar::fp8e5},
    {"float8_e5m2fnuz", Scalar::fp8e5b16},
    {"f16", Scalar::fp16},
    {"f32", Scalar::fp32},
}};

}  // namespace

DType DType::pointer_to(ValueType pointee, std::uint32_t address_space, bool is_const) {
  DType type(Scalar::pointer);
  type.address_space_ = address_space;
  type.is_const_ = is_const;
  type.pointee_ = std::make_shared<const ValueType>(std::move(pointee));
  return type;
}

int DType::bit_width() const { return is_ptr() ? 64 : facts(scalar_).bits; }
int DType::mantissa_width() const { return is_ptr() ? 0 : facts(scalar_).mantissa; }
int DType::exponent_bias() const { return is_ptr() ? 0 : facts(scalar_).bias; }

const ValueType& DType::pointee() const {
  static const ValueType kNothing;
  return pointee_ ? *pointee_ : kNothing;
}

std::string DType::name() const {
  if (is_ptr()) {
    const ValueType& inner = pointee();
    return fmt::format("{}<{}>", is_const_ ? "const_pointer" : "pointer",
                       inner.is_block() ? inner.to_string() : inner.element.name());
  }
  return std::string(facts(scalar_).name);
}

std::string DType::python_name() const { return is_ptr() ? name() : std::string(facts(scalar_).python_name); }

std::string DType::mangle() const { return is_ptr() ? "P" + pointee().mangle() : std::string(facts(scalar_).mangled); }

bool DType::operator==(const DType& other) const {
  if (scalar_ != other.scalar_) return false;
  return !is_ptr() ||
         (is_const_ == other.is_const_ && address_space_ == other.address_space_ && pointee() == other.pointee());
}

std::int64_t ValueType::numel() const {
  std::int64_t product = 1;
  for (const std::int64_t extent : shape) product *= extent;
  return product;
}

std::string shape_to_string(const std::vector<std::int64_t>& shape) {
  return fmt::format("[{}]", fmt::join(shape, ", "));
}

bool ValueType::operator==(const ValueType& other) const {
  return element == other.element && shape == other.shape && same_layout(layout, other.layout);
}

std::string ValueType::to_string() const {
  if (layout != nullptr) return fmt::format("<{}, {}, {}>", shape_to_string(shape), element.name(), layout->repr());
  return is_block() ? element.name() + shape_to_string(shape) : element.name();
}

std::string ValueType::mangle() const {
  if (!is_block()) return element.mangle();
  const std::string plain = fmt::format("{}S{}S", element.mangle(), fmt::join(shape, "_"));
  return layout != nullptr ? fmt::format("{}L{}L", plain, layout->mangle()) : plain;
}

std::string HandleType::to_string() const {
  if (kind == Kind::accumulator) return fmt::format("warpgroup_mma_accumulator<{}>", view.to_string());
  return fmt::format("{}_memory_descriptor<{}, {}, {}>", kind == Kind::shared ? "shared" : "tensor",
                     view.element.name(), shape_to_string(view.shape), view.layout->repr());
}

std::string HandleType::mangle() const {
  if (kind == Kind::accumulator) return fmt::format("FT{}FT", view.mangle());
  const std::string of_allocation = prints_as_tuple ? fmt::format("['{}']", fmt::join(allocation, "', '"))
                                                    : shape_to_string(allocation);
  return fmt::format("MD{}S{}SL{}LAS{}ASMD", view.element.mangle(), fmt::join(view.shape, "_"), view.layout->mangle(),
                     of_allocation);
}

/// As in Triton, the element does not count for views of buffers.
bool HandleType::operator==(const HandleType& other) const {
  if (kind != other.kind) return false;
  if (kind == Kind::accumulator) return view == other.view;
  return view.shape == other.view.shape && same_layout(view.layout, other.view.layout) &&
         allocation == other.allocation;
}

std::optional<DType> integer_type(int bits, bool is_signed) {
  switch (bits) {
    case 1: return DType(Scalar::int1);
    case 8: return DType(is_signed ? Scalar::int8 : Scalar::uint8);
    case 16: return DType(is_signed ? Scalar::int16 : Scalar::uint16);
    case 32: return DType(is_signed ? Scalar::int32 : Scalar::uint32);
    case 64: return DType(is_signed ? Scalar::int64 : Scalar::uint64);
    default: return std::nullopt;
  }
}

std::optional<DType> parse_dtype_name(std::string_view name) {
  for (std::size_t i = 0; i < kFacts.size(); ++i) {
    if (kFacts[i].name == name || kFacts[i].python_name == name) return DType(static_cast<Scalar>(i));
  }
  for (const Alias& alias : kAliases) {
    if (alias.spelling == name) return DType(alias.scalar);
  }
  return std::nullopt;
}

std::optional<DType> parse_signature_type(std::string_view text) {
  if (text.size() > 64) return std::nullopt;
  if (!text.starts_with('*')) return parse_dtype_name(text);
  text.remove_prefix(1);
  const bool is_const = text.starts_with('k');
  if (is_const) text.remove_prefix(1);
  const std::optional<DType> pointee = parse_signature_type(text);
  if (!pointee || pointee->is_void()) return std::nullopt;
  return DType::pointer_to(ValueType{*pointee, {}}, 1, is_const);
}

std::optional<ValueType> parse_descriptor_type(std::string_view text) {
  constexpr std::string_view kOpen = "tensordesc<";
  const std::size_t bracket = text.find('[');
  if (!text.starts_with(kOpen) || !text.ends_with('>') || bracket == std::string_view::npos) return std::nullopt;
  const std::size_t close = text.find(']', bracket);
  const std::string_view rest = close == std::string_view::npos ? "" : text.substr(close + 1, text.size() - close - 2);
  LayoutPtr layout;
  if (!rest.empty()) {  // of Gluon's
    layout = rest.starts_with(',') ? parse_layout(rest.substr(1)) : nullptr;
    if (layout == nullptr || !layout->is_shared()) return std::nullopt;
  }
  text = text.substr(0, close == std::string_view::npos ? 0 : close + 1);
  if (text.size() > 128) return std::nullopt;
  const std::optional<DType> element = parse_dtype_name(text.substr(kOpen.size(), bracket - kOpen.size()));
  if (!element || element->is_void()) return std::nullopt;
  ValueType block{*element, {}};
  block.layout = layout;
  std::string_view extents = text.substr(bracket + 1, text.size() - bracket - 2);
  while (!extents.empty()) {
    while (extents.starts_with(' ')) extents.remove_prefix(1);
    std::int64_t extent = 0;
    const std::from_chars_result end = std::from_chars(extents.data(), extents.data() + extents.size(), extent);
    if (end.ec != std::errc() || extent < 1 || extent > kMaxElements || (extent & (extent - 1)) != 0)
      return std::nullopt;
    extents.remove_prefix(static_cast<std::size_t>(end.ptr - extents.data()));
    if (!extents.empty() && !extents.starts_with(',')) return std::nullopt;
    if (!extents.empty()) extents.remove_prefix(1);
    block.shape.push_back(extent);
    if (block.shape.size() > 5 || block.numel() > kMaxElements) return std::nullopt;
  }
  return block.shape.empty() ? std::nullopt : std::optional(block);
}

ir::Type to_ir(ir::Context& context, const DType& type) {
  if (type.is_ptr()) return context.pointer(to_ir(context, type.pointee()), type.address_space());
  if (type.is_void()) return context.none();
  return context.scalar(facts(type.scalar()).kind);
}

ir::Type to_ir(ir::Context& context, const ValueType& type) {
  const ir::Type element = to_ir(context, type.element);
  if (!type.is_block()) return element;
  if (type.layout == nullptr) return context.tensor(type.shape, element);
  return context.tensor(type.shape, element, context.encoding_attribute(to_encoding(context, *type.layout)));
}

ir::Type to_ir(ir::Context& context, const HandleType& type) {
  const ir::Type view = to_ir(context, type.view);
  if (type.kind == HandleType::Kind::accumulator) return view;
  const bool is_shared = type.kind == HandleType::Kind::shared;
  const ir::Attribute space = context.opaque_attribute(is_shared ? "#ttg.shared_memory" : "#ttng.tensor_memory");
  return context.memdesc(view, space, true,
                         type.allocation == type.view.shape ? std::vector<std::int64_t>() : type.allocation);
}

ir::Type descriptor_to_ir(ir::Context& context, const ValueType& block) {
  const ir::Signedness sign = block.element.is_signed() ? ir::Signedness::is_signed : ir::Signedness::is_unsigned;
  return context.descriptor(to_ir(context, block), block.element.is_int() ? sign : ir::Signedness::none);
}

}  // namespace lockstep::frontend
