// What a launch costs before its programs do anything: a prepared kernel that does nothing, with three borrowed tensors
// and two scalars, its address space made anew for each launch, as a caller from Python pays it. Google Benchmark.
#include <benchmark/benchmark.h>

#include <array>
#include <cstdlib>
#include <vector>

#include "dialects/registry.h"
#include "interpreter/launch/prepared.h"
#include "ir/text/parser.h"

namespace {

using namespace lockstep;

constexpr const char* kEmpty =
    "module {\n  tt.func public @k(%a: !tt.ptr<f32>, %b: !tt.ptr<f32>, %c: !tt.ptr<f32>, %n: i32, %m: i32) "
    "attributes {noinline = false} {\n    tt.return\n  }\n}\n";
constexpr const char* kAdd =
    "module {\n  tt.func public @k(%a: !tt.ptr<f32>, %b: !tt.ptr<f32>, %c: !tt.ptr<f32>, %n: i32, %m: i32) "
    "attributes {noinline = false} {\n"
    "    %w = arith.constant 256 : i32\n    %p = tt.get_program_id x : i32\n    %s = arith.muli %p, %w : i32\n"
    "    %r = tt.make_range {end = 256 : i32, start = 0 : i32} : tensor<256xi32>\n"
    "    %t = tt.splat %s : i32 -> tensor<256xi32>\n    %i = arith.addi %t, %r : tensor<256xi32>\n"
    "    %nn = tt.splat %n : i32 -> tensor<256xi32>\n    %k = arith.cmpi slt, %i, %nn : tensor<256xi32>\n"
    "    %ap = tt.splat %a : !tt.ptr<f32> -> tensor<256x!tt.ptr<f32>>\n"
    "    %ai = tt.addptr %ap, %i : tensor<256x!tt.ptr<f32>>, tensor<256xi32>\n"
    "    %bp = tt.splat %b : !tt.ptr<f32> -> tensor<256x!tt.ptr<f32>>\n"
    "    %bi = tt.addptr %bp, %i : tensor<256x!tt.ptr<f32>>, tensor<256xi32>\n"
    "    %cp = tt.splat %c : !tt.ptr<f32> -> tensor<256x!tt.ptr<f32>>\n"
    "    %ci = tt.addptr %cp, %i : tensor<256x!tt.ptr<f32>>, tensor<256xi32>\n"
    "    %x = tt.load %ai, %k : tensor<256x!tt.ptr<f32>>\n    %y = tt.load %bi, %k : tensor<256x!tt.ptr<f32>>\n"
    "    %z = arith.addf %x, %y : tensor<256xf32>\n    tt.store %ci, %z, %k : tensor<256x!tt.ptr<f32>>\n"
    "    tt.return\n  }\n}\n";

/// range(0): programs; range(1): elements of each tensor.
void launch(benchmark::State& state, const char* text) {
  DiagnosticSink sink;
  const auto module = ir::parse_module(dialects::registry(), std::make_shared<SourceFile>("kernel.ttir", text), sink);
  const auto kernel = interpreter::PreparedKernel::make(*module, *module->kernels().front(), TargetProfile{}, sink);
  if (kernel == nullptr) std::abort();
  const std::int64_t elements = state.range(1);
  std::array<std::vector<float>, 3> data;
  for (auto& tensor : data) tensor.resize(static_cast<std::size_t>(elements));
  const std::array<std::int64_t, 1> shape{elements}, strides{1};
  interpreter::RunRequest request;
  request.grid = {state.range(0), 1, 1};
  request.reach = interpreter::Reach::storage;
  for (auto _ : state) {
    memory_model::AddressSpace memory;
    request.memory = &memory;
    request.arguments.clear();
    for (std::size_t i = 0; i < data.size(); ++i) {
      const std::string name(1, static_cast<char>('a' + i));
      const auto storage = memory.borrow(name, data[i].data(), static_cast<std::uint64_t>(elements) * sizeof(float));
      const auto base = reinterpret_cast<memory_model::Address>(data[i].data());
      const auto view = memory.add_bare_view(storage, name, ScalarKind::f32, base, shape, strides);
      request.arguments.push_back({interpreter::Argument::Kind::pointer, 0, *view});
    }
    request.arguments.push_back({interpreter::Argument::Kind::scalar, static_cast<std::uint64_t>(elements), {}});
    request.arguments.push_back({});
    const auto report = kernel->launch(request, sink);
    if (!report || report->programs_run != static_cast<std::uint64_t>(request.grid[0])) std::abort();
  }
}

void empty(benchmark::State& state) { launch(state, kEmpty); }
void add(benchmark::State& state) { launch(state, kAdd); }
BENCHMARK(empty)->Args({1, 1024})->Args({8, 1024})->UseRealTime();
BENCHMARK(add)->Args({1, 256})->Args({4, 1024})->Args({64, 16384})->Args({4096, 1048576})->UseRealTime();

}  // namespace

BENCHMARK_MAIN();
