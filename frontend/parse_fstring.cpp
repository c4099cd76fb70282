// Strings, joined from adjacent literals, and f-strings. Text next to text becomes one Constant, as in CPython.
// Source: docs.python.org/3.12/reference/lexical_analysis.html (f-strings); PEP 701.
#include "frontend/parser_state.h"

namespace lockstep::frontend {

/// The parts of one string expression while they are gathered.
struct Parser::JoinedParts {
  ast::ExprList values;
  std::string text;  // of the Constant being gathered
  SourceRange text_range;
  bool has_format = false;  // some part is an f-string
  bool is_bytes = false, is_unicode_prefixed = false;

  void widen(SourceRange range) {
    if (text.empty()) text_range = range;
    text_range.end = range.end;
  }
  std::unique_ptr<ast::Constant> take_constant(SourceRange range) {
    auto constant = std::make_unique<ast::Constant>(range);
    constant->type = is_bytes ? ast::ConstantKind::bytes : ast::ConstantKind::string;
    constant->text = std::exchange(text, {});
    constant->is_unicode_prefixed = is_unicode_prefixed;
    return constant;
  }
  void flush() {
    if (!text.empty()) values.push_back(take_constant(text_range));
  }
};

ast::ExprPtr Parser::parse_strings() {
  std::uint32_t from = begin();
  JoinedParts parts;
  StringForm first = string_form(text_of(current()));
  parts.is_bytes = first.is_bytes;
  parts.is_unicode_prefixed = first.is_unicode_prefixed;
  while (at(TokenKind::String) || at(TokenKind::FStringStart)) {
    if (string_form(text_of(current())).is_bytes != parts.is_bytes) {
      fail("LS1204", "bytes and text literals cannot be joined", current().range);
      return nullptr;
    }
    bool is_good = at(TokenKind::String) ? parse_plain_string(parts) : parse_fstring(parts);
    if (!is_good) return nullptr;
  }
  if (!parts.has_format) return parts.take_constant(since(from));
  parts.flush();
  auto node = make<ast::JoinedStr>(from);
  raise_height(*node, parts.values);
  node->values = std::move(parts.values);
  return grown(std::move(node));
}

bool Parser::parse_plain_string(JoinedParts& parts) {
  const Token& token = current();
  StringForm form = string_form(text_of(token));
  std::size_t before = form.prefix_length + form.quote_length;
  std::string_view body = text_of(token).substr(before);
  body.remove_suffix(form.quote_length);
  parts.widen(token.range);
  auto offset = token.range.begin + static_cast<std::uint32_t>(before);
  if (!decode_string_body(body, offset, form, false, parts.text, problems_)) return false;
  advance();
  return true;
}

bool Parser::parse_fstring(JoinedParts& parts) {
  parts.has_format = true;
  bool is_raw = string_form(text_of(current())).is_raw;
  advance();
  while (!at(TokenKind::FStringEnd)) {
    if (at(TokenKind::FStringMiddle)) {
      if (!parse_fstring_text(parts, is_raw, false)) return false;
    } else if (at(TokenKind::LeftBrace)) {
      if (!parse_replacement(parts, is_raw)) return false;
    } else {
      return fail_expected("the end of the f-string");
    }
  }
  advance();
  return true;
}

bool Parser::parse_fstring_text(JoinedParts& parts, bool is_raw, bool is_spec) {
  StringForm form;
  form.is_raw = is_raw;
  parts.widen(current().range);
  if (!decode_string_body(text_of(current()), begin(), form, !is_spec, parts.text, problems_)) return false;
  advance();
  return true;
}

bool Parser::parse_replacement(JoinedParts& parts, bool is_raw) {
  Nesting nesting(*this);
  if (nesting.is_too_deep()) return false;
  SourceRange opening = current().range;
  advance();
  if (at(TokenKind::RightBrace) || at(TokenKind::Colon) || at(TokenKind::Exclamation)) {
    return fail("LS1209", "an expression is missing in the braces of the f-string",
                {opening.begin, current().range.end}, "write '{{' for the character itself");
  }
  ast::ExprPtr value = parse_yield_or_star_expressions();
  if (!value) return false;
  auto node = std::make_unique<ast::FormattedValue>();
  bool is_debug = accept(TokenKind::Equal);
  if (is_debug) {
    // f"{x = }" also shows the text of the expression, with its blanks.
    SourceRange shown{opening.end, begin()};
    parts.widen(shown);
    append_with_newlines(text_.substr(shown.begin, shown.end - shown.begin), parts.text);
  }
  if (at(TokenKind::Exclamation) && !parse_conversion(*node)) return false;
  if (at(TokenKind::Colon)) {
    node->format_spec = parse_format_spec(is_raw);
    if (!node->format_spec) return false;
  }
  if (!at(TokenKind::RightBrace)) {
    if (is_aborted_ || at(TokenKind::Invalid)) return false;
    fail("LS1209", "expected '}' in the f-string, found " + describe(current()), current().range, hint_here());
    note("the expression begins here", opening);
    return false;
  }
  advance();
  if (is_debug && node->conversion == -1 && !node->format_spec) node->conversion = 'r';
  node->range = since(opening.begin);
  raise_height(*node, value);
  raise_height(*node, node->format_spec);
  node->value = std::move(value);
  ast::ExprPtr grown_node = grown(std::move(node));
  if (!grown_node) return false;
  parts.flush();
  parts.values.push_back(std::move(grown_node));
  return true;
}

bool Parser::parse_conversion(ast::FormattedValue& node) {
  advance();
  std::string_view name = text_of(current());
  if (!at(TokenKind::Name) || (name != "s" && name != "r" && name != "a")) {
    return fail("LS1209", "an f-string conversion is '!s', '!r' or '!a'", current().range);
  }
  node.conversion = name[0];
  advance();
  return true;
}

ast::ExprPtr Parser::parse_format_spec(bool is_raw) {
  std::uint32_t from = begin();
  advance();
  JoinedParts parts;
  while (at(TokenKind::FStringMiddle) || at(TokenKind::LeftBrace)) {
    bool is_good =
        at(TokenKind::LeftBrace) ? parse_replacement(parts, is_raw) : parse_fstring_text(parts, is_raw, true);
    if (!is_good) return nullptr;
  }
  parts.flush();
  auto node = make<ast::JoinedStr>(from);
  raise_height(*node, parts.values);
  node->values = std::move(parts.values);
  return grown(std::move(node));
}

}  // namespace lockstep::frontend
