// Conversions to and from 8-bit floats whose result depends on the target: not a single rounding, but the effect of the
// instructions that Triton 3.6 emits for it. Plain loops, one for all instruction sets. All others convert by
// kernels.h. Source: PTX of Triton 3.6 for sm_80, sm_89, sm_90 and sm_100; the H200's answers in tests/ops.
#pragma once

#include "interpreter/kernels/ops.h"
#include "support/target_profile.h"

namespace lockstep::interpreter::kernels {

/// The target's own conversion, or null if the ordinary one is right (S-75, S-76).
ConvertFn find_profile_convert(ScalarKind from, ScalarKind to, Conversion how, const TargetProfile& profile);

}  // namespace lockstep::interpreter::kernels
