// Where a step comes from in the user's text, for rows and advice of a profile.
#pragma once

#include <string>

#include "interpreter/profile/profile.h"
#include "support/location.h"

namespace lockstep::interpreter {

/// The line of the user's that a step comes from: the innermost one that is not Triton's own library's (where all are,
/// the outermost). `library`: "standard.py:42" of the outermost library line left out, or empty.
ProfilePlace user_place(Location location, std::string& library);

}  // namespace lockstep::interpreter
