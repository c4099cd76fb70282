// Attributes of the text form, except dense elements (dense_parser.cpp).
#include "ir/op_def.h"
#include "ir/text/float_text.h"
#include "ir/text/parse_number.h"
#include "ir/text/parser.h"

namespace lockstep::ir {
Attribute OpParser::parse_attribute(Type expected) {
  const Nesting nesting(*this);
  if (!nesting.ok()) return {};
  switch (token_.kind) {
    case Token::Kind::integer:
    case Token::Kind::floating: return parse_number(expected);
    case Token::Kind::string: return parse_typed_string();
    case Token::Kind::at_id: {
      std::string name;
      parse_optional_symbol(name);
      return context().symbol(std::move(name));
    }
    case Token::Kind::hash_id: return parse_hash_attribute();
    case Token::Kind::bare_id: return parse_word_attribute(expected);
    case Token::Kind::bang_id: break;
    default:
      if (at('-')) return parse_number(expected);
      if (at('[')) return parse_array();
      if (at('{')) {
        std::vector<NamedAttribute> entries;
        return parse_attribute_dictionary(entries) ? context().dictionary(std::move(entries)) : Attribute();
      }
      if (at('(')) break;
      error_here("an attribute");
      return {};
  }
  const Type type = parse_type();
  return type ? context().type_attribute(type) : Attribute();
}

Attribute OpParser::parse_number(Type expected) {
  const std::uint32_t begin = token_.begin;
  const bool is_negative = consume('-');
  if (!token_.is(Token::Kind::integer) && !token_.is(Token::Kind::floating)) {
    error_here("a number");
    return {};
  }
  const Token number = take();
  const SourceRange range{begin, number.end};
  Type type = expected;
  if (!type && consume(':')) {
    type = parse_type();
    if (!type) return {};
  }
  if (!type) type = number.is(Token::Kind::integer) ? context().integer(64) : context().floating(ScalarKind::f64);
  if (type.is_float()) {
    const ScalarKind kind = *type.scalar_kind();
    if (number.is(Token::Kind::integer)) {
      std::uint64_t bits = 0;
      const int width = bit_width(kind);
      if (!number.text.starts_with("0x") || is_negative) {
        error(range, "LS1007", "a float is written with a point, or as its bits in hexadecimal");
      } else if (!read_integer_literal(number.text, bits) || (width < 64 && bits >> width != 0)) {
        error(range, "LS1008", "too many bits for " + type.to_string());
      } else {
        return context().float_attribute(type, bits);
      }
      return {};
    }
    const auto bits = parse_float(kind, (is_negative ? "-" : "") + std::string(number.text));
    if (bits) return context().float_attribute(type, *bits);
    error(range, "LS1008", "this number is too large");
    return {};
  }
  std::uint64_t magnitude = 0;
  if (!number.is(Token::Kind::integer) || (!type.is_integer() && !type.is_index())) {
    error(range, "LS1007", "a number does not have type " + type.to_string());
  } else if (!read_integer_literal(number.text, magnitude) || !integer_fits(type, is_negative, magnitude)) {
    error(range, "LS1008", "this number does not fit " + type.to_string());
  } else {
    return context().integer_attribute(type, static_cast<std::int64_t>(is_negative ? 0 - magnitude : magnitude));
  }
  return {};
}

Attribute OpParser::parse_typed_string() {
  std::string text = unescape(take().text);
  if (at(':')) {  // the type of a string says nothing that TTIR uses
    advance();
    if (!parse_type()) return {};
  }
  return context().string(std::move(text));
}

Attribute OpParser::parse_array() {
  advance();
  std::vector<Attribute> elements;
  if (consume(']')) return context().array({});
  do {
    const Attribute element = parse_attribute();
    if (!element) return {};
    elements.push_back(element);
  } while (consume(','));
  return expect(']') ? context().array(std::move(elements)) : Attribute();
}

bool OpParser::parse_dense_array_element(Type element, std::int64_t& value) {
  const Attribute attribute = parse_attribute(element);
  if (!attribute) return false;
  if (attribute.is_float()) {
    value = static_cast<std::int64_t>(attribute->float_bits);
  } else if (attribute.is_integer()) {
    value = attribute->integer;
  } else {
    return error_here("a number");
  }
  return true;
}

Attribute OpParser::parse_dense_array() {
  advance();
  if (!expect('<')) return {};
  const Type element = parse_type();
  if (!element) return {};
  if (!element.is_integer() && !element.is_float()) {
    error_here("a number type");
    return {};
  }
  std::vector<std::int64_t> values;
  if (consume(':')) {
    do {
      std::int64_t value = 0;
      if (!parse_dense_array_element(element, value)) return {};
      values.push_back(value);
    } while (consume(','));
  }
  return expect('>') ? context().dense_array(element, std::move(values)) : Attribute();
}

Attribute OpParser::parse_hash_attribute() {
  const Token name = take();
  if (name.text.find('.') == std::string_view::npos) {
    const AliasDefinition* alias = resolve_alias(name);
    if (alias == nullptr) failed_ = true;
    return alias == nullptr ? Attribute() : alias->attribute;
  }
  if (token_.is('<') && token_.begin == name.end && !skip_balanced()) return {};
  return context().opaque_attribute(std::string(file_->text().substr(name.begin, last_end_ - name.begin)));
}

Attribute OpParser::parse_word_attribute(Type expected) {
  const std::string_view word = token_.text;
  if (word == "true" || word == "false") {
    const Token token = take();
    if (expected && !expected.is_integer(1)) {
      error({token.begin, token.end}, "LS1007",
            "'" + std::string(word) + "' does not have type " + expected.to_string());
      return {};
    }
    return context().boolean(word == "true");
  }
  if (word == "unit") {
    advance();
    return context().unit();
  }
  if (word == "array") return parse_dense_array();
  if (word == "dense") return parse_dense();
  if (word == "loc") {
    Location location;
    bool found = false;
    const bool had_locations = has_locations_;
    if (!parse_optional_location(location, found)) return {};
    has_locations_ = had_locations;
    return context().location_attribute(location);
  }
  if (word.starts_with("affine_") || word == "dense_resource" || word == "sparse" || word == "strided" ||
      word == "distinct") {
    const Token token = take();
    failed_ = true;
    sink_.report({Severity::unsupported,
                  "LS1007",
                  "attribute '" + std::string(word) + "' is not supported yet",
                  {file_, {token.begin, token.end}},
                  {},
                  ""});
    return {};
  }
  const Type type = parse_type();
  return type ? context().type_attribute(type) : Attribute();
}

bool OpParser::parse_attribute_dictionary(std::vector<NamedAttribute>& entries) {
  if (!expect('{')) return false;
  if (consume('}')) return true;
  do {
    if (!token_.is(Token::Kind::bare_id) && !token_.is(Token::Kind::string))
      return error_here("the name of an attribute");
    const Token token = take();
    NamedAttribute entry{token.is(Token::Kind::string) ? unescape(token.text) : std::string(token.text),
                         context().unit()};
    for (const NamedAttribute& other : entries) {
      if (other.name == entry.name)
        return error({token.begin, token.end}, "LS1007", "attribute '" + entry.name + "' is given twice");
    }
    if (consume('=')) {
      entry.value = parse_attribute();
      if (!entry.value) return false;
    }
    entries.push_back(std::move(entry));
    if (entries.size() > kMaxValuesPerOp) return error_here("fewer attributes");
  } while (consume(','));
  return expect('}');
}

bool OpParser::parse_optional_attributes(Op& op) {
  if (!at('{')) return true;
  const std::uint32_t begin = token_.begin;
  std::vector<NamedAttribute> entries;
  if (!parse_attribute_dictionary(entries)) return false;
  for (const NamedAttribute& entry : entries) {
    if (op.attribute(entry.name))
      return error(range_from(begin), "LS1007", "attribute '" + entry.name + "' is given twice");
    op.set_attribute(entry.name, entry.value);
  }
  return true;
}

bool OpParser::parse_optional_symbol(std::string& name) {
  if (!token_.is(Token::Kind::at_id) || token_.text.size() < 2) return false;
  const Token token = take();
  name = token.text[1] == '"' ? unescape(token.text.substr(1)) : std::string(token.text.substr(1));
  return true;
}

void OpParser::normalise(Op& op) {
  for (const AttributeSpec& spec : op.def().attributes) {
    const Attribute value = op.attribute(spec.name);
    if (!value) continue;
    // Older printers wrote unit attributes as booleans.
    if (spec.rule == AttributeRule::unit && value->kind == AttributeNode::Kind::boolean) {
      if (value->integer != 0)
        op.set_attribute(spec.name, context().unit());
      else
        op.remove_attribute(spec.name);
    }
    if (spec.presence != Presence::defaulted) continue;
    const bool is_default_number =
        value.is_integer() && spec.rule != AttributeRule::any && value->integer == spec.default_value;
    const bool is_default_flags = value->kind == AttributeNode::Kind::opaque && value->text.ends_with("<none>");
    const bool is_default_list = value.is_dense_array() && value->values.empty();
    if (is_default_number || is_default_flags || is_default_list) op.remove_attribute(spec.name);
  }
}

}  // namespace lockstep::ir
