// Brings the operands of a dot into the shape that the matrix kernels take: one wide kind, b with neighbouring columns.
// A split precision (tf32x3, bf16x3, bf16x6) is a sum of products of pieces of the operands.
#include <algorithm>
#include <cstring>
#include <span>

#include "interpreter/kernels/dispatch.h"
#include "interpreter/kernels/kernels.h"
#include "support/check.h"

namespace lockstep::interpreter::kernels {
namespace {

/// The kind in which a dot of these operands multiplies; nullopt-like: i1 when they do not go together.
constexpr ScalarKind kNone = ScalarKind::i1;
ScalarKind compute_kind(ScalarKind result, ScalarKind a, ScalarKind b) {
  if (result == ScalarKind::i32) return a == ScalarKind::i8 && b == ScalarKind::i8 ? ScalarKind::i32 : kNone;
  if (result == ScalarKind::f64) return a == ScalarKind::f64 && b == ScalarKind::f64 ? ScalarKind::f64 : kNone;
  if (result != ScalarKind::f32 && result != ScalarKind::f16) return kNone;
  const bool both_small = is_float(a) && is_float(b) && a != ScalarKind::f64 && b != ScalarKind::f64;
  return both_small ? ScalarKind::f32 : kNone;
}

/// One product of a split dot, and whether the sum before it loses its NaNs: the small pieces of an infinity are NaN,
/// and the large ones decide.
struct Product {
  DotPiece a, b;
  bool is_last = false;
};
constexpr Product kTf32x3[] = {{DotPiece::small_tf32, DotPiece::large_tf32},
                               {DotPiece::large_tf32, DotPiece::small_tf32},
                               {DotPiece::large_tf32, DotPiece::large_tf32, true}};
constexpr Product kBf16x3[] = {{DotPiece::middle_bf16, DotPiece::high_bf16},
                               {DotPiece::high_bf16, DotPiece::middle_bf16},
                               {DotPiece::high_bf16, DotPiece::high_bf16, true}};
constexpr Product kBf16x6[] = {
    {DotPiece::middle_bf16, DotPiece::middle_bf16}, {DotPiece::low_bf16, DotPiece::high_bf16},
    {DotPiece::high_bf16, DotPiece::low_bf16},      {DotPiece::middle_bf16, DotPiece::high_bf16},
    {DotPiece::high_bf16, DotPiece::middle_bf16},   {DotPiece::high_bf16, DotPiece::high_bf16, true}};
constexpr Product kWhole[] = {{DotPiece::whole, DotPiece::whole}};
constexpr Product kTf32[] = {{DotPiece::truncated_tf32, DotPiece::truncated_tf32}};

/// Precisions are about f32 operands only.
std::span<const Product> products_of(const Dot& dot, ScalarKind a, ScalarKind b) {
  if (a != ScalarKind::f32 || b != ScalarKind::f32) return kWhole;
  switch (dot.precision) {
    case DotPrecision::tf32: return kTf32;
    case DotPrecision::tf32x3: return kTf32x3;
    case DotPrecision::bf16x3: return kBf16x3;
    case DotPrecision::bf16x6: return kBf16x6;
    case DotPrecision::ieee: break;
  }
  return kWhole;
}

constexpr std::int64_t kAlignment = 64;
std::int64_t padded(std::int64_t bytes) { return (bytes + kAlignment - 1) / kAlignment * kAlignment; }

struct Matrix {
  const void* data;
  std::int64_t row_stride, column_stride;
};

/// Neighbouring elements along a row (or a column), so that whole lines can be converted.
bool has_unit_stride(const DotOperand& operand) { return operand.column_stride == 1 || operand.row_stride == 1; }

/// One operand, rows x columns, made ready; `is_right`: its columns must be neighbours.
class Preparation {
 public:
  Preparation(const DotOperand& operand, ScalarKind wide, DotPiece piece, std::int64_t rows, std::int64_t columns,
              bool is_right)
      : operand_(operand), wide_(wide), piece_(piece), rows_(rows), columns_(columns) {
    converts_ = operand.kind != wide || piece != DotPiece::whole;
    must_move_ = is_right ? operand.column_stride != 1 : (converts_ && !has_unit_stride(operand));
  }
  /// A moved copy in the source kind, then the converted one.
  std::int64_t scratch_bytes() const {
    return moved_bytes() + (converts_ ? padded(rows_ * columns_ * size_bytes(wide_)) : 0);
  }
  Matrix run(char* scratch) const;

 private:
  std::int64_t moved_bytes() const { return must_move_ ? padded(rows_ * columns_ * size_bytes(operand_.kind)) : 0; }
  DotOperand move(char* place) const;
  void convert_line(void* out, const void* in, std::int64_t n) const {
    const Table& kernels = table();
    if (piece_ != DotPiece::whole)
      kernels.dot_piece(piece_)(out, in, n);
    else
      kernels.convert(static_cast<Kind>(operand_.kind), static_cast<Kind>(wide_), Conversion::signed_)(out, in, n);
  }

  const DotOperand& operand_;
  ScalarKind wide_;
  DotPiece piece_;
  std::int64_t rows_, columns_;
  bool converts_ = false, must_move_ = false;
};

DotOperand Preparation::move(char* place) const {
  const std::int64_t size = size_bytes(operand_.kind);
  copy_box(operand_.kind)(place, columns_ * size, size, static_cast<const char*>(operand_.data),
                          operand_.row_stride * size, operand_.column_stride * size, rows_, columns_);
  return {place, operand_.kind, columns_, 1};
}

Matrix Preparation::run(char* scratch) const {
  const DotOperand source = must_move_ ? move(scratch) : operand_;
  if (!converts_) return {source.data, source.row_stride, source.column_stride};
  char* out = scratch + moved_bytes();
  const bool by_rows = source.column_stride == 1;
  const std::int64_t lines = by_rows ? rows_ : columns_;
  const std::int64_t length = by_rows ? columns_ : rows_;
  const std::int64_t pitch = by_rows ? source.row_stride : source.column_stride;
  const char* in = static_cast<const char*>(source.data);
  if (pitch == length) {
    convert_line(out, in, lines * length);
  } else {
    for (std::int64_t i = 0; i < lines; ++i)
      convert_line(out + i * length * size_bytes(wide_), in + i * pitch * size_bytes(source.kind), length);
  }
  return by_rows ? Matrix{out, length, 1} : Matrix{out, 1, length};
}

Preparation prepare_a(const Dot& dot, const DotOperand& a, ScalarKind wide, DotPiece piece) {
  return {a, wide, piece, dot.m, dot.k, false};
}
Preparation prepare_b(const Dot& dot, const DotOperand& b, ScalarKind wide, DotPiece piece) {
  return {b, wide, piece, dot.k, dot.n, true};
}

/// Magnitudes of the non-zero elements, as bits.
struct Magnitudes {
  std::uint32_t least = 0x7fffffff, largest = 0;
};
Magnitudes magnitudes_of(const Matrix& matrix, std::int64_t rows, std::int64_t columns) {
  Magnitudes found;
  const auto* data = static_cast<const std::uint32_t*>(matrix.data);
  for (std::int64_t i = 0; i < rows; ++i) {
    for (std::int64_t j = 0; j < columns; ++j) {
      const std::uint32_t bits = data[i * matrix.row_stride + j * matrix.column_stride] & 0x7fffffff;
      found.largest = std::max(found.largest, bits);
      found.least = bits != 0 ? std::min(found.least, bits) : found.least;
    }
  }
  return found;
}

/// True when f32 holds every product of numbers of at most 11 significant bits: none overflows, none has bits below
/// f32's.
bool products_fit(const Magnitudes& a, const Magnitudes& b) {
  const auto exponent = [](std::uint32_t bits) { return static_cast<int>(bits >> 23) - 127; };
  return exponent(a.largest) + exponent(b.largest) < 126 && a.least >> 23 != 0 && b.least >> 23 != 0 &&
         exponent(a.least) + exponent(b.least) - 20 >= -149;
}

/// Kinds whose products f32 holds exactly, whatever the values: 11 significant bits at most, exponents far from the
/// ends.
bool is_narrow(ScalarKind kind) { return is_float8(kind) || kind == ScalarKind::f16; }

/// At most 11 significant bits.
bool is_short_float(ScalarKind kind, DotPiece piece) { return kind != ScalarKind::f32 || piece != DotPiece::whole; }

void multiply(const Dot& dot, ScalarKind wide, void* c, const DotOperand& a, const DotOperand& b,
              const Product& product, char* scratch) {
  const Preparation left_operand = prepare_a(dot, a, wide, product.a),
                    right_operand = prepare_b(dot, b, wide, product.b);
  const Matrix left = left_operand.run(scratch);
  const Matrix right = right_operand.run(scratch + left_operand.scratch_bytes());
  const Table& kernels = table();
  GemmFn gemm = kernels.gemm(static_cast<Kind>(wide));
  if (const GemmFn other = kernels.gemm_of_exact_products(); wide == ScalarKind::f32 && other != gemm) {
    const bool is_exact = is_narrow(a.kind) && is_narrow(b.kind);
    const bool is_short = is_short_float(a.kind, product.a) && is_short_float(b.kind, product.b);
    if (is_exact || (is_short && products_fit(magnitudes_of(left, dot.m, dot.k), magnitudes_of(right, dot.k, dot.n))))
      gemm = other;
  }
  gemm(c, dot.n, left.data, left.row_stride, left.column_stride, right.data, right.row_stride, dot.m, dot.n, dot.k);
}

void drop_nan(float* values, std::int64_t n) {
  for (std::int64_t i = 0; i < n; ++i) values[i] = values[i] == values[i] ? values[i] : 0.0f;
}

/// c + the sum of the products, which starts from zero: C is added at the end.
void dot_of_pieces(const Dot& dot, float* c, const DotOperand& a, const DotOperand& b,
                   std::span<const Product> products, char* scratch) {
  const std::int64_t count = dot.m * dot.n;
  float* sum = reinterpret_cast<float*>(scratch);
  std::memset(sum, 0, static_cast<std::size_t>(count) * sizeof(float));
  for (const Product& product : products) {
    if (product.is_last) drop_nan(sum, count);
    multiply(dot, ScalarKind::f32, sum, a, b, product, scratch + padded(count * 4));
  }
  binary(Binary::addf, ScalarKind::f32)(c, sum, c, count, 1, 1);
}

}  // namespace

bool dot_is_supported(ScalarKind result, ScalarKind a, ScalarKind b) { return compute_kind(result, a, b) != kNone; }

std::int64_t dot_scratch_bytes(const Dot& dot, const DotOperand& a, const DotOperand& b) {
  const ScalarKind wide = compute_kind(dot.result, a.kind, b.kind);
  const auto products = products_of(dot, a.kind, b.kind);
  const std::int64_t operands =
      prepare_a(dot, a, wide, products[0].a).scratch_bytes() + prepare_b(dot, b, wide, products[0].b).scratch_bytes();
  const std::int64_t one = padded(dot.m * dot.n * size_bytes(wide));
  return operands + (dot.result == wide ? 0 : one) + (products.size() > 1 ? one : 0);
}

void dot(const Dot& dot, void* c, const DotOperand& a, const DotOperand& b, void* scratch) {
  const ScalarKind wide = compute_kind(dot.result, a.kind, b.kind);
  LOCKSTEP_CHECK(wide != kNone, "dot of kinds that do not go together");
  const auto products = products_of(dot, a.kind, b.kind);
  char* place = static_cast<char*>(scratch);
  void* accumulator = c;
  if (dot.result != wide) {
    accumulator = place;
    place += padded(dot.m * dot.n * size_bytes(wide));
    convert(dot.result, wide)(accumulator, c, dot.m * dot.n);
  }
  if (products.size() > 1)
    dot_of_pieces(dot, static_cast<float*>(accumulator), a, b, products, place);
  else
    multiply(dot, wide, accumulator, a, b, products[0], place);
  if (dot.result != wide) convert(wide, dot.result)(c, accumulator, dot.m * dot.n);
}

}  // namespace lockstep::interpreter::kernels
