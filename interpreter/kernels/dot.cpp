// Brings the operands of a dot into the shape that the matrix kernels take: one wide kind, b with neighbouring columns.
#include <cstring>

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

constexpr std::int64_t kAlignment = 64;
std::int64_t padded(std::int64_t bytes) { return (bytes + kAlignment - 1) / kAlignment * kAlignment; }

struct Matrix {
  const void* data;
  std::int64_t row_stride, column_stride;
};

bool is_tf32(const Dot& dot, ScalarKind kind) { return dot.precision == DotPrecision::tf32 && kind == ScalarKind::f32; }
/// Neighbouring elements along a row (or a column), so that whole lines can be converted.
bool has_unit_stride(const DotOperand& operand) { return operand.column_stride == 1 || operand.row_stride == 1; }

/// One operand, rows x columns, made ready; `is_right`: its columns must be neighbours.
class Preparation {
 public:
  Preparation(const Dot& dot, const DotOperand& operand, ScalarKind wide, std::int64_t rows, std::int64_t columns,
              bool is_right)
      : operand_(operand), wide_(wide), rows_(rows), columns_(columns), truncate_(is_tf32(dot, operand.kind)) {
    converts_ = operand.kind != wide || truncate_;
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
    if (truncate_)
      kernels.truncate_tf32(out, in, n);
    else
      kernels.convert(static_cast<Kind>(operand_.kind), static_cast<Kind>(wide_), Conversion::signed_)(out, in, n);
  }

  const DotOperand& operand_;
  ScalarKind wide_;
  std::int64_t rows_, columns_;
  bool truncate_, converts_ = false, must_move_ = false;
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

Preparation prepare_a(const Dot& dot, const DotOperand& a, ScalarKind wide) {
  return {dot, a, wide, dot.m, dot.k, false};
}
Preparation prepare_b(const Dot& dot, const DotOperand& b, ScalarKind wide) {
  return {dot, b, wide, dot.k, dot.n, true};
}

}  // namespace

bool dot_is_supported(ScalarKind result, ScalarKind a, ScalarKind b) { return compute_kind(result, a, b) != kNone; }

std::int64_t dot_scratch_bytes(const Dot& dot, const DotOperand& a, const DotOperand& b) {
  const ScalarKind wide = compute_kind(dot.result, a.kind, b.kind);
  const std::int64_t operands = prepare_a(dot, a, wide).scratch_bytes() + prepare_b(dot, b, wide).scratch_bytes();
  return operands + (dot.result == wide ? 0 : padded(dot.m * dot.n * size_bytes(wide)));
}

void dot(const Dot& dot, void* c, const DotOperand& a, const DotOperand& b, void* scratch) {
  const ScalarKind wide = compute_kind(dot.result, a.kind, b.kind);
  LOCKSTEP_CHECK(wide != kNone, "dot of kinds that do not go together");
  const Preparation left_operand = prepare_a(dot, a, wide), right_operand = prepare_b(dot, b, wide);
  char* place = static_cast<char*>(scratch);
  const Matrix left = left_operand.run(place);
  place += left_operand.scratch_bytes();
  const Matrix right = right_operand.run(place);
  place += right_operand.scratch_bytes();
  void* accumulator = c;
  if (dot.result != wide) {
    accumulator = place;
    convert(dot.result, wide)(accumulator, c, dot.m * dot.n);
  }
  const GemmFn gemm = table().gemm(static_cast<Kind>(wide));
  gemm(accumulator, dot.n, left.data, left.row_stride, left.column_stride, right.data, right.row_stride, dot.m, dot.n,
       dot.k);
  if (dot.result != wide) convert(wide, dot.result)(c, accumulator, dot.m * dot.n);
}

}  // namespace lockstep::interpreter::kernels
