#include "ir/text/parse/attribute_parser.h"

#include <algorithm>

#include "ir/layouts/encoding_parser.h"
#include "ir/op.h"
#include "ir/text/float_text.h"
#include "ir/text/parse/dense_parser.h"
#include "ir/text/parse/parse_number.h"

namespace lockstep::ir {

Attribute AttributeParser::parse_attribute(Type expected) {
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

Attribute AttributeParser::parse_number(Type expected) {
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

Attribute AttributeParser::parse_typed_string() {
  std::string text = unescape(take().text);
  if (at(':')) {  // the type of a string says nothing that TTIR uses
    advance();
    if (!parse_type()) return {};
  }
  return context().string(std::move(text));
}

Attribute AttributeParser::parse_array() {
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

bool AttributeParser::parse_dense_array_element(Type element, std::int64_t& value) {
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

Attribute AttributeParser::parse_dense_array() {
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

Attribute AttributeParser::parse_hash_attribute() {
  if (names_encoding(token_.text)) {
    const Encoding* encoding = parse_encoding(*this, context(), [this](const Token& alias) { return layout_of(alias); });
    return encoding == nullptr ? Attribute() : context().encoding_attribute(encoding);
  }
  const Token name = take();
  if (name.text.find('.') == std::string_view::npos) {
    const AliasDefinition* alias = resolve_alias(name);
    if (alias == nullptr) failed_ = true;
    return alias == nullptr ? Attribute() : alias->attribute;
  }
  return parse_opaque_body(name);
}

const Encoding* AttributeParser::layout_of(const Token& alias) {
  const AliasDefinition* found = resolve_alias(alias);
  if (found == nullptr) {
    failed_ = true;
    return nullptr;
  }
  if (found->attribute && found->attribute.is_encoding()) return found->attribute->encoding;
  error({alias.begin, alias.end}, "LS1007", in_quotes(alias.text) + " is not an encoding");
  return nullptr;
}

Attribute AttributeParser::parse_opaque_attribute(std::string_view expected) {
  const SourceRange range{token_.begin, token_.end};
  if (!token_.is(Token::Kind::hash_id)) {
    error_here(expected);
    return {};
  }
  const Attribute attribute = parse_attribute();
  if (!attribute || attribute.is_opaque() || attribute.is_encoding()) return attribute;
  error(range, "LS1007", in_quotes(text().substr(range.begin, range.end - range.begin)) + " is not " + std::string(expected));
  return {};
}

Attribute AttributeParser::parse_word_attribute(Type expected) {
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
  if (word == "dense") return parse_dense(*this);
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
    unsupported({token.begin, token.end}, "LS1007", "attribute '" + std::string(word) + "' is not supported yet");
    return {};
  }
  const Type type = parse_type();
  return type ? context().type_attribute(type) : Attribute();
}

bool AttributeParser::parse_attribute_dictionary(std::vector<NamedAttribute>& entries) {
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

bool AttributeParser::parse_optional_attributes(Op& op) {
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

bool AttributeParser::parse_optional_symbol(std::string& name) {
  if (!token_.is(Token::Kind::at_id) || token_.text.size() < 2) return false;
  const Token token = take();
  name = token.text[1] == '"' ? unescape(token.text.substr(1)) : std::string(token.text.substr(1));
  return true;
}

const AliasDefinition* AttributeParser::resolve_alias(const Token& token) {
  const SourceRange range{token.begin, token.end};
  const auto found = aliases_.find(token.text);
  if (found == aliases_.end()) {
    error(range, "LS1011", "'" + std::string(token.text) + "' is not defined");
    return nullptr;
  }
  AliasDefinition& alias = found->second;
  if (alias.is_busy) {
    error(range, "LS1011", "'" + std::string(token.text) + "' is defined by itself");
    return nullptr;
  }
  if (!alias.is_done) {
    alias.is_busy = true;
    const std::uint32_t resume = token_.begin;
    const std::uint32_t end_before = last_end_;
    const std::uint32_t deepest_before = deepest_;
    deepest_ = depth_;
    const std::uint64_t weight_before = weight_;
    move_to(alias.begin);
    if (token.is(Token::Kind::bang_id))
      alias.type = parse_type();
    else
      alias.attribute = parse_attribute();
    alias.is_bad = !alias.type && !alias.attribute;
    alias.end = last_end_;
    alias.height = deepest_ - depth_;
    alias.weight = weight_ - weight_before;
    weight_ = weight_before;
    deepest_ = std::max(deepest_before, deepest_);
    move_to(resume);
    last_end_ = end_before;
    alias.is_busy = false;
    alias.is_done = true;
  }
  if (alias.is_bad) return nullptr;
  // A chain of aliases is as deep as its target.
  deepest_ = std::max(deepest_, depth_ + alias.height);
  weight_ += alias.weight;
  if (alias.weight > kMaxAliasWeight || weight_ > kMaxExpandedWeight) {
    error(range, "LS1009", "'" + std::string(token.text) + "' stands for too much");
    return nullptr;
  }
  if (depth_ + alias.height > kMaxNesting) {
    error(range, "LS1009", "nested more than " + std::to_string(kMaxNesting) + " levels deep");
    return nullptr;
  }
  return &alias;
}

bool AttributeParser::parse_alias_definition() {
  const Token name = take();
  if (!token_.is('=')) return error_here("'='");
  const auto found = aliases_.find(name.text);
  if (found == aliases_.end() || found->second.begin != lexer_.offset()) {
    return error({name.begin, name.end}, "LS1011", "'" + std::string(name.text) + "' is defined twice");
  }
  const AliasDefinition* alias = resolve_alias(name);
  if (alias == nullptr) {
    failed_ = true;
    return false;
  }
  move_to(alias->end);
  return true;
}

}  // namespace lockstep::ir
