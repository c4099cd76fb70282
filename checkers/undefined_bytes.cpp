#include "checkers/undefined_bytes.h"

#include <algorithm>

#include "memory_model/elements.h"

namespace lockstep::checkers {

using memory_model::Address;
using memory_model::View;

namespace {

std::vector<View> views_of(const memory_model::AddressSpace& memory, memory_model::StorageId storage) {
  std::vector<View> views;
  for (const memory_model::ViewId id : memory.views_of(storage)) views.push_back(memory.view(id));
  return views;
}

}  // namespace

bool is_uninitialised(const memory_model::AddressSpace& memory, memory_model::StorageId storage) {
  const auto views = memory.views_of(storage);
  return std::any_of(views.begin(), views.end(), [&](auto id) { return !memory.view(id).is_initialised; });
}

UndefinedBytes::UndefinedBytes(const memory_model::AddressSpace& memory) {
  for (const memory_model::LookupEntry& entry : memory.lookup_table()) {
    if (!is_uninitialised(memory, entry.storage)) continue;
    ranges_.push_back({entry.extent, std::vector<bool>(static_cast<std::size_t>(entry.extent.bytes()), false)});
    const std::vector<View> views = views_of(memory, entry.storage);
    for (const bool is_undefined : {true, false}) {
      for (const View& view : views) {
        if (view.is_initialised != is_undefined) set(view, is_undefined);
      }
    }
  }
}

void UndefinedBytes::set(const View& view, bool is_undefined) {
  Range& range = ranges_.back();
  const auto fill = [&](Address begin, std::uint64_t bytes) {
    const auto first = range.undefined.begin() + static_cast<std::ptrdiff_t>(begin - range.extent.begin);
    std::fill(first, first + static_cast<std::ptrdiff_t>(bytes), is_undefined);
  };
  if (view.is_dense) return fill(view.extent.begin, view.extent.bytes());
  const auto bytes = static_cast<std::uint64_t>(size_bytes(view.element));
  memory_model::for_each_element(view, [&](std::int64_t, Address address) { fill(address, bytes); });
}

const UndefinedBytes::Range* UndefinedBytes::find(Address address) const {
  const auto after = std::upper_bound(ranges_.begin(), ranges_.end(), address,
                                      [](Address at, const Range& range) { return at < range.extent.begin; });
  if (after == ranges_.begin()) return nullptr;
  const Range& range = *(after - 1);
  return address < range.extent.end ? &range : nullptr;
}

bool UndefinedBytes::any(Address address, std::int64_t bytes) const {
  const Range* range = find(address);
  if (range == nullptr) return false;
  const Address end = std::min(address + static_cast<std::uint64_t>(bytes), range->extent.end);
  for (Address at = address; at < end; ++at) {
    if (range->undefined[static_cast<std::size_t>(at - range->extent.begin)]) return true;
  }
  return false;
}

void UndefinedBytes::define(Address address, std::int64_t bytes) {
  auto* range = const_cast<Range*>(find(address));
  if (range == nullptr) return;
  const Address end = std::min(address + static_cast<std::uint64_t>(bytes), range->extent.end);
  const auto first = range->undefined.begin();
  std::fill(first + static_cast<std::ptrdiff_t>(address - range->extent.begin),
            first + static_cast<std::ptrdiff_t>(end - range->extent.begin), false);
}

}  // namespace lockstep::checkers
