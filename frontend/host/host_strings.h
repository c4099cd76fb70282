// Methods of Python strings on compile-time values: for modules that assemble inline assembly. Invariant: the result is
// Python's or an error, never another text; results are bounded in size. ASCII rules for letters and spaces. Source:
// docs.python.org/3.11 "Text Sequence Type".
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "frontend/semantics/value.h"

namespace lockstep::frontend {

/// "...".NAME(arguments, keywords).
ValueResult call_string_method(const std::string& text, const std::string& name, const std::vector<Value>& arguments,
                               const std::vector<std::pair<std::string, Value>>& keywords);
bool is_string_method(std::string_view name);

}  // namespace lockstep::frontend
