// The constraints string of an asm: a register class per output and input, and ties. Invariant: outputs come first;
// `tied_to` names an output. Clobbers (~{...}) are read and dropped. Source: LLVM Language Reference "Inline Asm
// Constraint String" and its NVPTX letters.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lockstep::interpreter::ptx {

struct Constraint {
  bool is_output = false;
  int width = 0;     // bits of the register; inputs: 0 if tied
  int tied_to = -1;  // inputs: the output whose register this is
};

struct Constraints {
  std::vector<Constraint> list;  // $0, $1, ...
  std::string problem;           // empty: fine
  bool is_unsupported = false;   // the problem is something that Lockstep does not know yet
};

Constraints parse_constraints(std::string_view text);

}  // namespace lockstep::interpreter::ptx
