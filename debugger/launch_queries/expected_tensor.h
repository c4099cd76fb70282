// The expected content of a tensor, compared with memory as it is now.
#pragma once

#include "enclosure/tolerance.h"
#include "memory_model/view.h"
#include "sanitizer/triage/mismatch.h"

namespace lockstep::debugger {

/// `expected`: C order, of the view's type and shape. For sanitizer::Expectation.
sanitizer::Outside outside_of(const memory_model::View& view, bool is_unsigned, const void* expected,
                             const enclosure::Tolerance& tolerance);

}  // namespace lockstep::debugger
