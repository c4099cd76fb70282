// The parser: trees of small texts (CPython is the oracle for whole files: tests/triton_oracle/test_ast_oracle.py), positions,
// values of literals, errors and their places, and bounds.
#include "python_syntax/parser.h"

#include <gtest/gtest.h>

#include <ctime>
#include <limits>

#include "python_syntax/ast_printer.h"

namespace lockstep::python_syntax {
namespace {

using namespace ast;

struct Parsed {
  std::unique_ptr<Module> module;
  DiagnosticSink sink;
  explicit Parsed(const std::string& text) {
    module = parse_python(std::make_shared<const SourceFile>("t.py", text), sink);
  }
  const Stmt& statement(std::size_t i = 0) const { return *module->body.at(i); }
  const Expr& value(std::size_t i = 0) const { return *statement(i).as<ExprStmt>()->value; }
};

/// The tree without positions and blanks.
std::string tree(const std::string& text) {
  Parsed parsed(text);
  EXPECT_FALSE(parsed.sink.has_errors()) << text << "\n" << render_text(parsed.sink);
  std::string printed = print_ast(*parsed.module, {.include_positions = false, .python_minor = 11});
  std::erase_if(printed, [](char c) { return c == ' ' || c == '\n'; });
  constexpr std::string_view before = "Module(body=[", after = "],type_ignores=[])";
  return printed.substr(before.size(), printed.size() - before.size() - after.size());
}

/// "line:column code" of each error, and "..." for later ones.
std::string errors(const std::string& text) {
  Parsed parsed(text);
  std::string out;
  for (const Diagnostic& diagnostic : parsed.sink.diagnostics()) {
    if (diagnostic.severity != Severity::error || !diagnostic.span.file) continue;
    LineColumn place = diagnostic.span.file->position(diagnostic.span.range.begin);
    out += (out.empty() ? "" : ", ") + std::to_string(place.line) + ":" + std::to_string(place.column) + " " +
           std::string(diagnostic.code.spelling());
  }
  return out;
}

std::string hint(const std::string& text) {
  Parsed parsed(text);
  return parsed.sink.diagnostics().empty() ? "" : parsed.sink.diagnostics()[0].hint;
}

// ---- Trees ----

TEST(Parser, Precedence) {
  EXPECT_EQ(tree("-a**-b*c"),
            "Expr(value=BinOp(left=UnaryOp(op=USub(),operand=BinOp(left=Name(id='a',ctx=Load()),op=Pow(),right=UnaryOp("
            "op=USub("
            "),operand=Name(id='b',ctx=Load())))),op=Mult(),right=Name(id='c',ctx=Load())))");
  EXPECT_EQ(tree("a|b&c<d"),
            "Expr(value=Compare(left=BinOp(left=Name(id='a',ctx=Load()),op=BitOr(),right=BinOp(left=Name(id='b',ctx="
            "Load()),op="
            "BitAnd(),right=Name(id='c',ctx=Load()))),ops=[Lt()],comparators=[Name(id='d',ctx=Load())]))");
}

TEST(Parser, BooleanChainsAreOneNode) {
  Parsed parsed("a and b and c or d");
  const auto* outer = parsed.value().as<BoolOp>();
  ASSERT_NE(outer, nullptr);
  EXPECT_EQ(outer->values.size(), 2u);
  EXPECT_EQ(outer->values[0]->as<BoolOp>()->values.size(), 3u);
}

TEST(Parser, ComparisonChains) {
  Parsed parsed("a < b not in c is not d");
  const auto* node = parsed.value().as<Compare>();
  ASSERT_NE(node, nullptr);
  EXPECT_EQ(node->ops,
            (std::vector<CompareOperator>{CompareOperator::Lt, CompareOperator::NotIn, CompareOperator::IsNot}));
}

TEST(Parser, SoftKeywordsAreNamesElsewhere) {
  Parsed parsed("match = case = type = _ = 1\nmatch[x] = 1\nmatch (x)\nmatch -x\ntype = 1\nprint(match.case)\n");
  EXPECT_FALSE(parsed.sink.has_errors()) << render_text(parsed.sink);
  EXPECT_EQ(parsed.module->body.size(), 6u);
  Parsed matching("match x:\n  case 1: pass\ntype X = int\n");
  EXPECT_TRUE(matching.statement(0).is<Match>());
  EXPECT_TRUE(matching.statement(1).is<TypeAlias>());
}

TEST(Parser, ParenthesesOfWith) {
  EXPECT_EQ(Parsed("with (a, b): pass").statement().as<With>()->items.size(), 2u);
  EXPECT_EQ(Parsed("with (a, b) as c: pass").statement().as<With>()->items.size(), 1u);
  EXPECT_EQ(Parsed("with (a as b, c as d,): pass").statement().as<With>()->items.size(), 2u);
  EXPECT_TRUE(Parsed("with (yield x): pass").statement().as<With>()->items[0]->context_expr->is<Yield>());
  EXPECT_TRUE(Parsed("with (a := b): pass").statement().as<With>()->items[0]->context_expr->is<NamedExpr>());
  EXPECT_TRUE(Parsed("with (*a, b): pass").statement().as<With>()->items[0]->context_expr->is<Tuple>());
}

TEST(Parser, ParameterKinds) {
  Parsed parsed("def f(a, b=1, /, c=2, *args: *Ts, d, e=3, **kw) -> int: pass");
  const Arguments& arguments = *parsed.statement().as<FunctionDef>()->args;
  EXPECT_EQ(arguments.posonlyargs.size(), 2u);
  EXPECT_EQ(arguments.args.size(), 1u);
  EXPECT_EQ(arguments.defaults.size(), 2u);
  EXPECT_TRUE(arguments.vararg->annotation->is<Starred>());
  ASSERT_EQ(arguments.kw_defaults.size(), 2u);
  EXPECT_EQ(arguments.kw_defaults[0], nullptr);
  EXPECT_EQ(arguments.kwarg->name, "kw");
}

TEST(Parser, TypeParameters) {
  EXPECT_EQ(tree("def f[T:int,*Ts,**P](): pass"),
            "FunctionDef(name='f',args=arguments(posonlyargs=[],args=[],kwonlyargs=[],kw_defaults=[],defaults=[]),body="
            "[Pass()],"
            "decorator_list=[],type_params=[TypeVar(name='T',bound=Name(id='int',ctx=Load())),TypeVarTuple(name='Ts'),"
            "ParamSpec("
            "name='P')])");
}

// ---- Positions ----

SourceRange range_of(const Node& node) { return node.range; }

TEST(Parser, NodesBeginWhereCPythonSaysTheyDo) {
  Parsed parsed("(a) + (b)\n@d\ndef f(): pass\n");
  const auto* sum = parsed.value().as<BinOp>();
  EXPECT_EQ(range_of(*sum).begin, 0u);  // the parenthesis begins the rule...
  EXPECT_EQ(range_of(*sum).end, 9u);
  EXPECT_EQ(range_of(*sum->left).begin, 1u);  // ... but is not part of the operand
  EXPECT_EQ(range_of(*sum->left).end, 2u);
  const auto* function = parsed.statement(1).as<FunctionDef>();
  EXPECT_EQ(parsed.module->file->position(function->range.begin).line, 3u);  // the def, not the decorator
}

TEST(Parser, FStringPartsHavePlaces) {
  Parsed parsed("x = f'ab{c + d:>{w}}'");
  const auto* joined = parsed.statement().as<Assign>()->value->as<JoinedStr>();
  ASSERT_EQ(joined->values.size(), 2u);
  const auto* part = joined->values[1]->as<FormattedValue>();
  EXPECT_EQ(part->range.begin, 8u);
  EXPECT_EQ(part->value->range.begin, 9u);
  EXPECT_EQ(part->value->range.end, 14u);
}

// ---- Literals ----

const Constant& constant(const Parsed& parsed) { return *parsed.value().as<Constant>(); }

TEST(Parser, Integers) {
  EXPECT_EQ(constant(Parsed("0xFF_FF")).integer, 0xFFFFu);
  EXPECT_TRUE(constant(Parsed("9223372036854775807")).fits_int64());
  Parsed large("9223372036854775808");
  EXPECT_FALSE(constant(large).fits_int64());
  EXPECT_EQ(constant(large).integer, 1ull << 63);
  Parsed hex("0x10000000000000000");
  EXPECT_EQ(constant(hex).type, ConstantKind::big_integer);
  EXPECT_EQ(constant(hex).text, "18446744073709551616");
  EXPECT_EQ(constant(Parsed("0b" + std::string(100, '1'))).text, "1267650600228229401496703205375");
  EXPECT_EQ(errors(std::string(5000, '1')), "1:1 LS1290");
}

TEST(Parser, Floats) {
  EXPECT_EQ(constant(Parsed("1_0.5e-1")).floating, 1.05);
  EXPECT_EQ(constant(Parsed("1e400")).floating, std::numeric_limits<double>::infinity());
  EXPECT_EQ(constant(Parsed("1" + std::string(400, '0') + ".")).floating, std::numeric_limits<double>::infinity());
  EXPECT_EQ(constant(Parsed("1e-400")).floating, 0.0);
  EXPECT_EQ(constant(Parsed("1e-99999999999999999999")).floating, 0.0);
  EXPECT_EQ(constant(Parsed("0e99999999999999999999")).floating, 0.0);
  EXPECT_EQ(constant(Parsed("4.9e-324")).floating, std::numeric_limits<double>::denorm_min());
  EXPECT_EQ(constant(Parsed("5j")).type, ConstantKind::imaginary);
}

TEST(Parser, Strings) {
  EXPECT_EQ(constant(Parsed(R"('\x41\u00e9\101\n\
b' "c" r'\n')"))
                .text,
            "A\xC3\xA9"
            "A\nbc\\n");
  EXPECT_EQ(constant(Parsed("'\\ud800'")).text, "\xED\xA0\x80");
  EXPECT_EQ(constant(Parsed("'\\d\\%'")).text, "\\d\\%");
  EXPECT_EQ(constant(Parsed("b'\\xff\\400'")).text, std::string("\xFF\0", 2));
  EXPECT_EQ(constant(Parsed("'''a\r\nb'''")).text, "a\nb");
  EXPECT_EQ(errors("'\\x4'"), "1:2 LS1204");
  EXPECT_EQ(errors("'\\U00110000'"), "1:2 LS1204");
  EXPECT_EQ(errors("b'\xC3\xA9'"), "1:3 LS1204");
  EXPECT_EQ(errors("'a' b'b'"), "1:5 LS1204");
  EXPECT_EQ(errors("'\xFF'"), "1:2 LS1205");
}

TEST(Parser, FStrings) {
  EXPECT_EQ(
      tree("f'a{b!r:>{w}}'"),
      "Expr(value=JoinedStr(values=[Constant(value='a'),FormattedValue(value=Name(id='b',ctx=Load()),conversion=114,"
      "format_spec=JoinedStr(values=[Constant(value='>'),FormattedValue(value=Name(id='w',ctx=Load()),conversion=-1)]))"
      "]))");
  EXPECT_EQ(
      tree("f'{a=}' 'b{}'"),
      "Expr(value=JoinedStr(values=[Constant(value='a='),FormattedValue(value=Name(id='a',ctx=Load()),conversion=114),"
      "Constant(value='b{}')]))");
  EXPECT_EQ(tree("f''"), "Expr(value=JoinedStr(values=[]))");
  EXPECT_EQ(tree("f'{{}}'"), "Expr(value=JoinedStr(values=[Constant(value='{}')]))");
  EXPECT_EQ(errors("f'{}'"), "1:3 LS1209");
  EXPECT_EQ(errors("f'{a!x}'"), "1:6 LS1209");
  EXPECT_EQ(errors("f'{a b}'"), "1:6 LS1209");
}

TEST(Parser, NamedCharactersAreKeptWithAWarning) {
  Parsed parsed("'\\N{DOT}'");
  EXPECT_EQ(constant(parsed).text, "\\N{DOT}");
  EXPECT_FALSE(parsed.sink.has_errors());
  EXPECT_EQ(parsed.sink.diagnostics().size(), 1u);
}

// ---- Errors ----

TEST(Parser, ReportsSeveralErrorsAndKeepsTheRest) {
  EXPECT_EQ(errors("def f(:\n  x = = 1\n  return 1\ny = 2\nz z\n"), "1:6 LS1206, 5:3 LS1201");
  Parsed good("a b\ny = 2\nc d\n");
  EXPECT_EQ(errors("a b\ny = 2\nc d\n"), "1:3 LS1201, 3:3 LS1201");
  ASSERT_EQ(good.module->body.size(), 1u);
  EXPECT_TRUE(good.statement().is<Assign>());
}

TEST(Parser, ErrorsInTheBlockOfABadHeaderAreFound) {
  EXPECT_EQ(errors("if a b:\n  c d\nelse:\n  e f\ng h\n"), "1:6 LS1208, 2:5 LS1201, 4:5 LS1201, 5:3 LS1201");
}

TEST(Parser, MissingColon) {
  EXPECT_EQ(errors("def f()\n  pass\nx = 1\n"), "1:8 LS1208");
  EXPECT_EQ(errors("if x\n  y z\n"), "1:5 LS1208, 2:5 LS1201");
  EXPECT_EQ(hint("if x\n  pass\n"), "add ':' at the end of the line");
}

TEST(Parser, CommonMistakesHaveHints) {
  EXPECT_NE(hint("if x = 1:\n  pass\n").find("=="), std::string::npos);
  EXPECT_NE(hint("a && b").find("'and'"), std::string::npos);
  EXPECT_NE(hint("a || b").find("'or'"), std::string::npos);
  EXPECT_NE(hint("!a").find("not"), std::string::npos);
  EXPECT_NE(hint("x++").find("+= 1"), std::string::npos);
  EXPECT_NE(hint("if a:\n  b\nelse if c:\n  d\n").find("elif"), std::string::npos);
  EXPECT_NE(hint("f(a b)").find("comma"), std::string::npos);
  EXPECT_NE(hint("f(x) = 1").find("=="), std::string::npos);
  EXPECT_NE(hint("lambda = 1\nclass = 2").size(), 0u);
}

TEST(Parser, Python2IsNamed) {
  EXPECT_EQ(errors("print 'a'\nexec 'b'\n"), "1:1 LS1212, 2:1 LS1212");
  EXPECT_EQ(errors("try:\n  pass\nexcept A, e:\n  pass\n"), "3:9 LS1212");
  EXPECT_EQ(errors("raise A, 'b'\n"), "1:8 LS1212");
  EXPECT_EQ(errors("x = 10L\n"), "1:5 LS1212");
  EXPECT_NE(hint("a <> b").find("!="), std::string::npos);
}

TEST(Parser, Indentation) {
  EXPECT_EQ(errors("x = 1\n  y = 2\nz z\n"), "2:1 LS1202, 3:3 LS1201");
  EXPECT_EQ(errors("if x:\ny\n"), "2:1 LS1202");
  EXPECT_EQ(errors("if x:\n  y\n z\n"), "3:1 LS1202");
  EXPECT_EQ(errors("if x:\n        y\n\tz\n"), "3:1 LS1202");
  EXPECT_EQ(errors("while x:"), "1:9 LS1202");
}

TEST(Parser, AssignmentTargets) {
  EXPECT_EQ(errors("f() = 1\n1 = x\na + b = 2\n(a, 1) = 2\n"), "1:1 LS1207, 2:1 LS1207, 3:1 LS1207, 4:5 LS1207");
  EXPECT_EQ(errors("(a, b) += 1\nx if y else z = 1\ndel f()\nfor 1 in x: pass\n"),
            "1:1 LS1207, 2:1 LS1207, 3:5 LS1207, 4:5 LS1207");
  EXPECT_EQ(errors("with a as f(): pass\n[x for f() in y]\n"), "1:11 LS1207, 2:8 LS1207");
}

TEST(Parser, ParameterAndArgumentOrder) {
  EXPECT_EQ(errors("def f(a=1, b): pass"), "1:12 LS1210");
  EXPECT_EQ(errors("def f(*): pass"), "1:7 LS1210");
  EXPECT_EQ(errors("def f(/, a): pass"), "1:7 LS1210");
  EXPECT_EQ(errors("def f(**k, a): pass"), "1:12 LS1210");
  EXPECT_EQ(errors("f(a=1, b)"), "1:8 LS1210");
  EXPECT_EQ(errors("f(a for a in b, c)"), "1:15 LS1201");
}

TEST(Parser, Patterns) {
  EXPECT_EQ(errors("match x:\n  case a as _: pass\n"), "2:13 LS1211");
  EXPECT_EQ(errors("match x:\n  case C(a=1, b): pass\n"), "2:15 LS1211");
  EXPECT_EQ(errors("match x:\n  case f'a': pass\n"), "2:8 LS1211");
  EXPECT_EQ(errors("match x:\n  case 1: pass\n  y\n  case 2: z z\n"), "3:3 LS1201, 4:13 LS1201");
}

TEST(Parser, UnclosedBracketPointsAtItsOpening) {
  EXPECT_EQ(errors("x = (a,\n  b\ny = 1\ndef f():\n  z z\n"), "1:5 LS1206, 5:5 LS1201");
}

TEST(Parser, WarningsNeverCrowdOutErrors) {
  std::string text;
  for (int i = 0; i < 100; ++i) text += "x = '\\N{DOT}'\n";
  Parsed parsed(text + "a b\n");
  EXPECT_TRUE(parsed.sink.has_errors());
}

TEST(Parser, Expression) {
  DiagnosticSink sink;
  auto parse = [&](const std::string& text) {
    return parse_python_expression(std::make_shared<const SourceFile>("t", text), sink);
  };
  ExprPtr expression = parse(" a + 1 ");
  ASSERT_NE(expression, nullptr);
  EXPECT_TRUE(expression->is<BinOp>());
  EXPECT_FALSE(sink.has_errors());
  EXPECT_EQ(parse("a = 1"), nullptr);
  EXPECT_TRUE(sink.has_errors());
  EXPECT_EQ(parse(""), nullptr);
  EXPECT_EQ(parse("(a"), nullptr);
}

// ---- Bounds ----

std::string repeated(const std::string& part, int count) {
  std::string out;
  for (int i = 0; i < count; ++i) out += part;
  return out;
}

TEST(Parser, DeepNestingIsAnErrorNotACrash) {
  constexpr int kMany = 100'000;
  for (const char* part : {"(", "[", "{", "f(", "a[", "-", "not ", "lambda:", "a if b else ", "f\"{", "a**",
                           "{1:", "if a:\n", "[x for x in ", "(a:=", "*(", "print(*("}) {
    Parsed parsed(repeated(part, kMany));
    EXPECT_TRUE(parsed.sink.has_errors()) << part;
  }
  for (const char* part : {"+a", ".b", "()", "[0]", "**a"}) {
    EXPECT_EQ(errors("a" + repeated(part, kMany)).find("LS1290") == std::string::npos, false) << part;
  }
  std::string blocks;
  for (int i = 0; i < 1000; ++i) blocks += std::string(static_cast<std::size_t>(i), ' ') + "if a:\n";
  EXPECT_EQ(errors(blocks), "201:201 LS1290");
  EXPECT_EQ(errors("if a: pass\n" + repeated("elif a: pass\n", 1000)), "201:1 LS1290");
}

TEST(Parser, DepthWithinTheBoundIsFine) {
  EXPECT_EQ(errors(repeated("(", 150) + "a" + repeated(")", 150)), "");
  EXPECT_EQ(errors("a" + repeated("+a", 400)), "");
  EXPECT_EQ(errors("x = 1\n" + repeated("a;", 10000)), "");
}

TEST(Parser, TimeIsLinear) {
  constexpr int kMany = 50'000;
  const std::clock_t start = std::clock();  // of the processor: other work on the machine does not count
  for (const char* part : {"match(x);", "(]", "f'{x}' ", "with (a,\n", "(\ndef f():\n", "'\\N{A", "a b\n", "else:\n",
                           "match (x) : ", "@a\n", "\"\n", "f'{\n", "x = 0x1234567890abcdef1234567890\n"}) {
    Parsed parsed(repeated(part, kMany));
  }
  EXPECT_LT(std::clock() - start, 20 * CLOCKS_PER_SEC);
}

TEST(Parser, TooLargeAFileIsRefused) { EXPECT_EQ(errors(std::string((8u << 20) + 1, '\n')), "1:1 LS1290"); }

}  // namespace
}  // namespace lockstep::python_syntax
