#include "ir/text/parse/location_parser.h"

namespace lockstep::ir {

Location LocationParser::location_at(std::uint32_t offset) {
  const LineColumn place = file_->position(offset);
  return context().file_location(file_->path(), place.line, place.column - 1);
}

bool LocationParser::parse_optional_location(Location& location, bool& found) {
  found = false;
  if (!token_.is_word("loc")) return true;
  has_locations_ = true;
  found = true;
  advance();
  return expect('(') && parse_location_body(location) && expect(')');
}

bool LocationParser::parse_location_alias(Location& location) {
  const Token name = take();
  const AliasDefinition* alias = resolve_alias(name);
  if (alias == nullptr) {
    failed_ = true;
    return false;
  }
  if (!alias->attribute || alias->attribute->kind != AttributeNode::Kind::location) {
    return error({name.begin, name.end}, "LS1011", "'" + std::string(name.text) + "' is not a location");
  }
  location = alias->attribute->location;
  return true;
}

bool LocationParser::parse_location_body(Location& location) {
  const Nesting nesting(*this);
  if (!nesting.ok()) return false;
  if (token_.is(Token::Kind::hash_id)) return parse_location_alias(location);
  if (token_.is(Token::Kind::string)) return parse_name_or_file_location(location);
  if (consume_word("unknown")) {
    location = {};
    return true;
  }
  if (consume_word("callsite")) {
    Location callee;
    Location caller;
    if (!expect('(') || !parse_location_body(callee) || !expect_word("at") || !parse_location_body(caller) ||
        !expect(')'))
      return false;
    location = context().call_site(callee, caller);
    return true;
  }
  if (consume_word("fused")) {
    if (token_.is('<') && !skip_balanced()) return false;
    std::vector<Location> parts;
    if (!expect('[')) return false;
    do {
      Location part;
      if (!parse_location_body(part)) return false;
      parts.push_back(part);
    } while (consume(','));
    location = context().fused(std::move(parts));
    return expect(']');
  }
  return error_here("a location");
}

bool LocationParser::parse_name_or_file_location(Location& location) {
  std::string text = unescape(take().text);
  if (!consume(':')) {
    Location child;
    if (consume('(')) {
      if (!parse_location_body(child) || !expect(')')) return false;
    }
    location = context().name_location(std::move(text), child);
    return true;
  }
  std::uint32_t line = 0;
  std::uint32_t column = 0;
  if (!parse_uint32(line) || !expect(':') || !parse_uint32(column)) return false;
  std::uint32_t end_line = 0;
  std::uint32_t end_column = 0;
  if (consume_word("to")) {
    end_line = line;
    if (!token_.is(':') && !parse_uint32(end_line)) return false;
    if (!expect(':') || !parse_uint32(end_column)) return false;
  }
  location = context().file_range(std::move(text), line, column, end_line, end_column);
  return true;
}

}  // namespace lockstep::ir
