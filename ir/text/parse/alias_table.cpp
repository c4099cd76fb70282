#include "ir/text/parse/alias_table.h"

#include "ir/text/lexer.h"

namespace lockstep::ir {

AliasTable collect_aliases(std::string_view text) {
  AliasTable aliases;
  Lexer lexer(text);
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
    const auto [place, is_new] = aliases.try_emplace(token.text);
    if (is_new) place->second.begin = lexer.offset();
  }
  return aliases;
}

}  // namespace lockstep::ir
