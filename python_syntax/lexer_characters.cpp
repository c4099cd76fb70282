// Characters outside ASCII: which may be part of a name, and what to say about the others.
#include <array>
#include <cstdio>

#include "python_syntax/lexer_state.h"

namespace lockstep::python_syntax {

Utf8Character decode_utf8(std::string_view text, std::size_t position) {
  auto byte = [&](std::size_t i) -> std::uint32_t {
    return position + i < text.size() ? static_cast<unsigned char>(text[position + i]) : 0;
  };
  std::uint32_t first = byte(0);
  if (first < 0x80) return {first, position < text.size() ? 1u : 0u};
  std::uint32_t length = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2;
  if (first < 0xC2 || first > 0xF4) return {};
  std::uint32_t code_point = first & (0xFFu >> (length + 1));
  for (std::uint32_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xC0) != 0x80) return {};
    code_point = code_point << 6 | (byte(i) & 0x3F);
  }
  constexpr std::array<std::uint32_t, 5> kSmallest = {0, 0, 0x80, 0x800, 0x10000};
  bool is_surrogate = code_point >= 0xD800 && code_point < 0xE000;
  if (code_point < kSmallest[length] || code_point > 0x10FFFF || is_surrogate) return {};
  return {code_point, length};
}

namespace {

bool in(std::uint32_t c, std::uint32_t first, std::uint32_t last) { return c >= first && c <= last; }

/// Letters that Python replaces by others (NFKC) and marks that join a letter: two spellings would be one name. Not the
/// whole table, but the ranges that hold nothing else.
bool needs_normalisation(std::uint32_t c) {
  return c == 0xAA || c == 0xB5 || c == 0xBA || in(c, 0x0300, 0x036F) || in(c, 0x2070, 0x209C) ||
         in(c, 0x2100, 0x214F) || in(c, 0x2160, 0x2188) || in(c, 0xFB00, 0xFDFF) || in(c, 0xFF10, 0xFFDC) ||
         in(c, 0x1D400, 0x1D7FF);
}

bool may_be_in_name(std::uint32_t c) {
  if (needs_normalisation(c)) return false;
  if (in(c, 0x80, 0xBF)) return c == 0xB7;
  if (c == 0xD7 || c == 0xF7) return false;
  if (in(c, 0x2000, 0x206F)) return c == 0x203F || c == 0x2040 || c == 0x2054;
  if (in(c, 0x20A0, 0x20CF) || in(c, 0x2190, 0x2BFF) || in(c, 0x2E00, 0x2E7F))
    return false;                                                                   // currency, arrows ... symbols
  if (in(c, 0x3000, 0x3004) || in(c, 0x3008, 0x3020)) return false;                 // CJK punctuation
  if (in(c, 0xE000, 0xF8FF) || in(c, 0xFFF0, 0xFFFF) || c == 0xFEFF) return false;  // private use, specials
  if (in(c, 0xFF01, 0xFF0F) || in(c, 0xFF1A, 0xFF20)) return false;                 // full-width punctuation
  return !in(c, 0x1F000, 0x1FAFF) && c < 0xE0000;                                   // pictographs, tags
}

}  // namespace

std::uint32_t name_character_length(std::string_view text, std::size_t position) {
  Utf8Character character = decode_utf8(text, position);
  return character.length > 0 && may_be_in_name(character.code_point) ? character.length : 0;
}

BadCharacter describe_bad_character(std::string_view text, std::size_t position) {
  Utf8Character character = decode_utf8(text, position);
  std::array<char, 64> buffer{};
  if (character.length == 0) {
    std::snprintf(buffer.data(), buffer.size(), "byte 0x%02X is not valid UTF-8",
                  static_cast<unsigned char>(text[position]));
    return {1, buffer.data(), "save the file as UTF-8"};
  }
  std::uint32_t c = character.code_point;
  std::snprintf(buffer.data(), buffer.size(), "character U+%04X cannot appear here", c);
  BadCharacter bad{character.length, buffer.data(), ""};
  if (c > 0x20 && c < 0x7F) bad.message = std::string("character '") + static_cast<char>(c) + "' cannot appear here";
  if (c == 0) bad.message = "a zero byte cannot appear in Python source";
  if (needs_normalisation(c)) {
    bad.hint = "Python would replace it by its normal form, which is not supported yet; write names in plain letters";
  }
  if (c == '?') bad.hint = "the conditional expression is 'a if condition else b'";
  if (c == '`') bad.hint = "backquotes are Python 2; write repr(...)";
  if (c == 0xA0 || c == 0x3000 || in(c, 0x2000, 0x200B))
    bad.hint = "this blank is not an ASCII space; replace it by one";
  if (in(c, 0x2018, 0x201F)) bad.hint = "this is a typographic quote; write ' or \"";
  if (in(c, 0x2010, 0x2015) || c == 0x2212) bad.hint = "this is a typographic dash; write -";
  if (c == 0xD7) bad.hint = "write * to multiply";
  return bad;
}

}  // namespace lockstep::python_syntax
