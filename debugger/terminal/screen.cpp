#include "debugger/terminal/screen.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>

namespace lockstep::debugger {

namespace {

std::string_view code_of(Ink ink) {
  switch (ink) {
    case Ink::plain: return "";
    case Ink::strong: return "\x1b[1m";
    case Ink::faint: return "\x1b[2m";
    case Ink::red: return "\x1b[31m";
    case Ink::green: return "\x1b[32m";
    case Ink::yellow: return "\x1b[33m";
    case Ink::blue: return "\x1b[34m";
  }
  return "";
}

}  // namespace

void Screen::line(std::string_view text) const { write_(std::string(text) + "\n"); }

std::string Screen::ink(Ink ink, std::string_view text) const {
  if (!has_color_ || ink == Ink::plain) return std::string(text);
  return std::string(code_of(ink)) + std::string(text) + "\x1b[0m";
}

/// Cuts between characters of UTF-8, which all count as one column.
std::string Screen::cut(std::string_view text, std::size_t indent) const {
  const std::size_t room = width_ > indent + 8 ? width_ - indent : 8;
  std::size_t columns = 0, keep = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if ((static_cast<unsigned char>(text[i]) & 0xc0U) == 0x80U) continue;
    if (columns == room - 3) keep = i;
    ++columns;
  }
  return columns <= room ? std::string(text) : std::string(text.substr(0, keep)) + "...";
}

std::size_t terminal_width(int descriptor) {
  constexpr std::size_t kPlain = 100, kLeast = 40;
  winsize size{};
  if (isatty(descriptor) == 0 || ioctl(descriptor, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) return kPlain;
  return std::max<std::size_t>(size.ws_col, kLeast);
}

}  // namespace lockstep::debugger
