// The `enclose` hooks of the ops' rows: each sets bounds of an op's results that hold for every legal execution, by the
// rules of docs/differential.md. Rows name the hook of their op; families share one. Invariant: sound; a hook without a
// rule returns false, and the results are then unbounded. Rounding follows docs/semantics.md.
#pragma once

#include "enclosure/rules/enclosure_asm.h"
#include "enclosure/rules/enclosure_bits.h"
#include "enclosure/rules/enclosure_dot.h"
#include "enclosure/rules/enclosure_dot_scaled.h"
#include "enclosure/rules/enclosure_float.h"
#include "enclosure/rules/enclosure_integer.h"
#include "enclosure/rules/enclosure_math.h"
#include "enclosure/rules/enclosure_reduce.h"
#include "enclosure/rules/enclosure_shape.h"
