// The functions of triton.language.extra.libdevice and triton.language.extra.cuda: builtins outside triton.language
// itself. The exact types of its arguments choose the symbol of a libdevice call; nothing is promoted. The table is
// support/libdevice_symbols.def, which the interpreter reads too. Not here: what a symbol computes.
#pragma once

#include <string>
#include <string_view>

#include "frontend/builtins/builtins.h"
#include "frontend/semantics/types.h"

namespace lockstep::frontend {

struct LibdeviceSymbol {
  std::string_view function;
  std::string_view arguments;  // one letter per argument, see the table
  char result;
  std::string_view symbol;
};

/// Result letter of functions that return an int32 as a truth value.
inline constexpr char kLibdevicePredicate = '1';

/// Null if libdevice has no such function.
const Builtin* find_libdevice_function(std::string_view name);
/// Null if triton.language.extra.cuda has no such function.
const Builtin* find_cuda_function(std::string_view name);
/// Null if the function does not take these types.
const LibdeviceSymbol* find_libdevice_symbol(std::string_view function, std::string_view arguments);
/// '?' for types that no function takes.
char libdevice_letter(const DType& type);
/// int32 for predicates.
DType libdevice_type(char letter);
/// "(fp32) or (fp64)".
std::string libdevice_signatures(std::string_view function);

}  // namespace lockstep::frontend
