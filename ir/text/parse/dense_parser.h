// dense<...> : tensor<...>: one number for all elements, nested lists of numbers, or the bytes in hexadecimal.
#pragma once

#include "ir/attribute.h"
#include "ir/text/parse/type_parser.h"

namespace lockstep::ir {

/// At the word `dense`. Null: diagnosed.
Attribute parse_dense(TypeParser& parser);

}  // namespace lockstep::ir
