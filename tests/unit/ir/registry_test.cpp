// The IR with rows of a test's own: what it takes from a registry, and that it links without Triton's rows.
#include <gtest/gtest.h>

#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "ir/op_registry.h"
#include "ir/opcode.h"
#include "ir/text/parser.h"
#include "ir/text/printer.h"
#include "ir/verify/verifier.h"
#include "support/diagnostics/diagnostic.h"
#include "support/source_file.h"

namespace lockstep::ir {
namespace {

/// A row for every opcode that says nothing but its name, and two that say more.
class Rows {
 public:
  Rows() : rows_(kOpCount) {
    for (std::size_t i = 0; i < kOpCount; ++i) {
      rows_[i].opcode = static_cast<Opcode>(i);
      rows_[i].spelling = kOpSpellings[i];
      places_.push_back(&rows_[i]);
    }
    OpDef& module = row("builtin.module");
    module.region_count = 1;
    module.single_block_regions = true;
    module.needs_terminator = false;
    OpDef& sum = row("arith.addi");
    sum.operands = {{"lhs", TypeRule::integer}, {"rhs", TypeRule::integer}};
    sum.results = {{"result", TypeRule::integer}};
    sum.relations = "lhs=result rhs=result";
    sum.form = "$lhs plus $rhs attrs : type($result)";
    OpDef& poison = row("ub.poison");
    poison.results = {{"result", TypeRule::any}};
    poison.form = "attrs : type($result)";
  }

  std::span<const OpDef* const> all() const { return places_; }

 private:
  OpDef& row(std::string_view spelling) {
    for (OpDef& one : rows_) {
      if (one.spelling == spelling) return one;
    }
    throw std::out_of_range(std::string(spelling));
  }

  std::vector<OpDef> rows_;
  std::vector<const OpDef*> places_;
};

TEST(Registry, FindsRowsBySpelling) {
  const Rows rows;
  const OpRegistry registry(rows.all());
  EXPECT_EQ(registry.find("arith.addi"), &registry.row("arith.addi"));
  EXPECT_EQ(registry.find("arith.plus"), nullptr);
}

TEST(Registry, ItsRowsSayHowAnOpIsRead) {
  const Rows rows;
  const OpRegistry registry(rows.all());
  DiagnosticSink sink;
  const std::string text =
      "\"builtin.module\"() ({\n  %0 = ub.poison : i32\n  %1 = arith.addi %0 plus %0 : i32\n}) : () -> ()\n";
  const auto module = parse_module(registry, std::make_shared<SourceFile>("own.ttir", text), sink);
  ASSERT_TRUE(module) << (sink.diagnostics().empty() ? "" : sink.diagnostics().front().message);
  EXPECT_TRUE(verify(*module, sink));
}

}  // namespace
}  // namespace lockstep::ir
