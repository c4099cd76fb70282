// Bytes packed by zlib (RFC 1950), for files that browsers unpack themselves. Deterministic for one version of zlib.
#pragma once

#include <string>
#include <string_view>

namespace lockstep::driver {

std::string deflate(std::string_view bytes);

}  // namespace lockstep::driver
