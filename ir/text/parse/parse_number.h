// Integer literals of the text form.
#pragma once

#include <cstdint>
#include <string_view>

#include "ir/type.h"

namespace lockstep::ir {

/// Value of a decimal or 0x literal; false if it needs more than 64 bits.
bool read_integer_literal(std::string_view text, std::uint64_t& magnitude);

/// True if the literal is a signed or an unsigned number of the type's width (index: 64 bits).
bool integer_fits(Type type, bool is_negative, std::uint64_t magnitude);

}  // namespace lockstep::ir
