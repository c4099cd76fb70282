// A trial of checkers: one launch made without any, then under all, under some, under each alone, with several threads
// and models, and what should not have differed but did. Invariant: memory, printed lines, outcome and what the plain
// launch finds are the same in all; findings are the same for any number of threads, for a second launch, and for a
// checker alone as among others. What a checker may find is other tests' business.
#pragma once

#include <cstdint>

#include "trial.h"

namespace lockstep::exactness {

/// `request` as in try_launch. `seed` chooses which checkers run together.
Verdict try_checked(const ir::Module& module, const ir::Op& function, const TargetProfile& profile,
                    interpreter::RunRequest request, std::uint64_t seed);

}  // namespace lockstep::exactness
