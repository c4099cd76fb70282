// IndexOrigin: which loaded integer led an access out of bounds. For a faulty lane, it computes the address again from
// the kernel's IR, for this lane of this program; if the result is the same, and would be inside with 0 in place of a
// loaded number, that number is at fault. Only called for findings. Invariant: it blames nothing unless the result is
// the same (it does not compute carried values and memory that other programs may write). Not here: findings.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "ir/op.h"

namespace lockstep::interpreter {

struct Machine;

struct IndexOrigin {
  const ir::Op* load = nullptr;
  std::int64_t value = 0;
  std::string source;  // "idx[3]"
};

/// `pointer`: the access's; `base`: the argument's; `address`: the lane's; `is_inside`: whether the access may go
/// there. nullopt: no loaded number is known to be at fault.
std::optional<IndexOrigin> find_index_origin(const Machine& machine, const ir::Value& pointer, std::int64_t lane,
                                             std::uint64_t base, std::uint64_t address,
                                             const std::function<bool(std::uint64_t)>& is_inside);

}  // namespace lockstep::interpreter
