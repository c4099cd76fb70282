// Classes that kernels may use: NamedTuple classes, whose values are tuples with names, and aggregates
// (@tl.core._aggregate), whose values are a set of typed fields with methods. Read from the module once; values point
// to their class. Source: Triton 3.6 language/core (facts), Python's typing.NamedTuple and collections.namedtuple.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "frontend/lowering/scope.h"
#include "frontend/python_ast.h"

namespace lockstep::frontend {

struct PythonClass {
  struct Field {
    std::string name;
    const ast::Expr* annotation = nullptr;     // or null
    const ast::Expr* default_value = nullptr;  // or null
  };
  std::string name;
  const PythonModule* module = nullptr;
  bool is_aggregate = false;  // else a named tuple
  std::vector<Field> fields;
  Scope members;  // functions: jit functions, constexpr functions, plain ones (opaque with the function)

  /// fields.size() if there is none.
  std::size_t find_field(std::string_view field) const {
    std::size_t i = 0;
    while (i < fields.size() && fields[i].name != field) ++i;
    return i;
  }
  /// The function of this name, of whatever kind; null if there is none.
  const JitFunction* find_function(std::string_view function) const;
};

/// An attribute of a tensor's type, a field or method of a named tuple or aggregate, a function of a class.
std::optional<Value> member_of(const Value& owner, const std::string& name);

}  // namespace lockstep::frontend
