// Types of a signature as placeholders for the arguments of a kernel until its function exists. A tuple is written
// "(*fp32, (i32, None), 1)", a named one "(x=*fp32, n=i32)".
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

#include "frontend/eval/python_class.h"
#include "frontend/requests.h"
#include "frontend/semantics/value.h"

namespace lockstep::frontend {

/// Values made by make() refer to this object.
class ArgumentTemplates {
 public:
  /// Invalid: no such type.
  Value make(const ParameterSpecialisation& given) { return make(given.type, given, ""); }
  /// One entry per SSA value that was made, in its order.
  const std::vector<std::int64_t>& divisibility() const { return divisibility_; }

 private:
  Value make(std::string_view type, const ParameterSpecialisation& given, const std::string& path);
  Value make_tuple(const std::vector<std::string_view>& parts, const ParameterSpecialisation& given,
                   const std::string& path);
  Value make_descriptor(const ValueType& block);

  std::vector<std::int64_t> divisibility_;
  std::deque<PythonClass> classes_;  // of named tuples
};

}  // namespace lockstep::frontend
