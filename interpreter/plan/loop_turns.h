// How often a counted loop (scf.for) goes round: its counter is an integer of a width, each turn adds the step and what
// does not fit wraps, as in the code that Triton makes. Everything is worked out without making the turns. Invariant:
// answers are exact. Precondition of all: the lower bound is below the upper one, and the step is positive.
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

/// Of Python's range(lower, upper, step).
std::uint64_t turns_in_python(const LoopCounter& counter);
/// Of a counter that wraps; nullopt: it never meets the upper bound.
std::optional<std::uint64_t> wrapping_turns(const LoopCounter& counter);
/// Which turn the counter's value belongs to, from 0.
std::uint64_t turn_of(const LoopCounter& counter, std::uint64_t value);
/// What a counter that wraps does, in a sentence: the message of LS508.
std::string wrap_text(const LoopCounter& counter);
std::string wrap_hint(const LoopCounter& counter);

}  // namespace lockstep::interpreter
