// Ops in their own text: reads along the row's assembly form, then infers the types that the form leaves out.
#pragma once

#include "ir/text/parse/op_parser.h"

namespace lockstep::ir {

/// After the op's name. Precondition: the row has a form.
bool parse_by_form(OpParser& parser, Op& op);

}  // namespace lockstep::ir
