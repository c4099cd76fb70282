// How many iterations a counted loop (scf.for) makes: its counter is an integer of a width, each iteration adds the
// step, and overflow wraps, as in Triton's code. Computed without running the loop. Invariant: answers are exact.
// Precondition of all: the lower bound is below the upper one, and the step is positive.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "support/scalar.h"

namespace lockstep::interpreter {

struct LoopCounter {
  ScalarKind kind = ScalarKind::i32;
  bool is_unsigned = false;
  std::uint64_t lower = 0, upper = 0, step = 0;  // bits of the kind
};

/// The iterations of Python's range(lower, upper, step).
std::uint64_t turns_in_python(const LoopCounter& counter);
/// The iterations of a counter that wraps; nullopt: it never meets the upper bound.
std::optional<std::uint64_t> wrapping_turns(const LoopCounter& counter);
/// The iteration of the counter's value, from 0.
std::uint64_t turn_of(const LoopCounter& counter, std::uint64_t value);
/// A sentence about a counter that wraps: the message of LS508.
std::string wrap_text(const LoopCounter& counter);
std::string wrap_hint(const LoopCounter& counter);

}  // namespace lockstep::interpreter
