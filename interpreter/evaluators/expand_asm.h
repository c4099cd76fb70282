// Inline assembly that loads and stores: `ld.global` and `st.global` become separate loads and stores, and the text
// between them asm strings without memory. Everything else (bounds, races, effects, orders of programs, the CUDA
// backend, the debugger) then sees ordinary accesses. Invariants: every lane's instructions keep their order, a guard
// becomes the access's mask, an ordered access (relaxed, acquire, release, volatile) becomes an atomic one; an address
// from one pointer operand keeps that operand's origin. An asm that cannot be split stays as it is.
#pragma once

#include <string>

#include "ir/module.h"

namespace lockstep::interpreter {

/// Splits every tt.elementwise_inline_asm of the module that touches global memory.
void expand_memory_asm(ir::Module& module);

/// Why an asm with loads or stores was left alone; empty: it has none, or none of a known kind.
std::string expansion_problem(const ir::Op& inline_asm);

}  // namespace lockstep::interpreter
