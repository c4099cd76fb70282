// Dots with operands that come back: the same bytes whether prepared operands are kept, kept a little, or not at all;
// that they are found again where they should be, and that what may change between dots is not taken for the same.
#include "interpreter/evaluators/dot_cache.h"

#include <functional>
#include <random>
#include <type_traits>

#include "tests/unit/interpreter_with_ops/launch_fixture.h"

namespace lockstep::interpreter {
namespace {

constexpr std::size_t kTileSize = 256;  // elements
constexpr std::size_t kPrograms = 4, kTurns = 20;  // more dots than are joined at a time (joined_dots.h)

/// c[p] = sum over i of b[i] * (a[p] + a[p]) + d[p] * b[i], where d[p] += b[i] after each turn: b's tiles are those of
/// every program and of both sides, a's sum is made before the loop, and d changes between the dots that read it.
std::string products(const std::string& kind) {
  const std::string tile = "tensor<16x16x" + kind + ">", pointers = "tensor<16x16x!tt.ptr<" + kind + ">>";
  const std::string pointer = "!tt.ptr<" + kind + ">";
  const std::string dot = "inputPrecision = tf32 : " + tile + " * " + tile + " -> tensor<16x16xf32>\n";
  return kernel(
      "%a: " + pointer + ", %b: " + pointer + ", %c: !tt.ptr<f32>, %d: " + pointer + ", %n: i32",
      "    %r = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>\n"
      "    %r1 = tt.expand_dims %r {axis = 1 : i32} : tensor<16xi32> -> tensor<16x1xi32>\n"
      "    %s = arith.constant dense<16> : tensor<16x1xi32>\n"
      "    %r2 = arith.muli %r1, %s : tensor<16x1xi32>\n"
      "    %r3 = tt.expand_dims %r {axis = 0 : i32} : tensor<16xi32> -> tensor<1x16xi32>\n"
      "    %r4 = tt.broadcast %r2 : tensor<16x1xi32> -> tensor<16x16xi32>\n"
      "    %r5 = tt.broadcast %r3 : tensor<1x16xi32> -> tensor<16x16xi32>\n"
      "    %tile = arith.addi %r4, %r5 : tensor<16x16xi32>\n"
      "    %pid = tt.get_program_id x : i32\n"
      "    %size = arith.constant 256 : i32\n"
      "    %start = arith.muli %pid, %size : i32\n"
      "    %starts = tt.splat %start : i32 -> tensor<16x16xi32>\n"
      "    %place = arith.addi %starts, %tile : tensor<16x16xi32>\n"
      "    %as = tt.splat %a : " +
          pointer + " -> " + pointers +
          "\n"
          "    %ap = tt.addptr %as, %place : " +
          pointers +
          ", tensor<16x16xi32>\n"
          "    %own = tt.load %ap : " +
          pointers +
          "\n"
          "    %twice = arith.addf %own, %own : " +
          tile +
          "\n"
          "    %zero = arith.constant dense<0.000000e+00> : tensor<16x16xf32>\n"
          "    %c0 = arith.constant 0 : i32\n"
          "    %c1 = arith.constant 1 : i32\n"
          "    %ds = tt.splat %d : " +
          pointer + " -> " + pointers +
          "\n"
          "    %dp = tt.addptr %ds, %place : " +
          pointers +
          ", tensor<16x16xi32>\n"
          "    %total = scf.for %i = %c0 to %n step %c1 iter_args(%sum = %zero) -> (tensor<16x16xf32>)  : i32 {\n"
          "      %o = arith.muli %i, %size : i32\n"
          "      %bb = tt.addptr %b, %o : " +
          pointer +
          ", i32\n"
          "      %bs = tt.splat %bb : " +
          pointer + " -> " + pointers +
          "\n"
          "      %bp = tt.addptr %bs, %tile : " +
          pointers +
          ", tensor<16x16xi32>\n"
          "      %x = tt.load %bp : " +
          pointers +
          "\n"
          "      %p = tt.dot %x, %twice, %sum, " +
          dot + "      %y = tt.load %dp : " + pointers +
          "\n"
          "      %q = tt.dot %y, %x, %p, " +
          dot + "      %z = arith.addf %y, %x : " + tile +
          "\n"
          "      tt.store %dp, %z : " +
          pointers +
          "\n"
          "      scf.yield %q : tensor<16x16xf32>\n"
          "    }\n"
          "    %cs = tt.splat %c : !tt.ptr<f32> -> tensor<16x16x!tt.ptr<f32>>\n"
          "    %cp = tt.addptr %cs, %place : tensor<16x16x!tt.ptr<f32>>, tensor<16x16xi32>\n"
          "    tt.store %cp, %total : tensor<16x16x!tt.ptr<f32>>\n");
}

template <typename T>
std::vector<T> some_numbers(std::size_t count, unsigned seed) {
  std::mt19937 random(seed);
  std::vector<T> values(count);
  for (T& value : values) {
    const double number = static_cast<double>(random() % 4097) / 1024 - 2;
    if constexpr (std::is_same_v<T, float>)
      value = static_cast<float>(number);
    else
      value = static_cast<T>(encode_float(ScalarKind::f16, number));
  }
  return values;
}

struct DotAnswer {
  std::vector<std::int8_t> first, second, changed;  // c after two launches with different b, and d
};

template <typename T>
DotAnswer dot_answer(const std::string& text, std::int64_t cache_bytes, unsigned threads) {
  Harness h(text);
  h.tuning.operand_cache_bytes = cache_bytes;
  h.tensor(some_numbers<T>(kPrograms * kTileSize, 1));
  const std::size_t b = h.tensor(some_numbers<T>(kTurns * kTileSize, 2));
  const std::size_t c = h.tensor(std::vector<float>(kPrograms * kTileSize));
  const std::size_t d = h.tensor(some_numbers<T>(kPrograms * kTileSize, 3));
  h.scalar(kTurns);
  DotAnswer answer;
  h.run({kPrograms, 1, 1}, threads);
  answer.first = h.values<std::int8_t>(c);
  const auto others = some_numbers<T>(kTurns * kTileSize, 4);
  std::memcpy(reinterpret_cast<void*>(h.address(b)), others.data(), others.size() * sizeof(T));
  h.run({kPrograms, 1, 1}, threads);
  answer.second = h.values<std::int8_t>(c);
  answer.changed = h.values<std::int8_t>(d);
  return answer;
}

template <typename T>
void expect_same_bytes(const std::string& kind) {
  const std::string text = products(kind);
  const DotAnswer wanted = dot_answer<T>(text, 0, 1);
  EXPECT_NE(wanted.first, wanted.second);
  for (const std::int64_t bytes : {1, 4096, 8192, 16384, 1 << 19}) {
    for (const unsigned threads : {1u, 2u, 7u}) {
      const DotAnswer answer = dot_answer<T>(text, bytes, threads);
      EXPECT_EQ(answer.first, wanted.first) << kind << " cache of " << bytes << ", threads " << threads;
      EXPECT_EQ(answer.second, wanted.second) << kind << " cache of " << bytes << ", threads " << threads;
      EXPECT_EQ(answer.changed, wanted.changed) << kind << " cache of " << bytes << ", threads " << threads;
    }
  }
}

TEST(DotCache, SameBytesForAnyBudget) {
  expect_same_bytes<std::uint16_t>("f16");
  expect_same_bytes<float>("f32");
  expect_same_bytes<std::uint16_t>("bf16");  // whose products are joined unless nothing is kept
}

OperandCounts counts_of(const std::function<void()>& work) {
  const OperandCounts before = operand_counts();
  work();
  const OperandCounts after = operand_counts();
  return {after.found - before.found, after.kept - before.kept};
}

TEST(DotCache, FindsWhatComesBack) {
  const std::string text = products("f16");
  const OperandCounts counts = counts_of([&] { dot_answer<std::uint16_t>(text, 1 << 19, 1); });
  // Each launch: b's tiles once per side, the programs' own sums once each; d's tiles, which change, never.
  EXPECT_EQ(counts.kept, 2 * (2 * kTurns + kPrograms));
  EXPECT_EQ(counts.found, 2 * (2 * kTurns * (kPrograms - 1) + kPrograms * (kTurns - 1)));
  EXPECT_EQ(counts_of([&] { dot_answer<std::uint16_t>(text, 0, 1); }).kept, 0u);
}

TEST(DotCache, KeepsNothingUnderAMemoryLimit) {
  Harness h(products("f16"));
  h.tensor(some_numbers<std::uint16_t>(kPrograms * kTileSize, 1));
  h.tensor(some_numbers<std::uint16_t>(kTurns * kTileSize, 2));
  h.tensor(std::vector<float>(kPrograms * kTileSize));
  h.tensor(some_numbers<std::uint16_t>(kPrograms * kTileSize, 3));
  h.scalar(kTurns);
  h.limits.max_memory_bytes = 1 << 24;
  const OperandCounts counts = counts_of([&] { h.run({kPrograms, 1, 1}, 1); });
  EXPECT_EQ(counts.kept, 0u);
  EXPECT_EQ(counts.found, 0u);
}

TEST(DotCache, StaysInItsBudgetAndGivesBuffersBack) {
  Launch launch;
  Machine machine(launch);
  OperandCache cache(8192);
  std::vector<char> memory(64 * 1000);
  for (std::size_t i = 0; i < 1000; ++i) {
    OperandCache::Key key;
    key.data = memory.data() + 64 * (i * 37 % 1000);
    Buffer* const source = i % 3 == 0 ? machine.pool.acquire(512) : nullptr;
    key.buffer = source;
    Buffer* const prepared = machine.pool.acquire(1024);
    cache.insert(machine, key, {prepared->data(), 0, 16, 1}, prepared, source, source != nullptr ? 1536 : 1024);
    const OperandCache::Entry* entry = cache.find(key);
    ASSERT_NE(entry, nullptr);
    EXPECT_EQ(entry->prepared, prepared);
    EXPECT_LE(cache.bytes(), cache.budget());
    if (source == nullptr) continue;
    EXPECT_EQ(source->references, 2u);  // nobody may update it in place
    machine.pool.release(source);
    key.data = memory.data();
    key.row_stride = 3;
    EXPECT_EQ(cache.find(key), nullptr);
  }
  // Eight entries of 1024 bytes at most, so that dropped buffers were used again.
  EXPECT_LE(launch.budget.used.load(), 64u * 1024);
}

TEST(DotCache, RestsWhereNothingComesBack) {
  Reuse reuse;
  int asked = 0;
  for (int i = 0; i < 10000; ++i) {
    if (!reuse.is_promising()) continue;
    ++asked;
    reuse.note(false);
  }
  EXPECT_LT(asked, 1000);
  EXPECT_GT(asked, 100);
  Reuse good;
  for (int i = 0; i < 10000; ++i) {
    EXPECT_TRUE(good.is_promising());
    good.note(i % 2 == 0);
  }
}

}  // namespace
}  // namespace lockstep::interpreter
