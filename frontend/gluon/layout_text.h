// What fields a layout of each class may have, and layouts as text: what a signature says of a descriptor. Not here:
// calls of the classes in kernels, layout_calls.h.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "frontend/semantics/layout.h"

namespace lockstep::frontend {

bool has_numbers(const LayoutField& field);
/// Lists of `rank` numbers.
bool has_bases(const LayoutField& field, std::size_t rank);
/// A power of two.
bool is_size(std::int64_t value);
/// Whether the fields are what the class asserts, and what its use takes for granted.
bool has_valid_fields(LayoutKind kind, const std::vector<LayoutField>& fields);
/// The default of a field that has one.
LayoutField default_field(std::string_view name);
/// "NVMMASharedLayout(swizzle_byte_width=128, element_bitwidth=16, rank=2)". Null: it is no layout.
LayoutPtr parse_layout(std::string_view text);

}  // namespace lockstep::frontend
