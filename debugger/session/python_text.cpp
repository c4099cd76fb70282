#include "debugger/session/python_text.h"

namespace lockstep::debugger {

bool is_name_part(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || (c & 0x80) != 0;
}

std::size_t end_of_string(std::string_view text, std::size_t at) {
  const char quote = text[at];
  const std::string_view triple = text.substr(at, 3);
  const bool is_triple = triple.size() == 3 && triple[1] == quote && triple[2] == quote;
  const std::size_t quotes = is_triple ? 3 : 1;
  const std::string_view closing = text.substr(at, quotes);
  for (std::size_t i = at + quotes; i < text.size(); ++i) {
    if (text[i] == '\\')
      ++i;
    else if (text.substr(i, quotes) == closing)
      return i + quotes;
  }
  return text.size();
}

std::size_t end_of_bracket(std::string_view text, std::size_t open) {
  int depth = 0;
  for (std::size_t i = open; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '"' || c == '\'')
      i = end_of_string(text, i) - 1;
    else if (c == '(' || c == '[' || c == '{')
      ++depth;
    else if ((c == ')' || c == ']' || c == '}') && --depth == 0)
      return i + 1;
  }
  return std::string_view::npos;
}

std::size_t sign_of(std::string_view text, char sign) {
  int depth = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '"' || c == '\'')
      i = end_of_string(text, i) - 1;
    else if (c == '(' || c == '[' || c == '{')
      ++depth;
    else if (c == ')' || c == ']' || c == '}')
      --depth;
    else if (c == sign && depth == 0) {
      const bool is_second = sign == '=' && i > 0 && std::string_view("=!<>:").find(text[i - 1]) < 5;
      const bool is_comparison = sign == '=' && (text.substr(i + 1, 1) == "=" || is_second);
      if (!is_comparison) return i;
    }
  }
  return std::string_view::npos;
}

}  // namespace lockstep::debugger
