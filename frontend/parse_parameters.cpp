// Parameters of def and lambda: positional-only, plain, *args, keyword-only and **kwargs, in the order that Python
// demands. Source: docs.python.org/3.12/reference/compound_stmts.html, function definitions.
#include "frontend/parser_state.h"

namespace lockstep::frontend {

std::unique_ptr<ast::Arguments> Parser::parse_parameters(TokenKind end, bool is_lambda) {
  auto arguments = std::make_unique<ast::Arguments>();
  arguments->range = current().range;
  ParameterState state;
  state.is_lambda = is_lambda;
  while (!at(end)) {
    if (arguments->kwarg) {
      fail("LS1210", "no parameter can follow **" + arguments->kwarg->name, current().range);
      return nullptr;
    }
    if (!parse_parameter(*arguments, state)) return nullptr;
    if (!accept(TokenKind::Comma)) break;
  }
  if (state.bare_star && arguments->kwonlyargs.empty()) {
    fail("LS1210", "a bare '*' must be followed by a named parameter", previous().range);
    return nullptr;
  }
  arguments->range.end = last_end_;
  return arguments;
}

bool Parser::parse_parameter(ast::Arguments& arguments, ParameterState& state) {
  switch (current().kind) {
    case TokenKind::Slash: return parse_slash(arguments, state);
    case TokenKind::Star: return parse_star_parameter(arguments, state);
    case TokenKind::DoubleStar:
      advance();
      arguments.kwarg = parse_arg(state, false);
      if (arguments.kwarg && at(TokenKind::Equal)) return fail("LS1210", "** cannot have a default", current().range);
      return arguments.kwarg != nullptr;
    default: return parse_plain_parameter(arguments, state);
  }
}

bool Parser::parse_slash(ast::Arguments& arguments, ParameterState& state) {
  if (state.seen_slash || state.seen_star) {
    return fail("LS1210", state.seen_slash ? "'/' can appear only once" : "'/' must be ahead of '*'", current().range);
  }
  if (arguments.args.empty()) return fail("LS1210", "at least one parameter must be ahead of '/'", current().range);
  state.seen_slash = true;
  arguments.posonlyargs = std::move(arguments.args);
  arguments.args.clear();
  advance();
  return true;
}

bool Parser::parse_star_parameter(ast::Arguments& arguments, ParameterState& state) {
  if (state.seen_star) return fail("LS1210", "'*' can appear only once among the parameters", current().range);
  state.seen_star = true;
  advance();
  if (at(TokenKind::Comma) || at(TokenKind::RightParen) || (state.is_lambda && at(TokenKind::Colon))) {
    state.bare_star = true;
    return true;
  }
  arguments.vararg = parse_arg(state, true);
  if (arguments.vararg && at(TokenKind::Equal)) return fail("LS1210", "* cannot have a default", current().range);
  return arguments.vararg != nullptr;
}

bool Parser::parse_plain_parameter(ast::Arguments& arguments, ParameterState& state) {
  std::unique_ptr<ast::Arg> arg = parse_arg(state, false);
  if (!arg) return false;
  ast::ExprPtr value;
  if (accept(TokenKind::Equal)) {
    value = parse_expression();
    if (!value) return false;
  }
  if (state.seen_star) {
    arguments.kwonlyargs.push_back(std::move(arg));
    arguments.kw_defaults.push_back(std::move(value));
    return true;
  }
  if (!value && state.seen_default) {
    return fail("LS1210", "parameter '" + arg->name + "' without a default follows one with a default", arg->range,
                "give it a default, or put it first");
  }
  state.seen_default = value != nullptr;
  arguments.args.push_back(std::move(arg));
  if (value) arguments.defaults.push_back(std::move(value));
  return true;
}

std::unique_ptr<ast::Arg> Parser::parse_arg(const ParameterState& state, bool may_be_starred) {
  std::uint32_t from = begin();
  auto arg = std::make_unique<ast::Arg>();
  if (!expect_name(arg->name, "a parameter name")) return nullptr;
  if (!state.is_lambda && accept(TokenKind::Colon)) {
    arg->annotation = may_be_starred ? parse_star_expression(false) : parse_expression();
    if (!arg->annotation) return nullptr;
  }
  arg->range = since(from);
  return arg;
}

}  // namespace lockstep::frontend
