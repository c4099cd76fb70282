// Loop-invariant work: planned before its loop, the same values as in it.
#include "dialects/registry.h"
#include "interpreter/access/load_store.h"
#include "interpreter/plan/plan_builder.h"
#include "tests/unit/interpreter_with_ops/launch_fixture.h"

namespace lockstep::interpreter {
namespace {

// Two loops, one in the other; %w, %m and %p do not change in either, %q changes in the outer one. The hoisted %w is
// also carried out of the loop.
const char* const kNested =
    "    %c0 = arith.constant 0 : i32\n    %c1 = arith.constant 1 : i32\n    %zero = arith.constant dense<0> : "
    "tensor<4xi32>\n"
    "    %id = tt.get_program_id x : i32\n    %ids = tt.splat %id : i32 -> tensor<4xi32>\n"
    "    %r = tt.make_range {end = 4 : i32, start = 0 : i32} : tensor<4xi32>\n"
    "    %xs = tt.splat %x : !tt.ptr<i32> -> tensor<4x!tt.ptr<i32>>\n"
    "    %xp = tt.addptr %xs, %r : tensor<4x!tt.ptr<i32>>, tensor<4xi32>\n"
    "    %u = tt.load %xp : tensor<4x!tt.ptr<i32>>\n"
    "    %s:2 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %zero, %b = %zero) -> (tensor<4xi32>, tensor<4xi32>)  : "
    "i32 {\n"
    "      %w = arith.addi %u, %ids : tensor<4xi32>\n"
    "      %q = arith.muli %i, %i : i32\n"
    "      %t:2 = scf.for %j = %c0 to %n step %c1 iter_args(%c = %a, %d = %b) -> (tensor<4xi32>, tensor<4xi32>)  : i32 "
    "{\n"
    "        %m = arith.muli %w, %u : tensor<4xi32>\n"
    "        %p = arith.addi %q, %q : i32\n        %ps = tt.splat %p : i32 -> tensor<4xi32>\n"
    "        %e = arith.addi %c, %m : tensor<4xi32>\n        %f = arith.addi %e, %ps : tensor<4xi32>\n"
    "        scf.yield %f, %w : tensor<4xi32>, tensor<4xi32>\n      }\n"
    "      scf.yield %t#0, %t#1 : tensor<4xi32>, tensor<4xi32>\n    }\n"
    "    %o = arith.addi %s#0, %s#1 : tensor<4xi32>\n    tt.store %xp, %o : tensor<4x!tt.ptr<i32>>\n";

std::vector<std::int32_t> run_nested(bool hoists, std::int32_t n) {
  Harness h(kernel("%x: !tt.ptr<i32>, %n: i32", kNested));
  h.tuning.hoists = hoists;
  h.tensor(std::vector<std::int32_t>{3, -1, 4, 1});
  h.scalar(static_cast<std::uint32_t>(n));
  EXPECT_TRUE(h.run().findings.findings().empty());
  return h.values<std::int32_t>(0);
}

TEST(Hoist, SameValues) {
  for (const std::int32_t n : {0, 1, 2, 7}) {
    std::vector<std::int32_t> expected;
    for (const std::int32_t u : {3, -1, 4, 1}) {
      std::int32_t sum = n > 0 ? u : 0;  // program 0: w is u
      for (std::int32_t i = 0; i < n; ++i) sum += n * (u * u + 2 * i * i);
      expected.push_back(sum);
    }
    EXPECT_EQ(run_nested(true, n), expected) << n;
    EXPECT_EQ(run_nested(false, n), expected) << n;
  }
}

/// Steps inside of loops, the inner one's counted twice.
std::ptrdiff_t steps_in_loops(bool hoists) {
  DiagnosticSink sink;
  const auto file = std::make_shared<SourceFile>("kernel.ttir", kernel("%x: !tt.ptr<i32>, %n: i32", kNested));
  const auto module = ir::parse_module(dialects::registry(), file, sink);
  Tuning tuning;
  tuning.hoists = hoists;
  PlanBuilder builder(*module, sink, {}, tuning);
  const auto plan = builder.build(*module->kernels().at(0));
  EXPECT_NE(plan, nullptr) << render_text(sink);
  std::ptrdiff_t steps = 0;
  for (const Step& step : plan->steps) steps += step.target != nullptr && step.target < &step ? &step - step.target : 0;
  return steps;
}

TEST(Hoist, LoopsHaveFewerSteps) { EXPECT_LE(steps_in_loops(true) + 4, steps_in_loops(false)); }

/// Adds x * i for i below n, for a part of 16 x 32 elements of a matrix whose rows are 64 apart.
std::string rows_in_a_loop() {
  const std::string i = "tensor<16x32xi32>", f = "tensor<16x32xf32>", p = "tensor<16x32x!tt.ptr<f32>>";
  return kernel("%x: !tt.ptr<f32>, %out: !tt.ptr<f32>, %n: i32",
                "    %c0 = arith.constant 0 : i32\n    %c1 = arith.constant 1 : i32\n"
                "    %zero = arith.constant dense<0.0> : " +
                    f + "\n    %pitch = arith.constant dense<64> : " + i +
                    "\n    %r = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>\n"
                    "    %c = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32>\n"
                    "    %re = tt.expand_dims %r {axis = 1 : i32} : tensor<16xi32> -> tensor<16x1xi32>\n"
                    "    %ce = tt.expand_dims %c {axis = 0 : i32} : tensor<32xi32> -> tensor<1x32xi32>\n"
                    "    %row = tt.broadcast %re : tensor<16x1xi32> -> " +
                    i + "\n    %column = tt.broadcast %ce : tensor<1x32xi32> -> " + i +
                    "\n    %down = arith.muli %row, %pitch : " + i + "\n    %at = arith.addi %down, %column : " + i +
                    "\n    %xs = tt.splat %x : !tt.ptr<f32> -> " + p + "\n    %xp = tt.addptr %xs, %at : " + p + ", " +
                    i + "\n    %v = tt.load %xp : " + p +
                    "\n    %s = scf.for %k = %c0 to %n step %c1 iter_args(%a = %zero) -> (" + f +
                    ")  : i32 {\n"
                    "      %kf = arith.sitofp %k : i32 to f32\n      %ks = tt.splat %kf : f32 -> " +
                    f + "\n      %m = arith.mulf %v, %ks : " + f + "\n      %b = arith.addf %a, %m : " + f +
                    "\n      scf.yield %b : " + f + "\n    }\n    %os = tt.splat %out : !tt.ptr<f32> -> " + p +
                    "\n    %op = tt.addptr %os, %at : " + p + ", " + i + "\n    tt.store %op, %s : " + p + "\n");
}

TEST(Hoist, RowsThatALoopReadsAreBroughtTogetherBeforeIt) {
  for (const std::int64_t strip : {16, 1024}) {
    Harness h(rows_in_a_loop());
    h.tuning.strip_elements = strip;
    h.tensor(iota_f32(1024));
    h.tensor(std::vector<float>(1024));
    h.scalar(5);
    EXPECT_EQ(h.run().bytes_read, 2048u);
    const auto x = h.values<float>(0), out = h.values<float>(1);
    for (std::size_t i = 0; i < 1024; ++i) ASSERT_EQ(out[i], i % 64 < 32 ? x[i] * 10 : 0.0f) << i;
  }
  DiagnosticSink sink;
  const auto module = ir::parse_module(dialects::registry(), std::make_shared<SourceFile>("kernel.ttir", rows_in_a_loop()), sink);
  PlanBuilder builder(*module, sink, {}, {});
  const auto plan = builder.build(*module->kernels().at(0));
  ASSERT_NE(plan, nullptr) << render_text(sink);
  int found = 0;
  for (const Step& step : plan->steps) {
    if (step.run == step_load_tile) found += static_cast<const Access*>(step.record)->is_read_again ? 1 : 0;
  }
  EXPECT_EQ(found, 1);
}

}  // namespace
}  // namespace lockstep::interpreter
