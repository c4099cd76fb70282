// RaceReversal: an order of programs that differs from the grid's in one place: it holds one program back after so many
// of its atomics until another has made so many of its own. As a number for RunRequest::schedule; random orders have
// the highest bit clear. If the others cannot get there without the held one, it continues.
#pragma once

#include <cstdint>
#include <optional>

namespace lockstep::interpreter {

struct RaceReversal {
  std::uint64_t held = 0, held_after = 0;     // program, and how many atomics it has made then (0: it has not begun)
  std::uint64_t awaited = 0, awaited_at = 0;  // program, and how many atomics it must have made

  static constexpr std::uint64_t kFlag = std::uint64_t{1} << 63;
  static constexpr unsigned kProgramBits = 21, kHeldBits = 11, kAwaitedBits = 10;

  /// nullopt: the number is too large.
  std::optional<std::uint64_t> number() const {
    const auto fits = [](std::uint64_t value, unsigned bits) { return value >> bits == 0; };
    if (!fits(held, kProgramBits) || !fits(awaited, kProgramBits) || !fits(held_after, kHeldBits) ||
        !fits(awaited_at, kAwaitedBits))
      return std::nullopt;
    return kFlag | held << 42 | awaited << 21 | held_after << kAwaitedBits | awaited_at;
  }
  /// nullopt: the schedule is of another kind.
  static std::optional<RaceReversal> of(std::uint64_t schedule) {
    if ((schedule & kFlag) == 0) return std::nullopt;
    const auto part = [schedule](unsigned from, unsigned bits) {
      return schedule >> from & ((std::uint64_t{1} << bits) - 1);
    };
    return RaceReversal{part(42, kProgramBits), part(kAwaitedBits, kHeldBits), part(21, kProgramBits),
                         part(0, kAwaitedBits)};
  }
};

}  // namespace lockstep::interpreter
