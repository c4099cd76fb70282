// The models of sm_90's approximate instructions against what an H100 answered. The answers are kept as hashes: of all
// 2^23 arguments of a binade, of every 4093rd bit pattern of all 2^32, of special arguments, and of 2^20 quotients. All
// 2^32 arguments: tests/tools/gpu_bits_all.cpp.
#include "interpreter/gpu_bits/instructions.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdlib>
#include <string>
#include <vector>

#include "interpreter/gpu_bits/interpolator.h"

namespace lockstep::interpreter::gpu_bits {
namespace {

constexpr auto kKeep = Subnormals::keep;
constexpr auto kFlush = Subnormals::flush;

using Instruction = std::uint32_t (*)(std::uint32_t);

struct Recorded {
  const char* name;
  Instruction instruction;
  std::uint32_t first;  // argument i is first + i * step
  std::uint32_t step;
  std::uint32_t count;
  std::uint64_t hash;
};
void PrintTo(const Recorded& row, std::ostream* out) { *out << row.name << " from " << row.first; }

/// FNV-1a over the words answer(0), answer(1), ...
template <class Answer>
std::uint64_t hash_of(std::uint32_t count, Answer answer) {
  std::uint64_t hash = 0xcbf29ce484222325u;
  for (std::uint32_t i = 0; i < count; ++i) hash = (hash ^ answer(i)) * 0x100000001b3u;
  return hash;
}

class Gpu : public testing::TestWithParam<Recorded> {};

TEST_P(Gpu, AnswersAsRecorded) {
  const Recorded& row = GetParam();
  EXPECT_EQ(hash_of(row.count, [&](std::uint32_t i) { return row.instruction(row.first + i * row.step); }), row.hash);
}

template <auto instruction, Subnormals subnormals>
std::uint32_t with(std::uint32_t x) {
  return instruction(x, subnormals);
}

const Recorded kRecorded[] = {
    {"ex2.approx.ftz.f32", with<ex2_approx, kFlush>, 0x3f800000, 1, 1 << 23, 0x3f0f3852f2fa7edb},
    {"ex2.approx.ftz.f32", with<ex2_approx, kFlush>, 0x3f000000, 1, 1 << 23, 0x1938ae1ca053e4e7},
    {"ex2.approx.ftz.f32", with<ex2_approx, kFlush>, 0x3e800000, 1, 1 << 23, 0xb94e8e67fa1d559d},
    {"ex2.approx.ftz.f32", with<ex2_approx, kFlush>, 0x3e000000, 1, 1 << 23, 0xe32c3860f7a8385d},
    {"ex2.approx.ftz.f32", with<ex2_approx, kFlush>, 0x3d000000, 1, 1 << 23, 0x23c7131a4a37fbe5},
    {"ex2.approx.ftz.f32", with<ex2_approx, kFlush>, 0x3b800000, 1, 1 << 23, 0xe3667ab0192a5025},
    {"ex2.approx.ftz.f32", with<ex2_approx, kFlush>, 0x40000000, 1, 1 << 23, 0xff44ef0b57f12d1d},
    {"ex2.approx.ftz.f32", with<ex2_approx, kFlush>, 0x40800000, 1, 1 << 23, 0x624d36b323527655},
    {"ex2.approx.ftz.f32", with<ex2_approx, kFlush>, 0x42000000, 1, 1 << 23, 0xc84a9e328fa35465},
    {"ex2.approx.ftz.f32", with<ex2_approx, kFlush>, 0xbf800000, 1, 1 << 23, 0xbf4f30a37a9d5b98},
    {"ex2.approx.ftz.f32", with<ex2_approx, kFlush>, 0xbf000000, 1, 1 << 23, 0x86cbd167bc4daa17},
    {"ex2.approx.ftz.f32", with<ex2_approx, kFlush>, 0xbe800000, 1, 1 << 23, 0xb04adae940fe7d01},
    {"ex2.approx.ftz.f32", with<ex2_approx, kFlush>, 0xbd000000, 1, 1 << 23, 0xe9dccad91d2078c5},
    {"ex2.approx.ftz.f32", with<ex2_approx, kFlush>, 0xc0000000, 1, 1 << 23, 0xdaa1ba683a8832e1},
    {"ex2.approx.ftz.f32", with<ex2_approx, kFlush>, 0xc2000000, 1, 1 << 23, 0x3da1924e356e2725},
    {"ex2.approx.ftz.f32", with<ex2_approx, kFlush>, 0xc2800000, 1, 1 << 23, 0x558dc600f23f581d},
    {"lg2.approx.ftz.f32", with<lg2_approx, kFlush>, 0x3f800000, 1, 1 << 23, 0x5ca43d6b0d176848},
    {"lg2.approx.ftz.f32", with<lg2_approx, kFlush>, 0x3f000000, 1, 1 << 23, 0xf8884f097b12e53d},
    {"lg2.approx.ftz.f32", with<lg2_approx, kFlush>, 0x3e800000, 1, 1 << 23, 0xee8547046f8f0ea9},
    {"lg2.approx.ftz.f32", with<lg2_approx, kFlush>, 0x40000000, 1, 1 << 23, 0x68a8fcc691e51fd5},
    {"lg2.approx.ftz.f32", with<lg2_approx, kFlush>, 0x40800000, 1, 1 << 23, 0x29c3023545145ed1},
    {"lg2.approx.ftz.f32", with<lg2_approx, kFlush>, 0x42800000, 1, 1 << 23, 0x23050968f94659c7},
    {"lg2.approx.ftz.f32", with<lg2_approx, kFlush>, 0x35800000, 1, 1 << 23, 0x3218fe86bfc7f7bb},
    {"rcp.approx.ftz.f32", with<rcp_approx, kFlush>, 0x3f800000, 1, 1 << 23, 0xfa72a6c698274964},
    {"rcp.approx.ftz.f32", with<rcp_approx, kFlush>, 0x40000000, 1, 1 << 23, 0x24b74bd9ff274964},
    {"rcp.approx.ftz.f32", with<rcp_approx, kFlush>, 0x3f000000, 1, 1 << 23, 0x927909701b274964},
    {"rcp.approx.ftz.f32", with<rcp_approx, kFlush>, 0x5d800000, 1, 1 << 23, 0x74cc96cb18274964},
    {"rcp.approx.ftz.f32", with<rcp_approx, kFlush>, 0xbf800000, 1, 1 << 23, 0x5435f48b98274964},
    {"rsqrt.approx.ftz.f32", with<rsqrt_approx, kFlush>, 0x3f800000, 1, 1 << 23, 0x0c40b0bdf554807c},
    {"rsqrt.approx.ftz.f32", with<rsqrt_approx, kFlush>, 0x40000000, 1, 1 << 23, 0xac1e22b0ce75548b},
    {"rsqrt.approx.ftz.f32", with<rsqrt_approx, kFlush>, 0x40800000, 1, 1 << 23, 0xdf1e00b36154807c},
    {"rsqrt.approx.ftz.f32", with<rsqrt_approx, kFlush>, 0x3f000000, 1, 1 << 23, 0x82b5f6e15475548b},
    {"sqrt.approx.ftz.f32", with<sqrt_approx, kFlush>, 0x3f800000, 1, 1 << 23, 0xec162b03dcc39119},
    {"sqrt.approx.ftz.f32", with<sqrt_approx, kFlush>, 0x40000000, 1, 1 << 23, 0x30da7c2ce0196274},
    {"sqrt.approx.ftz.f32", with<sqrt_approx, kFlush>, 0x40800000, 1, 1 << 23, 0xaa6f96169ec39119},
    {"sqrt.approx.ftz.f32", with<sqrt_approx, kFlush>, 0x3f000000, 1, 1 << 23, 0xa44a5814a1196274},
    {"sin.approx.ftz.f32", sin_approx, 0x3f800000, 1, 1 << 23, 0xffc89f2c26d596ea},
    {"sin.approx.ftz.f32", sin_approx, 0x3f000000, 1, 1 << 23, 0x751f616942de2910},
    {"sin.approx.ftz.f32", sin_approx, 0x3e800000, 1, 1 << 23, 0x2398c5d864f2b665},
    {"sin.approx.ftz.f32", sin_approx, 0x3d800000, 1, 1 << 23, 0x575398009feaafe5},
    {"sin.approx.ftz.f32", sin_approx, 0x3b800000, 1, 1 << 23, 0x02a4a76f0c114b71},
    {"sin.approx.ftz.f32", sin_approx, 0x40000000, 1, 1 << 23, 0x5c6b19fd65eecc06},
    {"sin.approx.ftz.f32", sin_approx, 0x40800000, 1, 1 << 23, 0xdb56c449555a1951},
    {"sin.approx.ftz.f32", sin_approx, 0x41000000, 1, 1 << 23, 0x340acb9bc8305d61},
    {"sin.approx.ftz.f32", sin_approx, 0x42800000, 1, 1 << 23, 0xcec25655d2d68e71},
    {"sin.approx.ftz.f32", sin_approx, 0x44800000, 1, 1 << 23, 0xce7dddc59ba7cab7},
    {"sin.approx.ftz.f32", sin_approx, 0xbf800000, 1, 1 << 23, 0x0f94ada926d596ea},
    {"cos.approx.ftz.f32", cos_approx, 0x3f800000, 1, 1 << 23, 0x0f10a7e30f1e42ad},
    {"cos.approx.ftz.f32", cos_approx, 0x3f000000, 1, 1 << 23, 0xa6f02f9fbaf8b936},
    {"cos.approx.ftz.f32", cos_approx, 0x3e800000, 1, 1 << 23, 0x2e1cd9af353856ff},
    {"cos.approx.ftz.f32", cos_approx, 0x3d800000, 1, 1 << 23, 0x0130898010d57c87},
    {"cos.approx.ftz.f32", cos_approx, 0x3b800000, 1, 1 << 23, 0x5427ac3505ac4c52},
    {"cos.approx.ftz.f32", cos_approx, 0x40000000, 1, 1 << 23, 0x0d925790c47a3f92},
    {"cos.approx.ftz.f32", cos_approx, 0x40800000, 1, 1 << 23, 0x5e2e85d84cc939d6},
    {"cos.approx.ftz.f32", cos_approx, 0x41000000, 1, 1 << 23, 0x2f8a60ae858cb217},
    {"cos.approx.ftz.f32", cos_approx, 0x42800000, 1, 1 << 23, 0x8bd8880d43242627},
    {"cos.approx.ftz.f32", cos_approx, 0x44800000, 1, 1 << 23, 0x7e5cab5382e4e797},
    {"cos.approx.ftz.f32", cos_approx, 0xbf800000, 1, 1 << 23, 0x0f10a7e30f1e42ad},
    {"tanh.approx.f32", tanh_approx, 0x3f800000, 1, 1 << 23, 0x84573e3df0ccdcc5},
    {"tanh.approx.f32", tanh_approx, 0x3f000000, 1, 1 << 23, 0xecb8e846da554505},
    {"tanh.approx.f32", tanh_approx, 0x3e800000, 1, 1 << 23, 0x0bf2ef9f6a7f5765},
    {"tanh.approx.f32", tanh_approx, 0x3e000000, 1, 1 << 23, 0x4ada670dafb6c6e5},
    {"tanh.approx.f32", tanh_approx, 0x3d800000, 1, 1 << 23, 0x6141712b0f75d125},
    {"tanh.approx.f32", tanh_approx, 0x3d000000, 1, 1 << 23, 0xf141597deeb063c5},
    {"tanh.approx.f32", tanh_approx, 0x3c800000, 1, 1 << 23, 0x7b3a97d1d68e8aa5},
    {"tanh.approx.f32", tanh_approx, 0x3b800000, 1, 1 << 23, 0xa5225f3811890125},
    {"tanh.approx.f32", tanh_approx, 0x3a800000, 1, 1 << 23, 0x289b40e893a22325},
    {"tanh.approx.f32", tanh_approx, 0x39800000, 1, 1 << 23, 0x4f6e1f9f69a22325},
    {"tanh.approx.f32", tanh_approx, 0x40000000, 1, 1 << 23, 0xbfc31f94c1f848c5},
    {"tanh.approx.f32", tanh_approx, 0x40800000, 1, 1 << 23, 0xeec2f6aa30eb92dd},
    {"tanh.approx.f32", tanh_approx, 0x41000000, 1, 1 << 23, 0x9df6f734c6222325},
    {"tanh.approx.f32", tanh_approx, 0xbf800000, 1, 1 << 23, 0xba549f08f0ccdcc5},
    {"ex2.approx.ftz.f32", with<ex2_approx, kFlush>, 0, 4093, 1 << 20, 0x3f2081471c6f2548},
    {"lg2.approx.ftz.f32", with<lg2_approx, kFlush>, 0, 4093, 1 << 20, 0xc4275ceb0bb20f1e},
    {"rcp.approx.ftz.f32", with<rcp_approx, kFlush>, 0, 4093, 1 << 20, 0xd104cba828f70a46},
    {"rsqrt.approx.ftz.f32", with<rsqrt_approx, kFlush>, 0, 4093, 1 << 20, 0xb898f6cadfc0b256},
    {"sqrt.approx.ftz.f32", with<sqrt_approx, kFlush>, 0, 4093, 1 << 20, 0xe93fe58fb8785c60},
    {"sin.approx.ftz.f32", sin_approx, 0, 4093, 1 << 20, 0x0f9f7f74168aab76},
    {"cos.approx.ftz.f32", cos_approx, 0, 4093, 1 << 20, 0xb9d94c34fab0a792},
    {"tanh.approx.f32", tanh_approx, 0, 4093, 1 << 20, 0xc9ffbc10b4195af7},
    {"ex2.approx.f32", with<ex2_approx, kKeep>, 0, 4093, 1 << 20, 0x6c3c8affd7e6ebb1},
    {"lg2.approx.f32", with<lg2_approx, kKeep>, 0, 4093, 1 << 20, 0x099e85fb5a51fa69},
    {"rcp.approx.f32", with<rcp_approx, kKeep>, 0, 4093, 1 << 20, 0x157e430d9c539c95},
    {"rsqrt.approx.f32", with<rsqrt_approx, kKeep>, 0, 4093, 1 << 20, 0x32cf19aa8bdb4045},
    {"sqrt.approx.f32", with<sqrt_approx, kKeep>, 0, 4093, 1 << 20, 0x26f9c2e9433c9052},
    {"sin.approx.f32", sin_approx, 0, 4093, 1 << 20, 0x0f9f7f74168aab76},
    {"cos.approx.f32", cos_approx, 0, 4093, 1 << 20, 0xb9d94c34fab0a792},
};

std::string recorded_name(const testing::TestParamInfo<Recorded>& info) {
  std::string name = info.param.name;
  for (char& c : name) c = c == '.' ? '_' : c;
  constexpr const char* kDigits = "0123456789abcdef";
  if (info.param.step != 1) return name + "_spread";
  name += "_";
  for (int shift = 28; shift >= 0; shift -= 4) name += kDigits[info.param.first >> shift & 15];
  return name;
}
INSTANTIATE_TEST_SUITE_P(Bits, Gpu, testing::ValuesIn(kRecorded), recorded_name);

TEST(GpuBits, HalvesAnswerAsRecorded) {
  const auto all = [](std::uint16_t (*instruction)(std::uint16_t)) {
    return hash_of(65536, [&](std::uint32_t i) { return instruction(static_cast<std::uint16_t>(i)); });
  };
  EXPECT_EQ(all(ex2_approx_f16), 0x80729ac6ad55e21a);
  EXPECT_EQ(all(ex2_approx_bf16), 0x70809a4dea78138a);
  EXPECT_EQ(all(tanh_approx_f16), 0xad1f254087177b9d);
  EXPECT_EQ(all(tanh_approx_bf16), 0x0483e97475bf5a09);
}

TEST(GpuBits, TheSquarerLeavesOutItsLowColumns) {
  for (std::uint32_t x = 0; x <= kPieceMask; x += 7) {
    std::uint64_t sum = 0;
    for (unsigned i = 0; i < kPieceBits; ++i) {
      for (unsigned j = i; j < kPieceBits; ++j) {
        const unsigned column = i == j ? 2 * i : i + j + 1;
        if (column >= 19) sum += std::uint64_t{x >> i & x >> j & 1} << column;
      }
    }
    ASSERT_EQ(static_cast<std::uint64_t>(squared(x)), sum >> 19) << x;
  }
}

/// Zeros, infinities, NaN, and every power of two with its neighbours, of both signs.
std::vector<std::uint32_t> special_arguments() {
  std::vector<std::uint32_t> all = {0, 1, 2, 0x400000, 0x7fffff, 0x7f800000, 0x7f800001, 0x7fffffff, 0x7fc00000};
  for (std::uint32_t exponent = 1; exponent < 255; ++exponent) {
    for (const std::uint32_t off : {0xffffffffu, 0u, 1u}) all.push_back((exponent << 23) + off);
  }
  const std::size_t positive = all.size();
  for (std::size_t i = 0; i < positive; ++i) all.push_back(all[i] | 0x80000000u);
  return all;
}

TEST(GpuBits, SpecialArgumentsAnswerAsRecorded) {
  struct Row {
    const char* name;
    Instruction instruction;
    std::uint64_t hash;
  };
  const Row rows[] = {
      {"ex2.approx.ftz.f32", with<ex2_approx, kFlush>, 0x5148d04050a215a1},
      {"ex2.approx.f32", with<ex2_approx, kKeep>, 0x0882403e2bd3d106},
      {"lg2.approx.ftz.f32", with<lg2_approx, kFlush>, 0x44ed23cf3be8ee23},
      {"lg2.approx.f32", with<lg2_approx, kKeep>, 0x8d880bf128104f79},
      {"rcp.approx.ftz.f32", with<rcp_approx, kFlush>, 0x0f7bddb4b226d377},
      {"rcp.approx.f32", with<rcp_approx, kKeep>, 0xf32842996a4f3c85},
      {"rsqrt.approx.ftz.f32", with<rsqrt_approx, kFlush>, 0x0cf687d0c523f153},
      {"rsqrt.approx.f32", with<rsqrt_approx, kKeep>, 0x6a90ab615b85cc6c},
      {"sqrt.approx.ftz.f32", with<sqrt_approx, kFlush>, 0xd02b74a742b9af43},
      {"sqrt.approx.f32", with<sqrt_approx, kKeep>, 0x976d4101b45e3406},
      {"sin.approx.f32", sin_approx, 0xde6f76e932a8cb65},
      {"cos.approx.f32", cos_approx, 0x98396205d6c5c323},
      {"tanh.approx.f32", tanh_approx, 0x7bd823165c9deb65},
  };
  const std::vector<std::uint32_t> arguments = special_arguments();
  const auto count = static_cast<std::uint32_t>(arguments.size());
  for (const Row& row : rows)
    EXPECT_EQ(hash_of(count, [&](std::uint32_t i) { return row.instruction(arguments[i]); }), row.hash) << row.name;
}

struct Pair {
  std::uint32_t dividend, divisor;
};
/// Special values by special values, then any bits: every second divisor has an exponent near the dividend's, some are
/// subnormal, some greater than 2^125.
std::vector<Pair> recorded_pairs() {
  constexpr std::uint64_t kCount = 1 << 20;
  std::vector<Pair> pairs;
  const std::vector<std::uint32_t> special = special_arguments();
  std::vector<std::uint32_t> picked;
  for (std::size_t k = 0; k < 40; ++k) picked.push_back(special[(special.size() - 1) * k / 39]);
  for (const std::uint32_t x : {0u, 0x80000000u, 0x7f800000u, 0xff800000u, 0x7fffffffu, 0x3f800000u, 0x7e800000u,
                                0x7e800001u, 0x00800000u, 0x007fffffu})
    picked.push_back(x);
  for (const std::uint32_t x : picked) {
    for (const std::uint32_t y : picked) pairs.push_back({x, y});
  }
  for (std::uint64_t i = pairs.size(); i < kCount; ++i) {
    const auto a = static_cast<std::uint32_t>(i * 2654435761u ^ (i >> 7) * 40503u);
    auto b = static_cast<std::uint32_t>((i * 2246822519u + 374761393u) ^ (i >> 5) * 3266489917u);
    const auto near = static_cast<std::int32_t>(a >> 23 & 0xff) + static_cast<std::int32_t>(b % 61) - 30;
    if (i % 2 == 0) b = (b & 0x807fffffu) | static_cast<std::uint32_t>(std::clamp(near, 0, 254)) << 23;
    if (i % 16 == 1) b &= 0x807fffffu;
    if (i % 16 == 3) b = (b & 0x80ffffffu) | 0x7e000000u;
    pairs.push_back({a, b});
  }
  return pairs;
}

TEST(GpuBits, QuotientsAnswerAsRecorded) {
  struct Row {
    const char* name;
    std::uint32_t (*instruction)(std::uint32_t, std::uint32_t, Subnormals);
    Subnormals subnormals;
    std::uint64_t hash;
  };
  const Row rows[] = {
      {"div.full.f32", div_full, kKeep, 0x556ab5814b930e38},
      {"div.full.ftz.f32", div_full, kFlush, 0xb0253d5013f42cac},
      {"div.approx.f32", div_approx, kKeep, 0xb26e739fc6d0a795},
      {"div.approx.ftz.f32", div_approx, kFlush, 0xdb1981a3a5daebd2},
  };
  const std::vector<Pair> pairs = recorded_pairs();
  const auto count = static_cast<std::uint32_t>(pairs.size());
  for (const Row& row : rows) {
    const auto answer = [&](std::uint32_t i) {
      return row.instruction(pairs[i].dividend, pairs[i].divisor, row.subnormals);
    };
    EXPECT_EQ(hash_of(count, answer), row.hash) << row.name;
  }
}

float value(std::uint32_t bits) { return std::bit_cast<float>(bits); }
std::uint32_t bits(float x) { return std::bit_cast<std::uint32_t>(x); }

// The bounds that the PTX ISA states: 2 ulp for div.full, and for div.approx with divisors from 2^-126 to 2^126; beyond
// them div.approx gives 0, or a NaN for an infinite dividend.
TEST(GpuBits, QuotientsKeepTheBoundsOfPtx) {
  std::uint32_t state = 1;
  const auto next = [&] { return state = state * 1664525 + 1013904223; };
  for (int k = 0; k < 200000; ++k) {
    const std::uint32_t a = (next() & 0x807fffff) | (64 + next() % 128) << 23;
    const std::uint32_t b = (next() & 0x807fffff) | (64 + next() % 128) << 23;
    const float exact = static_cast<float>(double{value(a)} / double{value(b)});
    for (const Subnormals subnormals : {kKeep, kFlush}) {
      if (std::fabs(exact) < 0x1p-120f || std::fabs(exact) > 0x1p120f) continue;
      const auto off = static_cast<std::int64_t>(div_full(a, b, subnormals)) - static_cast<std::int64_t>(bits(exact));
      ASSERT_LE(std::abs(off), 2) << value(a) << " / " << value(b);
      ASSERT_EQ(div_full(a, b, subnormals), div_approx(a, b, subnormals));
    }
  }
  EXPECT_EQ(div_approx(bits(0x1p127f), bits(0x1.8p126f), kFlush), 0u);
  EXPECT_EQ(div_approx(0x7f800000, bits(0x1.8p126f), kFlush), 0x7fffffffu);
  EXPECT_NEAR(value(div_full(bits(0x1p127f), bits(0x1.8p126f), kFlush)), 4.0f / 3, 1e-6f);
  EXPECT_NEAR(value(div_full(bits(0x1p-140f), bits(0x1p-141f), kKeep)), 2.0f, 1e-6f);
  EXPECT_EQ(div_full(bits(0x1p-140f), bits(0x1p-141f), kFlush), 0x7fffffffu);  // 0 / 0
}

}  // namespace
}  // namespace lockstep::interpreter::gpu_bits
