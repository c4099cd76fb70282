// Classes and functions of Gluon that compute with layouts at compile time: gl.BlockedLayout(...),
// gl.NVMMASharedLayout.get_default_for(...), in kernels, in constexpr functions and at module level. Not here: how a
// layout reaches the IR (layout_encoding.h).
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "frontend/semantics/layout.h"
#include "frontend/semantics/value.h"

namespace lockstep::frontend {

/// Whether the name of a HostFunction is one that call_layout_function() knows: "gl.BlockedLayout".
bool is_layout_function(std::string_view name);
/// `in_kernel`: lists are tl.tuple objects there, which print differently. Error: Python's exception text.
ValueResult call_layout_function(std::string_view name, const std::vector<Value>& positional,
                                 const std::vector<std::pair<std::string, Value>>& keywords, bool in_kernel);
/// A static method of a class of layouts, for an attribute of "gl.NVMMASharedLayout".
std::optional<Value> layout_class_attribute(std::string_view function, std::string_view attribute);
/// A field or property of a layout, as a compile-time value.
std::optional<Value> layout_attribute(const Layout& layout, std::string_view name);
}  // namespace lockstep::frontend
