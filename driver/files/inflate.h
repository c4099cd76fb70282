// Checksums and inflation (RFC 1951) for zip archives. By zlib if it is linked, else by our own code. Not here:
// archives.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace lockstep::driver {

/// The checksum of ISO 3309, as in zip.
std::uint32_t crc32(std::string_view bytes);

/// Inflates a raw deflate stream of exactly `size` bytes; nullopt: it is damaged, or has another size. Ignores bytes
/// after its end.
std::optional<std::string> inflate(std::string_view packed, std::uint64_t size);

/// The same without zlib. For the build without it, and for its test.
namespace portable {
std::uint32_t crc32(std::string_view bytes);
std::optional<std::string> inflate(std::string_view packed, std::uint64_t size);
}  // namespace portable

}  // namespace lockstep::driver
