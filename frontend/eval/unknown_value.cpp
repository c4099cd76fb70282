#include "frontend/eval/unknown_value.h"

namespace lockstep::frontend {

Value depending_on(const Value& cause) {
  constexpr std::string_view kImport = "from the module ", kFunction = "the plain Python function ";
  const std::string& what = cause.opaque()->what;
  if (what.starts_with(kImport)) return unknown("a value that depends on the module " + what.substr(kImport.size()));
  if (what.starts_with(kFunction)) return unknown("a value of the Python function " + what.substr(kFunction.size()));
  return cause;
}

}  // namespace lockstep::frontend
