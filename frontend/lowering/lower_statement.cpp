// Statements other than control flow.
#include "frontend/lowering/lower_statement.h"

#include <fmt/format.h>

#include "frontend/lowering/call_builtin.h"
#include "frontend/lowering/lower_if.h"
#include "frontend/lowering/lower_loop.h"
#include "frontend/lowering/lower_operator.h"
#include "frontend/semantics/value_parts.h"
#include "frontend/semantics/value_text.h"

namespace lockstep::frontend {

namespace {

bool is_simple(const ast::Stmt& node) {
  return node.kind == ast::Kind::Assign || node.kind == ast::Kind::AugAssign || node.kind == ast::Kind::AnnAssign ||
         node.kind == ast::Kind::ExprStmt;
}

Value unassignable(LoweringContext& in, const Value& value) {
  const bool is_list = value.elements() != nullptr;
  in.report.error(
      codes::kAssignment,
      fmt::format("{} cannot be assigned to a plain variable", is_list ? "what list() gives" : describe(value)),
      is_list ? "write a tuple, which kernels know" : "annotate it as a compile-time value: name: tl.constexpr = ...");
  return {};
}

Value sanitized(LoweringContext& in, const Value& value) {
  if (const std::vector<Value>* elements = value.elements()) {
    if (value.is_list()) return unassignable(in, value);
    std::vector<Value> clean;
    for (const Value& element : *elements)
      clean.push_back(element.is_none() ? Value(Constant()) : sanitized(in, element));
    return Value::tuple(std::move(clean), value.tuple_type());
  }
  if (value.is_none()) return Value::raw_none();
  if (value.is_wrapped_tensor()) return *value.tensor();
  if (value.is_invalid() || value.tensor() != nullptr || value.descriptor() != nullptr || value.handle() != nullptr ||
      value.is_dtype() || value.aggregate() != nullptr || is_no_result(value))
    return value;
  if (value.is_number()) return semantics::to_tensor(in.builder, value);
  return unassignable(in, value);
}

void assign_target(LoweringContext& in, const ast::Expr& target, const Value& value) {
  if (const auto* name = target.as<ast::Name>()) return in.set_value(name->id, value);
  in.report.set_here(target.range);
  if (const auto* tuple = target.as<ast::Tuple>()) {
    const std::vector<Value>* elements = value.elements();
    if (elements == nullptr && !value.is_invalid()) {
      in.report.error(codes::kAssignment, fmt::format("{} cannot be unpacked", describe(value)),
                      value.tensor() != nullptr ? "only tuples can; the parts of a block come from tl.split" : "");
    } else if (elements != nullptr && elements->size() < tuple->elts.size()) {
      in.report.error(codes::kAssignment, fmt::format("not enough values to unpack: {} names, {} values",
                                                      tuple->elts.size(), elements->size()));
    }
    for (std::size_t i = 0; i < tuple->elts.size(); ++i) {
      assign_target(in, *tuple->elts[i], elements != nullptr && i < elements->size() ? (*elements)[i] : Value());
    }
    return;
  }
  if (target.is<ast::Subscript>()) {
    in.report.error(codes::kAssignment,
                    "elements of a block cannot be assigned: __setitem__ is not supported in triton",
                    "use tl.where to choose elements, or tl.store");
  } else if (target.is<ast::Attribute>()) {
    in.report.error(codes::kAssignment, "attribute assignment is not supported in triton",
                    "make a new value, and bind it to the name");
  } else {
    in.unsupported_node(target);
  }
}

void assign_named(LoweringContext& in, const ast::Expr& target, const ast::Expr* value) {
  const auto* name = target.as<ast::Name>();
  if (name != nullptr) in.emit.set_prefix(name->id);
  const Value computed = value != nullptr ? in.visit(*value) : Value::raw_none();
  const Value result = sanitized(in, computed);
  in.emit.clear_prefix();
  assign_target(in, target, result);
}

void lower_assign(LoweringContext& in, const ast::Assign& node) {
  if (node.targets.size() != 1) {
    in.report.error(codes::kAssignment, "simultaneous multiple assignment is not supported",
                    "write one assignment per name");
    for (const ast::ExprPtr& target : node.targets) assign_target(in, *target, Value());
    return;
  }
  assign_named(in, *node.targets.front(), node.value.get());
}

void lower_annotated_assign(LoweringContext& in, const ast::AnnAssign& node) {
  const Value type = in.visit(*node.annotation);
  if (type.is_invalid()) return assign_target(in, *node.target, Value());
  const bool is_constexpr = type.host_function() != nullptr && type.host_function()->name == "constexpr";
  const auto* name = node.target->as<ast::Name>();
  if (name == nullptr) return assign_target(in, *node.target, Value());
  const Value value = node.value ? in.visit(*node.value) : Value::raw_none();
  // Triton evaluates the value of an annotated assignment twice unless it is constexpr; so the ops appear twice.
  if (!is_constexpr) return assign_named(in, *node.target, node.value.get());
  if (in.scope.contains(name->id)) {
    in.report.error(codes::kConstexprReassigned,
                    fmt::format("'{}' is already defined; a constexpr cannot be reassigned", name->id));
  }
  // Even a tensor, which Triton accepts as long as nothing needs its value.
  in.scope.set(name->id, value.as_constexpr());
}

void lower_augmented_assign(LoweringContext& in, const ast::AugAssign& node) {
  const auto* name = node.target->as<ast::Name>();
  if (name == nullptr) return assign_target(in, *node.target, Value());
  in.emit.set_prefix(name->id);
  in.place(node);
  const Location here = in.emit.location();
  const Value left = in.visit(*node.target);
  const Value right = in.visit(*node.value);
  in.report.set_here(node.range);
  const Value computed = lower_binary(in, node.op, left, right);
  in.emit.set_location(here);
  const Value result = sanitized(in, computed);
  in.emit.clear_prefix();
  in.set_value(name->id, result);
  in.visit(*node.target);
}

Value decayed(LoweringContext& in, const Value& value) {
  if (const std::vector<Value>* elements = value.elements()) {
    std::vector<Value> tensors;
    for (const Value& element : *elements)
      tensors.push_back(element.is_raw() ? Value(Constant()) : decayed(in, element));
    return Value::tuple(std::move(tensors), value.tuple_type());
  }
  if (value.is_number()) return semantics::to_tensor(in.builder, value);
  return value;
}

void lower_return(LoweringContext& in, const ast::Return& node) {
  Value value = node.value ? in.visit(*node.value) : Value::raw_none();
  if (in.loop_depth > 0) {
    in.report.error(codes::kControlFlow,
                    "cannot have `return` statements inside `while` or `for` statements in triton");
    return;
  }
  if (value.is_none() && !value.is_raw()) {
    in.report.error(codes::kReturnTypes, "None cannot be returned: Triton 3.6 makes a tensor of what is returned",
                    "write `return` without a value");
    return;
  }
  const bool is_list = value.is_list();
  value = decayed(in, value);
  if (value.is_invalid()) return;
  const bool is_nothing = value.is_none();
  if (is_list || (!is_nothing && (!is_triton_value(value) || value.constant() != nullptr))) {
    in.report.error(codes::kReturnTypes,
                    fmt::format("{} cannot be returned", is_list ? "what list() gives" : describe(value)),
                    "return tensors, numbers or tuples of them");
    return;
  }
  if (is_nothing) value = Value::raw_none();
  if (in.is_kernel && !is_nothing) {
    in.report.error(codes::kReturnTypes,
                    fmt::format("a kernel cannot return a value, but this returns {}", describe(value)),
                    "store the result through a pointer");
    return;
  }
  in.emit.create("tt.return", flatten(value), {});
  if (!in.result) {
    in.result = value;
  } else if (!same_type(*in.result, value)) {
    in.report.error(codes::kReturnTypes,
                    fmt::format("inconsistent return types: {} and {}", describe(*in.result), describe(value)),
                    "cast the values so that every return gives the same type");
    return;
  }
  in.emit.to_end(in.op->region().add_block());
}

void lower_assert(LoweringContext& in, const ast::Assert& node) {
  const Value test = in.visit(*node.test);
  const Value message = node.msg ? in.visit(*node.msg) : Value(Constant::string(""));
  const Tensor condition = semantics::to_tensor(in.builder, test);
  if (!condition) return;
  if (message.is_invalid()) return;
  // Without debug, Triton ignores the message; Lockstep drops it, too, if asserts stay nevertheless.
  if (!message.is_string() && in.compilation.options.debug)
    return in.report.error(codes::kNotConstexpr, "the message of an assert must be a string");
  semantics::device_assert(in.builder, condition, message.is_string() ? message.constant()->text() : "", nullptr);
}

void lower_with(LoweringContext& in, const ast::With& node) {
  for (const auto& item : node.items) {
    const auto* call = item->context_expr->as<ast::Call>();
    const Value manager = in.visit(call != nullptr ? *call->func : *item->context_expr);
    if (manager.is_invalid()) return;
    in.report.set_here(item->context_expr->range);
    in.report.error(codes::kUnsupportedNode, fmt::format("{} is not a context manager", describe(manager)),
                    "triton.language has none: leave out the `with`");
    return;
  }
}

void lower_statement(LoweringContext& in, const ast::Stmt& node) {
  in.report.set_here(node.range);
  in.place(node);
  const Location here = in.emit.location();
  switch (node.kind) {
    case ast::Kind::Assign: lower_assign(in, *node.as<ast::Assign>()); break;
    case ast::Kind::AnnAssign: lower_annotated_assign(in, *node.as<ast::AnnAssign>()); break;
    case ast::Kind::AugAssign: lower_augmented_assign(in, *node.as<ast::AugAssign>()); break;
    case ast::Kind::Return: lower_return(in, *node.as<ast::Return>()); break;
    case ast::Kind::If: lower_if(in, *node.as<ast::If>()); break;
    case ast::Kind::For: lower_for(in, *node.as<ast::For>()); break;
    case ast::Kind::While: lower_while(in, *node.as<ast::While>()); break;
    case ast::Kind::Assert: lower_assert(in, *node.as<ast::Assert>()); break;
    case ast::Kind::With: lower_with(in, *node.as<ast::With>()); break;
    case ast::Kind::Pass: break;
    case ast::Kind::ExprStmt: {
      const ast::Expr& value = *node.as<ast::ExprStmt>()->value;
      in.unused = &value;
      in.visit(value);
      break;
    }
    default: in.unsupported_node(node); break;
  }
  in.emit.set_location(here);
}

}  // namespace

void lower_statements(LoweringContext& in, const ast::Body& body) {
  for (const ast::StmtPtr& statement : body) {
    if (in.stopped()) return;
    const std::size_t before = in.report.count();
    ++in.compilation.nesting;
    lower_statement(in, *statement);
    --in.compilation.nesting;
    // Inside the library, all errors would be shown at the same call: only the first one is.
    if (in.report.count() > before && (!is_simple(*statement) || in.function.module->is_prelude())) in.stop();
    if (statement->kind == ast::Kind::Return) return;  // what follows is dead code
  }
}

}  // namespace lockstep::frontend
