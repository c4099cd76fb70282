// Statements other than control flow.
#include <fmt/format.h>

#include "frontend/eval/kernel_names.h"
#include "frontend/lowering/function_lowering.h"

namespace lockstep::frontend {

namespace {

bool is_simple(const ast::Stmt& node) {
  return node.kind == ast::Kind::Assign || node.kind == ast::Kind::AugAssign || node.kind == ast::Kind::AnnAssign ||
         node.kind == ast::Kind::ExprStmt;
}

}  // namespace

void FunctionLowering::visit_body(const ast::Body& body) {
  for (const ast::StmtPtr& statement : body) {
    if (stopped()) return;
    const std::size_t before = report_.count();
    ++compilation_.nesting;
    visit(*statement);
    --compilation_.nesting;
    // Inside the library all errors would be shown at the same call: the first one tells it.
    if (report_.count() > before && (!is_simple(*statement) || function_.module->is_prelude())) stop();
    if (statement->kind == ast::Kind::Return) return;  // what follows is dead code
  }
}

void FunctionLowering::visit(const ast::Stmt& node) {
  report_.set_here(node.range);
  place(node);
  const Location here = emit_.location();
  switch (node.kind) {
    case ast::Kind::Assign: visit_assign(*node.as<ast::Assign>()); break;
    case ast::Kind::AnnAssign: visit_annotated(*node.as<ast::AnnAssign>()); break;
    case ast::Kind::AugAssign: visit_augmented(*node.as<ast::AugAssign>()); break;
    case ast::Kind::Return: visit_return(*node.as<ast::Return>()); break;
    case ast::Kind::If: visit_if(*node.as<ast::If>()); break;
    case ast::Kind::For: visit_for(*node.as<ast::For>()); break;
    case ast::Kind::While: visit_while(*node.as<ast::While>()); break;
    case ast::Kind::Assert: visit_assert(*node.as<ast::Assert>()); break;
    case ast::Kind::With: visit_with(*node.as<ast::With>()); break;
    case ast::Kind::Pass: break;
    case ast::Kind::ExprStmt: {
      const ast::Expr& value = *node.as<ast::ExprStmt>()->value;
      unused_ = &value;
      visit(value);
      break;
    }
    default: unsupported_node(node); break;
  }
  emit_.set_location(here);
}

Value FunctionLowering::unsupported_node(const ast::Node& node) {
  report_.set_here(node.range);
  report_.error(codes::kUnsupportedNode, fmt::format("unsupported AST node type: {}", ast::kind_name(node.kind)),
                std::string(advice_for(node.kind)));
  return {};
}

void FunctionLowering::set_value(const std::string& name, Value value) {
  definitions_.set(name, value);
  scope_.set(name, std::move(value));
}

Value FunctionLowering::sanitized(const Value& value) {
  if (const std::vector<Value>* elements = value.elements()) {
    if (value.is_list()) return unassignable(value);
    std::vector<Value> clean;
    for (const Value& element : *elements) clean.push_back(element.is_none() ? Value(Constant()) : sanitized(element));
    return Value::tuple(std::move(clean), value.tuple_type());
  }
  if (value.is_none()) return Value::raw_none();
  if (value.is_wrapped_tensor()) return *value.tensor();
  if (value.is_invalid() || value.tensor() != nullptr || value.descriptor() != nullptr || value.is_dtype() ||
      value.aggregate() != nullptr || is_no_result(value))
    return value;
  if (value.is_number()) return semantics::to_tensor(builder_, value);
  return unassignable(value);
}

Value FunctionLowering::unassignable(const Value& value) {
  const bool is_list = value.elements() != nullptr;
  report_.error(
      codes::kAssignment,
      fmt::format("{} cannot be assigned to a plain variable", is_list ? "what list() gives" : value.describe()),
      is_list ? "write a tuple, which kernels know" : "annotate it as a compile-time value: name: tl.constexpr = ...");
  return {};
}

void FunctionLowering::assign_target(const ast::Expr& target, const Value& value) {
  if (const auto* name = target.as<ast::Name>()) return set_value(name->id, value);
  report_.set_here(target.range);
  if (const auto* tuple = target.as<ast::Tuple>()) {
    const std::vector<Value>* elements = value.elements();
    if (elements == nullptr && !value.is_invalid()) {
      report_.error(codes::kAssignment, fmt::format("{} cannot be unpacked", value.describe()),
                    value.tensor() != nullptr ? "only tuples can; the parts of a block come from tl.split" : "");
    } else if (elements != nullptr && elements->size() < tuple->elts.size()) {
      report_.error(codes::kAssignment, fmt::format("not enough values to unpack: {} names, {} values",
                                                    tuple->elts.size(), elements->size()));
    }
    for (std::size_t i = 0; i < tuple->elts.size(); ++i) {
      assign_target(*tuple->elts[i], elements != nullptr && i < elements->size() ? (*elements)[i] : Value());
    }
    return;
  }
  if (target.is<ast::Subscript>()) {
    report_.error(codes::kAssignment, "elements of a block cannot be assigned: __setitem__ is not supported in triton",
                  "use tl.where to choose elements, or tl.store");
  } else if (target.is<ast::Attribute>()) {
    report_.error(codes::kAssignment, "attribute assignment is not supported in triton",
                  "make a new value, and bind it to the name");
  } else {
    unsupported_node(target);
  }
}

void FunctionLowering::assign_named(const ast::Expr& target, const ast::Expr* value) {
  const auto* name = target.as<ast::Name>();
  if (name != nullptr) emit_.set_prefix(name->id);
  const Value computed = value != nullptr ? visit(*value) : Value::raw_none();
  const Value result = sanitized(computed);
  emit_.clear_prefix();
  assign_target(target, result);
}

void FunctionLowering::visit_assign(const ast::Assign& node) {
  if (node.targets.size() != 1) {
    report_.error(codes::kAssignment, "simultaneous multiple assignment is not supported",
                  "write one assignment per name");
    for (const ast::ExprPtr& target : node.targets) assign_target(*target, Value());
    return;
  }
  assign_named(*node.targets.front(), node.value.get());
}

void FunctionLowering::visit_annotated(const ast::AnnAssign& node) {
  const Value type = visit(*node.annotation);
  if (type.is_invalid()) return assign_target(*node.target, Value());
  const bool is_constexpr = type.host_function() != nullptr && type.host_function()->name == "constexpr";
  const auto* name = node.target->as<ast::Name>();
  if (name == nullptr) return assign_target(*node.target, Value());
  const Value value = node.value ? visit(*node.value) : Value::raw_none();
  // Triton evaluates the value of an annotated assignment twice unless it is constexpr; so the ops appear twice.
  if (!is_constexpr) return assign_named(*node.target, node.value.get());
  if (scope_.contains(name->id)) {
    report_.error(codes::kConstexprReassigned,
                  fmt::format("'{}' is already defined; a constexpr cannot be reassigned", name->id));
  }
  // Also a tensor, which Triton accepts as long as nothing needs its value.
  scope_.set(name->id, value.as_constexpr());
}

void FunctionLowering::visit_augmented(const ast::AugAssign& node) {
  const auto* name = node.target->as<ast::Name>();
  if (name == nullptr) return assign_target(*node.target, Value());
  emit_.set_prefix(name->id);
  place(node);
  const Location here = emit_.location();
  const Value left = visit(*node.target);
  const Value right = visit(*node.value);
  report_.set_here(node.range);
  const Value computed = binary(node.op, left, right);
  emit_.set_location(here);
  const Value result = sanitized(computed);
  emit_.clear_prefix();
  set_value(name->id, result);
  visit(*node.target);
}

Value FunctionLowering::decayed(const Value& value) {
  if (const std::vector<Value>* elements = value.elements()) {
    std::vector<Value> tensors;
    for (const Value& element : *elements) tensors.push_back(element.is_raw() ? Value(Constant()) : decayed(element));
    return Value::tuple(std::move(tensors), value.tuple_type());
  }
  if (value.is_number()) return semantics::to_tensor(builder_, value);
  return value;
}

void FunctionLowering::visit_return(const ast::Return& node) {
  Value value = node.value ? visit(*node.value) : Value::raw_none();
  if (loop_depth_ > 0) {
    report_.error(codes::kControlFlow, "cannot have `return` statements inside `while` or `for` statements in triton");
    return;
  }
  if (value.is_none() && !value.is_raw()) {
    report_.error(codes::kReturnTypes, "None cannot be returned: Triton 3.6 makes a tensor of what is returned",
                  "write `return` without a value");
    return;
  }
  const bool is_list = value.is_list();
  value = decayed(value);
  if (value.is_invalid()) return;
  const bool is_nothing = value.is_none();
  if (is_list || (!is_nothing && (!value.is_triton_value() || value.constant() != nullptr))) {
    report_.error(codes::kReturnTypes,
                  fmt::format("{} cannot be returned", is_list ? "what list() gives" : value.describe()),
                  "return tensors, numbers or tuples of them");
    return;
  }
  if (is_nothing) value = Value::raw_none();
  if (is_kernel_ && !is_nothing) {
    report_.error(codes::kReturnTypes,
                  fmt::format("a kernel cannot return a value, but this returns {}", value.describe()),
                  "store the result through a pointer");
    return;
  }
  emit_.create("tt.return", flatten(value), {});
  if (!result_) {
    result_ = value;
  } else if (!same_type(*result_, value)) {
    report_.error(codes::kReturnTypes,
                  fmt::format("inconsistent return types: {} and {}", result_->describe(), value.describe()),
                  "cast the values so that every return gives the same type");
    return;
  }
  emit_.to_end(op_->region().add_block());
}

void FunctionLowering::visit_assert(const ast::Assert& node) {
  const Value test = visit(*node.test);
  const Value message = node.msg ? visit(*node.msg) : Value(Constant::string(""));
  const Tensor condition = semantics::to_tensor(builder_, test);
  if (!condition) return;
  if (message.is_invalid()) return;
  // Without debug Triton never looks at the message; it is lost here, too, where asserts stay nevertheless.
  if (!message.is_string() && compilation_.options.debug)
    return report_.error(codes::kNotConstexpr, "the message of an assert must be a string");
  semantics::device_assert(builder_, condition, message.is_string() ? message.constant()->text() : "", nullptr);
}

void FunctionLowering::visit_with(const ast::With& node) {
  for (const auto& item : node.items) {
    const auto* call = item->context_expr->as<ast::Call>();
    const Value manager = visit(call != nullptr ? *call->func : *item->context_expr);
    if (manager.is_invalid()) return;
    report_.set_here(item->context_expr->range);
    report_.error(codes::kUnsupportedNode, fmt::format("{} is no context manager", manager.describe()),
                  "triton.language has none: leave out the `with`");
    return;
  }
}

}  // namespace lockstep::frontend
