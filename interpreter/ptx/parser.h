// From an asm string to a Program. Bounds: kMaxText bytes, kMaxInstructions, kMaxRegisters, kMaxScopes. Invariant: any
// bytes either compile or give one problem with its place; nothing is skipped silently. It distinguishes unsupported
// text (an instruction, a special register, a label) from invalid PTX. Source: PTX ISA 8.7.
#pragma once

#include <string>
#include <string_view>

#include "interpreter/ptx/constraints.h"
#include "interpreter/ptx/program.h"

namespace lockstep::interpreter::ptx {

inline constexpr std::size_t kMaxText = 64 << 10;
inline constexpr std::size_t kMaxInstructions = 4096;
inline constexpr std::size_t kMaxRegisters = 2048;
inline constexpr std::size_t kMaxScopes = 64;

struct Compiled {
  Program program;
  std::string problem;  // empty: fine
  bool is_unsupported = false;
  std::size_t offset = 0;  // of the problem, bytes into the asm string
};

/// Precondition: the constraints have no problem.
/// `gives_bits`: Form::gives_bits.
Compiled compile(std::string_view assembly, const Constraints& constraints, bool gives_bits = false);

/// "column 7" or, in a text of several lines, "line 2, column 7"; counted from 1.
std::string place_of(std::string_view assembly, std::size_t offset);

}  // namespace lockstep::interpreter::ptx
