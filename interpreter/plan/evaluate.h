// The `.evaluate` hooks of the ops' rows: each appends the steps that compute one op to a plan; families share one.
// Invariant: a hook returns false only after PlanBuilder::unsupported or ::error, or because the op is unknown. Meaning
// of the ops: Triton 3.6 and MLIR; measured facts in docs/semantics.md.
#pragma once

#include "interpreter/access/atomic.h"
#include "interpreter/access/atomic_poll.h"
#include "interpreter/evaluators/block_pointer.h"
#include "interpreter/evaluators/descriptor.h"
#include "interpreter/evaluators/dot.h"
#include "interpreter/evaluators/dot_bits.h"
#include "interpreter/evaluators/dot_scaled.h"
#include "interpreter/evaluators/elementwise_ops.h"
#include "interpreter/evaluators/extended.h"
#include "interpreter/evaluators/gather_histogram.h"
#include "interpreter/evaluators/inline_asm.h"
#include "interpreter/evaluators/map_elementwise.h"
#include "interpreter/evaluators/memory_ops.h"
#include "interpreter/evaluators/reduce_scan.h"
#include "interpreter/evaluators/shape.h"
#include "interpreter/libdevice/extern_elementwise.h"
#include "interpreter/plan/control.h"
#include "interpreter/plan/print.h"
#include "interpreter/plan/simple_ops.h"
