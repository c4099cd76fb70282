// The grammar of expressions, where errors are, targets of watches, and that no text does harm.
#include <gtest/gtest.h>

#include <random>

#include "debugger/expression/parser.h"
#include "debugger/expression/target.h"
#include "fake_scope.h"

namespace lockstep::debugger {
namespace {

std::string tree_of(const Expression& expression, const Node& node) {
  std::string text = "(";
  switch (node.kind) {
    case NodeKind::name: return node.text;
    case NodeKind::integer: return std::to_string(node.integer);
    case NodeKind::none: return "None";
    case NodeKind::ellipsis: return "...";
    case NodeKind::attribute: text += "." + node.text; break;
    case NodeKind::index: text += "[]"; break;
    case NodeKind::slice: text += ":"; break;
    case NodeKind::call: text += "call"; break;
    case NodeKind::conditional: text += "if"; break;
    case NodeKind::sequence: text += "seq"; break;
    case NodeKind::keyword: text += node.text + "="; break;
    default: text += std::to_string(static_cast<int>(node.op)); break;
  }
  for (const NodeId id : node.children) text += " " + (id == kNoNode ? "_" : tree_of(expression, expression.node(id)));
  return text + ")";
}
std::string tree(std::string_view text) {
  const auto parsed = parse_expression(text);
  if (parsed) return tree_of(*parsed, parsed->root());
  const ExpressionError& error = parsed.error();
  return std::to_string(error.begin) + "-" + std::to_string(error.end) + " " + error.message;
}

TEST(ExpressionParserTest, PrecedenceIsPythons) {
  EXPECT_EQ(tree("a | b ^ c & d"), tree("(a | (b ^ (c & d)))"));
  EXPECT_EQ(tree("a & b == c"), tree("(a & b) == c"));
  EXPECT_EQ(tree("a << 1 + 2"), tree("a << (1 + 2)"));
  EXPECT_EQ(tree("-a ** -b"), tree("-(a ** (-b))"));
  EXPECT_EQ(tree("a - b - c"), tree("(a - b) - c"));
  EXPECT_EQ(tree("not a == b"), tree("not (a == b)"));
  EXPECT_EQ(tree("!a == b"), tree("(!a) == b"));
  EXPECT_EQ(tree("a or b and c"), tree("a || (b && c)"));
  EXPECT_EQ(tree("a if b else c if d else e"), tree("a if b else (c if d else e)"));
  EXPECT_EQ(tree("b ? a : d ? c : e"), tree("a if b else c if d else e"));
  EXPECT_EQ(tree("f(a, axis=1)[0].x"), "(.x ([] (call f a (axis= 1)) 0))");
  EXPECT_EQ(tree("x[::2, 1:, :, ..., None]"), "([] x (: _ _ 2) (: 1 _ _) (: _ _ _) ... None)");
  EXPECT_EQ(tree("(a)"), "a");
  EXPECT_EQ(tree("(a,)"), "(seq a)");
  EXPECT_EQ(tree("x[(1)]"), "([] x 1)");
}

TEST(ExpressionParserTest, ErrorsSayWhere) {
  EXPECT_EQ(tree(""), "0-1 there is no expression");
  EXPECT_EQ(tree("1 +"), "3-4 the expression ends too early");
  EXPECT_EQ(tree("a b"), "2-3 unexpected text after the expression");
  EXPECT_EQ(tree("(a"), "2-3 expected ')' before the end");
  EXPECT_EQ(tree("x[1"), "3-4 expected ']' before the end");
  EXPECT_EQ(tree("x[]"), "2-3 expected an index");
  EXPECT_EQ(tree("a = 1"), "2-3 unexpected text after the expression");
  EXPECT_EQ(tree("'a"), "0-2 the string has no end");
  EXPECT_EQ(tree("12ab"), "0-4 this is not a number");
  EXPECT_EQ(tree("lambda: 1"), "0-6 'lambda' cannot stand here");
  EXPECT_EQ(tree("x.5"), "1-3 unexpected text after the expression");
  EXPECT_EQ(tree("a ? b"), "5-6 expected ':' before the end");
  EXPECT_EQ(tree(std::string("a\0b", 3)), "1-2 unexpected character");
  EXPECT_EQ(tree("% 12"), "0-1 expected a value here");
}

TEST(ExpressionParserTest, DepthAndLengthAreBounded) {
  const auto is_refused = [](const std::string& text) { return !parse_expression(text); };
  EXPECT_TRUE(is_refused(std::string(5000, '(')));
  EXPECT_TRUE(is_refused(std::string(5000, '-') + "1"));
  EXPECT_TRUE(is_refused(std::string(5000, '[')));
  std::string sum = "1";
  for (int i = 0; i < 4000; ++i) sum += "+1";
  EXPECT_TRUE(is_refused(sum));
  std::string power = "1", nots = "1", postfix = "a";
  for (int i = 0; i < 1000; ++i) {
    power += "**1";
    nots = "not " + nots;
    postfix += "[0]";
  }
  EXPECT_TRUE(is_refused(power));
  EXPECT_TRUE(is_refused(nots));
  EXPECT_TRUE(is_refused(postfix));
  EXPECT_TRUE(is_refused(std::string(kMaxExpressionBytes + 1, ' ')));
  EXPECT_FALSE(is_refused(std::string(40, '(') + "1" + std::string(40, ')')));
}

TEST(ExpressionParserTest, Messages) {
  const auto parts = parse_message("x is {x[0]} in {{pid}} {ref('}')}!");
  ASSERT_TRUE(parts);
  ASSERT_EQ(parts->size(), 5U);
  EXPECT_EQ((*parts)[0].text, "x is ");
  EXPECT_EQ((*parts)[1].expression[0].text(), "x[0]");
  EXPECT_EQ((*parts)[2].text, " in {pid} ");
  EXPECT_EQ((*parts)[3].expression[0].text(), "ref('}')");
  EXPECT_EQ((*parts)[4].text, "!");
  const auto broken = parse_message("value {1 + }");
  ASSERT_FALSE(broken);
  EXPECT_EQ(broken.error().begin, 11U);
  EXPECT_FALSE(parse_message("{"));
  EXPECT_FALSE(parse_message("}"));
  EXPECT_TRUE(parse_message("")->empty());
}

class TargetTest : public testing::Test {
 protected:
  TargetTest() { fill(scope); }
  Expected<Target, ExpressionError> target(std::string_view text) {
    const auto parsed = parse_expression(text);
    EXPECT_TRUE(parsed) << text;
    return resolve_target(*parsed, scope);
  }
  /// "0-4 32-36": bytes from the first argument on.
  std::string bytes(std::string_view text) {
    const auto made = target(text);
    if (!made) return made.error().message;
    std::string out;
    for (const auto& extent : made->bytes)
      out += (out.empty() ? "" : " ") + std::to_string(extent.begin - FakeScope::kBase) + "-" +
             std::to_string(extent.end - FakeScope::kBase);
    return out;
  }
  FakeScope scope;
};

TEST_F(TargetTest, Memory) {
  EXPECT_EQ(bytes("x"), "0-128");
  EXPECT_EQ(bytes("x[1,2]"), "40-44");
  EXPECT_EQ(bytes("x[:2, 0]"), "0-4 32-36");
  EXPECT_EQ(bytes("x[1:3]"), "32-96");
  EXPECT_EQ(bytes("x[::-1, ::-1]"), "0-128");
  EXPECT_EQ(bytes("x[0, 1::3]"), "4-8 16-20 28-32");
  EXPECT_EQ(bytes("x[2:2]"), "");
  EXPECT_EQ(bytes("arg(out)[1]"), "132-136");
  EXPECT_EQ(bytes("ptr(ptrs)[1]"), "32-36");
  EXPECT_EQ(bytes("old(x)[0]"), "the past cannot be watched or set");
  EXPECT_EQ(bytes("x[0,0] + 1"), "only a variable, an argument or its elements can be watched or set");
}

TEST_F(TargetTest, OverlappingAndScatteredWindows) {
  MemoryWindow window = scope.arguments.at("x");
  window.shape = {3, 4};
  window.strides = {2, 1};  // rows overlap
  const auto joined = bytes_of(window);
  ASSERT_TRUE(joined);
  ASSERT_EQ(joined->size(), 1U);
  EXPECT_EQ((*joined)[0].bytes(), 32U);
  window.shape = {5, 1000};
  window.strides = {0, 0};
  EXPECT_EQ(bytes_of(window)->size(), 1U);
  window.shape = {std::int64_t{1} << 30, std::int64_t{1} << 40};
  window.strides = {4, 2};
  EXPECT_FALSE(bytes_of(window));
}

TEST_F(TargetTest, Variables) {
  const auto whole_tile = target("acc");
  ASSERT_TRUE(whole_tile);
  EXPECT_FALSE(whole_tile->is_memory);
  EXPECT_EQ(whole_tile->elements.size(), 6U);
  const auto part = target("acc[:, 1]");
  EXPECT_EQ(part->variable, "acc");
  EXPECT_EQ(part->elements, (std::vector<std::int64_t>{1, 4}));
  EXPECT_EQ(target("n")->elements, (std::vector<std::int64_t>{0}));
  EXPECT_FALSE(target("acc[9,0]"));
  EXPECT_FALSE(target("3"));
  EXPECT_FALSE(target("later"));
}

/// Words that go wrong together.
TEST(ExpressionSoupTest, NoTextDoesHarm) {
  const std::vector<std::string> words = {
      "acc",   "x",     "ptrs",  "n",    "mask", "offs",       "pid",    "grid",   "k",     "(",
      ")",     "[",     "]",     ",",    ":",    "+",          "-",      "*",      "/",     "//",
      "%",     "**",    "&",     "|",    "^",    "~",          "<<",     ">>",     "<",     "<=",
      "==",    "!=",    "and",   "or",   "not",  "&&",         "||",     "!",      "?",     "if",
      "else",  ".",     "...",   "None", "True", "0",          "1",      "-1",     "7",     "9223372036854775807",
      "1e300", "nan",   "'c'",   "\"",   "max(", "sum(",       "where(", "old(",   "ref(",  "ptr(",
      "load(", "iter(", "bits(", "ulp(", "arg(", ".shape",     ".index", ".count", "axis=", "%3",
      "int(",  "cdiv(", "{",     "\\",   "[::",  "[..., None]"};
  FakeScope scope;
  fill(scope);
  std::mt19937 random(7);
  int evaluated = 0;
  for (int round = 0; round < 40000; ++round) {
    std::string text;
    for (std::size_t left = 1 + random() % 12; left > 0; --left)
      text += words[random() % words.size()] + (random() % 3 == 0 ? " " : "");
    const auto parsed = parse_expression(text);
    if (!parsed) {
      EXPECT_LE(parsed.error().begin, text.size()) << text;
      continue;
    }
    const auto value = evaluate(*parsed, scope);
    evaluated += value ? 1 : 0;
    EXPECT_LE(value ? 0 : value.error().end, text.size()) << text;
    (void)resolve_target(*parsed, scope);
    (void)depends_only_on_program(*parsed, scope);
  }
  EXPECT_GT(evaluated, 800);
}

TEST(ExpressionSoupTest, NoBytesDoHarm) {
  std::mt19937 random(8);
  for (int round = 0; round < 5000; ++round) {
    std::string text;
    for (std::size_t left = random() % 40; left > 0; --left) text += static_cast<char>(random() % 256);
    (void)parse_expression(text);
    (void)parse_message(text);
  }
}

}  // namespace
}  // namespace lockstep::debugger
