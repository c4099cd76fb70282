// Every tests/frontend/ok/*.py lowers to the raw IR in its .expected file (tests/triton_oracle/test_frontend_oracle.py checks
// that it is Triton's), every tests/frontend/reject/*.py gives the diagnostics in its .expected file. The kernel is
// named `kernel`; the comment `# spec: x=*fp32 n=i32 B=64` says types and constants. LOCKSTEP_BLESS=1 rewrites the
// expectations.
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include <gtest/gtest.h>

#include "dialects/registry.h"
#include "frontend/compile.h"
#include "frontend/semantics/types.h"
#include "ir/text/printer.h"
#include "ir/verify/verifier.h"

namespace lockstep::frontend {
namespace {

namespace fs = std::filesystem;

const fs::path kFolder = fs::path(LOCKSTEP_TESTS_DIR) / "frontend";

std::string read(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

ConstantValue lowered_constant(const std::string& text) {
  if (text == "None") return ConstantValue::of_none();
  if (text == "True" || text == "False") return ConstantValue::of_bool(text == "True");
  if (text.starts_with('\'')) return {ConstantValue::Kind::string, 0, 0, text.substr(1, text.size() - 2)};
  if (text.starts_with("tl.")) return {ConstantValue::Kind::dtype, 0, 0, text.substr(3)};
  if (text.find_first_of(".en") != std::string::npos) return ConstantValue::of_float(std::stod(text));
  return ConstantValue::of_integer(std::stoll(text));
}

void read_spec(const std::string& source, CompileRequest& request) {
  std::istringstream lines(source);
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with("# spec:")) continue;
    std::istringstream words(line.substr(7));
    for (std::string word; words >> word;) {
      const std::size_t equals = word.find('=');
      const std::string name = word.substr(0, equals);
      const std::string value = word.substr(equals + 1);
      ParameterSpecialisation& parameter = request.parameters[name];
      const bool is_type =
          parse_signature_type(value).has_value() || parse_descriptor_type(value).has_value() || value.starts_with('(');
      if (is_type)
        parameter.type = value;
      else
        parameter.constant = lowered_constant(value);
    }
  }
}

std::string without_folder(std::string text) {
  const std::string prefix = kFolder.string() + "/";
  for (std::size_t at = text.find(prefix); at != std::string::npos; at = text.find(prefix))
    text.erase(at, prefix.size());
  return text;
}

CompileRequest request_for(const fs::path& source) {
  CompileRequest request;
  request.path = source.string();
  request.kernel = "kernel";
  read_spec(read(source), request);
  return request;
}

/// Diagnostics, or the raw IR if there are none.
std::string outcome(const fs::path& source, Stage stage) {
  DiagnosticSink sink;
  const std::optional<ir::Module> module = compile_kernel(dialects::registry(), request_for(source), stage, sink);
  if (!module) return without_folder(render_text(sink));
  return ir::print_module(*module);
}

std::vector<fs::path> sources(const std::string& folder) {
  std::vector<fs::path> found;
  for (const auto& entry : fs::directory_iterator(kFolder / folder)) {
    if (entry.path().extension() == ".py") found.push_back(entry.path());
  }
  std::sort(found.begin(), found.end());
  return found;
}

void check(const std::string& folder) {
  const char* bless = std::getenv("LOCKSTEP_BLESS");
  for (const fs::path& source : sources(folder)) {
    SCOPED_TRACE(source.filename().string());
    const std::string got = outcome(source, Stage::raw);
    const bool is_ir = got.starts_with("module");
    EXPECT_EQ(is_ir, folder == "ok") << got;
    fs::path expected = source;
    expected.replace_extension(".expected");
    if (bless != nullptr && *bless == '1') std::ofstream(expected, std::ios::binary) << got;
    EXPECT_EQ(got, read(expected));
  }
}

TEST(Lowering, AcceptedKernelsGiveTheExpectedRawIr) { check("ok"); }

TEST(Lowering, RejectedKernelsGiveTheExpectedDiagnostics) { check("reject"); }

TEST(Lowering, AcceptedKernelsPassThePipelineAndVerify) {
  for (const fs::path& source : sources("ok")) {
    SCOPED_TRACE(source.filename().string());
    DiagnosticSink sink;
    const std::optional<ir::Module> module = compile_kernel(dialects::registry(), request_for(source), Stage::ttir, sink);
    ASSERT_TRUE(module.has_value()) << render_text(sink);
    EXPECT_EQ(module->kernels().size(), 1U);
    DiagnosticSink again;
    EXPECT_TRUE(ir::verify(*module, again)) << render_text(again);
  }
}

TEST(Lowering, LoweringTwiceGivesTheSameText) {
  for (const fs::path& source : sources("ok"))
    EXPECT_EQ(outcome(source, Stage::ttir), outcome(source, Stage::ttir)) << source;
}

}  // namespace
}  // namespace lockstep::frontend
