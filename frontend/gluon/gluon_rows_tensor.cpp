#include "frontend/gluon/gluon_rows_tensor.h"

#include <fmt/format.h>

#include "frontend/builtins/builtin_arguments.h"
#include "frontend/gluon/gluon_arguments.h"
#include "frontend/gluon/gluon_semantics.h"
#include "frontend/semantics/value_text.h"
#include "ir/layouts/shape_rules.h"
#include "ir/layouts/to_linear.h"

namespace lockstep::frontend::rows {

Value gluon_arange(BuiltinCall& call) {
  const std::optional<std::int64_t> start = integer_argument(call, 0);
  const std::optional<std::int64_t> end = integer_argument(call, 1);
  const LayoutPtr layout = gluon::register_layout(call, 2);
  if (!start || !end || layout == nullptr) return {};
  return semantics::arange(builder(call), *start, *end, layout);
}

Value gluon_full(BuiltinCall& call) {
  if (!check_list(call, 0)) return {};
  const std::optional<Shape> shape = shape_argument(call, call[0], "shape");
  const std::optional<DType> type = dtype_argument(call, 2);
  const LayoutPtr layout = gluon::register_layout(call, 3);
  if (!shape || !type || layout == nullptr) return {};
  return semantics::full(builder(call), *shape, call[1], *type, shape->empty() ? nullptr : layout);
}

Value gluon_histogram(BuiltinCall& call) {
  const Tensor input = tensor_argument(call, 0);
  const std::optional<std::int64_t> bins = integer_argument(call, 1);
  const std::optional<Tensor> mask = optional_tensor(call, 2);
  if (call[3].is_none()) {
    reporter(call).error(codes::kLayout, "gl.histogram needs the layout of its result", "give it layout=");
    return {};
  }
  const LayoutPtr layout = gluon::register_layout(call, 3);
  if (!input || !bins || (mask && !*mask) || layout == nullptr) return {};
  if (mask) {
    const auto both = semantics::broadcast_pair(builder(call), *mask, input);
    return both ? Value(semantics::histogram(builder(call), both->second, *bins, &both->first, layout)) : Value();
  }
  return semantics::histogram(builder(call), input, *bins, nullptr, layout);
}

Value gluon_convert_layout(BuiltinCall& call) {
  const Tensor value = tensor_argument(call, 0);
  const LayoutPtr layout = call[1].is_none() ? gluon::layout_argument(call, 1) : gluon::register_layout(call, 1);
  const std::optional<bool> is_trivial = boolean_argument(call, 2);
  if (!value || layout == nullptr || !is_trivial) return {};
  const Tensor converted = gluon::convert_layout(builder(call), value, layout);
  if (!converted || !*is_trivial) return converted;
  ir::Context& context = call.lowering.emit.context();
  const ir::Encoding *from = to_encoding(context, *value.type.layout), *to = to_encoding(context, *layout);
  if (ir::to_linear_layout(*from, value.type.shape) == ir::to_linear_layout(*to, value.type.shape)) return converted;
  reporter(call).error(codes::kLayout, fmt::format("the conversion from {} to {} moves data", value.type.layout->repr(),
                                                   layout->repr()),
                       "leave assert_trivial out");
  return {};
}

Value gluon_set_auto_layout(BuiltinCall& call) {
  const Tensor value = tensor_argument(call, 0);
  const LayoutPtr layout = call[1].is_none() ? gluon::layout_argument(call, 1) : gluon::register_layout(call, 1);
  return value && layout != nullptr ? Value(gluon::set_auto_layout(builder(call), value, layout)) : Value();
}

Value gluon_num_warps(BuiltinCall& call) { return Constant::integer(builder(call).warps()); }
Value gluon_num_ctas(BuiltinCall& call) { return Constant::integer(builder(call).options().num_ctas); }

/// Bases for a shape: gl.to_linear_layout(layout, shape).
Value gluon_to_linear_layout(BuiltinCall& call) {
  const LayoutPtr layout = gluon::layout_argument(call, 0);
  const std::optional<Shape> shape = shape_argument(call, call[1], "shape");
  if (layout == nullptr || !shape) return {};
  if (layout->kind == LayoutKind::automatic || layout->kind == LayoutKind::linear) return Constant::layout(layout);
  ir::Context& context = call.lowering.emit.context();
  const auto fault = find_layout_fault(context, *layout);
  const ir::Encoding* encoding = fault ? nullptr : to_encoding(context, *layout);
  const bool fits = encoding != nullptr && !layout->is_open() && !layout->is_tensor_memory() &&
                    encoding->rank() == shape->size() && semantics::check_shape(builder(call), *shape) &&
                    !ir::find_shape_fault(*encoding, *shape);
  if (!fits) {
    reporter(call).error(codes::kLayout, fmt::format("{} has no linear layout for the shape {}", layout->repr(),
                                                     shape_to_string(*shape)));
    return {};
  }
  const ir::LinearLayout linear = ir::to_linear_layout(*encoding, *shape);
  const auto bases = [&](std::string_view input) { return LayoutField::of_bases(linear.bases(input)); };
  if (layout->is_shared())
    return Constant::layout(make_layout(LayoutKind::shared_linear,
                                        {bases("offset"), bases("block"), LayoutField::of_number(16)}));
  return Constant::layout(make_layout(LayoutKind::linear, {bases("register"), bases("lane"), bases("warp"),
                                                           bases("block"), LayoutField::of_numbers(*shape)}));
}

/// mma_v2 and dot_fma: a product of operands in registers.
Value gluon_register_product(BuiltinCall& call) {
  const bool is_fma = call.row.name == "dot_fma";
  const Tensor a = tensor_argument(call, 0), b = tensor_argument(call, 1), acc = tensor_argument(call, 2);
  const std::optional<std::string> precision = is_fma ? std::string() : text_argument(call, 3);
  if (!a || !b || !acc || !precision) return {};
  const LayoutPtr result = acc.type.layout;
  const LayoutKind wanted = is_fma ? LayoutKind::blocked : LayoutKind::nvidia_mma;
  const auto refuse = [&](std::string message) {
    reporter(call).error(codes::kLayout, full_name(call.row) + ": " + std::move(message));
    return Value();
  };
  if (result == nullptr || result->kind != wanted)
    return refuse(fmt::format("acc must have a {}, not {}", layout_class(wanted).name, acc.type.to_string()));
  if (!is_fma && numbers_of(result->field("version")) != std::vector<std::int64_t>{2, 0})
    return refuse(fmt::format("the layout of acc must have version 2.0, not {}", result->repr()));
  for (const Tensor* operand : {&a, &b}) {
    const LayoutPtr layout = operand->type.layout;
    const bool is_operand = layout != nullptr && layout->kind == LayoutKind::dot_operand &&
                            same_layout(layout->field("parent").layout, result) &&
                            layout->field("operand_index").number == (operand == &a ? 0 : 1);
    if (!is_operand)
      return refuse(fmt::format("{} must have DotOperandLayout({}, layout of acc, ...), not {}",
                                operand == &a ? "a" : "b", operand == &a ? 0 : 1, operand->type.to_string()));
  }
  return semantics::dot(builder(call), a, b, &acc, precision->empty() ? "tf32" : *precision, std::nullopt,
                        acc.element());
}

}  // namespace lockstep::frontend::rows
