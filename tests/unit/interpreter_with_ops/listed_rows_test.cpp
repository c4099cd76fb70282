// Gathered rows that a product reads where they lie (access_rows.h), and products of a loop that wait for each other
// (joined_dots.h): the same bytes, counts and findings as where every tile is made and every product added at once, for
// any numbers, masks, kinds and memory that is written.
#include <algorithm>
#include <random>

#include "tests/unit/interpreter_with_ops/launch_fixture.h"

namespace lockstep::interpreter {
namespace {

constexpr std::int64_t kListedTurns = 19, kListedRows = 24;  // turns: more than one run adds

/// out = the sum over turns t of rows index[i] of x, from column depth * t on, below %n, times rows index[k] of w.
std::string listed_kernel(const std::string& kind, std::int64_t depth, bool has_other) {
  const std::string d = std::to_string(depth), pointer = "!tt.ptr<" + kind + ">", sum = kind == "i8" ? "i32" : "f32";
  const std::string left = "16x" + d, right = d + "x32", lefts = "tensor<" + left + "x" + pointer + ">",
                    rights = "tensor<" + right + "x" + pointer + ">", zero = kind == "i8" ? "0" : "0.000000e+00";
  const auto indices = [&](const std::string& name, const std::string& n) {
    return "    %r" + name + " = tt.make_range {end = " + n + " : i32, start = 0 : i32} : tensor<" + n +
           "xi32>\n    %is" + name + " = tt.splat %i : !tt.ptr<i32> -> tensor<" + n + "x!tt.ptr<i32>>\n    %ip" + name +
           " = tt.addptr %is" + name + ", %r" + name + " : tensor<" + n + "x!tt.ptr<i32>>, tensor<" + n +
           "xi32>\n    %row" + name + " = tt.load %ip" + name + " : tensor<" + n + "x!tt.ptr<i32>>\n    %re" + name +
           " = tt.expand_dims %row" + name + " {axis = 1 : i32} : tensor<" + n + "xi32> -> tensor<" + n + "x1xi32>\n";
  };
  const auto places = [](const std::string& name, const std::string& base, const std::string& rows,
                         const std::string& columns, const std::string& pitch, const std::string& at) {
    const std::string wide = "tensor<" + rows + "x" + columns + "xi32>";
    return "    %w" + name + " = arith.constant dense<" + pitch + "> : tensor<" + rows + "x1xi32>\n    %m" + name +
           " = arith.muli %re" + name + ", %w" + name + " : tensor<" + rows + "x1xi32>\n    %b" + name +
           " = tt.broadcast %m" + name + " : tensor<" + rows + "x1xi32> -> " + wide + "\n    %c" + name +
           " = tt.make_range {end = " + columns + " : i32, start = 0 : i32} : tensor<" + columns + "xi32>\n    %ce" + name +
           " = tt.expand_dims %c" + name + " {axis = 0 : i32} : tensor<" + columns + "xi32> -> tensor<1x" + columns +
           "xi32>\n    %cb" + name + " = tt.broadcast %ce" + name + " : tensor<1x" + columns + "xi32> -> " + wide +
           "\n    %o" + name + " = arith.addi %b" + name + ", %cb" + name + " : " + wide + "\n    %s" + name +
           " = tt.splat %" + base + " : " + at + "\n    %p" + name + " = tt.addptr %s" + name + ", %o" + name + " : ";
  };
  const std::string in = "tensor<16x" + d + "xi1>", total = "tensor<16x32x" + sum + ">";
  return kernel(
      "%x: " + pointer + ", %w: " + pointer + ", %i: !tt.ptr<i32>, %out: !tt.ptr<" + sum + ">, %n: i32",
      indices("l", "16") + indices("k", d) +
          places("l", "x", "16", d, std::to_string(depth * kListedTurns), pointer + " -> " + lefts) + lefts +
          ", tensor<" + left + "xi32>\n" + places("k", "w", d, "32", "32", pointer + " -> " + rights) + rights +
          ", tensor<" + right + "xi32>\n" + "    %nl = tt.splat %n : i32 -> tensor<16xi32>\n" +
          "    %less = arith.cmpi slt, %rl, %nl : tensor<16xi32>\n" +
          "    %le = tt.expand_dims %less {axis = 1 : i32} : tensor<16xi1> -> tensor<16x1xi1>\n" +
          "    %in = tt.broadcast %le : tensor<16x1xi1> -> " + in + "\n" + "    %none = arith.constant dense<" + zero +
          "> : tensor<" + left + "x" + kind + ">\n" + "    %step = arith.constant dense<" + d + "> : tensor<" + left +
          "xi32>\n    %zero = arith.constant dense<" + zero + "> : " + total +
          "\n    %c0 = arith.constant 0 : i32\n    %c1 = arith.constant 1 : i32\n    %turns = arith.constant " +
          std::to_string(kListedTurns) + " : i32\n" +
          "    %all:2 = scf.for %t = %c0 to %turns step %c1 iter_args(%sum = %zero, %at = %pl) -> (" + total + ", " +
          lefts + ")  : i32 {\n      %a = tt.load %at, %in" + (has_other ? ", %none" : "") + " : " + lefts +
          "\n      %b = tt.load %pk : " + rights + "\n      %q = tt.dot %a, %b, %sum, inputPrecision = ieee : tensor<" +
          left + "x" + kind + "> * tensor<" + right + "x" + kind + "> -> " + total +
          "\n      %next = tt.addptr %at, %step : " + lefts + ", tensor<" + left + "xi32>\n      scf.yield %q, %next : " +
          total + ", " + lefts + "\n    }\n" +
          "    %or = tt.make_range {end = 512 : i32, start = 0 : i32} : tensor<512xi32>\n"
          "    %ors = tt.reshape %or : tensor<512xi32> -> tensor<16x32xi32>\n    %os = tt.splat %out : !tt.ptr<" +
          sum + "> -> tensor<16x32x!tt.ptr<" + sum + ">>\n    %op = tt.addptr %os, %ors : tensor<16x32x!tt.ptr<" + sum +
          ">>, tensor<16x32xi32>\n    tt.store %op, %all#0 : tensor<16x32x!tt.ptr<" + sum + ">>\n");
}

struct ListedSetting {
  std::string kind = "bf16";
  std::int64_t depth = 32;
  std::uint32_t n = 16;
  bool has_other = true, is_special = false, is_written = false;
  std::int32_t bad_row = 0;  // what row 5 names instead, if not 0
};

struct ListedOutcome {
  std::vector<std::uint8_t> out;
  std::uint64_t read = 0, findings = 0;
  bool operator==(const ListedOutcome&) const = default;
};

ScalarKind listed_kind(const std::string& kind) {
  return kind == "f32" ? ScalarKind::f32 : kind == "f16" ? ScalarKind::f16 : kind == "i8" ? ScalarKind::i8 : ScalarKind::bf16;
}

/// Numbers around 1, or any bits: NaN, infinities, subnormal numbers, zeros of both signs.
std::vector<std::uint8_t> listed_numbers(ScalarKind kind, std::int64_t count, bool is_special, unsigned seed) {
  std::mt19937 random(seed);
  const auto size = static_cast<std::size_t>(size_bytes(kind));
  std::vector<std::uint8_t> bytes(static_cast<std::size_t>(count) * size);
  for (std::size_t i = 0; i < bytes.size(); i += size) {
    const double number = static_cast<double>(random() % 4097) / 1024 - 2;
    std::uint64_t bits = kind == ScalarKind::i8 ? random() : encode_float(kind, number);
    if (is_special && random() % 64 == 0) bits = random();
    if (random() % 32 == 0) bits = std::uint64_t{random() % 2} << (8 * size - 1);
    std::memcpy(bytes.data() + i, &bits, size);
  }
  return bytes;
}

ListedOutcome run_listed(const ListedSetting& setting, bool fuses, unsigned threads) {
  const ScalarKind kind = listed_kind(setting.kind);
  Harness h(listed_kernel(setting.kind, setting.depth, setting.has_other));
  h.tuning.fuses = fuses;
  if (!fuses) h.tuning.operand_cache_bytes = 0;
  const auto fill = [&](std::size_t tensor, std::int64_t count, unsigned seed) {
    const auto bytes = listed_numbers(kind, count, setting.is_special, seed);
    std::memcpy(reinterpret_cast<void*>(h.address(tensor)), bytes.data(), bytes.size());
  };
  const auto make = [&](std::int64_t count, unsigned seed) {
    const auto n = static_cast<std::size_t>(count);
    const std::size_t made = kind == ScalarKind::f32  ? h.tensor(std::vector<float>(n))
                             : kind == ScalarKind::i8 ? h.tensor(std::vector<std::int8_t>(n))
                                                      : h.tensor(std::vector<std::uint16_t>(n), kind);
    fill(made, count, seed);
    return made;
  };
  const std::size_t x = make(kListedRows * setting.depth * kListedTurns, 1);
  make(kListedRows * 32, 2);
  std::vector<std::int32_t> index(static_cast<std::size_t>(std::max<std::int64_t>(setting.depth, 16)));
  for (std::size_t i = 0; i < index.size(); ++i) index[i] = static_cast<std::int32_t>(i * 37 % kListedRows);
  if (setting.bad_row != 0) index[5] = setting.bad_row;
  h.tensor(index);
  const std::size_t out = setting.is_written ? h.window(x, 0, {512}, {1})
                          : kind == ScalarKind::i8 ? h.tensor(std::vector<std::int32_t>(512))
                                                   : h.tensor(std::vector<float>(512));
  h.scalar(setting.n);
  const LaunchReport report = h.run({1, 1, 1}, threads);
  return {h.values<std::uint8_t>(out), report.bytes_read, report.findings.findings().size()};
}

void expect_same_products(const ListedSetting& setting, const std::string& what) {
  const ListedOutcome wanted = run_listed(setting, false, 1);
  for (const unsigned threads : {1u, 2u}) EXPECT_EQ(run_listed(setting, true, threads), wanted) << what;
}

TEST(ListedRows, GiveTheSameBytes) {
  for (const std::string kind : {"bf16", "f16", "i8", "f32"})
    for (const std::int64_t depth : {16, 32, 128})
      for (const bool is_special : {false, true}) {
        const std::string what = kind + " " + std::to_string(depth) + (is_special ? " special" : "");
        expect_same_products({kind, depth, 16, true, is_special}, what);
        expect_same_products({kind, depth, 11, true, is_special}, what + ", some rows");
        expect_same_products({kind, depth, 0, true, is_special}, what + ", no row");
        expect_same_products({kind, depth, 9, false, is_special}, what + ", no other");
      }
}

TEST(ListedRows, AreFoundOutside) {
  for (const std::int32_t row : {-1, 24, 1 << 20}) {
    ListedSetting setting;
    setting.bad_row = row;
    expect_same_products(setting, "row " + std::to_string(row));
    EXPECT_GT(run_listed(setting, true, 1).findings, 0u);
    setting.n = 5;  // masked
    setting.depth = 16;
    expect_same_products(setting, "masked row " + std::to_string(row));
  }
}

TEST(ListedRows, AreCopiedWhereMemoryIsWritten) {
  ListedSetting setting{"f32"};
  setting.is_written = true;
  expect_same_products(setting, "f32");
}

}  // namespace
}  // namespace lockstep::interpreter
