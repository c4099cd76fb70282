// Pieces of Python's text: strings, brackets, signs outside of both. For texts that are looked at, not compiled: what
// does not close goes to the end.
#pragma once

#include <string_view>

namespace lockstep::debugger {

bool is_name_part(char c);
/// The end of the string literal that begins at `at`: behind its last quote, or the end of the text.
std::size_t end_of_string(std::string_view text, std::size_t at);
/// Behind the partner of the bracket at `open`; npos: it has none.
std::size_t end_of_bracket(std::string_view text, std::size_t open);
/// The place of a sign outside of brackets and strings: ',', ';', ':', or the '=' of an assignment, which is none of a
/// comparison; npos: there is none.
std::size_t sign_of(std::string_view text, char sign);

}  // namespace lockstep::debugger
