// Programs that look at each other: locks, flags, deadlocks, limits, and bytes that do not depend on the number of
// threads.
#include "dialects/registry.h"
#include "interpreter/batching/effects.h"
#include "interpreter/launch/machine.h"
#include "interpreter/scheduler/execution_mode.h"
#include "ir/op_def.h"
#include "ir/opcode.h"
#include "tests/unit/interpreter_with_ops/launch_fixture.h"

namespace lockstep::interpreter {
namespace {

const char* const kSpinLock =
    "    %c0 = arith.constant 0 : i32\n    %c1 = arith.constant 1 : i32\n    %t = arith.constant true\n"
    "    %w = scf.while (%a = %c1) : (i32) -> i32 {\n"
    "      %old = tt.atomic_cas acq_rel, gpu, %lock, %c0, %c1 : (!tt.ptr<i32>, i32, i32) -> i32\n"
    "      %go = arith.cmpi eq, %old, %c1 : i32\n"
    "      scf.condition(%go) %old : i32\n"
    "    } do {\n    ^bb0(%b: i32):\n      scf.yield %b : i32\n    }\n"
    "    %v = tt.load %x : !tt.ptr<i32>\n    %v1 = arith.addi %v, %c1 : i32\n    tt.store %x, %v1 : !tt.ptr<i32>\n";

TEST(ExecutionMode, SpinLockCountsEveryProgram) {
  Harness h(kernel("%lock: !tt.ptr<i32>, %x: !tt.ptr<i32>",
                   std::string(kSpinLock) +
                       "    %r = tt.atomic_rmw exch, acq_rel, gpu, %lock, %c0, %t : (!tt.ptr<i32>, i32, i1) -> i32\n"));
  h.tensor(std::vector<std::int32_t>{0});
  h.tensor(std::vector<std::int32_t>{0});
  const LaunchReport report = h.run({48, 1, 1}, 4);
  EXPECT_EQ(report.outcome, Outcome::completed);
  EXPECT_EQ(h.values<std::int32_t>(1)[0], 48);
  EXPECT_EQ(h.values<std::int32_t>(0)[0], 0);
}

/// Why two programs with these effects on arguments 0 and 1, two storages of `bytes`, would run one after the other.
std::string reason_for(const MemoryEffects& effects, std::uint64_t bytes = 64) {
  memory_model::AddressSpace memory;
  RunRequest request;
  request.memory = &memory;
  for (const char* name : {"a", "b"}) {
    const auto storage = memory.allocate(name, bytes);
    const auto view = memory.add_view(*storage, name, ScalarKind::i32, 0, {static_cast<std::int64_t>(bytes / 4)}, {1});
    request.arguments.push_back({Argument::Kind::pointer, 0, *view});
  }
  Launch launch;
  const ExecutionMode mode = decide_execution_mode(request, effects, 2, launch);
  EXPECT_EQ(mode.in_order, !mode.reason.empty());
  return std::string(mode.reason);
}

TEST(ExecutionMode, ProgramsThatRunInOrderHaveTheReasonThatIsTrue) {
  MemoryEffects observing, printing, storing, loading, updating, waiting, mixing, plain;
  observing.has_observed_atomics = true;
  EXPECT_EQ(reason_for(observing), "the kernel looks at what its atomics return");
  printing.prints = true;
  EXPECT_EQ(reason_for(printing), "the kernel prints");
  storing.written.is_unknown = true;
  EXPECT_EQ(reason_for(storing), "the kernel stores to addresses that it loads or computes");
  loading.read.is_unknown = true;
  EXPECT_EQ(reason_for(loading), "");
  loading.written.arguments = {0};
  EXPECT_EQ(reason_for(loading), "the kernel loads from addresses that it loads or computes");
  updating.atomic.arguments = {0};
  EXPECT_EQ(reason_for(updating), "");
  updating.read.arguments = {0};
  EXPECT_EQ(reason_for(updating), "what atomics update is also loaded or stored to");
  waiting.observed.arguments = waiting.written.arguments = {0};
  EXPECT_EQ(reason_for(waiting), "programs may wait for what others store");
  mixing.atomic.arguments = {0};
  for (const std::int64_t kind : {1, 2}) {
    AtomicUpdates& update = mixing.updates.emplace_back();
    update.kind = kind;
    update.memory.arguments = {0};
  }
  EXPECT_EQ(reason_for(mixing), "two kinds of atomics update the same memory");
  plain.read.arguments = plain.written.arguments = {0};
  EXPECT_EQ(reason_for(plain), "");
  constexpr std::uint64_t kLarge = (std::uint64_t{1} << 28) + 64;
  EXPECT_EQ(reason_for(plain, kLarge), "");  // its chunks keep what they overwrite
  plain.atomic.arguments = {1};
  EXPECT_EQ(reason_for(plain), "");
  EXPECT_EQ(reason_for(plain, kLarge), "keeping a copy of the memory that it updates costs more");
}

TEST(ExecutionMode, LockThatIsNeverReleasedIsADeadlock) {
  Harness h(kernel("%lock: !tt.ptr<i32>, %x: !tt.ptr<i32>", kSpinLock));
  h.tensor(std::vector<std::int32_t>{0});
  h.tensor(std::vector<std::int32_t>{0});
  const LaunchReport report = h.run({3, 1, 1}, 2);
  EXPECT_EQ(report.outcome, Outcome::deadlocked);
  ASSERT_EQ(report.findings.findings().size(), 1u);
  const Finding& finding = report.findings.findings()[0];
  EXPECT_EQ(finding.code, FindingCode::LS901);
  EXPECT_EQ(finding.message,
            "deadlock: programs (1,0,0)..(2,0,0) wait for a0[0] (line 7), which no program can change any more");
  EXPECT_EQ(report.programs_run, 1u);
}

const std::string kWaitForLater =
    kernel("%flag: !tt.ptr<i32>, %y: !tt.ptr<i32>",
           "    %c0 = arith.constant 0 : i32\n    %c1 = arith.constant 1 : i32\n    %t = arith.constant true\n"
           "    %p = tt.get_program_id x : i32\n    %first = arith.cmpi eq, %p, %c0 : i32\n"
           "    scf.if %first {\n"
           "      %w = scf.while (%a = %c0) : (i32) -> i32 {\n"
           "        %old = tt.atomic_rmw add, acquire, gpu, %flag, %c0, %t : (!tt.ptr<i32>, i32, i1) -> i32\n"
           "        %go = arith.cmpi eq, %old, %c0 : i32\n        scf.condition(%go) %old : i32\n"
           "      } do {\n      ^bb0(%b: i32):\n        scf.yield %b : i32\n      }\n"
           "      tt.store %y, %w : !tt.ptr<i32>\n"
           "    } else {\n"
           "      %r = tt.atomic_rmw exch, release, gpu, %flag, %c1, %t : (!tt.ptr<i32>, i32, i1) -> i32\n"
           "    }\n");

TEST(ExecutionMode, WaitingForALaterProgramEnds) {
  Harness h(kWaitForLater);
  h.tensor(std::vector<std::int32_t>{0});
  h.tensor(std::vector<std::int32_t>{0});
  const LaunchReport report = h.run({2, 1, 1});
  EXPECT_EQ(report.outcome, Outcome::completed);
  EXPECT_EQ(h.values<std::int32_t>(1)[0], 1);
}

TEST(ExecutionMode, WaitingForAProgramThatIsNotThereIsADeadlock) {
  Harness h(kWaitForLater);
  h.tensor(std::vector<std::int32_t>{0});
  h.tensor(std::vector<std::int32_t>{0});
  EXPECT_EQ(h.run({1, 1, 1}).outcome, Outcome::deadlocked);
}

TEST(ExecutionMode, PlainLoadSpinEnds) {
  std::string text = kWaitForLater;
  const std::string atomic = "tt.atomic_rmw add, acquire, gpu, %flag, %c0, %t : (!tt.ptr<i32>, i32, i1) -> i32";
  text.replace(text.find(atomic), atomic.size(), "tt.load %flag : !tt.ptr<i32>");
  Harness h(text);
  h.tensor(std::vector<std::int32_t>{0});
  h.tensor(std::vector<std::int32_t>{0});
  EXPECT_EQ(h.run({2, 1, 1}).outcome, Outcome::completed);
  EXPECT_EQ(h.values<std::int32_t>(1)[0], 1);
}

const std::string kEndless = kernel("%x: !tt.ptr<i32>",
                                    "    %c0 = arith.constant 0 : i32\n    %c1 = arith.constant 1 : i32\n"
                                    "    %w = scf.while (%a = %c0) : (i32) -> i32 {\n      %t = arith.constant true\n"
                                    "      scf.condition(%t) %a : i32\n    } do {\n    ^bb0(%b: i32):\n"
                                    "      %n = arith.addi %b, %c1 : i32\n      scf.yield %n : i32\n    }\n");

TEST(ExecutionMode, EndlessLoopObeysTheTimeout) {
  Harness h(kEndless);
  h.tensor(std::vector<std::int32_t>{0});
  h.limits.timeout_seconds = 0.05;
  const LaunchReport report = h.run({4, 1, 1});
  EXPECT_EQ(report.outcome, Outcome::timed_out);
  EXPECT_LT(report.seconds, 5.0);
}

TEST(ExecutionMode, EndlessLoopObeysTheStopFlag) {
  Harness h(kEndless);
  h.tensor(std::vector<std::int32_t>{0});
  const std::atomic<bool> stop{true};
  h.stop = &stop;
  EXPECT_EQ(h.run({4, 1, 1}).outcome, Outcome::interrupted);
}

TEST(ExecutionMode, MemoryLimitStopsTheLaunch) {
  Harness h(kernel("%x: !tt.ptr<f32>",
                   "    %r = tt.make_range {end = 65536 : i32, start = 0 : i32} : tensor<65536xi32>\n"
                   "    %f = arith.sitofp %r : tensor<65536xi32> to tensor<65536xf32>\n"
                   "    %p = tt.splat %x : !tt.ptr<f32> -> tensor<65536x!tt.ptr<f32>>\n"
                   "    %q = tt.addptr %p, %r : tensor<65536x!tt.ptr<f32>>, tensor<65536xi32>\n"
                   "    tt.store %q, %f : tensor<65536x!tt.ptr<f32>>\n"));
  h.tensor(std::vector<float>(65536));
  h.limits.max_memory_bytes = 1000;
  EXPECT_EQ(h.run().outcome, Outcome::out_of_memory);
}

/// Every program adds pid-dependent floats of very different size to one cell: the order shows in the bits.
const std::string kFloatSum = kernel(
    "%x: !tt.ptr<f32>, %v: !tt.ptr<f32>",
    "    %t = arith.constant dense<true> : tensor<4xi1>\n    %p = tt.get_program_id x : i32\n    %c4 = arith.constant "
    "4 : i32\n"
    "    %b = arith.muli %p, %c4 : i32\n    %r = tt.make_range {end = 4 : i32, start = 0 : i32} : tensor<4xi32>\n"
    "    %bs = tt.splat %b : i32 -> tensor<4xi32>\n    %o = arith.addi %bs, %r : tensor<4xi32>\n"
    "    %vs = tt.splat %v : !tt.ptr<f32> -> tensor<4x!tt.ptr<f32>>\n    %vp = tt.addptr %vs, %o : "
    "tensor<4x!tt.ptr<f32>>, tensor<4xi32>\n"
    "    %d = tt.load %vp : tensor<4x!tt.ptr<f32>>\n"
    "    %xs = tt.splat %x : !tt.ptr<f32> -> tensor<4x!tt.ptr<f32>>\n    %xp = tt.addptr %xs, %r : "
    "tensor<4x!tt.ptr<f32>>, tensor<4xi32>\n"
    "    %old = tt.atomic_rmw fadd, relaxed, gpu, %xp, %d, %t : (tensor<4x!tt.ptr<f32>>, tensor<4xf32>, tensor<4xi1>) "
    "-> tensor<4xf32>\n");

TEST(ExecutionMode, FloatAtomicsAreAppliedInProgramOrder) {
  std::vector<float> addends(4 * 1000);
  for (std::size_t i = 0; i < addends.size(); ++i)
    addends[i] = (i % 3 == 0 ? 1e8f : i % 3 == 1 ? -1e8f : 1.25f) / static_cast<float>(1 + i % 11);
  std::vector<float> expected(4);
  for (std::size_t i = 0; i < addends.size(); ++i) expected[i % 4] += addends[i];
  for (const unsigned threads : {1u, 2u, 7u}) {
    Harness h(kFloatSum);
    h.tensor(std::vector<float>(4));
    h.tensor(addends);
    h.run({1000, 1, 1}, threads);
    EXPECT_EQ(h.values<float>(0), expected) << threads;
  }
}

/// x[p + 1] = x[p] + 1: each program reads what the one before wrote.
TEST(ExecutionMode, DependentProgramsRunInOrder) {
  const std::string chain = kernel("%x: !tt.ptr<i32>",
                                   "    %c1 = arith.constant 1 : i32\n    %p = tt.get_program_id x : i32\n"
                                   "    %a = tt.addptr %x, %p : !tt.ptr<i32>, i32\n    %v = tt.load %a : !tt.ptr<i32>\n"
                                   "    %w = arith.addi %v, %c1 : i32\n    %b = tt.addptr %a, %c1 : !tt.ptr<i32>, i32\n"
                                   "    tt.store %b, %w : !tt.ptr<i32>\n");
  for (const unsigned threads : {1u, 2u, 7u}) {
    Harness h(chain);
    h.tensor(std::vector<std::int32_t>(2001));
    const LaunchReport report = h.run({2000, 1, 1}, threads);
    EXPECT_EQ(h.values<std::int32_t>(0)[2000], 2000);
    EXPECT_EQ(report.programs_run, 2000u);
    EXPECT_EQ(report.bytes_read, 8000u);
  }
}

/// All programs store to one cell: the last one wins.
// Each time the inner loop ends it carries the same values and has changed nothing; the outer loop goes on all the
// same.
TEST(ExecutionMode, LoopThatEndsTheSameWayInEveryIterationIsNoDeadlock) {
  Harness h(
      kernel("%x: !tt.ptr<i32>, %y: !tt.ptr<i32>",
             "    %c0 = arith.constant 0 : i32\n    %c1 = arith.constant 1 : i32\n    %c4 = arith.constant 4 : i32\n"
             "    %s = scf.for %i = %c0 to %c4 step %c1 iter_args(%n = %c0) -> (i32)  : i32 {\n"
             "      %w = scf.while (%a = %c1) : (i32) -> i32 {\n"
             "        %v = tt.load %x {isVolatile = true} : !tt.ptr<i32>\n"
             "        %go = arith.cmpi sgt, %a, %v : i32\n        scf.condition(%go) %a : i32\n"
             "      } do {\n      ^bb0(%b: i32):\n        %c = arith.subi %b, %c1 : i32\n        scf.yield %c : i32\n"
             "      }\n"
             "      %m = arith.addi %n, %c1 : i32\n      scf.yield %m : i32\n    }\n"
             "    tt.store %y, %s : !tt.ptr<i32>\n    tt.store %x, %c0 : !tt.ptr<i32>\n"));
  h.tensor(std::vector<std::int32_t>{0});
  h.tensor(std::vector<std::int32_t>{0});
  const LaunchReport report = h.run({1, 1, 1});
  EXPECT_EQ(report.outcome, Outcome::completed);
  EXPECT_TRUE(report.findings.findings().empty());
  EXPECT_EQ(h.values<std::int32_t>(1)[0], 4);
}

// ---- regions ----

std::string map_kernel(const std::string& region) {
  return kernel("%x: !tt.ptr<i32>",
                "    %r = tt.make_range {end = 8 : i32, start = 0 : i32} : tensor<8xi32>\n"
                "    %y = \"tt.map_elementwise\"(%r) <{pack = 1 : i32}> ({\n    ^bb0(%a: i32):\n"
                "      %t = arith.constant true\n      %c0 = arith.constant 0 : i32\n"
                "      %c1 = arith.constant 1 : i32\n      %c9 = arith.constant 9 : i32\n" +
                    region + "      tt.map_elementwise.return %o : i32\n    }) : (tensor<8xi32>) -> tensor<8xi32>\n");
}

/// A region starts again from its first element, so that no loop in it may give way: not even after a region within.
TEST(ExecutionMode, RegionsWithinRegionsRunOnce) {
  Harness h(
      map_kernel("      %v = arith.constant dense<2> : tensor<2xi32>\n"
                 "      %b = \"tt.map_elementwise\"(%v) <{pack = 1 : i32}> ({\n      ^bb0(%p: i32):\n"
                 "        %u = scf.for %i = %c0 to %c9 step %c1 iter_args(%w = %p) -> (i32) : i32 {\n"
                 "          %h = arith.addi %w, %i : i32\n          scf.yield %h : i32\n        }\n"
                 "        tt.map_elementwise.return %u : i32\n      }) : (tensor<2xi32>) -> tensor<2xi32>\n"
                 "      %o = tt.atomic_rmw add, relaxed, gpu, %x, %c1, %t : (!tt.ptr<i32>, i32, i1) -> i32\n"
                 "      %e = scf.while (%z = %c0) : (i32) -> i32 {\n"
                 "        %old = tt.atomic_rmw add, relaxed, gpu, %x, %c0, %t : (!tt.ptr<i32>, i32, i1) -> i32\n"
                 "        %d = arith.minsi %old, %c1 : i32\n        %n = arith.addi %z, %d : i32\n"
                 "        %go = arith.cmpi slt, %n, %c9 : i32\n        scf.condition(%go) %n : i32\n"
                 "      } do {\n      ^bb0(%z: i32):\n        scf.yield %z : i32\n      }\n"));
  h.tensor(std::vector<std::int32_t>{0});
  h.limits.timeout_seconds = 5;
  EXPECT_EQ(h.run({2, 1, 1}).outcome, Outcome::completed);
  EXPECT_EQ(h.values<std::int32_t>(0)[0], 16);
}

TEST(ExecutionMode, WaitingInARegionIsRefused) {
  Harness h(
      map_kernel("      %o = tt.atomic_rmw add, relaxed, gpu, %x, %c1, %t : (!tt.ptr<i32>, i32, i1) -> i32\n"
                 "      %z = tt.atomic_poll acquire, gpu, %x, %c9 : !tt.ptr<i32>, i32 -> i1\n"));
  h.tensor(std::vector<std::int32_t>{0});
  h.expects_refusal = true;
  h.run({2, 1, 1});
  EXPECT_TRUE(h.was_unsupported) << h.diagnostics;
}

TEST(ExecutionMode, LastProgramWins) {
  for (const unsigned threads : {1u, 2u, 7u}) {
    Harness h(kernel("%x: !tt.ptr<i32>", "    %p = tt.get_program_id x : i32\n    tt.store %x, %p : !tt.ptr<i32>\n"));
    h.tensor(std::vector<std::int32_t>(1));
    h.run({5000, 1, 1}, threads);
    EXPECT_EQ(h.values<std::int32_t>(0)[0], 4999);
  }
}

TEST(ExecutionMode, IntegerAtomicsCountEveryProgram) {
  Harness h(kernel("%x: !tt.ptr<i32>",
                   "    %t = arith.constant true\n    %c1 = arith.constant 1 : i32\n"
                   "    %o = tt.atomic_rmw add, relaxed, gpu, %x, %c1, %t : (!tt.ptr<i32>, i32, i1) -> i32\n"));
  h.tensor(std::vector<std::int32_t>(1));
  h.run({20000, 1, 1}, 4);
  EXPECT_EQ(h.values<std::int32_t>(0)[0], 20000);
}

TEST(ExecutionMode, ThreeDimensionalGrid) {
  Harness h(kernel(
      "%x: !tt.ptr<i32>",
      "    %p = tt.get_program_id x : i32\n    %q = tt.get_program_id y : i32\n    %r = tt.get_program_id z : i32\n"
      "    %nx = tt.get_num_programs x : i32\n    %ny = tt.get_num_programs y : i32\n"
      "    %0 = arith.muli %r, %ny : i32\n    %1 = arith.addi %0, %q : i32\n    %2 = arith.muli %1, %nx : i32\n"
      "    %3 = arith.addi %2, %p : i32\n    %4 = tt.addptr %x, %3 : !tt.ptr<i32>, i32\n    tt.store %4, %3 : "
      "!tt.ptr<i32>\n"));
  h.tensor(std::vector<std::int32_t>(24));
  EXPECT_EQ(h.run({2, 3, 4}).programs_total, 24u);
  for (std::int32_t i = 0; i < 24; ++i) EXPECT_EQ(h.values<std::int32_t>(0)[static_cast<std::size_t>(i)], i);
}

TEST(ExecutionMode, EmptyGridRunsNothing) {
  Harness h(kernel("%x: !tt.ptr<i32>", "    %p = tt.get_program_id x : i32\n    tt.store %x, %p : !tt.ptr<i32>\n"));
  h.tensor(std::vector<std::int32_t>{7});
  EXPECT_EQ(h.run({0, 1, 1}).programs_run, 0u);
  EXPECT_EQ(h.values<std::int32_t>(0)[0], 7);
}

/// For every tt.load in the blocks of the first function of `text`, in order: is it in an open loop?
std::vector<bool> open_loads(const std::string& text) {
  DiagnosticSink sink;
  const auto module = ir::parse_module(dialects::registry(), std::make_shared<SourceFile>("kernel.ttir", text), sink);
  std::vector<bool> found;
  if (!module) return found;
  for (const auto& block : module->kernels().front()->region().blocks()) {
    for (const auto& op : block->ops()) {
      if (op->def().opcode == ir::Opcode::tt_load) found.push_back(is_in_open_loop(*op));
    }
  }
  return found;
}

TEST(ExecutionMode, AnEarlyReturnIsNoLoop) {
  const std::string text = kernel("%x: !tt.ptr<i32>, %go: i1",
                                  "    cf.cond_br %go, ^bb1, ^bb2\n  ^bb1:\n    tt.return\n  ^bb2:\n"
                                  "    %a = tt.load %x : !tt.ptr<i32>\n    tt.store %x, %a : !tt.ptr<i32>\n");
  EXPECT_EQ(open_loads(text), std::vector<bool>{false});
}

TEST(ExecutionMode, BlocksThatLeadBackAreALoop) {
  const std::string text = kernel("%x: !tt.ptr<i32>, %go: i1",
                                  "    %a = tt.load %x : !tt.ptr<i32>\n    cf.br ^bb1\n  ^bb1:\n"
                                  "    %b = tt.load %x : !tt.ptr<i32>\n    cf.br ^bb2\n  ^bb2:\n"
                                  "    cf.cond_br %go, ^bb1, ^bb3\n  ^bb3:\n"
                                  "    %c = tt.load %x : !tt.ptr<i32>\n");
  EXPECT_EQ(open_loads(text), (std::vector<bool>{false, true, false}));
}

}  // namespace
}  // namespace lockstep::interpreter
