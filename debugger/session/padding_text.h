// Texts about padding: its value and its load.
#pragma once

#include <string>

#include "debugger/expression/scope.h"
#include "debugger/queries/padding.h"

namespace lockstep::debugger {

/// "other=0.0", "a mask without other", "beyond the tensor".
std::string filling_text(const PaddingSource& source, const Scope& scope);
/// "other=0.0 (softmax.py:10)".
std::string source_text(const PaddingSource& source, const Scope& scope);
/// "128 lanes: 100 loaded, 28 from other=0.0 (softmax.py:10)".
std::string origins_text(const PaddingCounts& counts, const Scope& scope);

}  // namespace lockstep::debugger
