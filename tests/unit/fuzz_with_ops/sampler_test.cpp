// Sampled kernels: every row gives one that verifies, prints, parses and runs; mutated samples are never unsafe.
#include "fuzz/sampler.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

#include "dialects/registry.h"
#include "fuzz/arguments.h"
#include "fuzz/mutate.h"
#include "fuzz/walk.h"
#include "ir/opcode.h"
#include "ir/text/parser.h"
#include "ir/text/printer.h"
#include "ir/verify/verifier.h"

namespace lockstep::fuzz {
namespace {

std::optional<ir::Module> parse(const std::string& text, DiagnosticSink& sink) {
  return ir::parse_module(dialects::registry(), std::make_shared<SourceFile>("sample.ttir", text), sink);
}

/// "" if the launch ends with a report or names what is not supported; else what went wrong.
std::string run(const ir::Module& module, const ir::Op& kernel) {
  memory_model::AddressSpace memory;
  Random random(1);
  const auto arguments = make_arguments(kernel, memory, random, 2048);
  if (!arguments) return "no arguments";
  interpreter::LaunchRequest request;
  request.module = &module;
  request.function = &kernel;
  request.arguments = *arguments;
  request.memory = &memory;
  request.threads = 1;
  request.limits = {.timeout_seconds = 5, .max_memory_bytes = 64 << 20, .max_steps_per_program = 20000};
  request.print = [](const std::string&) {};
  DiagnosticSink sink;
  const auto report = interpreter::launch(request, sink);
  if (!memory.red_zones_intact()) return "a red zone was written";
  return report.has_value() ? "" : render_text(sink);
}

class EachRow : public ::testing::TestWithParam<const ir::OpDef*> {};

TEST_P(EachRow, GivesAKernelThatVerifiesPrintsParsesAndRuns) {
  for (std::uint64_t seed = 1; seed <= 4; ++seed) {
    Random random(seed);
    Sampler sampler(dialects::registry(), random);
    ASSERT_TRUE(sampler.sample_op(*GetParam())) << seed;
    DiagnosticSink sink;
    const auto module = parse(sampler.text(), sink);
    ASSERT_TRUE(module) << render_text(sink) << sampler.text();
    const std::string printed = ir::print_module(*module);
    const auto again = parse(printed, sink);
    ASSERT_TRUE(again) << render_text(sink) << printed;
    EXPECT_TRUE(ir::verify(*again, sink)) << render_text(sink);
    EXPECT_EQ(ir::print_module(*again), printed);
    const auto ops = ops_of(*module);
    const bool has_op = std::any_of(ops.begin(), ops.end(), [](ir::Op* op) { return &op->def() == GetParam(); });
    EXPECT_TRUE(has_op || GetParam()->effects == ir::Effects::symbol) << printed;
    if (GetParam()->evaluate == nullptr) continue;
    const std::string problem = run(*again, *again->kernels().at(0));
    const bool is_rare_exponent = GetParam()->opcode == ir::Opcode::math_fpowi;  // i1 and i64 exponents do not run
    EXPECT_TRUE(problem.empty() || (is_rare_exponent && problem.find("LS1901") != std::string::npos))
        << problem << printed;
  }
}

INSTANTIATE_TEST_SUITE_P(Rows, EachRow, ::testing::ValuesIn(sampled_rows(dialects::registry())),
                         [](const auto& row) {
                           std::string name(row.param->spelling);
                           std::replace(name.begin(), name.end(), '.', '_');
                           return name;
                         });

TEST(Sampler, TheSameSeedGivesTheSameKernel) {
  Random first(7), second(7), other(8);
  EXPECT_EQ(sample_kernel(dialects::registry(), first), sample_kernel(dialects::registry(), second));
  EXPECT_NE(sample_kernel(dialects::registry(), other), sample_kernel(dialects::registry(), first));
}

TEST(Sampler, KernelsDrawManyTypes) {
  std::set<std::string> types;
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    Random random(seed);
    DiagnosticSink sink;
    const auto module = parse(sample_kernel(dialects::registry(), random), sink);
    ASSERT_TRUE(module) << render_text(sink);
    for (const ir::Value* value : values_of(*module)) types.insert(value->type().element().to_string());
  }
  for (const char* type : {"i1", "i8", "i16", "i32", "i64", "f16", "bf16", "f32", "f64", "f8E4M3FN", "f8E5M2"})
    EXPECT_TRUE(types.contains(type)) << type;
}

using Change = bool (*)(ir::Module&, Random&);

TEST(Mutate, EachKindOfChangeHappensAndLeavesWhatPrints) {
  const Change kinds[] = {change_operand, change_attribute, change_row,   change_element_type,
                          change_extent,  remove_op,        duplicate_op, move_op};
  for (const Change change : kinds) {
    int changes = 0;
    for (std::uint64_t seed = 0; seed < 60; ++seed) {
      Random random(seed);
      DiagnosticSink sink;
      auto module = parse(sample_kernel(dialects::registry(), random), sink);
      ASSERT_TRUE(module);
      const std::string before = ir::print_module(*module);
      if (!change(*module, random)) continue;
      changes += ir::print_module(*module) != before;
    }
    EXPECT_GT(changes, 0);
  }
}

TEST(Mutate, WhatStillVerifiesRunsSafely) {
  int valid = 0;
  for (const auto& entry : std::filesystem::directory_iterator(LOCKSTEP_TESTS_DIR "/roundtrip/3.6")) {
    if (entry.path().string().find(".ttir90") == std::string::npos || entry.file_size() > 20000) continue;
    std::ifstream in(entry.path());
    std::stringstream text;
    text << in.rdbuf();
    for (std::uint64_t seed = 0; seed < 12; ++seed) {
      Random random(seed);
      DiagnosticSink sink;
      auto module = parse(text.str(), sink);
      ASSERT_TRUE(module);
      for (std::size_t i = 1 + random.below(3); i > 0; --i) mutate(*module, random);
      const auto again = parse(ir::print_module(*module), sink);
      if (!again || !ir::verify(*again, sink)) continue;
      ++valid;
      EXPECT_NE(run(*again, *again->kernels().at(0)), "a red zone was written") << ir::print_module(*again);
    }
  }
  EXPECT_GT(valid, 20);
}

}  // namespace
}  // namespace lockstep::fuzz
