// Whose values go where in structured control flow, and which lanes move where.
#include "ir/interfaces/lane_movement.h"
#include "ir/interfaces/op_kinds.h"
#include "ir/interfaces/region_branch.h"
#include "ir/walk.h"
#include "test_text.h"

namespace lockstep::ir {
namespace {

using testing::in_function;
using testing::parse_good;

const Op& first(const Module& module, std::string_view spelling) {
  const Op* found = nullptr;
  walk(module.op(), [&](const Op& op) {
    if (found == nullptr && op.spelling() == spelling) found = &op;
  });
  return *found;
}

std::vector<std::string> names(const std::vector<Value*>& values) {
  std::vector<std::string> made;
  for (const Value* value : values) made.push_back(value->name());
  return made;
}

constexpr const char* kLoop = R"(
    %lb = arith.constant 0 : i32
    %init = arith.constant 1.0 : f32
    %sum = scf.for %i = %lb to %arg1 step %arg1 iter_args(%acc = %init) -> (f32) : i32 {
      %next = arith.addf %acc, %arg2 : f32
      scf.yield %next : f32
    }
)";

TEST(RegionBranch, ACountedLoopHandsOnFromOutsideAndFromItsBody) {
  const Module module = parse_good(in_function(kLoop));
  const Op& loop = first(module, "scf.for");
  const Value& carried = *loop.region().front().argument(1);
  EXPECT_EQ(names(incoming_values(carried)), (std::vector<std::string>{"init", "next"}));
  EXPECT_EQ(names(incoming_values(*loop.result())), (std::vector<std::string>{"init", "next"}));
  EXPECT_TRUE(incoming_values(*loop.region().front().argument(0)).empty());
  EXPECT_TRUE(is_induction_variable(*loop.region().front().argument(0)));
  EXPECT_FALSE(is_induction_variable(carried));
  EXPECT_EQ(carried_argument(*loop.result()), &carried);
  EXPECT_EQ(yielded_value(carried)->name(), "next");
  EXPECT_EQ(initial_value(*loop.result())->name(), "init");
  EXPECT_EQ(deciding_operands(loop), 3u);
  const auto edges = successor_edges(loop);
  ASSERT_EQ(edges.size(), 2u);
  EXPECT_EQ(edges[0].target(0), &carried);
  EXPECT_EQ(edges[1].left, &loop);
}

TEST(RegionBranch, AnOpenLoopTestsBeforeItsBody) {
  const Module module = parse_good(in_function(R"(
    %out = scf.while (%before = %arg2) : (f32) -> f32 {
      scf.condition(%arg3) %before : f32
    } do {
    ^bb0(%after: f32):
      %more = arith.addf %after, %after : f32
      scf.yield %more : f32
    }
)"));
  const Op& loop = first(module, "scf.while");
  EXPECT_EQ(names(incoming_values(*loop.region(0).front().argument(0))), (std::vector<std::string>{"arg2", "more"}));
  EXPECT_EQ(names(incoming_values(*loop.region(1).front().argument(0))), (std::vector<std::string>{"before"}));
  EXPECT_EQ(names(incoming_values(*loop.result())), (std::vector<std::string>{"before"}));
  EXPECT_EQ(deciding_operands(first(module, "scf.condition")), 1u);
  EXPECT_EQ(carried_argument(*loop.result()), nullptr);
}

TEST(RegionBranch, AChoiceYieldsAndABranchPasses) {
  const Module module = parse_good(in_function(R"(
    %a = arith.constant 1.0 : f32
    %r = scf.if %arg3 -> (f32) {
      scf.yield %a : f32
    } else {
      scf.yield %arg2 : f32
    }
    cf.cond_br %arg3, ^bb1(%a : f32), ^bb1(%r : f32)
  ^bb1(%x: f32):
)"));
  EXPECT_EQ(names(incoming_values(*first(module, "scf.if").result())), (std::vector<std::string>{"a", "arg2"}));
  const Op& branch = first(module, "cf.cond_br");
  EXPECT_EQ(names(incoming_values(*branch.successors()[0].block->argument(0))), (std::vector<std::string>{"a", "r"}));
  EXPECT_TRUE(incoming_values(*first(module, "tt.func").region().front().argument(0)).empty());
}

TEST(LaneMovement, FollowsLanesThroughEveryMovement) {
  const Module module = parse_good(in_function(R"(
    %r = tt.make_range {end = 4 : i32, start = 0 : i32} : tensor<4xi32>
    %e = tt.expand_dims %r {axis = 0 : i32} : tensor<4xi32> -> tensor<1x4xi32>
    %b = tt.broadcast %e : tensor<1x4xi32> -> tensor<2x4xi32>
    %t = tt.trans %b {order = array<i32: 1, 0>} : tensor<2x4xi32> -> tensor<4x2xi32>
    %j = tt.join %t, %t : tensor<4x2xi32> -> tensor<4x2x2xi32>
    %left, %right = tt.split %j : tensor<4x2x2xi32> -> tensor<4x2xi32>
    %c = tt.cat %r, %r : tensor<4xi32> -> tensor<8xi32>
    %s = tt.splat %arg1 : i32 -> tensor<4xi32>
    %g = tt.gather %t[%t] {axis = 0 : i32} : (tensor<4x2xi32>, tensor<4x2xi32>) -> tensor<4x2xi32>
)"));
  const auto from = [&](std::string_view op, std::size_t result, std::int64_t lane) {
    const LaneSource source = lane_source(first(module, op), result, lane);
    return std::pair(source.operand, source.lane);
  };
  using At = std::pair<std::size_t, std::int64_t>;
  EXPECT_EQ(from("tt.broadcast", 0, 6), At(0, 2));
  EXPECT_EQ(from("tt.trans", 0, 3), At(0, 5));  // [1, 1] of 4x2 is [1, 1] of 2x4
  EXPECT_EQ(from("tt.join", 0, 5), At(1, 2));
  EXPECT_EQ(from("tt.split", 1, 3), At(0, 7));
  EXPECT_EQ(from("tt.cat", 0, 5), At(1, 1));
  EXPECT_EQ(from("tt.splat", 0, 3), At(0, 0));
  EXPECT_EQ(from("tt.expand_dims", 0, 3), At(0, 3));
  const Op& gather = first(module, "tt.gather");
  EXPECT_FALSE(moves_lanes(gather));
  EXPECT_EQ(gathered_lane(gather, 3, 0), 1);
  EXPECT_EQ(gathered_lane(gather, 3, 6), 5);   // counts modulo the extent
  EXPECT_EQ(gathered_lane(gather, 2, -1), 6);
  EXPECT_FALSE(keeps_lanes(gather));
  EXPECT_FALSE(keeps_lanes(first(module, "tt.trans")));
}

}  // namespace
}  // namespace lockstep::ir
