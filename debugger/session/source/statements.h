// Statements: a Python text's facts about values without names in the IR: assignments to several names at once, return
// values, and the places of their expressions. Invariant: it leaves out what it cannot follow (starred targets, chains
// of `=`), and never guesses. Not here: values (source_values.h), reading (python_source.h).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "debugger/session/source/python_source.h"

namespace lockstep::debugger {

struct SourceExpression {
  SourceSpan span;
  std::string name;                          // of an expression that is a name and nothing else
  std::string called;                        // "tl.math.exp" of "tl.math.exp(x)"
  std::vector<SourceExpression> items = {};  // of a tuple; empty: it is none
};

/// `a, b = value`.
struct Unpacking {
  std::vector<std::string> targets;  // at least two; empty: no plain name
  SourceExpression value;
};

/// `a += value`, or `a = a + value`.
struct Advance {
  std::string target;
  SourceSpan span;
};

/// `a = b`, or one of `a, b = b, a`: no op, another value. Valid after its line, in its block.
struct Renaming {
  std::string target, source;
  std::uint32_t line = 0, last_line = 0;
};

struct SourceFunction {
  std::string name;
  std::uint32_t first_line = 0, last_line = 0;
  std::vector<SourceExpression> returns;  // with a value; not those of functions inside
};

class Statements {
 public:
  explicit Statements(const PythonSource& source);
  /// Null: there is none.
  const Unpacking* unpacking_at(SourcePosition spot) const;
  const Advance* advance_at(SourcePosition spot) const;
  /// In the order of the text.
  const std::vector<Renaming>& renamings() const { return renamings_; }
  /// The innermost one around the place; null: there is none.
  const SourceFunction* function_at(SourcePosition spot) const;

 private:
  std::vector<Unpacking> unpackings_;  // in the order of the text
  std::vector<Advance> advances_;      // too
  std::vector<Renaming> renamings_;
  std::vector<SourceFunction> functions_;
};

}  // namespace lockstep::debugger
