// Golden cases: tests/verifier/RULE/CASE.ttir and the diagnostics it must give. LOCKSTEP_BLESS=1 rewrites them.
#include <cstdlib>

#include "dialects/registry.h"
#include "ir/builder.h"
#include "test_text.h"

namespace lockstep::ir {
namespace {

using testing::files_in;
using testing::read_file;

const std::filesystem::path kFolder = LOCKSTEP_TESTS_DIR "/verifier";

std::string diagnose(const std::filesystem::path& path) {
  DiagnosticSink sink;
  const auto module = testing::parse(read_file(path), sink, path.filename().string());
  if (module) verify(*module, sink);
  return sink.diagnostics().empty() ? "valid\n" : render_text(sink);
}

class VerifierCase : public ::testing::TestWithParam<std::filesystem::path> {};

TEST_P(VerifierCase, GivesTheExpectedDiagnostics) {
  std::filesystem::path expected = GetParam();
  expected.replace_extension(".expected");
  const std::string actual = diagnose(GetParam());
  const char* bless = std::getenv("LOCKSTEP_BLESS");
  if (bless != nullptr && std::string(bless) == "1") {
    std::ofstream(expected, std::ios::binary) << actual;
    return;
  }
  EXPECT_EQ(testing::difference(read_file(expected), actual), "") << actual;
}

INSTANTIATE_TEST_SUITE_P(Golden, VerifierCase, ::testing::ValuesIn(files_in(kFolder, ".ttir")), [](const auto& sample) {
  return sample.param.parent_path().filename().string() + "_" + sample.param.stem().string();
});

TEST(Verifier, EachRuleHasANegativeCase) {
  std::string all;
  for (const auto& path : files_in(kFolder, ".expected")) all += read_file(path);
  for (const char* code : {"LS1101", "LS1102", "LS1103", "LS1104", "LS1105", "LS1106", "LS1107", "LS1108", "LS1109",
                           "LS1110", "LS1111", "LS1112", "LS1113", "LS1114", "LS1115", "LS1120"}) {
    EXPECT_NE(all.find(code), std::string::npos) << code;
  }
}

/// A kernel built by hand, with locations as the frontend gives them.
TEST(Verifier, ReportsBuiltIrByItsLocation) {
  Module module{dialects::registry()};
  Context& context = module.context();
  Builder builder(context);
  builder.set_insertion_point_to_end(module.body());
  builder.set_location(context.file_location("kernel.py", 3, 1));
  Op* function = builder.create(
      "tt.func", {}, {},
      {{"sym_name", context.string("f")}, {"function_type", context.type_attribute(context.function({}, {}))}});
  Block& body = function->region().add_block();
  builder.set_insertion_point_to_end(body);
  const Type f32 = context.floating(ScalarKind::f32);
  Value* one = builder.constant(f32, 0x3F800000);
  builder.set_location(context.name_location("total", context.file_location("kernel.py", 4, 5)));
  Op* sum = builder.create("arith.addf", {one, one}, {f32});
  builder.set_location(context.file_location("kernel.py", 5, 9));
  Op* use = builder.create("arith.mulf", {sum->result(), one}, {f32});
  builder.create("tt.return", {}, {});
  DiagnosticSink good;
  EXPECT_TRUE(verify(module, good)) << render_text(good);

  std::unique_ptr<Op> moved = sum->detach();
  body.insert(std::next(use->position()), std::move(moved));
  DiagnosticSink sink;
  EXPECT_FALSE(verify(module, sink));
  ASSERT_EQ(sink.diagnostics().size(), 1u);
  const Diagnostic& found = sink.diagnostics()[0];
  EXPECT_EQ(found.code.spelling(), "LS1120");
  EXPECT_EQ(found.message,
            "operand #0 of 'arith.mulf', '%total', does not dominate this use: it is defined later in the same block "
            "(at kernel.py:5:10)");
  ASSERT_EQ(found.notes.size(), 1u);
  EXPECT_EQ(found.notes[0].message, "'%total' is defined here at kernel.py:4:6");
}

}  // namespace
}  // namespace lockstep::ir
