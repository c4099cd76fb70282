// Text of builtin.module and tt.func.
#include "dialects/text_hooks.h"
#include "ir/text/parse/op_parser.h"
#include "ir/text/printer.h"

namespace lockstep::dialects {
namespace {

using ir::ArgumentName;
using ir::Attribute;
using ir::NamedAttribute;
using ir::Op;
using ir::OpParser;
using ir::OpPrinter;
using ir::Type;

bool parse_keyword_attributes(OpParser& parser, Op& op) {
  return !parser.consume_word("attributes") || parser.parse_optional_attributes(op);
}

/// Header of a function during parsing.
struct Signature {
  std::vector<ArgumentName> arguments;
  std::vector<Attribute> argument_attributes;
  std::vector<Type> results;
  std::vector<Attribute> result_attributes;
  bool has_names = false;
};

bool parse_dictionary(OpParser& parser, Attribute& attributes) {
  std::vector<NamedAttribute> entries;
  if (parser.at('{') && !parser.parse_attribute_dictionary(entries)) return false;
  attributes = parser.context().dictionary(std::move(entries));
  return true;
}

bool parse_function_argument(OpParser& parser, Signature& signature) {
  ArgumentName argument;
  if (parser.peek().is(ir::Token::Kind::percent_id)) {
    signature.has_names = true;
    if (!parser.parse_argument(argument, false) || !parser.expect(':')) return false;
  } else if (signature.has_names) {
    return parser.error_here("an argument name");
  }
  argument.type = parser.parse_type();
  Attribute attributes;
  if (!argument.type || !parse_dictionary(parser, attributes)) return false;
  if (!parser.parse_optional_location(argument.location, argument.has_location)) return false;
  signature.arguments.push_back(argument);
  signature.argument_attributes.push_back(attributes);
  return signature.arguments.size() <= ir::kMaxValuesPerOp || parser.error_here("fewer arguments");
}

bool parse_function_result(OpParser& parser, Signature& signature) {
  const Type type = parser.parse_type();
  Attribute attributes;
  if (!type || !parse_dictionary(parser, attributes)) return false;
  signature.results.push_back(type);
  signature.result_attributes.push_back(attributes);
  return true;
}

bool parse_results(OpParser& parser, Signature& signature) {
  if (!parser.consume_arrow()) return true;
  if (!parser.consume('(')) {
    const Type type = parser.parse_type();
    signature.results.push_back(type);
    signature.result_attributes.push_back(parser.context().dictionary({}));
    return static_cast<bool>(type);
  }
  if (parser.consume(')')) return true;
  do {
    if (!parse_function_result(parser, signature)) return false;
  } while (parser.consume(','));
  return parser.expect(')');
}

bool any_entries(const std::vector<Attribute>& dictionaries) {
  for (const Attribute dictionary : dictionaries) {
    if (!dictionary->entries.empty()) return true;
  }
  return false;
}

void set_signature(OpParser& parser, Op& op, const Signature& signature) {
  ir::Context& context = parser.context();
  std::vector<Type> inputs;
  for (const ArgumentName& argument : signature.arguments) inputs.push_back(argument.type);
  op.set_attribute("function_type", context.type_attribute(context.function(std::move(inputs), signature.results)));
  if (any_entries(signature.argument_attributes))
    op.set_attribute("arg_attrs", context.array(signature.argument_attributes));
  if (any_entries(signature.result_attributes))
    op.set_attribute("res_attrs", context.array(signature.result_attributes));
}

Attribute element_or_null(Attribute array, std::size_t i) {
  if (!array || array->kind != ir::AttributeNode::Kind::array || i >= array->elements.size()) return {};
  const Attribute element = array->elements[i];
  return element && element->kind == ir::AttributeNode::Kind::dictionary ? element : Attribute();
}

void print_function_arguments(OpPrinter& printer, const Op& op, const std::vector<Type>& inputs) {
  const bool has_body = !op.regions().empty() && !op.region().empty();
  const Attribute attributes = op.attribute("arg_attrs");
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    if (i != 0) printer << ", ";
    const Attribute own = element_or_null(attributes, i);
    if (has_body && i < op.region().front().arguments().size()) {
      printer.print_argument(*op.region().front().argument(i), own);
      continue;
    }
    printer << inputs[i];
    if (!own || own->entries.empty()) continue;
    printer << " ";
    printer.print_dictionary(own->entries);
  }
}

void print_function_results(OpPrinter& printer, const Op& op, const std::vector<Type>& results) {
  if (results.empty()) return;
  const Attribute attributes = op.attribute("res_attrs");
  const bool single = results.size() == 1 && !results[0].is_function() && !element_or_null(attributes, 0);
  printer << " -> " << (single ? "" : "(");
  for (std::size_t i = 0; i < results.size(); ++i) {
    if (i != 0) printer << ", ";
    printer << results[i];
    const Attribute own = element_or_null(attributes, i);
    if (!own || own->entries.empty()) continue;
    printer << " ";
    printer.print_dictionary(own->entries);
  }
  if (!single) printer << ")";
}

}  // namespace

bool parse_module_op(OpParser& parser, Op& op) {
  std::string name;
  if (parser.parse_optional_symbol(name)) op.set_attribute("sym_name", parser.context().string(std::move(name)));
  if (!parse_keyword_attributes(parser, op)) return false;
  ir::Region& region = op.add_region();
  if (!parser.parse_region(region, {})) return false;
  if (region.empty()) region.add_block();
  return true;
}

void print_module_op(OpPrinter& printer, const Op& op) {
  const Attribute name = op.attribute("sym_name");
  if (name.is_string()) {
    printer << " ";
    printer.print_symbol(name->text);
  }
  printer.print_attributes(op, {"sym_name"}, true);
  printer << " ";
  printer.print_region(op.region(), false, true);
}

bool parse_function(OpParser& parser, Op& op) {
  for (const std::string_view word : {"public", "private", "nested"}) {
    if (parser.consume_word(word)) op.set_attribute("sym_visibility", parser.context().string(std::string(word)));
  }
  std::string name;
  if (!parser.parse_optional_symbol(name)) return parser.error_here("the function's name, such as @f");
  op.set_attribute("sym_name", parser.context().string(std::move(name)));
  Signature signature;
  if (!parser.expect('(')) return false;
  if (!parser.consume(')')) {
    do {
      if (!parse_function_argument(parser, signature)) return false;
    } while (parser.consume(','));
    if (!parser.expect(')')) return false;
  }
  if (!parse_results(parser, signature)) return false;
  set_signature(parser, op, signature);
  if (!parse_keyword_attributes(parser, op)) return false;
  ir::Region& region = op.add_region();
  if (!parser.at('{')) return true;
  if (!signature.has_names && !signature.arguments.empty())
    return parser.error_here("named arguments, because the function has a body");
  return parser.parse_region(region, signature.arguments);
}

void print_function(OpPrinter& printer, const Op& op) {
  const Attribute visibility = op.attribute("sym_visibility");
  printer << " ";
  if (visibility.is_string()) printer << visibility->text << " ";
  const Attribute name = op.attribute("sym_name");
  printer.print_symbol(name.is_string() ? std::string_view(name->text) : std::string_view());
  const Attribute type = op.attribute("function_type");
  const Type signature = type ? type->type : Type();
  printer << "(";
  print_function_arguments(printer, op, signature.inputs());
  printer << ")";
  print_function_results(printer, op, signature.results());
  printer.print_attributes(op, {"sym_name", "sym_visibility", "function_type", "arg_attrs", "res_attrs"}, true);
  if (op.regions().empty() || op.region().empty()) return;
  printer << " ";
  printer.print_region(op.region(), false, true);
}

}  // namespace lockstep::dialects
