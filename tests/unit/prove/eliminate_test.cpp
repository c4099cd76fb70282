// What a proof may use, tried with all small integers; and what elimination proves, tried at every point.
#include "prove/eliminate.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "prove/evaluate.h"

namespace lockstep::prove {
namespace {

void expect_facts(const Atoms& atoms, const Poly& of, const Numbers& numbers, const std::string& what) {
  ASSERT_EQ(of.terms().size(), 1U);
  const AtomId id = of.terms().begin()->first[0];
  for (const Poly& fact : atoms[id].facts) {
    const auto value = evaluate(fact, numbers, atoms);
    ASSERT_TRUE(value.has_value());
    EXPECT_GE(*value, 0) << what;
  }
  if (atoms[id].is_not_negative) {
    EXPECT_GE(*evaluate(of, numbers, atoms), 0) << what;
  }
}

TEST(Facts, QuotientsAndRemaindersOfAllSmallIntegers) {
  for (const int known : {0, 1, 2}) {  // nothing; x >= 0; x >= d
    Atoms atoms;
    const AtomId x = atoms.parameter("x", -20, 20), d = atoms.parameter("d", 1, 6);
    const Division parts = atoms.division(Poly::atom(x), Poly::atom(d), known >= 1, known == 2, nullptr);
    const Division by_three = atoms.division(Poly::atom(x), Poly(3), known >= 1, false, nullptr);
    for (int number = known == 0 ? -20 : 0; number <= 20; ++number) {
      for (int divisor = 1; divisor <= 6; ++divisor) {
        if (known == 2 && number < divisor) continue;
        const Numbers numbers{{x, number}, {d, divisor}};
        const std::string what = std::to_string(number) + " by " + std::to_string(divisor);
        for (const Poly& one : {parts.quotient, parts.remainder, by_three.quotient, by_three.remainder})
          expect_facts(atoms, one, numbers, what);
      }
    }
  }
}

TEST(Facts, ExtremaOfAllSmallIntegers) {
  Atoms atoms;
  const AtomId a = atoms.parameter("a", -5, 5), b = atoms.parameter("b", -5, 5);
  const Poly least = Poly::atom(atoms.extremum(AtomKind::minimum, Poly::atom(a), Poly::atom(b), nullptr));
  const Poly most = Poly::atom(atoms.extremum(AtomKind::maximum, Poly::atom(a), Poly::atom(b), nullptr));
  for (int i = -5; i <= 5; ++i) {
    for (int k = -5; k <= 5; ++k) {
      expect_facts(atoms, least, {{a, i}, {b, k}}, "minimum");
      expect_facts(atoms, most, {{a, i}, {b, k}}, "maximum");
    }
  }
}

TEST(Cut, IsTheSameOverTheIntegers) {
  Atoms atoms;
  const AtomId x = atoms.parameter("x", -9, 9);
  for (int factor = -6; factor <= 6; ++factor) {
    for (int constant = -9; constant <= 9; ++constant) {
      const Poly poly = Poly::atom(x).times(factor, {}) + Poly(constant);
      for (int number = -9; number <= 9; ++number) {
        const Numbers numbers{{x, number}};
        EXPECT_EQ(*evaluate(poly, numbers, atoms) >= 0, *evaluate(cut(poly), numbers, atoms) >= 0);
      }
    }
  }
}

/// Two sizes, a program, a lane, and what divisions and extrema make of them.
struct World {
  Atoms atoms;
  AtomId n = atoms.parameter("n", 1, 5), g = atoms.parameter("g", 1, 4);
  AtomId p = atoms.program(0, Poly::atom(g));
  Poly lane = atoms.lane(0, 4);
  AtomId i = lane.terms().begin()->first[0];
  Division parts = atoms.division(Poly::atom(p) * Poly(4) + lane, Poly::atom(n), true, false, nullptr);
  Poly least = Poly::atom(atoms.extremum(AtomKind::minimum, Poly::atom(p), Poly::atom(n), nullptr));
  Poly most = Poly::atom(atoms.extremum(AtomKind::maximum, lane, Poly::atom(g), nullptr));

  template <typename Body>
  void at_every_point(const Body& body) const {
    for (int size = 1; size <= 5; ++size) {
      for (int programs = 1; programs <= 4; ++programs) {
        for (int program = 0; program < programs; ++program) {
          for (int at = 0; at < 4; ++at) body(Numbers{{n, size}, {g, programs}, {p, program}, {i, at}});
        }
      }
    }
  }
};

Poly random_poly(const World& world, std::mt19937& random) {
  const std::vector<Poly> letters{Poly(1), Poly::atom(world.n), Poly::atom(world.g), Poly::atom(world.p), world.lane,
                                  world.parts.quotient, world.parts.remainder, world.least, world.most};
  const auto draw = [&](std::size_t count) { return static_cast<std::size_t>(random() % count); };
  Poly poly(static_cast<std::int64_t>(draw(9)) - 3);
  for (std::size_t terms = 1 + draw(4); terms > 0; --terms) {
    const Poly term = letters[draw(letters.size())] * letters[draw(letters.size())];
    poly += term * Poly(static_cast<std::int64_t>(draw(7)) - 3);
  }
  return poly;
}

TEST(Elimination, ProvesOnlyWhatHoldsAtEveryPoint) {
  std::mt19937 random(7);
  std::size_t proved = 0, sufficient = 0;
  for (int round = 0; round < 300; ++round) {
    const World world;
    const Poly goal = random_poly(world, random), mask = random_poly(world, random);
    const Verdict verdict = Elimination(world.atoms).decide(goal, nullptr, {mask});
    if (!verdict.is_proved && verdict.suffices.empty()) continue;
    ++(verdict.is_proved ? proved : sufficient);
    world.at_every_point([&](const Numbers& numbers) {
      if (*evaluate(mask, numbers, world.atoms) < 0) return;
      for (const Poly& rest : verdict.suffices) {
        if (*evaluate(rest, numbers, world.atoms) < 0) return;
      }
      EXPECT_GE(*evaluate(goal, numbers, world.atoms), 0) << "round " << round;
    });
  }
  EXPECT_GT(proved, 20U);
  EXPECT_GT(sufficient, 20U);
}

}  // namespace
}  // namespace lockstep::prove
