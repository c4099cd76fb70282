// The operations, element kinds and function shapes of the vector kernels, in plain C types: the files compiled once
// per instruction set (isa_*.cpp) share this interface with the rest, so it includes nothing but <cstdint> and has no
// inline code. Invariant: `Kind` has the values of lockstep::ScalarKind (asserted in dispatch.cpp). Not here: tensors,
// shapes. Numbering of the predicates: MLIR's arith dialect. Operation names: the ops of arith, math and tt.
#pragma once

#include <cstdint>

namespace lockstep::interpreter::kernels {

/// Element kinds; same values as lockstep::ScalarKind. i1 is one byte 0 or 1; f16, bf16 and f8 are their bits.
enum class Kind : std::uint8_t {
  i1,
  i8,
  i16,
  i32,
  i64,
  f8E4M3FN,
  f8E5M2,
  f8E4M3FNUZ,
  f8E5M2FNUZ,
  f16,
  bf16,
  f32,
  f64,
  pointer
};
inline constexpr int kKindCount = 14;

/// ceil..erf and negf, absf: floats. absi: integers (INT_MIN stays). sqrt is correctly rounded (also tt.precise_sqrt).
enum class Unary : std::uint8_t {
  absi,
  absf,
  negf,
  ceil,
  floor,
  sqrt,
  rsqrt,
  exp,
  exp2,
  log,
  log2,
  sin,
  cos,
  tan,
  tanh,
  erf,
};

/// Integers wrap. x/0 is all ones, x%0 is x, INT_MIN/-1 is INT_MIN (remainder 0). A shift by the width or more gives 0
/// (shrsi: the sign). ceildiv/floordiv follow arith. f16, bf16 and f8 compute in f32 and round once. minnumf/maxnumf: a
/// NaN loses; minimumf/maximumf: a NaN wins; -0 < +0 in all four. remf: C's fmod. divf is correctly rounded (also
/// tt.precise_divf).
enum class Binary : std::uint8_t {
  addi,
  subi,
  muli,
  divsi,
  divui,
  remsi,
  remui,
  ceildivsi,
  ceildivui,
  floordivsi,
  andi,
  ori,
  xori,
  shli,
  shrsi,
  shrui,
  minsi,
  maxsi,
  minui,
  maxui,
  mulhiui,
  addf,
  subf,
  mulf,
  divf,
  remf,
  minnumf,
  maxnumf,
  minimumf,
  maximumf,
};
inline constexpr int kIntegerBinaryCount = 21;

/// arith.cmpi predicates 0..9 and arith.cmpf predicates 0..15 in MLIR's order. The result is an i1 tile.
enum class CompareInt : std::uint8_t { eq, ne, slt, sle, sgt, sge, ult, ule, ugt, uge };
enum class CompareFloat : std::uint8_t {
  always_false,
  oeq,
  ogt,
  oge,
  olt,
  ole,
  one,
  ord,
  ueq,
  ugt,
  uge,
  ult,
  ule,
  une,
  uno,
  always_true,
};

/// select(a: i1, b, c): a ? b : c. fma: a*b+c rounded once. clampf(x, low, high): min(max(x, low), high) with
/// maxnum's (none: a NaN x gives low) or maximum's (all) rules for NaN. clampf_symmetric(x, low, high): x with its
/// magnitude at most that of high, and its sign changed if high is negative; a NaN x counts as infinite (S-77).
enum class Ternary : std::uint8_t { select, fma, clampf_none, clampf_all, clampf_symmetric };

/// How a conversion reads integers and rounds. signed_/unsigned_: the integer side is signed or unsigned (extsi/extui,
/// sitofp/uitofp, fptosi/fptoui; a truncation ignores it). toward_zero: float -> float that rounds toward zero.
enum class Conversion : std::uint8_t { signed_, unsigned_, toward_zero };

/// Which part of an f32 operand a product takes: all of it; without its 13 low bits; the nearest tf32 number (ties
/// away) and the rest, truncated; the nearest bf16 number, that of the rest, and that of the second rest.
enum class DotPiece : std::uint8_t { whole, truncated_tf32, large_tf32, small_tf32, high_bf16, middle_bf16, low_bf16 };
/// Input precision of a dot of f32 operands (S-70).
enum class DotPrecision : std::uint8_t { tf32, tf32x3, ieee, bf16x3, bf16x6 };

/// `out` may be the same address as an operand of at least the same element size, but may not overlap it otherwise.
/// n counts elements. Each *_step is 1 (dense) or 0 (one value for all elements).
using UnaryFn = void (*)(void* out, const void* a, std::int64_t n);
using BinaryFn = void (*)(void* out, const void* a, const void* b, std::int64_t n, int a_step, int b_step);
using TernaryFn = void (*)(void* out, const void* a, const void* b, const void* c, std::int64_t n, int a_step,
                           int b_step, int c_step);
/// As UnaryFn; in place only when the output element is not larger than the input element.
using ConvertFn = void (*)(void* out, const void* in, std::int64_t n);

/// Reduces the middle axis of a dense [outer, n, inner] tile into [outer, inner]; n a power of two. Lockstep defines
/// the order: x[i] is combined with x[i + n/2], the results likewise, until one is left.
using ReduceFn = void (*)(void* out, const void* in, std::int64_t outer, std::int64_t n, std::int64_t inner);
/// out[o] = the sum of x[o, i] * y[o, i] over i < n, for dense f32 tiles of [outer, n]: the products are rounded and added
/// in the order of a reduction, and need no memory of their own. n: a power of two, kLeastSummedProducts or more.
using SumProductsFn = void (*)(float* out, const float* x, const float* y, std::int64_t outer, std::int64_t n);
constexpr std::int64_t kLeastSummedProducts = 2048;
/// A compare-and-exchange step of a sorting network: element e takes partner p's value where (e > p) != indicator(e), for
/// e the elements of a dense [outer, 2, inner] tile, inner a power of two: indicator(e) is the middle index, inverted
/// where flips(e).
struct ExchangeOrder {
  std::int64_t inner = 1;
  bool is_flipped = false;      // in blocks 0, 2, ... of flip_block elements
  std::int64_t flip_block = 0;  // a power of two, at least 2 * inner; 0: one block
};
/// `count` elements, a multiple of 2 * inner; in == out legal.
using CompareExchangeFn = void (*)(void* out, const void* in, std::int64_t count, const ExchangeOrder& order);
/// Inclusive scan along the middle axis of a dense [outer, n, inner] tile, element by element: acc = acc op next. in ==
/// out legal.
using ScanFn = void (*)(void* out, const void* in, std::int64_t outer, std::int64_t n, std::int64_t inner,
                        bool reverse);

/// Factors of a matrix product: m x k and k x n elements.
struct GemmPart {
  const void* a = nullptr;
  const void* b = nullptr;
};

/// A matrix product: out[m,n] = start[m,n] + sum over k of a[m,k] * b[k,n], k in ascending order for every element, one
/// multiply-add after the other; several products, one after the other, where there are `parts`. Strides in elements; columns of out, start and b are neighbours. `start` may be `out`
/// (same pitch) and else does not overlap it.
struct Gemm {
  void* out = nullptr;
  std::int64_t out_pitch = 0;
  const void* start = nullptr;
  std::int64_t start_pitch = 0;
  bool start_is_uniform = false;      // one value for every element, at `start`
  const GemmPart* parts = nullptr;    // null: one, a and b
  std::int64_t part_count = 0;
  const void* a = nullptr;
  std::int64_t a_row = 0, a_column = 1;
  const void* b = nullptr;
  std::int64_t b_row = 0;
  std::int64_t m = 0, n = 0, k = 0;
};
using GemmFn = void (*)(const Gemm&);

/// Magnitudes of the non-zero elements, as the bits of their kind without the sign. Of none: least > largest.
struct Magnitudes {
  std::uint32_t least = 0x7fffffff, largest = 0;
};

/// Lines of 16-bit elements: line i begins `pitch` elements behind the one before it, or at addresses[i].
struct SourceLines {
  const void* data = nullptr;
  std::int64_t pitch = 0;
  const std::uint64_t* addresses = nullptr;
};

/// Products of bf16 by the processor's instruction for two of them (vdpbf16ps), with the bytes of S-42. An element of a
/// and b is a pair along k, the first one in the high half; a pair's last half may be empty: -0 in a, +0 in b.
struct Bf16Products {
  GemmFn gemm = nullptr;        // for operands whose products neither overflow nor come near subnormal numbers
  GemmFn exact_gemm = nullptr;  // for any operands
  /// out[i] = the pair a[i], b[i]; b null: `empty` instead. No overlap.
  void (*pair_lines)(void* out, const void* a, const void* b, std::uint16_t empty, std::int64_t n) = nullptr;
  /// out[i] = the pair in[2 i], in[2 i + 1] of n elements; n odd: the last half is `empty`.
  void (*pair_neighbours)(void* out, const void* in, std::uint16_t empty, std::int64_t n) = nullptr;
  /// Both for `lines` lines of n elements, without gaps in out; and the magnitudes of them all. pair_all_lines pairs
  /// neighbouring lines: out has half as many.
  Magnitudes (*pair_all_lines)(void* out, const SourceLines& in, std::int64_t lines, std::int64_t n,
                               std::uint16_t empty) = nullptr;
  Magnitudes (*pair_all_neighbours)(void* out, const SourceLines& in, std::int64_t lines, std::int64_t n,
                                    std::uint16_t empty) = nullptr;
  Magnitudes (*magnitudes)(const void* values, std::int64_t n) = nullptr;
};

/// A matrix product in a tensor core's order (S-71): sum[m,n] += a[m,k] b[k,n], sixteen products at a time, in
/// ascending order of k. All row-major and dense. Numbers are finite and those of f16 or bf16 (sum: of f32, or sums of
/// such products); *_power holds, for each element, the power of two below its magnitude, and 0 for a zero.
struct TensorCore {
  double* sum = nullptr;
  const double *a = nullptr, *a_power = nullptr;
  const double *b = nullptr, *b_power = nullptr;
  std::int64_t m = 0, n = 0, k = 0;
};
using TensorCoreFn = void (*)(const TensorCore&);

/// out[i] = element at origin + (addresses[i] - base) for every i with mask[i] (mask null: all); other lanes of out
/// stay.
using GatherFn = void (*)(void* out, const char* origin, std::uint64_t base, const std::uint64_t* addresses,
                          const std::uint8_t* mask, std::int64_t n);
/// The element at origin + (addresses[i] - base) = in[i * in_step] for every i with mask[i], in ascending order of i.
using ScatterFn = void (*)(char* origin, std::uint64_t base, const std::uint64_t* addresses, const void* in,
                           int in_step, const std::uint8_t* mask, std::int64_t n);
/// Copies rows x columns elements between two strided places; strides in bytes, may be 0 on the input side or negative.
using BoxFn = void (*)(char* out, std::int64_t out_row_stride, std::int64_t out_column_stride, const char* in,
                       std::int64_t in_row_stride, std::int64_t in_column_stride, std::int64_t rows,
                       std::int64_t columns);
/// out[0..n) = the element at value.
using FillFn = void (*)(void* out, const void* value, std::int64_t n);
/// out[i] = base + i * step, wrapping in the kind's width.
using IotaFn = void (*)(void* out, std::int64_t base, std::int64_t step, std::int64_t n);

/// One instruction set's kernels. Every function returns null for a combination that does not exist.
struct Table {
  const char* name;
  UnaryFn (*unary)(Unary, Kind);
  BinaryFn (*binary)(Binary, Kind);
  BinaryFn (*compare_int)(CompareInt, Kind);
  BinaryFn (*compare_float)(CompareFloat, Kind);
  TernaryFn (*ternary)(Ternary, Kind);
  ConvertFn (*convert)(Kind from, Kind to, Conversion);
  ReduceFn (*reduce)(Binary, Kind);
  SumProductsFn sum_products;
  ScanFn (*scan)(Binary, Kind);
  CompareExchangeFn (*compare_exchange)(Kind, bool is_unsigned);
  GemmFn (*gemm)(Kind);                // f32, f64, i32
  GemmFn (*gemm_of_exact_products)();  // f32, the same numbers where every product is exact; may be faster
  GemmFn (*gemm_of_pairs)();           // i32 of pairs of i16 along k (k counts pairs), |values| <= 128
  GemmFn (*gemm_of_pairs_at_once)();   // the same by VNNI; null where the processor lacks it
  /// out[i] = a[i] in the low half, b[i] (0 where b is null) in the high half, i8 as i16 each; no overlap.
  void (*pair_lines)(void* out, const void* a, const void* b, std::int64_t n);
  Bf16Products (*bf16_products)();        // nulls where the processor lacks the instruction or rounds otherwise
  UnaryFn (*dot_piece)(DotPiece);         // f32 -> f32; null for whole
  TensorCoreFn tensor_core;
  GatherFn (*gather)(int element_bytes);  // 1, 2, 4, 8
  ScatterFn (*scatter)(int element_bytes);
  BoxFn (*copy_box)(int element_bytes);
  FillFn (*fill)(int element_bytes);
  IotaFn (*iota)(Kind);  // i8..i64, pointer
  bool (*address_range)(const std::uint64_t* addresses, const std::uint8_t* mask, std::int64_t n, std::uint64_t* lowest,
                        std::uint64_t* highest);
  std::int64_t (*count_true)(const std::uint8_t* mask, std::int64_t n);
  void (*stream)(char* out, const char* in, std::int64_t bytes);
  void (*finish_streams)();
};

}  // namespace lockstep::interpreter::kernels
