// Dots: exact cases against integers, the k order element by element, every layout and kind against a plain triple
// loop, and Eigen as a second opinion.
#include <Eigen/Core>

#include <bit>
#include <type_traits>

#include "interpreter/kernels/dot.h"
#include "kernel_fixture.h"

namespace lockstep::interpreter::kernels::testing {
namespace {

struct DotCase {
  std::int64_t m, n, k;
};
constexpr DotCase kCases[] = {{1, 1, 1},    {16, 16, 16},   {7, 5, 3},   {64, 64, 32},
                           {13, 37, 29}, {33, 100, 300}, {8, 32, 16}, {6, 31, 17}};

template <class T>
std::vector<T> random_values(std::int64_t count, unsigned seed) {
  std::mt19937 random(seed);
  std::vector<T> values(static_cast<std::size_t>(count));
  for (T& value : values)
    value = static_cast<T>(static_cast<double>(static_cast<int>(random() % 2001) - 1000) *
                           (std::is_integral_v<T> ? 1e6 : 1e-3));
  return values;
}

template <class T>
T chained(T a, T b, T c) {
  if constexpr (std::is_integral_v<T>)
    return a * b + c;
  else
    return std::fma(a, b, c);
}

template <class T>
void check_gemm(const Table* table, Kind kind) {
  for (const DotCase& c : kCases)
    for (bool transposed : {false, true}) {
      const std::vector<T> a = random_values<T>(c.m * c.k, 1), b = random_values<T>(c.k * (c.n + 3), 2);
      std::vector<T> out = random_values<T>(c.m * (c.n + 2), 3), want = out;
      const std::int64_t row = transposed ? 1 : c.k, column = transposed ? c.m : 1;
      table->gemm(kind)(
          {out.data(), c.n + 2, out.data(), c.n + 2, false, nullptr, 0, a.data(), row, column, b.data(), c.n + 3, c.m, c.n,
           c.k});
      for (std::int64_t i = 0; i < c.m; ++i)
        for (std::int64_t j = 0; j < c.n; ++j)
          for (std::int64_t k = 0; k < c.k; ++k) {
            T& element = want[static_cast<std::size_t>(i * (c.n + 2) + j)];
            element = chained(a[static_cast<std::size_t>(i * row + k * column)],
                              b[static_cast<std::size_t>(k * (c.n + 3) + j)], element);
          }
      ASSERT_EQ(out, want) << table->name << " " << name_of(kind) << " " << c.m << "x" << c.n << "x" << c.k
                           << (transposed ? " transposed" : "");
    }
}

TEST(DotKernels, OneChainPerElementInAscendingK) {
  for (const Table* table : tables()) {
    check_gemm<float>(table, Kind::f32);
    check_gemm<double>(table, Kind::f64);
    check_gemm<std::uint32_t>(table, Kind::i32);
  }
}

/// Any bits at all: subnormals, infinities, NaN, overflow inside a step.
template <class T>
std::vector<T> random_bits(std::size_t count, unsigned seed) {
  std::mt19937_64 random(seed);
  std::vector<T> values(count);
  for (T& value : values) {
    const std::uint64_t bits = random();
    std::memcpy(&value, &bits, sizeof value);
    if (random() % 4 != 0)
      value = static_cast<T>(
          std::ldexp(1.0 + static_cast<double>(random() % 4096) / 4096, static_cast<int>(random() % 40) - 20));
  }
  return values;
}

template <class T>
void check_every_set_alike(Kind kind, T nan) {
  constexpr std::int64_t n = 19, k = 3, m = 400;
  const std::vector<T> a = random_bits<T>(m * k, 1), b = random_bits<T>(k * n, 2), c = random_bits<T>(m * n, 3);
  for (const Table* table : tables()) {
    std::vector<T> out(c.size());
    table->gemm(kind)({out.data(), n, c.data(), n, false, nullptr, 0, a.data(), k, 1, b.data(), n, m, n, k});
    for (std::int64_t i = 0; i < m * n; ++i) {
      T want = c[static_cast<std::size_t>(i)];
      for (std::int64_t step = 0; step < k; ++step)
        want = std::fma(a[static_cast<std::size_t>(i / n * k + step)], b[static_cast<std::size_t>(step * n + i % n)],
                        want);
      if (std::isnan(want)) want = nan;
      ASSERT_EQ(std::memcmp(&out[static_cast<std::size_t>(i)], &want, sizeof want), 0)
          << table->name << " element " << i << ": " << out[static_cast<std::size_t>(i)] << " instead of " << want;
    }
  }
}

TEST(DotKernels, OneRoundingPerStepForAnyBitsInEveryInstructionSet) {
  check_every_set_alike<float>(Kind::f32, std::bit_cast<float>(0x7fffffff));
  check_every_set_alike<double>(Kind::f64, std::bit_cast<double>(std::int64_t{0x7fffffffffffffff}));
}

/// The pieces of a split operand add up to it as far as they reach, and each has so many significant bits.
TEST(DotKernels, PiecesOfAnOperand) {
  const std::vector<float> values = random_values<float>(1000, 9);
  const auto piece = [&](const Table* table, DotPiece which) {
    std::vector<float> out(values.size());
    table->dot_piece(which)(out.data(), values.data(), static_cast<std::int64_t>(values.size()));
    return out;
  };
  for (const Table* table : tables()) {
    const auto cut = piece(table, DotPiece::truncated_tf32), large = piece(table, DotPiece::large_tf32);
    const auto small = piece(table, DotPiece::small_tf32), high = piece(table, DotPiece::high_bf16);
    const auto middle = piece(table, DotPiece::middle_bf16), low = piece(table, DotPiece::low_bf16);
    for (std::size_t i = 0; i < values.size(); ++i) {
      const float x = values[i];
      EXPECT_LE(std::fabs(cut[i]), std::fabs(x));
      EXPECT_LE(std::fabs(x - cut[i]), std::fabs(x) * 0x1p-10f);
      EXPECT_LE(std::fabs(x - large[i]), std::fabs(x) * 0x1p-11f);
      EXPECT_LE(std::fabs(x - large[i] - small[i]), std::fabs(x) * 0x1p-21f);
      EXPECT_LE(std::fabs(x - high[i]), std::fabs(x) * 0x1p-8f);
      EXPECT_LE(std::fabs(x - high[i] - middle[i]), std::fabs(x) * 0x1p-16f);
      EXPECT_EQ(x, high[i] + middle[i] + low[i]);
      for (const float part : {cut[i], large[i], small[i]}) EXPECT_EQ(std::bit_cast<std::uint32_t>(part) & 0x1fff, 0u);
      for (const float part : {high[i], middle[i], low[i]}) EXPECT_EQ(std::bit_cast<std::uint32_t>(part) & 0xffff, 0u);
    }
  }
}

TEST(DotKernels, PiecesAtTheEdges) {
  const auto one = [](DotPiece which, std::uint32_t bits) {
    const float in = std::bit_cast<float>(bits);
    float out = 0;
    table().dot_piece(which)(&out, &in, 1);
    return std::bit_cast<std::uint32_t>(out);
  };
  EXPECT_EQ(one(DotPiece::large_tf32, 0x3f801000), 0x3f802000u);  // a tie goes away from zero
  EXPECT_EQ(one(DotPiece::large_tf32, 0x3f800fff), 0x3f800000u);
  EXPECT_EQ(one(DotPiece::large_tf32, 0x7f7fffff), 0x7f800000u);
  EXPECT_EQ(one(DotPiece::large_tf32, 0xff800000), 0xff800000u);
  EXPECT_EQ(one(DotPiece::truncated_tf32, 0x3f803fff), 0x3f802000u);
  EXPECT_EQ(one(DotPiece::truncated_tf32, 0x7f800001), 0x7f800000u);  // the H200 makes infinity of such a NaN
  EXPECT_EQ(one(DotPiece::high_bf16, 0x3f808000), 0x3f800000u);       // a tie goes to even
  EXPECT_EQ(one(DotPiece::high_bf16, 0x3f818000), 0x3f820000u);
}

TEST(DotKernels, SignOfZeroAndNaN) {
  for (const Table* table : tables()) {
    std::vector<float> a(16, -0.0f), b(16, 1.0f), c(16 * 16, -0.0f);
    table->gemm(Kind::f32)({c.data(), 16, c.data(), 16, false, nullptr, 0, a.data(), 1, 1, b.data(), 16, 16, 16, 1});
    for (float value : c) EXPECT_TRUE(std::signbit(value));
    a[3] = NAN;
    table->gemm(Kind::f32)({c.data(), 16, c.data(), 16, false, nullptr, 0, a.data(), 1, 1, b.data(), 16, 16, 16, 1});
    for (std::size_t i = 0; i < c.size(); ++i) EXPECT_EQ(std::isnan(c[i]), i / 16 == 3);
  }
}

TEST(DotKernels, EigenAgrees) {
  using Matrix = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  for (const DotCase& c : kCases) {
    const std::vector<float> a = random_values<float>(c.m * c.k, 4), b = random_values<float>(c.k * c.n, 5);
    std::vector<float> out(static_cast<std::size_t>(c.m * c.n));
    table().gemm(Kind::f32)({out.data(), c.n, out.data(), c.n, false, nullptr, 0, a.data(), c.k, 1, b.data(), c.n, c.m, c.n, c.k});
    const Matrix product = Eigen::Map<const Matrix>(a.data(), c.m, c.k) * Eigen::Map<const Matrix>(b.data(), c.k, c.n);
    for (std::int64_t i = 0; i < c.m * c.n; ++i) EXPECT_NEAR(out[static_cast<std::size_t>(i)], product.data()[i], 1e-4);
  }
}

/// A dot through the public door; operands are used as they lie where that is possible, unless `prepares_all`.
void run_dot(const DotRecipe& recipe, void* out, const DotStart& start, const DotOperand& a, const DotOperand& b,
             bool prepares_all = false) {
  const auto memory = [&](Side side) {
    return std::vector<char>(static_cast<std::size_t>(recipe.prepared_bytes(side)));
  };
  std::vector<char> left = memory(Side::left), right = memory(Side::right);
  std::vector<char> scratch(static_cast<std::size_t>(recipe.scratch_bytes()));
  const auto take = [&](Side side, const DotOperand& operand, std::vector<char>& place) {
    return !prepares_all && recipe.is_ready(side, operand) ? DotRecipe::as_it_lies(operand)
                                                           : recipe.prepare(side, operand, place.data());
  };
  recipe.run(out, start, take(Side::left, a, left), take(Side::right, b, right), scratch.data());
}

/// Operands in any kind and layout.
struct Layout {
  const char* name;
  bool a_transposed, b_transposed, padded;
};
constexpr Layout kLayouts[] = {{"plain", false, false, false},
                               {"a transposed", true, false, false},
                               {"b transposed", false, true, false},
                               {"padded", true, true, true}};

Tile operand_tile(Kind kind, std::int64_t count, unsigned seed) {
  std::mt19937 random(seed);
  Tile tile(kind, static_cast<std::size_t>(count));
  for (std::size_t i = 0; i < tile.size(); ++i) {
    const int value = static_cast<int>(random() % 17) - 8;
    if (is_float(scalar(kind)))
      tile.set_number(i, value * 0.25);
    else
      tile.set(i, low_bits(static_cast<std::uint64_t>(static_cast<std::int64_t>(value)), 8));
  }
  return tile;
}
double value_at(const Tile& tile, std::int64_t i) {
  return is_float(scalar(tile.kind))
             ? tile.number(static_cast<std::size_t>(i))
             : static_cast<double>(sign_extended(tile.bits(static_cast<std::size_t>(i)), 8 * bytes_of(tile.kind)));
}

void check_dot(Kind a_kind, Kind b_kind, Kind result, const Layout& layout) {
  constexpr std::int64_t m = 18, n = 35, k = 24;
  const std::int64_t step = layout.padded ? 2 : 1;
  const Tile a_tile = operand_tile(a_kind, m * k * step, 6), b_tile = operand_tile(b_kind, k * n * step, 7);
  const DotOperand a{a_tile.data(), scalar(a_kind), layout.a_transposed ? step : k * step,
                     layout.a_transposed ? m * step : step};
  const DotOperand b{b_tile.data(), scalar(b_kind), layout.b_transposed ? step : n * step,
                     layout.b_transposed ? k * step : step};
  const Dot problem{scalar(result), DotPrecision::tf32, m, n, k};
  ASSERT_TRUE(dot_is_supported(scalar(result), scalar(a_kind), scalar(b_kind)));
  Tile c(result, static_cast<std::size_t>(m * n));
  for (std::size_t i = 0; i < c.size(); ++i)
    if (is_float(scalar(result)))
      c.set_number(i, 1.0);
    else
      c.set(i, 1);
  run_dot(DotRecipe(problem, a.kind, b.kind), c.data(), {c.data(), false}, a, b);
  for (std::int64_t i = 0; i < m; ++i)
    for (std::int64_t j = 0; j < n; ++j) {
      double want = 1;
      for (std::int64_t l = 0; l < k; ++l)
        want += value_at(a_tile, i * a.row_stride + l * a.column_stride) *
                value_at(b_tile, l * b.row_stride + j * b.column_stride);
      ASSERT_EQ(value_at(c, i * n + j), want)
          << name_of(a_kind) << " " << name_of(b_kind) << " " << name_of(result) << " " << layout.name;
    }
}

TEST(DotKernels, EveryKindAndLayout) {
  for (const Layout& layout : kLayouts) {
    for (Kind kind :
         {Kind::f8E4M3FN, Kind::f8E5M2, Kind::f8E4M3FNUZ, Kind::f8E5M2FNUZ, Kind::f16, Kind::bf16, Kind::f32})
      check_dot(kind, kind, Kind::f32, layout);
    check_dot(Kind::f8E4M3FN, Kind::f8E5M2, Kind::f32, layout);
    check_dot(Kind::f16, Kind::f16, Kind::f16, layout);
    check_dot(Kind::f64, Kind::f64, Kind::f64, layout);
    check_dot(Kind::i8, Kind::i8, Kind::i32, layout);
  }
}

TEST(DotKernels, KindsThatDoNotGoTogether) {
  EXPECT_FALSE(dot_is_supported(ScalarKind::f32, ScalarKind::f64, ScalarKind::f64));
  EXPECT_FALSE(dot_is_supported(ScalarKind::i32, ScalarKind::i32, ScalarKind::i32));
  EXPECT_FALSE(dot_is_supported(ScalarKind::f32, ScalarKind::i8, ScalarKind::i8));
  EXPECT_FALSE(dot_is_supported(ScalarKind::bf16, ScalarKind::bf16, ScalarKind::bf16));
}

float dot_of_one(float a, DotPrecision precision) {
  const float one = 1;
  float c = 0;
  const DotOperand left{&a, ScalarKind::f32, 1, 1}, right{&one, ScalarKind::f32, 1, 1};
  const Dot problem{ScalarKind::f32, precision, 1, 1, 1};
  run_dot(DotRecipe(problem, left.kind, right.kind), &c, {&c, false}, left, right);
  return c;
}

TEST(DotKernels, Tf32TruncatesAsMeasuredOnTheGpu) {
  EXPECT_EQ(dot_of_one(1 + 0x1p-11f, DotPrecision::tf32), 1.0f);
  EXPECT_EQ(dot_of_one(1 + 3 * 0x1p-11f, DotPrecision::tf32), 1 + 0x1p-10f);
  EXPECT_EQ(dot_of_one(1 + 0x1p-23f, DotPrecision::ieee), 1 + 0x1p-23f);
  EXPECT_EQ(dot_of_one(1 + 0x1p-23f, DotPrecision::tf32x3), 1 + 0x1p-23f);
  EXPECT_EQ(dot_of_one(INFINITY, DotPrecision::tf32), INFINITY);
  float signalling;
  const std::uint32_t bits = 0x7f800001u;
  std::memcpy(&signalling, &bits, 4);
  EXPECT_EQ(dot_of_one(signalling, DotPrecision::tf32), INFINITY);  // its payload is below tf32
  EXPECT_TRUE(std::isnan(dot_of_one(NAN, DotPrecision::tf32)));
}

}  // namespace
}  // namespace lockstep::interpreter::kernels::testing
