#include "interpreter/kernels/dot_prepare.h"

#include <algorithm>
#include <cstring>

#include "interpreter/kernels/dispatch.h"

namespace lockstep::interpreter::kernels {
namespace {

// Source elements that are gathered at a time if they are not contiguous.
constexpr std::int64_t kGathered = 256;
// Lines and elements that are transposed at a time: a square of registers' width, a few of them.
constexpr std::int64_t kLinesAtOnce = 16, kElementsAtOnce = 64;

/// Asks for the lines of an operand before they are read, because the processor's own prefetching takes short lines that
/// lie apart for new streams. It goes on behind the last one: there the loop's next tile lies, if it is a tile of a
/// matrix. A prefetch of memory that is not there does nothing.
class LinesAhead {
 public:
  LinesAhead(const void* data, std::int64_t pitch_bytes, std::int64_t line_bytes)
      : next_(reinterpret_cast<std::uintptr_t>(data)), pitch_(static_cast<std::uintptr_t>(pitch_bytes)), bytes_(line_bytes) {
    constexpr std::int64_t kMostBytes = 512;
    is_on_ = pitch_bytes > line_bytes && line_bytes <= kMostBytes;
    ask(kAhead);
  }
  void ask(std::int64_t lines) {
    constexpr std::int64_t kCacheLine = 64;
    for (; is_on_ && lines > 0; --lines, next_ += pitch_)
      for (std::int64_t done = 0; done < bytes_; done += kCacheLine)
        __builtin_prefetch(reinterpret_cast<const char*>(next_ + static_cast<std::uintptr_t>(done)));
  }

 private:
  static constexpr std::int64_t kAhead = 32;
  std::uintptr_t next_, pitch_;
  std::int64_t bytes_;
  bool is_on_;
};

}  // namespace

std::int64_t Preparation::lines() const {
  return makes_pairs() && !lines_run_along_k() ? (source_lines() + 1) / 2 : source_lines();
}
std::int64_t Preparation::length() const {
  return makes_pairs() && lines_run_along_k() ? (source_length() + 1) / 2 : source_length();
}

void Preparation::convert(char* out, const void* in, std::int64_t n) const {
  if (widen != nullptr)
    widen(out, in, n);
  else
    std::memcpy(out, in, static_cast<std::size_t>(n * size_bytes(wide)));
}

/// n source elements of a line side by side: in place, or in `strip` (then n <= kGathered).
const void* Preparation::source(std::int64_t line, std::int64_t begin, std::int64_t n, char* strip) const {
  const std::int64_t size = size_bytes(operand.kind);
  if (operand.rows != nullptr) return reinterpret_cast<const char*>(operand.rows[line]) + begin * size;
  const char* first = static_cast<const char*>(operand.data) + (line * pitch() + begin * step()) * size;
  if (step() == 1 || n == 1) return first;
  kernels.copy_box(static_cast<int>(size))(strip, n * size, size, first, 0, step() * size, 1, n);
  return strip;
}

void Preparation::pair_lines(char* out, const void* line, const void* other, std::int64_t n) const {
  if (pairs == PairKind::bf16)
    bf16.pair_lines(out, line, other, empty(), n);
  else
    kernels.pair_lines(out, line, other, n);
}

void Preparation::pair_neighbours(char* out, const void* in, std::int64_t n) const {
  if (pairs == PairKind::bf16) return bf16.pair_neighbours(out, in, empty(), n);
  if (n % 2 != 0) std::memset(out + 2 * n, 0, 2);
  widen(out, in, n);
}

/// n elements of `wide` from `begin` on of one line, from at most kGathered source elements where they lie apart.
void Preparation::make_strip(char* out, std::int64_t line, std::int64_t begin, std::int64_t n) const {
  char strip[kGathered * 8], other_strip[kGathered];
  if (!makes_pairs()) return convert(out, source(line, begin, n, strip), n);
  if (lines_run_along_k()) {
    const std::int64_t count = std::min(2 * n, source_length() - 2 * begin);
    return pair_neighbours(out, source(line, 2 * begin, count, strip), count);
  }
  const bool has_other = 2 * line + 1 < source_lines();
  const void* other = has_other ? source(2 * line + 1, begin, n, other_strip) : nullptr;
  pair_lines(out, source(2 * line, begin, n, strip), other, n);
}

void Preparation::make_line(char* out, std::int64_t line, std::int64_t begin, std::int64_t n) const {
  if (step() == 1) return make_strip(out, line, begin, n);
  constexpr std::int64_t kMost = kGathered / 2;  // pairs have two source elements
  for (std::int64_t done = 0; done < n; done += kMost)
    make_strip(out + done * size_bytes(wide), line, begin + done, std::min(kMost, n - done));
}

/// Line after line.
void Preparation::make_all(char* out) const {
  const std::int64_t line_bytes = length() * size_bytes(wide), count = lines();
  if (step() != 1 || makes_pairs()) {
    const std::int64_t size = size_bytes(operand.kind);
    LinesAhead ahead(operand.data, step() == 1 ? pitch() * size : 0, source_length() * size);
    for (std::int64_t i = 0; i < count; ++i) {
      ahead.ask(lines_run_along_k() ? 1 : 2);
      make_line(out + i * line_bytes, i, 0, length());
    }
    return;
  }
  const std::int64_t n = source_length();
  if (operand.rows != nullptr) {
    for (std::int64_t i = 0; i < count; ++i, out += line_bytes)
      convert(out, reinterpret_cast<const char*>(operand.rows[i]), n);
    return;
  }
  const std::int64_t apart = pitch(), pitch_bytes = apart * size_bytes(operand.kind);
  if (apart == n) return convert(out, operand.data, count * n);
  const char* line = static_cast<const char*>(operand.data);
  for (std::int64_t i = 0; i < count; ++i, out += line_bytes, line += pitch_bytes) convert(out, line, n);
}

/// Lines become columns.
void Preparation::make_transposed(char* out) const {
  const std::int64_t size = size_bytes(wide), pitch = lines() * size;
  alignas(64) char strips[kLinesAtOnce * kElementsAtOnce * 8];
  const auto transpose = kernels.copy_box(static_cast<int>(size));
  const bool at_once = !makes_pairs() && operand.row_stride == 1 && operand.column_stride == source_length() &&
                       length() <= kElementsAtOnce;  // short lines side by side
  const std::int64_t strip = (at_once ? length() : kElementsAtOnce) * size;
  for (std::int64_t line = 0; line < lines(); line += kLinesAtOnce) {
    const std::int64_t width = std::min(kLinesAtOnce, lines() - line);
    for (std::int64_t begin = 0; begin < length(); begin += kElementsAtOnce) {
      const std::int64_t n = std::min(kElementsAtOnce, length() - begin);
      if (at_once) make_strip(strips, line, 0, width * n);
      for (std::int64_t i = 0; i < width && !at_once; ++i) make_line(strips + i * strip, line + i, begin, n);
      transpose(out + begin * pitch + line * size, pitch, size, strips, size, strip, n, width);
    }
  }
}

/// Pairs of bf16 whose elements are neighbours along a line, by one call. False: they are not.
bool Preparation::pairs_at_once(char* out, Magnitudes& magnitudes) const {
  if (pairs != PairKind::bf16 || step() != 1) return false;
  const auto make = lines_run_along_k() ? bf16.pair_all_neighbours : bf16.pair_all_lines;
  magnitudes = make(out, {operand.data, pitch(), operand.rows}, source_lines(), source_length(), empty());
  return true;
}

MatrixStrides Preparation::run(char* out, Magnitudes& magnitudes) const {
  const bool is_transposed = side == Side::right && !by_rows();
  if (is_transposed || !pairs_at_once(out, magnitudes)) {
    is_transposed ? make_transposed(out) : make_all(out);
    if (pairs == PairKind::bf16) magnitudes = bf16.magnitudes(out, lines() * length() * 2);
  }
  if (is_transposed) return {lines(), 1};
  return by_rows() ? MatrixStrides{length(), 1} : MatrixStrides{1, length()};
}

}  // namespace lockstep::interpreter::kernels
