// Loads that a chain makes itself (group_loads.cpp): the same bytes, counts and findings as without chains, for masks
// of loads and stores that differ, memory that is written in between and accesses out of bounds; plans and scratch show
// that nothing is copied where only a part is wanted.
#include "dialects/registry.h"
#include "interpreter/fusion/fused_group.h"
#include "interpreter/plan/plan_builder.h"
#include "tests/unit/interpreter_with_ops/launch_fixture.h"

namespace lockstep::interpreter {
namespace {

const std::string kTile = "tensor<8192xf32>", kPointers = "tensor<8192x!tt.ptr<f32>>", kIndices = "tensor<8192xi32>";
const std::string kParameters = "%x: !tt.ptr<f32>, %y: !tt.ptr<f32>, %o: !tt.ptr<f32>, %m: i32, %n: i32";

/// out = (x + y) * x on the elements below %n; loads are of those below %m, others are 3.
std::string sum_times(const std::string& between) {
  std::string text = "    %r = tt.make_range {end = 8192 : i32, start = 0 : i32} : " + kIndices +
                     "\n    %three = arith.constant dense<3.0> : " + kTile + "\n";
  for (const std::string limit : {"m", "n"}) {
    text += "    %" + limit + "s = tt.splat %" + limit + " : i32 -> " + kIndices + "\n    %in_" + limit +
            " = arith.cmpi slt, %r, %" + limit + "s : " + kIndices + "\n";
  }
  for (const std::string name : {"x", "y", "o"}) {
    text += "    %" + name + "s = tt.splat %" + name + " : !tt.ptr<f32> -> " + kPointers + "\n    %" + name +
            "p = tt.addptr %" + name + "s, %r : " + kPointers + ", " + kIndices + "\n";
  }
  return kernel(kParameters, text + "    %a = tt.load %xp, %in_m, %three : " + kPointers +
                                 "\n    %b = tt.load %yp, %in_m, %three : " + kPointers + "\n" + between +
                                 "    %c = arith.addf %a, %b : " + kTile + "\n    %d = arith.mulf %c, %a : " + kTile +
                                 "\n    tt.store %op, %d, %in_n : " + kPointers + "\n");
}

std::vector<const FusedGroup*> load_chains(const std::string& text) {
  static std::vector<std::unique_ptr<Plan>> kept;
  static std::vector<std::unique_ptr<ir::Module>> modules;
  DiagnosticSink sink;
  auto module = ir::parse_module(dialects::registry(), std::make_shared<SourceFile>("kernel.ttir", text), sink);
  modules.push_back(std::make_unique<ir::Module>(std::move(*module)));
  PlanBuilder builder(*modules.back(), sink);
  kept.push_back(builder.build(*modules.back()->kernels().at(0)));
  std::vector<const FusedGroup*> chains;
  for (const Step& step : kept.back()->steps) {
    if (step.run == step_fused_group) chains.push_back(static_cast<const FusedGroup*>(step.record));
  }
  return chains;
}

struct LoadsOutcome {
  std::vector<float> x, y, out;
  std::uint64_t read = 0, written = 0, scratch = 0, findings = 0;
  bool operator==(const LoadsOutcome& other) const {
    return x == other.x && y == other.y && out == other.out && read == other.read && written == other.written &&
           findings == other.findings;
  }
};

/// Tensors of `elements`; `shift`: of the output against x in one storage; negative: it has its own.
LoadsOutcome run_loads(const std::string& text, std::size_t elements, std::uint32_t m, std::uint32_t n, bool fuses,
            std::int64_t shift = -1) {
  Harness h(text);
  h.tuning.fuses = fuses;
  h.tuning.batch_programs = 1;
  const std::size_t x = h.tensor(iota_f32(elements, -77)), y = h.tensor(iota_f32(elements, 0.5f));
  const auto extent = static_cast<std::int64_t>(elements) - std::max<std::int64_t>(shift, 0);
  const std::size_t out = shift < 0 ? h.tensor(std::vector<float>(elements, -1)) : h.window(x, shift, {extent}, {1});
  h.scalar(m);
  h.scalar(n);
  const LaunchReport report = h.run({1, 1, 1}, 1);
  return {h.values<float>(x),
          h.values<float>(y),
          h.values<float>(out),
          report.bytes_read,
          report.bytes_written,
          report.scratch_bytes,
          report.findings.findings().size()};
}

TEST(ChainLoads, AreTakenByTheChainThatReadsThem) {
  const auto chains = load_chains(sum_times(""));
  ASSERT_EQ(chains.size(), 1u);
  ASSERT_EQ(chains[0]->loads.size(), 2u);
  EXPECT_LT(chains[0]->loads[0].site, chains[0]->loads[1].site);
  EXPECT_LT(run_loads(sum_times(""), 8192, 8000, 8000, true).scratch, 16384u);  // a tile would be 32 KiB
  EXPECT_GT(run_loads(sum_times(""), 8192, 7000, 8000, true).scratch, 32768u);  // elements of `other` are needed
}

TEST(ChainLoads, AnyMasksGiveTheSame) {
  for (const std::uint32_t m : {0u, 1u, 15u, 4096u, 5000u, 8191u, 8192u}) {
    for (const std::uint32_t n : {0u, 1u, 16u, 4096u, 5001u, 8191u, 8192u})
      EXPECT_EQ(run_loads(sum_times(""), 8192, m, n, true), run_loads(sum_times(""), 8192, m, n, false)) << m << ' ' << n;
  }
}

TEST(ChainLoads, OutOfBoundsIsFoundAsBefore) {
  for (const std::uint32_t m : {100u, 104u, 8192u}) {
    for (const std::uint32_t n : {90u, 100u, 101u}) {
      const LoadsOutcome fused = run_loads(sum_times(""), 100, m, n, true);
      EXPECT_EQ(fused, run_loads(sum_times(""), 100, m, n, false)) << m << ' ' << n;
      EXPECT_EQ(fused.findings > 0, m > 100 || n > 100);
    }
  }
}

/// The output lies in x: what is loaded is what was there before.
TEST(ChainLoads, WrittenMemoryIsReadBeforeItIsWritten) {
  for (const std::int64_t shift : {0, 1, 7, 1024, 3000}) {
    const std::uint32_t n = 8192 - static_cast<std::uint32_t>(shift);
    EXPECT_EQ(run_loads(sum_times(""), 8192, 8192, n, true, shift), run_loads(sum_times(""), 8192, 8192, n, false, shift)) << shift;
  }
}

/// A store between a load and its chain keeps its place.
TEST(ChainLoads, StayBeforeStoresThatFollowThem) {
  const std::string store = "    tt.store %xp, %three, %in_n : " + kPointers + "\n";
  const auto chains = load_chains(sum_times(store));
  ASSERT_EQ(chains.size(), 1u);
  EXPECT_TRUE(chains[0]->loads.empty());
  for (const std::uint32_t n : {100u, 8192u})
    EXPECT_EQ(run_loads(sum_times(store), 8192, 8192, n, true), run_loads(sum_times(store), 8192, 8192, n, false));
}

/// Whoever else reads a loaded tile sees all of it.
TEST(ChainLoads, OfTilesThatOthersReadAreLeft) {
  const std::string sum =
      "    %sum = \"tt.reduce\"(%a) <{axis = 0 : i32}> ({\n    ^bb0(%p: f32, %q: f32):\n      %t = arith.addf %p, %q : "
      "f32\n      tt.reduce.return %t : f32\n    }) : (" +
      kTile + ") -> f32\n    tt.store %y, %sum : !tt.ptr<f32>\n";
  for (const FusedGroup* chain : load_chains(sum_times(sum))) EXPECT_LT(chain->loads.size(), 2u);
  EXPECT_EQ(run_loads(sum_times(sum), 8192, 6000, 5000, true), run_loads(sum_times(sum), 8192, 6000, 5000, false));
}

}  // namespace
}  // namespace lockstep::interpreter
