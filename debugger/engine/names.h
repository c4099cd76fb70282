// Names of values as a person wrote them. MLIR keeps one location for all results of an op and prints none for
// arguments of regions, so carried values take the names of the yielded or initial ones. Not here: which of several
// values of one name a person means (frame.h).
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "ir/op.h"

namespace lockstep::debugger {

/// The Python name of a value ("acc"), else the name in the text ("0", "acc_24"); may be empty.
std::string name_of(const ir::Value& value);
/// The target of each user frame's statement in a location, in the order of user_frames(); empty: no name.
std::vector<std::string_view> frame_names(Location location);
/// The name is Python's, not the text's.
bool has_python_name(const ir::Value& value);
/// The location of a value: that of its op; for an argument of a region without Python name and line, that of the op
/// around it.
Location location_of(const ir::Value& value);

}  // namespace lockstep::debugger
