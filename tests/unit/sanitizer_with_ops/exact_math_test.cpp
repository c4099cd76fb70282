// Which lanes a reduction, a scan and a product are made of, against index arithmetic written out; element-wise ops in
// f64 against the C library.
#include "sanitizer/numeric/exact_math.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "dialects/registry.h"
#include "ir/module.h"
#include "ir/text/parser.h"

namespace lockstep::sanitizer {
namespace {

const ir::OpDef& row(std::string_view spelling) { return dialects::registry().row(spelling); }

constexpr std::string_view kKernel = R"(module {
  tt.func public @k(%x: tensor<2x4x8xf32>, %a: tensor<2x4xf32>, %b: tensor<4x8xf32>, %c: tensor<2x8xf32>) {
    %0 = "tt.reduce"(%x) <{axis = 1 : i32}> ({
    ^bb0(%l: f32, %r: f32):
      %s = arith.addf %l, %r : f32
      tt.reduce.return %s : f32
    }) : (tensor<2x4x8xf32>) -> tensor<2x8xf32>
    %1 = "tt.scan"(%x) <{axis = 1 : i32, reverse = true}> ({
    ^bb0(%l: f32, %r: f32):
      %s = arith.maxnumf %l, %r : f32
      tt.scan.return %s : f32
    }) : (tensor<2x4x8xf32>) -> tensor<2x4x8xf32>
    %2 = "tt.reduce"(%x) <{axis = 2 : i32}> ({
    ^bb0(%l: f32, %r: f32):
      %s = arith.subf %l, %r : f32
      tt.reduce.return %s : f32
    }) : (tensor<2x4x8xf32>) -> tensor<2x4xf32>
    %3 = tt.dot %a, %b, %c : tensor<2x4xf32> * tensor<4x8xf32> -> tensor<2x8xf32>
    tt.return
  }
}
)";

class ExactMath : public ::testing::Test {
 protected:
  void SetUp() override {
    DiagnosticSink sink;
    module_ = ir::parse_module(dialects::registry(), std::make_shared<const SourceFile>("k.ttir", std::string(kKernel)), sink);
    ASSERT_TRUE(module_.has_value());
    for (const auto& op : module_->find_function("k")->region().front().ops()) ops_.push_back(op.get());
  }
  std::optional<ir::Module> module_;
  std::vector<const ir::Op*> ops_;
};

TEST_F(ExactMath, FindsTheLinesOfAReductionAndOfAScanFromTheEnd) {
  const auto at = [](std::int64_t i, std::int64_t j, std::int64_t k) { return (i * 4 + j) * 8 + k; };
  const AxisLine line = line_of(*ops_[0], 1 * 8 + 5);
  EXPECT_EQ(line.first, at(1, 0, 5));
  EXPECT_EQ(line.first + 3 * line.step, at(1, 3, 5));
  EXPECT_EQ(line.count, 4);
  const AxisLine scan = line_of(*ops_[1], at(1, 2, 6));
  EXPECT_EQ(scan.first, at(1, 3, 6));
  EXPECT_EQ(scan.first + scan.step, at(1, 2, 6));
  EXPECT_EQ(scan.count, 2);
}

TEST_F(ExactMath, KnowsWhatALineIsCombinedBy) {
  EXPECT_EQ(combining_op(*ops_[0]), &row("arith.addf"));
  EXPECT_EQ(combining_op(*ops_[1]), &row("arith.maxnumf"));
  EXPECT_EQ(combining_op(*ops_[2]), nullptr) << "a difference has an order";
  EXPECT_EQ(combining_op(*ops_[3]), nullptr);
}

TEST_F(ExactMath, FindsRowAndColumnOfAProduct) {
  const ProductLine line = product_line(*ops_[3], 1 * 8 + 3);
  EXPECT_EQ(line.a_first + 2 * line.a_step, 1 * 4 + 2);
  EXPECT_EQ(line.b_first + 2 * line.b_step, 2 * 8 + 3);
  EXPECT_EQ(line.count, 4);
}

TEST_F(ExactMath, RoundsNothingToTheOpsFormat) {
  const std::array<double, 3> fused{1e9 + 1, 1e9 + 1, -1e18}, one{0.1, 0, 0};
  EXPECT_EQ(exact_element(row("math.fma"), fused), (1e9 + 1) * (1e9 + 1) - 1e18);
  EXPECT_EQ(exact_element(row("arith.truncf"), {one.data(), 1}), 0.1);
  EXPECT_EQ(exact_element(row("math.exp"), {one.data(), 1}), std::exp(0.1));
  EXPECT_EQ(exact_element(row("arith.addi"), {one.data(), 2}), std::nullopt);
  EXPECT_EQ(digits(-std::nan("")), "nan");
}

}  // namespace
}  // namespace lockstep::sanitizer
