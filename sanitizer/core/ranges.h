// The interpreter's ranges of integers (interpreter/apart/range_rules.h) under this room's names.
#pragma once

#include "interpreter/apart/range_rules.h"

namespace lockstep::sanitizer {

using interpreter::apart::binary_range;
using interpreter::apart::counter_may_wrap;
using interpreter::apart::counter_range;
using interpreter::apart::difference_of;
using interpreter::apart::fit;
using interpreter::apart::full_range;
using interpreter::apart::hull;
using interpreter::apart::product_of;
using interpreter::apart::Range;
using interpreter::apart::sum_of;
using interpreter::apart::Wide;
using interpreter::apart::wide_text;

}  // namespace lockstep::sanitizer
