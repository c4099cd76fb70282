// Text of arith.constant and arith.select.
#include "dialects/text_hooks.h"
#include "ir/text/parse/op_parser.h"
#include "ir/text/printer.h"

namespace lockstep::dialects {

using ir::Attribute;
using ir::AttributeNode;
using ir::Op;
using ir::OpParser;
using ir::OpPrinter;
using ir::Type;

bool parse_constant(OpParser& parser, Op& op) {
  if (!parser.parse_optional_attributes(op)) return false;
  const std::uint32_t begin = parser.peek().begin;
  const Attribute value = parser.parse_attribute();
  if (!value) return false;
  const bool has_type = value.is_integer() || value.is_float() || value.is_dense();
  if (!has_type) return parser.error(parser.range_from(begin), "LS1007", "a constant is a number or dense<...>");
  op.set_attribute("value", value);
  op.add_result(value->type);
  return true;
}

void print_constant(OpPrinter& printer, const Op& op) {
  printer.print_attributes(op, {"value"});
  printer << " ";
  printer.print_attribute_value(op.attribute("value"));
}

bool parse_select(OpParser& parser, Op& op) {
  std::vector<ir::OperandName> operands;
  std::vector<Type> types;
  const std::uint32_t begin = parser.peek().begin;
  if (!parser.parse_operands(operands) || !parser.parse_optional_attributes(op) || !parser.expect(':')) return false;
  if (!parser.parse_type_list(types)) return false;
  if (operands.size() != 3 || types.size() > 2) {
    return parser.error(parser.range_from(begin), "LS1014", "'arith.select' takes a condition and two values");
  }
  const Type condition = types.size() == 2 ? types[0] : parser.context().integer(1);
  const Type value = types.back();
  op.add_result(value);
  return parser.add_operands(op, operands, {condition, value, value});
}

void print_select(OpPrinter& printer, const Op& op) {
  printer << " ";
  printer.print_values(op.operands());
  printer.print_attributes(op);
  printer << " : ";
  const Type condition = op.operand(0)->type();
  if (condition.is_tensor()) printer << condition << ", ";
  printer << op.result()->type();
}

}  // namespace lockstep::dialects
