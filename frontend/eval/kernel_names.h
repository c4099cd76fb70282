// Rules about names and nodes in kernels that need no types: shared by the lowering and by `lockstep check-language`.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "frontend/python_ast.h"
#include "frontend/semantics/value.h"

namespace lockstep::frontend {

/// Python's builtins that Triton lets kernels call directly: len, list, range, float, int, isinstance, getattr,
/// hasattr.
bool is_kernel_builtin(std::string_view name);
/// The builtin of triton.language behind a Python builtin in a kernel: "device_print" for print; "" if none.
std::string_view builtin_behind(std::string_view name);

struct NameProblem {
  bool is_unsupported = false;  // by Lockstep; else wrong in the kernel
  DiagnosticCode code;
  std::string message, hint;
};
/// Why a kernel cannot use a module-level value; nullopt: it can. `is_constexpr`: made by tl.constexpr or --global.
std::optional<NameProblem> problem_of_global(const std::string& name, const Value& value, bool is_constexpr);

/// What to write instead of a construct that Triton does not compile; "" without advice.
std::string_view advice_for(ast::Kind kind);

}  // namespace lockstep::frontend
