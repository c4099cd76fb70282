// State changes that the parts of lowering share.
#include "frontend/lowering/lowering_context.h"

#include <fmt/format.h>

#include "frontend/eval/kernel_names.h"

namespace lockstep::frontend {

LoweringContext::LoweringContext(Compilation& shared, const JitFunction& lowered, std::string mangled_name,
                                 bool is_kernel_function, std::vector<DiagnosticNote> call_chain)
    : compilation(shared),
      function(lowered),
      symbol(std::move(mangled_name)),
      is_kernel(is_kernel_function),
      report(shared.sink, lowered.module->file(), std::move(call_chain)),
      emit(shared.module, lowered.module->file()->path()),
      builder(emit, report, shared.options) {
  indentation = lowered.module->file()->position(lowered.node->range.begin).column - 1;
  report.set_here(lowered.node->name_range);
}

void LoweringContext::place(const ast::Node& node) {
  const LineColumn at = function.module->file()->position(node.range.begin);
  emit.set_position(at.line, at.column - 1 >= indentation ? at.column - 1 - indentation : 0);
}

bool LoweringContext::stopped() {
  if (has_stopped || compilation.sink.is_full()) return true;
  const bool too_many = ++compilation.visits > Compilation::kMaxVisits;
  const bool too_deep = compilation.nesting > Compilation::kMaxNesting;
  if (!too_many && !too_deep) return false;
  report.error(codes::kRecursion,
               too_many ? "the kernel is too large: its compile-time loops and calls visit too many nodes"
                        : "expressions, statements and calls are nested too deeply",
               too_many ? "use tl.range instead of tl.static_range for long loops" : "");
  has_stopped = true;
  return true;
}

void LoweringContext::set_value(const std::string& name, Value value) {
  definitions.set(name, value);
  scope.set(name, std::move(value));
}

Value LoweringContext::unsupported_node(const ast::Node& node) {
  report.set_here(node.range);
  report.error(codes::kUnsupportedNode, fmt::format("unsupported AST node type: {}", ast::kind_name(node.kind)),
               std::string(advice_for(node.kind)));
  return {};
}

Value LoweringContext::checked(const ValueResult& computed) {
  if (computed) return *computed;
  report.error(codes::kConstantExpression, computed.error());
  return {};
}

}  // namespace lockstep::frontend
