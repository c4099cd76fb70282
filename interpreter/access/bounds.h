// Bounds: what an access may touch, decided before it touches anything. A pointer may reach the elements of the view
// that it was derived from; one of unknown origin (from an integer, or loaded) may reach any storage of the launch.
// Invariant: no lane that is_inside, box_is_inside or checked_lanes did not admit is ever read or written. Findings:
// LS101 past the end, LS102 in the storage but between or outside the view's elements, LS103 in another argument, LS104
// before the start, LS109 wholly in another argument's storage. Twins: tests/findings/LS101_* to LS109_*.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <span>
#include <string_view>

#include "interpreter/kernels/kernels.h"
#include "interpreter/launch/machine.h"
#include "interpreter/plan/structure.h"
#include "interpreter/tile/dense.h"

namespace lockstep::interpreter {

/// A load, store or atomic, as far as its lanes are concerned. Operand numbers are -1 when absent.
struct Access {
  /// Of tiles of this type.
  void set_value(const TileType& type) {
    value = &type;
    bytes = type.element_bytes;
    copy = kernels::copy_box(type.kind);
    fill = kernels::fill(type.kind);
    shift = __builtin_ctz(static_cast<unsigned>(bytes));
    for (std::size_t d = 0; d < type.shape.size() && d < extent.size(); ++d) extent[d] = type.shape[d];
  }

  const TileType* pointer = nullptr;
  const TileType* value = nullptr;  // loaded or stored
  const TileType* mask_type = nullptr;
  int bytes = 4;                                // of an element
  int shift = 2;                                // bytes is 1 << shift
  std::array<std::int64_t, 3> extent{1, 1, 1};  // of the value's first dimensions
  kernels::BoxFn copy = nullptr;
  kernels::FillFn fill = nullptr;
  int mask = -1, other = -1;  // operand numbers
  bool is_write = false;
  bool is_observed = false;    // volatile, or in a loop that may wait for other programs
  bool is_read_again = false;  // by a loop after the load, time and again
  bool feeds_product = false;  // a product alone reads the tile, and brings it into a form of its own
  bool moves_on = false;       // the pointer is what a loop carries: the next turn's rows may lie behind these
  std::string_view guard;      // what keeps the lanes inside, for findings; "": the mask
  FindingCode block_code = FindingCode::none;  // LS106, LS108: of what leaves the view, whose guard says why
};

/// Operands of one access during its execution.
struct Lanes {
  const Tile* pointer = nullptr;
  const Tile* mask = nullptr;   // null: every lane
  const Tile* other = nullptr;  // of loads; null: 0
};

/// A strided set of elements: `origin` is the address of the first one, strides in bytes. Only the first `rank` entries
/// are valid, and only `count` if that is 0.
struct AddressBox {
  std::uint64_t origin;
  std::uint64_t begin, end;                       // all its bytes; begin > end: they leave the 64-bit address space
  std::array<std::int64_t, kMaxStridedRank> low;  // its first index in the tile
  std::array<std::int64_t, kMaxStridedRank> shape, stride;
  int rank;
  std::int64_t count;
};

/// Calls body(address, run_bytes) for the box's elements, whole runs at a time if they are adjacent, until it returns
/// false; returns whether it never did.
template <typename Body>
bool for_each_address_run(const AddressBox& box, int bytes, Body&& body) {
  AnyStrides shape{}, stride{};
  std::array<std::size_t, kMaxRank> order{};
  std::size_t varying = 0;  // the stride of a single element may be anything
  for (std::size_t d = 0; d < static_cast<std::size_t>(box.rank); ++d) {
    if (box.shape[d] > 1 && box.stride[d] != 0) order[varying++] = d;
  }
  std::sort(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(varying),
            [&](std::size_t a, std::size_t b) { return std::abs(box.stride[a]) > std::abs(box.stride[b]); });
  for (std::size_t i = 0; i < varying; ++i) {
    shape[i] = box.shape[order[i]];
    stride[i] = box.stride[order[i]];
  }
  const int kept = static_cast<int>(varying);
  const StridedWalk walk(shape.data(), kept, {stride.data(), nullptr, nullptr, nullptr}, 1);
  bool going = true;
  walk.for_each_run([&](const std::array<std::int64_t, StridedWalk::kMaxTiles>& offset) {
    if (!going) return;
    const std::uint64_t start = box.origin + static_cast<std::uint64_t>(offset[0]);
    if (walk.inner_stride[0] == bytes || walk.inner == 1) {
      going = body(start, walk.inner * bytes);
      return;
    }
    for (std::int64_t i = 0; i < walk.inner && going; ++i)
      going = body(start + static_cast<std::uint64_t>(i * walk.inner_stride[0]), bytes);
  });
  return going;
}

/// The addresses of plain pointers (uniform or affine) whose mask (null: every lane) is set; false if the mask is not a
/// box, or the pointers are not plain. Addresses wrap.
bool find_addresses(const Access& access, const Tile& pointer, const Tile* mask, AddressBox& out);
/// Sets begin and end from the rest.
void set_bytes(AddressBox& box, int bytes);

/// True if the answer is quick: the pointer's view has no gaps, and [begin, end) lies in it.
inline bool is_plainly_inside([[maybe_unused]] const Machine& machine, [[maybe_unused]] std::int32_t provenance,
                              [[maybe_unused]] std::uint64_t begin, [[maybe_unused]] std::uint64_t end) {
#ifdef LOCKSTEP_UNCHECKED
  return true;
#else
  if (provenance < 0) return false;
  const ViewRange& view = machine.launch.views[static_cast<std::size_t>(provenance)];
  return view.is_dense && begin >= view.begin && end <= view.end && begin <= end;
#endif
}
/// Whether a pointer of this provenance may touch every byte of [begin, end); false for views with gaps.
bool is_inside(const Machine& machine, std::int32_t provenance, std::uint64_t begin, std::uint64_t end);
/// Whether every element of the box may be touched (exact for views with gaps).
bool box_is_inside(const Machine& machine, std::int32_t provenance, const AddressBox& box, int bytes);
/// The lanes of `mask` (null: all) that may be touched, as a contiguous i1 tile; the others are reported. `addresses`:
/// one per lane.
Tile checked_lanes(Machine& machine, const Step* step, const Access& access, std::int32_t provenance,
                   const std::uint64_t* addresses, const std::uint8_t* mask, std::int64_t n);

/// The lanes of an access that goes one by one: those with a set mask and an admitted address; it has reported the
/// others with a set mask. Holds the addresses and the mask while it lives.
class AdmittedLanes {
 public:
  AdmittedLanes(Machine& machine, const Step* step, const Access& access, const Tile& pointer, const Tile* mask);
  /// False: no lane's mask is set, and the functions below must not be called.
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

/// Notes the program's accesses in logged and kept views (see LoggedRange), stores before they happen: the overwritten
/// bytes are kept if the launch may have to undo them (UndoLog).
inline bool is_logged(const Machine& machine, std::int32_t provenance) {
  if (provenance < 0) return false;
  const ViewRange& view = machine.launch.views[static_cast<std::size_t>(provenance)];
  return (machine.is_beside_others && view.is_logged) || view.is_kept;
}
/// Updates by atomics are kept for the launch's report only.
inline bool is_kept(const Machine& machine, std::int32_t provenance) {
  return provenance >= 0 && machine.launch.views[static_cast<std::size_t>(provenance)].is_kept;
}
void keep_box(Machine& machine, const AddressBox& box, int bytes);
void keep_lanes(Machine& machine, const std::uint64_t* addresses, const std::uint8_t* mask, std::int64_t n, int bytes);
/// Stores through pointers of this provenance bypass the caches (see ViewRange).
inline bool is_streamed(const Machine& machine, std::int32_t provenance) {
  return provenance >= 0 && machine.launch.views[static_cast<std::size_t>(provenance)].is_streamed;
}
void note_box(Machine& machine, const AddressBox& box, int bytes, bool is_write);
/// Notes the stores of rows of `run` bytes all at once; provenance is that of a logged view. False: nothing is noted.
bool note_stored_rows(Machine& machine, std::int32_t provenance, std::uint64_t run,
                      std::span<const std::uint64_t> addresses);
void note_run(Machine& machine, std::uint64_t begin, std::uint64_t end, bool is_write);
void note_lanes(Machine& machine, const std::uint64_t* addresses, const std::uint8_t* mask, std::int64_t n, int bytes,
                bool is_write);

}  // namespace lockstep::interpreter
