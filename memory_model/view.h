// Views: typed strided windows on storages; the address space that knows every storage and view of a launch. Kernels
// see real host addresses; every access is resolved here first, so no address of a kernel's own making is ever
// dereferenced. Units: offsets and extents in bytes unless a name says elements.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "memory_model/footprint.h"
#include "support/diagnostics/status.h"
#include "support/result.h"
#include "support/scalar.h"

namespace lockstep::memory_model {

using Address = std::uint64_t;

struct StorageId {
  std::int32_t index = -1;
  explicit operator bool() const { return index >= 0; }
  friend bool operator==(StorageId, StorageId) = default;
};
struct ViewId {
  std::int32_t index = -1;
  explicit operator bool() const { return index >= 0; }
  friend bool operator==(ViewId, ViewId) = default;
};

/// Half-open byte range of addresses.
struct Extent {
  Address begin = 0;
  Address end = 0;
  std::uint64_t bytes() const { return end - begin; }
  bool overlaps(const Extent& other) const { return begin < other.end && other.begin < end; }
  bool contains(const Extent& other) const { return begin <= other.begin && other.end <= end; }
};

/// An allocation: owned by us (with red zones on both sides) or borrowed (a caller's array; no red zones).
struct Storage {
  StorageId id;
  Extent extent;  // user bytes, red zones excluded
  bool is_owned = false;
  std::string name;  // "x" or "x,y" for an alias group
};

/// One row of the address lookup table.
struct LookupEntry {
  Extent extent;
  StorageId storage;
};

/// A kernel argument's window. Element (i0, i1, ...) is at base + sum(i_d * strides[d]) * element size.
struct View {
  ViewId id;
  StorageId storage;
  std::string name;
  ScalarKind element{};
  Address base = 0;
  std::vector<std::int64_t> shape;    // elements
  std::vector<std::int64_t> strides;  // elements; any sign, 0 for broadcast
  Extent extent;                      // smallest range that holds every element; empty if there is no element
  bool is_dense = false;              // every byte of extent belongs to an element (false without footprint)
  bool is_initialised = true;         // false for `empty`
  bool has_footprint = true;          // false: added without (add_bare_view), worked out where it is asked for
  Footprint footprint;                // slots of element size, counted from base

  /// Product of the shape; an element reached by several indices counts once for each.
  std::int64_t element_count() const;
  /// True if [address, address+bytes) lies inside one element of the view or a run of them.
  bool contains(Address address, std::uint32_t bytes) const;
  /// The view with its footprint. One too irregular for a footprint counts as dense: for texts only.
  View completed() const;
};

class AddressSpace {
 public:
  AddressSpace();
  ~AddressSpace();
  AddressSpace(const AddressSpace&) = delete;
  AddressSpace& operator=(const AddressSpace&) = delete;

  /// Allocates zeroed bytes with red zones of at least 4 KiB on both sides, aligned to 256 bytes.
  /// Errors: LS3010 when the memory cannot be had.
  Expected<StorageId, Status> allocate(std::string name, std::uint64_t bytes);
  /// Registers memory owned by the caller. Ranges that overlap one known already become one storage (their union).
  /// Ids of the joined storages stay valid and name the joined one; views move with it. Not while a launch runs.
  StorageId borrow(std::string name, void* data, std::uint64_t bytes);
  /// Adds a window on a storage; offset from the storage's first byte. `name` joins the storage's name.
  /// Errors: LS2010 when an element lies outside the storage, LS2011 when shape and strides are malformed or too large.
  Expected<ViewId, Status> add_view(StorageId storage, std::string name, ScalarKind element,
                                    std::int64_t offset_elements, std::vector<std::int64_t> shape,
                                    std::vector<std::int64_t> strides);
  /// The same by the address of element (0, 0, ...), which need not be a whole number of elements from the start.
  Expected<ViewId, Status> add_view_at(StorageId storage, std::string name, ScalarKind element, Address base,
                                       std::span<const std::int64_t> shape, std::span<const std::int64_t> strides);
  /// add_view_at without the cost of a footprint: for launches in which a pointer may reach its view's whole storage
  /// anyway. The footprint is computed on demand (slow: for findings).
  Expected<ViewId, Status> add_bare_view(StorageId storage, std::string name, ScalarKind element, Address base,
                                         std::span<const std::int64_t> shape, std::span<const std::int64_t> strides);
  /// For a tensor that was never written (`empty`).
  void mark_uninitialised(ViewId id);

  // All functions below are safe to call from many threads while nothing changes the space. References stay valid for
  // its life.
  const Storage& storage(StorageId id) const;
  const View& view(ViewId id) const;
  /// The number of storages ever made, joined ones included: storage({i}).id.index == i identifies the live ones.
  std::size_t storage_count() const;
  std::size_t view_count() const;
  /// The live storages that have bytes, by rising address, none overlapping: for a caller's own binary search.
  const std::vector<LookupEntry>& lookup_table() const;
  /// Views on a storage, in the order they were added.
  std::vector<ViewId> views_of(StorageId storage) const;
  /// Storage whose user bytes contain the address.
  std::optional<StorageId> find_storage(Address address) const;
  /// Storage nearest to the address (its red zone or closest extent), for messages.
  std::optional<StorageId> nearest_storage(Address address) const;
  /// Groups of views that share bytes (by extent overlap), each sorted; singletons left out.
  std::vector<std::vector<ViewId>> alias_groups() const;
  /// True if the red zones of owned storages still hold their pattern (a defect of Lockstep if not).
  bool red_zones_intact() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace lockstep::memory_model
