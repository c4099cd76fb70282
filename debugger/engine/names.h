// Names of values as a person wrote them. MLIR keeps one location for all results of an op and prints none for
// arguments of regions, so what loops and branches carry is named by what they yield or start from. Not here: which of
// several values of one name a person means (frame.h).
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "ir/op.h"

namespace lockstep::debugger {

/// The Python name of a value ("acc"), else the name in the text ("0", "acc_24"); may be empty.
std::string name_of(const ir::Value& value);
/// What the statement of each user frame of a location gives its value to, in the order of user_frames(); empty: no
/// name.
std::vector<std::string_view> frame_names(Location location);
/// The name is Python's, not the text's.
bool has_python_name(const ir::Value& value);
/// Where a value comes from: its op's location; of an argument of a region without a Python name and
/// line the op's around it.
Location location_of(const ir::Value& value);

}  // namespace lockstep::debugger
