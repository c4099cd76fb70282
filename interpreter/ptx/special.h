// Special registers that a CPU can answer, with deterministic values (rule S-92): program and grid from the launch, one
// multiprocessor per program in turn, and clocks that count their own reads. Registers that depend on the layout of a
// tile over threads (%tid, %laneid, %warpid, masks) have no answer here and are not supported. Source: PTX ISA 8.7
// "Special Registers".
#pragma once

#include <cstdint>
#include <string_view>

#include "interpreter/ptx/program.h"

namespace lockstep::interpreter::ptx {

struct SpecialRegister {
  std::string_view name;
  int width = 32;
  Evaluate read = nullptr;  // writes to[0]
};

inline constexpr int kMultiprocessors = 132;       // an H200's
inline constexpr std::uint64_t kClockStep = 1000;  // what a clock advances by per read: nanoseconds or cycles

/// Null if there is none of that name ("%smid").
const SpecialRegister* find_special(std::string_view name);

// Evaluators that only the parser inserts.
void move(State& state, const Instruction& instruction);    // to[0] = from[0]
void negate(State& state, const Instruction& instruction);  // predicates: to[0] = !from[0]
void blend(State& state, const Instruction& instruction);   // where from[0] (detail 1: where not): to[0] = from[1]
void join(State& state, const Instruction& instruction);   // to[0] = {from[0], from[1], ...}; detail: count, width << 8
void split(State& state, const Instruction& instruction);  // {to[0], to[1], ...} = from[0]; detail as join

}  // namespace lockstep::interpreter::ptx
