// parse then print is the identity on what Triton printed, and the generic form says the same.
#include "test_text.h"

namespace lockstep::ir {
namespace {

using testing::difference;

class RoundTrip : public ::testing::TestWithParam<std::filesystem::path> {};

/// What the file's name says: NAME.loc90.mlir has locations; NAME.named.ttgir had some, and its names are theirs.
PrintOptions options_of(const std::filesystem::path& file) {
  PrintOptions options;
  options.locations = file.filename().string().find(".loc") != std::string::npos;
  options.names_as_written = file.filename().string().find(".named") != std::string::npos;
  return options;
}

TEST_P(RoundTrip, PrintsTheBytesItRead) {
  const std::string text = testing::read_file(GetParam());
  const Module module = testing::parse_good(text);
  const PrintOptions options = options_of(GetParam());
  EXPECT_EQ(difference(text, print_module(module, options)), "");
}

TEST_P(RoundTrip, Verifies) {
  const Module module = testing::parse_good(testing::read_file(GetParam()));
  DiagnosticSink sink;
  EXPECT_TRUE(verify(module, sink)) << render_text(sink);
}

TEST_P(RoundTrip, GenericFormIsStableAndMeansTheSame) {
  const std::string text = testing::read_file(GetParam());
  const Module module = testing::parse_good(text);
  const PrintOptions options = options_of(GetParam());
  PrintOptions generic = options;
  generic.generic = true;
  const std::string first = print_module(module, generic);
  const Module again = testing::parse_good(first);
  EXPECT_EQ(difference(first, print_module(again, generic)), "");
  EXPECT_EQ(difference(text, print_module(again, options)), "");
}

TEST_P(RoundTrip, TruncatedTextIsAnErrorAndNeverACrash) {
  const std::string text = testing::read_file(GetParam());
  for (std::size_t size = 0; size < text.size(); size += 397) {
    DiagnosticSink sink;
    const auto module = testing::parse(text.substr(0, size), sink);
    EXPECT_EQ(module.has_value(), !sink.has_errors());
  }
}

std::string name_of_sample(const ::testing::TestParamInfo<std::filesystem::path>& sample) {
  std::string name = "v" + sample.param.parent_path().filename().string() + "_" + sample.param.stem().string();
  for (char& c : name) c = c == '.' || c == '-' ? '_' : c;
  return name;
}

INSTANTIATE_TEST_SUITE_P(Samples, RoundTrip,
                         ::testing::ValuesIn(testing::files_in(LOCKSTEP_TESTS_DIR "/roundtrip", ".mlir")),
                         name_of_sample);
INSTANTIATE_TEST_SUITE_P(Ttgir, RoundTrip,
                         ::testing::ValuesIn(testing::files_in(LOCKSTEP_TESTS_DIR "/ttgir", ".ttgir")), name_of_sample);

}  // namespace
}  // namespace lockstep::ir
