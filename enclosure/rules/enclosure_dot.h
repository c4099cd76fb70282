// tt.dot in midpoint-radius form: [A] [B] + [C] lies around mid A * mid B + mid C by |mid A| rad B + rad A |B| + rad C,
// plus the accumulator's loss by S-71's bounds, K 2^-24 (|A||B| + |C|), and the error of the inputs' precision (S-70).
// All of these are products of ordinary matrices in f64. A row or column with anything but finite intervals makes its
// results unbounded.
#pragma once

#include "ir/op.h"
#include "ir/op_def.h"

namespace lockstep::enclosure {

bool enclose_dot(EncloseContext& context, const ir::Op& op);

}  // namespace lockstep::enclosure
