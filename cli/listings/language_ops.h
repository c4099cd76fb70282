// From names of triton.language to the ops that they become: for `lockstep ops tl.load`. An op of the same name is found
// by itself; what is called otherwise in the IR stands in a table.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "ir/op.h"
#include "ir/op_def.h"

namespace lockstep::cli {

/// The likeliest first; empty: no op is known for this name of triton.language.
std::vector<const ir::OpDef*> ops_of_language(std::string_view name);

/// A name of triton.language that is like this one, "load" for "lod"; empty: none is.
std::string nearest_of_language(std::string_view name);

}  // namespace lockstep::cli
