// A compiled asm string: registers and instructions over lanes. A lane is one pack of elements; a register is an array
// of kStrip lanes, each its bits zero-extended to 64. Invariants: every register index is below `register_count`; an
// instruction reads all its sources of a lane before it writes that lane, so registers may be shared; guards have
// become `blend` instructions, immediates registers that are filled once. Not here: text (parser.h), tiles
// (inline_asm.cpp).
#pragma once

#include <array>
#include <cfenv>
#include <cstdint>
#include <vector>

namespace lockstep::interpreter::ptx {

inline constexpr int kStrip = 128;  // lanes that run together
using Lanes = std::uint64_t[kStrip];

/// The values of special registers; filled by the runner of the program.
struct Environment {
  std::array<std::uint64_t, 3> program_id{};
  std::array<std::uint64_t, 3> grid{};
  std::uint64_t program_number = 0;
  std::uint64_t clock = 0;  // reads of clocks by this program so far; the evaluator counts on
};

struct Instruction;
/// The registers of one run.
struct State {
  Lanes* registers = nullptr;
  int lanes = 0;  // 1..kStrip
  Environment* environment = nullptr;
};
using Evaluate = void (*)(State& state, const Instruction& instruction);

struct Instruction {
  Evaluate run = nullptr;
  std::array<std::uint16_t, 4> to{};
  std::array<std::uint16_t, 5> from{};
  std::uint32_t detail = 0;  // what the evaluator needs besides: a truth table, widths, a selection
  int rounding = FE_TONEAREST;
};

/// An immediate: all lanes of `index` hold `bits`.
struct Immediate {
  std::uint16_t index = 0;
  std::uint64_t bits = 0;
};

struct Program {
  std::vector<Instruction> instructions;
  std::vector<Immediate> immediates;
  std::vector<std::uint16_t> operands;  // register of $k
  std::uint16_t register_count = 0;
};

/// Runs the instructions in order. Rounding modes are restored.
void run(const Program& program, State& state);

}  // namespace lockstep::interpreter::ptx
