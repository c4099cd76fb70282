// Statements: what a Python text says about values that the compiler kept no names of: assignments to several names at
// once, what functions return, and where their expressions stand. Read from the text alone, line by line. Invariant:
// what is not understood (starred targets, chains of `=`, lines with `;`) is left out, never guessed. Not here: values.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace lockstep::debugger {

/// A place in a text: line (1-based) and column (0-based, bytes) in one number.
using Spot = std::uint64_t;
inline Spot spot_at(std::uint32_t line, std::uint32_t column) { return Spot{line} << 32 | column; }

struct SourceSpan {
  Spot begin = 0, end = 0;  // half-open
  bool holds(Spot spot) const { return begin <= spot && spot < end; }
};

struct SourceExpression {
  SourceSpan span;
  std::string words;                         // comments and ends of lines are blanks
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

/// `a = b`, or one of `a, b = b, a`: no op, another value. It holds behind its line, in the block that it stands in.
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
  explicit Statements(std::string_view text);
  /// Null: none of them is there.
  const Unpacking* unpacking_at(Spot spot) const;
  const Advance* advance_at(Spot spot) const;
  /// In the order of the text.
  const std::vector<Renaming>& renamings() const { return renamings_; }
  /// The innermost one around; null: there is none.
  const SourceFunction* function_at(Spot spot) const;

 private:
  std::vector<Unpacking> unpackings_;  // in the order of the text
  std::vector<Advance> advances_;      // too
  std::vector<Renaming> renamings_;
  std::vector<SourceFunction> functions_;
};

/// The called name of "tl.math.exp(x)" ("tl.math.exp"); empty where the whole expression is no call.
std::string_view called_name(std::string_view words);
/// A name and nothing else.
bool is_plain_name(std::string_view words);

}  // namespace lockstep::debugger
