// Slices and states of values, through structured control flow, branches and cycles.
#include <map>
#include <set>
#include <utility>

#include "ir/analysis/dataflow.h"
#include "ir/analysis/reachable_blocks.h"
#include "ir/analysis/value_slice.h"
#include "ir/interfaces/op_kinds.h"
#include "ir/walk.h"
#include "test_text.h"

namespace lockstep::ir {
namespace {

using testing::in_function;
using testing::parse_good;
using Names = std::set<std::string>;

/// A value of the function @f, by its name in the text.
const Value& named(const Module& module, const std::string& name) {
  const Value* found = nullptr;
  walk(module.op(), [&](const Op& op) {
    for (std::size_t i = 0; i < op.result_count(); ++i) {
      if (op.result(i)->name() == name) found = op.result(i);
    }
    for (const auto& region : op.regions()) {
      for (const auto& block : region->blocks()) {
        for (const auto& argument : block->arguments()) {
          if (argument->name() == name) found = argument.get();
        }
      }
    }
  });
  EXPECT_NE(found, nullptr) << name;
  return *found;
}

/// What a value is made from, along operands and control flow.
Names backward(const Module& module, const std::string& name) {
  Names found;
  ValueSlice slice(named(module, name));
  while (const Value* value = slice.next()) {
    found.insert(value->name());
    const Op* made_by = value->defining_op();
    slice.add_incoming(*value);
    if (made_by != nullptr && !is_structured(*made_by)) slice.add_operands(*made_by);
  }
  return found;
}

Names forward(const Module& module, const std::string& name) {
  Names found;
  ValueSlice slice(named(module, name));
  while (const Value* value = slice.next()) {
    found.insert(value->name());
    for (const Use& use : value->uses()) {
      slice.add_outgoing(use);
      if (!is_structured(*use.user)) slice.add_results(*use.user);
    }
  }
  return found;
}

// Two loops within each other; the inner one's choice decides between what the outer one carries and what it began with.
constexpr const char* kNested = R"(
    %lb = arith.constant 0 : i32
    %one = arith.constant 1.0 : f32
    %other = arith.constant 2.0 : f32
    %sum, %kept = scf.for %i = %lb to %arg1 step %arg1 iter_args(%acc = %one, %same = %other) -> (f32, f32) : i32 {
      %inner = scf.for %j = %lb to %arg1 step %arg1 iter_args(%in = %acc) -> (f32) : i32 {
        %picked = scf.if %arg3 -> (f32) {
          %twice = arith.addf %in, %in : f32
          scf.yield %twice : f32
        } else {
          scf.yield %arg2 : f32
        }
        scf.yield %picked : f32
      }
      scf.yield %inner, %same : f32, f32
    }
    %after = arith.negf %sum : f32
)";

TEST(ValueSlice, GoesBackThroughNestedLoopsAndChoices) {
  const Module module = parse_good(in_function(kNested));
  EXPECT_EQ(backward(module, "after"),
            (Names{"after", "sum", "one", "inner", "acc", "in", "picked", "twice", "arg2"}));
  EXPECT_EQ(backward(module, "kept"), (Names{"kept", "same", "other"}));
  EXPECT_EQ(backward(module, "j"), (Names{"j"}));
}

TEST(ValueSlice, GoesForwardThroughNestedLoopsAndChoices) {
  const Module module = parse_good(in_function(kNested));
  EXPECT_EQ(forward(module, "arg2"), (Names{"arg2", "picked", "in", "twice", "inner", "acc", "sum", "after"}));
  EXPECT_EQ(forward(module, "other"), (Names{"other", "same", "kept"}));
  EXPECT_EQ(forward(module, "lb"), (Names{"lb"}));  // bounds become no value
}

// What is carried changes places: each becomes each.
constexpr const char* kWhile = R"(
    %first = arith.constant 1.0 : f32
    %left, %right = scf.while (%a = %first, %b = %arg2) : (f32, f32) -> (f32, f32) {
      scf.condition(%arg3) %b, %a : f32, f32
    } do {
    ^bb0(%c: f32, %d: f32):
      %more = arith.addf %c, %c : f32
      scf.yield %more, %d : f32, f32
    }
)";

TEST(ValueSlice, FollowsAnOpenLoopThatExchangesWhatItCarries) {
  const Module module = parse_good(in_function(kWhile));
  EXPECT_EQ(backward(module, "left"), (Names{"left", "b", "arg2", "d", "a", "first", "more", "c"}));
  EXPECT_EQ(forward(module, "first"), (Names{"first", "a", "right", "d", "b", "left", "c", "more"}));
}

constexpr const char* kBlocks = R"(
    %one = arith.constant 1.0 : f32
    cf.br ^bb1(%one : f32)
  ^bb1(%x: f32):
    %y = arith.addf %x, %arg2 : f32
    cf.cond_br %arg3, ^bb1(%y : f32), ^bb2(%x : f32)
  ^bb2(%z: f32):
)";

TEST(ValueSlice, FollowsBranchesBackToABlock) {
  const Module module = parse_good(in_function(kBlocks));
  EXPECT_EQ(backward(module, "z"), (Names{"z", "x", "one", "y", "arg2"}));
  EXPECT_EQ(forward(module, "arg2"), (Names{"arg2", "y", "x", "z"}));
}

TEST(ValueSlice, TakesWholeOpsWhereAsked) {
  const Module module = parse_good(in_function(kNested));
  const Op& outer = *named(module, "sum").defining_op();
  ValueSlice parts;
  parts.add_all_sources(outer);
  Names sources;
  while (const Value* value = parts.next()) sources.insert(value->name());
  EXPECT_EQ(sources, (Names{"lb", "arg1", "one", "other", "inner", "same"}));
  ValueSlice made;
  made.add_all_targets(*named(module, "inner").uses()[0].user);  // the outer loop's yield
  Names targets;
  while (const Value* value = made.next()) targets.insert(value->name());
  EXPECT_EQ(targets, (Names{"sum", "kept", "i", "acc", "same"}));
}

TEST(Worklist, HandsOutEachOnce) {
  Worklist<int> last_first(1);
  last_first.add(2);
  last_first.add(3);
  last_first.add(1);  // still open: comes first now
  EXPECT_EQ(last_first.size(), 3u);
  EXPECT_EQ(last_first.next(), 1);
  last_first.add(1);
  EXPECT_EQ(last_first.next(), 3);
  EXPECT_EQ(last_first.next(), 2);
  EXPECT_EQ(last_first.next(), std::nullopt);
  EXPECT_TRUE(last_first.contains(2));
  Worklist<std::pair<int, bool>> first_first(std::pair(1, false));
  first_first.add({1, true});
  EXPECT_EQ(first_first.nearest(), std::pair(1, false));
  first_first.add({1, false});
  EXPECT_EQ(first_first.nearest(), std::pair(1, true));
  EXPECT_EQ(first_first.nearest(), std::nullopt);
}

TEST(ReachableBlocks, ContainTheFirstOnlyWhereALoopLeadsBack) {
  const Module module = parse_good(in_function(kBlocks));
  const Block &looping = *named(module, "x").owner_block(), &last = *named(module, "z").owner_block();
  EXPECT_TRUE(reachable_blocks(looping).contains(&looping));
  EXPECT_TRUE(reachable_blocks(looping).contains(&last));
  const Block& entry = *named(module, "arg0").owner_block();
  EXPECT_FALSE(reachable_blocks(entry).contains(&entry));
  EXPECT_EQ(reachable_blocks(entry).size(), 2u);
  EXPECT_EQ(reachable_blocks(last).size(), 0u);
}

/// Constants, by the bits of their own.
struct Constants {
  unsigned bits = 0;
  bool join(const Constants& other) {
    const unsigned before = std::exchange(bits, bits | other.bits);
    return bits != before;
  }
};

/// Which of the function's constants a value may be made from.
class MadeOf final : public ForwardAnalysis<Constants> {
 public:
  explicit MadeOf(const Module& module, bool enters_folds = true) : enters_folds_(enters_folds) {
    walk(module.op(), [&](const Op& op) {
      if (is_constant(op)) own_.emplace(&op, 1u << own_.size());
    });
    run(*module.functions().front());
  }
  /// Names of the constants.
  Names of(const Value& value) const {
    Names names;
    for (const auto& [op, bit] : own_) {
      if (find(value) != nullptr && (find(value)->bits & bit) != 0) names.insert(op->result()->name());
    }
    return names;
  }
  int visits(const Op& op) const { return visits_.at(&op); }

 private:
  void visit(const Op& op) override {
    ++visits_[&op];
    if (is_constant(op)) return join(*op.result(), {own_.at(&op)});
    if (is_structured(op)) return;
    for (std::size_t i = 0; i < op.result_count(); ++i) {
      for (const Value* operand : op.operands()) {
        if (find(*operand) != nullptr) join(*op.result(i), *find(*operand));
      }
    }
  }
  bool enters(const Op& op) const override { return enters_folds_ || !combines_lanes(op); }

  const bool enters_folds_;
  std::map<const Op*, unsigned> own_;
  std::map<const Op*, int> visits_;
};

TEST(ForwardAnalysis, SettlesInNestedLoops) {
  const Module module = parse_good(in_function(kNested));
  const MadeOf made(module);
  EXPECT_EQ(made.of(named(module, "after")), (Names{"one"}));
  EXPECT_EQ(made.of(named(module, "in")), (Names{"one"}));
  EXPECT_EQ(made.of(named(module, "kept")), (Names{"other"}));
  EXPECT_EQ(made.find(named(module, "arg2")), nullptr);
}

TEST(ForwardAnalysis, GoesRoundAsOftenAsACycleNeeds) {
  // A value moves on by one place a turn: the last place knows of the first constant after three.
  const Module module = parse_good(in_function(R"(
    %lb = arith.constant 0 : i32
    %p = arith.constant 1.0 : f32
    %q = arith.constant 2.0 : f32
    %r = arith.constant 3.0 : f32
    %x, %y, %z = scf.for %i = %lb to %arg1 step %arg1 iter_args(%a = %p, %b = %q, %c = %r) -> (f32, f32, f32) : i32 {
      scf.yield %c, %a, %b : f32, f32, f32
    }
    %alone = arith.negf %p : f32
)"));
  const MadeOf made(module);
  for (const char* name : {"x", "y", "z", "a", "b", "c"}) EXPECT_EQ(made.of(named(module, name)), (Names{"p", "q", "r"}));
  EXPECT_EQ(made.of(named(module, "alone")), (Names{"p"}));
  EXPECT_EQ(made.visits(*named(module, "alone").defining_op()), 3);
}

TEST(ForwardAnalysis, VisitsOnceWhatNothingComesBackTo) {
  const Module straight = parse_good(in_function(R"(
    %p = arith.constant 1.0 : f32
    %picked = scf.if %arg3 -> (f32) {
      scf.yield %p : f32
    } else {
      scf.yield %arg2 : f32
    }
    %last = arith.negf %picked : f32
)"));
  const MadeOf made(straight);
  EXPECT_EQ(made.of(named(straight, "last")), (Names{"p"}));
  EXPECT_EQ(made.visits(*named(straight, "last").defining_op()), 1);
}

TEST(ForwardAnalysis, SettlesWhereBlocksStandBeforeTheirMakers) {
  const Module module = parse_good(in_function(R"(
    cf.br ^bb2
  ^bb1:
    %late = arith.negf %made : f32
    cf.br ^bb3
  ^bb2:
    %p = arith.constant 1.0 : f32
    %made = arith.negf %p : f32
    cf.br ^bb1
  ^bb3:
)"));
  EXPECT_EQ(MadeOf(module).of(named(module, "late")), (Names{"p"}));
}

TEST(ForwardAnalysis, FollowsOpenLoopsAndBlocks) {
  const Module loop = parse_good(in_function(kWhile));
  const MadeOf of_loop(loop);
  for (const char* name : {"left", "right", "c", "d"}) EXPECT_EQ(of_loop.of(named(loop, name)), (Names{"first"}));
  const Module blocks = parse_good(in_function(kBlocks));
  EXPECT_EQ(MadeOf(blocks).of(named(blocks, "z")), (Names{"one"}));
}

TEST(ForwardAnalysis, LeavesOutWhatItDoesNotEnter) {
  const Module module = parse_good(in_function(R"(
    %one = arith.constant 1.0 : f32
    %tile = tt.splat %arg2 : f32 -> tensor<4xf32>
    %sum = "tt.reduce"(%tile) <{axis = 0 : i32}> ({
    ^bb0(%u: f32, %v: f32):
      %w = arith.addf %u, %one : f32
      tt.reduce.return %w : f32
    }) : (tensor<4xf32>) -> f32
)"));
  EXPECT_EQ(MadeOf(module).of(named(module, "w")), (Names{"one"}));
  EXPECT_EQ(MadeOf(module, false).find(named(module, "w")), nullptr);
}

}  // namespace
}  // namespace lockstep::ir
