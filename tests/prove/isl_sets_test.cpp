// What isl says of small questions, beside trying every point: all numbers, alternatives, minima and choices.
#include "driver/proving/isl.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "prove/evaluate.h"
#include "prove/outside/query.h"
#include "prove/rules.h"

namespace lockstep::prove {
namespace {

constexpr std::int64_t kMost = 3;

struct Draw {
  std::mt19937 random;
  Atoms atoms{};
  std::vector<AtomId> letters{};

  std::int64_t number(std::int64_t low, std::int64_t high) { return low + static_cast<std::int64_t>(random() % static_cast<std::uint32_t>(high - low + 1)); }

  Poly poly() {
    Poly sum(number(-6, 6));
    for (const AtomId id : letters) sum += Poly::atom(id).times(number(-3, 3), {});
    return sum;
  }

  Formula formula(int depth) {
    const std::int64_t kind = number(0, depth == 0 ? 0 : 3);
    if (kind <= 1) return Formula::not_negative(poly());
    const Formula a = formula(depth - 1), b = formula(depth - 1);
    return kind == 2 ? Formula::all(a, b) : Formula::any(a, b);
  }
};

TEST(IslSets, AnswersOfSmallQuestionsAreThoseOfEveryPoint) {
  const auto isl = driver::find_isl({.operations = 2'000'000, .sets = 400, .questions = 10'000, .unknown = 1});
  ASSERT_NE(isl, nullptr);
  int impossible = 0, possible = 0;
  for (std::uint32_t seed = 0; seed < 200; ++seed) {
    Draw draw{std::mt19937(seed)};
    for (const char* name : {"a", "b", "c"}) draw.letters.push_back(draw.atoms.parameter(name, -kMost, kMost));
    const std::vector<AtomId> free = draw.letters;
    const auto kind = seed % 2 == 0 ? AtomKind::minimum : AtomKind::maximum;
    draw.letters.push_back(draw.atoms.extremum(kind, draw.poly(), draw.poly(), nullptr));
    draw.letters.push_back(draw.atoms.selection(draw.formula(1), draw.poly(), draw.poly(), nullptr));
    const Division parts = draw.atoms.division(draw.poly(), Poly(draw.number(2, 4)), false, false, nullptr);
    std::vector<Formula> all;
    for (int i = 0; i < 4; ++i) all.push_back(draw.formula(2));
    all.push_back(Formula::not_negative(parts.quotient - parts.remainder.times(2, {}) + draw.poly()));
    Query query(draw.atoms, nullptr);
    for (const Formula& one : all) query.take(one);
    const SolverReply reply = query.ask(*isl);
    ASSERT_NE(reply.kind, SolverReply::Kind::unknown) << seed << ": " << reply.note;
    bool is_possible = false;
    Numbers numbers;
    const auto is_point = [&] {
      for (const Formula& one : all) {
        if (!*evaluate(one, numbers, draw.atoms)) return false;
      }
      return true;
    };
    for (numbers[free[0]] = -kMost; numbers[free[0]] <= kMost; ++numbers[free[0]]) {
      for (numbers[free[1]] = -kMost; numbers[free[1]] <= kMost; ++numbers[free[1]]) {
        for (numbers[free[2]] = -kMost; numbers[free[2]] <= kMost; ++numbers[free[2]]) is_possible = is_possible || is_point();
      }
    }
    EXPECT_EQ(reply.kind == SolverReply::Kind::possible, is_possible) << seed;
    ++(is_possible ? possible : impossible);
    if (!is_possible || reply.values.size() != free.size()) continue;  // a letter that no question names has no value
    for (std::size_t i = 0; i < free.size(); ++i) numbers[query.numbers()[i]] = reply.values[i];
    EXPECT_TRUE(is_point()) << seed;
  }
  EXPECT_GE(impossible, 20);
  EXPECT_GE(possible, 20);
}

TEST(IslSets, EffortIsCounted) {
  Atoms atoms;
  const AtomId a = atoms.parameter("a", 0, power_of_two(31)), b = atoms.parameter("b", 0, power_of_two(31));
  const auto ask = [&](Solver& solver) {
    Query query(atoms, nullptr);
    const Poly sum = Poly::atom(a).times(14, {}) - Poly::atom(b).times(21, {}) - Poly(1);  // no multiple of 7
    query.take(sum);
    query.take(Poly(0) - sum);
    return query.ask(solver);
  };
  EXPECT_EQ(ask(*driver::find_isl()).kind, SolverReply::Kind::impossible);
  const auto hurried = driver::find_isl({.operations = 3, .sets = 400, .questions = 10, .unknown = 1});
  const SolverReply reply = ask(*hurried);
  EXPECT_EQ(reply.kind, SolverReply::Kind::unknown);
  EXPECT_NE(reply.note.find("does not know within 3 operations"), std::string::npos) << reply.note;
  EXPECT_NE(ask(*hurried).note.find("was asked often enough"), std::string::npos);
}

TEST(IslSets, AProductIsALetter) {
  Atoms atoms;
  const AtomId a = atoms.parameter("a", 1, 1000), b = atoms.parameter("b", 1, 1000);
  const Poly product = Poly::atom(a) * Poly::atom(b);
  const auto isl = driver::find_isl();
  Query never(atoms, nullptr), never_either(atoms, nullptr);
  never.take(Poly(-1) - product);  // of what is not negative
  EXPECT_EQ(never.ask(*isl).kind, SolverReply::Kind::impossible);
  never_either.take(Poly(-1) - product + Poly::atom(a));  // a * b < a
  EXPECT_EQ(never_either.ask(*isl).kind, SolverReply::Kind::unknown);
}

}  // namespace
}  // namespace lockstep::prove
