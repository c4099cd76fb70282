// From names of triton.language to the ops that they become: for `lockstep ops tl.load`. The search finds an op of the
// same name; a table has the names that differ in the IR.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "ir/op.h"
#include "ir/op_def.h"

namespace lockstep::cli {

/// The likeliest first; empty: this name of triton.language has no known op.
std::vector<const ir::OpDef*> ops_of_language(std::string_view name);

/// A name of triton.language that is like this one, "load" for "lod"; empty: none is.
std::string nearest_of_language(std::string_view name);

}  // namespace lockstep::cli
