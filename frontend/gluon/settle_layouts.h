// What Gluon's passes do before a module can be executed: calls are inlined, and each gl.AutoLayout becomes the layout
// that its uses ask for. Source: Triton 3.6, lib/Dialect/Gluon (inliner, resolve auto encodings), observed.
#pragma once

#include "frontend/lowering/lowering_context.h"

namespace lockstep::frontend {

/// Then equal and dead code is cleaned up. Nothing is combined: Triton does not for Gluon. False: a layout cannot be
/// found, which was reported (LS1131).
bool run_gluon_pipeline(Compilation& compilation);

}  // namespace lockstep::frontend
