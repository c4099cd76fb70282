// The rules of the grammar that call each other from one parse_*.cpp to another: recursive descent over the tokens, a
// function a rule, binary operators by precedence. A rule that only one file uses is declared in that file. Convention:
// a function that returns a pointer returns null, and one that returns bool returns false, exactly when it has reported
// an error (or met an Invalid token); the caller then drops the statement, and recover() finds the next one. Private to
// this folder; others include python_syntax/parser.h.
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "python_syntax/ast.h"
#include "python_syntax/parse_node.h"
#include "python_syntax/token_cursor.h"

namespace lockstep::python_syntax {

// Blocks (parser.cpp).
void recover(TokenCursor& in);
bool expect_colon(TokenCursor& in, std::string_view what);
bool parse_block(TokenCursor& in, ast::Body& body, std::string_view what, SourceRange header);

// Simple statements.
bool set_context(TokenCursor& in, ast::Expr& target, ast::Context context);
ast::StmtPtr parse_simple(TokenCursor& in);
bool fail_after_statement(TokenCursor& in);

// Compound statements.
ast::StmtPtr parse_if(TokenCursor& in);
ast::StmtPtr parse_while(TokenCursor& in);
ast::StmtPtr parse_for(TokenCursor& in, std::uint32_t from, bool is_async);
ast::StmtPtr parse_try(TokenCursor& in);
ast::StmtPtr parse_with(TokenCursor& in, std::uint32_t from, bool is_async);
ast::StmtPtr parse_async(TokenCursor& in);
ast::StmtPtr parse_decorated(TokenCursor& in);
ast::StmtPtr parse_function(TokenCursor& in, std::uint32_t from, bool is_async);
ast::StmtPtr parse_class(TokenCursor& in);
bool parse_type_params(TokenCursor& in, ast::TypeParams& params);

// Parameters of def and lambda.
std::unique_ptr<ast::Arguments> parse_parameters(TokenCursor& in, TokenKind end, bool is_lambda);

// match.
bool is_match_statement(TokenCursor& in);
ast::StmtPtr parse_match(TokenCursor& in);

// Expressions.
ast::ExprPtr parse_star_expressions(TokenCursor& in);
ast::ExprPtr parse_star_expression(TokenCursor& in, bool is_named);
ast::ExprPtr parse_yield_or_star_expressions(TokenCursor& in);
ast::ExprPtr parse_yield(TokenCursor& in);
ast::ExprPtr parse_named_expression(TokenCursor& in);
ast::ExprPtr parse_expression(TokenCursor& in);
ast::ExprPtr parse_disjunction(TokenCursor& in);
ast::ExprPtr parse_bitwise(TokenCursor& in);
ast::ExprPtr parse_target(TokenCursor& in);
ast::ExprPtr parse_targets(TokenCursor& in, TokenKind end);

// Primaries and atoms.
ast::ExprPtr parse_primary(TokenCursor& in);
ast::ExprPtr parse_attribute(TokenCursor& in, ast::ExprPtr value, std::uint32_t from);
bool parse_arguments(TokenCursor& in, ast::ExprList& args, std::vector<std::unique_ptr<ast::Keyword>>& keywords);
ast::ExprPtr parse_name(TokenCursor& in);
ast::ExprPtr parse_number(TokenCursor& in);
ast::ExprPtr parse_constant_word(TokenCursor& in);
bool parse_element_list(TokenCursor& in, ast::ExprList& elements, TokenKind end);

// Strings.
ast::ExprPtr parse_strings(TokenCursor& in);

}  // namespace lockstep::python_syntax
