// Arguments for any kernel, made from its signature: pointers get tensors of random elements, descriptors matrices,
// scalars small numbers. For fuzz targets and tests; a kernel's use of them may be wrong, but never unsafe.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "fuzz/random.h"
#include "interpreter/launch/launch.h"
#include "ir/module.h"
#include "memory_model/view.h"

namespace lockstep::fuzz {

/// One argument per parameter, with its storage in `memory` (`elements` each). nullopt: a parameter that no launch has
/// (a tile), or no memory.
std::optional<std::vector<interpreter::Argument>> make_arguments(const ir::Op& function,
                                                                 memory_model::AddressSpace& memory, Random& random,
                                                                 std::int64_t elements);

}  // namespace lockstep::fuzz
