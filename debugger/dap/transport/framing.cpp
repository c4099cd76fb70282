#include "debugger/dap/transport/framing.h"

#include <algorithm>
#include <cctype>
#include <charconv>

#include "support/ascii.h"

namespace lockstep::debugger::dap {

namespace {

bool is_same_name(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](unsigned char x, unsigned char y) { return std::tolower(x) == std::tolower(y); });
}

/// The printable part of a hostile header.
std::string in_quotes(std::string_view text) {
  std::string out = "'";
  for (const char c : text.substr(0, 80)) out += c >= ' ' && c < 0x7f ? c : '?';
  return out + (text.size() > 80 ? "...'" : "'");
}

/// "Name: value", or the beginning of such a line.
bool may_be_header(std::string_view line, bool is_whole) {
  const std::size_t colon = line.find(':');
  const std::string_view name = line.substr(0, colon);
  const bool has_name =
      std::all_of(name.begin(), name.end(), [](unsigned char c) { return std::isalnum(c) != 0 || c == '-'; });
  return has_name && (!is_whole || (colon != std::string_view::npos && !name.empty()));
}

Expected<std::size_t, std::string> length_of(std::string_view text) {
  std::size_t length = 0;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), length);
  const bool is_whole = read.ptr == text.data() + text.size() && !text.empty();
  if (read.ec == std::errc::invalid_argument || !is_whole)
    return Unexpected{"the Content-Length " + in_quotes(text) + " is not a number"};
  if (read.ec != std::errc{} || length > kMaxMessageBytes)
    return Unexpected{"the Content-Length " + in_quotes(text) + " is more than " + std::to_string(kMaxMessageBytes)};
  return length;
}

}  // namespace

Expected<std::optional<std::size_t>, std::string> FrameReader::read_header() {
  const std::size_t end = buffer_.find("\r\n\r\n");
  if (end == std::string::npos || end > kMaxHeaderBytes) {
    if (buffer_.size() > kMaxHeaderBytes)
      return Unexpected{std::string("no message begins here: the header has no end")};
    // Rejects text that cannot become a header at once, not when enough of it has come.
    const std::size_t line_end = std::min(buffer_.find_first_of("\r\n"), buffer_.size());
    const std::string_view line(buffer_.data(), line_end);
    if (!may_be_header(line, line_end < buffer_.size()))
      return Unexpected{"no message begins here: " + in_quotes(line) + " is not a header"};
    return std::optional<std::size_t>{};
  }
  std::optional<std::size_t> length;
  std::string_view rest(buffer_.data(), end);
  while (!rest.empty()) {
    const std::size_t line_end = std::min(rest.find("\r\n"), rest.size());
    const std::string_view line = rest.substr(0, line_end);
    rest.remove_prefix(std::min(line_end + 2, rest.size()));
    const std::size_t colon = line.find(':');
    if (!may_be_header(line, true)) return Unexpected{"no message begins here: " + in_quotes(line) + " is not a header"};
    if (!is_same_name(line.substr(0, colon), "Content-Length")) continue;
    const auto read = length_of(trimmed(line.substr(colon + 1)));
    if (!read) return Unexpected{read.error()};
    if (length) return Unexpected{std::string("a header has two Content-Length lines")};
    length = *read;
  }
  if (!length) return Unexpected{std::string("a header has no Content-Length")};
  buffer_.erase(0, end + 4);
  return length;
}

Expected<std::optional<std::string>, std::string> FrameReader::next() {
  if (!problem_.empty()) return Unexpected{problem_};
  if (!length_) {
    auto length = read_header();
    if (!length) {
      problem_ = length.error();
      return Unexpected{problem_};
    }
    length_ = *length;
  }
  if (!length_ || buffer_.size() < *length_) return std::optional<std::string>{};
  std::optional<std::string> message = buffer_.substr(0, *length_);
  buffer_.erase(0, *length_);
  length_.reset();
  return message;
}

std::string framed(std::string_view message) {
  return "Content-Length: " + std::to_string(message.size()) + "\r\n\r\n" + std::string(message);
}

}  // namespace lockstep::debugger::dap
