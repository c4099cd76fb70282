// What an op is called in the kernel's own language: messages and the page speak as the kernel's text does.
#pragma once

#include <string>

#include "ir/op.h"

namespace lockstep::ir {

/// "tl.exp" of math.exp, "tl.sum" of a reduction by additions, ".to()" of a cast, "+" of a sum; an op that no single
/// name stands for keeps the IR's.
std::string python_name(const Op& op);
/// It hands one value to all lanes, or is a constant: no line of Python says so by itself.
bool is_implied(const Op& op);
/// What texts call an op: python_name where its line is Python's, in backticks where it is no word; else the IR's.
std::string shown_name(const Op& op);

}  // namespace lockstep::ir
