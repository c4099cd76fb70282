// What has to be solved of linear layouts: ranks, inverses, quotients, and which of several holders of an element a
// conversion takes.
// Source: LinearLayout.cpp (lstsq, invertAndCompose, quotient, getFreeVariableMasks) and LayoutUtils.cpp of Triton 3.6.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ir/layouts/linear_layout.h"

namespace lockstep::ir {

int rank_of(const LinearLayout& layout);
bool is_surjective(const LinearLayout& layout);  // every coordinate is reached
bool is_injective(const LinearLayout& layout);   // no coordinate is reached twice
bool is_invertible(const LinearLayout& layout);

/// Per input the bits that can be chosen freely: those whose vector depends on vectors before it. Each element has
/// exactly one holder where all of them are 0. getFreeVariableMasks.
std::map<std::string, std::int32_t> free_variable_masks(const LinearLayout& layout);

/// From outputs to inputs. It must be invertible.
LinearLayout invert(const LinearLayout& layout);
/// The same of a layout that is only surjective: the input with as many zeros as possible. pseudoinvert.
LinearLayout pseudo_invert(const LinearLayout& layout);
/// Where `outer` holds what `layout` holds: from the inputs of `layout` to those of `outer`, which must be surjective.
/// Inputs that both have alike are mapped to themselves; of several places the one with zeros is taken.
/// layout.invertAndCompose(outer).
LinearLayout invert_and_compose(const LinearLayout& layout, const LinearLayout& outer);

/// What can be added to a place without changing what it holds: from "copy" to the inputs, a vector per free bit.
LinearLayout kernel_of(const LinearLayout& layout);

/// Without these dimensions, where they are mapped to themselves and touch nothing else; nullopt: they are not.
std::optional<LinearLayout> quotient(const LinearLayout& layout, const std::vector<std::string>& names);
/// True if `names` are mapped to themselves and touch nothing else: isTrivialOver.
bool is_trivial_over(const LinearLayout& layout, const std::vector<std::string>& names);
/// C with layout = divisor * C; nullopt: there is none. divideLeft.
std::optional<LinearLayout> divide_left(const LinearLayout& layout, const LinearLayout& divisor);

/// How many values of the first input in a row move the first output one by one: a power of two.
/// getNumConsecutiveInOut.
std::int32_t consecutive_in_out(const LinearLayout& layout);

}  // namespace lockstep::ir
