// Locations and the aliases (#loc1 = ..., !t = ...) of the text form. Aliases may be defined after their use.
#include "ir/text/parser.h"

#include <algorithm>

namespace lockstep::ir {

bool OpParser::parse_uint32(std::uint32_t& value) {
  if (!token_.is(Token::Kind::integer)) return error_here("a number");
  const Token number = take();
  std::uint64_t result = 0;
  for (const char c : number.text) {
    if (c < '0' || c > '9') return error({number.begin, number.end}, "LS1001", "expected a decimal number");
    result = result * 10 + static_cast<std::uint64_t>(c - '0');
    if (result > 0xFFFFFFFFu) return error({number.begin, number.end}, "LS1008", "this number is too large");
  }
  value = static_cast<std::uint32_t>(result);
  return true;
}

void OpParser::collect_aliases() {
  Lexer lexer(file_->text());
  int open = 0;
  for (Token token = lexer.next(); !token.is(Token::Kind::end); token = lexer.next()) {
    if (token.is('{') || token.is('(') || token.is('[')) ++open;
    if (token.is('}') || token.is(')') || token.is(']')) --open;
    if (open != 0 || (!token.is(Token::Kind::hash_id) && !token.is(Token::Kind::bang_id))) continue;
    const std::uint32_t after = lexer.offset();
    if (!lexer.next().is('=')) {
      lexer.move_to(after);
      continue;
    }
    const auto [place, is_new] = aliases_.try_emplace(token.text);
    if (is_new) place->second.begin = lexer.offset();
  }
}

OpParser::AliasDefinition* OpParser::resolve_alias(const Token& token) {
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
  // A chain of aliases is as deep as what it stands for.
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

bool OpParser::parse_alias_definition() {
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

bool OpParser::parse_optional_location(Location& location, bool& found) {
  found = false;
  if (!token_.is_word("loc")) return true;
  has_locations_ = true;
  found = true;
  advance();
  return expect('(') && parse_location_body(location) && expect(')');
}

bool OpParser::parse_location_alias(Location& location) {
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

bool OpParser::parse_location_body(Location& location) {
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

bool OpParser::parse_name_or_file_location(Location& location) {
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
