// Encodings from text: every form that Triton 3.6 to 3.9 prints, parameters in any order. Guards: nesting, entries of a
// list, sizes of numbers; hostile text gives diagnostics.
#pragma once

#include <functional>
#include <string_view>

#include "ir/layouts/encoding.h"

namespace lockstep::ir {

class Context;
class TokenCursor;
struct Token;

/// What an alias (`#blocked1`, no dot in its name) stands for; null: the callee has reported why.
using EncodingResolver = std::function<const Encoding*(const Token& alias)>;

/// True of "#ttg.blocked" and what else `parse_encoding` reads, and of the encodings that it refuses by name (AMD's).
bool names_encoding(std::string_view hash_word);

/// Reads one, from its `#name` to its '>', or an alias, and interns it. Null: a diagnostic was reported (LS1001, LS1021
/// of the text, LS1131 where Triton refuses what it says; unsupported: AMD's).
const Encoding* parse_encoding(TokenCursor& cursor, Context& context, const EncodingResolver& resolve);

}  // namespace lockstep::ir
