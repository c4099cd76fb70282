// SHA-256 (FIPS 180-4): keys of caches and of recordings. Deterministic on every machine; not meant for secrets.
#pragma once

#include <array>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>

namespace lockstep {

using Sha256 = std::array<std::uint8_t, 32>;

/// The digest of `bytes`.
Sha256 sha256(std::string_view bytes);
/// The same as 64 small hexadecimal digits.
std::string sha256_text(std::string_view bytes);
/// The hash of several parts that cannot run together: each is preceded by its length (8 bytes, little endian).
std::string sha256_of_parts(std::initializer_list<std::string_view> parts);

}  // namespace lockstep
