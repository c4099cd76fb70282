// What single steps of a plan cost: kernels of one program with a loop, timed with and without the lines in question,
// the difference per line. Every line depends on the loop's variable, so that nothing is hoisted out of it; data stays
// in L1. Units: ns a step (programs: ns a program). Not here: launches (latency_bench.cpp), vector loops
// (op_bench.cpp). Google Benchmark.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdlib>
#include <iostream>
#include <string>
#include <vector>

#include "interpreter/bounds.h"
#include "interpreter/prepared.h"
#include "ir/parser.h"

namespace {

using namespace lockstep;

constexpr std::int64_t kElements = 4096;

/// A kernel that is ready to be launched over three tensors of kElements f32 and one scalar.
class Kernel {
 public:
  explicit Kernel(const std::string& body, const interpreter::Tuning& tuning = interpreter::default_tuning()) {
    const std::string text =
        "module {\n  tt.func public @k(%x: !tt.ptr<f32>, %y: !tt.ptr<f32>, %z: !tt.ptr<f32>, %n: i32) attributes "
        "{noinline = false} {\n" +
        body + "    tt.return\n  }\n}\n";
    module_ = ir::parse_module(std::make_shared<SourceFile>("kernel.ttir", text), sink_);
    if (module_)
      kernel_ = interpreter::PreparedKernel::make(*module_, *module_->kernels().front(), TargetProfile{}, sink_, tuning);
    if (kernel_ == nullptr) {
      std::cerr << text << render_text(sink_);
      std::exit(2);
    }
    const std::array<std::int64_t, 1> shape{kElements}, strides{1};
    request_.memory = &memory_;
    request_.reach = interpreter::Reach::storage;
    request_.threads = 1;
    for (std::size_t i = 0; i < data_.size(); ++i) {
      data_[i].resize(kElements);
      const std::string name(1, static_cast<char>('x' + i));
      const auto storage = memory_.borrow(name, data_[i].data(), kElements * sizeof(float));
      const auto base = reinterpret_cast<memory_model::Address>(data_[i].data());
      const auto view = memory_.add_bare_view(storage, name, ScalarKind::f32, base, shape, strides);
      request_.arguments.push_back({interpreter::Argument::Kind::pointer, 0, *view});
    }
  }

  double seconds(std::int64_t programs, std::int64_t n) {
    interpreter::RunRequest request = request_;
    request.grid = {programs, 1, 1};
    request.arguments.push_back({interpreter::Argument::Kind::scalar, static_cast<std::uint64_t>(n), {}});
    const auto start = std::chrono::steady_clock::now();
    const auto report = kernel_->launch(request, sink_);
    const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
    if (!report || !report->findings.findings().empty()) std::abort();
    return taken.count();
  }

 private:
  DiagnosticSink sink_;
  std::optional<ir::Module> module_;
  std::unique_ptr<const interpreter::PreparedKernel> kernel_;
  memory_model::AddressSpace memory_;
  std::array<std::vector<float>, 3> data_;
  interpreter::RunRequest request_;
};

/// Lines of a loop's body: those that are timed and those that they need.
struct Lines {
  const char* name;
  std::string needed, timed;
  int steps = 1;
};

std::string looped(const std::string& body) {
  return "    %r = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>\n"
         "    %q = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32>\n"
         "    %c0 = arith.constant 0 : i32\n    %c1 = arith.constant 1 : i32\n    %c7 = arith.constant 7 : i32\n"
         "    scf.for %l = %c0 to %n step %c1 : i32 {\n      %i = arith.andi %l, %c7 : i32\n" +
         body + "    }\n";
}

const std::string kV = " : tensor<64xi32>\n", kM = " : tensor<64x32xi32>\n", kP = " : tensor<64x!tt.ptr<f32>>\n";
const std::string kQ = " : tensor<64x32x!tt.ptr<f32>>\n";
const std::string kSplat = "      %s = tt.splat %i : i32 -> tensor<64xi32>\n";
const std::string kIndex = kSplat + "      %a = arith.addi %s, %r" + kV;
const std::string kBound = "      %ns = tt.splat %n : i32 -> tensor<64xi32>\n";
const std::string kColumn =
    kIndex + "      %ar = tt.expand_dims %a {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>\n";
const std::string kWide = kColumn + "      %aw = tt.broadcast %ar : tensor<64x1xi32> -> tensor<64x32xi32>\n";
const std::string kMatrix =
    kWide +
    "      %t = tt.splat %i : i32 -> tensor<64x32xi32>\n      %qr = tt.expand_dims %q {axis = 0 : i32} : "
    "tensor<32xi32> "
    "-> tensor<1x32xi32>\n      %qw = tt.broadcast %qr : tensor<1x32xi32> -> tensor<64x32xi32>\n";
const std::string kPointer = kIndex +
                             "      %xs = tt.splat %x : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>\n"
                             "      %xp = tt.addptr %xs, %a : tensor<64x!tt.ptr<f32>>, tensor<64xi32>\n"
                             "      %ys = tt.splat %y : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>\n"
                             "      %yp = tt.addptr %ys, %a : tensor<64x!tt.ptr<f32>>, tensor<64xi32>\n";
const std::string kMasked =
    kPointer + "      %fs = tt.splat %f : i32 -> tensor<64xi32>\n      %k = arith.cmpi slt, %r, %fs" + kV;
const std::string kFew = "      %c40 = arith.constant 40 : i32\n      %f = arith.addi %i, %c40 : i32\n";
const std::string kAll = "      %c64 = arith.constant 64 : i32\n      %f = arith.addi %i, %c64 : i32\n";
const std::string kTile =
    kMatrix + "      %c32 = arith.constant dense<32> : tensor<64x32xi32>\n      %row = arith.muli %aw, %c32" + kM +
    "      %at = arith.addi %row, %qw" + kM +
    "      %xs = tt.splat %x : !tt.ptr<f32> -> tensor<64x32x!tt.ptr<f32>>\n"
    "      %xp = tt.addptr %xs, %at : tensor<64x32x!tt.ptr<f32>>, tensor<64x32xi32>\n"
    "      %bs = tt.splat %n : i32 -> tensor<64x32xi32>\n"
    "      %k = arith.cmpi slt, %aw, %bs" +
    kM + "      %k2 = arith.cmpi slt, %qw, %bs" + kM;

const std::vector<Lines>& all_lines() {
  static const std::vector<Lines> lines = {
      {"scalar_add", "", "      %a = arith.addi %i, %n : i32\n      %b = arith.muli %a, %i : i32\n", 2},
      {"scalar_load", "      %p = tt.addptr %x, %i : !tt.ptr<f32>, i32\n", "      %v = tt.load %p : !tt.ptr<f32>\n"},
      {"scalar_store", "      %c = arith.constant 1.0 : f32\n      %p = tt.addptr %x, %i : !tt.ptr<f32>, i32\n",
       "      tt.store %p, %c : !tt.ptr<f32>\n"},
      {"splat", "", kSplat},
      {"add_uniform_1d", kSplat, "      %a = arith.addi %s, %r" + kV},
      {"add_affine_1d", kIndex, "      %b = arith.addi %a, %r" + kV},
      {"multiply_1d", kIndex, "      %b = arith.muli %a, %s" + kV},
      {"compare_1d", kIndex + kBound, "      %b = arith.cmpi slt, %a, %ns" + kV},
      {"compare_cuts_1d", kSplat, "      %b = arith.cmpi slt, %r, %s" + kV},
      {"extend_1d", kIndex, "      %b = arith.extsi %a : tensor<64xi32> to tensor<64xi64>\n"},
      {"addptr_1d", kIndex + "      %xs = tt.splat %x : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>\n",
       "      %xp = tt.addptr %xs, %a : tensor<64x!tt.ptr<f32>>, tensor<64xi32>\n"},
      {"expand_dims", kIndex, "      %ar = tt.expand_dims %a {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>\n"},
      {"broadcast", kColumn, "      %aw = tt.broadcast %ar : tensor<64x1xi32> -> tensor<64x32xi32>\n"},
      {"add_affine_2d", kMatrix, "      %b = arith.addi %aw, %qw" + kM},
      {"multiply_2d", kMatrix, "      %b = arith.muli %aw, %t" + kM},
      {"compare_2d", kMatrix, "      %b = arith.cmpi slt, %qw, %t" + kM},
      {"and_2d", kTile, "      %b = arith.andi %k, %k2 : tensor<64x32xi1>\n"},
      {"and_boxes_2d",
       kMatrix + "      %k = arith.cmpi slt, %qw, %t" + kM + "      %k2 = arith.cmpi sge, %aw, %t" + kM +
           "      %k3 = arith.cmpi sgt, %aw, %t" + kM,
       "      %b = arith.andi %k, %k3 : tensor<64x32xi1>\n"},
      {"load_in_place", kPointer, "      %v = tt.load %yp" + kP},
      {"load_in_place_masked", kAll + kMasked, "      %v = tt.load %yp, %k" + kP},
      {"load_in_place_partly", kFew + kMasked, "      %v = tt.load %yp, %k" + kP},
      {"load_copy", kPointer + "      tt.store %yp, %cf" + kP, "      %v = tt.load %yp" + kP},
      {"load_copy_partly", kFew + kMasked + "      tt.store %yp, %cf" + kP, "      %v = tt.load %yp, %k" + kP},
      {"load_2d_in_place", kTile, "      %v = tt.load %xp" + kQ},
      {"store_uniform", kPointer, "      tt.store %yp, %cf" + kP},
      {"store_1d", kPointer + "      %v = tt.load %xp" + kP, "      tt.store %yp, %v" + kP},
      {"store_partly", kFew + kMasked + "      %v = tt.load %xp" + kP, "      tt.store %yp, %v, %k" + kP},
      {"add_f32_64", kPointer + "      %v = tt.load %xp" + kP, "      %w = arith.addf %v, %v : tensor<64xf32>\n"},
  };
  return lines;
}

constexpr std::int64_t kLoops = 20'000;

double best_of(Kernel& kernel, int times) {
  double best = 1e9;
  for (int i = 0; i < times; ++i) best = std::min(best, kernel.seconds(1, kLoops));
  return best;
}

void step(benchmark::State& state, const Lines& lines) {
  const std::string constants = "    %cf = arith.constant dense<1.0> : tensor<64xf32>\n";
  Kernel without(constants + looped(lines.needed)), with(constants + looped(lines.needed + lines.timed));
  for (auto _ : state) {
    const double difference = best_of(with, 12) - best_of(without, 12);
    state.SetIterationTime(std::max(difference, 1e-12) / static_cast<double>(kLoops * lines.steps));
  }
}

/// Vector add in ten steps and some constants, always on the first elements.
std::string vector_add(int block) {
  const std::string n = std::to_string(block), tile = "tensor<" + n + "xi32>";
  const std::string floats = "tensor<" + n + "xf32>", pointers = "tensor<" + n + "x!tt.ptr<f32>>";
  std::string text =
      "    %p = tt.get_program_id x : i32\n    %c0 = arith.constant 0 : i32\n"
      "    %z0 = arith.muli %p, %c0 : i32\n"
      "    %r = tt.make_range {end = " +
      n + " : i32, start = 0 : i32} : " + tile + "\n    %s = tt.splat %z0 : i32 -> " + tile +
      "\n    %i = arith.addi %s, %r : " + tile + "\n    %ns = tt.splat %n : i32 -> " + tile +
      "\n    %k = arith.cmpi slt, %i, %ns : " + tile + "\n";
  for (const std::string name : {"x", "y", "z"}) {
    text += "    %" + name + "s = tt.splat %" + name + " : !tt.ptr<f32> -> " + pointers + "\n    %" + name +
            "p = tt.addptr %" + name + "s, %i : " + pointers + ", " + tile + "\n";
  }
  return text + "    %a = tt.load %xp, %k : " + pointers + "\n    %b = tt.load %yp, %k : " + pointers +
         "\n    %c = arith.addf %a, %b : " + floats + "\n    tt.store %zp, %c, %k : " + pointers + "\n";
}

/// range(0): elements of the block; range(1): of the tensors, as the kernel is told.
void program(benchmark::State& state) {
  constexpr std::int64_t kPrograms = 20'000;
  interpreter::Tuning tuning = interpreter::default_tuning();
  tuning.batch_programs = 1;
  Kernel kernel(vector_add(static_cast<int>(state.range(0))), tuning);
  for (auto _ : state) {
    double best = 1e9;
    for (int i = 0; i < 12; ++i) best = std::min(best, kernel.seconds(kPrograms, state.range(1)));
    state.SetIterationTime(best / static_cast<double>(kPrograms));
  }
}
BENCHMARK(program)
    ->Args({16, 16})
    ->Args({16, 11})
    ->Args({1024, 1024})
    ->Args({1024, 1000})
    ->UseManualTime()
    ->Iterations(3);

}  // namespace

int main(int argc, char** argv) {
  for (const Lines& lines : all_lines()) {
    const auto run = [&lines](benchmark::State& state) { step(state, lines); };
    benchmark::RegisterBenchmark(lines.name, run)->UseManualTime()->Iterations(3);
  }
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
}
