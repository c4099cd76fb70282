// Broadcasting and changes of shape.
#include <algorithm>
#include <bit>
#include <numeric>
#include <tuple>

#include <fmt/format.h>

#include "frontend/gluon/gluon_semantics.h"
#include "frontend/semantics/semantics.h"

namespace lockstep::frontend::semantics {

namespace {

ValueType typed(const Tensor& value, Shape shape) { return {value.element(), std::move(shape)}; }

Tensor pad_rank(OpBuilder& in, Tensor value, std::size_t rank) {
  while (value && value.type.shape.size() < rank) value = expand_dims(in, value, 0);
  return value;
}

}  // namespace

bool check_shape(OpBuilder& in, const Shape& shape) {
  std::int64_t product = 1;
  for (const std::int64_t extent : shape) {
    if (extent < 1 || !std::has_single_bit(static_cast<std::uint64_t>(extent))) {
      in.reporter().error(codes::kShape,
                          fmt::format("shape {}: {} is not a power of two", shape_to_string(shape), extent),
                          "block extents are powers of two; round up and use a mask");
      return false;
    }
    if (extent > kMaxElements || product > kMaxElements / extent) {
      in.reporter().error(codes::kShape,
                          fmt::format("shape {} has more than {} elements", shape_to_string(shape), kMaxElements));
      return false;
    }
    product *= extent;
  }
  return true;
}

Tensor splat(OpBuilder& in, const Tensor& value, const Shape& shape) {
  return value ? splat(in, value, typed(value, shape)) : Tensor{};
}

Tensor splat(OpBuilder& in, const Tensor& value, const ValueType& type) {
  if (!value) return {};
  if (type.shape.empty()) return value;
  const std::optional<ir::Type> lowered = in.ir_type(type);
  if (!lowered || !check_shape(in, type.shape)) return {};
  return {in.emitter().splat(value.handle, *lowered), type};
}

Tensor unsplat(OpBuilder& in, const Tensor& value) {
  if (!value || !value.is_block()) return value;
  if (value.type.numel() != 1) {
    in.reporter().error(codes::kShapeMismatch,
                        fmt::format("only a block of one element becomes a scalar, not {}", value.type.to_string()));
    return {};
  }
  return in.make("tt.unsplat", {value.handle}, typed(value, {}));
}

std::optional<TensorPair> broadcast_pair(OpBuilder& in, Tensor left, Tensor right) {
  if (in.options().is_gluon) return gluon::broadcast_pair(in, left, right);
  if (!left || !right) return std::nullopt;
  if (left.is_block() != right.is_block()) {
    Tensor& scalar = left.is_block() ? right : left;
    scalar = splat(in, scalar, left.is_block() ? left.type.shape : right.type.shape);
    return scalar ? std::optional(TensorPair(left, right)) : std::nullopt;
  }
  if (!left.is_block()) return TensorPair(left, right);
  left = pad_rank(in, left, right.type.shape.size());
  right = pad_rank(in, right, left.type.shape.size());
  Shape shape;
  for (std::size_t i = 0; i < left.type.shape.size(); ++i) {
    const std::int64_t a = left.type.shape[i];
    const std::int64_t b = right.type.shape[i];
    if (a != 1 && b != 1 && a != b) {
      in.reporter().error(codes::kShapeMismatch,
                          fmt::format("shapes {} and {} do not broadcast: extents {} and {} at index {}",
                                      shape_to_string(left.type.shape), shape_to_string(right.type.shape), a, b, i),
                          "extents must be equal or 1; add axes with x[:, None]");
      return std::nullopt;
    }
    shape.push_back(a == 1 ? b : a);
  }
  if (!check_shape(in, shape)) return std::nullopt;
  for (Tensor* side : {&left, &right}) {
    if (side->type.shape == shape) continue;
    const ValueType type = typed(*side, shape);
    *side = {in.emitter().broadcast(side->handle, to_ir(in.emitter().context(), type)), type};
  }
  return TensorPair(left, right);
}

bool broadcast_all(OpBuilder& in, std::vector<Tensor>& tensors) {
  const auto meet = [&](std::size_t i) {
    const std::optional<TensorPair> both = broadcast_pair(in, tensors[0], tensors[i]);
    if (both) std::tie(tensors[0], tensors[i]) = *both;
    return both.has_value();
  };
  for (std::size_t i = 1; i < tensors.size(); ++i) {
    if (!meet(i)) return false;
  }
  for (std::size_t i = 1; i + 1 < tensors.size(); ++i) {
    if (!meet(i)) return false;
  }
  return true;
}

Tensor broadcast_to(OpBuilder& in, const Tensor& value, const Shape& shape) {
  if (!value || !check_shape(in, shape)) return {};
  if (in.options().is_gluon) return gluon::broadcast_to(in, value, shape);
  if (!value.is_block()) return splat(in, value, shape);
  const Shape& from = value.type.shape;
  if (from == shape) return value;
  bool fits = from.size() == shape.size();
  for (std::size_t i = 0; fits && i < shape.size(); ++i) fits = from[i] == shape[i] || from[i] == 1;
  if (!fits) {
    in.reporter().error(codes::kShapeMismatch,
                        fmt::format("{} cannot be broadcast to {}", value.type.to_string(), shape_to_string(shape)),
                        "the rank must match and every extent must be equal or 1");
    return {};
  }
  const ValueType type = typed(value, shape);
  return {in.emitter().broadcast(value.handle, to_ir(in.emitter().context(), type)), type};
}

Tensor expand_dims(OpBuilder& in, const Tensor& value, std::int64_t axis) {
  if (!value) return {};
  if (in.options().is_gluon) return gluon::expand_dims(in, value, axis);
  Shape shape = value.type.shape;
  if (!value.is_block() && axis > 0) axis = 0;  // s[:, None] of a scalar is a block of one axis, as in Triton
  if (axis < 0 || axis > static_cast<std::int64_t>(shape.size())) {
    in.reporter().error(codes::kAxis, fmt::format("axis {} is out of range for {}", axis, value.type.to_string()));
    return {};
  }
  shape.insert(shape.begin() + axis, 1);
  if (!value.is_block()) return splat(in, value, shape);
  return in.make("tt.expand_dims", {value.handle}, typed(value, shape), {in.integer("axis", axis)});
}

Tensor reshape(OpBuilder& in, const Tensor& value, const Shape& shape, bool can_reorder) {
  if (!value || !check_shape(in, shape)) return {};
  const ValueType type = typed(value, shape);
  if (type.numel() != value.type.numel()) {
    in.reporter().error(codes::kShapeMismatch,
                        fmt::format("{} has {} elements, the shape {} has {}", value.type.to_string(),
                                    value.type.numel(), shape_to_string(shape), type.numel()));
    return {};
  }
  if (!value.is_block()) {
    in.reporter().error(codes::kShapeMismatch, "a scalar cannot be reshaped", "use tl.full or tl.broadcast_to");
    return {};
  }
  if (in.options().is_gluon) return gluon::reshape(in, value, shape);  // never reorders
  std::vector<ir::NamedAttribute> attributes;
  if (can_reorder) attributes.push_back({"allow_reorder", in.emitter().context().unit()});
  return in.make("tt.reshape", {value.handle}, type, std::move(attributes));
}

Tensor permute(OpBuilder& in, const Tensor& value, const Shape& order) {
  if (!value) return {};
  const Shape& from = value.type.shape;
  Shape sorted = order;
  std::sort(sorted.begin(), sorted.end());
  Shape expected(from.size());
  std::iota(expected.begin(), expected.end(), 0);
  if (sorted != expected) {
    in.reporter().error(codes::kAxis, fmt::format("{} is not a permutation of the axes of {}", shape_to_string(order),
                                                  value.type.to_string()));
    return {};
  }
  Shape shape;
  for (const std::int64_t axis : order) shape.push_back(from[static_cast<std::size_t>(axis)]);
  if (in.options().is_gluon) return gluon::permute(in, value, order, std::move(shape));
  return in.make("tt.trans", {value.handle}, typed(value, shape),
                 {{"order", in.emitter().context().dense_array(in.emitter().context().integer(32), order)}});
}

Tensor arange(OpBuilder& in, std::int64_t start, std::int64_t end, const LayoutPtr& layout) {
  if ((start >> 32) != 0 || (end >> 32) != 0) {
    in.reporter().error(codes::kShape,
                        fmt::format("arange({}, {}) must fit in int32 and not be negative", start, end));
    return {};
  }
  const std::int64_t length = end - start;
  if (length <= 0 || !std::has_single_bit(static_cast<std::uint64_t>(length))) {
    in.reporter().error(
        codes::kShape,
        length <= 0 ? fmt::format("arange({}, {}): the end must be greater than the start", start, end)
                    : fmt::format("arange({}, {}): the length {} is not a power of two", start, end, length),
        length > 0 ? "round the length up to a power of two and use a mask" : "");
    return {};
  }
  if (!check_shape(in, {length})) return {};
  return in.make("tt.make_range", {}, {DType(Scalar::int32), {length}, layout},
                 {in.integer("end", end), in.integer("start", start)});
}

Tensor cat(OpBuilder& in, const Tensor& left, const Tensor& right) {
  if (!left || !right) return {};
  if (left.type.shape.size() != 1 || right.type.shape.size() != 1 || !(left.type == right.type)) {
    in.reporter().error(codes::kShapeMismatch, fmt::format("tl.cat takes two 1-D blocks of one type, not {} and {}",
                                                           left.type.to_string(), right.type.to_string()));
    return {};
  }
  const Shape shape{left.type.shape[0] + right.type.shape[0]};
  return check_shape(in, shape) ? in.make("tt.cat", {left.handle, right.handle}, typed(left, shape)) : Tensor{};
}

Tensor join(OpBuilder& in, const Tensor& left, const Tensor& right) {
  if (in.options().is_gluon) return gluon::join(in, left, right);
  const std::optional<TensorPair> both = broadcast_pair(in, left, right);
  if (!both) return {};
  Tensor a = both->first;
  Tensor b = both->second;
  if (!(a.element() == b.element())) {
    in.reporter().error(codes::kOperandTypes,
                        fmt::format("tl.join does not promote: {} and {}", a.element().name(), b.element().name()),
                        "cast one of them");
    return {};
  }
  const bool scalars = !a.is_block();
  if (scalars) {
    a = expand_dims(in, a, 0);
    b = expand_dims(in, b, 0);
  }
  Shape shape = a.type.shape;
  shape.push_back(2);
  if (!check_shape(in, shape)) return {};
  const Tensor joined = in.make("tt.join", {a.handle, b.handle}, typed(a, shape));
  return scalars ? reshape(in, joined, {2}, false) : joined;
}

std::optional<TensorPair> split(OpBuilder& in, const Tensor& value) {
  if (!value) return std::nullopt;
  if (in.options().is_gluon) return gluon::split(in, value);
  if (!value.is_block() || value.type.shape.back() != 2) {
    in.reporter().error(codes::kShapeMismatch,
                        fmt::format("tl.split needs a last axis of extent 2, not {}", value.type.to_string()));
    return std::nullopt;
  }
  const bool flat = value.type.shape.size() == 1;
  const Tensor source = flat ? expand_dims(in, value, 0) : value;
  Shape shape = source.type.shape;
  shape.pop_back();
  const ValueType type = typed(source, shape);
  const ir::Type lowered = to_ir(in.emitter().context(), type);
  ir::Op* op = in.emitter().create("tt.split", {source.handle}, {lowered, lowered});
  const Tensor first{op->result(0), type};
  const Tensor second{op->result(1), type};
  if (!flat) return TensorPair(first, second);
  const Tensor scalar = unsplat(in, first);
  return TensorPair(scalar, unsplat(in, second));
}

Tensor gather(OpBuilder& in, const Tensor& source, const Tensor& index, std::int64_t axis) {
  if (!source || !index) return {};
  const Shape& from = source.type.shape;
  const Shape& at = index.type.shape;
  const auto rank = static_cast<std::int64_t>(from.size());
  if (!index.element().is_int() || at.size() != from.size() || axis < -rank || axis >= rank) {
    in.reporter().error(
        codes::kAxis, fmt::format("tl.gather needs an integer index of the rank of {} and a valid axis, not {} and {}",
                                  source.type.to_string(), index.type.to_string(), axis));
    return {};
  }
  if (axis < 0) axis += rank;
  for (std::int64_t d = 0; d < rank; ++d) {
    const auto i = static_cast<std::size_t>(d);
    if (d == axis || from[i] == at[i]) continue;
    in.reporter().error(codes::kAxis,
                        fmt::format("tl.gather: source {} and index {} differ in axis {}", source.type.to_string(),
                                    index.type.to_string(), d),
                        "all axes but the gathered one must be equal");
    return {};
  }
  const ValueType type{source.element(), at, index.type.layout};
  return in.make("tt.gather", {source.handle, index.handle}, type, {in.integer("axis", axis)});
}

Tensor histogram(OpBuilder& in, const Tensor& input, std::int64_t bins, const Tensor* mask,
                 const LayoutPtr& layout) {
  if (!input || !check_shape(in, {bins})) return {};
  if (input.type.shape.size() != 1 || !input.element().is_int()) {
    in.reporter().error(codes::kAxis,
                        fmt::format("tl.histogram takes a 1-D block of integers, not {}", input.type.to_string()));
    return {};
  }
  std::vector<ir::Value*> operands{input.handle};
  if (mask != nullptr) {
    const Tensor wide = broadcast_to(in, *mask, input.type.shape);
    if (!wide) return {};
    if (!wide.element().is_bool()) {
      in.reporter().error(codes::kMask, fmt::format("a mask must be boolean, not {}", wide.element().name()));
      return {};
    }
    operands.push_back(wide.handle);
  }
  return in.make("tt.histogram", operands, {DType(Scalar::int32), {bins}, layout});
}

Tensor program_info(OpBuilder& in, bool is_count, std::int64_t axis) {
  if (axis < 0 || axis > 2) {
    in.reporter().error(
        codes::kAxis, fmt::format("{} axis must be 0, 1 or 2, not {}", is_count ? "num_programs" : "program_id", axis));
    return {};
  }
  return in.make(is_count ? "tt.get_num_programs" : "tt.get_program_id", {}, {DType(Scalar::int32), {}},
                 {in.integer("axis", axis)});
}

}  // namespace lockstep::frontend::semantics
