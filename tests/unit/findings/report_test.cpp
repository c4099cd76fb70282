// Report: findings are merged, counted and sorted alike however they come, and many cost no more each than few.
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <deque>

#include "findings/finding.h"
#include "findings/places.h"
#include "findings/report_file.h"

namespace lockstep {
namespace {

/// Places that live as long as the test.
class Places {
 public:
  Location file(std::string name, std::uint32_t line, std::uint32_t column = 0) {
    LocationNode& node = nodes_.emplace_back();
    node.kind = LocationNode::Kind::file;
    node.text = std::move(name);
    node.line = line;
    node.column = column;
    return Location(&node);
  }
  Location call(Location callee, Location caller) {
    LocationNode& node = nodes_.emplace_back();
    node.kind = LocationNode::Kind::call_site;
    node.children = {callee, caller};
    return Location(&node);
  }

 private:
  std::deque<LocationNode> nodes_;
};

Finding found(Location place, std::int32_t program, FindingCode code = FindingCode::LS101) {
  Finding made;
  made.code = std::move(code);
  made.message = "out-of-bounds read";
  made.location = place;
  made.op = "tt.load";
  made.program = {program, 0, 0};
  return made;
}

std::string text_of(Report& report) {
  report.sort();
  std::string text;
  for (const Finding& one : report.findings()) text += render_text(one);
  return text;
}

TEST(Report, calls_of_one_helper_are_sorted_by_where_they_are) {
  Places places;
  const Location helper = places.file("a.py", 3);
  const Location first = places.call(helper, places.file("a.py", 10)),
                 second = places.call(helper, places.file("a.py", 20));
  Report one, other;
  one.add(found(first, 7));
  one.add(found(second, 2));
  other.add(found(second, 2));
  other.add(found(first, 7));
  EXPECT_EQ(text_of(one), text_of(other));
  EXPECT_EQ(one.findings()[0].program[0], 7);
}

TEST(Report, programs_that_take_turns_are_counted_once) {
  Places places;
  const Location place = places.file("a.py", 3);
  Report report;
  for (int turn = 0; turn < 5; ++turn) {
    for (const int program : {4, 0, 2, 3}) report.add(found(place, program));
  }
  ASSERT_EQ(report.findings().size(), 1u);
  EXPECT_EQ(report.findings()[0].count, 20u);
  EXPECT_EQ(report.findings()[0].programs, 4u);
  EXPECT_EQ(report.findings()[0].program[0], 0);
}

TEST(Report, merged_reports_count_as_one) {
  Places places;
  const Location place = places.file("a.py", 3), elsewhere = places.file("a.py", 4);
  Report one, other;
  for (const int program : {5, 1}) one.add(found(place, program));
  for (const int program : {1, 2, 3, 8}) other.add(found(place, program));
  other.add(found(elsewhere, 9));
  one.merge(std::move(other));
  one.add(found(place, 8));
  one.add(found(elsewhere, 9));
  ASSERT_EQ(one.findings().size(), 2u);
  EXPECT_EQ(one.findings()[0].programs, 5u);
  EXPECT_EQ(one.findings()[0].count, 7u);
  EXPECT_EQ(one.findings()[1].programs, 1u);
  EXPECT_EQ(one.findings()[1].count, 2u);
}

TEST(Report, programs_of_any_order_are_a_set) {
  ProgramSet set;
  std::vector<std::int32_t> numbers;
  for (std::int32_t i = 0; i < 300; ++i) numbers.push_back(i * 7 % 300);
  for (const std::int32_t number : numbers) EXPECT_TRUE(set.insert({number % 30, number / 30, 1})) << number;
  for (const std::int32_t number : numbers) EXPECT_FALSE(set.insert({number % 30, number / 30, 1})) << number;
  std::int64_t count = 0, intervals = 0;
  set.for_each([&](const ProgramId& first, std::int32_t programs) {
    EXPECT_EQ(first[0], 0);
    EXPECT_EQ(first[2], 1);
    count += programs;
    ++intervals;
  });
  EXPECT_EQ(count, 300);
  EXPECT_EQ(intervals, 10);
}

TEST(Report, many_findings_cost_no_more_each) {
  constexpr std::uint32_t kMany = 100'000;
  Places places;
  Report report;
  const auto start = std::chrono::steady_clock::now();
  for (std::uint32_t round = 0; round < 2; ++round) {
    for (std::uint32_t i = 0; i < kMany; ++i)
      report.add(found(round == 0 ? places.file("a.py", i + 1) : report.findings()[i].location, 1));
  }
  report.sort();
  ASSERT_EQ(report.findings().size(), kMany);
  EXPECT_TRUE(std::all_of(report.findings().begin(), report.findings().end(),
                          [](const Finding& one) { return one.count == 2 && one.programs == 1; }));
  EXPECT_LT(std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count(), 10.0);
}

TEST(Report, a_name_makes_no_lines_of_its_own) {
  Places places;
  const std::string text = render_text(found(places.file("a\n.py:1:1: error: forged\x1b[31m", 3), 0));
  EXPECT_EQ(text.find("\n.py"), std::string::npos);
  EXPECT_EQ(text.find('\x1b'), std::string::npos);
}

TEST(Report, columns_of_hostile_texts_stay_above_zero) {
  Places places;
  const Location place = places.file("a.py", 0xffffffff, 0xffffffff);
  EXPECT_EQ(place_of(place).column, 0xffffffffu);
  EXPECT_EQ(place.file_text(), "a.py:4294967295:4294967296");
}

TEST(Report, sarif_links_the_page_of_a_code_where_documents_are_served) {
  Places places;
  const std::vector<ReportedFinding> findings{{found(places.file("a.py", 3, 5), 0), "0123456789abcdef"}};
  ReportFacts facts;
  EXPECT_EQ(render_sarif(facts, findings).find("Uri\""), std::string::npos);
  facts.documents = "https://example.org/lockstep/";
  const std::string text = render_sarif(facts, findings);
  EXPECT_NE(text.find("\"helpUri\": \"https://example.org/lockstep/errors/LS101/\""), std::string::npos) << text;
  EXPECT_NE(text.find("\"informationUri\": \"https://example.org/lockstep/\""), std::string::npos) << text;
}

TEST(Places, deep_and_wide_locations_end) {
  Places places;
  Location at;
  for (int i = 0; i < 60; ++i) at = places.call(at, at);
  EXPECT_TRUE(file_places(at).empty());
}

}  // namespace
TEST(Iterations, AreNamedByTheVariableAndByTheirPlace) {
  EXPECT_EQ(iteration_text({"k", 1, 1, 2}), "k = 1, the last of 2 iterations");
  EXPECT_EQ(iteration_text({"k", 32, 1, 8}), "k = 32, the 2nd of 8 iterations");
  EXPECT_EQ(iteration_text({"", 5, 11, 20}), "the 12th of 20 iterations");
  EXPECT_EQ(iteration_text({"k", 0, 0, 1}), "k = 0, the only iteration");
  EXPECT_EQ(iterations_text({{"i", 3, 3, 4}, {"j", 0, 0, 2}}),
            "i = 3, the last of 4 iterations; j = 0, the 1st of 2 iterations");
  EXPECT_EQ(ordinal_text(21), "21st");
  EXPECT_EQ(ordinal_text(103), "103rd");
  EXPECT_EQ(ordinal_text(113), "113th");
}

}  // namespace lockstep
