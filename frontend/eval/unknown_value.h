// Values that only a Python run could compute: opaque, with the reason.
#pragma once

#include <string>

#include "frontend/semantics/value.h"

namespace lockstep::frontend {

/// `what` completes "... is <what>".
inline Value unknown(std::string what = "a value that is only known when Python runs") {
  return OpaqueValue{std::move(what)};
}
inline bool is_unknown(const Value& value) { return value.opaque() != nullptr && value.opaque()->function == nullptr; }
/// The value of an expression that needs the unknown value `cause`.
Value depending_on(const Value& cause);

}  // namespace lockstep::frontend
