#include "frontend/gluon/layout_calls.h"

#include <algorithm>
#include <bit>

#include <fmt/format.h>

#include "frontend/gluon/layout_encoding.h"
#include "frontend/gluon/layout_text.h"
#include "frontend/host/host_values.h"
#include "frontend/semantics/value_text.h"
#include "ir/layouts/shape_rules.h"
#include "ir/layouts/tensor_memory_access.h"
#include "ir/layouts/to_linear.h"

namespace lockstep::frontend {

namespace {

using NamedArguments = std::vector<std::pair<std::string, Value>>;
using Field = LayoutField;
using Kind = LayoutField::Kind;

constexpr std::string_view kPrefix = "gl.";
constexpr std::string_view kDefaultFor = "gl.NVMMASharedLayout.get_default_for";
constexpr std::string_view kIdentityFor = "gl.PaddedSharedLayout.with_identity_for";
constexpr std::string_view kMemoryRegisters = "gl.get_tmem_reg_layout";
constexpr std::string_view kBarrierLayout = "gl.MBarrierLayout";
constexpr std::int64_t kMostNumber = std::int64_t{1} << 30;
constexpr std::size_t kMostElements = 64;

/// nullopt: no value that a layout has.
std::optional<Field> field_of_value(const Value& value, bool in_kernel, bool is_unwrapped) {
  if (const std::vector<Value>* elements = value.elements()) {
    Field list;
    list.kind = Kind::list;
    list.style = in_kernel ? ListStyle::triton_tuple : ListStyle::list;
    if (elements->size() > kMostElements) return std::nullopt;
    for (const Value& element : *elements) {
      const std::optional<Field> item = field_of_value(element, in_kernel, is_unwrapped);
      if (!item) return std::nullopt;
      list.items.push_back(*item);
    }
    return list;
  }
  const Constant* constant = value.constant();
  if (constant == nullptr) return std::nullopt;
  if (constant->is_none()) return Field::none();
  if (constant->is_bool()) return Field::of_bool(constant->truth());
  if (constant->layout() != nullptr) return Field::of_layout(constant->layout());
  if (!constant->is_integer() || constant->as_integer() < 0 || constant->as_integer() > kMostNumber)
    return std::nullopt;
  Field number = Field::of_number(static_cast<std::int64_t>(constant->as_integer()));
  number.is_wrapped = in_kernel && !is_unwrapped;
  return number;
}

/// Classes that take tl.constexpr out of their blocks' vectors.
bool unwraps_cluster(LayoutKind kind) {
  return kind == LayoutKind::nvmma_shared || kind == LayoutKind::linear || kind == LayoutKind::padded_shared ||
         kind == LayoutKind::shared_linear;
}

ValueResult construct_layout(const LayoutClass& type, const std::vector<Value>& positional,
                             const NamedArguments& keywords, bool in_kernel) {
  const std::size_t count = type.fields.size();
  std::vector<Value> given = positional;
  if (given.size() > count)
    return failure(fmt::format("TypeError: {}() takes {} arguments but {} were given", type.name, count, given.size()));
  given.resize(count);
  for (const auto& [name, value] : keywords) {
    const auto found = std::find(type.fields.begin(), type.fields.end(), name);
    const auto at = static_cast<std::size_t>(found - type.fields.begin());
    if (found == type.fields.end() || !given[at].is_invalid())
      return failure(fmt::format("TypeError: {}() got {} '{}'", type.name,
                                 found == type.fields.end() ? "an unexpected keyword argument" : "two values for",
                                 name));
    given[at] = value;
  }
  std::vector<Field> fields;
  for (std::size_t i = 0; i < count; ++i) {
    const bool is_cluster = type.fields[i] == "cga_layout";
    if (given[i].is_invalid()) {
      if (i + type.optional < count)
        return failure(fmt::format("TypeError: {}() is missing the argument '{}'", type.name, type.fields[i]));
      fields.push_back(default_field(type.fields[i]));
      continue;
    }
    std::optional<Field> field = field_of_value(given[i], in_kernel, !is_cluster || unwraps_cluster(type.kind));
    if (!field)
      return failure(fmt::format("TypeError: {}: '{}' cannot be {}", type.name, type.fields[i], describe(given[i])));
    const bool is_nothing = field->kind == Kind::none || (field->kind == Kind::list && field->items.empty());
    if (is_cluster && is_nothing && type.kind == LayoutKind::nvmma_shared) field = Field::of_numbers({});
    const bool becomes_list = type.kind == LayoutKind::linear || type.kind == LayoutKind::padded_shared ||
                              type.kind == LayoutKind::shared_linear;
    if (becomes_list && field->kind == Kind::list) field->style = ListStyle::list;
    fields.push_back(std::move(*field));
  }
  if (!has_valid_fields(type.kind, fields))
    return failure(fmt::format("AssertionError: {} is not a layout: its fields do not fit each other",
                               Layout{type.kind, fields}.repr()));
  return Value(Constant::layout(make_layout(type.kind, std::move(fields))));
}

/// Binds arguments by name; invalid values for those that are not given. nullopt: they do not fit.
std::optional<std::vector<Value>> bound(const std::vector<std::string_view>& names, const std::vector<Value>& positional,
                                        const NamedArguments& keywords) {
  std::vector<Value> values = positional;
  if (values.size() > names.size()) return std::nullopt;
  values.resize(names.size());
  for (const auto& [name, value] : keywords) {
    const auto found = std::find(names.begin(), names.end(), name);
    if (found == names.end()) return std::nullopt;
    values[static_cast<std::size_t>(found - names.begin())] = value;
  }
  return values;
}

std::optional<std::vector<std::int64_t>> integers(const Value& value) {
  const std::optional<Field> field = field_of_value(value, false, true);
  return field && has_numbers(*field) && !field->items.empty() ? std::optional(numbers_of(*field)) : std::nullopt;
}

/// The part of a shape that one block of a cluster has. nullopt: it does not divide.
std::optional<std::vector<std::int64_t>> shape_of_block(std::vector<std::int64_t> shape, const Field& cga) {
  if (cga.items.empty()) return shape;
  for (std::size_t i = 0; i < shape.size(); ++i) {
    std::int64_t largest = 1;
    for (const Field& basis : cga.items) largest = std::max(largest, basis.items[i].number);
    if (shape[i] % (2 * largest) != 0) return std::nullopt;
    shape[i] /= 2 * largest;
  }
  return shape;
}

/// The widest swizzle that rows of the shape fill.
std::int64_t widest_swizzle(const std::vector<std::int64_t>& shape, std::int64_t row_bytes) {
  std::int64_t rows = 1;
  for (std::size_t i = 0; i + 1 < shape.size(); ++i) rows *= shape[i];
  if (shape.size() < 2 || rows < 8) return 0;
  for (const std::int64_t width : {128, 64, 32}) {
    if (row_bytes >= width && row_bytes % width == 0) return width;
  }
  return 0;
}

ValueResult default_for(const std::vector<Value>& positional, const NamedArguments& keywords) {
  const auto values = bound({"block_shape", "dtype", "transposed", "fp4_padded", "cga_layout"}, positional, keywords);
  const auto shape = values ? integers((*values)[0]) : std::nullopt;
  if (!shape || !(*values)[1].is_dtype())
    return failure("TypeError: get_default_for() takes the shape of a block and a dtype");
  const DType& element = (*values)[1].constant()->type().element;
  const bool is_transposed = truth((*values)[2]).value_or(false), is_padded = truth((*values)[3]).value_or(false);
  const std::optional<Field> cga = (*values)[4].is_invalid() || (*values)[4].is_none()
                                       ? std::optional(Field::of_numbers({}))
                                       : field_of_value((*values)[4], false, true);
  if (!cga || !has_bases(*cga, shape->size())) return failure("AssertionError: cga_layout does not fit the shape");
  auto part = shape_of_block(*shape, *cga);
  if (!part) return failure("AssertionError: the shape is not divisible by the CGA layout");
  if (is_transposed) std::rotate(part->begin(), part->begin() + 1, part->end());
  const std::int64_t bytes = part->back() * (is_padded ? 2 : 1) * element.bit_width() / 8;
  std::vector<Field> fields{Field::of_number(widest_swizzle(*part, bytes)), Field::of_number(element.bit_width()),
                            Field::of_number(static_cast<std::int64_t>(shape->size())), Field::of_bool(is_transposed),
                            Field::of_bool(is_padded), *cga};
  if (!has_valid_fields(LayoutKind::nvmma_shared, fields))
    return failure(fmt::format("AssertionError: no NVMMASharedLayout holds {}", element.name()));
  return Value(Constant::layout(make_layout(LayoutKind::nvmma_shared, std::move(fields))));
}

ValueResult identity_for(const std::vector<Value>& positional, const NamedArguments& keywords) {
  const auto values = bound({"interval_padding_pairs", "shape", "order"}, positional, keywords);
  const auto shape = values ? integers((*values)[1]) : std::nullopt;
  const auto order = values ? integers((*values)[2]) : std::nullopt;
  const auto pairs = values ? field_of_value((*values)[0], false, true) : std::nullopt;
  const bool fits = shape && order && pairs && shape->size() == order->size() &&
                    std::all_of(shape->begin(), shape->end(), is_size) &&
                    std::all_of(order->begin(), order->end(), [&](std::int64_t axis) {
                      return axis < static_cast<std::int64_t>(shape->size());
                    });
  if (!fits) return failure("AssertionError: with_identity_for() takes pairs, a shape of powers of two and an order");
  std::vector<std::vector<std::int32_t>> bases;
  for (const std::int64_t axis : *order) {
    for (std::int64_t step = 1; step < (*shape)[static_cast<std::size_t>(axis)]; step *= 2) {
      bases.emplace_back(shape->size(), 0);
      bases.back()[static_cast<std::size_t>(axis)] = static_cast<std::int32_t>(step);
    }
  }
  std::vector<Field> fields{*pairs, Field::of_bases(bases), Field::of_numbers({}), Field::of_numbers(*shape)};
  if (!has_valid_fields(LayoutKind::padded_shared, fields))
    return failure("AssertionError: intervals and paddings are pairs of powers of two");
  return Value(Constant::layout(make_layout(LayoutKind::padded_shared, std::move(fields))));
}

ValueResult barrier_layout(const std::vector<Value>& positional, const NamedArguments& keywords, bool in_kernel) {
  const auto values = bound({"cga_layout"}, positional, keywords);
  if (!values) return failure("TypeError: MBarrierLayout() takes cga_layout");
  const bool is_given = !(*values)[0].is_invalid() && truth((*values)[0]).value_or(true);
  const std::optional<Field> cga =
      is_given ? field_of_value((*values)[0], in_kernel, false) : std::optional(Field::of_numbers({}));
  const Field one = Field::of_number(1);
  if (!cga || !has_bases(*cga, 1)) return failure("AssertionError: cga_layout of a barrier has vectors of one number");
  return Value(Constant::layout(make_layout(LayoutKind::swizzled_shared, {one, one, one, Field::of_numbers({0}), *cga})));
}

/// The layout of registers that loads and stores of tensor memory have.
ValueResult memory_registers(const std::vector<Value>& positional, const NamedArguments& keywords) {
  const auto values =
      bound({"element_ty", "shape", "layout", "num_warps", "instr_variant", "cga_layout"}, positional, keywords);
  const auto shape = values ? integers((*values)[1]) : std::nullopt;
  const auto warps = values ? field_of_value((*values)[3], false, true) : std::nullopt;
  const Constant* layout = values ? (*values)[2].constant() : nullptr;
  const bool fits = shape && shape->size() == 2 && (*values)[0].is_dtype() && layout != nullptr &&
                    layout->layout() != nullptr && layout->layout()->is_tensor_memory() && warps &&
                    warps->kind == Kind::number && is_size(warps->number) && warps->number >= 4 && warps->number <= 64;
  if (!fits)
    return failure("TypeError: get_tmem_reg_layout() takes a dtype, a shape of two axes, a layout of tensor memory and "
                   "a number of warps, 4 or more");
  const Value& variant = (*values)[4];
  const std::string name = variant.is_string() ? variant.constant()->text() : "32x32b";
  const auto instruction = ir::tensor_memory_shape(name);
  const Value& cga = (*values)[5];
  if (!instruction || !(cga.is_invalid() || cga.is_none() || (cga.elements() != nullptr && cga.elements()->empty())))
    return failure(instruction ? "NotImplementedError: get_tmem_reg_layout() with cga_layout is not supported yet"
                               : fmt::format("ValueError: unknown instr_variant: {}", name));
  const ir::Encoding encoding = memory_encoding(*layout->layout());
  const int bits = (*values)[0].constant()->type().element.bit_width();
  const bool is_possible = std::all_of(shape->begin(), shape->end(), is_size) && bits >= 8 && bits <= 32 &&
                           !ir::find_encoding_fault(encoding.parameters()) && !ir::find_shape_fault(encoding, *shape);
  const auto found = is_possible ? ir::tensor_memory_registers(ir::to_linear_layout(encoding, *shape), *instruction,
                                                               static_cast<std::int32_t>(warps->number), bits)
                                 : std::nullopt;
  if (!found)
    return failure(fmt::format("ValueError: TMEM layout '{}' unsupported for shape {} and num_warps {}", name,
                               shape_to_string(*shape), warps->number));
  const auto bases = [&](std::string_view input) { return Field::of_bases(found->bases(input)); };
  return Value(Constant::layout(make_layout(LayoutKind::linear, {bases("register"), bases("lane"), bases("warp"),
                                                                 bases("block"), Field::of_numbers(*shape)})));
}

Value value_of_field(const Field& field) {
  switch (field.kind) {
    case Kind::none: return Constant();
    case Kind::boolean: return Constant::boolean(field.number != 0);
    case Kind::number: return Constant::integer(field.number);
    case Kind::layout: return Constant::layout(field.layout);
    case Kind::list: break;
  }
  std::vector<Value> items;
  for (const Field& item : field.items) items.push_back(value_of_field(item));
  return Value::tuple(std::move(items));
}

}  // namespace

bool is_layout_function(std::string_view name) {
  if (name == kDefaultFor || name == kIdentityFor || name == kBarrierLayout || name == kMemoryRegisters) return true;
  return name.starts_with(kPrefix) && find_layout_class(name.substr(kPrefix.size())) != nullptr;
}

ValueResult call_layout_function(std::string_view name, const std::vector<Value>& positional,
                                 const NamedArguments& keywords, bool in_kernel) {
  if (name == kDefaultFor) return default_for(positional, keywords);
  if (name == kIdentityFor) return identity_for(positional, keywords);
  if (name == kMemoryRegisters) return memory_registers(positional, keywords);
  if (name == kBarrierLayout) return barrier_layout(positional, keywords, in_kernel);
  return construct_layout(*find_layout_class(name.substr(kPrefix.size())), positional, keywords, in_kernel);
}

std::optional<Value> layout_class_attribute(std::string_view function, std::string_view attribute) {
  const std::string name = fmt::format("{}.{}", function, attribute);
  if (name == kDefaultFor || name == kIdentityFor) return Value(HostFunction{name});
  return std::nullopt;
}

std::optional<Value> layout_attribute(const Layout& layout, std::string_view name) {
  const LayoutClass& type = layout_class(layout.kind);
  if (std::find(type.fields.begin(), type.fields.end(), name) != type.fields.end())
    return value_of_field(layout.field(name));
  if (name == "rank" && layout.is_distributed() && !layout.is_open())
    return Value(Constant::integer(static_cast<Integer>(layout.rank())));
  if (name == "cga_layout" && (layout.kind == LayoutKind::slice || layout.kind == LayoutKind::dot_operand))
    return value_of_field(layout.cga_layout());
  return std::nullopt;
}

}  // namespace lockstep::frontend
