// Screen: the output of a terminal session: its width, whether it may be coloured, and the few colours. Not here: the
// texts.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <utility>

namespace lockstep::debugger {

enum class Ink : std::uint8_t { plain, strong, faint, red, green, yellow, blue };

class Screen {
 public:
  using Write = std::function<void(std::string_view)>;
  Screen(Write write, bool has_color, std::size_t width)
      : write_(std::move(write)), has_color_(has_color), width_(width) {}

  void put(std::string_view text) const { write_(text); }
  void line(std::string_view text) const;
  std::string ink(Ink ink, std::string_view text) const;
  bool has_color() const { return has_color_; }
  /// Columns of a line, at least 40.
  std::size_t width() const { return width_; }
  /// At most width() columns, with "..." at the end of a cut text. For texts without colours.
  std::string cut(std::string_view text, std::size_t indent = 0) const;

 private:
  Write write_;
  bool has_color_;
  std::size_t width_;
};

/// Of the terminal at that descriptor; 100 without one.
std::size_t terminal_width(int descriptor);

}  // namespace lockstep::debugger
