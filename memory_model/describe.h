// The place of an address relative to a view: the facts of findings LS101..LS104, in the view's own terms (element,
// index, distance), never as an address. Slow path: called once per reported access. Judges nothing about masks or
// provenance.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "memory_model/view.h"

namespace lockstep::memory_model {

/// inside: every byte in elements of the view. gap: between its elements. after/before: past the extent's end or start.
enum class Place : std::uint8_t { inside, gap, after, before };

/// How an access leaves its view: past the end of the storage; in the storage but not in the view; in another view's
/// elements or another storage; before the start.
enum class Outside : std::uint8_t { none, past_end, of_view, in_neighbour, before_start };

struct Classification {
  Place place = Place::inside;
  bool in_own_storage = false;  // the first byte outside the view is in the view's own storage
  StorageId storage;            // storage of the first byte outside the view (or of the address); may be none
  ViewId other_view;            // another view that holds that byte in an element; may be none
  Outside outside = Outside::none;
};

/// Classifies [address, address + bytes). bytes >= 1; an access that leaves the view is judged by its first byte
/// outside. Another storage does not count as a neighbour if the view's storage is borrowed: such storages are a
/// program's own tensors, whose order is the allocator's choice, so that the message would differ in the next run.
/// `storage` and `other_view` name what is there.
Classification classify(const AddressSpace& memory, const View& view, Address address, std::uint32_t bytes);

/// The same if a pointer may reach its view's whole storage: past the storage's end or before its start. `place` refers
/// to the storage. Never a neighbour.
Classification classify_in_storage(const AddressSpace& memory, const View& view, Address address, std::uint32_t bytes);

struct ElementPlace {
  Place place = Place::inside;
  std::int64_t slot = 0;  // element number counted from the base in memory order (may be negative)
  std::int64_t byte_in_slot = 0;
  /// inside: the index; outside: the index that the strides would give, with the outermost dimension unbounded. May be
  /// empty when the strides give no sensible answer (zero or overlapping strides, rank 0).
  std::vector<std::int64_t> index;
  std::int64_t distance_bytes =
      0;  // after: from the extent's end; before: to the extent's begin; gap: from the element below
};

ElementPlace describe_element(const View& view, Address address);
/// "x[3,17]", "x[1000]", "x[-1]"; "x+40 bytes" when no index can be given.
std::string element_text(const View& view, Address address);
/// "x has 1000 elements", "x has shape [4,8]", "x has shape [4,8] and strides [16,1]".
std::string shape_text(const View& view);

}  // namespace lockstep::memory_model
