// What a proof for all sizes (the request lockstep/prove) says of one line, as a text for a hover.
#pragma once

#include <cstdint>
#include <string>

#include "support/json.h"

namespace lockstep::debugger::dap {

/// proof: the answer of lockstep/prove; file: as its rows have it; line: from 1. Rows as they stand, the worst first: "lockstep prove,
/// rows holds: integers needs n <= 5; bounds proved". "": it says nothing of the line.
std::string line_proof(const Json& proof, const std::string& file, std::int64_t line);

}  // namespace lockstep::debugger::dap
