#include "ir/text/parse/generic_op_parser.h"

#include <algorithm>
#include <string>
#include <vector>

#include "ir/op_def.h"
#include "ir/text/assembly_form.h"

namespace lockstep::ir {
namespace {

constexpr std::string_view kSegments = "operandSegmentSizes";

/// Sizes for rows whose variadic groups are equally long; they add up to `count` only if it divides evenly.
std::vector<std::uint32_t> equal_segments(const OpDef& def, std::size_t count) {
  const auto variadic = std::count_if(def.operands.begin(), def.operands.end(),
                                      [](const OperandSpec& s) { return s.arity != Arity::one; });
  const std::size_t fixed = def.operands.size() - static_cast<std::size_t>(variadic);
  const std::size_t each = count < fixed ? 0 : (count - fixed) / static_cast<std::size_t>(variadic);
  std::vector<std::uint32_t> segments;
  for (const OperandSpec& spec : def.operands)
    segments.push_back(spec.arity == Arity::one ? 1 : static_cast<std::uint32_t>(each));
  return segments;
}

bool parse_generic_regions(OpParser& parser, Op& op) {
  parser.take();
  do {
    if (op.regions().size() >= 16) return parser.error_here("')'");
    if (!parser.parse_region(op.add_region(), {})) return false;
  } while (parser.consume(','));
  return parser.expect(')');
}

bool set_generic_attributes(OpParser& parser, Op& op, std::vector<NamedAttribute> entries) {
  for (NamedAttribute& entry : entries) {
    if (op.attribute(entry.name))
      return parser.error(op.span().range, "LS1007", "attribute '" + entry.name + "' is given twice");
    op.set_attribute(entry.name, entry.value);
  }
  return true;
}

bool take_segments(OpParser& parser, Op& op, const std::vector<Block*>& targets) {
  const OpDef& def = op.def();
  const Attribute given = op.attribute(kSegments);
  op.remove_attribute(kSegments);
  op.remove_attribute("resultSegmentSizes");
  if (targets.size() != def.successor_count) {
    return parser.error(op.span().range, "LS1014",
                        "'" + std::string(def.spelling) + "' has " + std::to_string(def.successor_count) + " targets");
  }
  std::vector<std::uint32_t> segments;
  if (has_operand_segments(def)) {
    std::int64_t total = 0;
    if (given.is_dense_array()) {
      for (const std::int64_t size : given->values) {
        if (size < 0 || size > static_cast<std::int64_t>(op.operand_count())) total = -1;
        if (total < 0) break;
        segments.push_back(static_cast<std::uint32_t>(size));
        total += size;
      }
    } else if (def.equal_variadic_groups) {
      segments = equal_segments(def, op.operand_count());
      for (const std::uint32_t size : segments) total += size;
    }
    if (segments.size() != def.operands.size() || total != static_cast<std::int64_t>(op.operand_count())) {
      return parser.error(op.span().range, "LS1014",
                          "operandSegmentSizes of '" + std::string(def.spelling) + "' does not add up to its operands");
    }
  }
  if (def.successor_count == 0) {
    op.set_operand_segments(std::move(segments));
    return true;
  }
  // Branches: the trailing groups belong to the targets, in order.
  const std::vector<Value*> operands = op.operands();
  const std::size_t own = def.operands.size() - targets.size();
  if (segments.empty()) segments = {static_cast<std::uint32_t>(operands.size())};
  const bool own_are_single = std::all_of(segments.begin(), segments.begin() + static_cast<std::ptrdiff_t>(own),
                                          [](std::uint32_t size) { return size == 1; });
  if (operands.size() < own || !own_are_single) {
    return parser.error(op.span().range, "LS1014", "'" + std::string(def.spelling) + "' lacks its condition");
  }
  auto next = operands.begin() + static_cast<std::ptrdiff_t>(own);
  op.set_operands({operands.begin(), next});
  op.set_operand_segments({});
  for (std::size_t i = 0; i < targets.size(); ++i) {
    const auto size = static_cast<std::ptrdiff_t>(segments[own + i]);
    if (operands.end() - next < size) {
      return parser.error(op.span().range, "LS1014",
                          "operandSegmentSizes of '" + std::string(def.spelling) + "' does not add up to its operands");
    }
    op.add_successor(targets[i], {next, next + size});
    next += size;
  }
  return true;
}

}  // namespace

bool parse_generic_body(OpParser& parser, Op& op, bool is_known) {
  std::vector<OperandName> operands;
  if (!parser.expect('(') || !parser.parse_operands(operands) || !parser.expect(')')) return false;
  std::vector<Block*> targets;
  if (parser.consume('[')) {
    do {
      Block* target = parser.parse_target();
      if (target == nullptr) return false;
      targets.push_back(target);
    } while (parser.consume(','));
    if (!parser.expect(']')) return false;
  }
  if (parser.consume('<')) {
    std::vector<NamedAttribute> properties;
    if (!parser.parse_attribute_dictionary(properties) || !parser.expect('>') ||
        !set_generic_attributes(parser, op, std::move(properties)))
      return false;
  }
  if (parser.at('(') && !parse_generic_regions(parser, op)) return false;
  if (parser.at('{')) {
    std::vector<NamedAttribute> attributes;
    if (!parser.parse_attribute_dictionary(attributes) || !set_generic_attributes(parser, op, std::move(attributes)))
      return false;
  }
  std::vector<Type> inputs;
  std::vector<Type> results;
  if (!parser.expect(':') || !parser.parse_signature(inputs, results) || !parser.add_operands(op, operands, inputs))
    return false;
  for (const Type type : results) op.add_result(type);
  if (is_known) return take_segments(parser, op, targets);
  for (Block* target : targets) op.add_successor(target, {});
  return true;
}

}  // namespace lockstep::ir
