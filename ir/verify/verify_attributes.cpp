// Attributes and type relations of the rows, checked for any op.
#include "ir/text/assembly_form.h"
#include "ir/text/printer.h"
#include "ir/verify/row_rules.h"
#include "ir/verify/type_relation.h"
#include "ir/verify/verifier.h"

namespace lockstep::ir {
namespace {

std::string describe_attribute(const AttributeSpec& spec) {
  switch (spec.rule) {
    case AttributeRule::any: return "anything";
    case AttributeRule::unit: return "without value";
    case AttributeRule::boolean: return "true or false";
    case AttributeRule::i32: return "an i32";
    case AttributeRule::i64: return "an i64";
    case AttributeRule::string: return "a string";
    case AttributeRule::type: return "a type";
    case AttributeRule::symbol: return "a symbol";
    case AttributeRule::dense_array_i32: return "array<i32: ...>";
    case AttributeRule::dense_or_scalar: return "a number or dense<...>";
    case AttributeRule::enumeration: return with_article(spec.enumeration->name);
  }
  return "";
}

/// The types of the groups in a relation's term; a fixed type gives one null.
std::vector<Type> types_of(const Op& op, const RelationTerm& term) {
  if (term.function == RelationTerm::Function::fixed) return {Type()};
  if (!term.is_result) {
    std::vector<Type> types;
    for (const Value* value : op.operand_group(term.index)) types.push_back(value->type());
    return types;
  }
  if (op.def().results[term.index].arity == Arity::variadic) {
    std::vector<Type> types;
    for (std::size_t i = 0; i < op.result_count(); ++i) types.push_back(op.result(i)->type());
    return types;
  }
  return term.index < op.result_count() ? std::vector<Type>{op.result(term.index)->type()} : std::vector<Type>();
}

/// The members of a variadic group.
std::vector<Value*> values_of(const Op& op, const RelationTerm& term) {
  if (!term.is_result) return op.operand_group(term.index);
  std::vector<Value*> values;
  for (std::size_t i = 0; i < op.result_count(); ++i) values.push_back(op.result(i));
  return values;
}

/// The tensor that a memory descriptor shows; other types as they are.
Type shown(Type type) { return type.is_memdesc() ? type.pointee() : type; }

std::string shape_text(Type type) {
  if (!type.is_tensor()) return "a scalar";
  std::string out;
  for (const std::int64_t extent : type.shape()) out += (out.empty() ? "" : "x") + std::to_string(extent);
  return "shape " + (out.empty() ? std::string("[]") : out);
}

}  // namespace

bool VerifyContext::verify_attributes(const Op& op) {
  for (const AttributeSpec& spec : op.def().attributes) {
    const Attribute value = op.attribute(spec.name);
    if (!value) {
      if (spec.presence != Presence::required) continue;
      return error(op, "LS1104",
                   "'" + std::string(op.spelling()) + "' needs the attribute '" + std::string(spec.name) + "'");
    }
    if (obeys(spec, value)) continue;
    return error(op, "LS1104",
                 "attribute '" + std::string(spec.name) + "' of '" + std::string(op.spelling()) + "' must be " +
                     describe_attribute(spec) + ", but is " + print_attribute(value));
  }
  return true;
}

bool VerifyContext::verify_relations(const Op& op) {
  for (const Relation& relation : relations_of(op.def())) {
    if (is_list(relation.right)) {
      const std::string what = "'" + std::string(relation.left.name) + "' of '" + std::string(op.spelling()) + "'";
      const std::vector<Type> wanted = apply_list(relation.right, types_of(op, relation.right));
      if (!expect_types(op, values_of(op, relation.left), wanted, "LS1105", what)) return false;
      continue;
    }
    const std::vector<Type> right_types = types_of(op, relation.right);
    if (right_types.empty()) continue;
    const bool shapes = relation.left.function == RelationTerm::Function::shape;
    const Type right = shapes ? shown(right_types[0]) : apply_term(context(), relation.right, right_types[0]);
    for (const Type left_type : types_of(op, relation.left)) {
      const Type left = shapes ? shown(left_type) : apply_term(context(), relation.left, left_type);
      const bool holds =
          shapes ? left.shape() == right.shape() && left.is_tensor() == right.is_tensor() : left && left == right;
      if (holds) continue;
      const std::string left_text = shapes ? shape_text(left) : left.to_string();
      const std::string right_text = shapes ? shape_text(right) : right.to_string();
      return error(op, "LS1105",
                   "'" + std::string(op.spelling()) + "': " + describe(relation.left) + " must be " +
                       describe(relation.right) + ", but it is " + left_text + " and not " + right_text);
    }
  }
  return true;
}

}  // namespace lockstep::ir
