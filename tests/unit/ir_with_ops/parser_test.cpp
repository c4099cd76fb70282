// What the parser says about wrong text, and forms that the round-trip samples do not have.
#include <algorithm>

#include "ir/text/lexer.h"
#include "ir/text/nearest_name.h"
#include "test_text.h"

namespace lockstep::ir {
namespace {

using testing::in_function;

/// "line:column CODE message | hint" of each diagnostic.
std::vector<std::string> problems(const std::string& text) {
  DiagnosticSink sink;
  const auto module = testing::parse(text, sink);
  EXPECT_EQ(module.has_value(), !sink.has_errors());
  std::vector<std::string> result;
  for (const Diagnostic& found : sink.diagnostics()) {
    std::string line;
    if (found.span.file) {
      const LineColumn place = found.span.file->position(found.span.range.begin);
      line = std::to_string(place.line) + ":" + std::to_string(place.column) + " ";
    }
    result.push_back(line + std::string(found.code.spelling()) + " " + found.message + (found.hint.empty() ? "" : " | " + found.hint));
  }
  return result;
}

std::string first_problem(const std::string& text) {
  const auto all = problems(text);
  return all.empty() ? "" : all[0];
}

TEST(Parser, NamesTheNearestOp) {
  EXPECT_EQ(first_problem(in_function("    %0 = arith.adf %arg2, %arg2 : f32\n")),
            "3:10 LS1002 op 'arith.adf' is not known to Lockstep | the nearest op it knows is 'arith.addf'");
}

TEST(Parser, UnknownOpsAreUnsupportedNotWrong) {
  DiagnosticSink sink;
  EXPECT_FALSE(testing::parse(in_function("    %0 = \"ttg.foo\"(%arg2) ({\n    ^bb0(%x: f32):\n      \"ttg.bar\"(%x) : "
                                          "(f32) -> ()\n    }) : (f32) -> f32\n"
                                          "    %1 = arith.addf %0, %0 : f32\n"),
                              sink));
  EXPECT_TRUE(sink.only_unsupported()) << render_text(sink);
  EXPECT_EQ(sink.diagnostics().size(), 2u);
}

TEST(Parser, GoesOnAfterAnErrorWithoutFollowingOnes) {
  const auto all = problems(in_function(
      "    %0 = arith.addf %arg2 : f32\n    %1 = arith.mulf %0, %0 : f32\n    %2 = arith.addi %arg1, %arg2 : i32\n"
      "    %3 = arith.subf %nothing, %1 : f32\n"));
  ASSERT_EQ(all.size(), 3u) << ::testing::PrintToString(all);
  EXPECT_EQ(all[0], "3:27 LS1001 expected ',', found ':'");
  EXPECT_EQ(all[1], "5:28 LS1004 '%arg2' is used here as i32, but its type is f32");
  EXPECT_EQ(all[2], "6:21 LS1003 '%nothing' is not defined");
}

TEST(Parser, ReportsUndefinedValuesOutsideOfFunctions) {
  const std::string text = "module {\n  tt.func public @f(%a: i32) {\n    tt.return\n  }\n}\n%0 = arith.addi %a, %a : i32\n";
  EXPECT_EQ(first_problem(text), "6:17 LS1003 '%a' is not defined");
}

TEST(Parser, HintsAtTheNearestValue) {
  EXPECT_EQ(first_problem(
                in_function("    %total = arith.addf %arg2, %arg2 : f32\n    %1 = arith.mulf %totla, %arg2 : f32\n")),
            "4:21 LS1003 '%totla' is not defined | did you mean '%total'?");
}

TEST(Parser, ReportsEachKindOfMistake) {
  const std::pair<std::string, std::string> kCases[] = {
      {"    %arg1 = arith.addf %arg2, %arg2 : f32\n", "LS1005"},
      {"    %0 = arith.addf %arg2, %arg2 : f33\n", "LS1006"},
      {"    %0 = arith.cmpi slr, %arg1, %arg1 : i32\n", "LS1007"},
      {"    %0 = arith.constant 300 : i8\n", "LS1008"},
      {"    %0 = arith.constant 99999999999999999999 : i64\n", "LS1008"},
      {"    %0 = arith.constant dense<1> : tensor<99999999999x4xi32>\n", "LS1013"},
      {"    %0 = arith.constant dense<1> : tensor<65536x65536xi32>\n", "LS1013"},
      {"    %0 = arith.constant dense<[1, 2]> : tensor<4xi32>\n", "LS1007"},
      {"    %0 = arith.constant dense<[1.5, 2]> : tensor<2xf32>\n", "LS1008"},
      {"    %0 = arith.constant dense<[[1], [2, 3]]> : tensor<2x2xi32>\n", "LS1001"},
      {"    cf.br ^bb7\n  ^bb1:\n", "LS1010"},
      {"    %0 = arith.constant 1 : i32 loc(#nothing)\n", "LS1011"},
      {"    %0:2 = arith.addf %arg2, %arg2 : f32\n", "LS1012"},
      {"    %0 = \"arith.addf\"(%arg2, %arg2) : (f32) -> f32\n", "LS1014"},
      {"    tt.assert %arg3, \"open : i1\n", "LS1015"},
      {"    %0 = tt.reduce %arg2 : f32\n", "LS1001"},
      {"    %0 = tt.load %arg1 : i32\n", "LS1004"},
      {"    %0 = tt.splat %arg2 {a = 1, a = 2} : f32 -> tensor<4xf32>\n", "LS1007"},
      {"    tt.make_range {end = 4 : i32, start = 0 : i32} : tensor<4xvector<4xi32>>\n", "LS1006"},
      {"    scf.yield ~\n", "LS1015"},
  };
  for (const auto& [body, code] : kCases) {
    const std::string found = first_problem(in_function(body));
    EXPECT_NE(found.find(code), std::string::npos) << body << found;
  }
}

TEST(Parser, StopsAtDeepNesting) {
  std::string text = "module {\n  tt.func public @f(%c: i1) {\n";
  for (int i = 0; i < 5000; ++i) text += "scf.if %c {\n";
  EXPECT_NE(first_problem(text).find("LS1009"), std::string::npos);
  std::string type;
  for (int i = 0; i < 100000; ++i) type += "!tt.ptr<";
  EXPECT_NE(first_problem(in_function("    %0 = arith.constant 1 : " + type + "\n")).find("LS1009"), std::string::npos);
  std::string list(100000, '[');
  EXPECT_NE(first_problem(in_function("    %0 = arith.constant {a = " + list + "} 1 : i32\n")).find("LS1009"),
            std::string::npos);
  std::string places;
  for (int i = 0; i < 100000; ++i) places += "callsite(";
  EXPECT_NE(first_problem(in_function("    %0 = arith.constant 1 : i32 loc(" + places + ")\n")).find("LS1009"),
            std::string::npos);
}

TEST(Parser, ChainsOfAliasesAreBoundedToo) {
  std::string text = "#a0 = loc(\"f\":1:1)\n";
  for (int i = 1; i < 3000; ++i) text += "#a" + std::to_string(i) + " = loc(\"n\"(#a" + std::to_string(i - 1) + "))\n";
  EXPECT_NE(first_problem(text).find("LS1009"), std::string::npos);
  EXPECT_NE(first_problem("#a = loc(#b)\n#b = loc(#a)\n").find("LS1011"), std::string::npos);
}

TEST(Parser, AliasesThatDoubleAreBounded) {
  std::string places = "#a0 = loc(\"f\":1:1)\n";
  std::string lists = "#b0 = 1 : i32\n";
  std::string types = "!c0 = i32\n";
  for (int i = 1; i < 60; ++i) {
    const std::string old = std::to_string(i - 1);
    places += "#a" + std::to_string(i) + " = loc(callsite(#a" + old + " at #a" + old + "))\n";
    lists += "#b" + std::to_string(i) + " = [#b" + old + ", #b" + old + "]\n";
    types += "!c" + std::to_string(i) + " = (!c" + old + ", !c" + old + ") -> ()\n";
  }
  for (const std::string& text : {places, lists, types})
    EXPECT_NE(first_problem(text).find("LS1009"), std::string::npos) << first_problem(text);
}

TEST(Parser, ReadsTypeAliasesCommentsAndBareOps) {
  const Module module = testing::parse_good(
      "!tile = tensor<4xf32>\n// a comment\ntt.func public @f(%x: !tile) { // another\n  tt.return\n}\n");
  ASSERT_EQ(module.functions().size(), 1u);
  EXPECT_EQ(function_type(*module.functions()[0]).inputs()[0].to_string(), "tensor<4xf32>");
  EXPECT_EQ(print_module(module), "module {\n  tt.func public @f(%arg0: tensor<4xf32>) {\n    tt.return\n  }\n}\n");
}

TEST(Parser, KeepsUnknownAttributes) {
  const std::string text =
      "module attributes {ttg.target = \"cuda:90\"} {\n  tt.func public @f(%arg0: tensor<4xf32>) {\n"
      "    %0 = arith.addf %arg0, %arg0 {new.thing = #ttg.x<\"a>b\", {c}>, new.type = !ttg.token} : tensor<4xf32>\n"
      "    tt.return\n  }\n}\n";
  EXPECT_EQ(print_module(testing::parse_good(text)), text);
}

TEST(Parser, TakesOnlyEncodingsThatItKnows) {
  for (const char* encoding : {"#ttg.blocked<{a = [1]}>", "#ttg.shared_memory", "#new.layout<{}>"}) {
    DiagnosticSink sink;
    EXPECT_FALSE(testing::parse("tt.func private @f(tensor<4xf32, " + std::string(encoding) + ">)\n", sink)) << encoding;
    EXPECT_TRUE(sink.has_errors()) << encoding;
  }
}

TEST(Parser, OpsWithoutLocationPointIntoTheFile) {
  const Module module = testing::parse_good(in_function("    %0 = arith.addf %arg2, %arg2 : f32\n"));
  const Op& add = *module.functions()[0]->region().front().ops().front();
  ASSERT_FALSE(add.location().is_unknown());
  EXPECT_EQ(add.location()->text, "test.ttir");
  EXPECT_EQ(add.location()->line, 3u);
  EXPECT_EQ(add.result()->name(), "0");
  const SourceSpan& span = add.span();
  EXPECT_EQ(span.file->text().substr(span.range.begin, span.range.end - span.range.begin),
            "%0 = arith.addf %arg2, %arg2 : f32");
}

TEST(Parser, DefaultsAreNotKept) {
  const Module module = testing::parse_good(
      in_function("    %0 = tt.load %arg0 cacheModifier = none {isVolatile = false} : !tt.ptr<f32>\n"));
  EXPECT_TRUE(module.functions()[0]->region().front().ops().front()->attributes().empty());
}

TEST(Parser, ReadsWhatOlderTritonsPrint) {
  const std::string body =
      "    %0 = tt.load %arg0 {cache = 2 : i32, evict = 1 : i32, isVolatile = false} : !tt.ptr<f32>\n"
      "    %1 = tt.splat %arg2 : f32 -> tensor<8xf32>\n"
      "    %2 = tt.reshape %1 {allow_reorder = false} : tensor<8xf32> -> tensor<2x4xf32>\n"
      "    %3 = tt.reshape %1 {allow_reorder = true} : tensor<8xf32> -> tensor<2x4xf32>\n";
  const std::string printed = print_module(testing::parse_good(in_function(body)));
  EXPECT_NE(printed.find("%0 = tt.load %arg0 cacheModifier = ca : !tt.ptr<f32>\n"), std::string::npos) << printed;
  EXPECT_NE(printed.find("%2 = tt.reshape %1 : tensor<8xf32> -> tensor<2x4xf32>\n"), std::string::npos) << printed;
  EXPECT_NE(printed.find("%3 = tt.reshape %1 allow_reorder : tensor<8xf32> -> tensor<2x4xf32>\n"), std::string::npos);
}

TEST(Parser, MutatedTextNeverCrashes) {
  const auto files = testing::files_in(LOCKSTEP_TESTS_DIR "/roundtrip", ".mlir");
  std::uint32_t seed = 12345;
  const auto next = [&seed] { return seed = seed * 1664525u + 1013904223u; };
  for (const auto& path : files) {
    const std::string text = testing::read_file(path);
    if (text.size() > 12000) continue;
    for (int round = 0; round < 30; ++round) {
      std::string mutated = text;
      for (int k = 0; k < 4; ++k) {
        const std::size_t at = next() % mutated.size();
        switch (next() % 3) {
          case 0: mutated[at] = static_cast<char>(next() % 128); break;
          case 1: mutated.erase(at, next() % 20); break;
          default: mutated.insert(at, mutated.substr(next() % mutated.size(), next() % 20)); break;
        }
        if (mutated.empty()) mutated = "x";
      }
      DiagnosticSink sink;
      const auto module = testing::parse(mutated, sink);
      EXPECT_EQ(module.has_value(), !sink.has_errors());
      if (module) verify(*module, sink);
    }
  }
}

TEST(Lexer, UnescapesStrings) {
  EXPECT_EQ(unescape(R"("a\22b\\c\n\t\0A")"), "a\"b\\c\n\t\n");
  EXPECT_EQ(unescape("\"\""), "");
}

TEST(NearestName, IsNearOrNothing) {
  EXPECT_EQ(nearest_name("tt.laod", {"tt.load", "tt.store"}), "tt.load");
  EXPECT_EQ(nearest_name("completely", {"tt.load", "tt.store"}), "");
}

}  // namespace
}  // namespace lockstep::ir
