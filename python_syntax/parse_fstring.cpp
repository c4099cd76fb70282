// Strings, joined from adjacent literals, and f-strings. Adjacent texts become one Constant, as in CPython. Source:
// docs.python.org/3.12/reference/lexical_analysis.html (f-strings); PEP 701.
#include "python_syntax/grammar.h"
#include "python_syntax/parse_literal.h"

namespace lockstep::python_syntax {

namespace {

/// The parts of one string expression while the parser collects them.
struct JoinedParts {
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

bool parse_fstring_text(TokenCursor& in, JoinedParts& parts, bool is_raw, bool is_spec);
bool parse_replacement(TokenCursor& in, JoinedParts& parts, bool is_raw);
bool parse_conversion(TokenCursor& in, ast::FormattedValue& node);
ast::ExprPtr parse_format_spec(TokenCursor& in, bool is_raw);

bool parse_plain_string(TokenCursor& in, JoinedParts& parts) {
  const Token& token = in.current();
  StringForm form = string_form(in.text_of(token));
  std::size_t before = form.prefix_length + form.quote_length;
  std::string_view body = in.text_of(token).substr(before);
  body.remove_suffix(form.quote_length);
  parts.widen(token.range);
  auto offset = token.range.begin + static_cast<std::uint32_t>(before);
  if (!decode_string_body(body, offset, form, false, parts.text, in.problems())) return false;
  in.advance();
  return true;
}

bool parse_fstring(TokenCursor& in, JoinedParts& parts) {
  parts.has_format = true;
  bool is_raw = string_form(in.text_of(in.current())).is_raw;
  in.advance();
  while (!in.at(TokenKind::FStringEnd)) {
    if (in.at(TokenKind::FStringMiddle)) {
      if (!parse_fstring_text(in, parts, is_raw, false)) return false;
    } else if (in.at(TokenKind::LeftBrace)) {
      if (!parse_replacement(in, parts, is_raw)) return false;
    } else {
      return in.fail_expected("the end of the f-string");
    }
  }
  in.advance();
  return true;
}

bool parse_fstring_text(TokenCursor& in, JoinedParts& parts, bool is_raw, bool is_spec) {
  StringForm form;
  form.is_raw = is_raw;
  parts.widen(in.current().range);
  if (!decode_string_body(in.text_of(in.current()), in.begin(), form, !is_spec, parts.text, in.problems()))
    return false;
  in.advance();
  return true;
}

bool parse_replacement(TokenCursor& in, JoinedParts& parts, bool is_raw) {
  TokenCursor::Nesting nesting(in);
  if (nesting.is_too_deep()) return false;
  SourceRange opening = in.current().range;
  in.advance();
  if (in.at(TokenKind::RightBrace) || in.at(TokenKind::Colon) || in.at(TokenKind::Exclamation)) {
    return in.fail("LS1209", "an expression is missing in the braces of the f-string",
                   {opening.begin, in.current().range.end}, "write '{{' for the character itself");
  }
  ast::ExprPtr value = parse_yield_or_star_expressions(in);
  if (!value) return false;
  auto node = std::make_unique<ast::FormattedValue>();
  bool is_debug = in.accept(TokenKind::Equal);
  if (is_debug) {
    // f"{x = }" also shows the text of the expression, with its blanks.
    SourceRange shown{opening.end, in.begin()};
    parts.widen(shown);
    append_with_newlines(in.text_of(shown), parts.text);
  }
  if (in.at(TokenKind::Exclamation) && !parse_conversion(in, *node)) return false;
  if (in.at(TokenKind::Colon)) {
    node->format_spec = parse_format_spec(in, is_raw);
    if (!node->format_spec) return false;
  }
  if (!in.at(TokenKind::RightBrace)) {
    if (in.is_aborted() || in.at(TokenKind::Invalid)) return false;
    in.fail("LS1209", "expected '}' in the f-string, found " + in.describe(in.current()), in.current().range,
            in.hint_here());
    in.note("the expression begins here", opening);
    return false;
  }
  in.advance();
  if (is_debug && node->conversion == -1 && !node->format_spec) node->conversion = 'r';
  node->range = in.since(opening.begin);
  raise_height(*node, value);
  raise_height(*node, node->format_spec);
  node->value = std::move(value);
  ast::ExprPtr grown_node = grown(in, std::move(node));
  if (!grown_node) return false;
  parts.flush();
  parts.values.push_back(std::move(grown_node));
  return true;
}

bool parse_conversion(TokenCursor& in, ast::FormattedValue& node) {
  in.advance();
  std::string_view name = in.text_of(in.current());
  if (!in.at(TokenKind::Name) || (name != "s" && name != "r" && name != "a")) {
    return in.fail("LS1209", "an f-string conversion is '!s', '!r' or '!a'", in.current().range);
  }
  node.conversion = name[0];
  in.advance();
  return true;
}

ast::ExprPtr parse_format_spec(TokenCursor& in, bool is_raw) {
  std::uint32_t from = in.begin();
  in.advance();
  JoinedParts parts;
  while (in.at(TokenKind::FStringMiddle) || in.at(TokenKind::LeftBrace)) {
    bool is_good = in.at(TokenKind::LeftBrace) ? parse_replacement(in, parts, is_raw)
                                               : parse_fstring_text(in, parts, is_raw, true);
    if (!is_good) return nullptr;
  }
  parts.flush();
  auto node = make<ast::JoinedStr>(in, from);
  raise_height(*node, parts.values);
  node->values = std::move(parts.values);
  return grown(in, std::move(node));
}

}  // namespace

ast::ExprPtr parse_strings(TokenCursor& in) {
  std::uint32_t from = in.begin();
  JoinedParts parts;
  StringForm first = string_form(in.text_of(in.current()));
  parts.is_bytes = first.is_bytes;
  parts.is_unicode_prefixed = first.is_unicode_prefixed;
  while (in.at(TokenKind::String) || in.at(TokenKind::FStringStart)) {
    if (string_form(in.text_of(in.current())).is_bytes != parts.is_bytes) {
      in.fail("LS1204", "bytes and text literals cannot be joined", in.current().range);
      return nullptr;
    }
    bool is_good = in.at(TokenKind::String) ? parse_plain_string(in, parts) : parse_fstring(in, parts);
    if (!is_good) return nullptr;
  }
  if (!parts.has_format) return parts.take_constant(in.since(from));
  parts.flush();
  auto node = make<ast::JoinedStr>(in, from);
  raise_height(*node, parts.values);
  node->values = std::move(parts.values);
  return grown(in, std::move(node));
}

}  // namespace lockstep::python_syntax
