// Prepared kernels: many launches of one plan, which programs finished, rollback, callbacks and stopping.
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <stdexcept>
#include <thread>

#include "tests/unit/interpreter_with_ops/launch_fixture.h"

namespace lockstep::interpreter {
namespace {

using Clock = std::chrono::steady_clock;
using ProgramRanges = std::vector<ProgramRange>;

constexpr double kSecondsToStop = 0.5;  // 0.1 is promised; machines that run tests are busy

double seconds_since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

/// x[program] = program.
std::string store_ids() {
  return kernel("%x: !tt.ptr<i32>",
                "    %p = tt.get_program_id x : i32\n    %a = tt.addptr %x, %p : !tt.ptr<i32>, i32\n"
                "    tt.store %a, %p : !tt.ptr<i32>\n");
}

/// x[program + 1] = x[program] + 1 after a loop of %n iterations: every program needs the one before it.
std::string prepared_kernel() {
  return kernel("%x: !tt.ptr<i32>, %n: i32",
                "    %c0 = arith.constant 0 : i32\n    %c1 = arith.constant 1 : i32\n"
                "    %p = tt.get_program_id x : i32\n    %a = tt.addptr %x, %p : !tt.ptr<i32>, i32\n"
                "    %v = tt.load %a : !tt.ptr<i32>\n"
                "    %s = scf.for %i = %c0 to %n step %c1 iter_args(%w = %c0) -> (i32)  : i32 {\n"
                "      %o = arith.ori %w, %c1 : i32\n      scf.yield %o : i32\n    }\n"
                "    %u = arith.minsi %s, %c1 : i32\n    %d = arith.subi %u, %s : i32\n"
                "    %w1 = arith.addi %v, %c1 : i32\n    %w2 = arith.addi %w1, %d : i32\n"
                "    %b = tt.addptr %a, %c1 : !tt.ptr<i32>, i32\n    tt.store %b, %w2 : !tt.ptr<i32>\n");
}

/// A loop of %n iterations in every program, then x[program] = 1.
std::string slow_kernel() {
  return kernel(
      "%x: !tt.ptr<i32>, %n: i64",
      "    %c0 = arith.constant 0 : i64\n    %c1 = arith.constant 1 : i64\n    %one = arith.constant 1 : i32\n"
      "    %s = scf.for %i = %c0 to %n step %c1 iter_args(%w = %c0) -> (i64)  : i64 {\n"
      "      %o = arith.xori %w, %i : i64\n      scf.yield %o : i64\n    }\n"
      "    %p = tt.get_program_id x : i32\n    %a = tt.addptr %x, %p : !tt.ptr<i32>, i32\n"
      "    tt.store %a, %one : !tt.ptr<i32>\n");
}

TEST(Prepared, ManyLaunchesOfOnePlan) {
  Harness h(store_ids());
  h.tensor(std::vector<std::int32_t>(1000));
  for (const std::int64_t programs : {1, 1000, 3, 0, 500}) {
    const LaunchReport report = h.run({programs, 1, 1}, 4);
    EXPECT_EQ(report.programs_run, static_cast<std::uint64_t>(programs));
    const ProgramRanges all = programs == 0 ? ProgramRanges{} : ProgramRanges{{0, static_cast<std::uint64_t>(programs) - 1}};
    EXPECT_EQ(report.finished, all);
  }
  EXPECT_EQ(h.values<std::int32_t>(0)[999], 999);
}

TEST(Prepared, LaunchIsAWrapper) {
  Harness h(store_ids());
  h.tensor(std::vector<std::int32_t>(4));
  LaunchRequest request;
  static_cast<RunRequest&>(request) = h.request({4, 1, 1}, 1);
  request.module = &h.module();
  request.function = h.module().kernels().at(0);
  DiagnosticSink sink;
  const auto report = launch(request, sink);
  ASSERT_TRUE(report.has_value());
  EXPECT_EQ(h.values<std::int32_t>(0), (std::vector<std::int32_t>{0, 1, 2, 3}));
}

TEST(Prepared, SeveralThreadsLaunchAtOnce) {
  Harness h(store_ids());
  h.tensor(std::vector<std::int32_t>(1));
  h.run();
  const PreparedKernel& kernel = h.prepared();
  std::vector<std::vector<std::int32_t>> data(4, std::vector<std::int32_t>(700));
  std::vector<std::thread> threads;
  std::atomic<int> clean{0};
  for (auto& mine : data) {
    threads.emplace_back([&] {
      for (const unsigned workers : {1u, 3u, 5u, 2u, 4u}) {
        memory_model::AddressSpace memory;
        const auto storage = memory.borrow("x", mine.data(), mine.size() * 4);
        const std::array<std::int64_t, 1> shape{700}, strides{1};
        const auto base = reinterpret_cast<memory_model::Address>(mine.data());
        const auto view = memory.add_bare_view(storage, "x", ScalarKind::i32, base, shape, strides);
        RunRequest request;
        request.grid = {700, 1, 1};
        request.arguments = {{Argument::Kind::pointer, 0, *view}};
        request.memory = &memory;
        request.threads = workers;
        request.reach = Reach::storage;
        DiagnosticSink sink;
        std::fill(mine.begin(), mine.end(), 0);
        const auto report = kernel.launch(request, sink);
        bool is_right = report && report->findings.findings().empty() && report->programs_run == 700;
        for (std::int32_t i = 0; i < 700; ++i) is_right = is_right && mine[static_cast<std::size_t>(i)] == i;
        clean += is_right ? 1 : 0;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(clean, 20);
}

TEST(Prepared, WorkersJoinLateAndTheOrderStillHolds) {
  Harness h(prepared_kernel());
  h.tensor(std::vector<std::int32_t>(401));
  h.scalar(1);
  h.run({2, 1, 1}, 4);  // now a program is known to be short
  for (const std::uint64_t iterations : {2000u, 1u, 50u, 300u}) {
    h.set_scalar(1, iterations);
    const LaunchReport report = h.run({400, 1, 1}, 4);
    EXPECT_EQ(report.programs_run, 400u);
    EXPECT_EQ(report.bytes_read, 1600u);
    EXPECT_EQ(report.finished, (ProgramRanges{{0, 399}}));
    for (std::int32_t i = 0; i <= 400; ++i) ASSERT_EQ(h.values<std::int32_t>(0)[static_cast<std::size_t>(i)], i);
  }
}

TEST(Prepared, NeedsAllStoragesWhenItFollowsAddresses) {
  Harness plain(store_ids());
  plain.tensor(std::vector<std::int32_t>(1));
  plain.run();
  EXPECT_FALSE(plain.prepared().needs_all_storages());
  Harness follows(kernel("%x: !tt.ptr<i64>",
                         "    %a = tt.load %x : !tt.ptr<i64>\n    %p = tt.int_to_ptr %a : i64 -> !tt.ptr<i64>\n"
                         "    %v = tt.load %p : !tt.ptr<i64>\n    tt.store %x, %v : !tt.ptr<i64>\n"));
  follows.tensor(std::vector<std::int64_t>(1));
  follows.spare(std::vector<std::int64_t>{42});
  follows.poke(0, 0, follows.address(1));
  EXPECT_TRUE(follows.run().findings.findings().empty());
  EXPECT_TRUE(follows.prepared().needs_all_storages());
  EXPECT_EQ(follows.values<std::int64_t>(0)[0], 42);
}

// ---- which programs finished ----

TEST(Finished, ProgramsWithAnErrorAreLeftOutForAnyNumberOfThreads) {
  // Program p stores at (p * 7) % 16, of which 4, 5, 12 .. 15 are outside.
  const std::string text = kernel("%x: !tt.ptr<i32>, %y: !tt.ptr<i32>",
                                  "    %c7 = arith.constant 7 : i32\n    %c8 = arith.constant 8 : i32\n"
                                  "    %p = tt.get_program_id x : i32\n    %a = arith.muli %p, %c7 : i32\n"
                                  "    %b = arith.remsi %a, %c8 : i32\n    %q = tt.addptr %x, %b : !tt.ptr<i32>, i32\n"
                                  "    %v = tt.load %q : !tt.ptr<i32>\n    %r = tt.addptr %y, %p : !tt.ptr<i32>, i32\n"
                                  "    tt.store %r, %v : !tt.ptr<i32>\n");
  for (const unsigned threads : {1u, 2u, 7u}) {
    Harness h(text);
    h.tensor(std::vector<std::int32_t>{1, 2, 3, 4, 5, 6});
    h.tensor(std::vector<std::int32_t>(20, 9));
    const LaunchReport report = h.run({20, 1, 1}, threads);
    EXPECT_EQ(report.outcome, Outcome::completed);
    EXPECT_EQ(report.programs_run, 20u);
    // remainders 0 7 6 5 4 3 2 1: programs 1 and 2 of every eight read outside
    EXPECT_EQ(report.finished, (ProgramRanges{{0, 0}, {3, 8}, {11, 16}, {19, 19}}));
    EXPECT_FALSE(report.rolled_back);
    EXPECT_EQ(h.values<std::int32_t>(1)[3], 6);
    EXPECT_EQ(h.values<std::int32_t>(1)[1], 0);
  }
}

TEST(Finished, ProgramsOfAnOrderedLaunchThatWaitsForever) {
  Harness h(kernel("%x: !tt.ptr<i32>",
                   "    %c1 = arith.constant 1 : i32\n    %c0 = arith.constant 0 : i32\n    %t = arith.constant true\n"
                   "    %p = tt.get_program_id x : i32\n    %is = arith.cmpi eq, %p, %c1 : i32\n    scf.if %is {\n"
                   "      %w = scf.while (%a = %c0) : (i32) -> i32 {\n"
                   "        %o = tt.atomic_rmw add, relaxed, gpu, %x, %c0, %t : (!tt.ptr<i32>, i32, i1) -> i32\n"
                   "        %go = arith.cmpi eq, %o, %c0 : i32\n        scf.condition(%go) %o : i32\n"
                   "      } do {\n      ^bb0(%b: i32):\n        scf.yield %b : i32\n      }\n    }\n"));
  h.tensor(std::vector<std::int32_t>{0});
  const LaunchReport report = h.run({4, 1, 1});
  EXPECT_EQ(report.outcome, Outcome::deadlocked);
  EXPECT_EQ(report.finished, (ProgramRanges{{0, 0}, {2, 3}}));
}

TEST(Finished, NamesWhatRanBeforeAnInterruption) {
  for (const unsigned threads : {1u, 3u}) {
    Harness h(slow_kernel());
    h.tuning.batch_programs = 1;  // one loop for many programs would be over at once
    h.tensor(std::vector<std::int32_t>(1000));
    h.scalar(30000);
    int polls = 0;
    h.options.poll = [&] { return ++polls < 4; };
    const LaunchReport report = h.run({1000, 1, 1}, threads);
    EXPECT_EQ(report.outcome, Outcome::interrupted);
    std::uint64_t finished = 0;
    const auto stored = h.values<std::int32_t>(0);
    for (const ProgramRange& range : report.finished) {
      for (std::uint64_t i = range.first; i <= range.last; ++i) EXPECT_EQ(stored[i], 1);
      finished += range.last - range.first + 1;
    }
    EXPECT_EQ(finished, report.programs_run);
    EXPECT_GT(finished, 0u);
    EXPECT_LT(finished, 1000u);
  }
}

TEST(Finished, AssertsAreErrorsUnlessTheLaunchSaysWarnings) {
  Harness h(kernel("%x: !tt.ptr<i32>",
                   "    %c2 = arith.constant 2 : i32\n    %p = tt.get_program_id x : i32\n"
                   "    %is = arith.cmpi ne, %p, %c2 : i32\n    tt.assert %is, \"not two\" : i1\n"
                   "    %a = tt.addptr %x, %p : !tt.ptr<i32>, i32\n    tt.store %a, %p : !tt.ptr<i32>\n"));
  h.tensor(std::vector<std::int32_t>(4));
  for (const bool are_errors : {true, false}) {
    h.options.asserts_are_errors = are_errors;
    const LaunchReport report = h.run({4, 1, 1});
    ASSERT_EQ(report.findings.findings().size(), 1u);
    EXPECT_EQ(report.findings.findings()[0].code, FindingCode::LS120);
    EXPECT_EQ(report.findings.findings()[0].tier, are_errors ? Tier::error : Tier::warning);
    EXPECT_EQ(report.finished, (are_errors ? ProgramRanges{{0, 1}, {3, 3}} : ProgramRanges{{0, 3}}));
    EXPECT_EQ(h.values<std::int32_t>(0)[2], 2);
  }
}

// ---- rollback ----

/// Adds 1 to x[program]; the last program stores past the end as well.
std::string add_and_fault() {
  return kernel("%x: !tt.ptr<i32>, %far: i32",
                "    %c1 = arith.constant 1 : i32\n    %p = tt.get_program_id x : i32\n"
                "    %a = tt.addptr %x, %p : !tt.ptr<i32>, i32\n    %v = tt.load %a : !tt.ptr<i32>\n"
                "    %w = arith.addi %v, %c1 : i32\n    tt.store %a, %w : !tt.ptr<i32>\n"
                "    %b = tt.addptr %a, %far : !tt.ptr<i32>, i32\n    tt.store %b, %w : !tt.ptr<i32>\n");
}

TEST(Rollback, RestoresWhatAFaultyLaunchWrote) {
  for (const unsigned threads : {1u, 4u}) {
    Harness h(add_and_fault());
    h.tensor(std::vector<std::int32_t>(64, 5));
    h.scalar(1);
    h.options.rollback = true;
    const LaunchReport report = h.run({64, 1, 1}, threads);
    EXPECT_TRUE(report.rolled_back);
    EXPECT_EQ(report.finished, (ProgramRanges{{0, 62}}));
    EXPECT_EQ(h.values<std::int32_t>(0), std::vector<std::int32_t>(64, 5));
    EXPECT_GE(report.scratch_bytes, 256u);
    h.options.rollback = false;
    EXPECT_FALSE(h.run({64, 1, 1}, threads).rolled_back);
    EXPECT_EQ(h.values<std::int32_t>(0)[0], 6);
  }
}

TEST(Rollback, KeepsACleanLaunchAndCopiesNothingThatIsOnlyRead) {
  Harness h(add_and_fault());
  h.tensor(std::vector<std::int32_t>(64, 5));
  h.scalar(0);
  h.options.rollback = true;
  const LaunchReport report = h.run({64, 1, 1}, 2);
  EXPECT_FALSE(report.rolled_back);
  EXPECT_EQ(h.values<std::int32_t>(0)[63], 6);
  Harness reader(kernel("%x: !tt.ptr<i32>", "    %v = tt.load %x : !tt.ptr<i32>\n"));
  reader.tensor(std::vector<std::int32_t>(1 << 16));
  reader.options.rollback = true;
  EXPECT_LT(reader.run().scratch_bytes, 1u << 16);
}

TEST(Rollback, RestoresAfterAnInterruptionAndWhenACallbackThrows) {
  Harness h(slow_kernel());
  h.tensor(std::vector<std::int32_t>(100000));
  h.scalar(100000);
  h.options.rollback = true;
  h.options.poll = [] { return false; };
  const LaunchReport report = h.run({100000, 1, 1}, 2);
  EXPECT_EQ(report.outcome, Outcome::interrupted);
  EXPECT_TRUE(report.rolled_back);
  EXPECT_EQ(h.values<std::int32_t>(0), std::vector<std::int32_t>(100000));
  h.options.poll = []() -> bool { throw std::runtime_error("from the callback"); };
  for (const unsigned threads : {1u, 2u}) EXPECT_THROW(h.run({100000, 1, 1}, threads), std::runtime_error);
  EXPECT_EQ(h.values<std::int32_t>(0), std::vector<std::int32_t>(100000));
}

TEST(Rollback, NeedsTheMemoryForTheCopy) {
  Harness h(store_ids());
  h.tensor(std::vector<std::int32_t>(1 << 16, 3));
  h.options.rollback = true;
  h.limits.max_memory_bytes = 1 << 17;
  const LaunchReport report = h.run({8, 1, 1}, 1);
  EXPECT_EQ(report.outcome, Outcome::out_of_memory);
  EXPECT_EQ(report.programs_run, 0u);
  EXPECT_EQ(h.values<std::int32_t>(0)[5], 3);
}

// ---- callbacks and stopping ----

/// Seconds between the poll that said stop, 50 ms after the start, and the end of the launch; polls until then.
struct Stopped {
  double seconds = 1e9;
  int polls = 0;
  Outcome outcome{};
};
Stopped stop_soon(Harness& h, std::array<std::int64_t, 3> grid, unsigned threads) {
  Stopped stopped;
  const auto start = Clock::now();
  auto asked = start;
  const auto caller = std::this_thread::get_id();
  h.options.poll = [&] {
    EXPECT_EQ(std::this_thread::get_id(), caller);
    ++stopped.polls;
    asked = Clock::now();
    return seconds_since(start) < 0.05;
  };
  stopped.outcome = h.run(grid, threads).outcome;
  stopped.seconds = seconds_since(asked);
  return stopped;
}

TEST(Stopping, InALongLoopOfTinySteps) {
  for (const unsigned threads : {1u, 2u}) {
    Harness h(slow_kernel());
    h.tensor(std::vector<std::int32_t>(4));
    h.scalar(std::uint64_t{1} << 60);
    const Stopped stopped = stop_soon(h, {4, 1, 1}, threads);
    EXPECT_EQ(stopped.outcome, Outcome::interrupted);
    EXPECT_LT(stopped.seconds, kSecondsToStop);
  }
}

TEST(Stopping, BetweenLargeStepsWithoutALoop) {
  std::string body =
      "    %z = arith.constant dense<0.5> : tensor<256x256xf32>\n"
      "    %r = tt.make_range {end = 256 : i32, start = 0 : i32} : tensor<256xi32>\n"
      "    %f = arith.sitofp %r : tensor<256xi32> to tensor<256xf32>\n"
      "    %e = tt.expand_dims %f {axis = 0 : i32} : tensor<256xf32> -> tensor<1x256xf32>\n"
      "    %d0 = tt.broadcast %e : tensor<1x256xf32> -> tensor<256x256xf32>\n";
  for (int i = 0; i < 2000; ++i) {
    const std::string from = "%d" + std::to_string(i), to = "%d" + std::to_string(i + 1);
    body += "    " + to + " = tt.dot " + from + ", %z, " + from +
            ", inputPrecision = ieee : tensor<256x256xf32> * tensor<256x256xf32> -> tensor<256x256xf32>\n";
  }
  Harness h(kernel("", body));
  const Stopped stopped = stop_soon(h, {1, 1, 1}, 1);
  EXPECT_EQ(stopped.outcome, Outcome::interrupted);
  EXPECT_LT(stopped.seconds, kSecondsToStop);
}

TEST(Stopping, WhileTheCallingThreadWaitsForAnother) {
  // Only one of the two programs takes long; whoever has it, the callbacks come.
  for (const int slow : {0, 1}) {
    Harness h(kernel("%x: !tt.ptr<i32>, %n: i64, %slow: i32",
                     "    %c0 = arith.constant 0 : i64\n    %c1 = arith.constant 1 : i64\n"
                     "    %p = tt.get_program_id x : i32\n    %is = arith.cmpi eq, %p, %slow : i32\n"
                     "    %m = arith.select %is, %n, %c1 : i64\n"
                     "    %s = scf.for %i = %c0 to %m step %c1 iter_args(%w = %c0) -> (i64)  : i64 {\n"
                     "      %o = arith.xori %w, %i : i64\n      scf.yield %o : i64\n    }\n"
                     "    %a = tt.addptr %x, %p : !tt.ptr<i32>, i32\n    tt.store %a, %p : !tt.ptr<i32>\n"));
    h.tensor(std::vector<std::int32_t>(2));
    h.scalar(std::uint64_t{1} << 60);
    h.scalar(static_cast<std::uint64_t>(slow));
    const Stopped stopped = stop_soon(h, {2, 1, 1}, 2);
    EXPECT_EQ(stopped.outcome, Outcome::interrupted);
    EXPECT_GE(stopped.polls, 1);
    EXPECT_LT(stopped.seconds, kSecondsToStop);
  }
}

TEST(Stopping, InTheRegionOfAnotherOp) {
  Harness h(kernel("%x: !tt.ptr<i32>",
                   "    %r = tt.make_range {end = 4096 : i32, start = 0 : i32} : tensor<4096xi32>\n"
                   "    %y = \"tt.map_elementwise\"(%r) <{pack = 1 : i32}> ({\n    ^bb0(%a: i32):\n"
                   "      %c0 = arith.constant 0 : i32\n      %c1 = arith.constant 1 : i32\n"
                   "      %m = arith.constant 2000000000 : i32\n"
                   "      %s = scf.for %i = %c0 to %m step %c1 iter_args(%w = %a) -> (i32)  : i32 {\n"
                   "        %o = arith.xori %w, %i : i32\n        scf.yield %o : i32\n      }\n"
                   "      tt.map_elementwise.return %s : i32\n    }) : (tensor<4096xi32>) -> tensor<4096xi32>\n"));
  h.tensor(std::vector<std::int32_t>(1));
  const Stopped stopped = stop_soon(h, {1, 1, 1}, 1);
  EXPECT_EQ(stopped.outcome, Outcome::interrupted);
  EXPECT_LT(stopped.seconds, kSecondsToStop);
}

TEST(Stopping, BeforeTheFirstProgram) {
  const std::atomic<bool> stop{true};
  for (const bool is_ordered : {false, true}) {
    Harness h(
        kernel("%x: !tt.ptr<i32>", std::string("    %c1 = arith.constant 1 : i32\n    %t = arith.constant true\n") +
                                       (is_ordered ? "    tt.print \" x\" {hex = false, isSigned = array<i32: 1>} "
                                                     ": %c1 : i32\n"
                                                   : "") +
                                       "    tt.store %x, %c1 : !tt.ptr<i32>\n"));
    h.tensor(std::vector<std::int32_t>(1));
    h.stop = &stop;
    const LaunchReport report = h.run({100, 1, 1}, 2);
    EXPECT_EQ(report.outcome, Outcome::interrupted);
    EXPECT_EQ(report.programs_run, 0u);
    EXPECT_EQ(h.values<std::int32_t>(0)[0], 0);
  }
}

TEST(Callbacks, PrintComesFromTheCallingThread) {
  Harness h(
      kernel("%x: !tt.ptr<i32>",
             "    %p = tt.get_program_id x : i32\n    tt.print \" p \" {hex = false, isSigned = array<i32: 1>} : %p : "
             "i32\n"));
  h.tensor(std::vector<std::int32_t>(1));
  const auto caller = std::this_thread::get_id();
  int lines = 0;
  h.options.print = [&](const std::string&) {
    EXPECT_EQ(std::this_thread::get_id(), caller);
    ++lines;
  };
  h.run({500, 1, 1}, 4);
  EXPECT_EQ(lines, 500);
}

#if !defined(__SANITIZE_THREAD__)  // which does not follow a fork of a program with threads
TEST(Workers, AForkedChildStartsAnew) {
  Harness h(slow_kernel());
  h.tensor(std::vector<std::int32_t>(64));
  h.scalar(5000);
  EXPECT_EQ(h.run({64, 1, 1}, 4).programs_run, 64u);
  const pid_t child = fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    const bool is_right = h.run({64, 1, 1}, 4).programs_run == 64 && h.run({64, 1, 1}, 3).programs_run == 64;
    _exit(is_right ? 0 : 1);
  }
  int status = -1;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0);
  EXPECT_EQ(h.run({64, 1, 1}, 4).programs_run, 64u);
}
#endif

}  // namespace
}  // namespace lockstep::interpreter
