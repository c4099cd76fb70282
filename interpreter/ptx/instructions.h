// The instruction rows: every PTX instruction that Lockstep runs, in one table. A row gives name, operand shapes,
// admitted types and modifiers, and the function that selects the evaluator for one combination. The parser reads
// nothing else about instructions. Invariant: instructions without a row are reported as not supported, by name.
// Source: PTX ISA 8.7, chapter "Instruction Set".
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>

#include "interpreter/ptx/program.h"
#include "interpreter/ptx/types.h"

namespace lockstep::interpreter::ptx {

/// One use of an instruction, by its name, types and immediates.
struct Form {
  std::array<Type, 3> types{};
  Modifiers modifiers = 0;
  std::size_t sources = 0;
  bool second = false;          // setp: a second predicate is written
  int to_width = 0;             // bits of the destination's register
  std::uint64_t immediate = 0;  // of an operand with code 'i'
  bool gives_bits = false;      // approximate instructions as the GPU has them (gpu_bits/)

  Type type(std::size_t i = 0) const { return types[i]; }
  bool has(Modifier modifier) const { return ptx::has(modifiers, modifier); }
};

/// The evaluator for a form; `run` null: there is none.
struct Choice {
  Evaluate run = nullptr;
  std::uint32_t detail = 0;
  int rounding = FE_TONEAREST;
};

struct Row {
  std::string_view name;
  /// Destinations, ':', sources; one letter each: '0'..'2' a register or immediate as wide as that type, 'w' twice as
  /// wide as type 0, 'u' 32 bits, 'h' 16 bits, 'b' 8 bits, 'S' at least as wide as type 1, 'D' (to) at least as wide as
  /// type 0, 'p' predicate, 'i' immediate only. '?' after a letter: may be left out.
  std::string_view operands;
  std::array<TypeSet, 3> types{};  // an empty set ends the list
  Modifiers modifiers = 0;         // admitted
  Choice (*select)(const Form& form) = nullptr;
  bool late_modifiers = false;  // modifiers may follow the types (prmt.b32.f4e)
};

/// All rows; several may share a name.
std::span<const Row> rows();

// Families: one selector per row, in select_*.cpp.
#define LOCKSTEP_PTX_SELECTOR(name) Choice name(const Form& form);
#include "interpreter/ptx/selectors.def"
#undef LOCKSTEP_PTX_SELECTOR

}  // namespace lockstep::interpreter::ptx
