#include "interpreter/launch/tuning.h"

#include <array>
#include <charconv>
#include <cstdlib>
#include <string>

#include "support/log.h"

namespace lockstep::interpreter {

namespace {

struct Setting {
  std::string_view name;
  std::int64_t lowest, highest;
  void (*set)(Tuning&, std::int64_t);
};
constexpr std::int64_t kMost = std::int64_t{1} << 32;
constexpr std::array<Setting, 8> kRows{{
    {"strip", 16, 1 << 20, [](Tuning& t, std::int64_t n) { t.strip_elements = n; }},
    {"batch_elements", 1, kMost, [](Tuning& t, std::int64_t n) { t.batch_elements = n; }},
    {"batch_product_elements", 1, kMost, [](Tuning& t, std::int64_t n) { t.batch_product_elements = n; }},
    {"batch", 1, 1024, [](Tuning& t, std::int64_t n) { t.batch_programs = n; }},
    {"operand_cache", 0, kMost, [](Tuning& t, std::int64_t n) { t.operand_cache_bytes = n; }},
    {"stream", 0, kMost, [](Tuning& t, std::int64_t n) { t.stream_bytes = n; }},
    {"fuse", 0, 1, [](Tuning& t, std::int64_t n) { t.fuses = n != 0; }},
    {"hoist", 0, 1, [](Tuning& t, std::int64_t n) { t.hoists = n != 0; }},
}};

bool apply_setting(std::string_view word, Tuning& tuning) {
  const auto equals = word.find('=');
  if (equals == std::string_view::npos) return false;
  const std::string_view name = word.substr(0, equals), digits = word.substr(equals + 1);
  std::int64_t number = 0;
  const auto [end, failure] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  if (failure != std::errc{} || end != digits.data() + digits.size()) return false;
  for (const Setting& row : kRows) {
    if (row.name != name) continue;
    if (number < row.lowest || number > row.highest) return false;
    row.set(tuning, number);
    return true;
  }
  return false;
}

Tuning read_environment() {
  const char* text = std::getenv("LOCKSTEP_TUNING");
  if (text == nullptr || *text == '\0') return {};
  if (const auto tuning = parse_tuning(text)) return *tuning;
  log::warn("LOCKSTEP_TUNING='" + std::string(text) +
            "' is not of the form name=number,... (strip, batch_elements, batch, operand_cache, stream, fuse, hoist); "
            "ignored");
  return {};
}

}  // namespace

std::optional<Tuning> parse_tuning(std::string_view text) {
  Tuning tuning;
  while (!text.empty()) {
    const auto comma = text.find(',');
    if (!apply_setting(text.substr(0, comma), tuning)) return std::nullopt;
    text = comma == std::string_view::npos ? std::string_view() : text.substr(comma + 1);
  }
  return tuning;
}

const Tuning& default_tuning() {
  static const Tuning tuning = read_environment();
  return tuning;
}

}  // namespace lockstep::interpreter
