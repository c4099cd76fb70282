// Runs a @triton.constexpr_function, or a plain function that module-level code calls: Python over compile-time values,
// at compile time. Statements: assignment, if, for over range and tuples, while, return, assert, break, continue, pass,
// import, and try around a missing module. Bounded: steps and call depth have limits, so an endless function is an
// error. Never touches IR.
#pragma once

#include <vector>

#include "frontend/eval/python_module.h"

namespace lockstep::frontend {

/// The result as a compile-time value; error: why it has none.
ValueResult run_constexpr_function(Modules& modules, const JitFunction& function, const std::vector<Value>& positional,
                                   const NamedValues& keywords);
/// A value of a named tuple class or aggregate, whose __init__ runs in the same way. Tensors may be among the
/// arguments.
ValueResult construct(Modules& modules, const PythonClass& type, const std::vector<Value>& positional,
                      const NamedValues& keywords);

}  // namespace lockstep::frontend
