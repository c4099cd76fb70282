// The generic form: "name"(operands)[^targets] <{properties}> ({regions}) {attributes} : (types) -> types.
#include <algorithm>

#include "ir/op_def.h"
#include "ir/op_registry.h"
#include "ir/text/assembly_form.h"
#include "ir/text/parser.h"

namespace lockstep::ir {
namespace {

constexpr std::string_view kSegments = "operandSegmentSizes";

/// Row of ops that have none: they are parsed, to find further errors, and dropped.
const OpDef kUnknownOp{};

/// Sizes for rows whose variadic groups are equally long; they add up to `count` only if it can be shared out.
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

bool is_open(const OpDef& def) { return &def == &kUnknownOp; }

}  // namespace

bool OpParser::parse_generic_op(Block& block, const std::vector<ResultName>& names, std::uint32_t begin) {
  const Token name = take();
  const std::string spelling = unescape(name.text);
  const OpDef* def = context().ops().find(spelling);
  if (def == nullptr) {
    report_unknown_op(name);
    def = &kUnknownOp;
  }
  std::unique_ptr<Op> op = Op::create(*def, location_at(name.begin));
  op->set_span({file_, {begin, name.end}});
  if (!parse_generic_body(*op)) {
    failed_ops_.push_back(std::move(op));
    return false;
  }
  if (!is_open(*def)) return finish_op(block, std::move(op), names, begin, last_end_);
  failed_ops_.push_back(std::move(op));
  Location location;
  bool found = false;
  poison(names);
  return parse_optional_location(location, found);
}

bool OpParser::parse_generic_body(Op& op) {
  std::vector<OperandName> operands;
  if (!expect('(') || !parse_operands(operands) || !expect(')')) return false;
  std::vector<Block*> targets;
  if (consume('[')) {
    do {
      if (!token_.is(Token::Kind::caret_id) || blocks_ == nullptr) return error_here("a block of this region");
      targets.push_back(block_named(take()));
    } while (consume(','));
    if (!expect(']')) return false;
  }
  if (consume('<')) {
    std::vector<NamedAttribute> properties;
    if (!parse_attribute_dictionary(properties) || !expect('>') || !set_generic_attributes(op, std::move(properties)))
      return false;
  }
  if (at('(') && !parse_generic_regions(op)) return false;
  if (at('{')) {
    std::vector<NamedAttribute> attributes;
    if (!parse_attribute_dictionary(attributes) || !set_generic_attributes(op, std::move(attributes))) return false;
  }
  std::vector<Type> inputs;
  std::vector<Type> results;
  if (!expect(':') || !parse_signature(inputs, results) || !add_operands(op, operands, inputs)) return false;
  for (const Type type : results) op.add_result(type);
  for (Block* target : targets) op.add_successor(target, {});
  return is_open(op.def()) || take_segments(op);
}

bool OpParser::parse_generic_regions(Op& op) {
  advance();
  do {
    if (op.regions().size() >= 16) return error_here("')'");
    if (!parse_region(op.add_region(), {})) return false;
  } while (consume(','));
  return expect(')');
}

bool OpParser::set_generic_attributes(Op& op, std::vector<NamedAttribute> entries) {
  for (NamedAttribute& entry : entries) {
    if (op.attribute(entry.name))
      return error(op.span().range, "LS1007", "attribute '" + entry.name + "' is given twice");
    op.set_attribute(entry.name, entry.value);
  }
  return true;
}

bool OpParser::take_segments(Op& op) {
  const OpDef& def = op.def();
  const Attribute given = op.attribute(kSegments);
  op.remove_attribute(kSegments);
  op.remove_attribute("resultSegmentSizes");
  if (op.successors().size() != def.successor_count) {
    return error(op.span().range, "LS1014",
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
      return error(op.span().range, "LS1014",
                   "operandSegmentSizes of '" + std::string(def.spelling) + "' does not add up to its operands");
    }
  }
  if (def.successor_count == 0) {
    op.set_operand_segments(std::move(segments));
    return true;
  }
  // Branches: the trailing groups belong to the targets, in order.
  const std::vector<Value*> operands = op.operands();
  std::vector<Block*> targets;
  for (const Successor& successor : op.successors()) targets.push_back(successor.block);
  const std::size_t own = def.operands.size() - targets.size();
  if (segments.empty()) segments = {static_cast<std::uint32_t>(operands.size())};
  const bool own_are_single = std::all_of(segments.begin(), segments.begin() + static_cast<std::ptrdiff_t>(own),
                                          [](std::uint32_t size) { return size == 1; });
  if (operands.size() < own || !own_are_single) {
    return error(op.span().range, "LS1014", "'" + std::string(def.spelling) + "' lacks its condition");
  }
  auto next = operands.begin() + static_cast<std::ptrdiff_t>(own);
  op.clear_successors();
  op.set_operands({operands.begin(), next});
  op.set_operand_segments({});
  for (std::size_t i = 0; i < targets.size(); ++i) {
    const auto size = static_cast<std::ptrdiff_t>(segments[own + i]);
    if (operands.end() - next < size) {
      return error(op.span().range, "LS1014",
                   "operandSegmentSizes of '" + std::string(def.spelling) + "' does not add up to its operands");
    }
    op.add_successor(targets[i], {next, next + size});
    next += size;
  }
  return true;
}

}  // namespace lockstep::ir
