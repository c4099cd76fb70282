// Texts of values for people: one line, tables in the manner of NumPy, histograms, bits. Invariant: numbers are the
// shortest texts that read back to the same number in their format; it reads no more of a window than it shows (except
// for statistics, at most kMaxElements). Widths are in characters. Not here: colours, paging.
#pragma once

#include <cstdint>
#include <string>

#include "debugger/expression/evaluate.h"

namespace lockstep::debugger {

/// Blanks before the text, up to a width of characters.
inline std::string padded(const std::string& text, std::size_t width) {
  return text.size() < width ? std::string(width - text.size(), ' ') + text : text;
}

/// "f32[16,64]", "i32", "ptr[64]", "text", "None". Computed numbers have i64, f64 and i1.
std::string type_text(const Value& value);
/// "1.5", "-inf", "True", "0x3f80" of bits(), "x[3,17] +0x94" of pointers.
std::string element_text(const Tensor& value, std::size_t i, const Scope& scope);
/// "x[3,17] +0x94": element and bytes from element (0, 0, ...); "0x7f..." where it points into no argument.
std::string pointer_text(std::uint64_t address, std::int32_t provenance, const Scope& scope);

/// "f32[16,64] min -1.2 max 3.4 mean 0.25 nan 0 inf 0"; "i1[64] true 60 of 64"; "ptr[64] x[0] .. x[63]"; a scalar's
/// text.
std::string show_summary(const Value& value, const Scope& scope);
/// One line of at most `width`: a scalar's text, or the first elements, "f32[4] [1. 2. 3. 4.]".
std::string show_line(const Value& value, const Scope& scope, std::size_t width = 80);

struct TableOptions {
  std::size_t width = 100;       // of a line
  std::int64_t threshold = 256;  // more elements than this: only `edge` at each end of every dimension
  std::int64_t edge = 3;
};
/// "[[ 1.  -2.   3.5 ]\n [ 4.   5.  -0.25]]", no newline at the end. Error: unreadable values.
Expected<std::string, std::string> show_table(const Value& value, const Scope& scope, const TableOptions& options = {});

struct HistogramOptions {
  int bins = 16;   // 1 to 64
  int width = 40;  // of the longest bar
  bool is_ascii = false;
};
/// One line for each bin of the finite elements, then the others. Integers with few values have a bin for each.
Expected<std::string, std::string> show_histogram(const Value& value, const Scope& scope,
                                                  const HistogramOptions& options = {});

struct BitsOptions {
  std::int64_t elements = 16;  // at most so many lines
  bool as_tf32 = false;        // f32: the 13 bits that tf32 drops stand apart
};
/// Floats as "0 01111111 0000000  1.", integers in groups of four; one line for each element, with its index.
Expected<std::string, std::string> show_bits(const Value& value, const Scope& scope, const BitsOptions& options = {});

}  // namespace lockstep::debugger
