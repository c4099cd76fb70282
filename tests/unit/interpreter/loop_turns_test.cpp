// Turns of counted loops, against going round one by one in eight bits.
#include "interpreter/plan/loop_turns.h"

#include <gtest/gtest.h>

#include <optional>

namespace lockstep::interpreter {
namespace {

/// nullopt: after 256 turns a counter of eight bits has been everywhere that it comes to.
std::optional<std::uint64_t> go_round(int lower, int upper, int step, bool is_unsigned) {
  std::uint64_t turns = 0;
  for (int i = lower; i < upper; ++turns) {
    if (turns > 256) return std::nullopt;
    i += step;
    if (is_unsigned) {
      i &= 255;
    } else if (i > 127) {
      i -= 256;
    }
  }
  return turns;
}

TEST(LoopTurns, every_loop_of_eight_bits) {
  for (const bool is_unsigned : {false, true}) {
    const int least = is_unsigned ? 0 : -128, most = is_unsigned ? 255 : 127;
    for (int lower = least; lower < most; lower += 3) {
      for (int upper = lower + 1; upper <= most; upper += upper < most - 12 ? 5 : 1) {
        for (int step = 1; step <= most; ++step) {
          const auto bits = [](int value) { return static_cast<std::uint64_t>(value) & 255; };
          const LoopCounter counter{ScalarKind::i8, is_unsigned, bits(lower), bits(upper), bits(step)};
          ASSERT_EQ(wrapping_turns(counter), go_round(lower, upper, step, is_unsigned))
              << lower << ' ' << upper << ' ' << step;
          ASSERT_EQ(turns_in_python(counter), static_cast<std::uint64_t>((upper - lower + step - 1) / step));
        }
      }
    }
  }
}

TEST(LoopTurns, the_turn_of_a_value) {
  const LoopCounter counter{ScalarKind::i32, false, 524288, 2146435072, 2621440};
  EXPECT_EQ(turns_in_python(counter), 819u);
  EXPECT_EQ(wrapping_turns(counter), 2457u);
  EXPECT_EQ(turn_of(counter, 524288), 0u);
  EXPECT_EQ(turn_of(counter, 2144862208), 818u);
  EXPECT_EQ(turn_of(counter, 0x80000000u), 819u);
  EXPECT_EQ(turn_of(counter, 2143813632), 2456u);
}

}  // namespace
}  // namespace lockstep::interpreter
