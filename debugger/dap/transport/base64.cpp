#include "debugger/dap/transport/base64.h"

#include <algorithm>
#include <cstdint>

namespace lockstep::debugger::dap {

namespace {

constexpr std::string_view kDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

}  // namespace

std::string to_base64(std::string_view bytes) {
  std::string out;
  for (std::size_t at = 0; at < bytes.size(); at += 3) {
    const std::size_t have = std::min<std::size_t>(3, bytes.size() - at);
    std::uint32_t group = 0;
    for (std::size_t i = 0; i < 3; ++i)
      group = group << 8 | (i < have ? static_cast<unsigned char>(bytes[at + i]) : 0u);
    for (std::size_t i = 0; i < 4; ++i) out += i <= have ? kDigits[group >> (18 - 6 * i) & 63] : '=';
  }
  return out;
}

std::optional<std::string> from_base64(std::string_view text) {
  if (text.size() % 4 != 0) return std::nullopt;
  std::string out;
  for (std::size_t at = 0; at < text.size(); at += 4) {
    std::uint32_t group = 0;
    std::size_t padding = 0;
    for (std::size_t i = 0; i < 4; ++i) {
      const char c = text[at + i];
      const std::size_t digit = kDigits.find(c);
      const bool may_pad = c == '=' && i >= 2 && at + 4 == text.size();
      if (digit == std::string_view::npos && !may_pad) return std::nullopt;
      if (digit != std::string_view::npos && padding != 0) return std::nullopt;
      if (may_pad) ++padding;
      group = group << 6 | (may_pad ? 0u : static_cast<std::uint32_t>(digit));
    }
    for (std::size_t i = 0; i + padding < 3; ++i) out += static_cast<char>(group >> (16 - 8 * i) & 255);
  }
  return out;
}

}  // namespace lockstep::debugger::dap
