// Rows: broadcasting and changes of shape.
#include <algorithm>
#include <numeric>

#include <fmt/format.h>

#include "frontend/builtins/builtin_arguments.h"
#include "frontend/builtins/builtin_rows.h"
#include "frontend/semantics/value_text.h"

namespace lockstep::frontend::rows {

namespace {

/// The argument, which must already be a tensor.
const Tensor* required_tensor(BuiltinCall& call, std::size_t i) {
  const Tensor* tensor = call[i].tensor();
  if (tensor == nullptr && !call[i].is_invalid()) {
    reporter(call).error(codes::kArguments,
                         fmt::format("tl.{} needs a tensor, not {}", call.row.name, describe(call[i])));
  }
  return tensor;
}

Value pair_value(const std::optional<TensorPair>& pair) {
  if (!pair || !pair->first || !pair->second) return {};
  return Value::tuple({Value(pair->first), Value(pair->second)});
}

Value reshaped(BuiltinCall& call, bool can_reorder) {
  const Tensor* input = required_tensor(call, 0);
  const std::optional<Shape> shape = shape_of_rest(call);
  if (input == nullptr || !shape) return {};
  return shape->empty() ? semantics::unsplat(builder(call), *input)
                        : semantics::reshape(builder(call), *input, *shape, can_reorder);
}

}  // namespace

Value broadcast(BuiltinCall& call) {
  const Tensor* input = required_tensor(call, 0);
  const Tensor* other = required_tensor(call, 1);
  return input != nullptr && other != nullptr ? pair_value(semantics::broadcast_pair(builder(call), *input, *other))
                                              : Value();
}

Value broadcast_to(BuiltinCall& call) {
  const Tensor* input = required_tensor(call, 0);
  const std::optional<Shape> shape = shape_of_rest(call);
  return input != nullptr && shape ? Value(semantics::broadcast_to(builder(call), *input, *shape)) : Value();
}

Value permute(BuiltinCall& call) {
  const Tensor* input = required_tensor(call, 0);
  const std::optional<Shape> order = shape_of_rest(call);
  return input != nullptr && order ? Value(semantics::permute(builder(call), *input, *order)) : Value();
}

Value trans(BuiltinCall& call) {
  if (!call.rest.empty()) return permute(call);
  const Tensor* input = required_tensor(call, 0);
  if (input == nullptr) return {};
  const std::size_t rank = input->type.shape.size();
  if (rank < 2) {
    reporter(call).error(codes::kAxis,
                         fmt::format("tl.trans needs at least two axes, not {}", input->type.to_string()));
    return {};
  }
  Shape order(rank);
  std::iota(order.begin(), order.end(), 0);
  std::swap(order[rank - 1], order[rank - 2]);
  return semantics::permute(builder(call), *input, order);
}

Value cat(BuiltinCall& call) {
  const Tensor* input = required_tensor(call, 0);
  const Tensor* other = required_tensor(call, 1);
  const std::optional<bool> can_reorder = boolean_argument(call, 2);
  if (input == nullptr || other == nullptr || !can_reorder) return {};
  if (!*can_reorder) {
    reporter(call).error(codes::kArguments, "tl.cat may reorder elements and says so: can_reorder=True is needed",
                         "to keep the order use tl.join and tl.reshape");
    return {};
  }
  return semantics::cat(builder(call), *input, *other);
}

Value join(BuiltinCall& call) {
  const Tensor* a = required_tensor(call, 0);
  const Tensor* b = required_tensor(call, 1);
  return a != nullptr && b != nullptr ? Value(semantics::join(builder(call), *a, *b)) : Value();
}

Value split(BuiltinCall& call) {
  const Tensor* input = required_tensor(call, 0);
  return input != nullptr ? pair_value(semantics::split(builder(call), *input)) : Value();
}

Value view(BuiltinCall& call) {
  const Tensor* input = required_tensor(call, 0);
  const std::optional<Shape> shape = shape_of_rest(call);
  return input != nullptr && shape ? Value(semantics::reshape(builder(call), *input, *shape, true)) : Value();
}

Value reshape(BuiltinCall& call) {
  const std::optional<bool> can_reorder = flag_argument(call, 2, true);
  return can_reorder ? reshaped(call, *can_reorder) : Value();
}

Value item(BuiltinCall& call) {
  const Tensor* input = required_tensor(call, 0);
  return input != nullptr ? Value(semantics::unsplat(builder(call), *input)) : Value();
}

Value expand_dims(BuiltinCall& call) {
  Tensor result = tensor_argument(call, 0);
  std::optional<Shape> axes = shape_argument(call, call[1], "axis");
  if (!result || !axes) return {};
  const auto rank = static_cast<std::int64_t>(result.type.shape.size() + axes->size());
  for (std::int64_t& axis : *axes) {
    const std::optional<std::int64_t> wrapped = wrap_axis(call, axis, rank);
    if (!wrapped) return {};
    axis = *wrapped;
  }
  std::sort(axes->begin(), axes->end());
  if (std::adjacent_find(axes->begin(), axes->end()) != axes->end()) {
    reporter(call).error(codes::kAxis,
                         fmt::format("tl.expand_dims received duplicate axes {}", shape_to_string(*axes)));
    return {};
  }
  for (const std::int64_t axis : *axes) result = semantics::expand_dims(builder(call), result, axis);
  return result;
}

Value gather(BuiltinCall& call) {
  const Tensor* source = required_tensor(call, 0);
  const Tensor* index = required_tensor(call, 1);
  const std::optional<std::int64_t> axis = integer_argument(call, 2);
  return source != nullptr && index != nullptr && axis ? Value(semantics::gather(builder(call), *source, *index, *axis))
                                                       : Value();
}

Value histogram(BuiltinCall& call) {
  const Tensor* input = required_tensor(call, 0);
  const std::optional<std::int64_t> bins = integer_argument(call, 1);
  const std::optional<Tensor> mask = optional_tensor(call, 2);
  if (input == nullptr || !bins || (mask && !*mask)) return {};
  return semantics::histogram(builder(call), *input, *bins, mask ? &*mask : nullptr);
}

}  // namespace lockstep::frontend::rows
