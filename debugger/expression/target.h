// Target: a place to watch or set: elements of an argument's memory or of a variable. `out`, `out[17,3]`, `acc[0,:]`,
// arg(out)[3], load-like ptr(x_ptrs)[5] (the memory behind it). Not here: watching, setting.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "debugger/expression/evaluate.h"
#include "memory_model/view.h"

namespace lockstep::debugger {

struct Target {
  std::string text;  // as it was written
  bool is_memory = false;
  // Of memory:
  MemoryWindow window;                      // the part that is meant
  std::vector<memory_model::Extent> bytes;  // its bytes, rising, neighbours joined
  // Of a variable:
  std::string variable;
  std::vector<std::int64_t> shape;     // of the whole variable
  std::vector<std::int64_t> elements;  // row-major numbers in it, in the order of the part
  std::vector<std::int64_t> part;      // shape of the part; empty: one element
};

/// Errors: not a place to watch, more than 2^20 pieces of memory.
Expected<Target, ExpressionError> resolve_target(const Expression& expression, const Scope& scope);

/// Bytes of the window's elements, rising, neighbours joined. Errors: more than 2^20 pieces.
Expected<std::vector<memory_model::Extent>, std::string> bytes_of(const MemoryWindow& window);

}  // namespace lockstep::debugger
