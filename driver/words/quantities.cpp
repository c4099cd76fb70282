#include "driver/words/quantities.h"

#include <array>
#include <cmath>
#include <cstdio>

#include "support/ascii.h"
#include "support/floats/read_float.h"
#include "support/floats/write_float.h"

namespace lockstep::driver {
namespace {

std::string with_unit(double value, const char* unit) {
  std::array<char, 64> text{};
  const int digits = value < 10 ? 2 : value < 100 ? 1 : 0;
  std::snprintf(text.data(), text.size(), "%.*f %s", digits, value, unit);
  return text.data();
}

template <typename Float>
std::string shortest(Float value) {
  std::array<char, 64> text{};
  return std::string(text.data(), write_float(text.data(), text.data() + text.size(), value));
}

std::optional<double> unit_factor(std::string_view unit) {
  struct Entry {
    std::string_view name;
    double factor;
  };
  constexpr Entry kUnits[] = {
      {"", 1},      {"B", 1},      {"K", 1e3},       {"KB", 1e3},         {"kB", 1e3},
      {"M", 1e6},   {"MB", 1e6},   {"G", 1e9},       {"GB", 1e9},         {"T", 1e12},
      {"TB", 1e12}, {"KiB", 1024}, {"MiB", 1048576}, {"GiB", 1073741824}, {"TiB", 1099511627776}};
  for (const Entry& entry : kUnits) {
    if (entry.name == unit) return entry.factor;
  }
  return std::nullopt;
}

}  // namespace

std::string format_bytes(std::uint64_t bytes) {
  constexpr const char* kUnits[] = {"kB", "MB", "GB", "TB", "PB", "EB"};
  if (bytes < 1000) return std::to_string(bytes) + " B";
  double value = static_cast<double>(bytes) / 1000;
  std::size_t unit = 0;
  while (value >= 999.5 && unit + 1 < std::size(kUnits)) {
    value /= 1000;
    ++unit;
  }
  return with_unit(value, kUnits[unit]);
}

std::string format_seconds(double seconds) {
  if (seconds < 0.9995e-3) return with_unit(seconds * 1e6, "us");
  if (seconds < 0.9995) return with_unit(seconds * 1e3, "ms");
  if (seconds < 120) return with_unit(seconds, "s");
  const auto whole = static_cast<std::uint64_t>(std::llround(seconds));
  return std::to_string(whole / 60) + " min " + std::to_string(whole % 60) + " s";
}

std::string format_count(std::uint64_t count, const std::string& thing) {
  std::string digits = std::to_string(count);
  for (std::size_t i = digits.size(); i > 3; i -= 3) digits.insert(i - 3, ",");
  return digits + " " + thing + (count == 1 ? "" : "s");
}

std::string format_number(double value) { return shortest(value); }
std::string format_number(float value) { return shortest(value); }

std::optional<std::uint64_t> parse_bytes(std::string_view text) {
  text = trimmed(text);
  double number = 0;
  const auto result = read_float(text.data(), text.data() + text.size(), number, std::chars_format::fixed);
  if (result.ec != std::errc()) return std::nullopt;
  const auto factor = unit_factor(trimmed(text.substr(static_cast<std::size_t>(result.ptr - text.data()))));
  if (!factor) return std::nullopt;
  const double bytes = std::floor(number * *factor);
  if (!(bytes >= 1) || bytes >= 9.2e18) return std::nullopt;
  return static_cast<std::uint64_t>(bytes);
}

std::vector<std::string> split_list(std::string_view text) {
  std::vector<std::string> parts;
  if (trimmed(text).empty()) return parts;
  int depth = 0;
  std::size_t begin = 0;
  for (std::size_t i = 0; i <= text.size(); ++i) {
    const char c = i < text.size() ? text[i] : ',';
    if (c == '(' || c == '[' || c == '<' || c == '{') ++depth;
    if (c == ')' || c == ']' || c == '>' || c == '}') --depth;
    if (i < text.size() && (c != ',' || depth > 0)) continue;
    parts.emplace_back(trimmed(text.substr(begin, i - begin)));
    begin = i + 1;
  }
  return parts;
}

}  // namespace lockstep::driver
