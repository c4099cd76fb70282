#include "frontend/gluon/gluon_semantics.h"

#include <fmt/format.h>

#include "frontend/gluon/layout_encoding.h"

namespace lockstep::frontend::gluon {

namespace {

ir::Context& context(OpBuilder& in) { return in.emitter().context(); }

const ir::Encoding* encoding(OpBuilder& in, const Tensor& value) { return to_encoding(context(in), *value.type.layout); }

/// A block with this encoding; reports one that cannot be inferred.
std::optional<ValueType> inferred(OpBuilder& in, const Tensor& from, Shape shape, const ir::Encoding* encoding,
                                  std::string_view operation) {
  if (encoding == nullptr) {
    in.reporter().error(codes::kLayout,
                        fmt::format("{} of {} has no layout that can be inferred", operation, from.type.to_string()),
                        "convert it first: gl.convert_layout(x, layout)");
    return std::nullopt;
  }
  LayoutPtr layout = from_encoding(*encoding, shape);
  return ValueType{from.element(), std::move(shape), std::move(layout)};
}

bool check_block(OpBuilder& in, const Tensor& value, std::string_view operation) {
  if (value.type.layout != nullptr) return true;
  in.reporter().error(codes::kLayout, fmt::format("{} takes a tensor with a layout, not {}", operation,
                                                  value.type.to_string()));
  return false;
}

Tensor broadcast_block(OpBuilder& in, const Tensor& value, const Shape& shape) {
  if (value.type.shape == shape) return value;
  const ValueType type{value.element(), shape, value.type.layout};
  const std::optional<ir::Type> lowered = in.ir_type(type);
  return lowered ? Tensor{in.emitter().broadcast(value.handle, *lowered), type} : Tensor{};
}

}  // namespace

std::optional<TensorPair> broadcast_pair(OpBuilder& in, Tensor left, Tensor right) {
  if (!left || !right) return std::nullopt;
  if (left.is_block() != right.is_block()) {
    Tensor& scalar = left.is_block() ? right : left;
    scalar = semantics::splat(in, scalar, (left.is_block() ? left : right).type.with_element(scalar.element()));
    return scalar ? std::optional(TensorPair(left, right)) : std::nullopt;
  }
  if (!left.is_block()) return TensorPair(left, right);
  if (!check_block(in, left, "an operation on two blocks") || !check_block(in, right, "an operation on two blocks"))
    return std::nullopt;
  const Shape &a = left.type.shape, &b = right.type.shape;
  Shape shape;
  bool fits = a.size() == b.size();
  for (std::size_t i = 0; fits && i < a.size(); ++i) {
    fits = a[i] == b[i] || a[i] == 1 || b[i] == 1;
    shape.push_back(a[i] == 1 ? b[i] : a[i]);
  }
  if (!fits) {
    in.reporter().error(codes::kShapeMismatch,
                        fmt::format("shapes {} and {} do not broadcast", shape_to_string(a), shape_to_string(b)),
                        "in Gluon ranks must be equal, and extents equal or 1; add axes with x[:, None]");
    return std::nullopt;
  }
  const bool left_is_auto = left.type.layout->kind == LayoutKind::automatic;
  const bool right_is_auto = right.type.layout->kind == LayoutKind::automatic;
  if (left_is_auto && !right_is_auto) left = set_auto_layout(in, left, right.type.layout);
  if (right_is_auto && !left_is_auto) right = set_auto_layout(in, right, left.type.layout);
  if (!left || !right) return std::nullopt;
  if (!same_layout(left.type.layout, right.type.layout)) {
    in.reporter().error(codes::kLayout, fmt::format("the operands have different layouts: {} and {}",
                                                    left.type.layout->repr(), right.type.layout->repr()),
                        "convert one of them: gl.convert_layout(x, layout)");
    return std::nullopt;
  }
  left = broadcast_block(in, left, shape);
  right = broadcast_block(in, right, shape);
  return left && right ? std::optional(TensorPair(left, right)) : std::nullopt;
}

Tensor broadcast_to(OpBuilder& in, const Tensor& value, const Shape& shape) {
  if (!check_block(in, value, "a broadcast")) return {};
  const Shape& from = value.type.shape;
  bool fits = from.size() == shape.size();
  for (std::size_t i = 0; fits && i < shape.size(); ++i) fits = from[i] == shape[i] || from[i] == 1;
  if (fits) return broadcast_block(in, value, shape);
  in.reporter().error(codes::kShapeMismatch,
                      fmt::format("{} cannot be broadcast to {}", value.type.to_string(), shape_to_string(shape)),
                      "the rank must match and every extent must be equal or 1");
  return {};
}

Tensor expand_dims(OpBuilder& in, const Tensor& value, std::int64_t axis) {
  if (!value || !check_block(in, value, "a new axis")) return {};
  const Layout& layout = *value.type.layout;
  Shape shape = value.type.shape;
  if (axis < 0 || axis > static_cast<std::int64_t>(shape.size())) {
    in.reporter().error(codes::kAxis, fmt::format("axis {} is out of range for {}", axis, value.type.to_string()));
    return {};
  }
  shape.insert(shape.begin() + axis, 1);
  const ir::Encoding* above =
      encoding_of_new_axis(context(in).encodings(), encoding(in, value), static_cast<std::uint32_t>(axis));
  if (above == nullptr) {
    in.reporter().error(codes::kLayout,
                        layout.kind == LayoutKind::slice
                            ? fmt::format("a new axis {} needs a layout that is sliced in axis {}, not in {}", axis,
                                          axis, layout.field("dim").number)
                            : fmt::format("a new axis needs a SliceLayout, not {}", layout.repr()),
                        fmt::format("give the tensor gl.SliceLayout({}, layout)", axis));
    return {};
  }
  const LayoutPtr parent = layout.kind == LayoutKind::slice ? layout.field("parent").layout : value.type.layout;
  return in.make("tt.expand_dims", {value.handle}, {value.element(), shape, parent}, {in.integer("axis", axis)});
}

Tensor reshape(OpBuilder& in, const Tensor& value, const Shape& shape) {
  if (!check_block(in, value, "a reshape")) return {};
  const auto type = inferred(
      in, value, shape,
      encoding_of_reshape(context(in).encodings(), encoding(in, value), value.type.shape, shape), "a reshape");
  return type ? in.make("tt.reshape", {value.handle}, *type) : Tensor{};
}

Tensor permute(OpBuilder& in, const Tensor& value, const Shape& order, Shape result) {
  if (!check_block(in, value, "a permutation")) return {};
  const ir::Encoding* moved = encoding_of_transpose(context(in).encodings(), encoding(in, value), value.type.shape,
                                                    ir::Extents(order.begin(), order.end()));
  const auto type = inferred(in, value, std::move(result), moved, "a permutation");
  if (!type) return {};
  return in.make("tt.trans", {value.handle}, *type,
                 {{"order", context(in).dense_array(context(in).integer(32), order)}});
}

Tensor join(OpBuilder& in, const Tensor& left, const Tensor& right) {
  const std::optional<TensorPair> both = broadcast_pair(in, left, right);
  if (!both) return {};
  const auto& [a, b] = *both;
  if (!(a.element() == b.element()) || !a.is_block()) {
    in.reporter().error(codes::kOperandTypes, fmt::format("gl.join takes two blocks of one type, not {} and {}",
                                                          a.type.to_string(), b.type.to_string()));
    return {};
  }
  Shape shape = a.type.shape;
  shape.push_back(2);
  if (!semantics::check_shape(in, shape)) return {};
  const auto type = inferred(in, a, shape, encoding_of_join(context(in).encodings(), encoding(in, a), a.type.shape),
                             "gl.join");
  return type ? in.make("tt.join", {a.handle, b.handle}, *type) : Tensor{};
}

std::optional<TensorPair> split(OpBuilder& in, const Tensor& value) {
  if (!value || !check_block(in, value, "gl.split")) return std::nullopt;
  if (value.type.shape.size() < 2 || value.type.shape.back() != 2) {
    in.reporter().error(codes::kShapeMismatch,
                        fmt::format("gl.split needs a last axis of extent 2 and one before it, not {}",
                                    value.type.to_string()));
    return std::nullopt;
  }
  Shape shape = value.type.shape;
  shape.pop_back();
  const auto type = inferred(
      in, value, shape, encoding_of_split(context(in).encodings(), encoding(in, value), value.type.shape), "gl.split");
  const std::optional<ir::Type> lowered = type ? in.ir_type(*type) : std::nullopt;
  if (!lowered) return std::nullopt;
  ir::Op* op = in.emitter().create("tt.split", {value.handle}, {*lowered, *lowered});
  return TensorPair(Tensor{op->result(0), *type}, Tensor{op->result(1), *type});
}

Tensor convert_layout(OpBuilder& in, const Tensor& value, const LayoutPtr& layout) {
  if (!value || layout == nullptr || !check_block(in, value, "gl.convert_layout")) return {};
  return in.make("ttg.convert_layout", {value.handle}, {value.element(), value.type.shape, layout});
}

Tensor set_auto_layout(OpBuilder& in, const Tensor& value, const LayoutPtr& layout) {
  if (!value || layout == nullptr || !check_block(in, value, "gl.set_auto_layout")) return {};
  if (value.type.layout->kind != LayoutKind::automatic) {
    in.reporter().error(codes::kLayout, fmt::format("gl.set_auto_layout takes a tensor with AutoLayout, not {}",
                                                    value.type.layout->repr()),
                        "convert it: gl.convert_layout(x, layout)");
    return {};
  }
  return in.make("gluon.set_auto_layout", {value.handle}, {value.element(), value.type.shape, layout});
}

ValueType reduced_type(OpBuilder& in, const Tensor& input, std::int64_t axis, Shape shape) {
  if (shape.empty() || input.type.layout == nullptr) return {input.element(), std::move(shape)};
  static_cast<void>(in);
  if (input.type.layout->is_open()) return {input.element(), std::move(shape), input.type.layout};
  return {input.element(), std::move(shape),
          make_layout(LayoutKind::slice, {LayoutField::of_number(axis), LayoutField::of_layout(input.type.layout)})};
}

}  // namespace lockstep::frontend::gluon
