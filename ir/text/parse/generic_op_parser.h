// The generic form: "name"(operands)[^targets] <{properties}> ({regions}) {attributes} : (types) -> types.
#pragma once

#include "ir/text/parse/op_parser.h"

namespace lockstep::ir {

/// After the op's name. `is_known`: the op has a row, which groups its operands.
bool parse_generic_body(OpParser& parser, Op& op, bool is_known);

}  // namespace lockstep::ir
