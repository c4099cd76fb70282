// Bounds: what an access may touch, decided before it touches anything. A pointer may reach the elements of the view
// that it was derived from; one of unknown origin (from an integer, or loaded) may reach any storage of the launch.
// Invariant: no lane that is_inside, box_is_inside or checked_lanes did not admit is ever read or written. Findings:
// LS101 past the end, LS102 in the storage but between or outside the view's elements, LS103 in another argument, LS104
// before the start, LS109 wholly in another argument's storage. Source: bug-zoo rows 1-7, 12.
#pragma once

#include <cstdint>
#include <string_view>

#include "interpreter/dense.h"
#include "interpreter/kernels/kernels.h"
#include "interpreter/machine.h"
#include "interpreter/structure.h"

namespace lockstep::interpreter {

/// What a load, store or atomic is, as far as its lanes are concerned. Operand numbers are -1 when absent.
struct Access {
  const TileType* pointer = nullptr;
  const TileType* value = nullptr;  // loaded or stored
  const TileType* mask_type = nullptr;
  int bytes = 4;              // of an element
  int mask = -1, other = -1;  // operand numbers
  bool is_write = false;
  bool is_observed = false;  // volatile, or in a loop that may wait for other programs
  std::string_view guard;    // what keeps the lanes inside, for findings; "": the mask
};

/// A strided set of elements: `origin` is the address of the first one, strides in bytes.
struct AddressBox {
  std::uint64_t origin = 0;
  AnyStrides shape{}, stride{};
  int rank = 0;
  std::int64_t count = 1;
};

/// The mask as a box over the pointers' shape (null: every lane); false when it is dense.
bool mask_box(const Access& access, const Tile* mask, Box& box);
/// The addresses of affine pointers under a box mask; addresses wrap.
AddressBox address_box(const Access& access, const AffineView& view, const Box& box);

/// Every byte of [begin, end) may be touched by a pointer of this provenance; answers no for views with gaps.
bool is_inside(const Machine& machine, std::int32_t provenance, std::uint64_t begin, std::uint64_t end);
/// Every element of the box may be touched (exact for views with gaps).
bool box_is_inside(const Machine& machine, std::int32_t provenance, const AddressBox& box, int bytes);
/// The lanes of `mask` (null: all) that may be touched, as a contiguous i1 tile; the others are reported. `addresses`:
/// one per lane.
Tile checked_lanes(Machine& machine, const Step* step, const Access& access, std::int32_t provenance,
                   const std::uint64_t* addresses, const std::uint8_t* mask, std::int64_t n);

/// The lanes of an access that goes one by one: those whose mask is set and whose address may be touched; the others
/// whose mask is set have been reported. Holds the addresses and the mask while it lives.
class AdmittedLanes {
 public:
  AdmittedLanes(Machine& machine, const Step* step, const Access& access, const Tile& pointer, const Tile* mask);
  /// False: no lane's mask is set, and nothing below may be asked.
  bool any() const { return range_.any; }
  const std::uint64_t* addresses() const { return reinterpret_cast<const std::uint64_t*>(pointers_->data()); }
  /// One byte a lane; null: every lane.
  const std::uint8_t* mask() const {
    return is_inside_ ? given_ : reinterpret_cast<const std::uint8_t*>(good_->data());
  }
  /// Lowest address among the lanes whose mask is set.
  std::uint64_t lowest() const { return range_.lowest; }

 private:
  Temporary pointers_, masked_;
  const std::uint8_t* given_;
  kernels::AddressRange range_;
  bool is_inside_;
  Temporary good_;
};

/// Notes what the program touches in logged views (see LoggedRange).
void log_box(Machine& machine, std::int32_t provenance, const AddressBox& box, int bytes, bool is_write);
void log_run(Machine& machine, std::int32_t provenance, std::uint64_t begin, std::uint64_t end, bool is_write);
void log_lanes(Machine& machine, std::int32_t provenance, const std::uint64_t* addresses, const std::uint8_t* mask,
               std::int64_t n, int bytes, bool is_write);

}  // namespace lockstep::interpreter
