#include "frontend/eval/kernel_names.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "frontend/error_codes.h"
#include "frontend/semantics/value_text.h"

namespace lockstep::frontend {

bool is_kernel_builtin(std::string_view name) {
  constexpr std::array<std::string_view, 8> kNames{"len", "list",       "range",   "float",
                                                   "int", "isinstance", "getattr", "hasattr"};
  return std::find(kNames.begin(), kNames.end(), name) != kNames.end();
}

std::string_view builtin_behind(std::string_view name) {
  if (name == "print") return "device_print";
  if (name == "breakpoint") return "builtin_breakpoint";
  if (name == "min") return "builtin_min";
  if (name == "max") return "builtin_max";
  return {};
}

std::optional<NameProblem> problem_of_global(const std::string& name, const Value& value, bool is_constexpr) {
  if (const OpaqueValue* opaque = value.opaque()) {
    if (opaque->what.starts_with("the plain Python function")) return std::nullopt;
    if (opaque->what.ends_with("not supported yet"))
      return NameProblem{true, codes::kUnsupportedBuiltin, fmt::format("'{}' is {}", name, opaque->what), {}};
    const bool is_import = opaque->what.starts_with("from the module");
    return NameProblem{
        false, is_import ? codes::kImport : codes::kGlobal, fmt::format("'{}' is {}", name, opaque->what),
        fmt::format("give a value that is known: --global {}=VALUE, or the names its condition depends on", name)};
  }
  const Constant* constant = value.constant();
  const bool is_plain = (constant != nullptr && !constant->is_none() && !constant->is_dtype()) ||
                        value.elements() != nullptr || value.dict() != nullptr;
  if (!is_plain || is_constexpr) return std::nullopt;
  return NameProblem{
      false, codes::kGlobal, fmt::format("global variable '{}' cannot be used in a kernel: it is not a constexpr", name),
      value.dict() != nullptr
          ? "pass the values that you need as parameters"
          : fmt::format("write {} = tl.constexpr({}), or pass it as a parameter", name, python_str(value))};
}

std::string_view advice_for(ast::Kind kind) {
  switch (kind) {
    case ast::Kind::Break:
    case ast::Kind::Continue: return "use a while loop with a condition, or mask the work of an iteration";
    case ast::Kind::FunctionDef: return "move the function to module level and decorate it with @triton.jit";
    case ast::Kind::Lambda: return "write a @triton.jit function";
    default: return {};
  }
}

}  // namespace lockstep::frontend
