// A profile as text: source lines by time, ops by time, what the workers did, advice; and as a trace in the JSON that
// Chrome and Perfetto read. Invariant: the times named in the text's last line add up. Lines of the user's files are
// quoted where the file can still be read. Not here: measuring (profiler.h).
#pragma once

#include <string>

#include "interpreter/profile/profile.h"

namespace lockstep::interpreter {

/// Several lines, each ending with a newline.
std::string profile_text(const Profile& profile);
/// "kernel.py:12"; "(no place)".
std::string place_text(const ProfilePlace& place);

/// Trace events: one track a worker; runs of programs, in them source lines, in those ops. Of all programs or, where
/// they are too many, of some (ProfileSlice), the others as one slice. Times in microseconds since the launch's start.
/// "otherData" has the rows of the profile.
std::string profile_trace(const Profile& profile);

}  // namespace lockstep::interpreter
