// Rows: creation of values, casts, hints to the compiler, debugging.
#include <algorithm>
#include <cstring>

#include <fmt/format.h>

#include "frontend/builtins/builtin_arguments.h"
#include "frontend/builtins/builtin_rows.h"
#include "frontend/semantics/value_text.h"
#include "ir/breakpoint.h"

namespace lockstep::frontend::rows {

Value program_id(BuiltinCall& call) {
  const std::optional<std::int64_t> axis = integer_argument(call, 0);
  return axis ? Value(semantics::program_info(builder(call), false, *axis)) : Value();
}

Value num_programs(BuiltinCall& call) {
  const std::optional<std::int64_t> axis = integer_argument(call, 0);
  return axis ? Value(semantics::program_info(builder(call), true, *axis)) : Value();
}

Value arange(BuiltinCall& call) {
  const std::optional<std::int64_t> start = integer_argument(call, 0);
  const std::optional<std::int64_t> end = integer_argument(call, 1);
  return start && end ? Value(semantics::arange(builder(call), *start, *end)) : Value();
}

Value full(BuiltinCall& call) {
  if (!check_list(call, 0)) return {};
  const std::optional<Shape> shape = shape_argument(call, call[0], "shape");
  const std::optional<DType> type = dtype_argument(call, 2);
  return shape && type ? Value(semantics::full(builder(call), *shape, call[1], *type)) : Value();
}

Value to_tensor(BuiltinCall& call) { return tensor_argument(call, 0); }

Value cast(BuiltinCall& call) {
  const Tensor input = tensor_argument(call, 0);
  const std::optional<DType> type = dtype_argument(call, 1);
  const std::optional<std::string> rounding = text_argument(call, 2);
  const std::optional<bool> bits = boolean_argument(call, 3);
  if (!input || !type || !rounding || !bits) return {};
  if (call[2].is_string() && rounding->empty()) {
    reporter(call).error(codes::kCast, "'' is not a rounding mode", "use 'rtne' or 'rtz', or leave it out");
    return {};
  }
  return *bits ? semantics::bitcast(builder(call), input, *type)
               : semantics::cast(builder(call), input, *type, *rounding);
}

Value debug_barrier(BuiltinCall& call) {
  call.lowering.emit.create("gpu.barrier", {}, {});
  return Value::raw_none();
}

Value hint(BuiltinCall& call) {
  const Tensor* input = call[0].tensor();
  const std::optional<Shape> values = shape_argument(call, call[1], "values");
  if (input == nullptr || !values) {
    if (input == nullptr && !call[0].is_invalid())
      reporter(call).error(codes::kArguments,
                           fmt::format("tl.{} needs a tensor, not {}", call.row.name, describe(call[0])));
    return {};
  }
  const bool scalar_allowed = call.row.name == "multiple_of";
  const std::size_t rank = std::max<std::size_t>(scalar_allowed ? 1 : 0, input->type.shape.size());
  if (values->size() != rank) {
    reporter(call).error(codes::kShapeMismatch,
                         fmt::format("tl.{}: {} values for {}", call.row.name, values->size(), input->type.to_string()),
                         "give one value per axis");
    return {};
  }
  ir::Op* op = input->handle->defining_op();
  if (op == nullptr) return call[0];
  ir::Context& context = call.lowering.emit.context();
  const bool is_splat = std::adjacent_find(values->begin(), values->end(), std::not_equal_to<>()) == values->end();
  std::vector<std::byte> data;
  for (std::size_t i = 0; i < (is_splat ? 1 : values->size()); ++i) {
    const auto number = static_cast<std::int32_t>((*values)[i]);
    const std::size_t at = data.size();
    data.resize(at + sizeof number);
    std::memcpy(data.data() + at, &number, sizeof number);
  }
  const ir::Type type = context.tensor({static_cast<std::int64_t>(values->size())}, context.integer(32));
  const std::string name = call.row.name == "multiple_of"      ? "tt.divisibility"
                           : call.row.name == "max_contiguous" ? "tt.contiguity"
                                                               : "tt.constancy";
  op->set_attribute(name, context.dense(type, std::move(data), is_splat));
  return call[0];
}

Value assume(BuiltinCall& call) {
  const Tensor condition = tensor_argument(call, 0);
  if (!condition) return {};
  if (!condition.element().is_bool() || condition.is_block()) {
    reporter(call).error(codes::kOperandTypes,
                         fmt::format("tl.assume needs a scalar bool, not {}", condition.type.to_string()));
    return {};
  }
  call.lowering.emit.create("llvm.intr.assume", {condition.handle}, {});
  return Value::raw_none();
}

Value device_print(BuiltinCall& call) {
  const std::optional<std::string> given = text_argument(call, 0);
  const std::optional<bool> hex = flag_argument(call, 2, true);
  if (!given || !hex) return {};
  if (std::any_of(given->begin(), given->end(),
                  [](unsigned char c) { return c >= 127 || (c < 32 && (c < 9 || c > 13)); })) {
    reporter(call).error(codes::kArguments, "the prefix of tl.device_print must be printable ASCII");
    return {};
  }
  std::vector<ir::Value*> operands;
  std::vector<std::int64_t> is_signed;
  for (const Value& argument : call.rest) {
    const Tensor tensor = semantics::to_tensor(builder(call), argument);
    if (!tensor) return {};
    operands.push_back(tensor.handle);
    is_signed.push_back(tensor.element().is_signed() ? 1 : 0);
  }
  std::string prefix = *given;
  if (!prefix.ends_with(' ') && !operands.empty()) prefix += ' ';
  if (!prefix.ends_with(": ") && !operands.empty()) prefix = prefix.substr(0, prefix.size() - 1) + ": ";
  if (prefix.size() > 2 && !prefix.starts_with(' ')) prefix = " " + prefix;
  ir::Context& context = call.lowering.emit.context();
  call.lowering.emit.create("tt.print", operands, {},
                            {{"hex", context.boolean(*hex)},
                             {"isSigned", context.dense_array(context.integer(32), is_signed)},
                             {"prefix", context.string(prefix)}});
  return Value::raw_none();
}

/// Python's builtin: a debugger stops there.
Value breakpoint(BuiltinCall& call) {
  ir::Context& context = call.lowering.emit.context();
  call.lowering.emit.create("tt.print", {}, {},
                            {{"hex", context.boolean(false)},
                             {"isSigned", context.dense_array(context.integer(32), std::vector<std::int64_t>())},
                             {"prefix", context.string(std::string(ir::kBreakpointPrefix))}});
  return Value::raw_none();
}

Value device_assert(BuiltinCall& call) {
  const std::optional<std::string> message = text_argument(call, 1);
  const std::optional<Tensor> mask = optional_tensor(call, 2);
  const Tensor condition = tensor_argument(call, 0);
  if (!message || !condition || (mask && !*mask)) return {};
  semantics::device_assert(builder(call), condition, *message, mask ? &*mask : nullptr);
  return Value::raw_none();
}

Value static_only(BuiltinCall& call) {
  reporter(call).error(codes::kArguments, fmt::format("tl.{} must be called directly", call.row.name));
  return {};
}

}  // namespace lockstep::frontend::rows
