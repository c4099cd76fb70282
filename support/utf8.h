// UTF-8: one character of a text with arbitrary bytes.
#pragma once

#include <cstddef>
#include <string_view>

namespace lockstep {

struct Utf8Character {
  char32_t code = 0xFFFD;
  std::size_t bytes = 1;  // that it takes; 1 where none begins, 0 at the text's end
  bool is_valid = false;
};

/// The character that begins at byte `at`. Overlong forms, surrogates and truncated characters are invalid.
Utf8Character decode_utf8(std::string_view text, std::size_t at);

}  // namespace lockstep
