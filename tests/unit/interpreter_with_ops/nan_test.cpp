// Which NaN comes out of functions that are no vector kernels (S-36): of libdevice, math ops, inline assembly in f64
// and atomic additions it is the first operand that is a NaN, made quiet, else the negative default; of fused
// operations the GPU's one. The processor's own choice, which differs between x86 and ARM, must show nowhere.
#include <gtest/gtest.h>

#include <set>

#include "interpreter/libdevice/catalogue.h"
#include "launch_fixture.h"

namespace lockstep::interpreter {
namespace {

using libdevice::Function;
using Bits = std::uint64_t;

struct Format {
  ScalarKind kind;
  Bits sign, infinity, quiet;
  bool is_nan(Bits bits) const { return (bits & ~sign) > infinity; }
  Bits made() const { return sign | infinity | quiet; }
  Bits one_of_gpu() const { return sign - 1; }
};
constexpr Format kSingle{ScalarKind::f32, 0x80000000, 0x7F800000, 0x00400000};
constexpr Format kDouble{ScalarKind::f64, 0x8000000000000000, 0x7FF0000000000000, 0x0008000000000000};
constexpr Format kHalf{ScalarKind::f16, 0x8000, 0x7C00, 0x0200};

/// Numbers outside some function's domain, infinities, quiet and signalling NaNs. Payloads reach beyond f16's.
std::vector<Bits> specials(const Format& f) {
  const Bits payload = f.quiet >> 2;
  std::vector<Bits> all{f.infinity,
                        f.sign | f.infinity,
                        f.infinity | f.quiet | payload,
                        f.sign | f.infinity | f.quiet,
                        f.infinity | payload,
                        f.sign | f.infinity | payload,
                        0,
                        f.sign};
  for (const double number : {-2.0, 0.25, 3.0, -5.5}) all.push_back(encode_float(f.kind, number));
  return all;
}

const Format* format_of(ScalarKind kind) {
  return kind == ScalarKind::f32 ? &kSingle : kind == ScalarKind::f64 ? &kDouble : nullptr;
}

Bits called(const Function& row, const std::array<Bits, 4>& operand) {
  Bits out = 0;
  switch (row.operand_count) {
    case 1: row.unary(&out, &operand[0], 1); break;
    case 2: row.binary(&out, &operand[0], &operand[1], 1, 1, 1); break;
    case 3: row.ternary(&out, &operand[0], &operand[1], &operand[2], 1, 1, 1, 1); break;
    default: row.quaternary(&out, {&operand[0], &operand[1], &operand[2], &operand[3]}, 1, {1, 1, 1, 1});
  }
  return out;
}

/// The first operand that is a NaN as the result's kind holds it, quiet; else the negative default.
Bits expected_nan(const Function& row, const Format& result, const std::array<Bits, 4>& operand) {
  for (std::size_t i = 0; i < row.operand_count; ++i) {
    const Format* format = format_of(row.operand[i]);
    if (format == nullptr || !format->is_nan(operand[i])) continue;
    if (format->kind == result.kind) return operand[i] | result.quiet;
    const Bits sign = (operand[i] & format->sign) != 0 ? result.sign : 0;  // the only case: f64 to f32
    return sign | result.infinity | result.quiet | (operand[i] >> 29 & (result.quiet - 1));
  }
  return result.made();
}

bool moves_bits(const Function& row) {
  static const std::set<std::string_view> kNames{"__nv_fabs",      "__nv_fabsf", "__nv_copysign",
                                                 "__nv_copysignf", "__nv_fmax",  "__nv_fmaxf",
                                                 "__nv_fmin",      "__nv_fminf", "__nv_saturatef"};
  return kNames.contains(row.symbol);
}

/// Every combination of specials in all operands.
void check_row(const Function& row, const Format& result) {
  const bool is_fused =
      row.symbol.starts_with("__nv_fma_") || row.symbol.starts_with("__nv_fmaf") || row.symbol == "__nv_fma";
  std::array<std::vector<Bits>, 4> values{{{0}, {0}, {0}, {0}}};
  for (std::size_t i = 0; i < row.operand_count; ++i) {
    const Format* format = format_of(row.operand[i]);
    values[i] = format != nullptr ? specials(*format) : std::vector<Bits>{2, 0xffffffff};
  }
  for (const Bits a : values[0])
    for (const Bits b : values[1])
      for (const Bits c : values[2])
        for (const Bits d : values[3]) {
          const std::array<Bits, 4> operand{a, b, c, d};
          const Bits got = called(row, operand);
          if (!result.is_nan(got)) continue;
          ASSERT_EQ(got, is_fused ? result.one_of_gpu() : expected_nan(row, result, operand))
              << row.symbol << std::hex << " of " << a << ", " << b << ", " << c << ", " << d << " gives " << got;
        }
}

TEST(Nan, OfLibdevice) {
  int checked = 0;
  for (const Function& row : libdevice::functions()) {
    const Format* result = format_of(row.result);
    bool has_floats = false;
    for (std::size_t i = 0; i < row.operand_count; ++i) has_floats |= format_of(row.operand[i]) != nullptr;
    if (result == nullptr || !has_floats || moves_bits(row)) continue;
    ++checked;
    check_row(row, *result);
  }
  EXPECT_GT(checked, 190);
}

TEST(Nan, OfBitsThatMoveIsKept) {
  const auto of_two = [](const char* symbol, Bits a, Bits b) { return called(*libdevice::find(symbol), {a, b, 0, 0}); };
  EXPECT_EQ(of_two("__nv_copysignf", 0x7f800001, 0x80000000), 0xff800001u);
  EXPECT_EQ(of_two("__nv_copysign", 0xfff0000000000001, 0), 0x7ff0000000000001u);
  EXPECT_EQ(of_two("__nv_fabs", 0xfff0000000000001, 0), 0x7ff0000000000001u);
  EXPECT_EQ(of_two("__nv_fabsf", 0xffc00001, 0), 0x7fc00001u);
}

/// What op leaves of every special.
std::vector<Bits> ran(const std::string& op, const Format& f) {
  const auto in = specials(f);
  const std::string kind(spelling(f.kind)), tile = "tensor<16x" + kind + ">",
                                            pointers = "tensor<16x!tt.ptr<" + kind + ">>";
  std::string text =
      "module {\n  tt.func public @k(%x: !tt.ptr<KIND>, %o: !tt.ptr<KIND>) {\n"
      "    %r = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>\n"
      "    %xs = tt.splat %x : !tt.ptr<KIND> -> POINTERS\n"
      "    %xp = tt.addptr %xs, %r : POINTERS, tensor<16xi32>\n    %v = tt.load %xp : POINTERS\n"
      "    %y = OP\n    %os = tt.splat %o : !tt.ptr<KIND> -> POINTERS\n"
      "    %op = tt.addptr %os, %r : POINTERS, tensor<16xi32>\n    tt.store %op, %y : POINTERS\n"
      "    tt.return\n  }\n}\n";
  const auto put = [&text](const std::string& word, const std::string& by) {
    for (std::size_t at; (at = text.find(word)) != std::string::npos;) text.replace(at, word.size(), by);
  };
  put("OP\n", op + " : " + tile + "\n");
  put("POINTERS", pointers);
  put("KIND", kind);
  Harness h(text);
  const auto bytes = static_cast<std::size_t>(size_bytes(f.kind));
  std::vector<std::int8_t> data(16 * bytes);
  for (std::size_t i = 0; i < in.size(); ++i) std::memcpy(&data[i * bytes], &in[i], bytes);
  h.tensor(data, ScalarKind::i8);
  h.tensor(std::vector<std::int8_t>(16 * bytes), ScalarKind::i8);
  h.run();
  const auto left = h.values<std::int8_t>(1);
  std::vector<Bits> out(in.size());
  for (std::size_t i = 0; i < in.size(); ++i) std::memcpy(&out[i], &left[i * bytes], bytes);
  return out;
}

TEST(Nan, OfMathOps) {
  for (const Format& f : {kHalf, kSingle, kDouble}) {
    const auto in = specials(f);
    for (const std::string name : {"acos", "acosh", "asin", "asinh", "atan", "atanh", "cbrt", "cosh", "erfc", "expm1",
                                   "log10", "log1p", "round", "roundeven", "sinh", "trunc"}) {
      const auto got = ran("math." + name + " %v", f);
      for (std::size_t i = 0; i < in.size(); ++i) {
        if (!f.is_nan(got[i])) continue;
        EXPECT_EQ(got[i], f.is_nan(in[i]) ? in[i] | f.quiet : f.made())
            << name << " " << spelling(f.kind) << std::hex << " of " << in[i] << " gives " << got[i];
      }
    }
    const auto powers = ran("math.powf %v, %v", f);
    for (std::size_t i = 0; i < in.size(); ++i) {
      if (f.is_nan(powers[i])) {
        EXPECT_EQ(powers[i], f.is_nan(in[i]) ? in[i] | f.quiet : f.made()) << std::hex << in[i];
      }
    }
  }
}

/// Adjacent lanes go in strips, the last ones alone: lanes 0 to 15 and 16 to 23 of 24 ask both.
TEST(Nan, OfAtomicAdditions) {
  Harness h(
      "module {\n  tt.func public @k(%x: !tt.ptr<f32>, %v: !tt.ptr<f32>) {\n"
      "    %r = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32>\n"
      "    %n = arith.constant dense<24> : tensor<32xi32>\n    %m = arith.cmpi slt, %r, %n : tensor<32xi32>\n"
      "    %xs = tt.splat %x : !tt.ptr<f32> -> tensor<32x!tt.ptr<f32>>\n"
      "    %xp = tt.addptr %xs, %r : tensor<32x!tt.ptr<f32>>, tensor<32xi32>\n"
      "    %vs = tt.splat %v : !tt.ptr<f32> -> tensor<32x!tt.ptr<f32>>\n"
      "    %vp = tt.addptr %vs, %r : tensor<32x!tt.ptr<f32>>, tensor<32xi32>\n"
      "    %a = tt.load %vp, %m : tensor<32x!tt.ptr<f32>>\n"
      "    %o = tt.atomic_rmw fadd, relaxed, gpu, %xp, %a, %m : (tensor<32x!tt.ptr<f32>>, tensor<32xf32>, "
      "tensor<32xi1>) -> tensor<32xf32>\n    tt.return\n  }\n}\n");
  const Bits pairs[][3] = {{0x7fc00001, 0xffc00002, 0x7fc00001}, {0xffc00002, 0x7fc00001, 0xffc00002},
                           {0x7f800001, 0x7fc00002, 0x7fc00001}, {0x7fc00001, 0x7f800002, 0x7fc00001},
                           {0x3f800000, 0xff800002, 0xffc00002}, {0xffc00003, 0x3f800000, 0xffc00003},
                           {0x7f800000, 0xff800000, 0xffc00000}, {0x3f800000, 0x3f800000, 0x40000000}};
  std::vector<std::int32_t> old(24), value(24);
  for (std::size_t i = 0; i < 24; ++i) {
    old[i] = static_cast<std::int32_t>(pairs[i % 8][0]);
    value[i] = static_cast<std::int32_t>(pairs[i % 8][1]);
  }
  h.tensor(old);
  h.tensor(value);
  h.run();
  const auto left = h.values<std::int32_t>(0);
  for (std::size_t i = 0; i < 24; ++i) EXPECT_EQ(static_cast<std::uint32_t>(left[i]), pairs[i % 8][2]) << i;
}

}  // namespace
}  // namespace lockstep::interpreter
