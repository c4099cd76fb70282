// The functions of NVIDIA's libdevice that Lockstep supports: one row per symbol (table.def), read by the evaluator of
// tt.extern_elementwise, by `lockstep ops` and by the tests. Invariant: operand and result kinds are those of the C++
// function that computes the row, so they cannot disagree with it. Nothing here computes or checks an op. Sources: the
// symbols and their types from Triton 3.6's tl.extra.cuda.libdevice (unchanged from 3.3 to 3.9); meaning of special
// values from CUDA's libdevice guide; NVIDIA's bounds from the CUDA C++ Programming Guide, mathematical functions.
#pragma once

#include <span>
#include <string_view>

#include "interpreter/libdevice/function.h"

namespace lockstep::interpreter::libdevice {

/// All rows, sorted by symbol.
std::span<const Function> functions();
/// The row of a symbol; null if there is none.
const Function* find(std::string_view symbol);

}  // namespace lockstep::interpreter::libdevice
