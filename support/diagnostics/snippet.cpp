#include "support/diagnostics/snippet.h"

#include <algorithm>
#include <cstddef>
#include <vector>

#include "support/utf8.h"

namespace lockstep {
namespace {

constexpr std::string_view kReplacement = "\xEF\xBF\xBD";  // U+FFFD
constexpr std::size_t kTabWidth = 4;
constexpr std::size_t kMaxColumns = 120;     // of source text on one line of output
constexpr std::size_t kContextBytes = 2048;  // read on either side of the caret, so a huge line costs nothing

// One character as shown: its text, its width in columns, and its byte in the line.
struct Cell {
  std::string text;
  std::size_t width = 1;
  std::size_t byte = 0;
};

bool is_control(char32_t code) {
  return code < 0x20 || (code >= 0x7F && code < 0xA0) || (code >= 0x200B && code <= 0x200F) ||
         (code >= 0x202A && code <= 0x202E) || (code >= 0x2060 && code <= 0x2069) || code == 0xFEFF;
}
bool is_combining(char32_t code) {
  return (code >= 0x300 && code <= 0x36F) || (code >= 0x1AB0 && code <= 0x1AFF) || (code >= 0x1DC0 && code <= 0x1DFF) ||
         (code >= 0x20D0 && code <= 0x20FF) || (code >= 0xFE00 && code <= 0xFE0F) || (code >= 0xFE20 && code <= 0xFE2F);
}
bool is_wide(char32_t code) {
  return (code >= 0x1100 && code <= 0x115F) || (code >= 0x2E80 && code <= 0xA4CF) ||
         (code >= 0xAC00 && code <= 0xD7A3) || (code >= 0xF900 && code <= 0xFAFF) ||
         (code >= 0xFE30 && code <= 0xFE6F) || (code >= 0xFF00 && code <= 0xFF60) ||
         (code >= 0xFFE0 && code <= 0xFFE6) || (code >= 0x1F300 && code <= 0x1F64F) ||
         (code >= 0x1F900 && code <= 0x1F9FF) || (code >= 0x20000 && code <= 0x3FFFD);
}

Cell make_cell(std::string_view text, std::size_t at, const Utf8Character& decoded, std::size_t column) {
  if (!decoded.is_valid || (is_control(decoded.code) && decoded.code != '\t'))
    return {std::string(kReplacement), 1, at};
  if (decoded.code == '\t') {
    const std::size_t width = kTabWidth - column % kTabWidth;
    return {std::string(width, ' '), width, at};
  }
  const std::size_t width = is_combining(decoded.code) ? 0 : is_wide(decoded.code) ? 2 : 1;
  return {std::string(text.substr(at, decoded.bytes)), width, at};
}

// The characters of text[begin, end), `end` possibly inside one.
std::vector<Cell> split_into_cells(std::string_view text, std::size_t begin, std::size_t end) {
  std::vector<Cell> cells;
  std::size_t column = 0;
  while (begin < end) {
    const Utf8Character decoded = decode_utf8(text, begin);
    cells.push_back(make_cell(text, begin, decoded, column));
    column += cells.back().width;
    begin += decoded.bytes;
  }
  return cells;
}

std::size_t skip_continuation_bytes(std::string_view text, std::size_t at) {
  for (int i = 0; i < 3 && at < text.size() && (static_cast<unsigned char>(text[at]) & 0xC0U) == 0x80U; ++i) ++at;
  return at;
}

// The cells that fit, around the marked one.
struct Window {
  std::size_t first = 0, last = 0;  // half-open
};

Window choose_window(const std::vector<Cell>& cells, std::size_t marked) {
  const auto width_of = [&](std::size_t i) { return cells[i].width; };
  Window window{std::min(marked, cells.size()), std::min(marked, cells.size())};
  std::size_t used = 0;
  while (window.first > 0 && used + width_of(window.first - 1) <= kMaxColumns / 2) used += width_of(--window.first);
  while (window.last < cells.size() && used + width_of(window.last) <= kMaxColumns) used += width_of(window.last++);
  while (window.first > 0 && used + width_of(window.first - 1) <= kMaxColumns) used += width_of(--window.first);
  return window;
}

struct Lines {
  std::string source, marks;
};

Lines draw(const std::vector<Cell>& cells, Window window, std::size_t begin_byte, std::size_t end_byte) {
  Lines lines;
  bool is_started = false;
  for (std::size_t i = window.first; i < window.last; ++i) {
    const Cell& cell = cells[i];
    lines.source += cell.text;
    const bool is_marked = cell.byte >= begin_byte && cell.byte < end_byte;
    if (!is_marked) {
      lines.marks.append(cell.width, ' ');
    } else {
      for (std::size_t w = 0; w < cell.width; ++w, is_started = true) lines.marks += is_started ? '~' : '^';
    }
  }
  if (!is_started) lines.marks += '^';
  lines.marks.erase(lines.marks.find_last_not_of(' ') + 1);
  return lines;
}

std::string gutter(const std::string& number, bool color) { return styled(Style::note, number + " | ", color); }

}  // namespace

std::string styled(Style style, std::string_view text, bool color) {
  if (!color) return std::string(text);
  constexpr const char* kCodes[] = {"\x1b[1m", "\x1b[1;31m", "\x1b[1;35m", "\x1b[36m", "\x1b[32m", "\x1b[1;32m"};
  return kCodes[static_cast<std::size_t>(style)] + std::string(text) + "\x1b[0m";
}

std::string printable(std::string_view text) {
  std::string result;
  for (std::size_t at = 0; at < text.size();) {
    const Utf8Character decoded = decode_utf8(text, at);
    const bool is_layout = decoded.code == '\n' || decoded.code == '\t';
    const bool is_kept = decoded.is_valid && (is_layout || !is_control(decoded.code));
    result += is_kept ? text.substr(at, decoded.bytes) : kReplacement;
    at += decoded.bytes;
  }
  return result;
}

std::string render_snippet(std::string_view line_text, std::uint32_t line, std::uint32_t column, std::uint32_t length,
                           bool color) {
  const std::size_t begin_byte = column == 0 ? 0 : std::min<std::size_t>(column - 1, line_text.size());
  const std::size_t end_byte = begin_byte + std::max<std::size_t>(length, 1);
  const std::size_t from =
      begin_byte > kContextBytes ? skip_continuation_bytes(line_text, begin_byte - kContextBytes) : 0;
  const std::size_t to = std::min(line_text.size(), begin_byte + kContextBytes);
  const std::vector<Cell> cells = split_into_cells(line_text, from, to);
  std::size_t marked = 0;
  while (marked < cells.size() && cells[marked].byte < begin_byte) ++marked;
  const Window window = choose_window(cells, marked);
  Lines lines = draw(cells, window, begin_byte, end_byte);
  if (from > 0 || window.first > 0) {
    lines.source.insert(0, "...");
    lines.marks.insert(0, "   ");
  }
  if (to < line_text.size() || window.last < cells.size()) lines.source += "...";
  std::string number = std::to_string(line);
  if (number.size() < 4) number.insert(0, 4 - number.size(), ' ');
  std::string text = gutter(number, color) + lines.source + "\n";
  if (column != 0) {
    text += gutter(std::string(number.size(), ' '), color) + styled(Style::caret, lines.marks, color) + "\n";
  }
  return text;
}

}  // namespace lockstep
