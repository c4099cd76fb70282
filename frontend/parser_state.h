// The parser at work: recursive descent over the token list, one function per grammar rule, binary operators by
// precedence. Private to frontend/parser.cpp and frontend/parse_*.cpp; the door is frontend/parser.h. Convention: a
// function that returns a pointer returns null, and one that returns bool returns false, exactly when an error has been
// reported (or an Invalid token met); the statement then is given up and recover() finds the next one. Invariant:
// `depth_` <= ast::kMaxNesting bounds the recursion; after abort() every rule sees EndOfFile, so that all return. Node
// ranges: from the first token of the rule to the end of the last visible token consumed, as CPython's.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "frontend/ast.h"
#include "frontend/lexer.h"
#include "frontend/parse_literal.h"

namespace lockstep::frontend {

class Parser {
 public:
  Parser(SourceFilePtr file, std::vector<Token> tokens, ProblemList& problems);
  std::unique_ptr<ast::Module> parse_module();
  ast::ExprPtr parse_only_expression();

 private:
  /// Counts one level of recursion while it lives.
  class Nesting {
   public:
    explicit Nesting(Parser& parser) : parser_(parser) { ++parser_.depth_; }
    ~Nesting() { --parser_.depth_; }
    Nesting(const Nesting&) = delete;
    Nesting& operator=(const Nesting&) = delete;
    bool is_too_deep() { return parser_.depth_ > ast::kMaxNesting && parser_.abort_too_deep(); }

   private:
    Parser& parser_;
  };

  // parser.cpp: cursor.
  const Token& current() const { return tokens_[position_]; }
  const Token& ahead(std::size_t count = 1) const { return tokens_[std::min(position_ + count, tokens_.size() - 1)]; }
  const Token& previous() const { return tokens_[position_ == 0 ? 0 : position_ - 1]; }
  bool at(TokenKind kind) const { return current().kind == kind; }
  std::uint32_t begin() const { return current().range.begin; }
  SourceRange since(std::uint32_t begin) const { return {begin, last_end_}; }
  std::string_view text_of(const Token& token) const;
  bool at_name(std::string_view text) const { return at(TokenKind::Name) && text_of(current()) == text; }
  void advance();
  bool accept(TokenKind kind);
  bool at_end_of_statement() const;
  bool begins_expression(TokenKind kind) const;

  // parser.cpp: errors.
  bool line_is_reported() const;
  bool fail(std::string code, std::string message, SourceRange range, std::string hint = {});
  void note(std::string message, SourceRange range);  // on the failure just reported, if it was
  bool fail_expected(std::string_view expected);
  std::string describe(const Token& token) const;
  std::string hint_here() const;
  bool expect(TokenKind kind);
  bool expect_closing(TokenKind kind, SourceRange opening);
  bool expect_name(std::string& name, std::string_view what);
  bool abort_too_deep();
  void recover();

  // parser.cpp: nodes.
  template <typename T>
  std::unique_ptr<T> make(std::uint32_t begin) const {
    return std::make_unique<T>(since(begin));
  }
  static void raise_height(ast::Expr& parent, const ast::Expr* child) {
    if (child != nullptr && child->height >= parent.height)
      parent.height = static_cast<std::uint16_t>(child->height + 1);
  }
  static void raise_height(ast::Expr& parent, const ast::ExprPtr& child) { raise_height(parent, child.get()); }
  static void raise_height(ast::Expr& parent, const ast::ExprList& children) {
    for (const auto& child : children) raise_height(parent, child.get());
  }
  static void raise_height(ast::Expr& parent, const ast::Generators& generators);
  static void raise_height(ast::Expr& parent, const ast::Arguments& arguments);
  /// The node, whose height must be set; null if that is too high.
  template <typename T>
  ast::ExprPtr grown(std::unique_ptr<T> node) {
    if (node->height > ast::kMaxHeight && abort_too_deep()) return nullptr;
    return node;
  }

  // parser.cpp: statements and blocks.
  void parse_statements(ast::Body& body);
  void parse_statement(ast::Body& body);
  void parse_unexpected_indent(ast::Body& body);
  ast::StmtPtr parse_compound();
  void parse_simple_line(ast::Body& body);
  bool parse_block(ast::Body& body, std::string_view what, SourceRange header);
  bool expect_colon(std::string_view what);

  // parse_statement.cpp
  ast::StmtPtr parse_simple();
  ast::StmtPtr parse_expression_statement();
  ast::StmtPtr parse_annotated_assignment(ast::ExprPtr target, std::uint32_t begin);
  ast::StmtPtr parse_augmented_assignment(ast::ExprPtr target, std::uint32_t begin);
  ast::StmtPtr parse_assignment(ast::ExprPtr target, std::uint32_t begin);
  ast::StmtPtr parse_return();
  ast::StmtPtr parse_delete();
  ast::StmtPtr parse_raise();
  ast::StmtPtr parse_assert();
  ast::StmtPtr parse_import();
  ast::StmtPtr parse_import_from();
  bool parse_import_names(ast::ImportFrom& import);
  std::unique_ptr<ast::Alias> parse_alias(bool is_dotted);
  bool parse_dotted_name(std::string& name);
  ast::StmtPtr parse_scope();
  ast::StmtPtr parse_type_alias();
  bool fail_after_statement();
  bool set_context(ast::Expr& target, ast::Context context);

  // parse_compound.cpp
  ast::StmtPtr parse_if();
  ast::StmtPtr parse_while();
  ast::StmtPtr parse_for(std::uint32_t begin, bool is_async);
  ast::StmtPtr parse_try();
  std::unique_ptr<ast::ExceptHandler> parse_handler(bool& is_star);
  bool parse_else(ast::Body& body);
  ast::StmtPtr parse_with(std::uint32_t begin, bool is_async);
  bool has_parenthesised_items() const;
  std::unique_ptr<ast::WithItem> parse_with_item();
  ast::StmtPtr parse_async();
  ast::StmtPtr parse_decorated();
  ast::StmtPtr parse_function(std::uint32_t begin, bool is_async);
  ast::StmtPtr parse_class();
  bool parse_type_params(ast::TypeParams& params);
  std::unique_ptr<ast::Node> parse_type_param();

  // parse_parameters.cpp
  struct ParameterState {
    bool is_lambda = false, seen_slash = false, seen_star = false, bare_star = false, seen_default = false;
  };
  std::unique_ptr<ast::Arguments> parse_parameters(TokenKind end, bool is_lambda);
  bool parse_parameter(ast::Arguments& arguments, ParameterState& state);
  bool parse_slash(ast::Arguments& arguments, ParameterState& state);
  bool parse_star_parameter(ast::Arguments& arguments, ParameterState& state);
  bool parse_plain_parameter(ast::Arguments& arguments, ParameterState& state);
  std::unique_ptr<ast::Arg> parse_arg(const ParameterState& state, bool may_be_starred);

  // parse_pattern.cpp
  bool is_match_statement();
  ast::StmtPtr parse_match();
  std::unique_ptr<ast::MatchCase> parse_case();
  ast::PatternPtr parse_patterns();
  ast::PatternPtr parse_pattern();
  ast::PatternPtr parse_star_or_pattern();
  ast::PatternPtr parse_or_pattern();
  ast::PatternPtr parse_closed_pattern();
  ast::PatternPtr parse_value_pattern();
  ast::PatternPtr parse_name_pattern();
  ast::PatternPtr parse_class_pattern(ast::ExprPtr cls, std::uint32_t begin);
  bool parse_class_pattern_item(ast::MatchClass& pattern);
  ast::PatternPtr parse_bracketed_pattern();
  ast::PatternPtr parse_mapping_pattern();
  bool parse_mapping_item(ast::MatchMapping& mapping);
  ast::ExprPtr parse_literal_expression();
  ast::ExprPtr parse_signed_number();
  ast::ExprPtr parse_dotted_expression();

  // parse_expression.cpp
  ast::ExprPtr parse_star_expressions();
  ast::ExprPtr parse_star_expression(bool is_named);
  ast::ExprPtr parse_yield_or_star_expressions();
  ast::ExprPtr parse_yield();
  ast::ExprPtr parse_named_expression();
  ast::ExprPtr parse_expression();
  ast::ExprPtr parse_lambda();
  ast::ExprPtr parse_disjunction();
  ast::ExprPtr parse_conjunction();
  ast::ExprPtr parse_inversion();
  ast::ExprPtr parse_comparison();
  std::optional<ast::CompareOperator> accept_comparison();
  ast::ExprPtr parse_binary(int lowest);
  ast::ExprPtr parse_bitwise() { return parse_binary(0); }
  ast::ExprPtr parse_unary();
  ast::ExprPtr parse_power();
  ast::ExprPtr parse_await();
  ast::ExprPtr parse_targets(TokenKind end);
  ast::ExprPtr parse_target();

  // parse_primary.cpp
  ast::ExprPtr parse_primary();
  ast::ExprPtr parse_call(ast::ExprPtr func, std::uint32_t begin);
  bool parse_arguments(ast::ExprList& args, std::vector<std::unique_ptr<ast::Keyword>>& keywords);
  bool parse_argument(ast::ExprList& args, std::vector<std::unique_ptr<ast::Keyword>>& keywords);
  ast::ExprPtr parse_subscript(ast::ExprPtr value, std::uint32_t begin);
  ast::ExprPtr parse_slices();
  ast::ExprPtr parse_slice();
  ast::ExprPtr parse_attribute(ast::ExprPtr value, std::uint32_t begin);
  ast::ExprPtr parse_atom();
  ast::ExprPtr parse_name();
  ast::ExprPtr parse_constant_word();
  ast::ExprPtr parse_number();
  ast::ExprPtr parse_parenthesised();
  ast::ExprPtr parse_list_display();
  ast::ExprPtr parse_brace_display();
  ast::ExprPtr parse_set_display(std::uint32_t begin, SourceRange opening, ast::ExprPtr first);
  ast::ExprPtr parse_dict_display(std::uint32_t begin, SourceRange opening, ast::ExprPtr first_key);
  ast::ExprPtr parse_dict_comprehension(std::uint32_t begin, SourceRange opening, std::unique_ptr<ast::Dict> item);
  bool parse_dict_item(ast::Dict& dict, ast::ExprPtr key);
  bool parse_element_list(ast::ExprList& elements, TokenKind end);
  bool at_comprehension() const {
    return at(TokenKind::KwFor) || (at(TokenKind::KwAsync) && ahead().kind == TokenKind::KwFor);
  }
  bool parse_generators(ast::Generators& generators);
  template <typename T>
  ast::ExprPtr parse_comprehension(std::uint32_t begin, SourceRange opening, TokenKind closing, ast::ExprPtr element);

  // parse_fstring.cpp
  struct JoinedParts;
  ast::ExprPtr parse_strings();
  bool parse_plain_string(JoinedParts& parts);
  bool parse_fstring(JoinedParts& parts);
  bool parse_fstring_text(JoinedParts& parts, bool is_raw, bool is_spec);
  bool parse_replacement(JoinedParts& parts, bool is_raw);
  bool parse_conversion(ast::FormattedValue& node);
  ast::ExprPtr parse_format_spec(bool is_raw);

  SourceFilePtr file_;
  std::string_view text_;
  std::vector<Token> tokens_;
  ProblemList& problems_;
  std::size_t position_ = 0;
  std::uint32_t last_end_ = 0;
  int depth_ = 0;
  std::size_t line_end_ = 0;  // cached by is_match_statement(): index of the Newline of the line at hand
  bool is_aborted_ = false;
  bool has_reported_ = false;  // the last fail() was not suppressed
  bool colon_was_missing_ = false;
  bool lost_compound_ = false;  // the statement before was a compound one that was given up
};

}  // namespace lockstep::frontend
