// The lexer: layout tokens, extents of literals, and what it refuses.
#include "python_syntax/lexer.h"

#include <gtest/gtest.h>

namespace lockstep::python_syntax {
namespace {

/// Tokens as text: layout tokens as words in angle brackets, others as they are written; then the codes of the
/// problems.
std::string lexed(const std::string& text) {
  auto file = std::make_shared<const SourceFile>("t.py", text);
  ProblemList problems(file);
  std::string out;
  for (const Token& token : tokenize(*file, problems)) {
    switch (token.kind) {
      case TokenKind::EndOfFile: continue;
      case TokenKind::Newline: out += "<nl> "; break;
      case TokenKind::Indent: out += "<in> "; break;
      case TokenKind::Dedent: out += "<de> "; break;
      case TokenKind::Invalid: out += "<bad> "; break;
      default: out += text.substr(token.range.begin, token.range.end - token.range.begin) + " ";
    }
  }
  DiagnosticSink sink;
  problems.hand_over(sink);
  for (const Diagnostic& diagnostic : sink.diagnostics()) out += std::string(diagnostic.code.spelling()) + " ";
  if (!out.empty()) out.pop_back();
  return out;
}

TEST(Lexer, IndentsAndDedentsBalance) {
  EXPECT_EQ(lexed("if a:\n  b\n    # comment\n\n  c\nd\n"), "if a : <nl> <in> b <nl> c <nl> <de> d <nl>");
  EXPECT_EQ(lexed("a:\n b:\n  c"), "a : <nl> <in> b : <nl> <in> c <nl> <de> <de>");
  EXPECT_EQ(lexed(""), "");
  EXPECT_EQ(lexed("\n\n# only\n"), "");
}

TEST(Lexer, LayoutTokensBalanceForABadUnindent) {
  EXPECT_EQ(lexed("a:\n    b\n  c\n"), "a : <nl> <in> b <nl> <de> c <nl> LS1202");
}

TEST(Lexer, TabsCountToMultiplesOfEight) {
  EXPECT_EQ(lexed("a:\n        b\n\tc\n"), "a : <nl> <in> b <nl> c <nl> <de> LS1202");
  EXPECT_EQ(lexed("a:\n\tb\n\tc\n"), "a : <nl> <in> b <nl> c <nl> <de>");
}

TEST(Lexer, FormFeedResetsTheColumn) { EXPECT_EQ(lexed("a\n  \fb\n"), "a <nl> b <nl>"); }

TEST(Lexer, BracketsAndBackslashesJoinLines) {
  EXPECT_EQ(lexed("(a,\n  b)\nc \\\n  d\n"), "( a , b ) <nl> c d <nl>");
  EXPECT_EQ(lexed("x = \\ 1\n"), "x = <bad> <nl> LS1205");
  EXPECT_EQ(lexed("x \\"), "x <bad> <nl> LS1201");
}

TEST(Lexer, LineEndsOfAllKinds) { EXPECT_EQ(lexed("a\r\nb\rc\n"), "a <nl> b <nl> c <nl>"); }

TEST(Lexer, ByteOrderMarkIsSkipped) {
  EXPECT_EQ(lexed("\xEF\xBB\xBF"
                  "a"),
            "a <nl>");
}

TEST(Lexer, LongestOperatorWins) {
  EXPECT_EQ(lexed("a**=b//=c>>=d->e:=f...g!=h"), "a **= b //= c >>= d -> e := f ... g != h <nl>");
}

TEST(Lexer, NumbersOfAllForms) {
  EXPECT_EQ(lexed("0x_ff 0O17 0b1_0 1_000 1. .5 1e3 1.e-3j 00 0_0 09.5 1if"),
            "0x_ff 0O17 0b1_0 1_000 1. .5 1e3 1.e-3j 00 0_0 09.5 1 if <nl>");
}

TEST(Lexer, BadNumbersAreOneToken) {
  EXPECT_EQ(lexed("0777"), "<bad> <nl> LS1204");
  EXPECT_EQ(lexed("1__0"), "<bad> <nl> LS1204");
  EXPECT_EQ(lexed("0x"), "<bad> <nl> LS1204");
  EXPECT_EQ(lexed("0b12"), "<bad> <nl> LS1204");
  EXPECT_EQ(lexed("1_"), "<bad> <nl> LS1204");
  EXPECT_EQ(lexed("12abc"), "<bad> <nl> LS1204");
  EXPECT_EQ(lexed("10L"), "<bad> <nl> LS1212");
}

TEST(Lexer, StringPrefixesInEitherCase) {
  EXPECT_EQ(lexed("rb'\\'' Br\"x\" u'y' R'''a\n'b'''"), "rb'\\'' Br\"x\" u'y' R'''a\n'b''' <nl>");
  EXPECT_EQ(lexed("ur'x'"), "ur 'x' <nl>");  // not a prefix of Python 3
}

TEST(Lexer, UnterminatedStringsEndWithTheLine) {
  EXPECT_EQ(lexed("'abc\nd\n"), "<bad> <nl> d <nl> LS1203");
  EXPECT_EQ(lexed("'''abc\nd\n"), "<bad> <nl> LS1203");
}

TEST(Lexer, AnUnterminatedStringTakesTheBracketsOfItsLineAlong) {
  EXPECT_EQ(lexed("f('abc)\nd\n"), "f ( <bad> <nl> d <nl> LS1203");
  EXPECT_EQ(lexed("f(g(1, 'abc))\nd\n"), "f ( g ( 1 , <bad> <nl> d <nl> LS1203");
  EXPECT_EQ(lexed("f(\n  'abc,\n  1)\nd\n"), "f ( <bad> 1 ) <nl> d <nl> LS1203");
  EXPECT_EQ(lexed("f(f'{a')\nd\n"), "f ( f' { a <bad> <nl> d <nl> LS1209");
  EXPECT_EQ(lexed("f'{a[\"b]}'\nd\n"), "f' { a [ <bad> <bad> <nl> d <nl> LS1203");
}

TEST(Lexer, FStringsAreTokensOfTheirParts) {
  EXPECT_EQ(lexed("f'a{b!r:>{w}}c{{'"), "f' a { b ! r : > { w } } c{{ ' <nl>");
  EXPECT_EQ(lexed("f\"{x[\"k\"]}\""), "f\" { x [ \"k\" ] } \" <nl>");  // the same quotes inside, as of 3.12
  EXPECT_EQ(lexed("f'{x:=5}{a != b}{(y:=1)}'"), "f' { x : =5 } { a != b } { ( y := 1 ) } ' <nl>");
  EXPECT_EQ(lexed("f'\\N{DOT}{a}'"), "f' \\N{DOT} { a } ' <nl>");
  EXPECT_EQ(lexed("f'''{\na\n}'''"), "f''' { a } ''' <nl>");
}

TEST(Lexer, BrokenFStrings) {
  EXPECT_EQ(lexed("f'{a'\nb\n"), "f' { a <bad> <nl> b <nl> LS1209");
  EXPECT_EQ(lexed("f'a}b'\n"), "f' a <bad> b ' <nl> LS1209");
  EXPECT_EQ(lexed("f'abc\nd\n"), "f' <bad> <nl> d <nl> LS1203");
  EXPECT_EQ(lexed("f'{a:b'\n"), "f' { a : <bad> <nl> LS1209");
}

TEST(Lexer, BracketMistakesAreReportedOncePerLine) {
  EXPECT_EQ(lexed("a)\nb\n"), "a <bad> <nl> b <nl> LS1206");
  EXPECT_EQ(lexed("[1, 2)\nb\n"), "[ 1 , 2 <bad> <nl> b <nl> LS1206");
  EXPECT_EQ(lexed("(]))))\nb\n"), "( <bad> <bad> <bad> <bad> <bad> <nl> b <nl> LS1206");
}

TEST(Lexer, AnUnclosedBracketEndsAtTheNextStatementKeyword) {
  EXPECT_EQ(lexed("x = (a,\n  b\ndef f(): pass\n"), "x = ( a , b <bad> <nl> def f ( ) : pass <nl> LS1206");
  EXPECT_EQ(lexed("x = (a"), "x = ( a <bad> <nl> LS1206");
}

TEST(Lexer, CharactersOutsideAscii) {
  EXPECT_EQ(lexed("\xC3\xA9t\xC3\xA9 = 1"), "\xC3\xA9t\xC3\xA9 = 1 <nl>");
  EXPECT_EQ(lexed("x = \xE2\x80\x9Ch\xE2\x80\x9D"), "x = <bad> h <bad> <nl> LS1205 LS1205");
  EXPECT_EQ(lexed("\xFF\xFE\xFF x"), "<bad> x <nl> LS1205");
  EXPECT_EQ(lexed("x # \xFF\n"), "x <nl>");
  EXPECT_EQ(lexed(std::string("a\0b", 3)), "a <bad> b <nl> LS1205");
  EXPECT_EQ(lexed("\xC2\xB5 = 1"), "<bad> = 1 <nl> LS1205");  // NFKC would make it another letter
}

TEST(Lexer, KeywordsAreNotPrefixes) {
  EXPECT_EQ(keyword_or_name("lambda"), TokenKind::KwLambda);
  EXPECT_EQ(keyword_or_name("lambdas"), TokenKind::Name);
  EXPECT_EQ(keyword_or_name("match"), TokenKind::Name);
  EXPECT_EQ(keyword_or_name("False"), TokenKind::KwFalse);
  EXPECT_EQ(keyword_or_name("yield"), TokenKind::KwYield);
}

}  // namespace
}  // namespace lockstep::python_syntax
