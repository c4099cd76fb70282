// Whether each byte of a group's stored rectangles is written by one element of one store. Invariant: yes is certain,
// no may be too careful. Not here: bounds.
#pragma once

#include "interpreter/access/bounds.h"

namespace lockstep::interpreter {

/// True if no two elements share a byte, judged by the order of the dimensions. `bytes`: of an element.
bool is_nested(const AddressBox& box, int bytes);
/// True if two nested boxes certainly share no byte: one ends before the other begins, or both have rows at the same
/// distance, and their places between two rows are apart (the left and the right half of a matrix).
bool are_apart(const AddressBox& a, const AddressBox& b);

}  // namespace lockstep::interpreter
