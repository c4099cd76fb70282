// Names: locals, captured names, globals, builtins.
#include "frontend/lowering/lower_name.h"

#include <fmt/format.h>

#include "frontend/builtins/builtins.h"
#include "frontend/eval/kernel_names.h"
#include "frontend/eval/name_definitions.h"

namespace lockstep::frontend {

namespace {

Value usable_global(LoweringContext& in, const std::string& name, const Value& value, bool is_constexpr) {
  const std::optional<NameProblem> problem = problem_of_global(name, value, is_constexpr);
  if (!problem) return value;
  if (problem->is_unsupported)
    in.report.unsupported(problem->code, problem->message);
  else
    in.report.error(problem->code, problem->message, problem->hint);
  return {};
}

/// Parameters that Python binds and Triton does not: those that are not ordinary. nullopt: no such parameter.
std::optional<std::string> unbound_parameter(const LoweringContext& in, const std::string& name) {
  const ast::Arguments& declared = *in.function.node->args;
  if (declared.vararg && declared.vararg->name == name) return "*" + name;
  if (declared.kwarg && declared.kwarg->name == name) return "**" + name;
  for (const Parameter& parameter : in.function.parameters) {
    if (parameter.name != name) continue;
    switch (parameter.kind) {
      case ParameterKind::positional_only: return "a positional-only parameter";
      case ParameterKind::keyword_only: return "a keyword-only parameter";
      case ParameterKind::ordinary: return std::nullopt;
    }
  }
  return std::nullopt;
}

void report_undefined(LoweringContext& in, const ast::Name& node) {
  const std::string message = fmt::format("name '{}' is not defined", node.id);
  if (const std::optional<std::string> kind = unbound_parameter(in, node.id)) {
    in.report.error(codes::kUndefinedName, fmt::format("{}: it is {}, to which Triton binds nothing", message, *kind),
                    fmt::format("declare {}() with ordinary parameters only, without '/' and '*'", in.function.name));
    return;
  }
  const auto definition = find_name_definition(in.function.node->body, node.id, node.range.begin);
  if (!definition) return in.report.error(codes::kUndefinedName, message);
  in.report.error_with_note(
      codes::kUndefinedName, message,
      "a name set in only one branch of an if, or first set inside a loop, does not exist after it",
      {fmt::format("'{}' {}", node.id, definition->why), {in.function.module->file(), definition->range}});
}

}  // namespace

Value lower_name(LoweringContext& in, const ast::Name& node) {
  if (const Value* local = in.scope.find(node.id)) return *local;
  const Value* captured = in.function.captured != nullptr ? in.function.captured->find(node.id) : nullptr;
  // A name that the function sets anywhere is local in all of it.
  if (captured != nullptr && !find_name_definition(in.function.node->body, node.id, node.range.begin))
    return usable_global(in, node.id, *captured, captured->is_constexpr());
  if (const Value* global = in.function.module->find(node.id))
    return usable_global(in, node.id, *global, in.function.module->is_constexpr_global(node.id));
  if (is_kernel_builtin(node.id)) return HostFunction{node.id};
  if (const std::string_view name = builtin_behind(node.id); !name.empty()) return find_builtin(name);
  report_undefined(in, node);
  return {};
}

}  // namespace lockstep::frontend
