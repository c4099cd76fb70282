// Expressions over a kernel that stands in the engine: variables of its Python lines, memory at both ages, pointers,
// loops, and what is left when nobody stands.
#include <gtest/gtest.h>

#include "debugger/expression/evaluate.h"
#include "debugger/expression/show.h"
#include "debugger/expression/target.h"
#include "debugger/session/engine_scope.h"
#include "tests/unit/interpreter_with_ops/launch_fixture.h"

namespace lockstep::debugger {
namespace {

// def add_rows(x_ptr, out_ptr, n, BLOCK):
//     pid = tl.program_id(0)                            # 7
//     offs = pid * BLOCK + tl.arange(0, BLOCK)          # 8
//     mask = offs < n                                   # 9
//     acc = tl.zeros((BLOCK,), tl.float32)              # 10
//     for k in range(0, 3):                             # 11
//         x_ptrs = x_ptr + offs + k * n                 # 12
//         acc += tl.load(x_ptrs, mask, 0.0)             # 13
//         total += k                                    # 14
//     tl.store(out_ptr + offs, acc, mask)               # 15
constexpr const char* kAddRows = R"(
#loc = loc("rows.py":6:0)
#loc7 = loc("pid"("rows.py":7:10))
#loc8 = loc("offs"("rows.py":8:11))
#loc9 = loc("mask"("rows.py":9:11))
#loc10 = loc("acc"("rows.py":10:10))
#loc11 = loc("rows.py":11:13)
#loc12 = loc("x_ptrs"("rows.py":12:17))
#loc13 = loc("acc"("rows.py":13:15))
#loc14 = loc("total"("rows.py":14:8))
#loc15 = loc("rows.py":15:4)
module {
  tt.func public @add_rows(%x_ptr: !tt.ptr<f32> loc("x_ptr"(#loc)), %out_ptr: !tt.ptr<f32> loc("out_ptr"(#loc)), %n: i32 loc("n"(#loc))) attributes {noinline = false} {
    %pid = tt.get_program_id x : i32 loc(#loc7)
    %offs = arith.constant 4 : i32 loc(#loc8)
    %offs_0 = arith.muli %pid, %offs : i32 loc(#loc8)
    %offs_1 = tt.make_range {end = 4 : i32, start = 0 : i32} : tensor<4xi32> loc(#loc8)
    %offs_2 = tt.splat %offs_0 : i32 -> tensor<4xi32> loc(#loc8)
    %offs_3 = arith.addi %offs_2, %offs_1 : tensor<4xi32> loc(#loc8)
    %mask = tt.splat %n : i32 -> tensor<4xi32> loc(#loc9)
    %mask_4 = arith.cmpi slt, %offs_3, %mask : tensor<4xi32> loc(#loc9)
    %acc = arith.constant dense<0.000000e+00> : tensor<4xf32> loc(#loc10)
    %c0_i32 = arith.constant 0 : i32 loc(#loc11)
    %c3_i32 = arith.constant 3 : i32 loc(#loc11)
    %c1_i32 = arith.constant 1 : i32 loc(#loc11)
    %total:2 = scf.for %k = %c0_i32 to %c3_i32 step %c1_i32 iter_args(%arg4 = %acc, %arg5 = %c0_i32) -> (tensor<4xf32>, i32)  : i32 {
      %x_ptrs = tt.splat %x_ptr : !tt.ptr<f32> -> tensor<4x!tt.ptr<f32>> loc(#loc12)
      %x_ptrs_7 = tt.addptr %x_ptrs, %offs_3 : tensor<4x!tt.ptr<f32>>, tensor<4xi32> loc(#loc12)
      %x_ptrs_8 = arith.muli %k, %n : i32 loc(#loc12)
      %x_ptrs_9 = tt.splat %x_ptrs_8 : i32 -> tensor<4xi32> loc(#loc12)
      %x_ptrs_10 = tt.addptr %x_ptrs_7, %x_ptrs_9 : tensor<4x!tt.ptr<f32>>, tensor<4xi32> loc(#loc12)
      %acc_11 = tt.load %x_ptrs_10, %mask_4, %acc : tensor<4x!tt.ptr<f32>> loc(#loc13)
      %acc_12 = arith.addf %arg4, %acc_11 : tensor<4xf32> loc(#loc13)
      %total_13 = arith.addi %arg5, %k : i32 loc(#loc14)
      scf.yield %acc_12, %total_13 : tensor<4xf32>, i32 loc(#loc14)
    } loc("total"(#loc11))
    %0 = tt.splat %out_ptr : !tt.ptr<f32> -> tensor<4x!tt.ptr<f32>> loc(#loc15)
    %1 = tt.addptr %0, %offs_3 : tensor<4x!tt.ptr<f32>>, tensor<4xi32> loc(#loc15)
    tt.store %1, %total#0, %mask_4 : tensor<4x!tt.ptr<f32>> loc(#loc15)
    tt.return loc(#loc15)
  } loc(#loc)
} loc(#loc)
)";

class EngineScopeTest : public testing::Test {
 protected:
  EngineScopeTest() : harness_(kAddRows) {
    harness_.tensor(interpreter::iota_f32(18));
    harness_.tensor(std::vector<float>(6, -1));
    harness_.scalar(6);
    DiagnosticSink sink;
    const auto& function = *harness_.module().kernels().at(0);
    engine_ = Engine::make(harness_.module(), function, {}, harness_.request({2, 1, 1}, 1), {}, sink);
    if (engine_ == nullptr) {
      ADD_FAILURE() << render_text(sink);
      return;
    }
    EngineScope::Extras extras;
    extras.constants = &constants_;
    extras.reference = &reference_;
    scope_ = std::make_unique<EngineScope>(*engine_, extras);
  }

  /// Before the first op of the line, in that program, for the nth time.
  void stand_at(std::uint32_t line, std::uint64_t program, int times = 1) {
    std::uint32_t before = 0;
    engine_->go(Direction::forward, [&] {
      const std::uint32_t here = engine_->point()->place().line;
      const bool is_new = here == line && before != line && engine_->program() == program;
      before = here;
      return is_new && --times == 0;
    });
    ASSERT_NE(engine_->point(), nullptr);
  }
  Tensor tensor(std::string_view text) {
    const auto value = evaluate(text, *scope_);
    if (!value) {
      ADD_FAILURE() << text << ": " << value.error().message;
      return Tensor::of(std::int64_t{-999});
    }
    const auto read = tensor_of(*value, *scope_);
    EXPECT_TRUE(read) << text << ": " << (read ? "" : read.error());
    return read ? *read : Tensor::of(std::int64_t{-999});
  }
  std::string error(std::string_view text) {
    const auto value = evaluate(text, *scope_);
    return value ? "(no error)" : value.error().message;
  }
  std::string summary(std::string_view text) {
    const auto value = evaluate(text, *scope_);
    return value ? show_summary(*value, *scope_) : value.error().message;
  }
  using Integers = std::vector<std::int64_t>;
  using Floats = std::vector<double>;

  interpreter::Harness harness_;
  std::unique_ptr<Engine> engine_;
  std::vector<std::pair<std::string, Value>> constants_ = {{"BLOCK", Value(Tensor::of(std::int64_t{4}))}};
  std::function<Scope::Found(std::string_view)> reference_ = [](std::string_view name) -> Scope::Found {
    if (name == "acc") return Value(Tensor::of(14.0));
    return Unexpected{std::string("the reference has no such value")};
  };
  std::unique_ptr<EngineScope> scope_;
};

TEST_F(EngineScopeTest, VariablesInALoop) {
  stand_at(13, 1, 3);
  EXPECT_EQ(tensor("acc").floats, (Floats{14, 16, 0, 0}));
  EXPECT_EQ(tensor("offs").integers, (Integers{4, 5, 6, 7}));
  EXPECT_EQ(tensor("k").integers, (Integers{2}));
  EXPECT_EQ(tensor("total").integers, (Integers{1}));
  EXPECT_EQ(tensor("iter(k)").integers, (Integers{2}));
  EXPECT_EQ(tensor("iter()").integers, (Integers{2}));
  EXPECT_EQ(tensor("mask.count").integers, (Integers{2}));
  EXPECT_EQ(tensor("pid + 10 * pid[0] + 100 * grid[0]").integers, (Integers{211}));
  EXPECT_EQ(tensor("n * BLOCK").integers, (Integers{24}));
  EXPECT_EQ(tensor("max(abs(acc - ref('acc')))").floats, (Floats{14}));
  EXPECT_EQ(tensor("%offs_0").integers, (Integers{4}));
  EXPECT_EQ(summary("acc"), "f32[4] min 0. max 16. mean 7.5 nan 0 inf 0");
  EXPECT_EQ(error("acd"), "there is no 'acd' here; did you mean 'acc'?");
}

TEST_F(EngineScopeTest, WhatALoopLeaves) {
  stand_at(15, 1);
  EXPECT_EQ(tensor("acc").floats, (Floats{30, 33, 0, 0}));
  EXPECT_EQ(tensor("total").integers, (Integers{3}));
  EXPECT_NE(error("k"), "(no error)");
}

TEST_F(EngineScopeTest, PointersAndMemory) {
  stand_at(13, 1, 3);
  EXPECT_EQ(tensor("ptr(x_ptrs)[1].index").integers, (Integers{17}));
  EXPECT_EQ(tensor("x_ptrs.inside").integers, (Integers{1, 1, 0, 0}));
  EXPECT_EQ(tensor("load(x_ptrs, mask)").floats, (Floats{16, 17, 0, 0}));
  EXPECT_EQ(tensor("x_ptr[::6]").floats, (Floats{0, 6, 12}));
  EXPECT_EQ(tensor("out_ptr").floats, (Floats{18, 21, 24, 27, -1, -1}));
  EXPECT_EQ(tensor("old(out_ptr)").floats, (Floats{-1, -1, -1, -1, -1, -1}));
  EXPECT_EQ(tensor("out_ptr - old(out_ptr)").floats, (Floats{19, 22, 25, 28, 0, 0}));
  EXPECT_EQ(summary("ptr(x_ptrs)[1]"), "a0[17] +0x44");
  EXPECT_EQ(error("x_ptr[18]"), "index 18 is out of range for extent 18");
}

TEST_F(EngineScopeTest, TargetsOfWatches) {
  stand_at(13, 0);
  const auto memory = resolve_target(*parse_expression("out_ptr[1::2]"), *scope_);
  ASSERT_TRUE(memory);
  ASSERT_EQ(memory->bytes.size(), 3U);
  EXPECT_EQ(memory->bytes[0].begin, harness_.address(1) + 4);
  const auto variable = resolve_target(*parse_expression("acc[2]"), *scope_);
  ASSERT_TRUE(variable);
  EXPECT_EQ(variable->elements, (Integers{2}));
}

TEST_F(EngineScopeTest, WhatHangsOnTheProgram) {
  const auto by_name = parse_expression("pid == 1");
  EXPECT_TRUE(depends_only_on_program(*by_name, *scope_));
  EXPECT_FALSE(depends_only_on_program(*parse_expression("n == 6"), *scope_));
  EXPECT_TRUE(*evaluate_condition(*by_name, ProgramScope({1, 0, 0}, {2, 1, 1}, *scope_)));
  EXPECT_FALSE(*evaluate_condition(*by_name, ProgramScope({0, 0, 0}, {2, 1, 1}, *scope_)));
}

TEST_F(EngineScopeTest, BeforeAValueIsThere) {
  EXPECT_NE(error("acc").find("acc"), std::string::npos);
  EXPECT_NE(error("acc"), "(no error)");
  EXPECT_EQ(tensor("n").integers, (Integers{6}));
  EXPECT_NE(error("iter(k)"), "(no error)");
}

TEST_F(EngineScopeTest, AfterTheEnd) {
  engine_->go(Direction::forward, {});
  ASSERT_EQ(engine_->point(), nullptr);
  EXPECT_EQ(tensor("out_ptr").floats, (Floats{18, 21, 24, 27, 30, 33}));
  EXPECT_EQ(tensor("old(out_ptr)[5]").floats, (Floats{-1}));
  EXPECT_NE(error("acc"), "(no error)");
  EXPECT_EQ(error("pid[0]"), "no program stands anywhere");
}

}  // namespace
}  // namespace lockstep::debugger
