// What the vector kernels cost an element, each from a tile of 1,024 elements that lies in the first-level cache, for
// every instruction set that this processor has. Beside them the limits: a copy (loads and stores) and an addition.
// Google Benchmark; the counter ns_elem is what to compare. It measures and asserts nothing.
#include <benchmark/benchmark.h>

#include <cmath>
#include <cstdint>
#include <cstring>
#include <functional>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "interpreter/kernels/dispatch.h"
#include "interpreter/kernels/kernels.h"
#include "support/float_formats.h"

namespace {

using namespace lockstep;
using namespace lockstep::interpreter::kernels;

constexpr std::int64_t kElements = 1024;

struct alignas(64) Memory {
  std::vector<char> bytes;
  explicit Memory(std::int64_t size) : bytes(static_cast<std::size_t>(size) + 64) {}
  char* data() { return bytes.data() + (64 - reinterpret_cast<std::uintptr_t>(bytes.data()) % 64) % 64; }
};

/// Numbers in (0.05, 3) in the kind's format, or small integers.
Memory numbers(Kind kind, std::int64_t n) {
  const auto scalar = static_cast<ScalarKind>(kind);
  const auto size = static_cast<std::size_t>(size_bytes(scalar));
  Memory memory(n * static_cast<std::int64_t>(size));
  for (std::int64_t i = 0; i < n; ++i) {
    const double value = 0.05 + static_cast<double>(i * 7919 % 1021) * (2.9 / 1021);
    const std::uint64_t bits = is_float(scalar) ? encode_float(scalar, value) : static_cast<std::uint64_t>(i % 61 + 1);
    std::memcpy(memory.data() + static_cast<std::size_t>(i) * size, &bits, size);
  }
  return memory;
}

/// Runs `body` and divides by `elements`.
void add(const std::string& name, std::int64_t elements, std::function<void()> body) {
  benchmark::RegisterBenchmark(name.c_str(), [elements, body = std::move(body)](benchmark::State& state) {
    for (auto _ : state) {
      body();
      benchmark::ClobberMemory();
    }
    state.counters["ns_elem"] =
        benchmark::Counter(static_cast<double>(elements) * 1e-9,
                           benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
  });
}

const char* name_of(Kind kind) { return spelling(static_cast<ScalarKind>(kind)).data(); }
std::string label(const Table* table, const char* what, Kind kind) {
  return std::string(what) + "/" + name_of(kind) + "/" + table->name;
}

void add_unary(const Table* table, const char* what, Unary op, Kind kind, Memory in, std::int64_t n = kElements) {
  const UnaryFn function = table->unary(op, kind);
  if (function == nullptr) return;
  add(label(table, what, kind), n, [=, out = Memory(8 * n)]() mutable { function(out.data(), in.data(), n); });
}

void add_units(const Table* table) {
  constexpr std::pair<const char*, Unary> kOps[] = {
      {"negf", Unary::negf}, {"ceil", Unary::ceil}, {"sqrt", Unary::sqrt}, {"rsqrt", Unary::rsqrt}, {"exp", Unary::exp},
      {"exp2", Unary::exp2}, {"log", Unary::log},   {"log2", Unary::log2}, {"sin", Unary::sin},     {"cos", Unary::cos},
      {"tan", Unary::tan},   {"tanh", Unary::tanh}, {"erf", Unary::erf}};
  for (const auto& [what, op] : kOps)
    for (const Kind kind : {Kind::f32, Kind::f64, Kind::f16})
      add_unary(table, what, op, kind, numbers(kind, kElements));
  const auto constant = [&](const char* what, float value) {
    Memory in(4 * kElements);
    for (std::int64_t i = 0; i < kElements; ++i) std::memcpy(in.data() + 4 * i, &value, 4);
    add_unary(table, what, Unary::exp, Kind::f32, in);
  };
  constant("exp(-inf)", -std::numeric_limits<float>::infinity());
  constant("exp(-1e30)", -1e30f);
  constant("exp(-100)", -100.0f);
}

void add_binaries(const Table* table) {
  constexpr std::pair<const char*, Binary> kFloatOps[] = {{"addf", Binary::addf},
                                                          {"mulf", Binary::mulf},
                                                          {"divf", Binary::divf},
                                                          {"maxnumf", Binary::maxnumf},
                                                          {"maximumf", Binary::maximumf}};
  constexpr std::pair<const char*, Binary> kIntegerOps[] = {{"addi", Binary::addi},   {"muli", Binary::muli},
                                                            {"divsi", Binary::divsi}, {"remsi", Binary::remsi},
                                                            {"xori", Binary::xori},   {"mulhiui", Binary::mulhiui}};
  const auto one = [&](const char* what, Binary op, Kind kind) {
    const BinaryFn function = table->binary(op, kind);
    add(label(table, what, kind), kElements,
        [=, a = numbers(kind, kElements), b = numbers(kind, kElements), out = Memory(8 * kElements)]() mutable {
          function(out.data(), a.data(), b.data(), kElements, 1, 1);
        });
  };
  for (const auto& [what, op] : kFloatOps)
    for (const Kind kind : {Kind::f32, Kind::f64, Kind::f16, Kind::bf16}) one(what, op, kind);
  for (const auto& [what, op] : kIntegerOps)
    for (const Kind kind : {Kind::i8, Kind::i32, Kind::i64}) one(what, op, kind);
}

void add_others(const Table* table) {
  const auto compare = [&](Kind kind) {
    const BinaryFn function = is_float(static_cast<ScalarKind>(kind)) ? table->compare_float(CompareFloat::olt, kind)
                                                                      : table->compare_int(CompareInt::slt, kind);
    add(label(table, "less", kind), kElements,
        [=, a = numbers(kind, kElements), b = numbers(kind, kElements), out = Memory(kElements)]() mutable {
          function(out.data(), a.data(), b.data(), kElements, 1, 1);
        });
  };
  for (const Kind kind : {Kind::f32, Kind::f64, Kind::f16, Kind::i8, Kind::i32, Kind::i64}) compare(kind);
  for (const Kind kind : {Kind::i8, Kind::f16, Kind::f32, Kind::f64}) {
    const TernaryFn function = table->ternary(Ternary::select, kind);
    Memory mask(kElements);
    for (std::int64_t i = 0; i < kElements; ++i) mask.data()[i] = static_cast<char>(i * 7919 % 1021 % 2);
    add(label(table, "select", kind), kElements,
        [=, a = numbers(kind, kElements), b = numbers(kind, kElements), out = Memory(8 * kElements)]() mutable {
          function(out.data(), mask.data(), a.data(), b.data(), kElements, 1, 1, 1);
        });
  }
  for (const Kind kind : {Kind::f16, Kind::f32, Kind::f64}) {
    const TernaryFn function = table->ternary(Ternary::fma, kind);
    add(label(table, "fma", kind), kElements,
        [=, a = numbers(kind, kElements), b = numbers(kind, kElements), out = Memory(8 * kElements)]() mutable {
          function(out.data(), a.data(), b.data(), a.data(), kElements, 1, 1, 1);
        });
  }
  constexpr std::pair<Kind, Kind> kConversions[] = {
      {Kind::f16, Kind::f32},  {Kind::f32, Kind::f16},      {Kind::bf16, Kind::f32},     {Kind::f32, Kind::bf16},
      {Kind::f16, Kind::bf16}, {Kind::f8E4M3FN, Kind::f32}, {Kind::f32, Kind::f8E4M3FN}, {Kind::f32, Kind::i32},
      {Kind::i32, Kind::f32},  {Kind::f32, Kind::f64},      {Kind::f64, Kind::f32},      {Kind::i32, Kind::i64},
      {Kind::i64, Kind::i32},  {Kind::i8, Kind::i32},       {Kind::i1, Kind::i32},       {Kind::i32, Kind::f16},
      {Kind::f32, Kind::f32}};
  for (const auto& [from, to] : kConversions) {
    const ConvertFn function = table->convert(from, to, Conversion::signed_);
    add(label(table, (std::string("to ") + name_of(to) + " from").c_str(), from), kElements,
        [=, in = numbers(from, kElements), out = Memory(8 * kElements)]() mutable {
          function(out.data(), in.data(), kElements);
        });
  }
}

void add_folds(const Table* table) {
  struct Shape {
    std::int64_t outer, n, inner;
  };
  constexpr Shape kShapes[] = {{1, 1024, 1}, {16, 1024, 1}, {1, 16, 1024}, {16, 16, 64}, {64, 64, 1}, {1, 64, 64},
                               {1, 8192, 1}, {64, 32, 1},   {4, 128, 1},   {3, 64, 1},   {512, 2, 1}, {16, 2, 32}};
  constexpr std::pair<const char*, Binary> kOps[] = {
      {"sum", Binary::addf}, {"max", Binary::maxnumf}, {"isum", Binary::addi}, {"xor", Binary::xori}};
  for (const Shape& s : kShapes) {
    const std::string shape =
        "[" + std::to_string(s.outer) + "," + std::to_string(s.n) + "," + std::to_string(s.inner) + "]";
    const std::int64_t count = s.outer * s.n * s.inner;
    for (const auto& [what, op] : kOps)
      for (const Kind kind : {Kind::f32, Kind::f16, Kind::f64, Kind::i32, Kind::i64}) {
        if (is_float(static_cast<ScalarKind>(kind)) != (op == Binary::addf || op == Binary::maxnumf)) continue;
        const ReduceFn reduce = table->reduce(op, kind);
        add(label(table, (std::string("reduce ") + what + shape).c_str(), kind), count,
            [=, in = numbers(kind, count), out = Memory(8 * count)]() mutable {
              reduce(out.data(), in.data(), s.outer, s.n, s.inner);
            });
        const ScanFn scan = table->scan(op, kind);
        add(label(table, (std::string("scan ") + what + shape).c_str(), kind), count,
            [=, in = numbers(kind, count), out = Memory(8 * count)]() mutable {
              scan(out.data(), in.data(), s.outer, s.n, s.inner, false);
            });
      }
  }
}

void add_memory(const Table* table) {
  for (const Kind kind : {Kind::i8, Kind::f16, Kind::f32, Kind::f64}) {
    const int bytes = size_bytes(static_cast<ScalarKind>(kind));
    Memory addresses(8 * kElements), mask(kElements);
    for (std::int64_t i = 0; i < kElements; ++i) {
      const std::uint64_t at = static_cast<std::uint64_t>(i * 7919 % kElements * bytes);
      std::memcpy(addresses.data() + 8 * i, &at, 8);
      mask.data()[i] = i % 3 != 0;
    }
    for (const bool masked : {false, true}) {
      const std::string suffix = masked ? " masked" : "";
      const GatherFn gather = table->gather(bytes);
      const ScatterFn scatter = table->scatter(bytes);
      add(label(table, ("gather" + suffix).c_str(), kind), kElements,
          [=, in = numbers(kind, kElements), out = Memory(8 * kElements)]() mutable {
            gather(out.data(), in.data(), 0, reinterpret_cast<std::uint64_t*>(addresses.data()),
                   masked ? reinterpret_cast<std::uint8_t*>(mask.data()) : nullptr, kElements);
          });
      add(label(table, ("scatter" + suffix).c_str(), kind), kElements,
          [=, in = numbers(kind, kElements), out = Memory(8 * kElements)]() mutable {
            scatter(out.data(), 0, reinterpret_cast<std::uint64_t*>(addresses.data()), in.data(), 1,
                    masked ? reinterpret_cast<std::uint8_t*>(mask.data()) : nullptr, kElements);
          });
      if (kind == Kind::f32)
        add(label(table, ("address_range" + suffix).c_str(), kind), kElements, [=]() mutable {
          std::uint64_t low = 0, high = 0;
          benchmark::DoNotOptimize(table->address_range(reinterpret_cast<std::uint64_t*>(addresses.data()),
                                                        masked ? reinterpret_cast<std::uint8_t*>(mask.data()) : nullptr,
                                                        kElements, &low, &high));
        });
    }
    if (kind == Kind::i8)
      add(label(table, "count_true", kind), kElements, [=]() mutable {
        benchmark::DoNotOptimize(table->count_true(reinterpret_cast<std::uint8_t*>(mask.data()), kElements));
      });
    const BoxFn box = table->copy_box(bytes);
    add(label(table, "copy_box transposed 32x32", kind), kElements,
        [=, in = numbers(kind, kElements), out = Memory(8 * kElements)]() mutable {
          box(out.data(), 32 * bytes, bytes, in.data(), bytes, 32 * bytes, 32, 32);
        });
    add(label(table, "copy_box stride 2", kind), kElements / 2,
        [=, in = numbers(kind, kElements), out = Memory(8 * kElements)]() mutable {
          box(out.data(), 0, bytes, in.data(), 0, 2 * bytes, 1, kElements / 2);
        });
  }
}

}  // namespace

int main(int argc, char** argv) {
  for (const char* name : {"v4", "v3", "v2", "base"}) {
    const Table* table = table_of(name);
    if (table == nullptr) continue;
    add_units(table);
    add_binaries(table);
    add_others(table);
    add_folds(table);
    add_memory(table);
  }
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
