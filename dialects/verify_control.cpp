// Rules about functions, calls, branches and loops: inputs, carried values, results.
#include "dialects/verify_hooks.h"
#include "ir/verify/verifier.h"

namespace lockstep::dialects {
namespace {

using ir::Op;
using ir::Type;
using ir::Value;
using ir::VerifyContext;

std::vector<Type> types_of(const std::vector<Value*>& values) {
  std::vector<Type> types;
  for (const Value* value : values) types.push_back(value->type());
  return types;
}

std::vector<Value*> results_of(const Op& op) {
  std::vector<Value*> results;
  for (std::size_t i = 0; i < op.result_count(); ++i) results.push_back(op.result(i));
  return results;
}

std::vector<Value*> arguments_of(const ir::Region& region) {
  std::vector<Value*> arguments;
  for (const auto& argument : region.front().arguments()) arguments.push_back(argument.get());
  return arguments;
}

bool has_body(VerifyContext& context, const Op& op, std::size_t region) {
  return !op.region(region).empty() ||
         context.error(op, "LS1106", "a region of '" + std::string(op.spelling()) + "' is empty");
}

/// The region's block ends with `terminator`, whose operands from `first` on have `types`.
bool ends_with(VerifyContext& context, const Op& op, std::size_t region, std::string_view terminator, std::size_t first,
               const std::vector<Type>& types) {
  const Op* last = op.region(region).front().terminator();
  if (last == nullptr || last->spelling() != terminator) {
    return context.error(
        last == nullptr ? op : *last, "LS1107",
        "a region of '" + std::string(op.spelling()) + "' must end with '" + std::string(terminator) + "'");
  }
  const std::vector<Value*>& operands = last->operands();
  const std::vector<Value*> values(operands.begin() + static_cast<std::ptrdiff_t>(first), operands.end());
  return context.expect_types(*last, values, types, "LS1112", "values of '" + std::string(terminator) + "'");
}

}  // namespace

bool verify_for(VerifyContext& context, const Op& op) {
  if (!has_body(context, op, 0)) return false;
  const std::vector<Type> carried = types_of(op.operand_group(3));
  std::vector<Type> arguments = carried;
  arguments.insert(arguments.begin(), op.operand(0)->type());
  return context.expect_types(op, results_of(op), carried, "LS1112", "results of 'scf.for'") &&
         context.expect_types(op, arguments_of(op.region()), arguments, "LS1112",
                              "arguments of the body of 'scf.for'") &&
         ends_with(context, op, 0, "scf.yield", 0, carried);
}

bool verify_if(VerifyContext& context, const Op& op) {
  const std::vector<Type> results = types_of(results_of(op));
  for (std::size_t i = 0; i < 2; ++i) {
    if (i == 1 && results.empty() && op.region(1).empty()) return true;
    if (i == 1 && op.region(1).empty())
      return context.error(op, "LS1106", "an 'scf.if' with results needs an else branch");
    if (!has_body(context, op, i)) return false;
    if (!op.region(i).front().arguments().empty())
      return context.error(op, "LS1106", "branches of 'scf.if' take no arguments");
    if (!ends_with(context, op, i, "scf.yield", 0, results)) return false;
  }
  return true;
}

bool verify_while(VerifyContext& context, const Op& op) {
  if (!has_body(context, op, 0) || !has_body(context, op, 1)) return false;
  const std::vector<Type> inits = types_of(op.operands());
  const std::vector<Type> results = types_of(results_of(op));
  return context.expect_types(op, arguments_of(op.region(0)), inits, "LS1112",
                              "arguments of the condition of 'scf.while'") &&
         context.expect_types(op, arguments_of(op.region(1)), results, "LS1112",
                              "arguments of the body of 'scf.while'") &&
         ends_with(context, op, 0, "scf.condition", 1, results) && ends_with(context, op, 1, "scf.yield", 0, inits);
}

bool verify_function(VerifyContext& context, const Op& op) {
  const Op* parent = op.parent_op();
  if (parent == nullptr || parent->spelling() != "builtin.module") {
    return context.error(op, "LS1111", "a function must be directly in a module");
  }
  const Type type = ir::function_type(op);
  if (!type.is_function()) return context.error(op, "LS1111", "function_type of 'tt.func' must be a function type");
  if (op.region().empty()) {
    return ir::is_private(op) ||
           context.error(op, "LS1111", "function '@" + std::string(ir::symbol_name(op)) + "' has no body");
  }
  const std::string name = "'@" + std::string(ir::symbol_name(op)) + "'";
  if (!context.expect_types(op, arguments_of(op.region()), type.inputs(), "LS1111", "arguments of " + name))
    return false;
  for (const auto& block : op.region().blocks()) {
    const Op* last = block->terminator();
    if (last == nullptr || last->spelling() != "tt.return") continue;
    if (!context.expect_types(*last, last->operands(), type.results(), "LS1112", "values that " + name + " returns"))
      return false;
  }
  return true;
}

bool verify_call(VerifyContext& context, const Op& op) {
  const std::string& callee = op.attribute("callee")->text;
  const Op* function = context.function(callee);
  if (function == nullptr)
    return context.error(op, "LS1110", "function '@" + callee + "' does not exist in this module");
  const Type type = ir::function_type(*function);
  return context.expect_types(op, op.operands(), type.inputs(), "LS1110", "arguments for '@" + callee + "'") &&
         context.expect_types(op, results_of(op), type.results(), "LS1110", "results of '@" + callee + "'");
}

bool verify_terminator_parent(VerifyContext& context, const Op& op) {
  const Op* parent = op.parent_op();
  const std::string_view inside = parent == nullptr ? std::string_view() : parent->spelling();
  const std::string_view name = op.spelling();
  bool fits = true;
  if (name == "scf.yield")
    fits = inside == "scf.for" || inside == "scf.if" || inside == "scf.while";
  else if (name == "scf.condition")
    fits = inside == "scf.while";
  else if (name == "tt.return")
    fits = inside == "tt.func";
  else if (name.ends_with(".return"))
    fits = inside == name.substr(0, name.size() - std::string_view(".return").size());
  if (fits) return true;
  return context.error(op, "LS1107", "'" + std::string(name) + "' cannot be in '" + std::string(inside) + "'");
}

}  // namespace lockstep::dialects
