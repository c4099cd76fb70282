// A launch's profile as Python holds it: unchangeable, shared, alive while something refers to it. Invariant: `profile`
// is never null. Not here: what is measured (interpreter/profile/profiler.h), how it is shown
// (interpreter/profile/profile_text.h).
#pragma once

#include <memory>
#include <optional>

#include "interpreter/profile/profile.h"

namespace lockstep::python {

struct ProfileObject {
  std::shared_ptr<const interpreter::Profile> profile;
  /// nullopt (None) for a launch that was not measured.
  static std::optional<ProfileObject> of(const std::shared_ptr<const interpreter::Profile>& made) {
    return made == nullptr ? std::nullopt : std::optional(ProfileObject{made});
  }
};

}  // namespace lockstep::python
