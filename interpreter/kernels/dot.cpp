#include "interpreter/kernels/dot.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>

#include "interpreter/kernels/dispatch.h"
#include "interpreter/kernels/dot_prepare.h"
#include "interpreter/kernels/kernels.h"
#include "support/check.h"

namespace lockstep::interpreter::kernels {
namespace {

/// The kind in which a dot of these operands multiplies; nullopt-like: i1 if they do not fit together.
constexpr ScalarKind kNone = ScalarKind::i1;
ScalarKind compute_kind(ScalarKind result, ScalarKind a, ScalarKind b) {
  if (result == ScalarKind::i32) return a == ScalarKind::i8 && b == ScalarKind::i8 ? ScalarKind::i32 : kNone;
  if (result == ScalarKind::f64) return a == ScalarKind::f64 && b == ScalarKind::f64 ? ScalarKind::f64 : kNone;
  if (result != ScalarKind::f32 && result != ScalarKind::f16) return kNone;
  const bool both_small = is_float(a) && is_float(b) && a != ScalarKind::f64 && b != ScalarKind::f64;
  return both_small ? ScalarKind::f32 : kNone;
}

// Pieces by precision, and the products of them.
constexpr DotPiece kWholePieces[] = {DotPiece::whole};
constexpr DotPiece kTf32Pieces[] = {DotPiece::truncated_tf32};
constexpr DotPiece kTf32x3Pieces[] = {DotPiece::large_tf32, DotPiece::small_tf32};
constexpr DotPiece kBf16x3Pieces[] = {DotPiece::high_bf16, DotPiece::middle_bf16};
constexpr DotPiece kBf16x6Pieces[] = {DotPiece::high_bf16, DotPiece::middle_bf16, DotPiece::low_bf16};
constexpr DotProduct kOneProduct[] = {{0, 0}};
constexpr DotProduct kThreeProducts[] = {{1, 0}, {0, 1}, {0, 0, true}};
constexpr DotProduct kSixProducts[] = {{1, 1}, {2, 0}, {0, 2}, {1, 0}, {0, 1}, {0, 0, true}};

Magnitudes magnitudes_of(const PreparedOperand& matrix, std::int64_t rows, std::int64_t columns) {
  Magnitudes found;
  const auto* data = reinterpret_cast<const std::uint32_t*>(matrix.data);
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

/// True when bf16 numbers are such that no sum of k products and a normal start below 2^100 overflows or is subnormal: a
/// sum below 2^-103 becomes at least 2^-101 by a product that is not 0; any other sum is a multiple of 2^-126, as the
/// products are.
bool products_are_plain(const Magnitudes& a, const Magnitudes& b, std::int64_t k) {
  const auto exponent = [](std::uint32_t bits) { return static_cast<int>(bits >> 7) - 127; };
  constexpr std::uint32_t kLeastNormal = 0x80, kInfinity = 0x7f80;
  const auto doublings = static_cast<int>(std::bit_width(static_cast<std::uint64_t>(k)));
  const int largest_sum = exponent(a.largest) + exponent(b.largest) + 2 + doublings;
  return a.largest < kInfinity && b.largest < kInfinity && largest_sum <= 120 && a.least >= kLeastNormal &&
         b.least >= kLeastNormal && exponent(a.least) + exponent(b.least) >= -100;
}

/// Kinds whose products f32 holds exactly, whatever the values: 11 significant bits at most, exponents far from the
/// ends.
bool is_narrow(ScalarKind kind) { return is_float8(kind) || kind == ScalarKind::f16; }

void drop_nan(float* values, std::int64_t n) {
  for (std::int64_t i = 0; i < n; ++i) values[i] = values[i] == values[i] ? values[i] : 0.0f;
}

}  // namespace

bool dot_is_supported(ScalarKind result, ScalarKind a, ScalarKind b) { return compute_kind(result, a, b) != kNone; }

DotRecipe::DotRecipe(const Dot& dot, ScalarKind a, ScalarKind b) : DotRecipe(dot, a, b, table()) {}

DotRecipe::DotRecipe(const Dot& dot, ScalarKind a, ScalarKind b, const Table& kernels)
    : kernels_(&kernels),
      result_(dot.result),
      wide_(compute_kind(dot.result, a, b)),
      kind_{a, b},
      precision_(dot.precision),
      is_split_(a == ScalarKind::f32 && b == ScalarKind::f32),
      m_(dot.m),
      n_(dot.n),
      k_(dot.k) {
  LOCKSTEP_CHECK(wide_ != kNone, "dot of kinds that do not go together");
  find_products();
  find_conversions();
}

void DotRecipe::find_products() {
  if (result_ == ScalarKind::i32) {
    pairs_ = PairKind::i8;
    gemm_ = kernels_->gemm_of_pairs_at_once();
    if (gemm_ == nullptr) gemm_ = kernels_->gemm_of_pairs();
    return;
  }
  if (kind_[0] == ScalarKind::bf16 && kind_[1] == ScalarKind::bf16) {
    const Bf16Products products = kernels_->bf16_products();
    if (products.gemm != nullptr) {
      pairs_ = PairKind::bf16;
      gemm_ = products.exact_gemm;
      exact_gemm_ = products.gemm;
      return;
    }
  }
  gemm_ = kernels_->gemm(static_cast<Kind>(wide_));
  if (const GemmFn other = kernels_->gemm_of_exact_products(); wide_ == ScalarKind::f32 && other != gemm_)
    exact_gemm_ = other;
}

void DotRecipe::find_conversions() {
  const auto between = [&](ScalarKind from, ScalarKind to) -> ConvertFn {
    if (from == to) return nullptr;
    return kernels_->convert(static_cast<Kind>(from), static_cast<Kind>(to), Conversion::signed_);
  };
  const ScalarKind element = pairs_ == PairKind::i8 ? ScalarKind::i16 : wide_;
  for (std::size_t side = 0; side < 2; ++side) {
    for (std::size_t i = 0; i < pieces().size(); ++i) {
      const DotPiece piece = pieces()[i];
      widen_[side][i] = piece == DotPiece::whole ? between(kind_[side], element) : kernels_->dot_piece(piece);
    }
  }
  from_result_ = between(result_, wide_);
  to_result_ = between(wide_, result_);
}

std::span<const DotPiece> DotRecipe::pieces() const {
  if (!is_split_) return kWholePieces;
  switch (precision_) {
    case DotPrecision::tf32: return kTf32Pieces;
    case DotPrecision::tf32x3: return kTf32x3Pieces;
    case DotPrecision::bf16x3: return kBf16x3Pieces;
    case DotPrecision::bf16x6: return kBf16x6Pieces;
    case DotPrecision::ieee: break;
  }
  return kWholePieces;
}

std::span<const DotProduct> DotRecipe::products() const {
  switch (pieces().size()) {
    case 2: return kThreeProducts;
    case 3: return kSixProducts;
    default: return kOneProduct;
  }
}

bool DotRecipe::is_ready(Side side, const DotOperand& operand) const {
  if (multiplies_pairs() || operand.kind != wide_ || pieces()[0] != DotPiece::whole || operand.rows != nullptr)
    return false;
  return side == Side::left || operand.column_stride == 1;
}

PreparedOperand DotRecipe::as_it_lies(const DotOperand& operand) {
  return {static_cast<const char*>(operand.data), 0, operand.row_stride, operand.column_stride};
}

std::int64_t DotRecipe::prepared_bytes(Side side) const {
  const std::int64_t depth = multiplies_pairs() ? (k_ + 1) / 2 : k_;
  return padded((side == Side::left ? m_ : n_) * depth * size_bytes(wide_)) *
         static_cast<std::int64_t>(pieces().size());
}

PreparedOperand DotRecipe::prepare(Side side, const DotOperand& operand, char* memory) const {
  const bool is_left = side == Side::left;
  PreparedOperand made;
  const Bf16Products bf16 = pairs_ == PairKind::bf16 ? kernels_->bf16_products() : Bf16Products{};
  made.piece_bytes = prepared_bytes(side) / static_cast<std::int64_t>(pieces().size());
  for (std::size_t i = 0; i < pieces().size(); ++i) {
    const Preparation one{*kernels_,         operand,           wide_, pairs_, widen_[is_left ? 0 : 1][i],
                          is_left ? m_ : k_, is_left ? k_ : n_, side, bf16};
    const MatrixStrides strides = one.run(memory + static_cast<std::int64_t>(i) * made.piece_bytes, made.magnitudes);
    made.row_stride = strides.row;
    made.column_stride = strides.column;
  }
  made.data = memory;
  return made;
}

std::int64_t DotRecipe::scratch_bytes() const {
  const std::int64_t one = padded(m_ * n_ * size_bytes(wide_));
  return (result_ == wide_ ? 0 : one) + (pieces().size() > 1 ? one : 0);
}

PreparedOperand DotRecipe::piece(const PreparedOperand& operand, std::uint8_t which) const {
  PreparedOperand found = operand;
  found.data += which * operand.piece_bytes;
  return found;
}

/// `k`: of all products that one run adds up.
GemmFn DotRecipe::choose(const DotProduct& product, const PreparedOperand& a, const PreparedOperand& b,
                         std::int64_t k) const {
  if (exact_gemm_ == nullptr) return gemm_;
  if (pairs_ == PairKind::bf16) return products_are_plain(a.magnitudes, b.magnitudes, k) ? exact_gemm_ : gemm_;
  if (is_narrow(kind_[0]) && is_narrow(kind_[1])) return exact_gemm_;
  const auto is_short = [&](ScalarKind kind, std::uint8_t which) {  // at most 11 significant bits
    return kind != ScalarKind::f32 || pieces()[which] != DotPiece::whole;
  };
  if (!is_short(kind_[0], product.a) || !is_short(kind_[1], product.b)) return gemm_;
  return products_fit(magnitudes_of(a, m_, k_), magnitudes_of(b, k_, n_)) ? exact_gemm_ : gemm_;
}

Gemm DotRecipe::gemm_of(void* out, const DotStart& start, const PreparedOperand& left,
                        const PreparedOperand& right) const {
  Gemm gemm;
  gemm.out = out;
  gemm.start = start.data;
  gemm.start_is_uniform = start.is_uniform;
  gemm.out_pitch = gemm.start_pitch = n_;
  gemm.a = left.data;
  gemm.a_row = left.row_stride;
  gemm.a_column = left.column_stride;
  gemm.b = right.data;
  gemm.b_row = right.row_stride;
  gemm.m = m_;
  gemm.n = n_;
  gemm.k = multiplies_pairs() ? (k_ + 1) / 2 : k_;
  return gemm;
}

void DotRecipe::multiply(char* out, const DotStart& start, const PreparedOperand& a, const PreparedOperand& b,
                         const DotProduct& product) const {
  const PreparedOperand left = piece(a, product.a), right = piece(b, product.b);
  choose(product, left, right, k_)(gemm_of(out, start, left, right));
}

std::size_t DotRecipe::products_to_join() const {
  const bool multiplies_in_place = kind_[0] == wide_ && kind_[1] == wide_ && pieces()[0] == DotPiece::whole;
  if (result_ != wide_ || !(multiplies_pairs() || multiplies_in_place)) return 1;
  constexpr std::int64_t kEnoughSteps = 256;
  const std::int64_t steps = multiplies_pairs() ? (k_ + 1) / 2 : k_;
  return static_cast<std::size_t>(
      std::clamp<std::int64_t>(kEnoughSteps / std::max<std::int64_t>(steps, 1), 1, kMostJoined));
}

bool DotRecipe::go_together(const DotFactors& one, const DotFactors& other) {
  return one.a.row_stride == other.a.row_stride && one.a.column_stride == other.a.column_stride &&
         one.b.row_stride == other.b.row_stride;
}

void DotRecipe::run_joined(void* out, const DotStart& start, std::span<const DotFactors> factors) const {
  std::array<GemmPart, kMostJoined> parts;
  const std::int64_t k = k_ * static_cast<std::int64_t>(factors.size());
  GemmFn chosen = nullptr;
  bool is_one = true;
  for (std::size_t i = 0; i < factors.size(); ++i) {
    parts[i] = {factors[i].a.data, factors[i].b.data};
    const GemmFn mine = choose(kOneProduct[0], factors[i].a, factors[i].b, k);
    is_one = is_one && (chosen == nullptr || chosen == mine);
    chosen = mine;
  }
  if (is_one) {
    Gemm gemm = gemm_of(out, start, factors[0].a, factors[0].b);
    gemm.parts = parts.data();
    gemm.part_count = static_cast<std::int64_t>(factors.size());
    return chosen(gemm);
  }
  DotStart from = start;
  for (const DotFactors& each : factors) {
    multiply(static_cast<char*>(out), from, each.a, each.b, kOneProduct[0]);
    from = {out, false};
  }
}

/// The sum of the products starts from zero: C is added at the end.
void DotRecipe::multiply_pieces(char* out, const DotStart& start, const PreparedOperand& a, const PreparedOperand& b,
                                float* sum) const {
  const float zero = 0;
  DotStart before{&zero, true};
  for (const DotProduct& product : products()) {
    if (product.is_last) drop_nan(sum, m_ * n_);
    multiply(reinterpret_cast<char*>(sum), before, a, b, product);
    before = {sum, false};
  }
  kernels_->binary(Binary::addf, Kind::f32)(out, sum, start.data, m_ * n_, 1, start.is_uniform ? 0 : 1);
}

void DotRecipe::run(void* out, const DotStart& start, const PreparedOperand& a, const PreparedOperand& b,
                    char* scratch) const {
  DotStart from = start;
  char* accumulator = static_cast<char*>(out);
  std::uint64_t widened = 0;
  if (result_ != wide_) {
    accumulator = scratch;
    scratch += padded(m_ * n_ * size_bytes(wide_));
    void* place = start.is_uniform ? static_cast<void*>(&widened) : accumulator;
    from_result_(place, start.data, start.is_uniform ? 1 : m_ * n_);
    from.data = place;
  }
  if (products().size() > 1)
    multiply_pieces(accumulator, from, a, b, reinterpret_cast<float*>(scratch));
  else
    multiply(accumulator, from, a, b, products()[0]);
  if (result_ != wide_) to_result_(out, accumulator, m_ * n_);
}

}  // namespace lockstep::interpreter::kernels
