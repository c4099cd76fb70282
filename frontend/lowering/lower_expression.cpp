// Expressions: names, operators, attributes, indexing.
#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "frontend/eval/host_functions.h"
#include "frontend/eval/host_strings.h"
#include "frontend/eval/kernel_names.h"
#include "frontend/eval/module_evaluator.h"
#include "frontend/eval/name_definitions.h"
#include "frontend/lowering/function_lowering.h"

namespace lockstep::frontend {

namespace {

/// The method that Triton calls for an operator, by the name of its syntax node; "" if there is none.
std::string operator_method(std::string_view node) {
  constexpr std::array<std::array<std::string_view, 2>, 18> kMethods{{
      {"Add", "__add__"},
      {"Sub", "__sub__"},
      {"Mult", "__mul__"},
      {"Div", "__truediv__"},
      {"FloorDiv", "__floordiv__"},
      {"Mod", "__mod__"},
      {"Pow", "__pow__"},
      {"LShift", "__lshift__"},
      {"RShift", "__rshift__"},
      {"BitAnd", "__and__"},
      {"BitOr", "__or__"},
      {"BitXor", "__xor__"},
      {"Eq", "__eq__"},
      {"NotEq", "__ne__"},
      {"Lt", "__lt__"},
      {"LtE", "__le__"},
      {"Gt", "__gt__"},
      {"GtE", "__ge__"},
  }};
  for (const auto& [name, method] : kMethods) {
    if (name == node) return std::string(method);
  }
  return {};
}

bool is_none_or_invalid(const Value& value) { return value.is_none() || value.is_invalid(); }

bool is_full_slice(const SliceValue& slice) {
  return std::all_of(slice.bounds->begin(), slice.bounds->end(), is_none_or_invalid);
}

}  // namespace

Value FunctionLowering::visit(const ast::Expr& node) {
  if (stopped()) return {};
  const SourceRange outer = report_.here();
  report_.set_here(node.range);
  place(node);
  const Location here = emit_.location();
  ++compilation_.nesting;
  const Value value = dispatch(node);
  --compilation_.nesting;
  emit_.set_location(here);
  report_.set_here(outer);
  return value;
}

Value FunctionLowering::dispatch(const ast::Expr& node) {
  switch (node.kind) {
    case ast::Kind::Constant: {
      Value value = constant_of(*node.as<ast::Constant>());
      if (value.opaque() != nullptr)
        report_.error(codes::kConstantExpression, fmt::format("{} cannot be used in a kernel", value.opaque()->what));
      return value.opaque() != nullptr ? Value() : value;
    }
    case ast::Kind::Name: return visit_name(*node.as<ast::Name>());
    case ast::Kind::Attribute:
      return attribute_of(visit(*node.as<ast::Attribute>()->value), node.as<ast::Attribute>()->attr);
    case ast::Kind::BinOp: {
      const auto& operation = *node.as<ast::BinOp>();
      const Value left = visit(*operation.left);
      const Value right = visit(*operation.right);
      return binary(operation.op, left, right);
    }
    case ast::Kind::Compare: return visit_compare(*node.as<ast::Compare>());
    case ast::Kind::BoolOp: return visit_bool_op(*node.as<ast::BoolOp>());
    case ast::Kind::UnaryOp: return visit_unary(*node.as<ast::UnaryOp>());
    case ast::Kind::IfExp: return visit_if_expression(*node.as<ast::IfExp>());
    case ast::Kind::Call: return visit_call(*node.as<ast::Call>());
    case ast::Kind::Subscript: return visit_subscript(*node.as<ast::Subscript>());
    case ast::Kind::Slice: return visit_slice(*node.as<ast::Slice>());
    case ast::Kind::Tuple: return visit_sequence(node.as<ast::Tuple>()->elts);
    case ast::Kind::List: return visit_sequence(node.as<ast::List>()->elts);
    case ast::Kind::ListComp: return visit_list_comprehension(*node.as<ast::ListComp>());
    case ast::Kind::JoinedStr: return visit_joined_string(*node.as<ast::JoinedStr>());
    default: return unsupported_node(node);
  }
}

Value FunctionLowering::usable_global(const std::string& name, const Value& value, bool is_constexpr) {
  const std::optional<NameProblem> problem = problem_of_global(name, value, is_constexpr);
  if (!problem) return value;
  if (problem->is_unsupported)
    report_.unsupported(problem->code, problem->message);
  else
    report_.error(problem->code, problem->message, problem->hint);
  return {};
}

Value FunctionLowering::visit_name(const ast::Name& node) {
  if (const Value* local = scope_.find(node.id)) return *local;
  const Value* captured = function_.captured != nullptr ? function_.captured->find(node.id) : nullptr;
  // A name that the function sets anywhere is its own in all of it.
  if (captured != nullptr && !find_name_definition(function_.node->body, node.id, node.range.begin))
    return usable_global(node.id, *captured, captured->is_constexpr());
  if (const Value* global = function_.module->find(node.id))
    return usable_global(node.id, *global, function_.module->is_constexpr_global(node.id));
  if (is_kernel_builtin(node.id)) return HostFunction{node.id};
  if (const std::string_view name = builtin_behind(node.id); !name.empty()) return find_builtin(name);
  report_undefined(node);
  return {};
}

/// What Triton does not bind though Python does: parameters that are not ordinary. nullopt: no such parameter.
std::optional<std::string> FunctionLowering::unbound_parameter(const std::string& name) const {
  const ast::Arguments& declared = *function_.node->args;
  if (declared.vararg && declared.vararg->name == name) return "*" + name;
  if (declared.kwarg && declared.kwarg->name == name) return "**" + name;
  for (const Parameter& parameter : function_.parameters) {
    if (parameter.name != name) continue;
    switch (parameter.kind) {
      case ParameterKind::positional_only: return "a positional-only parameter";
      case ParameterKind::keyword_only: return "a keyword-only parameter";
      case ParameterKind::ordinary: return std::nullopt;
    }
  }
  return std::nullopt;
}

void FunctionLowering::report_undefined(const ast::Name& node) {
  const std::string message = fmt::format("name '{}' is not defined", node.id);
  if (const std::optional<std::string> kind = unbound_parameter(node.id)) {
    report_.error(codes::kUndefinedName, fmt::format("{}: it is {}, to which Triton binds nothing", message, *kind),
                  fmt::format("declare {}() with ordinary parameters only, without '/' and '*'", function_.name));
    return;
  }
  const auto definition = find_name_definition(function_.node->body, node.id, node.range.begin);
  if (!definition) return report_.error(codes::kUndefinedName, message);
  report_.error_with_note(
      codes::kUndefinedName, message,
      "a name set in only one branch of an if, or first set inside a loop, does not exist after it",
      {fmt::format("'{}' {}", node.id, definition->why), {function_.module->file(), definition->range}});
}

/// False, and reported, if Triton would look for the operator in the constexpr around a tensor. `right`: null for unary
/// operators.
bool FunctionLowering::has_operators(std::string_view symbol, const Value& left, const Value& right) {
  const auto is_plain = [](const Value& value) { return value.tensor() != nullptr && !value.is_wrapped_tensor(); };
  if (is_plain(left) || is_plain(right)) return true;
  const Value& wrapped = left.is_wrapped_tensor() ? left : right;
  report_.error(
      codes::kOperandTypes,
      fmt::format("no operand of '{}' is a plain tensor: {} was annotated tl.constexpr", symbol, wrapped.describe()),
      std::string(kLeaveAnnotationOut));
  return false;
}

Value FunctionLowering::binary(ast::BinaryOperator op, const Value& left, const Value& right) {
  if (left.is_invalid() || right.is_invalid()) return {};
  if (left.aggregate() != nullptr && right.aggregate() != nullptr)
    return call_method(left, operator_method(ast::operator_name(op)), {right});
  if (left.tensor() != nullptr || right.tensor() != nullptr) {
    if (!has_operators(ast::operator_symbol(op), left, right)) return {};
    const bool is_shift = op == ast::BinaryOperator::LShift || op == ast::BinaryOperator::RShift;
    if (is_shift && right.is_wrapped_tensor()) {  // Triton compares a compile-time distance with the width at once
      report_.error(
          codes::kOperandTypes,
          fmt::format("'{}' by {}, which was annotated tl.constexpr", ast::operator_symbol(op), right.describe()),
          std::string(kLeaveAnnotationOut));
      return {};
    }
    const Value& other = left.tensor() != nullptr ? right : left;
    if (other.tensor() == nullptr && !other.is_number()) {
      report_.error(codes::kOperandTypes, fmt::format("unsupported operands for {}: {} and {}",
                                                      ast::operator_symbol(op), left.describe(), right.describe()));
      return {};
    }
    return semantics::arithmetic(builder_, op, left, right);
  }
  const ValueResult result = apply_host(op, left, right);
  if (result) return *result;
  report_.error(codes::kConstantExpression, result.error());
  return {};
}

Value FunctionLowering::visit_compare(const ast::Compare& node) {
  if (node.ops.size() != 1) {
    report_.error(codes::kUnsupportedNode, "simultaneous multiple comparison is not supported",
                  "write (a < b) & (b < c)");
    return {};
  }
  const Value left = visit(*node.left);
  const Value right = visit(*node.comparators.front());
  if (left.is_invalid() || right.is_invalid()) return {};
  const ast::CompareOperator op = node.ops.front();
  const bool is_identity = op == ast::CompareOperator::Is || op == ast::CompareOperator::IsNot;
  if (!is_identity && (op == ast::CompareOperator::In || op == ast::CompareOperator::NotIn)) {
    report_.error(codes::kUnsupportedNode,
                  fmt::format("AST comparison operator '{}' is not (currently) implemented", ast::operator_name(op)),
                  "compare with == and or");
    return {};
  }
  if (!is_identity && left.aggregate() != nullptr && right.aggregate() != nullptr)
    return call_method(left, operator_method(ast::operator_name(op)), {right});
  if (!is_identity && (left.tensor() != nullptr || right.tensor() != nullptr)) {
    if (!has_operators(ast::operator_symbol(op), left, right)) return {};
    return semantics::compare(builder_, op, left, right);
  }
  const ValueResult result = compare_host(op, left, right);
  if (result) return *result;
  report_.error(codes::kConstantExpression, result.error());
  return {};
}

Value FunctionLowering::visit_bool_op(const ast::BoolOp& node) {
  std::vector<Value> tensors;
  Value last;
  for (const ast::ExprPtr& operand : node.values) {
    last = visit(*operand);
    if (last.is_invalid()) return {};
    if (last.tensor() != nullptr) {
      tensors.push_back(last);
      continue;
    }
    const std::optional<bool> value = truth(last);
    if (!value) {
      report_.error(codes::kOperandTypes, fmt::format("{} has no truth value", last.describe()));
      return {};
    }
    if (*value == (node.op == ast::BoolOperator::Or)) return last;  // decides the result: nothing else is evaluated
  }
  if (tensors.empty()) return last;
  while (tensors.size() > 1) {
    const Value right = tensors.back();
    tensors.pop_back();
    tensors.back() = semantics::logical(builder_, node.op, *tensors.back().tensor(), *right.tensor());
    if (tensors.back().is_invalid()) return {};
  }
  return tensors.front();
}

Value FunctionLowering::visit_unary(const ast::UnaryOp& node) {
  const Value operand = visit(*node.operand);
  if (operand.is_invalid()) return {};
  if (const Tensor* tensor = operand.tensor()) {
    const bool has_operator =
        node.op == ast::UnaryOperator::Not || has_operators(ast::operator_symbol(node.op), operand, Value::raw_none());
    if (!has_operator) return {};
    switch (node.op) {
      case ast::UnaryOperator::USub: return semantics::minus(builder_, *tensor);
      case ast::UnaryOperator::Invert: return semantics::invert(builder_, *tensor);
      case ast::UnaryOperator::Not: return semantics::logical_not(builder_, *tensor);
      case ast::UnaryOperator::UAdd: break;
    }
    report_.error(codes::kOperandTypes, "tensors have no unary +", "leave it out");
    return {};
  }
  const ValueResult result = apply_host(node.op, operand);
  if (result) return *result;
  report_.error(codes::kConstantExpression, result.error());
  return {};
}

Value FunctionLowering::visit_slice(const ast::Slice& node) {
  const auto part = [&](const ast::ExprPtr& bound) { return bound ? visit(*bound) : Value(Constant()); };
  std::vector<Value> bounds{part(node.lower), part(node.upper), part(node.step)};
  return SliceValue{std::make_shared<const std::vector<Value>>(std::move(bounds))};
}

Value FunctionLowering::visit_sequence(const ast::ExprList& elements) {
  std::vector<Value> values;
  values.reserve(elements.size());
  bool valid = true;
  for (const ast::ExprPtr& element : elements) {
    if (element->is<ast::Starred>()) return unsupported_node(*element);
    values.push_back(visit(*element));
    valid = valid && !values.back().is_invalid();
  }
  if (!valid) return {};
  Value tuple = Value::tuple(std::move(values));
  if (tuple.opaque() == nullptr) return tuple;
  report_.error(codes::kConstantExpression, tuple.opaque()->what);
  return {};
}

Value FunctionLowering::visit_list_comprehension(const ast::ListComp& node) {
  if (node.generators.size() != 1) {
    report_.error(codes::kUnsupportedNode, "nested comprehensions are not supported");
    return {};
  }
  const ast::Comprehension& generator = *node.generators.front();
  const auto reject = [&](const std::string& what) -> Value {
    report_.set_here(generator.iter->range);
    report_.error(codes::kUnsupportedNode, fmt::format("only tuple comprehensions are supported, not over {}", what),
                  "write the tuple out, or append to a tuple in a tl.static_range loop: t = t + (x,)");
    return {};
  };
  const auto* call = generator.iter->as<ast::Call>();
  const Value callee = call != nullptr ? visit(*call->func) : Value();
  if (callee.host_function() != nullptr && callee.host_function()->name.ends_with("range"))
    return reject(callee.host_function()->name);
  const Value iterated = visit(*generator.iter);
  if (iterated.is_invalid()) return {};
  const auto* name = generator.target->as<ast::Name>();
  if (name == nullptr) return unsupported_node(*generator.target);
  if (iterated.elements() == nullptr) return reject(iterated.describe());
  std::vector<Value> results;
  for (const Value& item : *iterated.elements()) {
    set_value(name->id, item);
    results.push_back(visit(*node.elt));
    if (results.back().is_invalid()) return {};
  }
  return Value::tuple(std::move(results));
}

Value FunctionLowering::visit_joined_string(const ast::JoinedStr& node) {
  std::string text;
  for (const ast::ExprPtr& part : node.values) {
    if (const auto* literal = part->as<ast::Constant>()) {
      text += literal->text;
      continue;
    }
    const auto* formatted = part->as<ast::FormattedValue>();
    if (formatted == nullptr) return unsupported_node(*part);
    const Value value = visit(*formatted->value);
    if (value.is_invalid()) return {};
    const bool is_member = value.constant() != nullptr && value.constant()->enum_member() != nullptr;
    if (value.tensor() != nullptr || (is_member && !value.is_constexpr())) {
      report_.error(codes::kNotConstexpr,
                    fmt::format("an f-string in a kernel takes compile-time values, not {}", value.describe()),
                    is_member ? "name it first: which: tl.constexpr = ..." : "use tl.device_print(\"name\", value)");
      return {};
    }
    const bool quoted = formatted->conversion == 'r' || formatted->conversion == 'a';
    text += quoted && value.constant() != nullptr ? value.constant()->repr() : kernel_str(value);
  }
  return Constant::string(std::move(text));
}

Value FunctionLowering::index_tensor(const Tensor& tensor, const Value& index) {
  const std::vector<Value> single{index};
  const std::vector<Value>& parts = index.elements() != nullptr ? *index.elements() : single;
  Tensor result = tensor;
  for (std::size_t axis = 0; axis < parts.size(); ++axis) {
    const Value& part = parts[axis];
    if (part.is_none()) {
      result = semantics::expand_dims(builder_, result, static_cast<std::int64_t>(axis));
    } else if (part.slice() == nullptr || !is_full_slice(*part.slice())) {
      report_.error(codes::kShapeMismatch, fmt::format("unsupported tensor index: {}", part.describe()),
                    "a block can only be indexed with None and full slices; load the elements wanted, or use "
                    "tl.gather, tl.where, tl.sum");
      return {};
    }
    if (!result) return {};
  }
  return result;
}

Value FunctionLowering::visit_subscript(const ast::Subscript& node) {
  const Value owner = visit(*node.value);
  const Value index = visit(*node.slice);
  if (owner.is_invalid() || index.is_invalid()) return {};
  if (owner.tensor() != nullptr && !has_operators("[]", owner, Value::raw_none())) return {};
  if (const Tensor* tensor = owner.tensor()) return index_tensor(*tensor, index);
  if (owner.aggregate() != nullptr) return call_method(owner, "__getitem__", {index});
  const ValueResult result = subscript_host(owner, index);
  if (result) return *result;
  report_.error(codes::kConstantExpression, result.error());
  return {};
}

Value FunctionLowering::tensor_attribute(const Value& owner, const std::string& name) {
  const Tensor& tensor = *owner.tensor();
  if (name == "dtype") return Constant::dtype({tensor.element(), {}});
  if (name == "type") return Constant::dtype(tensor.type);
  if (name == "shape") return Value::integers(tensor.type.shape);
  if (name == "numel") return Constant::integer(tensor.type.numel());
  if (name == "T") return semantics::permute(builder_, tensor, {1, 0});
  const auto self = [&] { return std::make_shared<const Value>(owner); };
  if (const Builtin* method = find_tensor_method(name)) return BoundMethod{self(), method, nullptr, name};
  const JitFunction* library = compilation_.loader.prelude("triton.language.standard").find_function(name);
  if (library != nullptr && library->is_method_of_tensor) return BoundMethod{self(), nullptr, library, name};
  report_.error(codes::kAttribute, fmt::format("a tensor has no attribute '{}'", name));
  return {};
}

std::optional<Value> FunctionLowering::descriptor_attribute(const Value& owner, const std::string& name) {
  const DescriptorValue& descriptor = *owner.descriptor();
  if (name == "shape" || name == "strides") return (*descriptor.geometry)[name == "shape" ? 0 : 1];
  if (name == "block_shape") return Value::integers(descriptor.block.shape);
  if (name == "dtype") return Value(Constant::dtype({descriptor.block.element, {}}));
  if (name == "block_type") return Value(Constant::dtype(descriptor.block));
  const Builtin* method = find_descriptor_method(name);
  if (method == nullptr) return std::nullopt;
  return Value(BoundMethod{std::make_shared<const Value>(owner), method, nullptr, name});
}

Value FunctionLowering::attribute_of(const Value& owner, const std::string& name) {
  if (owner.is_invalid()) return {};
  if (owner.tensor() != nullptr) return tensor_attribute(owner, name);
  std::optional<Value> value;
  if (owner.descriptor() != nullptr) value = descriptor_attribute(owner, name);
  if (owner.constant() != nullptr && name == "value") return owner;
  if (owner.is_dtype()) value = dtype_attribute(owner, name);
  if (owner.aggregate() != nullptr || owner.tuple_type() != nullptr || owner.python_class() != nullptr)
    value = member_of(owner, name);
  if ((owner.is_string() && is_string_method(name)) || (owner.is_number() && is_integer_method(name)))
    value = BoundMethod{std::make_shared<const Value>(owner), nullptr, nullptr, name};
  if (const NamespaceValue* space = owner.space()) value = compilation_.loader.namespace_attribute(space->name, name);
  if (const PythonModule* module = owner.module()) {
    if (const Value* held = module->find(name)) {
      const bool usable =
          held->constant() == nullptr || held->is_dtype() || held->is_none() || module->is_constexpr_global(name);
      if (usable && held->opaque() == nullptr) return *held;
      report_.error(codes::kGlobal, fmt::format("'{}.{}' cannot be used in a kernel", module->name(), name),
                    "make it a tl.constexpr(...)");
      return {};
    }
    if (const PythonModule* child = compilation_.loader.import(module->name() + "." + name)) value = Value(child);
  }
  if (value) return *value;
  report_.error(codes::kAttribute, fmt::format("{} has no attribute '{}'", owner.describe(), name));
  return {};
}

}  // namespace lockstep::frontend
