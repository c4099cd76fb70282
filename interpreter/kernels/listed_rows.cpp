#include "interpreter/kernels/listed_rows.h"

#include <algorithm>
#include <array>
#include <cstring>

#if defined(__x86_64__)
#include <emmintrin.h>
#endif

#include "interpreter/kernels/kernels.h"

namespace lockstep::interpreter::kernels {

namespace {

constexpr std::int64_t kLine = 64;

#if defined(__x86_64__)
void move_line_past(char* to, const char* from) {
  for (std::int64_t at = 0; at < kLine; at += 16)
    _mm_stream_si128(reinterpret_cast<__m128i*>(to + at), _mm_loadu_si128(reinterpret_cast<const __m128i*>(from + at)));
}
#else
void move_line_past(char* to, const char* from) { std::memcpy(to, from, kLine); }
#endif

/// Walks the rows and asks the second cache for later ones, which have to come from anywhere.
class Rows {
 public:
  explicit Rows(const ListedRows& rows)
      : rows_(rows),
        asked_(rows.bytes <= kWholeRow ? rows.bytes : kStartOfRow),
        ahead_(std::max<std::int64_t>(kAskedBytes / rows.bytes, 2)) {
    for (std::int64_t i = 0; i < std::min(ahead_, rows.count); ++i) ask(i);
  }
  const char* next(std::int64_t i) const {
    if (i + ahead_ < rows_.count) ask(i + ahead_);
    return at(i);
  }

 private:
  static constexpr std::int64_t kAskedBytes = 8192;
  static constexpr std::int64_t kWholeRow = 1024, kStartOfRow = 256;  // the processor itself asks for the rest

  const char* at(std::int64_t i) const { return rows_.base + i * rows_.step + rows_.offsets[i * rows_.offset_step]; }
  void ask(std::int64_t i) const {
    const char* from = at(i);
    for (std::int64_t done = 0; done < asked_; done += kLine) __builtin_prefetch(from + done, 0, 2);
  }

  const ListedRows& rows_;
  std::int64_t asked_, ahead_;
};

/// Rows that lie side by side in the output, whose lines hold parts of two of them.
void stream_in_pieces(char* out, const Rows& rows, std::int64_t count, std::int64_t bytes) {
  alignas(kLine) std::array<char, 4096> piece;
  const std::int64_t together = static_cast<std::int64_t>(piece.size()) / bytes;
  for (std::int64_t first = 0; first < count; first += together) {
    const std::int64_t n = std::min(together, count - first);
    for (std::int64_t i = 0; i < n; ++i)
      std::memcpy(piece.data() + i * bytes, rows.next(first + i), static_cast<std::size_t>(bytes));
    stream(out + first * bytes, piece.data(), n * bytes);
  }
}

}  // namespace

std::uint64_t copy_listed(char* out, std::int64_t out_row, const ListedRows& listed, bool bypasses) {
  const Rows rows(listed);
  const std::int64_t bytes = listed.bytes, all = listed.count * bytes;
  const auto places = reinterpret_cast<std::uint64_t>(out) | static_cast<std::uint64_t>(out_row);
  if (bypasses && (places | static_cast<std::uint64_t>(bytes)) % kLine == 0) {
    for (std::int64_t i = 0; i < listed.count; ++i, out += out_row) {
      const char* from = rows.next(i);
      for (std::int64_t at = 0; at < bytes; at += kLine) move_line_past(out + at, from + at);
    }
    return static_cast<std::uint64_t>(all);
  }
  if (bypasses && out_row == bytes && bytes < kLeastStream && all >= kLeastStream) {
    stream_in_pieces(out, rows, listed.count, bytes);
    return static_cast<std::uint64_t>(all);
  }
  const bool streams = bypasses && bytes >= kLeastStream;
  for (std::int64_t i = 0; i < listed.count; ++i, out += out_row) {
    if (streams) {
      stream(out, rows.next(i), bytes);
    } else {
      std::memcpy(out, rows.next(i), static_cast<std::size_t>(bytes));
    }
  }
  return streams ? static_cast<std::uint64_t>(all) : 0;
}

}  // namespace lockstep::interpreter::kernels
