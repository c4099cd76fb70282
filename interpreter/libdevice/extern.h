// tt.extern_elementwise on the rows of the catalogue. Invariant: a symbol runs only with the operand and result kinds
// of its row; anything else is reported, with the symbol named. Libraries other than libdevice are not supported.
#pragma once

#include <string_view>

#include "interpreter/evaluators/elementwise.h"
#include "interpreter/libdevice/function.h"
#include "ir/op.h"

namespace lockstep::interpreter::libdevice {

/// Fills arity and kernel of `made`, whose operand and result types are set, for an op of one to three operands. False:
/// no such symbol, or other types.
bool fill_extern(Elementwise& made, const ir::Op& op);

/// An attribute of the op; empty: missing.
std::string_view extern_text(const ir::Op& op, std::string_view name);
/// Triton leaves library and path empty; a path may name any copy of NVIDIA's file.
bool is_libdevice(const ir::Op& op);
/// Operands and result have the function's types, element by element.
bool has_types_of(const ir::Op& op, const Function& function);

}  // namespace lockstep::interpreter::libdevice
