// Reductions and scans against their definition: the halving tree and the sequential scan, combination by combination,
// with the elementwise kernels as the combining step. Equal bits are asked for.
#include <span>

#include "kernel_fixture.h"

namespace lockstep::interpreter::kernels::testing {
namespace {

constexpr Binary kIntegerOps[] = {Binary::addi,  Binary::muli,  Binary::andi,  Binary::ori,  Binary::xori,
                                  Binary::minsi, Binary::maxsi, Binary::minui, Binary::maxui};
constexpr Binary kFloatOps[] = {Binary::addf,    Binary::mulf,     Binary::minnumf,
                                Binary::maxnumf, Binary::minimumf, Binary::maximumf};

struct Shape {
  std::int64_t outer, n, inner;
};
constexpr Shape kShapes[] = {{1, 1, 1},    {3, 1, 5},   {5, 2, 1},   {7, 4, 1},    {3, 8, 1},     {9, 16, 1},
                             {3, 32, 1},   {2, 64, 1},  {2, 128, 1}, {1, 4096, 1}, {2, 2, 3},     {2, 16, 2},
                             {1, 64, 4},   {3, 8, 16},  {1, 4, 200}, {2, 32, 64},  {1, 16, 300},  {1, 256, 8},
                             {16, 128, 1}, {17, 64, 1}, {41, 32, 1}, {33, 512, 1}, {19, 1024, 1}, {5, 8192, 1}};
/// Extents that are no powers of two: of scans only.
constexpr Shape kScanShapes[] = {{12, 40, 1}, {31, 7, 1}, {16, 32, 1}, {16, 16, 1}, {16, 131, 1}, {9, 3, 1}, {3, 5, 70}};

Tile seeded_tile(Kind kind, std::int64_t count, unsigned seed) {
  std::mt19937_64 random(seed);
  std::normal_distribution<double> normal(0, 2);
  Tile tile(kind, static_cast<std::size_t>(count));
  for (std::size_t i = 0; i < tile.size(); ++i) {
    if (is_float(scalar(kind)))
      tile.set_number(i, random() % 97 == 0 ? std::nan("") : (random() % 31 == 0 ? -0.0 : normal(random)));
    else
      tile.set(i, low_bits(random(), bit_width(scalar(kind))));
  }
  return tile;
}

/// The definition, one combination at a time.
Tile naive_reduce(const Table* table, Binary op, const Tile& in, const Shape& shape) {
  const std::size_t size = static_cast<std::size_t>(bytes_of(in.kind));
  Tile out(in.kind, static_cast<std::size_t>(shape.outer * shape.inner));
  for (std::int64_t o = 0; o < shape.outer; ++o) {
    std::vector<unsigned char> work(
        in.bytes.begin() + static_cast<std::ptrdiff_t>(static_cast<std::size_t>(o * shape.n * shape.inner) * size),
        in.bytes.begin() +
            static_cast<std::ptrdiff_t>(static_cast<std::size_t>((o + 1) * shape.n * shape.inner) * size));
    for (std::int64_t rows = shape.n / 2; rows >= 1; rows /= 2) {
      const std::size_t half = static_cast<std::size_t>(rows * shape.inner) * size;
      table->binary(op, in.kind)(work.data(), work.data(), work.data() + half, rows * shape.inner, 1, 1);
    }
    std::memcpy(out.bytes.data() + static_cast<std::size_t>(o * shape.inner) * size, work.data(),
                static_cast<std::size_t>(shape.inner) * size);
  }
  return out;
}

void expect_same(const Tile& got, const Tile& want, const std::string& label) {
  for (std::size_t i = 0; i < want.size(); ++i) {
    const bool same = is_float(scalar(want.kind)) ? is_same_number(want.kind, got.bits(i), want.bits(i))
                                                  : got.bits(i) == want.bits(i);
    ASSERT_TRUE(same) << label << " element " << i << ": " << got.bits(i) << " instead of " << want.bits(i);
  }
}

std::string label_of(const Table* table, Kind kind, Binary op, const Shape& shape) {
  return std::string(table->name) + " " + name_of(kind) + " op " + std::to_string(static_cast<int>(op)) + " [" +
         std::to_string(shape.outer) + "," + std::to_string(shape.n) + "," + std::to_string(shape.inner) + "]";
}

template <class Check>
void for_every_case(Check check, std::span<const Shape> shapes = kShapes) {
  for (const Table* table : tables())
    for (const Shape& shape : shapes) {
      for (Kind kind : {Kind::i1, Kind::i8, Kind::i16, Kind::i32, Kind::i64})
        for (Binary op : kIntegerOps) check(table, kind, op, shape);
      for (Kind kind : kFloats)
        for (Binary op : kFloatOps) check(table, kind, op, shape);
    }
}

TEST(ReduceKernels, HalvingTree) {
  for_every_case([](const Table* table, Kind kind, Binary op, const Shape& shape) {
    const Tile in = seeded_tile(kind, shape.outer * shape.n * shape.inner, 31);
    Tile out(kind, static_cast<std::size_t>(shape.outer * shape.inner));
    const ReduceFn function = table->reduce(op, kind);
    ASSERT_NE(function, nullptr);
    function(out.data(), in.data(), shape.outer, shape.n, shape.inner);
    expect_same(out, naive_reduce(table, op, in, shape), label_of(table, kind, op, shape));
  });
}

/// Tiles without NaN take a shorter way, unless a zero wins: its sign has a rule. One NaN, signalling too, leaves it.
TEST(ReduceKernels, ExtremaOfNumbersZerosAndOneNaN) {
  for (const Table* table : tables())
    for (const Shape& shape : kShapes)
      for (const Kind kind : {Kind::f32, Kind::f64})
        for (const Binary op : {Binary::minnumf, Binary::maxnumf, Binary::minimumf, Binary::maximumf})
          for (const int flavour : {0, 1, 2, 3, 4}) {
            Tile in(kind, static_cast<std::size_t>(shape.outer * shape.n * shape.inner));
            std::mt19937_64 random(41);
            for (std::size_t i = 0; i < in.size(); ++i) {
              const double value = 1.0 + static_cast<double>(random() % 1000);
              const bool is_zero = flavour != 0 && random() % 3 != 0;
              in.set_number(i, is_zero ? (random() % 2 != 0 ? 0.0 : -0.0) : (flavour == 1 ? value : -value));
            }
            const std::uint64_t quiet = kind == Kind::f32 ? 0x7fc00123u : 0x7ff8000000000123u;
            const std::uint64_t signalling = kind == Kind::f32 ? 0x7f800123u : 0x7ff0000000000123u;
            if (flavour >= 3) in.set(random() % in.size(), flavour == 3 ? quiet : signalling);
            Tile out(kind, static_cast<std::size_t>(shape.outer * shape.inner));
            table->reduce(op, kind)(out.data(), in.data(), shape.outer, shape.n, shape.inner);
            expect_same(out, naive_reduce(table, op, in, shape), label_of(table, kind, op, shape));
          }
}

TEST(ReduceKernels, TheTreeShowsInTheRounding) {
  // (x0 + x2) + (x1 + x3): the two large ones meet first.
  const float values[4] = {1e8f, 1.0f, -1e8f, 2.0f};
  for (const Table* table : tables()) {
    float sum = 0;
    table->reduce(Binary::addf, Kind::f32)(&sum, values, 1, 4, 1);
    EXPECT_EQ(sum, 3.0f);
  }
}

TEST(ReduceKernels, SumsOfHalvesRoundAtEveryStep) {
  // 4,096 times 1.001 in f16 is 4100 on sm_90 (1.001 is 1.0009765625 in f16).
  for (const Table* table : tables()) {
    Tile in(Kind::f16, 4096), out(Kind::f16, 1);
    for (std::size_t i = 0; i < 4096; ++i) in.set_number(i, 1.001);
    table->reduce(Binary::addf, Kind::f16)(out.data(), in.data(), 1, 4096, 1);
    EXPECT_EQ(out.number(0), 4100.0);
  }
}

Tile naive_scan(const Table* table, Binary op, const Tile& in, const Shape& shape, bool reverse) {
  Tile out(in.kind, in.size());
  for (std::int64_t o = 0; o < shape.outer; ++o)
    for (std::int64_t c = 0; c < shape.inner; ++c)
      for (std::int64_t i = 0; i < shape.n; ++i) {
        const auto at = [&](std::int64_t step) {
          return static_cast<std::size_t>((o * shape.n + (reverse ? shape.n - 1 - step : step)) * shape.inner + c);
        };
        if (i == 0) {
          out.set(at(0), in.bits(at(0)));
          continue;
        }
        const Tile acc(in.kind, std::vector<std::uint64_t>{out.bits(at(i - 1))}),
            next(in.kind, std::vector<std::uint64_t>{in.bits(at(i))});
        Tile result(in.kind, 1);
        table->binary(op, in.kind)(result.data(), acc.data(), next.data(), 1, 1, 1);
        out.set(at(i), result.bits(0));
      }
  return out;
}

void check_scans(bool reverse, std::span<const Shape> shapes) {
  for_every_case(
      [reverse](const Table* table, Kind kind, Binary op, const Shape& shape) {
        if (shape.outer * shape.n * shape.inner > 700 && (kind != Kind::f32 || op != Binary::addf)) return;
        Tile in = seeded_tile(kind, shape.outer * shape.n * shape.inner, 32);
        Tile out(kind, in.size());
        const ScanFn function = table->scan(op, kind);
        ASSERT_NE(function, nullptr);
        function(out.data(), in.data(), shape.outer, shape.n, shape.inner, reverse);
        const Tile want = naive_scan(table, op, in, shape, reverse);
        expect_same(out, want, label_of(table, kind, op, shape));
        function(in.data(), in.data(), shape.outer, shape.n, shape.inner, reverse);
        expect_same(in, want, "in place " + label_of(table, kind, op, shape));
      },
      shapes);
}

TEST(ScanKernels, SequentialInBothDirections) {
  for (bool reverse : {false, true}) {
    check_scans(reverse, kShapes);
    check_scans(reverse, kScanShapes);
  }
}

}  // namespace
}  // namespace lockstep::interpreter::kernels::testing
