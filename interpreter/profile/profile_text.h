// A profile as text: source lines by time, ops by time, the workers' time, advice; and as a trace in the JSON of Chrome
// and Perfetto. Invariant: the times in the text's last line add up. It quotes lines of the user's files that are still
// readable. Not here: measuring (profiler.h).
#pragma once

#include <string>

#include "interpreter/profile/profile.h"

namespace lockstep::interpreter {

/// Several lines, each ending with a newline.
std::string profile_text(const Profile& profile);
/// "kernel.py:12"; "(no place)".
std::string place_text(const ProfilePlace& place);

/// Trace events: one track a worker; runs of programs, in them source lines, in those ops. Of all programs or, if they
/// are too many, of some (ProfileSlice), the others as one slice. Times in microseconds since the launch's start.
/// "otherData" has the rows of the profile.
std::string profile_trace(const Profile& profile);

}  // namespace lockstep::interpreter
