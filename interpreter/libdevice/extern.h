// tt.extern_elementwise on the rows of the catalogue. Invariant: a symbol runs only with the operand and result kinds
// of its row; anything else is reported, with the symbol named. Libraries other than libdevice are not supported.
#pragma once

#include "interpreter/evaluators/elementwise.h"

namespace lockstep::interpreter::libdevice {

/// Fills arity and kernel of `made`, whose operand and result types are set, for an op of one to three operands. False:
/// no such symbol, or other types.
bool fill_extern(Elementwise& made, const ir::Op& op);

}  // namespace lockstep::interpreter::libdevice
