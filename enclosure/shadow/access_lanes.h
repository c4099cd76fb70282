// The lanes of a memory access in a run with bounds: the interpreter's addresses and its choice of lanes.
#pragma once

#include <cstdint>
#include <vector>

#include "enclosure/shadow/shadow_run.h"

namespace lockstep::enclosure {

/// The addresses of an access, one per lane, and its lanes.
class Lanes {
 public:
  /// `mask`: of a plain access; null: every lane, or those of the block.
  Lanes(interpreter::Machine& machine, const OpRecord& record, const ValueRecord& pointer, const ValueRecord* mask,
        const Bounds* mask_bounds);

  std::int64_t count() const { return static_cast<std::int64_t>(addresses_.size()); }
  const std::vector<std::uint64_t>& addresses() const { return addresses_; }
  std::uint64_t address(std::int64_t i) const { return addresses_[static_cast<std::size_t>(i)]; }
  /// The interpreter's choice.
  bool is_on(std::int64_t i) const { return mask_.empty() || mask_[static_cast<std::size_t>(i)] != 0; }
  bool is_decided(std::int64_t i) const { return mask_bounds_ == nullptr || mask_bounds_->at(i).is_point(); }
  /// The element's bytes may be read: the address belongs to this launch.
  bool is_valid(std::int64_t i, int bytes);

 private:
  void take(interpreter::Machine& machine, const interpreter::Tile& pointer, const interpreter::TileType& type, const interpreter::Tile* mask,
            const interpreter::TileType* mask_type);

  const memory_model::AddressSpace& memory_;
  std::vector<std::uint64_t> addresses_;
  std::vector<std::uint8_t> mask_;
  const Bounds* mask_bounds_;
  memory_model::Extent last_{};
};

}  // namespace lockstep::enclosure
