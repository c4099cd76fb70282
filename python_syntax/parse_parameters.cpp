// Parameters of def and lambda: positional-only, plain, *args, keyword-only and **kwargs, in the order that Python
// demands. Source: docs.python.org/3.12/reference/compound_stmts.html, function definitions.
#include "python_syntax/grammar.h"

namespace lockstep::python_syntax {

namespace {

struct ParameterState {
  bool is_lambda = false, seen_slash = false, seen_star = false, bare_star = false, seen_default = false;
};

bool parse_slash(TokenCursor& in, ast::Arguments& arguments, ParameterState& state);
bool parse_star_parameter(TokenCursor& in, ast::Arguments& arguments, ParameterState& state);
bool parse_plain_parameter(TokenCursor& in, ast::Arguments& arguments, ParameterState& state);
std::unique_ptr<ast::Arg> parse_arg(TokenCursor& in, const ParameterState& state, bool may_be_starred);

bool parse_parameter(TokenCursor& in, ast::Arguments& arguments, ParameterState& state) {
  switch (in.current().kind) {
    case TokenKind::Slash: return parse_slash(in, arguments, state);
    case TokenKind::Star: return parse_star_parameter(in, arguments, state);
    case TokenKind::DoubleStar:
      in.advance();
      arguments.kwarg = parse_arg(in, state, false);
      if (arguments.kwarg && in.at(TokenKind::Equal))
        return in.fail("LS1210", "** cannot have a default", in.current().range);
      return arguments.kwarg != nullptr;
    default: return parse_plain_parameter(in, arguments, state);
  }
}

bool parse_slash(TokenCursor& in, ast::Arguments& arguments, ParameterState& state) {
  if (state.seen_slash || state.seen_star) {
    return in.fail("LS1210", state.seen_slash ? "'/' can appear only once" : "'/' must be ahead of '*'",
                   in.current().range);
  }
  if (arguments.args.empty())
    return in.fail("LS1210", "at least one parameter must be ahead of '/'", in.current().range);
  state.seen_slash = true;
  arguments.posonlyargs = std::move(arguments.args);
  arguments.args.clear();
  in.advance();
  return true;
}

bool parse_star_parameter(TokenCursor& in, ast::Arguments& arguments, ParameterState& state) {
  if (state.seen_star) return in.fail("LS1210", "'*' can appear only once among the parameters", in.current().range);
  state.seen_star = true;
  in.advance();
  if (in.at(TokenKind::Comma) || in.at(TokenKind::RightParen) || (state.is_lambda && in.at(TokenKind::Colon))) {
    state.bare_star = true;
    return true;
  }
  arguments.vararg = parse_arg(in, state, true);
  if (arguments.vararg && in.at(TokenKind::Equal))
    return in.fail("LS1210", "* cannot have a default", in.current().range);
  return arguments.vararg != nullptr;
}

bool parse_plain_parameter(TokenCursor& in, ast::Arguments& arguments, ParameterState& state) {
  std::unique_ptr<ast::Arg> arg = parse_arg(in, state, false);
  if (!arg) return false;
  ast::ExprPtr value;
  if (in.accept(TokenKind::Equal)) {
    value = parse_expression(in);
    if (!value) return false;
  }
  if (state.seen_star) {
    arguments.kwonlyargs.push_back(std::move(arg));
    arguments.kw_defaults.push_back(std::move(value));
    return true;
  }
  if (!value && state.seen_default) {
    return in.fail("LS1210", "parameter '" + arg->name + "' without a default follows one with a default", arg->range,
                   "give it a default, or put it first");
  }
  state.seen_default = value != nullptr;
  arguments.args.push_back(std::move(arg));
  if (value) arguments.defaults.push_back(std::move(value));
  return true;
}

std::unique_ptr<ast::Arg> parse_arg(TokenCursor& in, const ParameterState& state, bool may_be_starred) {
  std::uint32_t from = in.begin();
  auto arg = std::make_unique<ast::Arg>();
  if (!in.expect_name(arg->name, "a parameter name")) return nullptr;
  if (!state.is_lambda && in.accept(TokenKind::Colon)) {
    arg->annotation = may_be_starred ? parse_star_expression(in, false) : parse_expression(in);
    if (!arg->annotation) return nullptr;
  }
  arg->range = in.since(from);
  return arg;
}

}  // namespace

std::unique_ptr<ast::Arguments> parse_parameters(TokenCursor& in, TokenKind end, bool is_lambda) {
  auto arguments = std::make_unique<ast::Arguments>();
  arguments->range = in.current().range;
  ParameterState state;
  state.is_lambda = is_lambda;
  while (!in.at(end)) {
    if (arguments->kwarg) {
      in.fail("LS1210", "no parameter can follow **" + arguments->kwarg->name, in.current().range);
      return nullptr;
    }
    if (!parse_parameter(in, *arguments, state)) return nullptr;
    if (!in.accept(TokenKind::Comma)) break;
  }
  if (state.bare_star && arguments->kwonlyargs.empty()) {
    in.fail("LS1210", "a bare '*' must be followed by a named parameter", in.previous().range);
    return nullptr;
  }
  arguments->range.end = in.last_end();
  return arguments;
}

}  // namespace lockstep::python_syntax
