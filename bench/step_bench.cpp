// What single steps of a plan cost, and what stands around them: the fixed costs of Lockstep beside their limits, in
// one table. A step is timed by kernels of one program with a loop, with and without the lines in question, the
// difference per line. Every line depends on the loop's variable, so that nothing is hoisted out of it; data stays in
// L1. What a step has to do with its data is measured beside it as a plain loop (copy, fill, add) over the same bytes,
// and taken off. Programs run one by one (no batches). Not here: how launches grow (latency_bench.cpp), vector loops
// (op_bench.cpp). Google Benchmark; units: ns a step, a program, a launch or a run.
#include <benchmark/benchmark.h>

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <iostream>
#include <string>
#include <vector>

#include "dialects/registry.h"
#include "interpreter/access/bounds.h"
#include "interpreter/launch/prepared.h"
#include "ir/text/parser.h"

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
    module_ = ir::parse_module(dialects::registry(), std::make_shared<SourceFile>("kernel.ttir", text), sink_);
    if (module_)
      kernel_ =
          interpreter::PreparedKernel::make(*module_, *module_->kernels().front(), TargetProfile{}, sink_, tuning);
    if (kernel_ == nullptr) {
      std::cerr << text << render_text(sink_);
      std::exit(2);
    }
    for (auto& tensor : data_) tensor.resize(kElements);
    request_.reach = interpreter::Reach::storage;
    request_.threads = 1;
    bind(memory_);
  }

  /// Of one launch; `anew`: with an address space of its own, as a caller from Python pays it.
  double seconds(std::int64_t programs, std::int64_t n, bool anew = false) {
    request_.grid = {programs, 1, 1};
    request_.arguments.back().bits = static_cast<std::uint64_t>(n);
    const auto start = std::chrono::steady_clock::now();
    if (anew) return seconds_anew(start, n);
    return finish(start);
  }

 private:
  using Time = std::chrono::steady_clock::time_point;

  void bind(memory_model::AddressSpace& memory) {
    const std::array<std::int64_t, 1> shape{kElements}, strides{1};
    request_.memory = &memory;
    request_.arguments.clear();
    for (std::size_t i = 0; i < data_.size(); ++i) {
      const std::string name(1, static_cast<char>('x' + i));
      const auto storage = memory.borrow(name, data_[i].data(), kElements * sizeof(float));
      const auto base = reinterpret_cast<memory_model::Address>(data_[i].data());
      const auto view = memory.add_bare_view(storage, name, ScalarKind::f32, base, shape, strides);
      request_.arguments.push_back({interpreter::Argument::Kind::pointer, 0, *view});
    }
    request_.arguments.push_back({interpreter::Argument::Kind::scalar, 0, {}});
  }
  double finish(Time start) {
    const auto report = kernel_->launch(request_, sink_);
    const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
    if (!report || !report->findings.findings().empty()) std::abort();
    return taken.count();
  }
  double seconds_anew(Time start, std::int64_t n) {
    memory_model::AddressSpace memory;
    bind(memory);
    request_.arguments.back().bits = static_cast<std::uint64_t>(n);
    const double taken = finish(start);
    bind(memory_);
    return taken;
  }

  DiagnosticSink sink_;
  std::optional<ir::Module> module_;
  std::unique_ptr<const interpreter::PreparedKernel> kernel_;
  memory_model::AddressSpace memory_;
  std::array<std::vector<float>, 3> data_;
  interpreter::RunRequest request_;
};

// ---- what the data costs ----

enum class Work : std::uint8_t { none, copy, fill, add };

#if defined(__x86_64__)
[[gnu::target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")]]
#endif
void add_elements(float* to, const float* from, int n) {
  for (int k = 0; k < n; ++k) to[k] += from[k];
}

/// Plain loops over elements [0, n) of a few arrays in L1; ns a time.
double data_ns(Work work, int n, int times = 1) {
  alignas(64) static std::array<float, kElements> out, in;
  constexpr int kTimes = 20'000;
  if (work == Work::none) return 0;
  double best = 1e9;
  for (int round = 0; round < 12; ++round) {
    const auto start = std::chrono::steady_clock::now();
    for (int i = 0; i < kTimes * times; ++i) {
      float *to = out.data(), *from = in.data();
      asm volatile("" : "+r"(to), "+r"(from) : : "memory");
      if (work == Work::copy) std::memcpy(to, from, static_cast<std::size_t>(n) * sizeof(float));
      if (work == Work::fill) std::fill(to, to + n, 1.0f);
      if (work == Work::add) add_elements(to, from, n);
      asm volatile("" : : : "memory");
    }
    const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
    best = std::min(best, taken.count());
  }
  return best * 1e9 / kTimes;
}

// ---- the table ----

/// Of each time the shortest of all rounds counts; a step's is the difference of two.
struct Row {
  std::string name;
  double limit = 0, with = 1e18, without = 1e18, data = 1e18;

  double ns() const { return with - without; }
  double fixed() const { return ns() - data; }
};

std::vector<Row>& table() {
  static std::vector<Row> rows;
  return rows;
}

/// Adds a round; `without`: what the lines that are not timed take, if anything. ns.
void report(benchmark::State& state, const Row& round) {
  const auto same = [&](const Row& row) { return row.name == round.name; };
  auto row = std::find_if(table().begin(), table().end(), same);
  if (row == table().end()) row = table().insert(row, round);
  row->with = std::min(row->with, round.with);
  row->without = std::min(row->without, round.without);
  row->data = std::min(row->data, round.data);
  state.SetIterationTime(std::max(row->ns(), 1e-3) * 1e-9);
  state.counters["data"] = row->data;
  state.counters["fixed"] = row->fixed();
  state.counters["limit"] = row->limit;
}

void print_table() {
  std::size_t over = 0;
  std::printf("\n| what | ns | of it data | fixed | limit |\n|---|---|---|---|---|\n");
  for (const Row& row : table()) {
    const bool is_over = row.fixed() > row.limit;
    std::printf("| %s | %.1f | %.1f | %.1f | %.0f%s |\n", row.name.c_str(), row.ns(), row.data, row.fixed(), row.limit,
                is_over ? " (over)" : "");
    over += is_over ? 1 : 0;
  }
  std::printf("\n%zu of %zu over their limits\n", over, table().size());
}

// ---- steps ----

constexpr double kStepLimit = 5, kAccessLimit = 30, kProgramLimit = 150, kLaunchLimit = 4000, kRunLimit = 30e6;

/// Lines of a loop's body: those that are timed and those that they need.
struct Lines {
  const char* name;
  std::string needed, timed;
  int steps = 1;
  double limit = kStepLimit;
  Work work = Work::none;
  int elements = 64;
  int passes = 1;  // of the work
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
    "      %j = arith.addi %i, %c1 : i32\n      %t1 = tt.splat %j : i32 -> tensor<64x32xi32>\n      %qr = "
    "tt.expand_dims %q {axis = 0 : i32} : "
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

const std::string kLoaded = kPointer + "      %v = tt.load %xp" + kP;
const std::string kStored = "      tt.store %yp, %cf" + kP;
const std::string kAdd = "      %w = arith.addf %v, %v : tensor<64xf32>\n";
const std::string kNext = "      %j = arith.addi %i, %c1 : i32\n      %s1 = tt.splat %j : i32 -> tensor<64xi32>\n";

/// Additions one after the other, the last of them stored.
std::string additions(int count, const std::string& mask) {
  std::string text = kAdd, last = "%w";
  for (int i = 1; i < count; ++i) {
    const std::string next = "%w" + std::to_string(i);
    text += "      " + next + " = arith.addf " + last + ", %v : tensor<64xf32>\n";
    last = next;
  }
  return text + "      tt.store %yp, " + last + mask + kP;
}

std::vector<Lines> scalar_lines() {
  return {
      {"scalar_add_multiply", "", "      %a = arith.addi %i, %n : i32\n      %b = arith.muli %a, %i : i32\n", 2},
      {"scalar_and", "", "      %a = arith.andi %i, %n : i32\n"},
      {"scalar_minimum", "", "      %a = arith.minsi %i, %n : i32\n"},
      {"scalar_divide", "", "      %a = arith.divsi %l, %n : i32\n"},
      {"scalar_compare", "", "      %a = arith.cmpi slt, %i, %n : i32\n"},
      {"scalar_extend", "", "      %a = arith.extsi %i : i32 to i64\n"},
      {"scalar_add_pointer", "", "      %p = tt.addptr %x, %i : !tt.ptr<f32>, i32\n"},
      {"scalar_add_f32", "      %p = tt.addptr %x, %i : !tt.ptr<f32>, i32\n      %v = tt.load %p : !tt.ptr<f32>\n",
       "      %w = arith.addf %v, %v : f32\n"},
      {"splat", "", kSplat},
  };
}

std::vector<Lines> affine_lines() {
  return {
      {"add_uniform_1d", kSplat, "      %a = arith.addi %s, %r" + kV},
      {"add_affine_1d", kIndex, "      %b = arith.addi %a, %r" + kV},
      {"multiply_1d", kIndex + kNext, "      %b = arith.muli %a, %s1" + kV},
      {"compare_1d", kIndex + kBound, "      %b = arith.cmpi slt, %a, %ns" + kV},
      {"compare_cuts_1d", kNext, "      %b = arith.cmpi slt, %r, %s1" + kV},
      {"extend_1d", kIndex, "      %b = arith.extsi %a : tensor<64xi32> to tensor<64xi64>\n"},
      {"add_pointer_1d", kIndex + "      %xs = tt.splat %x : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>\n",
       "      %xp = tt.addptr %xs, %a : tensor<64x!tt.ptr<f32>>, tensor<64xi32>\n"},
      {"expand_dims", kIndex, "      %ar = tt.expand_dims %a {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>\n"},
      {"broadcast", kColumn, "      %aw = tt.broadcast %ar : tensor<64x1xi32> -> tensor<64x32xi32>\n"},
      {"add_affine_2d", kMatrix, "      %b = arith.addi %aw, %qw" + kM},
      {"multiply_2d", kMatrix, "      %b = arith.muli %aw, %t1" + kM},
      {"compare_2d", kMatrix, "      %b = arith.cmpi slt, %qw, %t1" + kM},
      {"and_2d", kTile, "      %b = arith.andi %k, %k2 : tensor<64x32xi1>\n"},
      {"and_boxes_2d",
       kMatrix + "      %k = arith.cmpi slt, %qw, %t1" + kM + "      %k3 = arith.cmpi sgt, %aw, %t1" + kM,
       "      %b = arith.andi %k, %k3 : tensor<64x32xi1>\n"},
  };
}

std::vector<Lines> access_lines() {
  const double limit = kAccessLimit;
  const std::string partly = kFew + kMasked;
  return {
      {"scalar_load", "      %p = tt.addptr %x, %i : !tt.ptr<f32>, i32\n", "      %v = tt.load %p : !tt.ptr<f32>\n", 1,
       limit},
      {"scalar_store", "      %c = arith.constant 1.0 : f32\n      %p = tt.addptr %x, %i : !tt.ptr<f32>, i32\n",
       "      tt.store %p, %c : !tt.ptr<f32>\n", 1, limit},
      {"load_in_place", kPointer, "      %v = tt.load %yp" + kP, 1, limit},
      {"load_in_place_masked", kAll + kMasked, "      %v = tt.load %yp, %k" + kP, 1, limit},
      {"load_partly", partly, "      %v = tt.load %yp, %k" + kP, 1, limit, Work::copy, 40},
      {"load_written", kPointer + kStored, "      %v = tt.load %yp" + kP, 1, limit, Work::copy},
      {"load_written_partly", partly + kStored, "      %v = tt.load %yp, %k" + kP, 1, limit, Work::copy, 40},
      {"load_2d_in_place", kTile, "      %v = tt.load %xp" + kQ, 1, limit},
      {"store_uniform", kPointer, kStored, 1, limit, Work::fill},
      {"store_1d", kLoaded, "      tt.store %yp, %v" + kP, 1, limit, Work::copy},
      {"store_partly", partly + "      %v = tt.load %xp" + kP, "      tt.store %yp, %v, %k" + kP, 1, limit, Work::copy,
       40},
      {"add_f32", kLoaded, kAdd, 1, limit, Work::add},
      {"chain_add_store", kLoaded, additions(1, ""), 1, limit, Work::add},
      {"chain_add_store_partly", partly + "      %v = tt.load %xp" + kP, additions(1, ", %k"), 1, limit, Work::add, 40},
      {"chain_eight_adds_store", kLoaded, additions(8, ""), 1, limit, Work::add, 64, 8},
  };
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
    const double scale = 1e9 / static_cast<double>(kLoops * lines.steps);
    report(state, {lines.name, lines.limit, best_of(with, 12) * scale, best_of(without, 12) * scale,
                   data_ns(lines.work, lines.elements, lines.passes)});
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

/// Programs of `block` elements; `n`: of the tensors, as the kernel is told.
void program(benchmark::State& state, int block, int n) {
  constexpr std::int64_t kPrograms = 20'000;
  interpreter::Tuning tuning = interpreter::default_tuning();
  tuning.batch_programs = 1;
  Kernel kernel(vector_add(block), tuning);
  for (auto _ : state) {
    double best = 1e9;
    for (int i = 0; i < 12; ++i) best = std::min(best, kernel.seconds(kPrograms, n));
    const double ns = best * 1e9 / static_cast<double>(kPrograms);
    report(state, {"program_" + std::to_string(n) + "_of_" + std::to_string(block), kProgramLimit, ns, 0,
                   data_ns(Work::add, n)});
  }
}

/// One program, its address space made anew.
void launch(benchmark::State& state) {
  Kernel kernel(vector_add(256));
  for (auto _ : state) {
    double best = 1e9;
    for (int i = 0; i < 2000; ++i) best = std::min(best, kernel.seconds(1, 256, true));
    report(state, {"launch_of_one_program", kLaunchLimit, best * 1e9, 0, 0});
  }
}

// ---- a process ----

/// Wall time of a whole process without output.
double process_seconds(std::vector<const char*> words) {
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
  words.push_back(nullptr);
  std::vector<char*> arguments;
  for (const char* word : words) arguments.push_back(const_cast<char*>(word));
  const auto start = std::chrono::steady_clock::now();
  pid_t child = 0;
  int status = 1;
  if (posix_spawn(&child, words[0], &actions, nullptr, arguments.data(), environ) == 0) waitpid(child, &status, 0);
  const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
  posix_spawn_file_actions_destroy(&actions);
  if (status != 0) {
    std::cerr << "lockstep run failed\n";
    std::exit(2);
  }
  return taken.count();
}

/// `lockstep run` of vector add with 64 Ki elements, from the kernel's Python source.
void cold_run(benchmark::State& state) {
  for (auto _ : state) {
    double best = 1e9;
    for (int i = 0; i < 8; ++i) {
      best = std::min(best, process_seconds({LOCKSTEP_CLI, "run", LOCKSTEP_KERNELS, "--grid", "64", "x=rand:f32[65536]",
                                             "y=rand:f32[65536]", "out=empty:f32[65536]", "n=65536", "BLOCK=1024"}));
    }
    report(state, {"cold_run_of_64_Ki_elements", kRunLimit, best * 1e9, 0, 0});
  }
}

void add(const std::string& name, const std::function<void(benchmark::State&)>& run) {
  benchmark::RegisterBenchmark(name.c_str(), run)->UseManualTime()->Iterations(5);
}

}  // namespace

int main(int argc, char** argv) {
  for (const auto& group : {scalar_lines(), affine_lines(), access_lines()}) {
    for (const Lines& lines : group) add(lines.name, [lines](benchmark::State& state) { step(state, lines); });
  }
  for (const auto& [block, n] : {std::pair{16, 16}, {16, 11}, {1024, 1024}, {1024, 1000}}) {
    add("program_" + std::to_string(n) + "_of_" + std::to_string(block),
        [block, n](benchmark::State& state) { program(state, block, n); });
  }
  add("launch", launch);
  add("cold_run", cold_run);
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
  print_table();
}
