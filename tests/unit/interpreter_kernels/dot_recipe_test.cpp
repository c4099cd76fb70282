// Whole dots of random shapes, strides, kinds and precisions, byte for byte against the chain that S-42 and S-70
// describe, in every instruction set, with operands used as they lie and prepared; values include every kind of number.
#include "interpreter/kernels/dot.h"

#include <algorithm>
#include <bit>
#include <string>
#include <string_view>
#include <utility>

#include "kernel_fixture.h"

namespace lockstep::interpreter::kernels::testing {
namespace {

struct KindRow {
  Kind a, b, result;
};
constexpr KindRow kKinds[] = {{Kind::f32, Kind::f32, Kind::f32},       {Kind::f16, Kind::f16, Kind::f32},
                              {Kind::bf16, Kind::bf16, Kind::f32},     {Kind::f8E4M3FN, Kind::f8E5M2, Kind::f32},
                              {Kind::f16, Kind::f16, Kind::f16},       {Kind::f64, Kind::f64, Kind::f64},
                              {Kind::f16, Kind::bf16, Kind::f32},      {Kind::i8, Kind::i8, Kind::i32},
                              {Kind::f8E4M3FNUZ, Kind::f16, Kind::f32}};

struct Problem {
  KindRow kinds;
  DotPrecision precision;
  std::int64_t m, n, k;
  std::int64_t a_row, a_column, b_row, b_column;
  bool starts_uniform, lists_rows;
};

/// A stride of each dimension such that elements do not share a place; sometimes far apart or transposed.
void choose_strides(std::mt19937& random, std::int64_t rows, std::int64_t columns, std::int64_t& row,
                    std::int64_t& column) {
  const std::int64_t step = random() % 5 == 0 ? 2 : 1, gap = random() % 2 == 0 ? 0 : 1 + random() % 5;
  if (random() % 2 == 0) {
    column = step;
    row = columns * step + gap;
  } else {
    row = step;
    column = rows * step + gap;
  }
}

Problem random_problem(std::mt19937& random) {
  Problem p;
  p.kinds = kKinds[random() % std::size(kKinds)];
  p.precision = static_cast<DotPrecision>(random() % 5);
  const auto extent = [&](std::int64_t most) { return random() % 4 == 0 ? 16 : 1 + random() % most; };
  p.m = extent(40);
  p.n = random() % 3 == 0 ? 64 + random() % 80 : extent(70);
  p.k = random() % 12 == 0 ? 250 + random() % 20 : extent(40);
  choose_strides(random, p.m, p.k, p.a_row, p.a_column);
  choose_strides(random, p.k, p.n, p.b_row, p.b_column);
  p.starts_uniform = random() % 3 == 0;
  p.lists_rows = (p.m + p.n + p.k) % 2 == 0;
  return p;
}

/// Mostly plain numbers; some bits of any meaning where `is_wild`.
Tile random_tile(std::mt19937& random, Kind kind, std::int64_t count, bool is_wild) {
  Tile tile(kind, static_cast<std::size_t>(count));
  const auto corners = sample_bits(kind, 64, 5);
  for (std::size_t i = 0; i < tile.size(); ++i) {
    if (!is_float(scalar(kind)))
      tile.set(i, low_bits(random(), 8 * bytes_of(kind)));
    else if (is_wild && random() % 16 == 0)
      tile.set(i, corners[random() % corners.size()]);
    else
      tile.set_number(i, (static_cast<int>(random() % 8191) - 4095) * 0x1p-10);
  }
  return tile;
}

template <class T>
T canonical(T value) {
  if (value == value) return value;
  return sizeof(T) == 4 ? static_cast<T>(std::bit_cast<float>(0x7fffffff))
                        : static_cast<T>(std::bit_cast<double>(std::int64_t{0x7fffffffffffffff}));
}

struct Pieces {
  DotPiece a, b;
  bool drops_nan = false;
};
/// The products of S-70, in their order.
std::vector<Pieces> recipe_pieces(const Problem& p) {
  using D = DotPiece;
  if (p.kinds.a != Kind::f32 || p.kinds.b != Kind::f32) return {{D::whole, D::whole}};
  switch (p.precision) {
    case DotPrecision::tf32: return {{D::truncated_tf32, D::truncated_tf32}};
    case DotPrecision::tf32x3:
      return {{D::small_tf32, D::large_tf32}, {D::large_tf32, D::small_tf32}, {D::large_tf32, D::large_tf32, true}};
    case DotPrecision::bf16x3:
      return {{D::middle_bf16, D::high_bf16}, {D::high_bf16, D::middle_bf16}, {D::high_bf16, D::high_bf16, true}};
    case DotPrecision::bf16x6:
      return {{D::middle_bf16, D::middle_bf16}, {D::low_bf16, D::high_bf16},    {D::high_bf16, D::low_bf16},
              {D::middle_bf16, D::high_bf16},   {D::high_bf16, D::middle_bf16}, {D::high_bf16, D::high_bf16, true}};
    case DotPrecision::ieee: break;
  }
  return {{D::whole, D::whole}};
}

float piece_of(float value, DotPiece piece) {
  if (piece == DotPiece::whole) return value;
  float out = 0;
  table().dot_piece(piece)(&out, &value, 1);
  return out;
}

/// One element by the book, as bits of the result's kind.
std::uint64_t element(const Problem& p, const Tile& a, const Tile& b, std::uint64_t start, std::int64_t i,
                      std::int64_t j) {
  const auto a_at = [&](std::int64_t l) { return static_cast<std::size_t>(i * p.a_row + l * p.a_column); };
  const auto b_at = [&](std::int64_t l) { return static_cast<std::size_t>(l * p.b_row + j * p.b_column); };
  if (p.kinds.result == Kind::i32) {
    std::uint32_t sum = static_cast<std::uint32_t>(start);
    for (std::int64_t l = 0; l < p.k; ++l)
      sum += static_cast<std::uint32_t>(sign_extended(a.bits(a_at(l)), 8) * sign_extended(b.bits(b_at(l)), 8));
    return sum;
  }
  if (p.kinds.result == Kind::f64) {
    double sum = decode_float(ScalarKind::f64, start);
    for (std::int64_t l = 0; l < p.k; ++l) sum = std::fma(a.number(a_at(l)), b.number(b_at(l)), sum);
    return std::bit_cast<std::uint64_t>(canonical(sum));
  }
  const auto before = static_cast<float>(decode_float(scalar(p.kinds.result), start));
  const auto products = recipe_pieces(p);
  float sum = products.size() > 1 ? 0.0f : before;
  for (const Pieces& product : products) {
    if (product.drops_nan && sum != sum) sum = 0;
    for (std::int64_t l = 0; l < p.k; ++l)
      sum = std::fma(piece_of(static_cast<float>(a.number(a_at(l))), product.a),
                     piece_of(static_cast<float>(b.number(b_at(l))), product.b), sum);
    sum = canonical(sum);
  }
  if (products.size() > 1) sum += before;
  return p.kinds.result == Kind::f16 ? encode_float(ScalarKind::f16, static_cast<double>(sum))
                                     : std::bit_cast<std::uint32_t>(sum);
}

Tile run(const Problem& p, const Table& kernels, const Tile& a, const Tile& b, const Tile& start, bool prepares_all) {
  const DotRecipe recipe({scalar(p.kinds.result), p.precision, p.m, p.n, p.k}, scalar(a.kind), scalar(b.kind), kernels);
  std::vector<char> memory[2];
  std::vector<std::uint64_t> rows[2];
  const auto take = [&](Side side, const Tile& tile, std::int64_t row, std::int64_t column) {
    DotOperand operand{tile.data(), scalar(tile.kind), row, column};
    if (prepares_all && p.lists_rows && column == 1) {  // the same elements, by the addresses of their rows
      auto& listed = rows[static_cast<int>(side)];
      for (std::int64_t i = 0; i < (side == Side::left ? p.m : p.k); ++i)
        listed.push_back(reinterpret_cast<std::uint64_t>(tile.data()) +
                         static_cast<std::uint64_t>(i * row * bytes_of(tile.kind)));
      operand = {nullptr, scalar(tile.kind), 0, 1, listed.data()};
    }
    if (!prepares_all && recipe.is_ready(side, operand)) return DotRecipe::as_it_lies(operand);
    auto& place = memory[static_cast<int>(side)];
    place.assign(static_cast<std::size_t>(recipe.prepared_bytes(side)), '\x7f');
    return recipe.prepare(side, operand, place.data());
  };
  std::vector<char> scratch(static_cast<std::size_t>(recipe.scratch_bytes()), '\x7f');
  Tile out(p.kinds.result, static_cast<std::size_t>(p.m * p.n));
  const PreparedOperand left = take(Side::left, a, p.a_row, p.a_column),
                        right = take(Side::right, b, p.b_row, p.b_column);
  if (prepares_all && !p.starts_uniform) {  // in place, too
    out = start;
    recipe.run(out.data(), {out.data(), false}, left, right, scratch.data());
  } else {
    recipe.run(out.data(), {start.data(), p.starts_uniform}, left, right, scratch.data());
  }
  return out;
}

/// NaN of f32 and f64 chains have one pattern; those of f16 and of sums at the end may have any.
bool is_right(const Problem& p, std::uint64_t got, std::uint64_t want) {
  const bool any_nan = p.kinds.result == Kind::f16 || recipe_pieces(p).size() > 1;
  return got == want || (any_nan && is_same_number(p.kinds.result, got, want));
}

/// Every instruction set's bits against the book's, operands as they lie and prepared.
void check_every_set(const Problem& p, const Tile& a, const Tile& b, const Tile& start, const std::string& label) {
  std::vector<std::uint64_t> want;
  for (std::int64_t i = 0; i < p.m * p.n; ++i)
    want.push_back(element(p, a, b, start.bits(p.starts_uniform ? 0 : static_cast<std::size_t>(i)), i / p.n, i % p.n));
  for (const Table* kernels : tables()) {
    for (const bool prepares_all : {false, true}) {
      const Tile got = run(p, *kernels, a, b, start, prepares_all);
      for (std::size_t i = 0; i < want.size(); ++i)
        ASSERT_TRUE(is_right(p, got.bits(i), want[i]))
            << kernels->name << " " << name_of(p.kinds.a) << " " << name_of(p.kinds.b) << " -> "
            << name_of(p.kinds.result) << " " << p.m << "x" << p.n << "x" << p.k << " precision "
            << static_cast<int>(p.precision) << " " << label << " element " << i << ": " << std::hex << got.bits(i)
            << " instead of " << want[i];
    }
  }
}

std::int64_t reach(std::int64_t rows, std::int64_t row, std::int64_t columns, std::int64_t column) {
  return (rows - 1) * row + (columns - 1) * column + 1;
}

TEST(DotRecipe, EveryBitOfRandomDotsInEveryInstructionSet) {
  std::mt19937 random(42);
  for (int round = 0; round < 250; ++round) {
    const Problem p = random_problem(random);
    const bool is_wild = round % 3 == 0;
    const Tile a = random_tile(random, p.kinds.a, reach(p.m, p.a_row, p.k, p.a_column), is_wild);
    const Tile b = random_tile(random, p.kinds.b, reach(p.k, p.b_row, p.n, p.b_column), is_wild);
    const Tile start = random_tile(random, p.kinds.result, p.m * p.n, is_wild);
    ASSERT_NO_FATAL_FAILURE(check_every_set(p, a, b, start, "round " + std::to_string(round)));
  }
}

/// Exponents of the operands and of the start: [least, least + spread]; some zeros and corners among the numbers.
struct Mood {
  const char* name;
  int a, b, start, spread, start_spread, zeros, corners;  // of 64 elements
};
constexpr Mood kMoods[] = {{"plain", 110, 120, 115, 20, 20, 4, 0},
                           {"products at the border of subnormal sums", 70, 84, 1, 2, 60, 8, 0},
                           {"products below the border", 40, 62, 0, 30, 60, 8, 0},
                           {"plain products on subnormal starts", 77, 77, 0, 1, 3, 40, 0},
                           {"subnormal factors", 0, 200, 80, 3, 40, 8, 0},
                           {"overflow", 185, 192, 230, 6, 24, 8, 0},
                           {"sums overflow", 187, 188, 250, 1, 4, 8, 0},
                           {"infinities and NaN", 110, 110, 110, 30, 30, 8, 1},
                           {"cancellation", 120, 120, 120, 0, 0, 8, 0},
                           {"zeros of both signs", 120, 120, 0, 4, 4, 60, 0}};

Tile moody_tile(std::mt19937& random, Kind kind, std::int64_t count, int exponent, int spread, const Mood& mood,
                bool is_cancelling) {
  Tile tile(kind, static_cast<std::size_t>(count));
  const auto corners = sample_bits(kind, 64, 5);
  const int fraction = kind == Kind::bf16 ? 7 : 23;
  for (std::size_t i = 0; i < tile.size(); ++i) {
    const std::uint32_t sign = (random() & 1u) << (fraction + 8);
    const auto place = static_cast<int>(random() % 64);
    std::uint32_t bits = static_cast<std::uint32_t>(exponent + static_cast<int>(random() % (spread + 1u))) << fraction;
    if (!is_cancelling) bits |= random() & ((1u << fraction) - 1);
    if (place < mood.zeros) bits = 0;
    if (place >= 64 - mood.corners)
      tile.set(i, corners[random() % corners.size()]);
    else
      tile.set(i, sign | bits);
  }
  return tile;
}

TEST(DotRecipe, ProductsOfBf16OnHostileNumbersInEveryInstructionSet) {
  std::mt19937 random(11);
  for (int round = 0; round < 120; ++round) {
    const Mood& mood = kMoods[static_cast<std::size_t>(round) % std::size(kMoods)];
    Problem p = random_problem(random);
    p.kinds = {Kind::bf16, Kind::bf16, Kind::f32};
    if (round % 7 == 6) p.k = 600 + random() % 3;  // more than one pass over k
    if (round % 7 == 6) choose_strides(random, p.m, p.k, p.a_row, p.a_column);
    if (round % 7 == 6) choose_strides(random, p.k, p.n, p.b_row, p.b_column);
    const bool is_cancelling = std::string_view(mood.name) == "cancellation";
    const auto tile = [&](Kind kind, std::int64_t count, int exponent, int spread) {
      return moody_tile(random, kind, count, exponent, spread, mood, is_cancelling);
    };
    const Tile a = tile(Kind::bf16, reach(p.m, p.a_row, p.k, p.a_column), mood.a, mood.spread);
    const Tile b = tile(Kind::bf16, reach(p.k, p.b_row, p.n, p.b_column), mood.b, mood.spread);
    const Tile start = tile(Kind::f32, p.m * p.n, mood.start, mood.start_spread);
    ASSERT_NO_FATAL_FAILURE(check_every_set(p, a, b, start, mood.name));
  }
}

TEST(DotRecipe, Bf16ByOneInstructionAndByChainsAgree) {
  std::mt19937 random(5);
  for (const Table* kernels : tables()) {
    const Bf16Products products = kernels->bf16_products();
    if (products.gemm == nullptr) continue;
    constexpr std::int64_t m = 29, n = 181, k = 300;  // k pairs
    const Mood& plain = kMoods[0];
    const Tile a = moody_tile(random, Kind::bf16, 2 * m * k, plain.a, plain.spread, plain, false);
    const Tile b = moody_tile(random, Kind::bf16, 2 * k * n, plain.b, plain.spread, plain, false);
    Tile start = moody_tile(random, Kind::f32, m * n, plain.start, plain.start_spread, plain, false);
    // Blocks with such starts give way to chains.
    for (std::size_t i = 0; i < start.size(); i += 997) start.set(i, i % 2 == 0 ? 0x00000001u : 0x7f800000u);
    Tile one(Kind::f32, m * n), other(Kind::f32, m * n);
    for (const auto& [gemm, out] : {std::pair{products.gemm, &one}, std::pair{products.exact_gemm, &other}})
      gemm({out->data(), n, start.data(), n, false, nullptr, 0, a.data(), k, 1, b.data(), n, m, n, k});
    EXPECT_EQ(one.bytes, other.bytes) << kernels->name;
  }
}

/// Factors of several products and their memory.
struct Prepared {
  std::vector<std::vector<char>> memory;
  std::vector<DotFactors> factors;
};

Prepared prepared_for(const DotRecipe& recipe, const Problem& p, const std::vector<Tile>& a, const std::vector<Tile>& b) {
  Prepared made;
  made.memory.reserve(2 * a.size());
  const auto prepare = [&](Side side, const Tile& tile, std::int64_t row, std::int64_t column) {
    made.memory.emplace_back(static_cast<std::size_t>(recipe.prepared_bytes(side)), '\x7f');
    return recipe.prepare(side, {tile.data(), scalar(tile.kind), row, column}, made.memory.back().data());
  };
  for (std::size_t i = 0; i < a.size(); ++i) {
    const PreparedOperand left = prepare(Side::left, a[i], p.a_row, p.a_column);
    made.factors.push_back({left, prepare(Side::right, b[i], p.b_row, p.b_column)});
  }
  return made;
}

TEST(DotRecipe, JoinedProductsGiveTheBytesOfOneAfterTheOther) {
  std::mt19937 random(17);
  std::size_t most = 0;
  for (int round = 0; round < 150; ++round) {
    Problem p = random_problem(random);
    const bool is_integer = round % 5 == 4, is_whole = round % 5 == 3;
    p.kinds = is_integer ? KindRow{Kind::i8, Kind::i8, Kind::i32} : KindRow{Kind::bf16, Kind::bf16, Kind::f32};
    if (is_whole) p.kinds = KindRow{Kind::f32, Kind::f32, Kind::f32};
    if (is_whole) p.precision = DotPrecision::ieee;
    const auto tile = [&](Kind kind, std::int64_t count, bool is_left) {
      if (is_integer || is_whole) return random_tile(random, kind, count, is_whole);
      // Each product has a mood of its own, so that some must not be joined with the others.
      const Mood& mood = kMoods[round % 3 == 0 ? 0 : random() % std::size(kMoods)];
      return moody_tile(random, kind, count, is_left ? mood.a : mood.b, mood.spread, mood, false);
    };
    for (const Table* kernels : tables()) {
      const DotRecipe recipe({scalar(p.kinds.result), p.precision, p.m, p.n, p.k}, scalar(p.kinds.a), scalar(p.kinds.b),
                             *kernels);
      if (recipe.products_to_join() < 2) continue;
      const std::size_t count = 1 + random() % std::min<std::size_t>(recipe.products_to_join(), 20);
      most = std::max(most, count);
      std::vector<Tile> a, b;
      for (std::size_t i = 0; i < count; ++i) {
        a.push_back(tile(p.kinds.a, reach(p.m, p.a_row, p.k, p.a_column), true));
        b.push_back(tile(p.kinds.b, reach(p.k, p.b_row, p.n, p.b_column), false));
      }
      const Tile start = random_tile(random, p.kinds.result, p.m * p.n, round % 2 == 0);
      const Prepared made = prepared_for(recipe, p, a, b);
      Tile joined(p.kinds.result, static_cast<std::size_t>(p.m * p.n)), in_turn = joined;
      recipe.run_joined(joined.data(), {start.data(), p.starts_uniform}, made.factors);
      DotStart from{start.data(), p.starts_uniform};
      for (const DotFactors& each : made.factors) {
        ASSERT_TRUE(DotRecipe::go_together(made.factors[0], each));
        recipe.run(in_turn.data(), from, each.a, each.b, nullptr);
        from = {in_turn.data(), false};
      }
      ASSERT_EQ(joined.bytes, in_turn.bytes) << kernels->name << " round " << round << ": " << count << " of " << p.m
                                             << "x" << p.n << "x" << p.k;
    }
  }
  EXPECT_GT(most, 10u);
}

TEST(DotRecipe, PreparedBf16HasTheMagnitudesOfItsElements) {
  std::mt19937 random(23);
  for (int round = 0; round < 60; ++round) {
    Problem p = random_problem(random);
    const Mood& mood = kMoods[static_cast<std::size_t>(round) % std::size(kMoods)];
    for (const Table* kernels : tables()) {
      if (kernels->bf16_products().gemm == nullptr) continue;
      const DotRecipe recipe({ScalarKind::f32, p.precision, p.m, p.n, p.k}, ScalarKind::bf16, ScalarKind::bf16, *kernels);
      std::vector<Tile> a, b;
      a.push_back(moody_tile(random, Kind::bf16, reach(p.m, p.a_row, p.k, p.a_column), mood.a, mood.spread, mood, false));
      b.push_back(moody_tile(random, Kind::bf16, reach(p.k, p.b_row, p.n, p.b_column), mood.b, mood.spread, mood, false));
      const Prepared made = prepared_for(recipe, p, a, b);
      const std::int64_t pairs = (p.k + 1) / 2;
      const auto check = [&](const PreparedOperand& operand, std::int64_t lines) {
        const Magnitudes want = kernels->bf16_products().magnitudes(operand.data, 2 * pairs * lines);
        EXPECT_EQ(operand.magnitudes.largest, want.largest);
        EXPECT_TRUE(want.largest == 0 || operand.magnitudes.least == want.least);
      };
      check(made.factors[0].a, p.m);
      check(made.factors[0].b, p.n);
    }
  }
}

TEST(DotRecipe, MagnitudesOfBf16) {
  for (const Table* kernels : tables()) {
    const auto magnitudes = kernels->bf16_products().magnitudes;
    if (magnitudes == nullptr) continue;
    std::vector<std::uint16_t> values(100, 0x8000);
    EXPECT_GT(magnitudes(values.data(), 100).least, magnitudes(values.data(), 100).largest);
    values[3] = 0xbf80, values[77] = 0x0001, values[99] = 0xff80;
    EXPECT_EQ(magnitudes(values.data(), 99).least, 1u);
    EXPECT_EQ(magnitudes(values.data(), 99).largest, 0x3f80u);
    EXPECT_EQ(magnitudes(values.data() + 78, 22).least, 0x7f80u);
  }
}

TEST(DotRecipe, PairsWithAndWithoutTheInstructionAgree) {
  std::mt19937 random(7);
  for (const Table* kernels : tables()) {
    const GemmFn plain = kernels->gemm_of_pairs(), at_once = kernels->gemm_of_pairs_at_once();
    if (at_once == nullptr) continue;
    constexpr std::int64_t m = 13, n = 75, k = 9;
    Tile a(Kind::i32, m * k), b(Kind::i32, k * n), start(Kind::i32, m * n);
    const auto pair = [&] {
      const auto half = [&] { return static_cast<std::uint16_t>(static_cast<std::int8_t>(random())); };
      return half() | static_cast<std::uint32_t>(half()) << 16;
    };
    for (std::size_t i = 0; i < a.size(); ++i) a.set(i, i % 5 == 0 ? 0xff80ff80u : pair());
    for (std::size_t i = 0; i < b.size(); ++i) b.set(i, i % 7 == 0 ? 0xff80ff80u : pair());
    for (std::size_t i = 0; i < start.size(); ++i) start.set(i, random());
    Tile one(Kind::i32, m * n), other(Kind::i32, m * n);
    for (const auto& [gemm, out] : {std::pair{plain, &one}, std::pair{at_once, &other}})
      gemm({out->data(), n, start.data(), n, false, nullptr, 0, a.data(), k, 1, b.data(), n, m, n, k});
    EXPECT_EQ(one.bytes, other.bytes) << kernels->name;
  }
}

}  // namespace
}  // namespace lockstep::interpreter::kernels::testing
