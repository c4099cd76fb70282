// Rows: the additions of Triton 3.8 and 3.9. Kernels may use them under any version; hasattr() answers for 3.6.
#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "frontend/builtins/builtin_arguments.h"
#include "frontend/builtins/builtin_rows.h"

namespace lockstep::frontend::rows {

namespace {

struct Order {
  std::int64_t sem, scope;
};

/// `one_sided`: acquire or release, whichever the access allows; it is the default.
std::optional<Order> memory_order(BuiltinCall& call, std::size_t i, std::string_view one_sided) {
  const std::optional<std::string> sem = text_argument(call, i);
  const std::optional<std::string> scope = text_argument(call, i + 1);
  if (!sem || !scope) return std::nullopt;
  if (!sem->empty() && *sem != one_sided && *sem != "relaxed") {
    reporter(call).error(codes::kAtomic, fmt::format("tl.{} cannot be '{}'", call.row.name, *sem),
                         fmt::format("use {} or relaxed", one_sided));
    return std::nullopt;
  }
  constexpr std::array<std::string_view, 4> kScopes{"", "gpu", "cta", "sys"};
  const auto* known = std::find(kScopes.begin(), kScopes.end(), *scope);
  if (known == kScopes.end()) {
    reporter(call).error(codes::kAtomic, fmt::format("'{}' is not a memory scope", *scope), "use gpu, cta or sys");
    return std::nullopt;
  }
  const std::int64_t strong = one_sided == "acquire" ? 2 : 3;
  return Order{*sem == "relaxed" ? 1 : strong, std::max<std::int64_t>(known - kScopes.begin(), 1)};
}

std::vector<ir::NamedAttribute> attributes(BuiltinCall& call, const Order& order) {
  ir::Context& context = call.lowering.emit.context();
  return {{"sem", context.i32(order.sem)}, {"scope", context.i32(order.scope)}};
}

/// The pointer of an atomic access; bools count as bytes. Invalid: reported.
Tensor atomic_pointer(BuiltinCall& call, bool is_store) {
  const Tensor pointer = pointer_argument(call, 0);
  if (!pointer) return {};
  const bool is_pointer = pointer.element().is_ptr() && !pointer.element().pointee().is_block();
  if (!is_pointer || (is_store && pointer.element().is_const())) {
    reporter(call).error(codes::kPointer,
                         fmt::format("tl.{} needs a pointer{}, not {}", call.row.name,
                                     is_store ? " that can be written" : "", pointer.type.to_string()));
    return {};
  }
  if (!pointer.element().pointee().element.is_bool()) return pointer;
  return semantics::cast(
      builder(call), pointer,
      DType::pointer_to(ValueType{DType(Scalar::int8), {}}, pointer.element().address_space(), false));
}

/// Broadcasts pointer, value (may be invalid) and mask (None: all true) as Triton does. False: reported.
bool fit(BuiltinCall& call, Tensor& pointer, Tensor& value, const Value& mask, Tensor& where) {
  OpBuilder& rules = builder(call);
  Emitter& emit = call.lowering.emit;
  where = mask.is_none() ? Tensor{} : semantics::to_tensor(rules, mask);
  if (!mask.is_none() && !where) return false;
  std::vector<Tensor> parts{pointer};
  if (value) parts.push_back(value);
  if (where) parts.push_back(where);
  if (pointer.is_block() && !semantics::broadcast_all(rules, parts)) return false;
  if (parts[0].type.shape != pointer.type.shape && value) {
    reporter(call).error(codes::kShapeMismatch,
                         fmt::format("tl.{}: the pointer is {}, but needs the shape of {}", call.row.name,
                                     pointer.type.to_string(), parts[0].type.to_string()));
    return false;
  }
  pointer = parts[0];
  if (value) value = parts[1];
  if (where) where = parts.back();
  if (!where) {
    where = {emit.constant(emit.context().integer(1), 1), {DType(Scalar::int1), {}}};
    if (pointer.is_block()) where = semantics::splat(rules, where, pointer.type.with_element(where.element()));
  }
  const bool fits = where.type.shape == pointer.type.shape && (!value || value.type.shape == pointer.type.shape);
  if (fits && where.element().is_bool()) return true;
  reporter(call).error(codes::kMask, fmt::format("tl.{}: pointer {}, value and mask {} do not fit", call.row.name,
                                                 pointer.type.to_string(), where.type.to_string()));
  return false;
}

}  // namespace

Value atomic_load(BuiltinCall& call) {
  Tensor pointer = atomic_pointer(call, false);
  Tensor none;
  Tensor where;
  if (!pointer || !fit(call, pointer, none, call[1], where)) return {};
  const std::optional<Order> order = memory_order(call, 2, "acquire");
  if (!order) return {};
  const ValueType type = pointer.type.with_element(pointer.element().pointee().element);
  Emitter& emit = call.lowering.emit;
  const Tensor loaded{emit.value("tt.atomic_load", {pointer.handle, where.handle}, to_ir(emit.context(), type),
                                 attributes(call, *order)),
                      type};
  const Tensor* given = call[0].tensor();
  const bool is_bool = given != nullptr && given->element().pointee().element.is_bool();
  return is_bool ? semantics::cast(builder(call), loaded, DType(Scalar::int1)) : loaded;
}

Value atomic_store(BuiltinCall& call) {
  Tensor value = tensor_argument(call, 1);
  Tensor pointer = atomic_pointer(call, true);
  Tensor where;
  if (!pointer || !value || !fit(call, pointer, value, call[2], where)) return {};
  value = semantics::cast(builder(call), value, pointer.element().pointee().element);
  const std::optional<Order> order = memory_order(call, 3, "release");
  if (!value || !order) return {};
  call.lowering.emit.create("tt.atomic_store", {pointer.handle, value.handle, where.handle}, {},
                            attributes(call, *order));
  return Value::raw_none();
}

Value atomic_poll(BuiltinCall& call) {
  OpBuilder& rules = builder(call);
  Emitter& emit = call.lowering.emit;
  Tensor pointer = atomic_pointer(call, false);
  Tensor expected = tensor_argument(call, 1);
  if (!pointer || !expected) return {};
  const DType element = pointer.element().pointee().element;
  if (!element.is_int() || element.bit_width() < 16) {
    reporter(call).error(codes::kAtomic, "tl.atomic_poll takes integers of 16, 32 or 64 bits");
    return {};
  }
  expected = semantics::cast(rules, expected, element);
  std::vector<Tensor> parts{pointer, expected};
  if (!expected || (pointer.is_block() && !semantics::broadcast_all(rules, parts))) return {};
  const std::optional<Order> order = memory_order(call, 2, "acquire");
  if (!order) return {};
  std::vector<ir::Value*> operands{parts[0].handle, parts[1].handle};
  if (!call[4].is_none()) {
    Tensor timeout = tensor_argument(call, 4);
    if (!timeout) return {};
    if (timeout.is_block() || !timeout.element().is_int()) {
      reporter(call).error(codes::kAtomic, "tl.atomic_poll: timeout_ns must be a scalar integer");
      return {};
    }
    timeout = semantics::cast(rules, timeout, DType(Scalar::uint64));
    operands.push_back(timeout.handle);
  }
  const ValueType type = parts[0].type.with_element(DType(Scalar::int1));
  return Tensor{emit.value("tt.atomic_poll", operands, to_ir(emit.context(), type), attributes(call, *order)), type};
}

/// The value itself; with debug, an assertion that it is 0 where the mask holds.
Value expect_zero(BuiltinCall& call) {
  OpBuilder& rules = builder(call);
  const Tensor mask = tensor_argument(call, 1);
  if (!mask) return {};
  if (!rules.options().debug) return call[0];
  const Tensor is_zero = semantics::compare(rules, ast::CompareOperator::Eq, call[0], Value(Constant::integer(0)));
  const Tensor outside = semantics::logical_not(rules, mask);
  if (!is_zero || !outside) return {};
  const Tensor holds = semantics::arithmetic(rules, ast::BinaryOperator::BitOr, is_zero, outside);
  if (holds) semantics::device_assert(rules, holds, "expect_zero expected x == 0 where mask is true", nullptr);
  return call[0];
}

}  // namespace lockstep::frontend::rows
