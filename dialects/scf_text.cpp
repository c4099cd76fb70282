// Text of scf.for, scf.if and scf.while.
#include "dialects/text_hooks.h"
#include "ir/text/parse/op_parser.h"
#include "ir/text/printer.h"

namespace lockstep::dialects {
namespace {

using ir::ArgumentName;
using ir::Op;
using ir::OperandName;
using ir::OpParser;
using ir::OpPrinter;
using ir::Region;
using ir::Type;
using ir::Value;

/// "(%a = %x, %b = %y)"
bool parse_assignments(OpParser& parser, std::vector<ArgumentName>& names, std::vector<OperandName>& values) {
  if (!parser.expect('(')) return false;
  if (parser.consume(')')) return true;
  do {
    if (!parser.parse_argument(names.emplace_back(), false) || !parser.expect('=')) return false;
    if (!parser.parse_operand(values.emplace_back())) return false;
    if (names.size() > ir::kMaxValuesPerOp) return parser.error_here("fewer values");
  } while (parser.consume(','));
  return parser.expect(')');
}

bool set_types(OpParser& parser, std::vector<ArgumentName>& names, const std::vector<Type>& types,
               std::uint32_t begin) {
  if (names.size() != types.size()) {
    return parser.error(parser.range_from(begin), "LS1014",
                        std::to_string(names.size()) + " values, but " + std::to_string(types.size()) + " types");
  }
  for (std::size_t i = 0; i < names.size(); ++i) names[i].type = types[i];
  return true;
}

void print_assignments(OpPrinter& printer, const Region& region, std::size_t first, const std::vector<Value*>& values) {
  printer << "(";
  for (std::size_t i = 0; i < values.size(); ++i) {
    const bool has_argument = !region.empty() && first + i < region.front().arguments().size();
    const Value* argument = has_argument ? region.front().argument(first + i) : nullptr;
    printer << (i == 0 ? "" : ", ") << argument << " = " << values[i];
  }
  printer << ")";
}

std::vector<Type> result_types(const Op& op) {
  std::vector<Type> types;
  for (std::size_t i = 0; i < op.result_count(); ++i) types.push_back(op.result(i)->type());
  return types;
}

}  // namespace

bool parse_for(OpParser& parser, Op& op) {
  const std::uint32_t begin = parser.peek().begin;
  if (parser.consume_word("unsigned")) op.set_attribute("unsignedCmp", parser.context().unit());
  std::vector<ArgumentName> names(1);
  std::vector<OperandName> bounds(3);
  std::vector<OperandName> inits;
  std::vector<Type> types;
  if (!parser.parse_argument(names[0], false) || !parser.expect('=') || !parser.parse_operand(bounds[0])) return false;
  if (!parser.expect_word("to") || !parser.parse_operand(bounds[1])) return false;
  if (!parser.expect_word("step") || !parser.parse_operand(bounds[2])) return false;
  if (parser.consume_word("iter_args")) {
    if (!parse_assignments(parser, names, inits) || !parser.expect_arrow() || !parser.parse_function_results(types))
      return false;
  }
  const std::vector<Type> carried = types;
  Type counter = parser.context().index();
  if (parser.consume(':')) counter = parser.parse_type();
  if (!counter) return false;
  types.insert(types.begin(), counter);
  if (!set_types(parser, names, types, begin)) return false;
  if (!parser.add_operands(op, bounds, {counter, counter, counter}) || !parser.add_operands(op, inits, carried))
    return false;
  Region& region = op.add_region();
  if (!parser.parse_region(region, names)) return false;
  parser.add_missing_yield(region, op.location());
  for (const Type type : carried) op.add_result(type);
  return parser.parse_optional_attributes(op);
}

void print_for(OpPrinter& printer, const Op& op) {
  if (op.attribute("unsignedCmp")) printer << " unsigned";
  const Region& region = op.region();
  const Value* counter = region.empty() || region.front().arguments().empty() ? nullptr : region.front().argument(0);
  printer << " " << counter << " = " << op.operand(0) << " to " << op.operand(1) << " step " << op.operand(2);
  const std::vector<Value*> inits = op.operand_group(3);
  if (!inits.empty()) {
    printer << " iter_args";
    print_assignments(printer, region, 1, inits);
    printer << " -> (";
    printer.print_types(inits);
    printer << ")";
  }
  printer << " ";
  const Type type = op.operand(0)->type();
  if (!type.is_index()) printer << " : " << type << " ";
  printer.print_region(region, false, !inits.empty());
  printer.print_attributes(op, {"unsignedCmp"});
}

bool parse_if(OpParser& parser, Op& op) {
  OperandName condition;
  std::vector<Type> types;
  if (!parser.parse_operand(condition)) return false;
  if (parser.consume_arrow() && !parser.parse_function_results(types)) return false;
  if (!parser.add_operands(op, {condition}, {parser.context().integer(1)})) return false;
  Region& then_region = op.add_region();
  Region& else_region = op.add_region();
  if (!parser.parse_region(then_region, {})) return false;
  parser.add_missing_yield(then_region, op.location());
  if (parser.consume_word("else")) {
    if (!parser.parse_region(else_region, {})) return false;
    parser.add_missing_yield(else_region, op.location());
  }
  for (const Type type : types) op.add_result(type);
  return parser.parse_optional_attributes(op);
}

void print_if(OpPrinter& printer, const Op& op) {
  printer << " " << op.operand(0);
  const bool has_results = op.result_count() != 0;
  if (has_results) {
    printer << " -> (";
    printer.print_types(result_types(op));
    printer << ")";
  }
  printer << " ";
  printer.print_region(op.region(0), false, has_results);
  if (op.regions().size() > 1 && !op.region(1).empty()) {
    printer << " else ";
    printer.print_region(op.region(1), false, has_results);
  }
  printer.print_attributes(op);
}

bool parse_while(OpParser& parser, Op& op) {
  const std::uint32_t begin = parser.peek().begin;
  std::vector<ArgumentName> names;
  std::vector<OperandName> inits;
  std::vector<Type> inputs;
  std::vector<Type> results;
  if (parser.at('(') && !parse_assignments(parser, names, inits)) return false;
  if (!parser.expect(':') || !parser.parse_signature(inputs, results) || !set_types(parser, names, inputs, begin))
    return false;
  if (!parser.add_operands(op, inits, inputs)) return false;
  if (!parser.parse_region(op.add_region(), names) || !parser.expect_word("do") ||
      !parser.parse_region(op.add_region(), {}))
    return false;
  for (const Type type : results) op.add_result(type);
  return !parser.consume_word("attributes") || parser.parse_optional_attributes(op);
}

void print_while(OpPrinter& printer, const Op& op) {
  const std::vector<Value*> inits = op.operand_group(0);
  if (!inits.empty()) {
    printer << " ";
    print_assignments(printer, op.region(0), 0, inits);
  }
  std::vector<Type> inputs;
  for (const Value* value : inits) inputs.push_back(value->type());
  printer << " : ";
  printer.print_function_type(inputs, result_types(op));
  printer << " ";
  printer.print_region(op.region(0), false, true);
  printer << " do ";
  printer.print_region(op.region(1), true, true);
  printer.print_attributes(op, {}, true);
}

}  // namespace lockstep::dialects
