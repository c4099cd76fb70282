// Moving elements: select, gather, scatter, strided boxes, fills, ranges, stores that bypass the caches, and the two
// mask and address summaries.
// Compiled once per instruction set. Elements are moved as bits, so one loop serves every kind of a size. Bounds are
// the caller's business.
#include <cstring>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

#include "interpreter/kernels/isa/isa_loops.h"
#include "interpreter/kernels/isa/isa_transpose.h"

namespace lockstep::interpreter::kernels::LOCKSTEP_ISA {
namespace {

template <class T>
inline T load_element(const char* place) {
  T value;
  std::memcpy(&value, place, sizeof(T));
  return value;
}
template <class T>
inline void store_element(char* place, T value) {
  std::memcpy(place, &value, sizeof(T));
}

template <class T>
void select_loop(void* out, const void* condition, const void* b, const void* c, Index n, int condition_step,
                 int b_step, int c_step) {
  const std::uint8_t* mask = static_cast<const std::uint8_t*>(condition);
  const T* x = static_cast<const T*>(b);
  const T* y = static_cast<const T*>(c);
  T* r = static_cast<T*>(out);
  const T first_x = *x, first_y = *y;
  if (condition_step == 0) {
    const T* chosen = *mask != 0 ? x : y;
    const T first = *mask != 0 ? first_x : first_y;
    if ((*mask != 0 ? b_step : c_step) == 0) {
      for (Index i = 0; i < n; ++i) r[i] = first;
    } else if (chosen != r) {
      std::memmove(r, chosen, static_cast<std::size_t>(n) * sizeof(T));
    }
  } else if (b_step != 0 && c_step != 0) {
    LOCKSTEP_NO_CARRY
    for (Index i = 0; i < n; ++i) r[i] = mask[i] != 0 ? x[i] : y[i];
  } else if (b_step != 0) {
    LOCKSTEP_NO_CARRY
    for (Index i = 0; i < n; ++i) r[i] = mask[i] != 0 ? x[i] : first_y;
  } else if (c_step != 0) {
    LOCKSTEP_NO_CARRY
    for (Index i = 0; i < n; ++i) r[i] = mask[i] != 0 ? first_x : y[i];
  } else {
    LOCKSTEP_NO_CARRY
    for (Index i = 0; i < n; ++i) r[i] = mask[i] != 0 ? first_x : first_y;
  }
}

template <class T>
void gather_loop(void* out, const char* origin, std::uint64_t base, const std::uint64_t* addresses,
                 const std::uint8_t* mask, Index n) {
  T* r = static_cast<T*>(out);
  if (mask == nullptr) {
    for (Index i = 0; i < n; ++i) r[i] = load_element<T>(origin + static_cast<std::int64_t>(addresses[i] - base));
    return;
  }
  // An inactive lane reads its own output, so that no branch depends on the mask.
  for (Index i = 0; i < n; ++i) {
    const std::uint64_t active = std::uint64_t{0} - static_cast<std::uint64_t>(mask[i]);  // a mask byte is 0 or 1
    const std::uint64_t own = reinterpret_cast<std::uint64_t>(r + i);
    const std::uint64_t place = reinterpret_cast<std::uint64_t>(origin) + (addresses[i] - base);
    r[i] = load_element<T>(reinterpret_cast<const char*>(own ^ ((own ^ place) & active)));
  }
}

template <class T>
void scatter_loop(char* origin, std::uint64_t base, const std::uint64_t* addresses, const void* in, int in_step,
                  const std::uint8_t* mask, Index n) {
  const T* x = static_cast<const T*>(in);
  for (Index i = 0; i < n; ++i)
    if (mask == nullptr || mask[i] != 0)
      store_element<T>(origin + static_cast<std::int64_t>(addresses[i] - base), x[i * in_step]);
}

template <class T>
void copy_line(char* out, Index out_stride, const char* in, Index in_stride, Index n) {
  constexpr Index kSize = sizeof(T);
  if (out_stride == kSize && in_stride == kSize) {
    std::memcpy(out, in, static_cast<std::size_t>(n * kSize));
  } else if (out_stride == kSize && in_stride == 0) {
    const T value = load_element<T>(in);
    for (Index i = 0; i < n; ++i) store_element<T>(out + i * kSize, value);
  } else if (out_stride == kSize) {
    for (Index i = 0; i < n; ++i) store_element<T>(out + i * kSize, load_element<T>(in + i * in_stride));
  } else if (in_stride == kSize) {
    for (Index i = 0; i < n; ++i) store_element<T>(out + i * out_stride, load_element<T>(in + i * kSize));
  } else {
    for (Index i = 0; i < n; ++i) store_element<T>(out + i * out_stride, load_element<T>(in + i * in_stride));
  }
}

/// Element by element, in blocks whose rows are as many cache lines on either side.
template <class T>
void copy_across_slowly(char* out, Index out_row, const char* in, Index in_column, Index rows, Index columns) {
  constexpr Index kSize = sizeof(T), kBlock = 16;
  for (Index i0 = 0; i0 < rows; i0 += kBlock) {
    const Index i1 = rows - i0 < kBlock ? rows : i0 + kBlock;
    for (Index j0 = 0; j0 < columns; j0 += kBlock) {
      const Index j1 = columns - j0 < kBlock ? columns : j0 + kBlock;
      for (Index i = i0; i < i1; ++i)
        for (Index j = j0; j < j1; ++j)
          store_element<T>(out + i * out_row + j * kSize, load_element<T>(in + i * kSize + j * in_column));
    }
  }
}

/// A transposition: neighbours of the input run down the columns of the output.
template <class T>
void copy_across(char* out, Index out_row, const char* in, Index in_column, Index rows, Index columns) {
  constexpr Index kSize = sizeof(T), kSide = block_side(kSize);
  Index whole_rows = 0, whole_columns = 0;
  if constexpr (kSide > 1) {
    whole_rows = rows / kSide * kSide;
    whole_columns = columns / kSide * kSide;
    for (Index i = 0; i < whole_rows; i += kSide)
      for (Index j = 0; j < whole_columns; j += kSide)
        transpose_block(out + i * out_row + j * kSize, out_row, in + i * kSize + j * in_column, in_column, T{});
  }
  if (whole_columns < columns)
    copy_across_slowly<T>(out + whole_columns * kSize, out_row, in + whole_columns * in_column, in_column, whole_rows,
                          columns - whole_columns);
  if (whole_rows < rows)
    copy_across_slowly<T>(out + whole_rows * out_row, out_row, in + whole_rows * kSize, in_column, rows - whole_rows,
                          columns);
}

typedef char RowBytes __attribute__((vector_size(kLanes * 4), aligned(1), may_alias));
constexpr Index kRegister = sizeof(RowBytes), kShortRow = 1024;

// Rows that lie apart are asked for ahead. Behind the last one the next program's are likely if the rows between are
// another operand of the same programs (halves of heads); a prefetch of memory that is not there does nothing.
constexpr Index kRowsAhead = 32, kFarRowsAhead = 8, kCacheLine = 64;

/// Rows of kRegister to kShortRow bytes, for which calls would take longer than the copies. The last register of a row
/// may overlap the one before it.
#if !defined(__clang__)
__attribute__((optimize("no-tree-loop-distribute-patterns")))  // which would make calls of them again
#endif
void copy_short_rows(char* out, Index out_row, const char* in, Index in_row, Index rows, Index bytes) {
  const auto copy = [](char* to, const char* from) {
    *reinterpret_cast<RowBytes*>(to) = *reinterpret_cast<const RowBytes*>(from);
  };
  const bool is_near = in_row <= 2 * bytes;
  const Index ahead = is_near ? kRowsAhead : kFarRowsAhead;
  const Index asked = in_row <= bytes ? 0 : is_near ? rows : rows - ahead;
  for (Index i = 0; i < rows; ++i, out += out_row, in += in_row) {
    for (Index at = 0; i < asked && at < bytes; at += kCacheLine) __builtin_prefetch(in + ahead * in_row + at);
    for (Index at = 0; at + kRegister <= bytes; at += kRegister) copy(out + at, in + at);
    if (bytes % kRegister != 0) copy(out + bytes - kRegister, in + bytes - kRegister);
  }
}

template <class T>
void box_loop(char* out, Index out_row, Index out_column, const char* in, Index in_row, Index in_column, Index rows,
              Index columns) {
  constexpr Index kSize = sizeof(T);
  if (out_column == kSize && in_row == kSize && in_column != kSize && rows > 1)
    return copy_across<T>(out, out_row, in, in_column, rows, columns);
  if (const Index bytes = columns * kSize;
      out_column == kSize && in_column == kSize && bytes >= kRegister && bytes <= kShortRow)
    return copy_short_rows(out, out_row, in, in_row, rows, bytes);
  // The longer run of neighbours goes inside.
  if ((out_row == kSize && in_row == kSize) || columns == 1) {
    for (Index j = 0; j < columns; ++j) copy_line<T>(out + j * out_column, out_row, in + j * in_column, in_row, rows);
    return;
  }
  for (Index i = 0; i < rows; ++i) copy_line<T>(out + i * out_row, out_column, in + i * in_row, in_column, columns);
}

template <class T>
void fill_loop(void* out, const void* value, Index n) {
  T* r = static_cast<T*>(out);
  const T x = *static_cast<const T*>(value);
  for (Index i = 0; i < n; ++i) r[i] = x;
}

constexpr Index kLine = 64;

#if defined(__AVX512F__)
inline void stream_line(char* out, const char* in) {
  _mm512_stream_si512(reinterpret_cast<__m512i*>(out), _mm512_loadu_si512(in));
}
#elif defined(__AVX2__)
inline void stream_line(char* out, const char* in) {
  for (Index i = 0; i < kLine; i += 32)
    _mm256_stream_si256(reinterpret_cast<__m256i*>(out + i),
                        _mm256_loadu_si256(reinterpret_cast<const __m256i*>(in + i)));
}
#elif defined(__x86_64__)
inline void stream_line(char* out, const char* in) {
  for (Index i = 0; i < kLine; i += 16)
    _mm_stream_si128(reinterpret_cast<__m128i*>(out + i), _mm_loadu_si128(reinterpret_cast<const __m128i*>(in + i)));
}
#else
inline void stream_line(char* out, const char* in) { std::memcpy(out, in, static_cast<std::size_t>(kLine)); }
#endif

template <class T>
void iota_loop(void* out, std::int64_t base, std::int64_t step, Index n) {
  T* r = static_cast<T*>(out);
  const T first = static_cast<T>(base), increment = static_cast<T>(step);
  for (Index i = 0; i < n; ++i) r[i] = static_cast<T>(first + static_cast<T>(1u * static_cast<T>(i) * increment));
}

}  // namespace

#define LOCKSTEP_BY_SIZE(function)          \
  switch (element_bytes) {                  \
    case 1: return function<std::uint8_t>;  \
    case 2: return function<std::uint16_t>; \
    case 4: return function<std::uint32_t>; \
    case 8: return function<std::uint64_t>; \
    default: return nullptr;                \
  }
TernaryFn find_select(int element_bytes){LOCKSTEP_BY_SIZE(select_loop)} GatherFn
    find_gather(int element_bytes){LOCKSTEP_BY_SIZE(gather_loop)} ScatterFn
    find_scatter(int element_bytes){LOCKSTEP_BY_SIZE(scatter_loop)} BoxFn
    find_copy_box(int element_bytes){LOCKSTEP_BY_SIZE(box_loop)} FillFn
    find_fill(int element_bytes){LOCKSTEP_BY_SIZE(fill_loop)}
#undef LOCKSTEP_BY_SIZE

IotaFn find_iota(Kind kind) {
  switch (kind) {
    case Kind::i8: return iota_loop<std::uint8_t>;
    case Kind::i16: return iota_loop<std::uint16_t>;
    case Kind::i32: return iota_loop<std::uint32_t>;
    case Kind::i64:
    case Kind::pointer: return iota_loop<std::uint64_t>;
    default: return nullptr;
  }
}

void stream(char* out, const char* in, std::int64_t bytes) {
  const auto past_line = static_cast<Index>(reinterpret_cast<std::uint64_t>(out) % kLine);
  Index done = past_line == 0 ? 0 : kLine - past_line;
  if (done > bytes) done = bytes;
  std::memcpy(out, in, static_cast<std::size_t>(done));
  for (; done + kLine <= bytes; done += kLine) stream_line(out + done, in + done);
  std::memcpy(out + done, in + done, static_cast<std::size_t>(bytes - done));
}

void finish_streams() {
#if defined(__x86_64__)
  _mm_sfence();
#endif
}

bool address_range(const std::uint64_t* addresses, const std::uint8_t* mask, Index n, std::uint64_t* lowest,
                   std::uint64_t* highest) {
  std::uint64_t low = ~std::uint64_t{0}, high = 0, any = 0;
  if (mask == nullptr) {
    for (Index i = 0; i < n; ++i) {
      low = addresses[i] < low ? addresses[i] : low;
      high = addresses[i] > high ? addresses[i] : high;
    }
    any = n > 0;
  } else {
    for (Index i = 0; i < n; ++i) {
      const std::uint64_t active = std::uint64_t{0} - static_cast<std::uint64_t>(mask[i]);  // a mask byte is 0 or 1
      const std::uint64_t for_low = addresses[i] | ~active;
      const std::uint64_t for_high = addresses[i] & active;
      low = for_low < low ? for_low : low;
      high = for_high > high ? for_high : high;
      any |= active;
    }
  }
  *lowest = low;
  *highest = high;
  return any != 0;
}

std::int64_t count_true(const std::uint8_t* mask, Index n) {
  std::int64_t count = 0;
  for (Index i = 0; i < n; ++i) count += mask[i];
  return count;
}

}  // namespace lockstep::interpreter::kernels::LOCKSTEP_ISA
