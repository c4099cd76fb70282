#include "support/diagnostics/diagnostic.h"

#include <gtest/gtest.h>

namespace lockstep {
namespace {

Diagnostic make(Severity severity, std::string message) {
  Diagnostic diagnostic;
  diagnostic.severity = severity;
  diagnostic.code = "LS1203";
  diagnostic.message = std::move(message);
  return diagnostic;
}

TEST(Diagnostic, TextHasPlaceCaretNotesAndHint) {
  const auto file = std::make_shared<SourceFile>("k.py", "a = 1\nb = foo(a)\n");
  Diagnostic diagnostic = make(Severity::error, "'foo' is not defined");
  diagnostic.span = {file, {10, 13}};
  diagnostic.notes.push_back({"'a' is defined here", {file, {0, 1}}});
  diagnostic.notes.push_back({"nowhere", {}});
  diagnostic.hint = "write bar";
  EXPECT_EQ(render_text(diagnostic),
            "k.py:2:5: error: 'foo' is not defined [LS1203]\n"
            "   2 | b = foo(a)\n"
            "     |     ^~~\n"
            "k.py:1:1: note: 'a' is defined here\n"
            "   1 | a = 1\n"
            "     | ^\n"
            "note: nowhere\n"
            "hint: write bar\n");
}

TEST(Diagnostic, RangeOverSeveralLinesMarksTheFirst) {
  const auto file = std::make_shared<SourceFile>("k.py", "f(a,\n  b)\n");
  Diagnostic diagnostic = make(Severity::warning, "w");
  diagnostic.span = {file, {0, 9}};
  EXPECT_EQ(render_text(diagnostic), "k.py:1:1: warning: w [LS1203]\n   1 | f(a,\n     | ^~~~\n");
}

TEST(Diagnostic, PlaceAtTheEndOfTheFile) {
  const auto file = std::make_shared<SourceFile>("k.py", "f(");
  Diagnostic diagnostic = make(Severity::error, "unexpected end");
  diagnostic.span = {file, {2, 2}};
  EXPECT_EQ(render_text(diagnostic), "k.py:1:3: error: unexpected end [LS1203]\n   1 | f(\n     |   ^\n");
}

TEST(Diagnostic, StatusHasCodeAndHint) {
  EXPECT_EQ(render_text(Status{"LS3001", "no driver", "install one"}),
            "error: no driver [LS3001]\nhint: install one\n");
}

TEST(Diagnostic, TextOfOthersCannotSteerTheTerminal) {
  const auto file = std::make_shared<SourceFile>("a\x1b]0;b.py", "x\n");
  Diagnostic diagnostic = make(Severity::error, "no op '\x1b[2J\xFF\xC2\x9B'");
  diagnostic.span = {file, {0, 1}};
  diagnostic.hint = "\x07";
  const std::string text = render_text(diagnostic);
  for (const char* bad : {"\x1b", "\xFF", "\xC2\x9B", "\x07"}) EXPECT_EQ(text.find(bad), std::string::npos);
  EXPECT_EQ(text.substr(text.size() - 10), "hint: \xEF\xBF\xBD\n");
}

TEST(DiagnosticSink, StopsAfterTheLimitAndSaysSo) {
  DiagnosticSink sink;
  for (int i = 0; i < 100; ++i) sink.report(make(Severity::error, std::to_string(i)));
  ASSERT_EQ(sink.diagnostics().size(), DiagnosticSink::kMaxErrors + 1);
  EXPECT_TRUE(sink.is_full());
  EXPECT_EQ(sink.diagnostics().back().message, "stopped after 20 errors");
}

TEST(DiagnosticSink, WarningsAreBoundedAndAreNoErrors) {
  DiagnosticSink sink;
  for (int i = 0; i < 100000; ++i) sink.report(make(Severity::warning, "w"));
  EXPECT_FALSE(sink.has_errors());
  EXPECT_LE(sink.diagnostics().size(), 200U);
  sink.report(make(Severity::error, "e"));
  EXPECT_TRUE(sink.has_errors());
}

TEST(DiagnosticSink, OnlyUnsupported) {
  DiagnosticSink sink;
  EXPECT_FALSE(sink.only_unsupported());
  sink.report(make(Severity::unsupported, "u"));
  EXPECT_TRUE(sink.only_unsupported());
  sink.report(make(Severity::error, "e"));
  EXPECT_FALSE(sink.only_unsupported());
}

}  // namespace
}  // namespace lockstep
