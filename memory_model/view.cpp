#include "memory_model/view.h"

namespace lockstep::memory_model {

std::int64_t View::element_count() const {
  std::int64_t count = 1;
  for (const std::int64_t extent_of_dim : shape) count *= extent_of_dim;  // add_view refused what overflows
  return count;
}

bool View::contains(Address address, std::uint32_t bytes) const {
  if (address < extent.begin || address > extent.end || bytes > extent.end - address) return false;
  if (is_dense || bytes == 0) return true;
  if (!has_footprint) return completed().contains(address, bytes);
  const auto size = static_cast<std::int64_t>(size_bytes(element));
  const auto distance = static_cast<std::int64_t>(address - extent.begin);  // extent.begin is an element's first byte
  const std::int64_t first = distance / size;
  const std::int64_t last = (distance + bytes - 1) / size;
  return footprint.run_length(footprint.lowest() + first, last - first + 1) == last - first + 1;
}

View View::completed() const {
  View made = *this;
  if (has_footprint) return made;
  std::optional<Footprint> known = Footprint::make(shape, strides);
  made.has_footprint = true;
  made.is_dense = !known || known->is_empty() || known->is_dense();
  if (known) made.footprint = std::move(*known);
  return made;
}

}  // namespace lockstep::memory_model
