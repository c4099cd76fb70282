#include "support/diagnostics/snippet.h"

#include <gtest/gtest.h>

namespace lockstep {
namespace {

TEST(Snippet, CaretStandsUnderTheRange) {
  EXPECT_EQ(render_snippet("    x = load(p)", 12, 9, 4, false), "  12 |     x = load(p)\n     |         ^~~~\n");
}

TEST(Snippet, TabsAreExpanded) {
  EXPECT_EQ(render_snippet("\tx\ty", 3, 4, 1, false), "   3 |     x   y\n     |         ^\n");
}

TEST(Snippet, WideAndCombiningCharactersKeepTheCaretInPlace) {
  // Two wide characters (3 bytes each), then x at byte column 7.
  EXPECT_EQ(render_snippet("\xE4\xB8\xAD\xE6\x96\x87x", 1, 7, 1, false),
            "   1 | \xE4\xB8\xAD\xE6\x96\x87x\n     |     ^\n");
  EXPECT_EQ(render_snippet("e\xCC\x81x", 1, 4, 1, false), "   1 | e\xCC\x81x\n     |  ^\n");
}

TEST(Snippet, ControlAndInvalidBytesAreReplaced) {
  const std::string text = render_snippet("a\x1b[31m\xFF z", 1, 1, 1, false);
  EXPECT_EQ(text.find('\x1b'), std::string::npos);
  EXPECT_EQ(text, "   1 | a\xEF\xBF\xBD[31m\xEF\xBF\xBD z\n     | ^\n");
}

TEST(Snippet, LongLineIsCutAroundTheCaret) {
  std::string line(100000, 'a');
  line[50000] = 'X';
  const std::string text = render_snippet(line, 1, 50001, 1, false);
  EXPECT_LT(text.size(), 300U);
  const std::size_t newline = text.find('\n');
  EXPECT_EQ(text.substr(0, newline).find('X'), text.substr(newline + 1).find('^'));
  EXPECT_NE(text.find("...aaa"), std::string::npos);
  EXPECT_NE(text.find("aaa...\n"), std::string::npos);
}

TEST(Snippet, RangePastTheEndOfTheLineIsCut) {
  EXPECT_EQ(render_snippet("abc", 1, 2, 4000000000U, false), "   1 | abc\n     |  ^~\n");
  EXPECT_EQ(render_snippet("abc", 1, 400, 1, false), "   1 | abc\n     |    ^\n");
  EXPECT_EQ(render_snippet("", 1, 1, 1, false), "   1 | \n     | ^\n");
}

TEST(Snippet, ColumnZeroMarksTheWholeLine) { EXPECT_EQ(render_snippet("abc", 7, 0, 1, false), "   7 | abc\n"); }

TEST(Snippet, TruncatedUtf8AtTheEndIsHarmless) {
  EXPECT_EQ(render_snippet("ab\xE4\xB8", 1, 3, 2, false), "   1 | ab\xEF\xBF\xBD\xEF\xBF\xBD\n     |   ^~\n");
}

TEST(Snippet, ColorsOnlyWhenAsked) {
  EXPECT_EQ(styled(Style::error, "x", false), "x");
  EXPECT_EQ(styled(Style::error, "x", true), "\x1b[1;31mx\x1b[0m");
}

}  // namespace
}  // namespace lockstep
