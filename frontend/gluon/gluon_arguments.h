// Arguments of calls of Gluon's functions, and views of buffers as their results. Not here: the rows, gluon_rows.h.
#pragma once

#include <string_view>
#include <vector>

#include "frontend/builtins/builtin.h"
#include "frontend/gluon/layout_encoding.h"
#include "frontend/semantics/semantics.h"

namespace lockstep::frontend::gluon {

// Arguments. Each reports what does not fit and returns nothing.
LayoutPtr layout_argument(BuiltinCall& call, std::size_t i);
/// As layout_argument, but a layout of tensors; None gives AutoLayout.
LayoutPtr register_layout(BuiltinCall& call, std::size_t i);
const HandleValue* buffer_argument(BuiltinCall& call, std::size_t i);
const HandleValue* shared_argument(BuiltinCall& call, std::size_t i);
const DescriptorValue* descriptor_argument(BuiltinCall& call, std::size_t i);
/// A scalar bool that is computed or known.
Tensor predicate_argument(BuiltinCall& call, std::size_t i);
/// A view's value; invalid where the type cannot be.
Value view_of(BuiltinCall& call, std::string_view op, const std::vector<ir::Value*>& operands, const HandleType& type,
              std::vector<ir::NamedAttribute> attributes = {});
/// Extents of a buffer: positive, and not too many elements. False: reported.
bool check_extents(BuiltinCall& call, const Shape& shape);
/// A type of a buffer that Triton's verifier takes; else it is reported.
bool check_buffer(BuiltinCall& call, const HandleType& type);

}  // namespace lockstep::frontend::gluon
