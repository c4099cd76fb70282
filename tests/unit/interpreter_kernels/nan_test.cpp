// Which NaN comes out of an operation is part of its result, the same for every instruction set, length and mixture of
// uniform operands: of + - * / the first operand that is a NaN, made quiet, else the negative default; of fma, sums and
// products the GPU's one NaN.
#include <array>

#include "kernel_fixture.h"

namespace lockstep::interpreter::kernels::testing {
namespace {

struct Format {
  Kind kind;
  std::uint64_t sign, infinity, quiet, one;
};
constexpr std::array kFormats{
    Format{Kind::f32, 0x80000000, 0x7F800000, 0x00400000, 0x3F800000},
    Format{Kind::f64, 0x8000000000000000, 0x7FF0000000000000, 0x0008000000000000, 0x3FF0000000000000}};

std::vector<std::uint64_t> specials(const Format& f) {
  return {f.infinity | f.quiet,
          f.sign | f.infinity | f.quiet,
          f.infinity | f.quiet | 0x1234,
          f.sign | f.infinity | 0x77,
          f.infinity | 1,
          f.infinity,
          f.sign | f.infinity,
          0,
          f.sign,
          f.one,
          f.sign | f.one};
}
bool is_nan(const Format& f, std::uint64_t bits) { return (bits & ~f.sign) > f.infinity; }
std::uint64_t canonical_nan(const Format& f) { return f.sign - 1; }

/// What must come out where the result is a NaN.
std::uint64_t expected_nan(const Format& f, std::uint64_t a, std::uint64_t b) {
  if (is_nan(f, a)) return a | f.quiet;
  return is_nan(f, b) ? b | f.quiet : f.sign | f.infinity | f.quiet;
}

/// Every pair, `n` of them from the `start`-th on.
struct Pairs {
  Tile a, b;
  Pairs(const Format& f, std::size_t n, std::size_t start) : a(f.kind, n), b(f.kind, n) {
    const auto values = specials(f);
    for (std::size_t i = 0; i < n; ++i) {
      a.set(i, values[(start + i) / values.size() % values.size()]);
      b.set(i, values[(start + i) % values.size()]);
    }
  }
};

TEST(Nan, of_two_operands_the_first_nan_comes_out) {
  for (const Table* table : tables()) {
    for (const Format& f : kFormats) {
      for (const Binary op : {Binary::addf, Binary::subf, Binary::mulf, Binary::divf, Binary::remf}) {
        const BinaryFn apply = table->binary(op, f.kind);
        for (const std::size_t n : {1u, 3u, 7u, 16u, 37u, 121u, 600u}) {
          for (std::size_t start = 0; start < 121; start += n < 16 ? 1 : 40) {
            const Pairs pairs(f, n, start);
            for (int steps = 0; steps < 4; ++steps) {
              const int a_step = steps & 1, b_step = steps >> 1;
              Tile out(f.kind, n);
              apply(out.data(), pairs.a.data(), pairs.b.data(), static_cast<std::int64_t>(n), a_step, b_step);
              for (std::size_t i = 0; i < n; ++i) {
                const std::uint64_t a = pairs.a.bits(a_step != 0 ? i : 0), b = pairs.b.bits(b_step != 0 ? i : 0);
                if (!is_nan(f, out.bits(i)) && !is_nan(f, a) && !is_nan(f, b)) continue;
                ASSERT_EQ(out.bits(i), expected_nan(f, a, b))
                    << table->name << " " << name_of(f.kind) << " op " << static_cast<int>(op) << " " << std::hex << a
                    << ", " << b << std::dec << ", element " << i << " of " << n << ", steps " << a_step << b_step;
              }
            }
          }
        }
      }
    }
  }
}

TEST(Nan, of_a_function_outside_its_domain_it_is_the_negative_default) {
  for (const Table* table : tables()) {
    for (const Format& f : kFormats) {
      for (const Unary op : {Unary::sin, Unary::cos, Unary::tan, Unary::sqrt, Unary::log, Unary::log2}) {
        const bool is_logarithm = op == Unary::log || op == Unary::log2;
        if (is_logarithm && f.kind == Kind::f32) continue;  // own polynomials, whose NaN is a constant
        Tile in(f.kind, 3), out(f.kind, 3);
        const bool is_angle = op != Unary::sqrt && !is_logarithm;
        in.set(0, f.sign | f.infinity);
        in.set(1, is_angle ? f.infinity : f.sign | f.one);
        in.set(2, f.infinity | f.quiet | 0x1234);
        table->unary(op, f.kind)(out.data(), in.data(), 3);
        for (const std::size_t i : {0, 1})
          ASSERT_EQ(out.bits(i), f.sign | f.infinity | f.quiet) << table->name << " " << i;
        ASSERT_EQ(out.bits(2), in.bits(2)) << table->name;
      }
    }
  }
}

TEST(Nan, of_a_fused_operation_it_is_the_one_of_the_gpu) {
  for (const Table* table : tables()) {
    for (const Format& f : kFormats) {
      const TernaryFn apply = table->ternary(Ternary::fma, f.kind);
      const auto values = specials(f);
      for (int steps = 0; steps < 8; ++steps) {
        for (std::size_t third = 0; third < values.size(); ++third) {
          const Pairs pairs(f, 121, 0);
          Tile c(f.kind, 121), out(f.kind, 121);
          for (std::size_t i = 0; i < 121; ++i) c.set(i, values[third]);
          apply(out.data(), pairs.a.data(), pairs.b.data(), c.data(), 121, steps & 1, steps >> 1 & 1, steps >> 2);
          for (std::size_t i = 0; i < 121; ++i) {
            if (!is_nan(f, out.bits(i))) continue;
            ASSERT_EQ(out.bits(i), canonical_nan(f)) << table->name << " " << i;
          }
        }
      }
    }
  }
}

TEST(Nan, of_a_sum_or_product_it_is_the_one_of_the_gpu) {
  for (const Table* table : tables()) {
    for (const Format& f : kFormats) {
      const auto values = specials(f);
      for (const Binary op : {Binary::addf, Binary::mulf}) {
        for (const std::int64_t n : {2, 4, 8, 16, 64, 128, 1024}) {
          for (const std::int64_t inner : {1, 3, 64}) {
            const std::int64_t outer = 33;
            const auto count = static_cast<std::size_t>(outer * n * inner);
            Tile in(f.kind, count), out(f.kind, static_cast<std::size_t>(outer * inner));
            std::mt19937_64 random(7);
            for (std::size_t i = 0; i < count; ++i)
              in.set(i, random() % 5 == 0 ? values[random() % values.size()] : f.one);
            table->reduce(op, f.kind)(out.data(), in.data(), outer, n, inner);
            for (std::size_t i = 0; i < out.size(); ++i) {
              if (!is_nan(f, out.bits(i))) continue;
              ASSERT_EQ(out.bits(i), canonical_nan(f)) << table->name << " n " << n << " inner " << inner;
            }
          }
        }
      }
    }
  }
}

}  // namespace
}  // namespace lockstep::interpreter::kernels::testing
