#include "driver/options/launch_options.h"

#include <gtest/gtest.h>

#include "driver/options/given_words.h"
#include "driver/options/launch_words.h"

namespace lockstep::driver {
namespace {

const LaunchOption& row(std::string_view name) {
  const LaunchOption* found = find_launch_option(name);
  EXPECT_NE(found, nullptr) << name;
  return *found;
}

TEST(LaunchOptions, AreFoundByFlagAndByPythonsName) {
  EXPECT_EQ(find_launch_option("--as"), find_launch_option("target"));
  EXPECT_EQ(row("--num-warps").python_name(), "num_warps");
  EXPECT_EQ(find_launch_option("--nothing"), nullptr);
  EXPECT_EQ(find_launch_option(""), nullptr);
}

// The names of choices stand in the row, their meanings in the sanitizer: both in the same order.
TEST(LaunchOptions, ChoicesOfLaneOrdersAreThoseThatTheOutcomeIsToldBy) {
  const LaunchOption& option = row("--lane-order");
  const auto& field = std::get<ChoiceField>(option.field);
  LaunchSpec spec;
  EXPECT_EQ(field.get(spec), 0U);
  EXPECT_EQ(sanitizer::shown_outcome(spec.checks), "");
  const std::vector<std::string> choices = option.choice_list();
  ASSERT_EQ(choices.size(), static_cast<std::size_t>(sanitizer::LaneOrder::late_store) + 1);
  for (std::size_t i = 1; i < choices.size(); ++i) {
    field.set(spec, i);
    EXPECT_EQ(field.get(spec), i);
    EXPECT_NE(sanitizer::shown_outcome(spec.checks).find("--lane-order " + choices[i] + " "), std::string::npos);
  }
}

TEST(LaunchOptions, WordsSetTheFieldsOfTheirRows) {
  const auto spec = parse_debug_words({"k.py", "--grid", "4", "x=1", "--lane-order", "late-store", "--lane-seed", "6",
                                       "--schedule-seed", "7", "--schedules=3", "--num-warps", "8", "--memory-model", "strict"});
  ASSERT_TRUE(spec.has_value()) << spec.error();
  EXPECT_EQ(spec->checks.lane_order, sanitizer::LaneOrder::late_store);
  EXPECT_EQ(spec->checks.lane_seed, 6U);
  EXPECT_EQ(spec->checks.schedule_seed, 7U);
  EXPECT_EQ(spec->checks.schedules, 3U);
  EXPECT_EQ(spec->num_warps, 8);
  EXPECT_EQ(spec->memory_model, "strict");
  EXPECT_EQ(spec->given, std::set<std::string>{"--num-warps"});
  EXPECT_EQ(spec->arguments, std::vector<std::string>{"x=1"});
}

TEST(LaunchOptions, DebuggedLaunchesHaveTolerances) {
  const auto spec = parse_debug_words({"k.py", "--grid", "4", "--rtol", "1e-3", "--atol=0.5"});
  ASSERT_TRUE(spec.has_value()) << spec.error();
  EXPECT_EQ(spec->rtol, 1e-3);
  EXPECT_EQ(spec->atol, 0.5);
  EXPECT_FALSE(parse_debug_words({"k.py", "--grid", "4", "--rtol", "1e-3", "--ulp", "2"}).has_value());
}

TEST(LaunchOptions, GivenWordsMakeTheSameLaunch) {
  const std::vector<std::string> words{"k.py",      "--grid",  "4",       "x=1",      "--as",   "sm_80",       "--lane-order", "random",
                                       "--rtol",    "0.001",   "--path",  "a b",      "--path", "c",           "--config",     "2",
                                       "--expect",  "y=@y.npy", "--debug", "--threads", "3"};
  const auto spec = parse_run_words(words);
  ASSERT_TRUE(spec.has_value()) << spec.error();
  const GivenWords given = given_words(*spec);
  EXPECT_EQ(given.target, "k.py");
  EXPECT_EQ(given.grid, "4");
  EXPECT_EQ(given.arguments, std::vector<std::string>{"x=1"});
  const LaunchSpec again = launch_of(given);
  EXPECT_EQ(given_words(again).options, given.options);
  EXPECT_EQ(again.target_gpu, "sm_80");
  EXPECT_EQ(again.checks.lane_order, sanitizer::LaneOrder::random);
  EXPECT_EQ(again.search_path, (std::vector<std::string>{"a b", "c"}));
  EXPECT_EQ(again.config, 2U);
  EXPECT_TRUE(again.debug);
  EXPECT_EQ(given_words(LaunchSpec()).options.size(), 0U);
}

TEST(LaunchOptions, LimitsOfRowsAreHeld) {
  const auto problem = [](const std::vector<std::string>& more) {
    std::vector<std::string> words{"k.py", "--grid", "1"};
    words.insert(words.end(), more.begin(), more.end());
    const auto spec = parse_run_words(words);
    return spec ? std::string() : spec.error();
  };
  EXPECT_EQ(problem({"--timeout", "3", "--resident", "2147483648"}), "");
  EXPECT_NE(problem({"--num-warps", "65"}), "");
  EXPECT_NE(problem({"--resident", "0"}), "");
  EXPECT_NE(problem({"--lane-order", "sideways"}), "");
  EXPECT_NE(problem({"--timeout", "nan"}), "");
  EXPECT_NE(problem({"--rtol", "nan"}), "");
  EXPECT_NE(problem({"--ulp", "1", "--rtol", "1"}), "");
  EXPECT_NE(problem({"--schedule", "1", "--schedules", "2"}), "");
}

// A recorded launch says these itself; what the command line says goes before it.
TEST(LaunchOptions, ACapsuleNeedsNoGrid) {
  EXPECT_TRUE(parse_debug_words({"x.capsule"}).has_value());
  EXPECT_FALSE(parse_debug_words({"x.py"}).has_value());
}

TEST(LaunchOptions, ChecksAreTheRowsAndTheWords) {
  LaunchSpec spec;
  spec.checks.schedule_seed = 5;
  spec.num_warps = 16;
  spec.triton = "3.8";
  DiagnosticSink sink;
  const auto plain = checks_of(spec, "none", sink);
  ASSERT_TRUE(plain.has_value());
  EXPECT_EQ(plain->checkers, 0U);
  EXPECT_EQ(plain->schedule_seed, 5U);
  EXPECT_EQ(plain->num_warps, 16);
  EXPECT_EQ(plain->triton_minor, 8);
  spec.checks.lane_order = sanitizer::LaneOrder::reverse;
  const auto reversed = checks_of(spec, "none", sink);
  ASSERT_TRUE(reversed.has_value());
  EXPECT_EQ(sanitizer::checker_names(reversed->checkers), "lanes");
  EXPECT_FALSE(checks_of(spec, "nobody", sink).has_value());
}

}  // namespace
}  // namespace lockstep::driver
