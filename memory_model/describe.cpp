#include "memory_model/describe.h"

#include <algorithm>
#include <numeric>

namespace lockstep::memory_model {
namespace {

std::int64_t floor_divide(std::int64_t a, std::int64_t b) { return a / b - (a % b != 0 && (a < 0) != (b < 0) ? 1 : 0); }

Address first_outside(const View& view, Address address, std::uint32_t bytes) {
  for (std::uint32_t i = 0; i < bytes; ++i) {
    if (!view.contains(address + i, 1)) return address + i;
  }
  return address;
}

Place place_in(const View& view, Address address) {
  if (view.contains(address, 1)) return Place::inside;
  if (address < view.extent.begin) return Place::before;
  return address >= view.extent.end ? Place::after : Place::gap;
}

// The narrowest one: a window is more specific than the pool it was cut from.
ViewId find_other_view(const AddressSpace& memory, const View& view, StorageId storage, Address address) {
  ViewId narrowest;
  for (const ViewId id : memory.views_of(storage)) {
    if (id == view.id || !memory.view(id).contains(address, 1)) continue;
    if (!narrowest || memory.view(id).extent.bytes() < memory.view(narrowest).extent.bytes()) narrowest = id;
  }
  return narrowest;
}

// `is_chance`: the neighbours of the view's storage depend on a foreign allocator.
Outside outside_of(const Classification& c, bool is_chance) {
  if (c.place == Place::inside) return Outside::none;
  const bool is_in_other_storage = c.storage && !c.in_own_storage;
  if (is_in_other_storage && !is_chance) return Outside::in_neighbour;
  if (c.in_own_storage && c.other_view && c.place != Place::gap) return Outside::in_neighbour;
  if (c.place == Place::before) return Outside::before_start;
  return c.in_own_storage ? Outside::of_view : Outside::past_end;
}

// Greedy division by falling stride; the outermost dimension takes the rest, so that x[4,3] names an element past the
// end of x[4,8]'s rows in the author's terms.
std::vector<std::int64_t> extrapolate_index(const View& view, std::int64_t slot) {
  std::vector<std::size_t> order(view.shape.size());
  std::iota(order.begin(), order.end(), 0U);
  if (view.shape.empty() || (view.footprint.is_empty() && view.shape.size() > 1)) return {};
  for (const std::int64_t stride : view.strides) {
    if (stride <= 0) return {};
  }
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return view.strides[a] != view.strides[b] ? view.strides[a] > view.strides[b] : a < b;
  });
  std::vector<std::int64_t> index(view.shape.size(), 0);
  for (const std::size_t d : order) {
    index[d] = floor_divide(slot, view.strides[d]);
    slot -= index[d] * view.strides[d];
  }
  return slot == 0 ? index : std::vector<std::int64_t>{};
}

std::string join(const std::vector<std::int64_t>& values) {
  std::string text;
  for (std::size_t i = 0; i < values.size(); ++i) text += (i == 0 ? "" : ",") + std::to_string(values[i]);
  return text;
}

bool is_row_major(const View& view) {
  std::int64_t expected = 1;
  for (std::size_t d = view.shape.size(); d-- > 0;) {
    if (view.shape[d] > 1 && view.strides[d] != expected) return false;
    expected *= view.shape[d];
  }
  return true;
}

}  // namespace

Classification classify(const AddressSpace& memory, const View& view, Address address, std::uint32_t bytes) {
  Classification result;
  const Address judged = first_outside(view, address, bytes);
  result.place = place_in(view, judged);
  if (const auto storage = memory.find_storage(judged)) {
    result.storage = *storage;
    result.in_own_storage = *storage == view.storage;
    result.other_view = find_other_view(memory, view, *storage, judged);
  }
  result.outside = outside_of(result, !memory.storage(view.storage).is_owned);
  return result;
}

Classification classify_in_storage(const AddressSpace& memory, const View& view, Address address, std::uint32_t bytes) {
  Classification result;
  const Extent& own = memory.storage(view.storage).extent;
  const bool begins_inside = own.begin <= address && address < own.end;
  if (begins_inside && bytes <= own.end - address) return result;
  const Address judged = begins_inside ? own.end : address;
  result.place = judged < own.begin ? Place::before : Place::after;
  if (const auto storage = memory.find_storage(judged)) {
    result.storage = *storage;
    result.other_view = find_other_view(memory, view, *storage, judged);
  }
  result.outside = result.place == Place::before ? Outside::before_start : Outside::past_end;
  return result;
}

ElementPlace describe_element(const View& view, Address address) {
  if (!view.has_footprint) return describe_element(view.completed(), address);
  ElementPlace result;
  const std::int64_t size = size_bytes(view.element);
  const auto distance = static_cast<std::int64_t>(address - view.base);
  result.slot = floor_divide(distance, size);
  result.byte_in_slot = distance - result.slot * size;
  result.place = place_in(view, address);
  if (result.place == Place::inside) {
    if (auto index = find_index(view.shape, view.strides, result.slot)) result.index = std::move(*index);
    return result;
  }
  result.index = extrapolate_index(view, result.slot);
  if (result.place == Place::after) result.distance_bytes = static_cast<std::int64_t>(address - view.extent.end);
  if (result.place == Place::before) result.distance_bytes = static_cast<std::int64_t>(view.extent.begin - address);
  if (result.place == Place::gap) {
    const std::int64_t slots_above = view.footprint.distance_above_covered(result.slot);
    result.distance_bytes = (slots_above - 1) * size + result.byte_in_slot;
  }
  return result;
}

std::string element_text(const View& view, Address address) {
  const ElementPlace place = describe_element(view, address);
  if (!place.index.empty()) return view.name + "[" + join(place.index) + "]";
  const auto distance = static_cast<std::int64_t>(address - view.base);
  return view.name + (distance < 0 ? "-" : "+") + std::to_string(distance < 0 ? -distance : distance) + " bytes";
}

std::string shape_text(const View& view) {
  if (view.shape.size() == 1 && is_row_major(view)) {
    return view.name + " has " + std::to_string(view.shape[0]) + (view.shape[0] == 1 ? " element" : " elements");
  }
  const std::string shape = view.name + " has shape [" + join(view.shape) + "]";
  return is_row_major(view) ? shape : shape + " and strides [" + join(view.strides) + "]";
}

}  // namespace lockstep::memory_model
