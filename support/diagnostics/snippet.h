// Snippets: a source line with a caret under a byte range of it, as every renderer (diagnostics, findings, debugger)
// shows it. Guards: one line of input gives exactly two lines of bounded width whatever its bytes are: tabs are
// expanded, control and invalid bytes become a replacement character, wide and combining characters keep the caret in
// place, and a long line is cut around the caret. Not here: files and severities. Widths: Unicode 15 East Asian Width,
// the common blocks.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace lockstep {

/// ANSI styles for a terminal; every renderer uses these colours.
enum class Style : std::uint8_t { bold, error, warning, note, hint, caret };
/// `text` in a style, or just `text` when `color` is false.
std::string styled(Style style, std::string_view text, bool color);

/// `text` with control characters (but newline and tab) and bytes that are not UTF-8 replaced: safe to write to a
/// terminal.
std::string printable(std::string_view text);

/// `  12 | source line` and `     |     ^~~~`. `column`: 1-based, in bytes; 0 marks the whole line (no caret).
/// `length`: bytes to underline, at least 1, cut at the end of the line.
std::string render_snippet(std::string_view line_text, std::uint32_t line, std::uint32_t column, std::uint32_t length,
                           bool color);

}  // namespace lockstep
