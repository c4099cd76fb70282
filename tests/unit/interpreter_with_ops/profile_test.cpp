// The profile of a launch: what it counts, that its times add up, that it changes nothing, and its two texts.
#include "interpreter/profile/profile_text.h"

#include <algorithm>

#include "interpreter/profile/profiler.h"
#include "tests/unit/interpreter_with_ops/launch_fixture.h"

namespace lockstep::interpreter {
namespace {

constexpr std::int64_t kBlock = 64;

/// out[i] = exp(x[i]) + x[i] in blocks of 64.
std::string exp_kernel() {
  return kernel("%x: !tt.ptr<f32>, %out: !tt.ptr<f32>",
                "    %c = arith.constant 64 : i32\n    %p = tt.get_program_id x : i32\n"
                "    %s = arith.muli %p, %c : i32\n"
                "    %r = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>\n"
                "    %t = tt.splat %s : i32 -> tensor<64xi32>\n    %i = arith.addi %t, %r : tensor<64xi32>\n"
                "    %xp = tt.splat %x : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>\n"
                "    %xi = tt.addptr %xp, %i : tensor<64x!tt.ptr<f32>>, tensor<64xi32>\n"
                "    %v = tt.load %xi : tensor<64x!tt.ptr<f32>>\n    %e = math.exp %v : tensor<64xf32>\n"
                "    %w = arith.addf %e, %v : tensor<64xf32>\n"
                "    %op = tt.splat %out : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>\n"
                "    %oi = tt.addptr %op, %i : tensor<64x!tt.ptr<f32>>, tensor<64xi32>\n"
                "    tt.store %oi, %w : tensor<64x!tt.ptr<f32>>\n");
}

/// x[index[i]] for i < 64: addresses that are no progression.
std::string profiled_kernel() {
  return kernel("%index: !tt.ptr<i32>, %x: !tt.ptr<f32>, %out: !tt.ptr<f32>",
                "    %r = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>\n"
                "    %np = tt.splat %index : !tt.ptr<i32> -> tensor<64x!tt.ptr<i32>>\n"
                "    %ni = tt.addptr %np, %r : tensor<64x!tt.ptr<i32>>, tensor<64xi32>\n"
                "    %n = tt.load %ni : tensor<64x!tt.ptr<i32>>\n"
                "    %xp = tt.splat %x : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>\n"
                "    %xi = tt.addptr %xp, %n : tensor<64x!tt.ptr<f32>>, tensor<64xi32>\n"
                "    %v = tt.load %xi : tensor<64x!tt.ptr<f32>>\n"
                "    %op = tt.splat %out : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>\n"
                "    %oi = tt.addptr %op, %r : tensor<64x!tt.ptr<f32>>, tensor<64xi32>\n"
                "    tt.store %oi, %v : tensor<64x!tt.ptr<f32>>\n");
}

struct Measured {
  Harness harness{exp_kernel()};
  std::size_t out = 0;
  LaunchReport report;

  Measured(std::int64_t programs, unsigned threads, ProfileRequest profiling, Tuning tuning = {}) {
    std::vector<float> x(static_cast<std::size_t>(programs * kBlock));
    for (std::size_t i = 0; i < x.size(); ++i) x[i] = static_cast<float>(i % 97) / 16;
    harness.tensor(x);
    out = harness.tensor(std::vector<float>(x.size()));
    harness.tuning = tuning;
    harness.options.profiling = profiling;
    report = harness.run({programs, 1, 1}, threads);
  }
};

const ProfileRow* find_row(const Profile& profile, const std::string& op, ProfilePart part) {
  for (const ProfileRow& row : profile.rows) {
    if (row.op == op && row.part == part && row.calls != 0) return &row;
  }
  return nullptr;
}

std::size_t occurrences(const std::string& text, const std::string& part) {
  std::size_t count = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++count;
  return count;
}

Tuning plain() {
  Tuning tuning;
  tuning.fuses = tuning.hoists = false;
  tuning.batch_programs = 1;
  return tuning;
}

TEST(Profile, OnlyWhereItIsAskedFor) { EXPECT_EQ(Measured(4, 1, {}).report.profile, nullptr); }

TEST(Profile, CountsEveryCallOfTheOrdinaryPlan) {
  const Measured measured(32, 2, {true, 0}, plain());
  const Profile& profile = *measured.report.profile;
  EXPECT_EQ(profile.programs, 32U);
  const ProfileRow* load = find_row(profile, "tt.load", ProfilePart::program);
  ASSERT_NE(load, nullptr);
  EXPECT_EQ(load->calls, 32U);
  EXPECT_EQ(load->elements, 32U * kBlock);
  EXPECT_EQ(load->bytes_read, 32U * kBlock * 4);
  EXPECT_EQ(load->scattered, 0U);
  EXPECT_FALSE(load->is_shared);
  EXPECT_EQ(load->place.file, "kernel.ttir");
  const ProfileRow* store = find_row(profile, "tt.store", ProfilePart::program);
  ASSERT_NE(store, nullptr);
  EXPECT_EQ(store->bytes_written, 32U * kBlock * 4);
  ASSERT_NE(find_row(profile, "tt.splat", ProfilePart::prologue), nullptr);
}

/// Steps, measuring, scheduling and waiting are the wall time of each worker; bytes are those of the report.
void expect_sums(const LaunchReport& report) {
  const Profile& profile = *report.profile;
  double rows = 0, steps = 0;
  std::uint64_t read = 0, written = 0;
  for (const ProfileRow& row : profile.rows) {
    rows += row.ns;
    read += row.bytes_read;
    written += row.bytes_written;
  }
  ASSERT_FALSE(profile.workers.empty());
  EXPECT_LE(profile.workers.size(), profile.threads);
  for (const ProfileWorker& worker : profile.workers) {
    steps += worker.steps_ns;
    const double all =
        worker.steps_ns + worker.measuring_ns + worker.scheduling_ns + worker.before_ns + worker.after_ns;
    EXPECT_NEAR(all, profile.wall_ns, 0.01 * profile.wall_ns + 1000);
  }
  EXPECT_NEAR(rows, steps, 1e-6 * steps + 1);
  EXPECT_EQ(read, report.bytes_read);
  EXPECT_EQ(written, report.bytes_written);
}

TEST(Profile, TimesAndBytesAddUp) {
  for (const unsigned threads : {1U, 2U, 7U}) {
    expect_sums(Measured(2000, threads, {true, 0}, plain()).report);
    expect_sums(Measured(2000, threads, {true, 0}).report);
  }
}

TEST(Profile, ChangesNoByteAndNoCount) {
  for (const unsigned threads : {1U, 2U, 7U}) {
    const Measured without(301, threads, {}), with(301, threads, {true, 1000});
    EXPECT_EQ(without.harness.values<float>(without.out), with.harness.values<float>(with.out));
    EXPECT_EQ(without.report.bytes_read, with.report.bytes_read);
    EXPECT_EQ(without.report.bytes_written, with.report.bytes_written);
    EXPECT_EQ(without.report.finished, with.report.finished);
  }
}

TEST(Profile, FusedStepsAreSharedOutBetweenTheirOps) {
  Tuning tuning = plain();
  tuning.fuses = true;
  const Measured measured(64, 1, {true, 0}, tuning);
  const ProfileRow* exp = find_row(*measured.report.profile, "math.exp", ProfilePart::program);
  const ProfileRow* add = find_row(*measured.report.profile, "arith.addf", ProfilePart::program);
  ASSERT_NE(exp, nullptr);
  ASSERT_NE(add, nullptr);
  EXPECT_TRUE(exp->is_shared);
  EXPECT_EQ(exp->elements, 64U * kBlock);
  EXPECT_TRUE(add->is_shared);
  EXPECT_GT(exp->ns, add->ns);
  EXPECT_NE(profile_text(*measured.report.profile).find("math.exp *"), std::string::npos);
}

TEST(Profile, SaysWhereAddressesAreTakenLaneByLane) {
  Harness h(profiled_kernel());
  std::vector<std::int32_t> index(64);
  for (std::size_t i = 0; i < index.size(); ++i) index[i] = static_cast<std::int32_t>((i * 29) % 64);
  h.tensor(index);
  h.tensor(std::vector<float>(64));
  h.tensor(std::vector<float>(64));
  h.options.profiling = {true, 0};
  const LaunchReport report = h.run();
  ASSERT_EQ(report.profile->advice.size(), 1U);
  EXPECT_NE(report.profile->advice[0].text.find("tt.load took its addresses lane by lane (1 of 1 calls)"),
            std::string::npos);
  EXPECT_NE(report.profile->advice[0].place.line, 0U);
}

TEST(Profile, TextNamesLinesOpsAndTheSum) {
  const Measured measured(32, 1, {true, 0}, plain());
  const std::string text = profile_text(*measured.report.profile);
  for (const char* part : {"profile of k: 32 programs in ", " on 1 thread\n", "source line\n", "kernel.ttir:", "  op of Triton's IR",
                           "tt.load\n", "worker 0: 32 runs, in steps ", " + scheduling ", " + waiting ",
                           " + measuring ", " x 1 thread; measuring a step took "})
    EXPECT_NE(text.find(part), std::string::npos) << part << "\n" << text;
}

TEST(Profile, TraceHoldsEveryStepOfSmallGrids) {
  const Measured measured(8, 1, {true, 100'000}, plain());
  const Profile& profile = *measured.report.profile;
  EXPECT_EQ(profile.sampled_every, 1U);
  std::uint64_t calls = 0, steps = 0, runs = 0;
  for (const ProfileRow& row : profile.rows) calls += row.part == ProfilePart::program ? row.calls : 0;
  double run_end = 0, step_end = 0;
  for (const ProfileSlice& slice : profile.slices) {
    EXPECT_LE(slice.begin_ns, slice.end_ns);
    if (slice.row < 0) {
      ++runs;
      run_end = slice.end_ns;
      step_end = slice.begin_ns;
      continue;
    }
    steps += profile.rows[static_cast<std::size_t>(slice.row)].part == ProfilePart::program ? 1 : 0;
    EXPECT_GE(slice.begin_ns, step_end);
    EXPECT_LE(slice.end_ns, run_end);
    step_end = slice.end_ns;
  }
  EXPECT_EQ(steps, calls);
  EXPECT_EQ(runs, 9U);  // the prologue's is one
  const std::string trace = profile_trace(profile);
  EXPECT_EQ(occurrences(trace, "\"cat\": \"programs\""), runs);
  EXPECT_GE(occurrences(trace, "\"cat\": \"op\""), steps);
}

TEST(Profile, TraceOfALargeGridIsBounded) {
  for (const unsigned threads : {1U, 3U}) {
    const Measured measured(5000, threads, {true, 600}, plain());
    const Profile& profile = *measured.report.profile;
    EXPECT_LE(profile.slices.size(), 700U);
    EXPECT_GT(profile.slices.size(), 50U);
    EXPECT_GT(profile.sampled_every, 1U);
    std::uint64_t last = 0;
    for (const ProfileSlice& slice : profile.slices) last = std::max(last, slice.last_program);
    EXPECT_EQ(last, 4999U);
  }
}

}  // namespace
}  // namespace lockstep::interpreter
