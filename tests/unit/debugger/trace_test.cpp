// What a trace file is made of: nodes, sections, samples, the page's modules as one script.
#include <gtest/gtest.h>

#include "debugger/trace/container.h"
#include "debugger/trace/nodes.h"
#include "debugger/trace/page_script.h"
#include "debugger/trace/sample.h"

namespace lockstep::debugger::trace {
namespace {


std::string text_of(std::initializer_list<int> bytes) {
  std::string text;
  for (const int byte : bytes) text.push_back(static_cast<char>(byte));
  return text;
}

TEST(Nodes, EqualValuesAreOneNode) {
  Nodes nodes;
  const Node first = nodes.add(Json::record({{"a", 1}, {"b", "x"}}));
  const Node count = nodes.count();
  EXPECT_EQ(nodes.add(Json::record({{"a", 1}, {"b", "x"}})), first);
  EXPECT_EQ(nodes.count(), count);
  EXPECT_NE(nodes.add(Json::record({{"a", 1}, {"b", "y"}})), first);
  EXPECT_EQ(nodes.count(), count + 2);  // "y" and the object
}

TEST(Nodes, ATableNamesThoseOfItsBase) {
  Nodes base;
  const Node shared = base.add("shared");
  Nodes own(&base);
  EXPECT_EQ(own.add("shared"), shared);
  EXPECT_EQ(own.add("own"), base.count());
  EXPECT_EQ(own.finish(shared), text_of({1, 0, 5, 3, 'o', 'w', 'n'}));
}

TEST(Nodes, NumbersAreShort) {
  Nodes nodes;
  const auto table = [](const Json& value) {
    Nodes one;
    const Node root = one.add(value);
    return one.finish(root);
  };
  EXPECT_EQ(table(Json()), text_of({1, 0, 0}));
  EXPECT_EQ(table(-1), text_of({1, 0, 3, 1}));
  EXPECT_EQ(table(300), text_of({1, 0, 3, 0xd8, 0x04}));
  EXPECT_EQ(table(Json(Json::Array{4, 8, 12, 16, 20})), text_of({1, 0, 8, 1, 5, 8, 8}));
  EXPECT_EQ(table(Json(Json::Array{5, 1, 7, 2})), text_of({1, 0, 9, 4, 10, 7, 12, 9}));
  EXPECT_EQ(table(INT64_MIN).size(), 13u);
}

TEST(Nodes, ElementsHaveTheirCodings) {
  const auto table = [](const std::string& bytes, int size) {
    Nodes one;
    const Node root = one.bytes(bytes, size);
    return one.finish(root).substr(2);
  };
  EXPECT_EQ(table(text_of({7, 1, 5}), 1), text_of({10, 1, 0, 3, 7, 1, 5}));
  EXPECT_EQ(table(text_of({1, 2, 3, 4, 9, 9}), 2), text_of({10, 2, 1, 3, 1, 3, 9, 2, 4, 9}));
  EXPECT_EQ(table(text_of({254, 255, 0, 0, 2, 0, 4, 0}), 2), text_of({10, 2, 2, 4, 254, 255, 0, 0})) << "it wraps";
}

TEST(Container, SaysWhatEachSectionIs) {
  const Section section = Section::pack("launch", std::string(1000, 'x'));
  EXPECT_LT(section.packed.size(), 50u);
  const std::string bytes = container_of({section});
  EXPECT_EQ(bytes.size(), 12 + section.bytes());
  EXPECT_EQ(bytes.substr(0, 22), std::string("LSTRACE1") + text_of({1, 0, 0, 0, 6, 0}) + "launch" +
                                     text_of({static_cast<int>(section.packed.size()), 0}));
}

TEST(Sample, TakesElementsInEqualDistances) {
  std::string bytes;
  for (int i = 0; i < 5 * 8; ++i) bytes.push_back(static_cast<char>(i));
  const Sample sample = sample_of(bytes, {5, 8}, 1, 8);
  EXPECT_EQ(sample.every, (std::vector<std::int64_t>{2, 4}));
  EXPECT_EQ(sample.shape, (std::vector<std::int64_t>{3, 2}));
  EXPECT_EQ(sample.bytes, text_of({0, 4, 16, 20, 32, 36}));
  EXPECT_EQ(sample_of(bytes, {5, 8}, 1, 0).bytes, text_of({0})) << "one is left in any case";
}

TEST(PageScript, JoinsModulesInTheirOrder) {
  const serve::PageFile files[] = {
      {"js/main.js", "import { two as deux, one } from \"./a.js\";\nuse(one, deux);\n"},
      {"js/a.js", "import * as b from \"./b.js\";\n\nexport const one = b.x;\nexport async function two() {}\n"},
      {"js/b.js", "export const x = 1;\n"},
  };
  const auto script = page_script(files, "js/main.js");
  ASSERT_TRUE(script) << script.error();
  EXPECT_LT(script->find("const x = 1;"), script->find("const one = b.x;"));
  EXPECT_NE(script->find("const { two: deux, one } = module_1;"), std::string::npos);
  EXPECT_NE(script->find("return { one, two};"), std::string::npos);
  EXPECT_EQ(script->find("export"), std::string::npos);
}

TEST(PageScript, RefusesWhatItDoesNotKnow) {
  const auto problem = [](std::string_view text) {
    const serve::PageFile files[] = {{"js/main.js", text}};
    return page_script(files, "js/main.js").error();
  };
  EXPECT_EQ(problem("import x from \"./x.js\";\n"),
            "js/main.js: cannot be put into one file: import x from \"./x.js\";");
  EXPECT_EQ(problem("export default 3;\n"), "js/main.js: cannot be put into one file: export default 3;");
  EXPECT_EQ(problem("import { x } from \"./x.js\";\n"), "js/x.js: there is no such module");
  EXPECT_EQ(problem("import { x } from \"./main.js\";\n"), "js/main.js: imports itself through others");
}

}  // namespace
}  // namespace lockstep::debugger::trace
