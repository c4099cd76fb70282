// Dots of tiles as the interpreter makes them (kernels/dot.h), in GFLOP/s, beside Eigen's product of whole matrices in
// the same run: shapes x kinds x layouts, one thread. `fresh`: operands are prepared each time where that is needed;
// `kept`: they were prepared before. Names: dot/KIND/MxNxK/LAYOUT/fresh.
#include <benchmark/benchmark.h>

#include <Eigen/Core>
#include <algorithm>
#include <cstdint>
#include <cstring>
#include <random>
#include <string>
#include <vector>

#include "interpreter/kernels/dispatch.h"
#include "interpreter/kernels/dot.h"

namespace {

using namespace lockstep;
using namespace lockstep::interpreter::kernels;

struct Shape {
  std::int64_t m, n, k;
};
constexpr Shape kShapes[] = {{64, 64, 32}, {128, 128, 32}, {32, 32, 32}, {16, 16, 16}, {64, 64, 64}, {128, 64, 64}};

struct KindRow {
  const char* name;
  ScalarKind operand, result;
  DotPrecision precision;
};
constexpr KindRow kKinds[] = {{"f32", ScalarKind::f32, ScalarKind::f32, DotPrecision::ieee},
                              {"tf32", ScalarKind::f32, ScalarKind::f32, DotPrecision::tf32},
                              {"f16", ScalarKind::f16, ScalarKind::f32, DotPrecision::ieee},
                              {"bf16", ScalarKind::bf16, ScalarKind::f32, DotPrecision::ieee},
                              {"f64", ScalarKind::f64, ScalarKind::f64, DotPrecision::ieee},
                              {"i8", ScalarKind::i8, ScalarKind::i32, DotPrecision::ieee}};

/// Row pitch in elements; 0: no gaps.
struct Layout {
  const char* name;
  std::int64_t pitch;
  bool a_transposed, b_transposed;
};
constexpr Layout kLayouts[] = {{"dense", 0, false, false},
                               {"pitch512", 512, false, false},
                               {"pitch1024", 1024, false, false},
                               {"pitch4096", 4096, false, false},
                               {"a_transposed", 0, true, false},
                               {"b_transposed", 0, false, true},
                               {"b_transposed1024", 1024, false, true}};

/// Bytes that are small numbers in every kind; all of a big matrix, so that tiles can be taken from different places.
std::vector<char> make_memory(std::size_t bytes, ScalarKind kind) {
  std::vector<char> memory(bytes);
  std::mt19937 random(1);
  const std::int64_t n = static_cast<std::int64_t>(bytes) / size_bytes(kind);
  std::vector<float> values(static_cast<std::size_t>(n));
  for (float& value : values) value = static_cast<float>(static_cast<int>(random() % 15) - 7);
  if (kind == ScalarKind::i8) {
    for (std::size_t i = 0; i < bytes; ++i) memory[i] = static_cast<char>(values[i]);
  } else {
    table().convert(Kind::f32, static_cast<Kind>(kind), Conversion::signed_)(memory.data(), values.data(), n);
  }
  return memory;
}

/// The first address that a line of the cache begins at.
char* aligned(const std::vector<char>& memory) {
  const auto address = reinterpret_cast<std::uintptr_t>(memory.data());
  return const_cast<char*>(memory.data()) + (64 - address % 64) % 64;
}

DotOperand make_operand(const std::vector<char>& memory, ScalarKind kind, std::int64_t rows, std::int64_t columns,
                        std::int64_t pitch, bool is_transposed) {
  const std::int64_t line = pitch != 0 ? pitch : (is_transposed ? rows : columns);
  return {aligned(memory), kind, is_transposed ? 1 : line, is_transposed ? line : 1};
}

void measure_dot(benchmark::State& state, Shape shape, KindRow kind, Layout layout, bool is_kept) {
  const DotRecipe recipe({kind.result, kind.precision, shape.m, shape.n, shape.k}, kind.operand, kind.operand);
  const std::size_t bytes = static_cast<std::size_t>(std::max<std::int64_t>(layout.pitch, 128) * 128 * 8);
  const std::vector<char> a_memory = make_memory(bytes + 64, kind.operand),
                          b_memory = make_memory(bytes + 64, kind.operand);
  const DotOperand a = make_operand(a_memory, kind.operand, shape.m, shape.k, layout.pitch, layout.a_transposed);
  const DotOperand b = make_operand(b_memory, kind.operand, shape.k, shape.n, layout.pitch, layout.b_transposed);
  std::vector<char> left(static_cast<std::size_t>(recipe.prepared_bytes(Side::left)) + 64),
      right(static_cast<std::size_t>(recipe.prepared_bytes(Side::right)) + 64),
      scratch(static_cast<std::size_t>(recipe.scratch_bytes()) + 64),
      c(static_cast<std::size_t>(shape.m * shape.n * size_bytes(kind.result)) + 64);
  const auto take = [&](Side side, const DotOperand& operand, std::vector<char>& memory) {
    if (!is_kept && recipe.is_ready(side, operand)) return DotRecipe::as_it_lies(operand);
    return recipe.prepare(side, operand, aligned(memory));
  };
  const PreparedOperand kept_a = take(Side::left, a, left), kept_b = take(Side::right, b, right);
  char* out = aligned(c);
  for (auto _ : state) {
    const PreparedOperand x = is_kept ? kept_a : take(Side::left, a, left);
    const PreparedOperand y = is_kept ? kept_b : take(Side::right, b, right);
    recipe.run(out, {out, false}, x, y, aligned(scratch));
    benchmark::ClobberMemory();
  }
  state.counters["GFLOP/s"] = benchmark::Counter(2e-9 * static_cast<double>(shape.m * shape.n * shape.k),
                                                 benchmark::Counter::kIsIterationInvariantRate);
}

template <class T>
void measure_eigen(benchmark::State& state, std::int64_t n) {
  using Matrix = Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  const Matrix a = Matrix::Random(n, n), b = Matrix::Random(n, n);
  Matrix c = Matrix::Zero(n, n);
  for (auto _ : state) {
    c.noalias() += a * b;
    benchmark::ClobberMemory();
  }
  state.counters["GFLOP/s"] =
      benchmark::Counter(2e-9 * static_cast<double>(n * n * n), benchmark::Counter::kIsIterationInvariantRate);
}

void register_dots() {
  for (const KindRow& kind : kKinds)
    for (const Shape& shape : kShapes)
      for (const Layout& layout : kLayouts)
        for (const bool is_kept : {false, true}) {
          const std::string name = std::string("dot/") + kind.name + "/" + std::to_string(shape.m) + "x" +
                                   std::to_string(shape.n) + "x" + std::to_string(shape.k) + "/" + layout.name +
                                   (is_kept ? "/kept" : "/fresh");
          benchmark::RegisterBenchmark(name.c_str(), measure_dot, shape, kind, layout, is_kept)->MinTime(0.02);
        }
}

}  // namespace

int main(int argc, char** argv) {
  for (const std::int64_t n : {512, 1024}) {
    benchmark::RegisterBenchmark(("eigen/f32/" + std::to_string(n)).c_str(), measure_eigen<float>, n)->MinTime(0.2);
    benchmark::RegisterBenchmark(("eigen/f64/" + std::to_string(n)).c_str(), measure_eigen<double>, n)->MinTime(0.2);
  }
  register_dots();
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
