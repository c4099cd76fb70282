// Where a number ends. Not here: its value (parse_literal.h).
#pragma once

#include <cstdint>
#include <string_view>

namespace lockstep::python_syntax {

struct ScannedNumber {
  std::uint32_t end = 0;  // of what was understood
  bool is_good = false;
};
/// The number that begins at a digit, or at a dot before one.
ScannedNumber scan_number(std::string_view text, std::uint32_t begin);

}  // namespace lockstep::python_syntax
