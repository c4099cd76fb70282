// Text of llvm.intr.assume, whose operand bundles no form can express: %c ["align"(%p, %n : !llvm.ptr, i64)] : i1.
#include "dialects/text_hooks.h"
#include "dialects/verify_hooks.h"
#include "ir/text/parse/op_parser.h"
#include "ir/text/printer.h"
#include "ir/verify/verifier.h"

namespace lockstep::dialects {
namespace {

using ir::Attribute;
using ir::AttributeNode;
using ir::Op;
using ir::OpParser;
using ir::OpPrinter;
using ir::Type;

constexpr std::string_view kSizes = "op_bundle_sizes";
constexpr std::string_view kTags = "op_bundle_tags";

struct Bundles {
  std::vector<ir::OperandName> operands;
  std::vector<Type> types;
  std::vector<std::int64_t> sizes;
  std::vector<Attribute> tags;
};

bool parse_bundle(OpParser& parser, Bundles& bundles) {
  if (!parser.peek().is(ir::Token::Kind::string)) return parser.error_here("the name of a bundle, such as \"align\"");
  const Attribute tag = parser.parse_attribute();
  if (!tag || !parser.expect('(')) return false;
  std::vector<ir::OperandName> operands;
  std::vector<Type> types;
  const std::uint32_t begin = parser.peek().begin;
  if (!parser.parse_operands(operands)) return false;
  if (!operands.empty() && (!parser.expect(':') || !parser.parse_type_list(types))) return false;
  if (operands.size() != types.size())
    return parser.error(parser.range_from(begin), "LS1014", "a bundle has as many types as values");
  bundles.operands.insert(bundles.operands.end(), operands.begin(), operands.end());
  bundles.types.insert(bundles.types.end(), types.begin(), types.end());
  bundles.sizes.push_back(static_cast<std::int64_t>(operands.size()));
  bundles.tags.push_back(tag);
  if (bundles.operands.size() > ir::kMaxValuesPerOp || bundles.tags.size() > ir::kMaxValuesPerOp)
    return parser.error_here("fewer bundles");
  return parser.expect(')');
}

bool parse_bundles(OpParser& parser, Bundles& bundles) {
  if (!parser.consume('[') || parser.consume(']')) return true;
  do {
    if (!parse_bundle(parser, bundles)) return false;
  } while (parser.consume(','));
  return parser.expect(']');
}

void print_bundles(OpPrinter& printer, const Op& op, Attribute sizes, Attribute tags) {
  const std::vector<ir::Value*> operands = op.operands();
  std::size_t at = 1;
  printer << " [";
  for (std::size_t i = 0; i < sizes->values.size(); ++i) {
    printer << (i == 0 ? "" : ", ");
    printer.print_attribute_value(tags->elements[i]);
    printer << "(";
    const std::size_t end = at + static_cast<std::size_t>(sizes->values[i]);
    const std::vector<ir::Value*> own(operands.begin() + static_cast<std::ptrdiff_t>(at),
                                      operands.begin() + static_cast<std::ptrdiff_t>(end));
    at = end;
    if (!own.empty()) {
      printer.print_values(own);
      printer << " : ";
      printer.print_types(own);
    }
    printer << ")";
  }
  printer << "]";
}

/// The sizes add up to the operands after the condition, and each bundle has a tag.
bool bundles_are_sound(const Op& op, Attribute sizes, Attribute tags) {
  if (!sizes || !sizes.is_dense_array()) return op.operand_count() == 1;
  const std::size_t tag_count = tags && tags->kind == AttributeNode::Kind::array ? tags->elements.size() : 0;
  std::size_t total = 1;
  for (const std::int64_t size : sizes->values) {
    if (size < 0 || size > static_cast<std::int64_t>(op.operand_count())) return false;
    total += static_cast<std::size_t>(size);
  }
  return total == op.operand_count() && tag_count == sizes->values.size();
}

}  // namespace

bool parse_assume(OpParser& parser, Op& op) {
  ir::OperandName condition;
  Bundles bundles;
  if (!parser.parse_operand(condition) || !parse_bundles(parser, bundles)) return false;
  if (!parser.parse_optional_attributes(op) || !parser.expect(':')) return false;
  const Type type = parser.parse_type();
  if (!type || !parser.add_operands(op, {condition}, {type})) return false;
  ir::Context& context = parser.context();
  if (!bundles.tags.empty()) {
    op.set_attribute(kSizes, context.dense_array(context.integer(32), bundles.sizes));
    op.set_attribute(kTags, context.array(bundles.tags));
  }
  return parser.add_operands(op, bundles.operands, bundles.types);
}

void print_assume(OpPrinter& printer, const Op& op) {
  const Attribute sizes = op.attribute(kSizes);
  printer << " " << op.operand(0);
  if (sizes && sizes.is_dense_array() && !sizes->values.empty() && bundles_are_sound(op, sizes, op.attribute(kTags)))
    print_bundles(printer, op, sizes, op.attribute(kTags));
  printer.print_attributes(op, {kSizes, kTags});
  printer << " : " << op.operand(0)->type();
}

bool verify_assume(ir::VerifyContext& context, const Op& op) {
  if (bundles_are_sound(op, op.attribute(kSizes), op.attribute(kTags))) return true;
  return context.error(op, "LS1107",
                       "op_bundle_sizes and op_bundle_tags do not fit the operands of 'llvm.intr.assume'");
}

}  // namespace lockstep::dialects
