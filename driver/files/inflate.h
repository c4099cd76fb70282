// What a zip archive needs of compression: checksums and the way back from deflate (RFC 1951). By zlib where it is
// linked, else by code of our own. Not here: archives.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace lockstep::driver {

/// Of ISO 3309, as zip has it.
std::uint32_t crc32(std::string_view bytes);

/// A raw deflate stream that makes exactly `size` bytes; nullopt: it is damaged, or makes another number. What comes
/// behind its end is left alone.
std::optional<std::string> inflate(std::string_view packed, std::uint64_t size);

/// The same without zlib. Here for the build that has none, and for its test.
namespace portable {
std::uint32_t crc32(std::string_view bytes);
std::optional<std::string> inflate(std::string_view packed, std::uint64_t size);
}  // namespace portable

}  // namespace lockstep::driver
