// Numbers for people, and sizes and lists from people's texts.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lockstep::driver {

std::string format_bytes(std::uint64_t bytes);                            // "5.70 MB", decimal units
std::string format_seconds(double seconds);                               // "812 us", "12.3 ms", "1.24 s", "3 min 20 s"
std::string format_count(std::uint64_t count, const std::string& thing);  // "1 program", "1,823 programs"
std::string format_number(double value);                                  // shortest text that reads back the same
std::string format_number(float value);

/// "500MB", "2GiB", "1048576": bytes. nullopt: not a size, or above 2^63.
std::optional<std::uint64_t> parse_bytes(std::string_view text);
/// Splits at commas that are not inside (), [], <> or {}; spaces around a part are dropped.
std::vector<std::string> split_list(std::string_view text);

}  // namespace lockstep::driver
