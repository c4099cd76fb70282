// Inline assembly that loads and stores: `ld.global` and `st.global` become loads and stores of their own, and what
// stands between them asm strings without memory. All else (bounds, races, effects, orders of programs, the CUDA
// backend, the debugger) then sees ordinary accesses. Invariants: every lane's instructions keep their order, a guard
// becomes the access's mask, an ordered access (relaxed, acquire, release, volatile) an atomic one; an address that is
// made of one pointer operand keeps that operand's origin. An asm that cannot be split stays as it is.
#pragma once

#include <string>

#include "ir/module.h"

namespace lockstep::interpreter {

/// Splits every tt.elementwise_inline_asm of the module that touches global memory.
void expand_memory_asm(ir::Module& module);

/// Why an asm with loads or stores was left alone; empty: it has none, or none that is known here.
std::string expansion_problem(const ir::Op& inline_asm);

}  // namespace lockstep::interpreter
