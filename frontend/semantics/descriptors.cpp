// Block pointers and tensor descriptors: blocks of a strided tensor, which a kernel addresses by offsets.
#include <algorithm>
#include <array>
#include <numeric>

#include <fmt/format.h>

#include "frontend/semantics/semantics.h"
#include "frontend/semantics/value_text.h"

namespace lockstep::frontend::semantics {

namespace {

constexpr std::size_t kMaxDescriptorRank = 5;

constexpr std::int64_t kPadZero = 1, kPadNan = 2;

bool is(const DType& type, std::initializer_list<Scalar> scalars) {
  return !type.is_ptr() && std::find(scalars.begin(), scalars.end(), type.scalar()) != scalars.end();
}

/// A tuple's elements, or the single value.
std::vector<Value> list_of(const Value& value) {
  return value.elements() != nullptr ? *value.elements() : std::vector<Value>{value};
}

struct ReduceKind {
  std::string_view name;
  std::int64_t value;
};

constexpr std::array<ReduceKind, 6> kReduceKinds{
    {{"add", 1}, {"min", 2}, {"max", 3}, {"and", 6}, {"or", 7}, {"xor", 8}}};

bool reduces(std::string_view kind, const DType& type) {
  if (kind == "add")
    return is(type, {Scalar::uint32, Scalar::int32, Scalar::uint64, Scalar::fp32, Scalar::fp16, Scalar::bf16});
  if (is(type, {Scalar::uint32, Scalar::int32, Scalar::uint64, Scalar::int64})) return true;
  return (kind == "min" || kind == "max") && is(type, {Scalar::fp16, Scalar::bf16});
}

ir::Value* index_value(OpBuilder& in, const Value& element, bool wide) {
  const auto fail = [&](std::string message, std::string hint = {}) -> ir::Value* {
    in.reporter().error(codes::kBlock, std::move(message), std::move(hint));
    return nullptr;
  };
  const int width = wide ? 64 : 32;
  if (const Constant* constant = element.constant(); constant != nullptr && constant->is_integer()) {
    const Integer limit = Integer{1} << (width - 1);
    const Integer value = constant->as_integer();
    if (value < -limit || value >= limit)
      return fail(fmt::format("the number {} does not fit {} bits", constant->str(), width));
    return in.emitter().constant(in.emitter().context().integer(static_cast<std::uint32_t>(width)),
                                 static_cast<std::uint64_t>(value) & (wide ? ~std::uint64_t{0} : 0xffff'ffffU));
  }
  const Tensor* tensor = element.tensor();
  if (tensor == nullptr || tensor->is_block() || !tensor->element().is_int())
    return element.is_invalid()
               ? nullptr
               : fail(fmt::format("shapes, strides and offsets are integer scalars, not {}", describe(element)));
  if (!wide && tensor->element().bit_width() != 32) {
    return fail(fmt::format("offsets are 32-bit integers, not {}", tensor->element().name()),
                "add .to(tl.int32), or use pointers for 64-bit offsets");
  }
  return wide && !(tensor->element() == DType(Scalar::int64)) ? cast(in, *tensor, DType(Scalar::int64)).handle
                                                              : tensor->handle;
}

std::optional<std::vector<ir::NamedAttribute>> boundary_attributes(OpBuilder& in, Shape& boundary_check,
                                                                   const Shape& block) {
  std::sort(boundary_check.begin(), boundary_check.end());
  const bool repeats = std::adjacent_find(boundary_check.begin(), boundary_check.end()) != boundary_check.end();
  const auto rank = static_cast<std::int64_t>(block.size());
  if (repeats || (!boundary_check.empty() && (boundary_check.front() < 0 || boundary_check.back() >= rank))) {
    in.reporter().error(codes::kBlock, fmt::format("boundary_check {} must name axes of {}, each once",
                                                   shape_to_string(boundary_check), shape_to_string(block)));
    return std::nullopt;
  }
  std::vector<ir::NamedAttribute> attributes;
  if (!boundary_check.empty()) {
    attributes.push_back(
        {"boundaryCheck", in.emitter().context().dense_array(in.emitter().context().integer(32), boundary_check)});
  }
  return attributes;
}

std::optional<std::vector<ir::Value*>> descriptor_operands(OpBuilder& in, const DescriptorValue& descriptor,
                                                           const Value& offsets) {
  if (offsets.is_invalid()) return std::nullopt;
  const std::size_t rank = descriptor.block.shape.size();
  if (offsets.elements() == nullptr || offsets.elements()->size() != rank) {
    in.reporter().error(codes::kBlock, fmt::format("expected {} offsets, but got {}", rank, describe(offsets)));
    return std::nullopt;
  }
  return index_values(in, offsets, false);
}

bool check_stored_block(OpBuilder& in, const DescriptorValue& descriptor, const Tensor& value) {
  if (!value || value.type.shape == descriptor.block.shape) return static_cast<bool>(value);
  in.reporter().error(codes::kBlock,
                      fmt::format("the value has shape {}, the descriptor's blocks {}",
                                  shape_to_string(value.type.shape), shape_to_string(descriptor.block.shape)));
  return false;
}

bool check_rows(OpBuilder& in, const DescriptorValue& descriptor, const Tensor& rows, std::string_view what) {
  const Shape& block = descriptor.block.shape;
  const auto fail = [&](std::string message) {
    in.reporter().error(codes::kBlock, fmt::format("descriptor {}: {}", what, message));
    return false;
  };
  if (!rows) return false;
  if (block.size() != 2 || block[0] != 1)
    return fail(fmt::format("the block must be one row, not {}", shape_to_string(block)));
  if (rows.type.shape.size() != 1 || !rows.element().is_int())
    return fail(fmt::format("the row numbers must be a 1-D block of integers, not {}", rows.type.to_string()));
  if (rows.type.shape[0] < 8) return fail(fmt::format("at least 8 rows are needed, not {}", rows.type.shape[0]));
  const std::int64_t least = 32 / descriptor.block.element.bit_width() * 8;
  if (block[1] < least)
    return fail(
        fmt::format("at least {} columns of {} are needed, not {}", least, descriptor.block.element.name(), block[1]));
  return true;
}

}  // namespace

std::optional<std::vector<ir::Value*>> index_values(OpBuilder& in, const Value& list, bool wide) {
  std::vector<ir::Value*> values;
  for (const Value& element : list_of(list)) {
    values.push_back(index_value(in, element, wide));
    if (values.back() == nullptr) return std::nullopt;
  }
  return values;
}

Tensor make_block_ptr(OpBuilder& in, Tensor base, const Value& shape, const Value& strides, const Value& offsets,
                      const Shape& block, const Shape& order) {
  const auto extents = index_values(in, shape, true);
  const auto steps = extents ? index_values(in, strides, true) : std::nullopt;
  const auto begin = steps ? index_values(in, offsets, false) : std::nullopt;
  if (!begin || !base) return {};
  if (base.is_block() || !base.element().is_ptr() || is_block_pointer(base) ||
      base.element().pointee().element.is_void()) {
    in.reporter().error(codes::kPointer,
                        fmt::format("tl.make_block_ptr needs a scalar pointer as base, not {}", base.type.to_string()));
    return {};
  }
  Shape sorted = order;
  std::sort(sorted.begin(), sorted.end());
  Shape axes(order.size());
  std::iota(axes.begin(), axes.end(), 0);
  if (sorted != axes) {
    in.reporter().error(codes::kBlock,
                        fmt::format("order {} is not a permutation of 0 to {}", shape_to_string(order), order.size() - 1));
    return {};
  }
  const std::size_t rank = block.size();
  if (rank == 0 || extents->size() != rank || steps->size() != rank || begin->size() != rank || order.size() != rank) {
    in.reporter().error(codes::kBlock,
                        fmt::format("shape, strides, offsets, block_shape and order have {}, {}, {}, {} and {} entries",
                                    extents->size(), steps->size(), begin->size(), rank, order.size()),
                        "give one entry per axis to each of them");
    return {};
  }
  if (base.element().pointee().element.is_bool())
    base = cast(in, base, DType::pointer_to({DType(Scalar::int8), {}}, base.element().address_space()));
  if (!base || !check_shape(in, block)) return {};
  std::vector<ir::Value*> operands{base.handle};
  for (const std::vector<ir::Value*>* group : {&*extents, &*steps, &*begin})
    operands.insert(operands.end(), group->begin(), group->end());
  const DType type = DType::pointer_to(ValueType{base.element().pointee().element, block});
  const auto count = static_cast<std::uint32_t>(rank);
  const ir::Type lowered = to_ir(in.emitter().context(), type);
  ir::Op* op =
      in.emitter().create("tt.make_tensor_ptr", operands, {lowered},
                          {{"order", in.emitter().context().dense_array(in.emitter().context().integer(32), order)}},
                          {1, count, count, count});
  return {op->result(), {type, {}}};
}

Tensor advance(OpBuilder& in, const Tensor& pointer, const Value& offsets) {
  const auto steps = index_values(in, offsets, false);
  if (!steps || !pointer) return {};
  if (!is_block_pointer(pointer) || steps->size() != pointer.element().pointee().shape.size()) {
    in.reporter().error(codes::kBlock,
                        fmt::format("tl.advance needs a block pointer and one offset per axis, not {} and {} offsets",
                                    pointer.type.to_string(), steps->size()));
    return {};
  }
  std::vector<ir::Value*> operands{pointer.handle};
  operands.insert(operands.end(), steps->begin(), steps->end());
  return in.make("tt.advance", operands, pointer.type);
}

Tensor load_block(OpBuilder& in, const Tensor& pointer, Shape boundary_check, const std::string& padding,
                  const AccessHints& hints) {
  const ValueType& block = pointer.element().pointee();
  if (!padding.empty() && padding != "zero" && padding != "nan") {
    in.reporter().error(codes::kBlock, fmt::format("'{}' is not a padding option", padding), "use \"zero\" or \"nan\"");
    return {};
  }
  if (padding == "nan" && block.element.is_int()) {
    in.reporter().error(codes::kBlock, fmt::format("padding \"nan\" is not possible for {}", block.element.name()));
    return {};
  }
  auto attributes = boundary_attributes(in, boundary_check, block.shape);
  bool ok = true;
  std::vector<ir::NamedAttribute> hinted = hint_attributes(in, hints, true, ok);
  if (!attributes || !ok) return {};
  if (!padding.empty()) attributes->push_back(in.integer("padding", padding == "nan" ? kPadNan : kPadZero));
  attributes->insert(attributes->end(), hinted.begin(), hinted.end());
  const ir::Type lowered = to_ir(in.emitter().context(), block);
  return {in.emitter().create("tt.load", {pointer.handle}, {lowered}, std::move(*attributes), {1, 0, 0})->result(),
          block};
}

bool store_block(OpBuilder& in, const Tensor& pointer, Tensor value, Shape boundary_check, const AccessHints& hints) {
  const ValueType& block = pointer.element().pointee();
  if (!value.is_block()) value = broadcast_to(in, value, block.shape);
  if (!value) return false;
  if (!(value.type == block)) {
    in.reporter().error(
        codes::kBlock,
        fmt::format("a store through a block pointer needs {}, not {}", block.to_string(), value.type.to_string()),
        "block pointers do not convert: cast the value with .to(...)");
    return false;
  }
  auto attributes = boundary_attributes(in, boundary_check, block.shape);
  bool ok = true;
  std::vector<ir::NamedAttribute> hinted = hint_attributes(in, hints, false, ok);
  if (!attributes || !ok) return false;
  attributes->insert(attributes->end(), hinted.begin(), hinted.end());
  in.emitter().create("tt.store", {pointer.handle, value.handle}, {}, std::move(*attributes));
  return true;
}

Value make_descriptor(OpBuilder& in, const Tensor& base, const Value& shape, const Value& strides, const Shape& block,
                      const std::string& padding, const LayoutPtr& layout) {
  if (!base) return {};
  const auto fail = [&](std::string message, std::string hint = {}) {
    in.reporter().error(codes::kBlock, std::move(message), std::move(hint));
    return Value();
  };
  if (base.is_block() || !base.element().is_ptr() || is_block_pointer(base))
    return fail(fmt::format("tl.make_tensor_descriptor needs a scalar pointer as base, not {}", base.type.to_string()));
  const std::vector<Value> extents = list_of(shape);
  const std::vector<Value> steps = list_of(strides);
  const std::size_t rank = extents.size();
  if (rank < 1 || rank > kMaxDescriptorRank)
    return fail(fmt::format("a tensor descriptor has 1 to {} axes, not {}", kMaxDescriptorRank, rank));
  if (steps.size() != rank || block.size() != rank)
    return fail(fmt::format("{} axes, but {} strides and a block of {} axes", rank, steps.size(), block.size()));
  const DType element = base.element().pointee().element;
  const std::int64_t row_bytes = block.back() * (element.bit_width() / 8);
  if (row_bytes < 16)
    return fail(fmt::format("the last axis of the block must have at least 16 bytes, not {} * {} = {}", block.back(),
                            element.bit_width() / 8, row_bytes));
  const Constant* last = steps.back().constant();
  if (last == nullptr || !last->is_integral() || last->as_integer() != 1)
    return fail(fmt::format("the last stride must be the number 1, not {}", describe(steps.back())),
                "the last axis of a tensor descriptor is contiguous");
  if (!padding.empty() && padding != "zero" && padding != "nan")
    return fail(fmt::format("'{}' is not a padding option", padding), "use \"zero\" or \"nan\"");
  if (padding == "nan" && element.is_int())
    return fail(fmt::format("padding \"nan\" is not possible for {}", element.name()));
  std::vector<ir::Value*> operands{base.handle};
  std::array<std::vector<Value>, 2> parts;
  for (std::size_t i = 0; i < 2; ++i) {
    for (const Value& value : i == 0 ? extents : steps) {
      const Tensor scalar = full(in, {}, value, DType(i == 0 ? Scalar::int32 : Scalar::int64));
      if (!scalar) return {};
      operands.push_back(scalar.handle);
      parts[i].emplace_back(scalar);
    }
  }
  if (!check_shape(in, block)) return {};
  const ValueType type{element, block, layout};
  const auto count = static_cast<std::uint32_t>(rank);
  ir::Op* op =
      in.emitter().create("tt.make_tensor_descriptor", operands, {descriptor_to_ir(in.emitter().context(), type)},
                          {in.integer("padding", padding == "nan" ? kPadNan : kPadZero)}, {1, count, count});
  std::vector<Value> geometry{Value::tuple(std::move(parts[0])), Value::tuple(std::move(parts[1]))};
  return DescriptorValue{op->result(), type, std::make_shared<const std::vector<Value>>(std::move(geometry))};
}

Tensor descriptor_load(OpBuilder& in, const DescriptorValue& descriptor, const Value& offsets) {
  const auto begin = descriptor_operands(in, descriptor, offsets);
  if (!begin) return {};
  std::vector<ir::Value*> operands{descriptor.handle};
  operands.insert(operands.end(), begin->begin(), begin->end());
  return in.make("tt.descriptor_load", operands, descriptor.block);
}

bool descriptor_store(OpBuilder& in, const DescriptorValue& descriptor, const Value& offsets, const Tensor& value) {
  if (!check_stored_block(in, descriptor, value)) return false;
  const Tensor stored = cast(in, value, descriptor.block.element);
  const auto begin = stored ? descriptor_operands(in, descriptor, offsets) : std::nullopt;
  if (!begin) return false;
  std::vector<ir::Value*> operands{descriptor.handle, stored.handle};
  operands.insert(operands.end(), begin->begin(), begin->end());
  in.emitter().create("tt.descriptor_store", operands, {});
  return true;
}

bool descriptor_reduce(OpBuilder& in, std::string_view kind, const DescriptorValue& descriptor, const Value& offsets,
                       const Tensor& value) {
  if (!check_stored_block(in, descriptor, value)) return false;
  const DType& element = descriptor.block.element;
  if (!reduces(kind, element)) {
    in.reporter().error(codes::kAtomic,
                        fmt::format("atomic_{} through a tensor descriptor does not support {}", kind, element.name()));
    return false;
  }
  const ir::Type needed = to_ir(in.emitter().context(), element);
  if (to_ir(in.emitter().context(), value.element()) != needed) {
    in.reporter().error(codes::kAtomic,
                        fmt::format("atomic_{} through a tensor descriptor does not convert: {} to {}", kind,
                                    value.element().name(), element.name()),
                        "cast the value with .to(...)");
    return false;
  }
  const auto begin = descriptor_operands(in, descriptor, offsets);
  if (!begin) return false;
  std::vector<ir::Value*> operands{descriptor.handle, value.handle};
  operands.insert(operands.end(), begin->begin(), begin->end());
  const auto* row =
      std::find_if(kReduceKinds.begin(), kReduceKinds.end(), [&](const ReduceKind& r) { return r.name == kind; });
  in.emitter().create("tt.descriptor_reduce", operands, {}, {in.integer("kind", row->value)});
  return true;
}

Tensor descriptor_gather(OpBuilder& in, const DescriptorValue& descriptor, const Tensor& rows, const Value& column) {
  if (!check_rows(in, descriptor, rows, "gather")) return {};
  ir::Value* at = index_value(in, column, false);
  if (at == nullptr) return {};
  const ValueType type{descriptor.block.element, {rows.type.shape[0], descriptor.block.shape[1]}};
  return in.make("tt.descriptor_gather", {descriptor.handle, rows.handle, at}, type);
}

bool descriptor_scatter(OpBuilder& in, const DescriptorValue& descriptor, const Tensor& value, const Tensor& rows,
                        const Value& column) {
  if (!value || !check_rows(in, descriptor, rows, "scatter")) return false;
  const Shape needed{rows.type.shape[0], descriptor.block.shape[1]};
  if (value.type.shape != needed ||
      to_ir(in.emitter().context(), value.element()) != to_ir(in.emitter().context(), descriptor.block.element)) {
    in.reporter().error(codes::kBlock,
                        fmt::format("descriptor scatter needs a value of {}, not {}",
                                    ValueType{descriptor.block.element, needed}.to_string(), value.type.to_string()));
    return false;
  }
  ir::Value* at = index_value(in, column, false);
  if (at == nullptr) return false;
  in.emitter().create("tt.descriptor_scatter", {descriptor.handle, rows.handle, at, value.handle}, {});
  return true;
}

}  // namespace lockstep::frontend::semantics
