// Module-level Python: imports, constants, conditions, decorators; and what the public functions say about requests.
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>

#include "dialects/registry.h"
#include "frontend/compile.h"
#include "frontend/eval/module_loader.h"
#include "ir/text/printer.h"

namespace lockstep::frontend {
namespace {

const std::string kMain = std::string(LOCKSTEP_TESTS_DIR) + "/frontend/imports/main.py";

CompileRequest request_of(const std::string& kernel) {
  CompileRequest request;
  request.path = kMain;
  request.kernel = kernel;
  request.parameters["x"].type = "*fp32";
  return request;
}

std::string error_of(const CompileRequest& request) {
  DiagnosticSink sink;
  const bool compiled = compile_kernel(dialects::registry(), request, Stage::raw, sink).has_value();
  EXPECT_FALSE(compiled);
  return sink.diagnostics().empty() ? "" : std::string(sink.diagnostics().front().code.spelling()) + " " + sink.diagnostics().front().message;
}

/// A file with this text in a new folder; the text of what compiling its `kernel(x: *fp32)` gives.
std::string outcome_of_text(const std::string& text) {
  const auto folder = std::filesystem::path(testing::TempDir()) / ("lockstep_lowering_" + std::to_string(getpid()));
  std::filesystem::create_directories(folder);
  std::ofstream(folder / "case.py") << "import triton\nimport triton.language as tl\n" << text;
  CompileRequest request = request_of("kernel");
  request.path = (folder / "case.py").string();
  DiagnosticSink sink;
  const auto module = compile_kernel(dialects::registry(), request, Stage::raw, sink);
  return module ? ir::print_module(*module)
                : std::string(sink.diagnostics().front().code.spelling()) + " " + sink.diagnostics().front().message;
}

TEST(ModuleLoader, KnowsTheNamesOfTheLanguage) {
  EXPECT_TRUE(is_language_name("triton.language", "load"));
  EXPECT_TRUE(is_language_name("triton.language", "float32"));
  EXPECT_TRUE(is_language_name("triton.language", "softmax"));
  EXPECT_TRUE(is_language_name("triton.language.math", "exp"));
  EXPECT_TRUE(is_language_name("triton.language.extra.libdevice", "erf"));
  EXPECT_FALSE(is_language_name("triton.language", "lod"));
  EXPECT_FALSE(is_language_name("os", "environ"));
}

TEST(ModuleLoader, TakesATextThatIsNoFile) {
  CompileRequest request = request_of("cell_kernel");
  request.path = "<ipython-input-1>";
  request.source = "import triton, triton.language as tl\n@triton.jit\ndef cell_kernel(x):\n    tl.store(x, 1.0)\n";
  DiagnosticSink sink;
  const auto kernels = list_kernels(request.path, sink, request.source);
  ASSERT_TRUE(kernels.has_value()) << render_text(sink);
  ASSERT_EQ(kernels->size(), 1u);
  EXPECT_EQ(kernels->front().name, "cell_kernel");
  EXPECT_TRUE(compile_kernel(dialects::registry(), request, Stage::ttir, sink).has_value()) << render_text(sink);
  request.source = std::string((std::size_t{64} << 20) + 1, '\n');
  EXPECT_EQ(error_of(request), "LS3002 '<ipython-input-1>' is larger than 64 MiB");
}

TEST(ModuleLoader, FollowsImportsOfEveryForm) {
  CompileRequest request = request_of("kernel");
  request.parameters["n"].type = "i32";
  request.parameters["m"].type = "i32";
  request.parameters["y"].type = "fp16";
  request.parameters["EVEN"].constant = ConstantValue::of_bool(true);
  request.parameters["scale"].type = "fp32";
  DiagnosticSink sink;
  const auto module = compile_kernel(dialects::registry(), request, Stage::raw, sink);
  ASSERT_TRUE(module.has_value()) << render_text(sink);
  std::vector<std::string> names;
  for (const ir::Op* function : module->functions()) names.emplace_back(ir::symbol_name(*function));
  EXPECT_EQ(names, (std::vector<std::string>{"kernel", "helpers.scale__fp32S16S__", "helpers.add_one__fp32S16S__",
                                             "kernels.inner.deep.deepest__fp32S16S__",
                                             "kernels.inner.sibling.negate__fp32S16S__"}));
  EXPECT_NE(ir::print_module(*module).find("2.500000e-01"), std::string::npos);
}

TEST(ModuleLoader, ListsKernelsWithTheirParameters) {
  DiagnosticSink sink;
  const auto kernels = list_kernels(kMain, sink);
  ASSERT_TRUE(kernels.has_value());
  ASSERT_EQ(kernels->size(), 4U);
  const KernelInfo& kernel = kernels->front();
  EXPECT_EQ(kernel.name, "kernel");
  ASSERT_EQ(kernel.parameters.size(), 8U);
  EXPECT_TRUE(kernel.parameters[1].do_not_specialize);
  EXPECT_TRUE(kernel.parameters[2].do_not_specialize);
  EXPECT_FALSE(kernel.parameters[0].do_not_specialize);
  EXPECT_EQ(kernel.parameters[3].annotation, "fp16");
  EXPECT_TRUE(kernel.parameters[4].is_constexpr);
  EXPECT_EQ(kernel.parameters[5].default_value->integer, 16);
  EXPECT_EQ(kernel.parameters[6].annotation, "fp32");
  EXPECT_EQ(kernel.parameters[6].default_value->floating, 1.5);
  EXPECT_EQ(kernel.parameters[7].default_value->kind, ConstantValue::Kind::none);
}

TEST(ModuleLoader, UnknownValuesAreErrorsOnlyWhenUsed) {
  EXPECT_EQ(error_of(request_of("uses_unknown")).substr(0, 6), "LS1303");
  EXPECT_EQ(error_of(request_of("uses_missing")).substr(0, 6), "LS1311");
  // The import comes first and is unknown; so is whether the except clause runs.
  EXPECT_EQ(error_of(request_of("uses_fallback")).substr(0, 6), "LS1311");
}

TEST(ModuleLoader, GlobalsOfTheRequestDecideConditions) {
  CompileRequest request = request_of("uses_unknown");
  request.globals["something"] = ConstantValue::of_bool(false);
  DiagnosticSink sink;
  const auto module = compile_kernel(dialects::registry(), request, Stage::raw, sink);
  ASSERT_TRUE(module.has_value()) << render_text(sink);
  EXPECT_NE(ir::print_module(*module).find("arith.constant 2"), std::string::npos);
}

TEST(ModuleLoader, RequestsThatDoNotFitAreExplained) {
  EXPECT_EQ(error_of(request_of("plain")).substr(0, 6), "LS1312");
  EXPECT_EQ(error_of(request_of("absent")), "LS1312 " + kMain + " has no kernel 'absent'");
  CompileRequest request = request_of("uses_fallback");
  request.parameters["z"].type = "i32";
  EXPECT_EQ(error_of(request), "LS1312 uses_fallback has no parameter 'z'");
  request = request_of("uses_fallback");
  request.parameters["x"].type = "*fp99";
  EXPECT_EQ(error_of(request), "LS1312 '*fp99' is not a type for the parameter 'x'");
  request.parameters.clear();
  EXPECT_EQ(error_of(request), "LS1312 no value or type is given for the parameter 'x' of uses_fallback");
  request = request_of("kernel");
  request.target = "gfx90a";
  EXPECT_EQ(error_of(request), "LS1312 'gfx90a' is no target");
  request.path = "/nonexistent/file.py";
  EXPECT_EQ(error_of(request).substr(0, 6), "LS3001");
}

TEST(Hostile, CompileTimeWorkIsBounded) {
  const std::string kernel = "@triton.jit\ndef kernel(x):\n";
  EXPECT_EQ(outcome_of_text(kernel + "    for i in tl.static_range(100000000):\n        tl.store(x, i)\n").substr(0, 6),
            "LS1314");
  EXPECT_EQ(outcome_of_text(
                kernel + "    t = (1,)\n    for i in tl.static_range(1000):\n        t = (t, 1)\n    tl.store(x, 1)\n")
                .substr(0, 6),
            "LS1309");
  EXPECT_EQ(outcome_of_text("@triton.constexpr_function\ndef f(n):\n    while True:\n        n += 1\n" + kernel +
                            "    tl.store(x, f(1))\n")
                .substr(0, 6),
            "LS1309");
  EXPECT_EQ(outcome_of_text("@triton.constexpr_function\ndef f(n):\n    return f(n + 1)\n" + kernel +
                            "    tl.store(x, f(1))\n")
                .substr(0, 6),
            "LS1309");
  EXPECT_EQ(outcome_of_text("@triton.constexpr_function\ndef f(n):\n    s = 'ab'\n    for i in range(60):\n        s "
                            "+= s\n    return 1\n" +
                            kernel + "    tl.store(x, f(1))\n")
                .substr(0, 6),
            "LS1309");
  EXPECT_EQ(outcome_of_text(kernel + "    N: tl.constexpr = 2 ** 200\n    tl.store(x, N)\n").substr(0, 6), "LS1309");
  EXPECT_EQ(outcome_of_text("@triton.jit\ndef f(x, n: tl.constexpr):\n    return f(x, n + 1)\n" + kernel +
                            "    tl.store(x, f(1.0, 0))\n")
                .substr(0, 6),
            "LS1314");
  std::string nested = "    v = 0.0\n";
  std::string indent = "    ";
  for (int depth = 0; depth < 40; ++depth, indent += " ")
    nested += indent + "for i" + std::to_string(depth) + " in range(2):\n";
  EXPECT_EQ(outcome_of_text(kernel + nested + indent + "v += 1.0\n").substr(0, 6), "LS1314");
}

TEST(Hostile, OddModulesAreHarmless) {
  const std::string kernel = "@triton.jit\ndef kernel(x):\n    tl.store(x, 1.0)\n";
  EXPECT_TRUE(outcome_of_text("from case import kernel\nimport case\n" + kernel).starts_with("module"));
  EXPECT_TRUE(outcome_of_text("from . import nothing\nfrom .... import more\nfrom case import *\n" + kernel)
                  .starts_with("module"));
  EXPECT_TRUE(
      outcome_of_text(
          "A = A\nB = [0] * 100000000\nC = 'x' * 10 ** 9\nD = 1 // 0\nE = 2 ** 500\nF = (1, 2)[7]\nG, H = 1\n" + kernel)
          .starts_with("module"));
  EXPECT_TRUE(
      outcome_of_text("for i in range(10 ** 9):\n    X = i\nwhile True:\n    Y = 1\n" + kernel).starts_with("module"));
}

}  // namespace
}  // namespace lockstep::frontend
