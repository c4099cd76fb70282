// Parser of the debugger's expressions: Python's expression grammar without lambdas, comprehensions, `in` and `is`,
// with its precedences, and && || ! c ? a : b as in C. Texts come from editors and the net: depth, length and nodes are
// bounded. Not here: what names mean.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "debugger/expression/syntax.h"
#include "debugger/expression/value.h"

namespace lockstep::debugger {

constexpr std::size_t kMaxExpressionBytes = 16 << 10;
constexpr std::uint32_t kMaxExpressionDepth = 100;

Expected<Expression, ExpressionError> parse_expression(std::string_view text);

/// A log message, "x is {x} in {pid(0)}": texts and expressions in turn. {{ and }} are braces.
struct MessagePart {
  std::string text;                    // where there is no expression
  std::vector<Expression> expression;  // one or none
};
/// Errors: positions are of the whole message.
Expected<std::vector<MessagePart>, ExpressionError> parse_message(std::string_view text);

}  // namespace lockstep::debugger
