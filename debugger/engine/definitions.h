// Definitions: which values of a kernel a Python variable stands for. Triton names all values of an assignment's right
// side after its target, in each frame of inlined calls, so that a line makes many values of one name. Definitions
// holds which of them the variable got. Not here: which of several definitions a person means (frame.h).
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "ir/op.h"

namespace lockstep::debugger {

/// What Python's variables got.
struct Definitions {
  /// Values with the name of a variable that a later op of the same line gets its value from.
  std::unordered_set<const ir::Value*> intermediates;
  /// Results of inlined calls: their names at the call.
  struct Result {
    std::string name;
    std::size_t depth = 0;  // frames there, of the function that the op is in
  };
  std::unordered_map<const ir::Value*, std::vector<Result>> results;
  /// `target = source` between two variables in a line of a text: valid after it up to last_line. By file and line.
  struct Renaming {
    std::string file, target, source;
    std::uint32_t line = 0, last_line = 0;
  };
  std::vector<Renaming> renamings;
};

/// Ops of a kernel, once each, in the order of the text.
Definitions find_definitions(const std::vector<const ir::Op*>& ops);

}  // namespace lockstep::debugger
