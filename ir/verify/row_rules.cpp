#include "ir/verify/row_rules.h"

#include <algorithm>

#include "ir/text/assembly_form.h"

namespace lockstep::ir {
namespace {

bool is_integer_of_width(Attribute value, std::uint32_t width) {
  return value->kind == AttributeNode::Kind::integer && value->type.is_integer(width);
}

bool has_its_operands(const Op& op) {
  const auto& specs = op.def().operands;
  for (const Value* value : op.operands()) {
    if (value == nullptr) return false;
  }
  std::size_t in_segments = 0;
  for (const std::uint32_t size : op.operand_segments()) in_segments += size;
  if (has_operand_segments(op.def()) &&
      (op.operand_segments().size() != specs.size() || in_segments != op.operand_count()))
    return false;
  std::size_t total = 0;
  for (std::size_t i = 0; i < specs.size(); ++i) {
    const std::size_t size = op.operand_group(i).size();
    total += size;
    if (specs[i].arity == Arity::one ? size != 1 : specs[i].arity == Arity::optional && size > 1) return false;
  }
  return total == op.operand_count();
}

bool has_its_results(const Op& op) {
  const auto& specs = op.def().results;
  const bool may_be_none = std::all_of(specs.begin(), specs.end(), [](const ResultSpec& spec) { return spec.arity != Arity::one; });
  return op.result_count() == 0 ? may_be_none : specs_of_results(op).size() == op.result_count();
}

}  // namespace

std::vector<std::size_t> specs_of_results(const OpDef& def, const std::vector<Type>& types) {
  std::vector<std::size_t> found;
  std::size_t spec = 0;
  for (const Type type : types) {
    // An open group before others ends where a type is not of its kind.
    const auto is_passed = [&](const ResultSpec& one) {
      const bool is_last = spec + 1 == def.results.size();
      return one.arity != Arity::one && !(is_last && one.arity == Arity::variadic) && !obeys(one.rule, type);
    };
    while (spec < def.results.size() && is_passed(def.results[spec])) ++spec;
    if (spec == def.results.size()) return {};
    found.push_back(spec);
    if (def.results[spec].arity != Arity::variadic) ++spec;
  }
  for (; spec < def.results.size(); ++spec) {
    if (def.results[spec].arity == Arity::one) return {};
  }
  return found;
}

std::vector<std::size_t> specs_of_results(const Op& op) {
  std::vector<Type> types;
  for (std::size_t i = 0; i < op.result_count(); ++i) types.push_back(op.result(i)->type());
  return specs_of_results(op.def(), types);
}

bool obeys(const AttributeSpec& spec, Attribute value) {
  switch (spec.rule) {
    case AttributeRule::any: return true;
    case AttributeRule::unit: return value->kind == AttributeNode::Kind::unit;
    case AttributeRule::boolean: return value->kind == AttributeNode::Kind::boolean;
    case AttributeRule::i32: return is_integer_of_width(value, 32);
    case AttributeRule::i64: return is_integer_of_width(value, 64);
    case AttributeRule::string: return value.is_string();
    case AttributeRule::type: return value->kind == AttributeNode::Kind::type;
    case AttributeRule::symbol: return value->kind == AttributeNode::Kind::symbol;
    case AttributeRule::dense_array_i32: return value.is_dense_array() && value->type.is_integer(32);
    case AttributeRule::dense_or_scalar: return value.is_integer() || value.is_float() || value.is_dense();
    case AttributeRule::enumeration:
      return value->kind == AttributeNode::Kind::integer && !enum_text(*spec.enumeration, value->integer).empty();
  }
  return false;
}

bool fits_its_row(const Op& op) {
  const OpDef& def = op.def();
  if (!has_its_operands(op) || !has_its_results(op) || op.successors().size() != def.successor_count) return false;
  if (op.regions().size() != def.region_count && op.regions().size() > def.max_region_count) return false;
  if (op.regions().size() < def.region_count) return false;
  for (const AttributeSpec& spec : def.attributes) {
    const Attribute value = op.attribute(spec.name);
    if (value ? !obeys(spec, value) : spec.presence == Presence::required) return false;
  }
  return true;
}

}  // namespace lockstep::ir
