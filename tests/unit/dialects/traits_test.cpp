// The traits of rows agree with what else the rows say.
#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "dialects/registry.h"
#include "interpreter/evaluators/loops.h"
#include "ir/interfaces/op_kinds.h"

namespace lockstep::dialects {
namespace {

using ir::OpDef;

std::string_view group(const OpDef& def, int i) {
  const auto at = static_cast<std::size_t>(i);
  return i < 0 || at >= def.operands.size() ? "" : def.operands[at].name;
}

TEST(Traits, RolesOfAccessesAreTheOperandsOfTheirNames) {
  for (const OpDef* def : registry().rows()) {
    const ir::MemoryAccess& access = def->access;
    EXPECT_EQ(access.mask >= 0, group(*def, access.mask) == "mask") << def->spelling;
    EXPECT_EQ(access.other >= 0, group(*def, access.other) == "other") << def->spelling;
    EXPECT_EQ(access.indices >= 0, group(*def, access.indices) == "indices") << def->spelling;
    if (!access.is_access()) continue;
    EXPECT_EQ(access.is_pointer_access(), group(*def, 0) == "ptr") << def->spelling;
    EXPECT_TRUE(access.value >= 0 || def->results.size() == 1) << def->spelling;
    const bool is_atomic = access.kind == ir::MemoryAccess::Kind::atomic;
    EXPECT_EQ(access.atomic != ir::MemoryAccess::Atomic::none, is_atomic) << def->spelling;
  }
}

TEST(Traits, WhatTouchesMemoryHasEffects) {
  for (const OpDef* def : registry().rows()) {
    if (!def->access.is_access()) continue;
    const bool reads = def->effects == ir::Effects::read, writes = def->effects == ir::Effects::write;
    EXPECT_TRUE(reads || writes || def->effects == ir::Effects::read_write) << def->spelling;
    if (def->access.kind == ir::MemoryAccess::Kind::load) {
      EXPECT_TRUE(reads) << def->spelling;
    }
    if (def->access.kind == ir::MemoryAccess::Kind::store) {
      EXPECT_TRUE(writes) << def->spelling;
    }
  }
}

TEST(Traits, AnOldNameHasTheTraitsOfTheNewOne) {
  for (const OpDef* def : registry().rows()) {
    if (!def->spelling.starts_with("tt.experimental_")) continue;
    const std::string_view old_prefix = "tt.experimental_";
    const OpDef& now = registry().row("tt." + std::string(def->spelling.substr(old_prefix.size())));
    EXPECT_EQ(def->access.kind, now.access.kind) << def->spelling;
    EXPECT_EQ(def->access.place, now.access.place) << def->spelling;
    EXPECT_EQ(def->access.value, now.access.value) << def->spelling;
    EXPECT_EQ(def->evaluate, now.evaluate) << def->spelling;
  }
}

TEST(Traits, ElementwiseOpsHaveLoopsAndAreBatchedAsSuch) {
  for (const OpDef* def : registry().rows()) {
    if (def->loops == nullptr) continue;
    EXPECT_NE(def->evaluate, nullptr) << def->spelling;
    EXPECT_EQ(def->movement, ir::Movement::none) << def->spelling;
    EXPECT_EQ(def->combination, ir::Combination::none) << def->spelling;
    EXPECT_EQ(def->effects, ir::Effects::pure) << def->spelling;
    const bool is_lifted = def->batching == ir::BatchingRule::elementwise ||
                           def->batching == ir::BatchingRule::elementwise_if_pure;
    EXPECT_TRUE(is_lifted) << def->spelling;
    if (def->loops->binary) {
      EXPECT_EQ(def->operands.size(), 2u) << def->spelling;
    }
  }
}

TEST(Traits, ControlFlowIsLiftedAsControl) {
  for (const OpDef* def : registry().rows()) {
    if (def->batching != ir::BatchingRule::control) continue;
    EXPECT_NE(def->control, ir::Control::none) << def->spelling;
    EXPECT_EQ(def->effects, ir::Effects::control) << def->spelling;
  }
  for (const OpDef* def : registry().rows())
    EXPECT_EQ(def->is_terminator, def->effects == ir::Effects::control && def->region_count == 0 &&
                                      def->control != ir::Control::call)
        << def->spelling;
}

TEST(Traits, WhatIsMistakenForAnotherTakesTheSameOperands) {
  for (const OpDef* def : registry().rows()) {
    if (def->mistaken_for.empty()) continue;
    const OpDef& other = registry().row(def->mistaken_for);
    EXPECT_EQ(other.operands.size(), def->operands.size()) << def->spelling;
    EXPECT_EQ(other.relations, def->relations) << def->spelling;
    for (std::size_t i = 0; i < def->operands.size(); ++i)
      EXPECT_EQ(other.operands[i].rule, def->operands[i].rule) << def->spelling;
  }
}

TEST(Traits, ArithmeticTellsWhatNumbersItReads) {
  for (const OpDef* def : registry().rows()) {
    using ir::Arithmetic;
    const bool reads_any = def->arithmetic == Arithmetic::none || def->arithmetic == Arithmetic::selection ||
                           def->arithmetic == Arithmetic::reinterpretation ||
                           def->arithmetic == Arithmetic::displacement;
    EXPECT_EQ(reads_any, def->numbers == ir::Numbers::none) << def->spelling;
    if (def->in_f64 != nullptr) {
      EXPECT_NE(def->evaluate, nullptr) << def->spelling;
    }
  }
}

}  // namespace
}  // namespace lockstep::dialects
