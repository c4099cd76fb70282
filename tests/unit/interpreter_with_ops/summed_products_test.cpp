// Products that only a sum reads (summed_products.h): the bytes of two steps, for any factors, lengths and special
// numbers, in batches and alone; and that factors live until the sum.
#include <cmath>
#include <limits>

#include "interpreter/fusion/summed_products.h"
#include "interpreter/plan/plan_builder.h"
#include "tests/unit/interpreter_with_ops/launch_fixture.h"

namespace lockstep::interpreter {
namespace {

struct SumKernel {
  std::int64_t columns = 4096;
  std::string factors = "%a, %b";
  std::string between;       // ops between the product and the sum
  std::string kind = "f32";
  std::string op = "addf";
};

/// y[row] = the sum of a * b over a row of x and w; z keeps what `between` stores.
std::string sum_kernel_of(const SumKernel& k) {
  const std::string count = std::to_string(k.columns), tile = "tensor<" + count + "x" + k.kind + ">",
                    pointers = "tensor<" + count + "x!tt.ptr<" + k.kind + ">>", indices = "tensor<" + count + "xi32>",
                    pointer = "!tt.ptr<" + k.kind + ">";
  std::string text = "    %row = tt.get_program_id x : i32\n    %n = arith.constant " + count +
                     " : i32\n    %first = arith.muli %row, %n : i32\n    %r = tt.make_range {end = " + count +
                     " : i32, start = 0 : i32} : " + indices + "\n    %f = tt.splat %first : i32 -> " + indices +
                     "\n    %i = arith.addi %f, %r : " + indices + "\n    %two = arith.constant dense<2.0> : " + tile + "\n";
  for (const std::string name : {"x", "w", "z"}) {
    text += "    %" + name + "s = tt.splat %" + name + " : " + pointer + " -> " + pointers + "\n    %" + name +
            "p = tt.addptr %" + name + "s, " + (name == "w" ? "%r" : "%i") + " : " + pointers + ", " + indices + "\n";
  }
  text += "    %a = tt.load %xp : " + pointers + "\n    %b = tt.load %wp : " + pointers + "\n    %p = arith.mulf " +
          k.factors + " : " + tile + "\n" + k.between + "    %s = \"tt.reduce\"(%p) <{axis = 0 : i32}> ({\n    ^bb0(%l: " +
          k.kind + ", %m: " + k.kind + "):\n      %t = arith." + k.op + " %l, %m : " + k.kind +
          "\n      tt.reduce.return %t : " + k.kind + "\n    }) : (" + tile + ") -> " + k.kind +
          "\n    %yp = tt.addptr %y, %row : " + pointer + ", i32\n    tt.store %yp, %s : " + pointer + "\n";
  return kernel("%x: " + pointer + ", %w: " + pointer + ", %y: " + pointer + ", %z: " + pointer, text);
}

std::size_t joined_in(const std::string& text) {
  DiagnosticSink sink;
  auto module = ir::parse_module(dialects::registry(), std::make_shared<SourceFile>("kernel.ttir", text), sink);
  if (!module) {
    ADD_FAILURE() << render_text(sink);
    return 0;
  }
  PlanBuilder builder(*module, sink);
  const auto plan = builder.build(*module->kernels().at(0));
  std::size_t found = 0;
  for (const Step& step : plan->steps) found += step.run == step_sum_products ? 1 : 0;
  return found;
}

constexpr std::int64_t kSummedRows = 6;

/// The bits of y and z.
std::vector<std::int32_t> run_sums(const SumKernel& k, bool fuses, std::int64_t batch, const std::vector<float>& specials) {
  Harness h(sum_kernel_of(k));
  h.tuning.fuses = fuses;
  h.tuning.batch_programs = batch;
  std::vector<float> x(static_cast<std::size_t>(kSummedRows * k.columns)), w(static_cast<std::size_t>(k.columns));
  std::uint32_t state = 1;
  const auto next = [&state] {
    state = state * 1664525u + 1013904223u;
    return static_cast<float>(static_cast<std::int32_t>(state)) * 0x1p-30f;
  };
  for (float& value : x) value = next();
  for (float& value : w) value = next();
  for (std::size_t i = 0; i < specials.size(); ++i) x[i * 1031 % x.size()] = specials[i];
  h.tensor(x);
  h.tensor(w);
  const std::size_t y = h.tensor(std::vector<float>(kSummedRows)), z = h.tensor(std::vector<float>(x.size()));
  h.run({kSummedRows, 1, 1}, 2);
  std::vector<std::int32_t> bits = h.values<std::int32_t>(y), stored = h.values<std::int32_t>(z);
  bits.insert(bits.end(), stored.begin(), stored.end());
  return bits;
}

void expect_same_sums(const SumKernel& k, const std::string& what) {
  const float inf = std::numeric_limits<float>::infinity(), nan = std::numeric_limits<float>::quiet_NaN();
  const std::vector<std::vector<float>> specials{{}, {-0.0f, 1e-44f, 3e38f, -3e38f}, {inf}, {inf, -inf}, {-nan, 1e-40f}};
  for (const std::int64_t batch : {1, 64}) {
    for (const auto& few : specials)
      EXPECT_EQ(run_sums(k, true, batch, few), run_sums(k, false, batch, few)) << what << ' ' << batch << ' ' << few.size();
  }
}

TEST(SummedProducts, AreJoinedWhereLinesAreLong) {
  SumKernel k;
  EXPECT_EQ(joined_in(sum_kernel_of(k)), 1u);
  k.factors = "%a, %a";
  EXPECT_EQ(joined_in(sum_kernel_of(k)), 1u);
  k.columns = 1024;
  EXPECT_EQ(joined_in(sum_kernel_of(k)), 0u);
  k = {};
  k.op = "maxnumf";
  EXPECT_EQ(joined_in(sum_kernel_of(k)), 0u);
  k = {};
  k.kind = "f16";
  EXPECT_EQ(joined_in(sum_kernel_of(k)), 0u);
}

TEST(SummedProducts, AnyFactorsAndLengthsGiveTheSame) {
  for (const std::int64_t columns : {1024, 2048, 4096, 16384}) {
    for (const std::string factors : {"%a, %a", "%a, %b", "%b, %a", "%b, %b", "%a, %two", "%two, %two"}) {
      SumKernel k;
      k.columns = columns;
      k.factors = factors;
      expect_same_sums(k, factors + " of " + std::to_string(columns));
    }
  }
}

/// The sum of zeros is -0 where all are.
TEST(SummedProducts, KeepTheSignOfZero) {
  SumKernel k;
  k.columns = 2048;
  const std::vector<float> zeros(static_cast<std::size_t>(kSummedRows * k.columns), -0.0f);
  EXPECT_EQ(run_sums(k, true, 1, zeros), run_sums(k, false, 1, zeros));
}

TEST(SummedProducts, OthersMayReadFactorsAndProducts) {
  const std::string tile = "tensor<4096xf32>", pointers = "tensor<4096x!tt.ptr<f32>>";
  SumKernel k;
  k.between = "    %d = arith.subf %a, %b : " + tile + "\n    tt.store %zp, %d : " + pointers + "\n";  // their last use
  expect_same_sums(k, "a difference");
  k.between = "    tt.store %zp, %p : " + pointers + "\n";
  EXPECT_EQ(joined_in(sum_kernel_of(k)), 0u);
  expect_same_sums(k, "the products themselves");
  k.between = "    tt.store %xp, %b : " + pointers + "\n";  // over a factor in memory
  expect_same_sums(k, "a store to a factor");
}

}  // namespace
}  // namespace lockstep::interpreter
