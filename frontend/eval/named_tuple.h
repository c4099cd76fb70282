// namedtuple("Point", ["x", "y"]) and typing.NamedTuple(...) as classes that kernels may use.
#pragma once

#include <string_view>

#include "frontend/eval/python_module.h"

namespace lockstep::frontend {

/// "NamedTuple" for typing.NamedTuple, "" if the node is not a name.
std::string_view last_name(const ast::Expr& node);
bool is_named_tuple_call(const ast::Call& node);
/// `fields`: names, or pairs of a name and a type. Opaque if they are unknown.
Value named_tuple_class(Modules& modules, const PythonModule& module, const Value& name, const Value& fields);

}  // namespace lockstep::frontend
