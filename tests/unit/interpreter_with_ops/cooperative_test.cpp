// Orders of programs drawn from a seed, and launches with room for a few programs only.
#include <algorithm>

#include "tests/unit/interpreter_with_ops/launch_fixture.h"

namespace lockstep::interpreter {
namespace {

/// Draws a ticket and stores it at the program's place, after `body`.
std::string ticket_kernel() {
  return "module {\n  tt.func public @k(%next: !tt.ptr<i32>, %out: !tt.ptr<i32>) {\n"
         "    %c1 = arith.constant 1 : i32\n    %t = arith.constant true\n    %p = tt.get_program_id x : i32\n"
         "    %n = tt.atomic_rmw add, acq_rel, gpu, %next, %c1, %t : (!tt.ptr<i32>, i32, i1) -> i32\n"
         "    %place = tt.addptr %out, %p : !tt.ptr<i32>, i32\n    tt.store %place, %n : !tt.ptr<i32>\n"
         "    tt.return\n  }\n}\n";
}

/// Under a lock, adds one to %x.
std::string lock_kernel() {
  return "module {\n  tt.func public @k(%lock: !tt.ptr<i32>, %x: !tt.ptr<i32>) {\n"
         "    %c0 = arith.constant 0 : i32\n    %c1 = arith.constant 1 : i32\n    %t = arith.constant true\n"
         "    %w = scf.while (%a = %c1) : (i32) -> i32 {\n"
         "      %old = tt.atomic_cas acq_rel, gpu, %lock, %c0, %c1 : (!tt.ptr<i32>, i32, i32) -> i32\n"
         "      %go = arith.cmpi eq, %old, %c1 : i32\n      scf.condition(%go) %old : i32\n"
         "    } do {\n    ^bb0(%b: i32):\n      scf.yield %b : i32\n    }\n"
         "    %v = tt.load %x : !tt.ptr<i32>\n    %v1 = arith.addi %v, %c1 : i32\n    tt.store %x, %v1 : !tt.ptr<i32>\n"
         "    %r = tt.atomic_rmw exch, acq_rel, gpu, %lock, %c0, %t : (!tt.ptr<i32>, i32, i1) -> i32\n"
         "    tt.return\n  }\n}\n";
}

/// Each program waits until the one after it has set its flag; the last one waits for nobody.
std::string chain_kernel() {
  return "module {\n  tt.func public @k(%flags: !tt.ptr<i32>) {\n"
         "    %c0 = arith.constant 0 : i32\n    %c1 = arith.constant 1 : i32\n    %t = arith.constant true\n"
         "    %p = tt.get_program_id x : i32\n    %n = tt.get_num_programs x : i32\n"
         "    %next = arith.addi %p, %c1 : i32\n    %waits = arith.cmpi slt, %next, %n : i32\n"
         "    %mine = tt.addptr %flags, %p : !tt.ptr<i32>, i32\n"
         "    scf.if %waits {\n      %its = tt.addptr %flags, %next : !tt.ptr<i32>, i32\n"
         "      %w = scf.while (%a = %c0) : (i32) -> i32 {\n"
         "        %old = tt.atomic_rmw add, acquire, gpu, %its, %c0, %t : (!tt.ptr<i32>, i32, i1) -> i32\n"
         "        %go = arith.cmpi eq, %old, %c0 : i32\n        scf.condition(%go) %old : i32\n"
         "      } do {\n      ^bb0(%b: i32):\n        scf.yield %b : i32\n      }\n    }\n"
         "    %r = tt.atomic_rmw exch, release, gpu, %mine, %c1, %t : (!tt.ptr<i32>, i32, i1) -> i32\n"
         "    tt.return\n  }\n}\n";
}

std::vector<std::int32_t> tickets(std::uint64_t schedule) {
  Harness h(ticket_kernel());
  h.tensor(std::vector<std::int32_t>{0});
  h.tensor(std::vector<std::int32_t>(40));
  h.options.schedule = schedule;
  EXPECT_EQ(h.run({40, 1, 1}, 4).outcome, Outcome::completed);
  return h.values<std::int32_t>(1);
}

TEST(Cooperative, ASeedIsAnOrderOfItsOwnAndAlwaysTheSame) {
  const auto in_order = tickets(0), first = tickets(1), second = tickets(2);
  for (std::int32_t i = 0; i < 40; ++i) EXPECT_EQ(in_order[static_cast<std::size_t>(i)], i);
  EXPECT_NE(first, in_order);
  EXPECT_NE(first, second);
  EXPECT_EQ(first, tickets(1));
  auto sorted = first;
  std::sort(sorted.begin(), sorted.end());
  EXPECT_EQ(sorted, in_order);
}

TEST(Cooperative, LocksHoldInEveryOrder) {
  for (std::uint64_t seed = 1; seed < 20; ++seed) {
    Harness h(lock_kernel());
    h.tensor(std::vector<std::int32_t>{0});
    h.tensor(std::vector<std::int32_t>{0});
    h.options.schedule = seed;
    EXPECT_EQ(h.run({100, 1, 1}).outcome, Outcome::completed) << seed;
    EXPECT_EQ(h.values<std::int32_t>(1)[0], 100) << seed;
  }
}

TEST(Cooperative, ProgramsThatWaitForLaterOnesNeedRoomForAll) {
  for (const std::uint64_t schedule : {0, 1, 2}) {
    for (const std::uint64_t resident : {0, 7, 8, 9}) {
      Harness h(chain_kernel());
      h.tensor(std::vector<std::int32_t>(8));
      h.options.schedule = schedule;
      h.options.resident = resident;
      const LaunchReport report = h.run({8, 1, 1});
      EXPECT_EQ(report.outcome, resident == 7 ? Outcome::deadlocked : Outcome::completed) << schedule << resident;
      if (resident != 7) continue;
      ASSERT_EQ(report.findings.findings().size(), 1u);
      const Finding& finding = report.findings.findings()[0];
      EXPECT_EQ(finding.code, FindingCode::LS901);
      EXPECT_EQ(finding.message,
                "deadlock: program (0,0,0) waits for a0[1] (line 14); 1 program is not started, as only 7 have room at "
                "once");
      EXPECT_EQ(finding.count, 7u);
    }
  }
}

}  // namespace
}  // namespace lockstep::interpreter
