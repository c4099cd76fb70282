// Characters outside ASCII: which may be part of a name, and what to say about the others.
#include <array>
#include <cstdio>

#include "python_syntax/lexer.h"
#include "python_syntax/lexer_state.h"
#include "support/utf8.h"

namespace lockstep::python_syntax {

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
  return character.is_valid && may_be_in_name(character.code) ? static_cast<std::uint32_t>(character.bytes) : 0;
}

BadCharacter describe_bad_character(std::string_view text, std::size_t position) {
  Utf8Character character = decode_utf8(text, position);
  std::array<char, 64> buffer{};
  if (!character.is_valid) {
    std::snprintf(buffer.data(), buffer.size(), "byte 0x%02X is not valid UTF-8",
                  static_cast<unsigned char>(text[position]));
    return {1, buffer.data(), "save the file as UTF-8"};
  }
  std::uint32_t c = character.code;
  std::snprintf(buffer.data(), buffer.size(), "character U+%04X cannot appear here", c);
  BadCharacter bad{static_cast<std::uint32_t>(character.bytes), buffer.data(), ""};
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
