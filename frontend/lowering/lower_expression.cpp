// Expressions by kind: those without a file of their own: literals, sequences, comprehensions, f-strings, indexing.
#include "frontend/lowering/lower_expression.h"

#include <algorithm>

#include <fmt/format.h>

#include "frontend/host/host_operators.h"
#include "frontend/lowering/lower_attribute.h"
#include "frontend/lowering/lower_call.h"
#include "frontend/lowering/lower_if.h"
#include "frontend/lowering/lower_name.h"
#include "frontend/lowering/lower_operator.h"
#include "frontend/semantics/value_text.h"

namespace lockstep::frontend {

namespace {

bool is_none_or_invalid(const Value& value) { return value.is_none() || value.is_invalid(); }

bool is_full_slice(const SliceValue& slice) {
  return std::all_of(slice.bounds->begin(), slice.bounds->end(), is_none_or_invalid);
}

Value lower_slice(LoweringContext& in, const ast::Slice& node) {
  const auto part = [&](const ast::ExprPtr& bound) { return bound ? in.visit(*bound) : Value(Constant()); };
  std::vector<Value> bounds{part(node.lower), part(node.upper), part(node.step)};
  return SliceValue{std::make_shared<const std::vector<Value>>(std::move(bounds))};
}

Value lower_sequence(LoweringContext& in, const ast::ExprList& elements) {
  std::vector<Value> values;
  values.reserve(elements.size());
  bool valid = true;
  for (const ast::ExprPtr& element : elements) {
    if (element->is<ast::Starred>()) return in.unsupported_node(*element);
    values.push_back(in.visit(*element));
    valid = valid && !values.back().is_invalid();
  }
  if (!valid) return {};
  Value tuple = Value::tuple(std::move(values));
  if (tuple.opaque() == nullptr) return tuple;
  in.report.error(codes::kConstantExpression, tuple.opaque()->what);
  return {};
}

Value lower_list_comprehension(LoweringContext& in, const ast::ListComp& node) {
  if (node.generators.size() != 1) {
    in.report.error(codes::kUnsupportedNode, "nested comprehensions are not supported");
    return {};
  }
  const ast::Comprehension& generator = *node.generators.front();
  const auto reject = [&](const std::string& what) -> Value {
    in.report.set_here(generator.iter->range);
    in.report.error(codes::kUnsupportedNode, fmt::format("only tuple comprehensions are supported, not over {}", what),
                    "write the tuple out, or append to a tuple in a tl.static_range loop: t = t + (x,)");
    return {};
  };
  const auto* call = generator.iter->as<ast::Call>();
  const Value callee = call != nullptr ? in.visit(*call->func) : Value();
  if (callee.host_function() != nullptr && callee.host_function()->name.ends_with("range"))
    return reject(callee.host_function()->name);
  const Value iterated = in.visit(*generator.iter);
  if (iterated.is_invalid()) return {};
  const auto* name = generator.target->as<ast::Name>();
  if (name == nullptr) return in.unsupported_node(*generator.target);
  if (iterated.elements() == nullptr) return reject(describe(iterated));
  std::vector<Value> results;
  for (const Value& item : *iterated.elements()) {
    in.set_value(name->id, item);
    results.push_back(in.visit(*node.elt));
    if (results.back().is_invalid()) return {};
  }
  return Value::tuple(std::move(results));
}

Value lower_joined_string(LoweringContext& in, const ast::JoinedStr& node) {
  std::string text;
  for (const ast::ExprPtr& part : node.values) {
    if (const auto* literal = part->as<ast::Constant>()) {
      text += literal->text;
      continue;
    }
    const auto* formatted = part->as<ast::FormattedValue>();
    if (formatted == nullptr) return in.unsupported_node(*part);
    const Value value = in.visit(*formatted->value);
    if (value.is_invalid()) return {};
    const bool is_member = value.constant() != nullptr && value.constant()->enum_member() != nullptr;
    if (value.tensor() != nullptr || (is_member && !value.is_constexpr())) {
      in.report.error(codes::kNotConstexpr,
                      fmt::format("an f-string in a kernel takes compile-time values, not {}", describe(value)),
                      is_member ? "name it first: which: tl.constexpr = ..." : "use tl.device_print(\"name\", value)");
      return {};
    }
    const bool quoted = formatted->conversion == 'r' || formatted->conversion == 'a';
    text += quoted && value.constant() != nullptr ? value.constant()->repr() : kernel_str(value);
  }
  return Constant::string(std::move(text));
}

Value index_tensor(LoweringContext& in, const Tensor& tensor, const Value& index) {
  const std::vector<Value> single{index};
  const std::vector<Value>& parts = index.elements() != nullptr ? *index.elements() : single;
  Tensor result = tensor;
  for (std::size_t axis = 0; axis < parts.size(); ++axis) {
    const Value& part = parts[axis];
    if (part.is_none()) {
      result = semantics::expand_dims(in.builder, result, static_cast<std::int64_t>(axis));
    } else if (part.slice() == nullptr || !is_full_slice(*part.slice())) {
      in.report.error(codes::kShapeMismatch, fmt::format("unsupported tensor index: {}", describe(part)),
                      "a block can only be indexed with None and full slices; load the elements wanted, or use "
                      "tl.gather, tl.where, tl.sum");
      return {};
    }
    if (!result) return {};
  }
  return result;
}

Value lower_subscript(LoweringContext& in, const ast::Subscript& node) {
  const Value owner = in.visit(*node.value);
  const Value index = in.visit(*node.slice);
  if (owner.is_invalid() || index.is_invalid()) return {};
  if (owner.tensor() != nullptr && !has_operators(in, "[]", owner, Value::raw_none())) return {};
  if (const Tensor* tensor = owner.tensor()) return index_tensor(in, *tensor, index);
  if (owner.aggregate() != nullptr) return call_operator_method(in, owner, "__getitem__", {index});
  const ValueResult result = subscript_host(owner, index);
  if (result) return *result;
  in.report.error(codes::kConstantExpression, result.error());
  return {};
}

Value lower_by_kind(LoweringContext& in, const ast::Expr& node) {
  switch (node.kind) {
    case ast::Kind::Constant: {
      Value value = constant_of(*node.as<ast::Constant>());
      if (value.opaque() != nullptr)
        in.report.error(codes::kConstantExpression, fmt::format("{} cannot be used in a kernel", value.opaque()->what));
      return value.opaque() != nullptr ? Value() : value;
    }
    case ast::Kind::Name: return lower_name(in, *node.as<ast::Name>());
    case ast::Kind::Attribute:
      return attribute_of(in, in.visit(*node.as<ast::Attribute>()->value), node.as<ast::Attribute>()->attr);
    case ast::Kind::BinOp: {
      const auto& operation = *node.as<ast::BinOp>();
      const Value left = in.visit(*operation.left);
      const Value right = in.visit(*operation.right);
      return lower_binary(in, operation.op, left, right);
    }
    case ast::Kind::Compare: return lower_compare(in, *node.as<ast::Compare>());
    case ast::Kind::BoolOp: return lower_bool_op(in, *node.as<ast::BoolOp>());
    case ast::Kind::UnaryOp: return lower_unary(in, *node.as<ast::UnaryOp>());
    case ast::Kind::IfExp: return lower_if_expression(in, *node.as<ast::IfExp>());
    case ast::Kind::Call: return lower_call(in, *node.as<ast::Call>());
    case ast::Kind::Subscript: return lower_subscript(in, *node.as<ast::Subscript>());
    case ast::Kind::Slice: return lower_slice(in, *node.as<ast::Slice>());
    case ast::Kind::Tuple: return lower_sequence(in, node.as<ast::Tuple>()->elts);
    case ast::Kind::List: return lower_sequence(in, node.as<ast::List>()->elts);
    case ast::Kind::ListComp: return lower_list_comprehension(in, *node.as<ast::ListComp>());
    case ast::Kind::JoinedStr: return lower_joined_string(in, *node.as<ast::JoinedStr>());
    default: return in.unsupported_node(node);
  }
}

}  // namespace

Value lower_expression(LoweringContext& in, const ast::Expr& node) {
  if (in.stopped()) return {};
  const SourceRange outer = in.report.here();
  in.report.set_here(node.range);
  in.place(node);
  const Location here = in.emit.location();
  ++in.compilation.nesting;
  const Value value = lower_by_kind(in, node);
  --in.compilation.nesting;
  in.emit.set_location(here);
  in.report.set_here(outer);
  return value;
}

}  // namespace lockstep::frontend
