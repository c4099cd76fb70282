// The origin of a step in the user's text, for rows and advice of a profile.
#pragma once

#include <string>

#include "interpreter/profile/profile.h"
#include "support/location.h"

namespace lockstep::interpreter {

/// The user's line for a step: the innermost one outside of Triton's own library (the outermost if all are inside).
/// `library`: "standard.py:42" of the outermost library line left out, or empty.
ProfilePlace user_place(Location location, std::string& library);

}  // namespace lockstep::interpreter
