// Text to the standard output, whole: no format, zero bytes are fine.
#pragma once

#include <cstdio>
#include <string_view>

namespace lockstep::cli {

inline void put(std::string_view text) { std::fwrite(text.data(), 1, text.size(), stdout); }

}  // namespace lockstep::cli
