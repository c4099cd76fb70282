// Children that are no z3: what they do is harmless, named, and soon over.
#include "driver/proving/z3.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <string>

namespace lockstep::driver {
namespace {

using Kind = prove::SolverReply::Kind;

/// A program that reads commands as z3 does; `answer`: what it does at (check-sat).
class FakeZ3 {
 public:
  explicit FakeZ3(const std::string& answer, const std::string& version = "echo '(:version \"9.9.9\")'") {
    const std::string name = std::string("fake_z3_") + testing::UnitTest::GetInstance()->current_test_info()->name();
    path_ = (std::filesystem::path(testing::TempDir()) / name).string();
    std::ofstream(path_) << "#!/bin/sh\nwhile read -r line; do case $line in\n'(get-info :version)') " << version
                         << ";;\n'(check-sat)') " << answer << ";;\n'(echo \"lockstep-end\")') echo lockstep-end;;\nesac; done\n";
    chmod(path_.c_str(), 0700);
  }
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

/// Of one number of the launch, as often as `times`.
prove::Question question(std::int64_t times = 1) {
  static prove::Atoms atoms;
  static const prove::AtomId number = atoms.parameter("n", 1, 100);
  prove::Question made{.atoms = &atoms};
  made.letters[number] = 0;
  made.numbers = {number};
  for (std::int64_t i = 0; i < times; ++i) made.assertions.push_back({prove::Formula::not_negative(prove::Poly::atom(number) - prove::Poly(i))});
  return made;
}

prove::SolverReply ask(const std::string& path, Z3::Limits limits = {}) {
  Z3 z3(path, limits);
  return z3.ask(question());
}

TEST(Z3, SaysWhatTheChildSays) {
  EXPECT_EQ(ask(FakeZ3("echo unsat").path()).kind, Kind::impossible);
  EXPECT_EQ(ask(FakeZ3("echo sat").path()).kind, Kind::possible);
  const auto unknown = ask(FakeZ3("echo unknown").path());
  EXPECT_EQ(unknown.kind, Kind::unknown);
  EXPECT_EQ(unknown.note, "z3 9.9.9 does not know within 3000000 steps");
}

TEST(Z3, ReadsValuesAndNothingElse) {
  EXPECT_EQ(ask(FakeZ3("echo sat; echo '((v0 (- 7)))'").path()).kind, Kind::unknown);  // more than a word
  EXPECT_EQ(ask(FakeZ3("echo sat; test -n \"$b\" && echo '((v0 (- 7)))'; b=1").path()).values, std::vector<prove::Integer>{-7});
  EXPECT_TRUE(ask(FakeZ3("echo sat; test -n \"$b\" && echo '((v1 7))'; b=1").path()).values.empty());
  EXPECT_TRUE(ask(FakeZ3("echo sat; test -n \"$b\" && echo '((v0 7.5))'; b=1").path()).values.empty());
}

TEST(Z3, IsNotFound) {
  const auto none = ask("");
  EXPECT_EQ(none.kind, Kind::absent);
  EXPECT_EQ(none.note, "z3 was not found");
  EXPECT_EQ(ask("/nowhere/z3").kind, Kind::unknown);
}

TEST(Z3, IsNotAskedAgainAfterGarbage) {
  FakeZ3 fake("echo '(error \"line 1\")'; echo unsat");
  Z3 z3(fake.path());
  EXPECT_EQ(z3.ask(question()).note, "z3 gives no answer that makes sense");
  EXPECT_EQ(z3.ask(question()).note, "z3 gives no answer that makes sense");
  EXPECT_EQ(ask(FakeZ3("echo unsat", "echo nonsense").path()).note, "z3 gives no answer that makes sense");
}

TEST(Z3, MayDie) {
  EXPECT_EQ(ask(FakeZ3("exit 3").path()).note, "z3 ended before it answered");
  EXPECT_EQ(ask(FakeZ3("kill -SEGV $$").path()).note, "z3 ended before it answered");
}

TEST(Z3, MayTalkWithoutEnd) {
  const auto reply = ask(FakeZ3("yes").path());
  EXPECT_EQ(reply.kind, Kind::unknown);
  EXPECT_EQ(reply.note, "z3 gives no answer that makes sense");
}

TEST(Z3, IsStoppedWhenItHangs) {
  Z3::Limits limits;
  limits.milliseconds = 1500;
  const auto start = std::chrono::steady_clock::now();
  EXPECT_EQ(ask(FakeZ3("sleep 60").path(), limits).note, "z3 9.9.9 was stopped after 1 s");
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(30));
}

// It answers before it reads: neither waits for the other.
TEST(Z3, MayReadNothing) {
  Z3::Limits limits;
  limits.milliseconds = 1500;
  Z3 z3(FakeZ3("echo unsat", "echo '(:version \"1\")'; echo lockstep-end; sleep 60").path(), limits);
  constexpr std::int64_t kMoreThanAPipe = 6000;
  ASSERT_GT(prove::smt_text(question(kMoreThanAPipe)).size(), 1U << 17);
  EXPECT_EQ(z3.ask(question(kMoreThanAPipe)).note, "z3 1 was stopped after 1 s");
}

TEST(Z3, IsNotAskedWhatItNeverKnows) {
  FakeZ3 fake("echo unknown");
  Z3 z3(fake.path());
  for (int i = 0; i < 4; ++i) EXPECT_EQ(z3.ask(question()).note, "z3 9.9.9 does not know within 3000000 steps");
  EXPECT_EQ(z3.ask(question()).note, "z3 9.9.9 was asked often enough");
}

TEST(Z3, IsAskedOnlySoOften) {
  Z3::Limits limits;
  limits.questions = 2;
  FakeZ3 fake("echo unsat");
  Z3 z3(fake.path(), limits);
  EXPECT_EQ(z3.ask(question()).kind, Kind::impossible);
  EXPECT_EQ(z3.ask(question()).kind, Kind::impossible);
  EXPECT_EQ(z3.ask(question()).note, "z3 9.9.9 was asked often enough");
}

}  // namespace
}  // namespace lockstep::driver
