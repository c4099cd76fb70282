#include "frontend/gluon/gluon_rows_buffer.h"

#include <algorithm>

#include <fmt/format.h>

#include "frontend/builtins/builtin_arguments.h"
#include "frontend/gluon/gluon_arguments.h"
#include "frontend/gluon/gluon_semantics.h"
#include "frontend/semantics/value_text.h"

namespace lockstep::frontend::rows {

namespace {

Value refuse_shape(BuiltinCall& call, std::string message) {
  reporter(call).error(codes::kShapeMismatch, full_name(call.row) + ": " + std::move(message));
  return {};
}

/// The allocation's axes before those of the view, then `last`.
Shape with_outer_axes(const HandleType& type, const Shape& last) {
  const std::size_t outer = type.allocation.size() - std::min(type.allocation.size(), type.view.shape.size());
  Shape allocation(type.allocation.begin(), type.allocation.begin() + static_cast<std::ptrdiff_t>(outer));
  allocation.insert(allocation.end(), last.begin(), last.end());
  return allocation;
}

LayoutPtr shared_layout(BuiltinCall& call, std::size_t i) {
  LayoutPtr layout = gluon::layout_argument(call, i);
  if (layout == nullptr || layout->is_shared()) return layout;
  reporter(call).error(codes::kLayout,
                       fmt::format("{} needs a layout of shared memory, not {}", full_name(call.row), layout->repr()));
  return nullptr;
}

/// A view whose layout follows from the source's; reports one that Triton cannot infer.
Value inferred_view(BuiltinCall& call, std::string_view op, const HandleValue& from, const ir::Encoding* encoding,
                    Shape shape, Shape allocation, std::vector<ir::NamedAttribute> attributes) {
  if (encoding == nullptr) {
    reporter(call).error(codes::kLayout, fmt::format("{} of {} has no layout that can be inferred",
                                                     full_name(call.row), from.type.to_string()));
    return {};
  }
  HandleType type{from.type.kind, {from.type.view.element, shape, from_encoding(*encoding, shape)}, std::move(allocation)};
  return gluon::view_of(call, op, {from.handle}, type, std::move(attributes));
}

}  // namespace

Value gluon_allocate(BuiltinCall& call) {
  const std::optional<DType> element = dtype_argument(call, 0);
  const std::optional<Shape> shape = check_list(call, 1) ? shape_argument(call, call[1], "shape") : std::nullopt;
  const LayoutPtr layout = shared_layout(call, 2);
  const std::optional<Tensor> value = optional_tensor(call, 3);
  if (!element || !shape || layout == nullptr || (value && !*value)) return {};
  if (!gluon::check_extents(call, *shape)) return {};
  const HandleType type{HandleType::Kind::shared, {*element, *shape, layout}, *shape};
  if (value && (value->type.shape != *shape || !(value->element() == *element)))
    return refuse_shape(call, fmt::format("the value is {}, the buffer {}", value->type.to_string(), type.to_string()));
  std::vector<ir::Value*> operands;
  if (value) operands.push_back(value->handle);
  return gluon::view_of(call, "ttg.local_alloc", operands, type);
}

Value gluon_buffer_load(BuiltinCall& call) {
  const HandleValue* from = gluon::shared_argument(call, 0);
  const LayoutPtr layout = call[1].is_none() ? gluon::layout_argument(call, 1) : gluon::register_layout(call, 1);
  if (from == nullptr || layout == nullptr) return {};
  const ValueType& view = from->type.view;
  return builder(call).make("ttg.local_load", {from->handle}, {view.element, view.shape, layout});
}

Value gluon_buffer_store(BuiltinCall& call) {
  const HandleValue* to = gluon::shared_argument(call, 0);
  const Tensor* value = call[1].tensor();
  if (value == nullptr && !call[1].is_invalid())
    reporter(call).error(codes::kArguments, fmt::format("{}: 'value' must be a tensor, not {}", full_name(call.row),
                                                        describe(call[1])));
  if (to == nullptr || value == nullptr) return {};
  const ValueType& view = to->type.view;
  if (value->type.shape != view.shape || !(value->element() == view.element))
    return refuse_shape(call, fmt::format("{} does not fit {}", value->type.to_string(), to->type.to_string()));
  call.lowering.emit.create("ttg.local_store", {value->handle, to->handle}, {});
  return Value::raw_none();
}

Value gluon_buffer_slice(BuiltinCall& call) {
  const HandleValue* from = gluon::shared_argument(call, 0);
  const std::optional<std::int64_t> start = integer_argument(call, 1), length = integer_argument(call, 2),
                                    axis = integer_argument(call, 3);
  if (from == nullptr || !start || !length || !axis) return {};
  HandleType type = from->type;
  const auto rank = static_cast<std::int64_t>(type.view.shape.size());
  if (*axis < 0 || *axis >= rank || *start < 0 || *length < 1 ||
      *start > type.view.shape[static_cast<std::size_t>(*axis)] - *length)
    return refuse_shape(call, fmt::format("{} from {} on is outside of axis {} of {}", *length, *start, *axis,
                                          from->type.to_string()));
  Shape offsets(type.view.shape.size(), 0);
  offsets[static_cast<std::size_t>(*axis)] = *start;
  type.view.shape[static_cast<std::size_t>(*axis)] = *length;
  type.prints_as_tuple = from->type.prints_as_tuple;
  ir::Context& context = call.lowering.emit.context();
  return gluon::view_of(call, "ttg.memdesc_subslice", {from->handle}, type,
                        {{"offsets", context.dense_array(context.integer(32), offsets)}});
}

Value gluon_buffer_index(BuiltinCall& call) {
  const HandleValue* from = gluon::buffer_argument(call, 0);
  const Tensor index = tensor_argument(call, 1);
  if (from == nullptr || !index) return {};
  if (index.is_block() || !(index.element() == DType(Scalar::int32))) {
    reporter(call).error(codes::kArguments, fmt::format("{}: 'index' must be an int32, not {}", full_name(call.row),
                                                        index.type.to_string()));
    return {};
  }
  HandleType type = from->type;
  if (type.view.shape.size() < 2)
    return refuse_shape(call, fmt::format("{} has no axis that counts buffers", from->type.to_string()));
  type.view.shape.erase(type.view.shape.begin());
  type.allocation = type.view.shape;
  return gluon::view_of(call, "ttg.memdesc_index", {from->handle, index.handle}, type);
}

Value gluon_buffer_permute(BuiltinCall& call) {
  const HandleValue* from = gluon::shared_argument(call, 0);
  const std::optional<Shape> order = shape_argument(call, call[1], "order");
  if (from == nullptr || !order) return {};
  const ValueType& view = from->type.view;
  Shape sorted = *order;
  std::sort(sorted.begin(), sorted.end());
  for (std::size_t i = 0; i < sorted.size(); ++i) {
    if (sorted[i] != static_cast<std::int64_t>(i) || sorted.size() != view.shape.size())
      return refuse_shape(call, fmt::format("{} is not an order of the axes of {}", shape_to_string(*order),
                                            from->type.to_string()));
  }
  Shape shape, inner;
  const std::size_t outer = from->type.allocation.size() - view.shape.size();
  for (const std::int64_t axis : *order) {
    shape.push_back(view.shape[static_cast<std::size_t>(axis)]);
    inner.push_back(from->type.allocation[outer + static_cast<std::size_t>(axis)]);
  }
  ir::Context& context = call.lowering.emit.context();
  const ir::Encoding* encoding = encoding_of_transpose(context.encodings(), to_encoding(context, *view.layout),
                                                       view.shape, ir::Extents(order->begin(), order->end()));
  return inferred_view(call, "ttg.memdesc_trans", *from, encoding, shape, with_outer_axes(from->type, inner),
                       {{"order", context.dense_array(context.integer(32), *order)}});
}

Value gluon_buffer_reshape(BuiltinCall& call) {
  const HandleValue* from = gluon::shared_argument(call, 0);
  const std::optional<Shape> shape = shape_argument(call, call[1], "shape");
  if (from == nullptr || !shape || !semantics::check_shape(builder(call), *shape)) return {};
  const ValueType& view = from->type.view;
  if (ValueType{view.element, *shape}.numel() != view.numel())
    return refuse_shape(call, fmt::format("{} cannot have the shape {}", from->type.to_string(), shape_to_string(*shape)));
  ir::Context& context = call.lowering.emit.context();
  const ir::Encoding* encoding =
      encoding_of_reshape(context.encodings(), to_encoding(context, *view.layout), view.shape, *shape);
  return inferred_view(call, "ttg.memdesc_reshape", *from, encoding, *shape, with_outer_axes(from->type, *shape), {});
}

Value gluon_buffer_reinterpret(BuiltinCall& call) {
  const HandleValue* from = gluon::buffer_argument(call, 0);
  const std::optional<DType> element = dtype_argument(call, 1);
  const std::optional<Shape> shape = shape_argument(call, call[2], "shape");
  const LayoutPtr layout = gluon::layout_argument(call, 3);
  if (from == nullptr || !element || !shape || layout == nullptr) return {};
  const bool is_shared = from->type.kind == HandleType::Kind::shared;
  if (is_shared ? !layout->is_shared() : !layout->is_tensor_memory()) {
    reporter(call).error(codes::kLayout, fmt::format("{} cannot have {}", from->type.to_string(), layout->repr()));
    return {};
  }
  return gluon::view_of(call, "ttg.memdesc_reinterpret", {from->handle},
                        {from->type.kind, {*element, *shape, layout}, *shape});
}

Value gluon_buffer_keep_alive(BuiltinCall& call) {
  const HandleValue* held = gluon::shared_argument(call, 0);
  if (held == nullptr) return {};
  call.lowering.emit.create("ttg.local_dealloc", {held->handle}, {});
  return Value::raw_none();
}

}  // namespace lockstep::frontend::rows
