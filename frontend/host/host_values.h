// Helpers of the host interpreter's files for plain C++ values.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>

#include "frontend/semantics/value.h"
#include "support/result.h"

namespace lockstep::frontend {

/// The message for a failed host expression.
inline Unexpected<std::string> failure(std::string text) { return {std::move(text)}; }
inline Value integer_value(Integer value) { return Constant::integer(value); }
inline Value size_value(std::size_t value) { return Constant::integer(static_cast<Integer>(value)); }
inline Value boolean_value(bool value) { return Constant::boolean(value); }
inline Value text_value(std::string_view value) { return Constant::string(std::string(value)); }
/// Is the name in the list of names?
inline bool among(const auto& list, std::string_view name) {
  return std::find(list.begin(), list.end(), name) != list.end();
}

}  // namespace lockstep::frontend
