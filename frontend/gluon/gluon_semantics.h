// Where Gluon's operations on tensors differ from Triton's: every block has a layout, layouts of operands must agree,
// and the layout of a result is given or follows from the operands'. semantics.h's functions call these for Gluon's
// kernels. Source: Triton 3.6, experimental/gluon/language/_semantic.py, observed through its IR.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "frontend/semantics/semantics.h"
#include "ir/layouts/encoding.h"

namespace lockstep::frontend::gluon {

/// nullopt: reported.
std::optional<TensorPair> broadcast_pair(OpBuilder& in, Tensor left, Tensor right);
Tensor broadcast_to(OpBuilder& in, const Tensor& value, const Shape& shape);
Tensor expand_dims(OpBuilder& in, const Tensor& value, std::int64_t axis);
Tensor reshape(OpBuilder& in, const Tensor& value, const Shape& shape);
Tensor permute(OpBuilder& in, const Tensor& value, const Shape& order, Shape result);
Tensor join(OpBuilder& in, const Tensor& left, const Tensor& right);
std::optional<TensorPair> split(OpBuilder& in, const Tensor& value);
Tensor convert_layout(OpBuilder& in, const Tensor& value, const LayoutPtr& layout);
Tensor set_auto_layout(OpBuilder& in, const Tensor& value, const LayoutPtr& layout);
/// The type of a reduction's result: its layout is a slice of the input's.
ValueType reduced_type(OpBuilder& in, const Tensor& input, std::int64_t axis, Shape shape);

}  // namespace lockstep::frontend::gluon
