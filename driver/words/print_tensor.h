// A tensor as text for people, in the manner of NumPy: nested brackets, aligned columns, three elements at each edge of
// every dimension when there are more than 1000. Reads memory through the view only. Numbers: the shortest text that
// reads back to the same value in the tensor's type, at most 8 significant digits.
#pragma once

#include <cstdint>
#include <string>

#include "memory_model/view.h"

namespace lockstep::driver {

/// "out: f32[4]\n[1. 2. 3. 4.]\n".
std::string print_tensor(const memory_model::View& view, bool is_unsigned);
/// One element: "1.5", "-inf", "True", "255". `bits`: zero-extended.
std::string element_to_text(ScalarKind kind, bool is_unsigned, std::uint64_t bits);

}  // namespace lockstep::driver
