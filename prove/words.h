// Words: polynomials, conditions and places in the kernel's own words. Not here: the report's lines (cli).
#pragma once

#include <string>

#include "ir/op.h"
#include "prove/atoms.h"
#include "prove/statement.h"

namespace lockstep::prove {

/// A kernel's argument by its name in the source; "arg3" if it has none.
std::string argument_name(const ir::Value& argument);
/// "((B - 1)*T + 1)*K".
std::string text(const Poly& poly, const Atoms& atoms);
/// poly >= 0 as "a <= b".
std::string condition_text(const Poly& poly, const Atoms& atoms);
/// "FILE:LINE" of the user's line; of an op without one, its place in the text.
std::string place_text(const ir::Op& op);
/// "i32", "a bound of the loop", "x": why a condition is there.
std::string reason_text(const Condition& condition);

}  // namespace lockstep::prove
