#include "sanitizer/undef/undefined_bytes.h"

#include <algorithm>

namespace lockstep::sanitizer {

using memory_model::Address;
using memory_model::View;

bool is_uninitialised(const memory_model::AddressSpace& memory, memory_model::StorageId storage) {
  const auto views = memory.views_of(storage);
  return std::any_of(views.begin(), views.end(), [&](auto id) { return !memory.view(id).is_initialised; });
}

UndefinedBytes::UndefinedBytes(const memory_model::AddressSpace& memory) {
  for (const memory_model::LookupEntry& entry : memory.lookup_table()) {
    if (!is_uninitialised(memory, entry.storage)) continue;
    Range& range = ranges_.emplace_back();
    range.extent = entry.extent;
    for (const memory_model::ViewId id : memory.views_of(entry.storage)) {
      const View& view = memory.view(id);
      (view.is_initialised ? range.defined : range.undefined).push_back(view.completed());
    }
  }
}

namespace {

bool holds(const std::vector<View>& views, Address address) {
  return std::any_of(views.begin(), views.end(), [&](const View& view) { return view.contains(address, 1); });
}

bool touch(const std::vector<View>& views, const memory_model::Extent& extent) {
  return std::any_of(views.begin(), views.end(), [&](const View& view) { return view.extent.overlaps(extent); });
}

}  // namespace

UndefinedBytes::Page& UndefinedBytes::page_of(Range& range, std::uint64_t number) {
  std::unique_ptr<Page>& page = range.pages[number];
  if (page != nullptr) return *page;
  page = std::make_unique<Page>();
  const Address begin = range.extent.begin + number * kPage, end = std::min(begin + kPage, range.extent.end);
  const bool is_all = !touch(range.defined, {begin, end}) &&
                      std::any_of(range.undefined.begin(), range.undefined.end(), [&](const View& view) {
                        return view.is_dense && view.extent.begin <= begin && end <= view.extent.end;
                      });
  if (is_all) {
    page->set();
    return *page;
  }
  for (Address at = begin; at < end; ++at)
    page->set(at - begin, holds(range.undefined, at) && !holds(range.defined, at));
  return *page;
}

UndefinedBytes::Range* UndefinedBytes::find(Address address) {
  const auto after = std::upper_bound(ranges_.begin(), ranges_.end(), address,
                                      [](Address at, const Range& range) { return at < range.extent.begin; });
  if (after == ranges_.begin()) return nullptr;
  Range& range = *(after - 1);
  return address < range.extent.end ? &range : nullptr;
}

template <typename Body>
void UndefinedBytes::for_each_part(Address address, std::int64_t bytes, Body&& body) {
  Range* range = find(address);
  if (range == nullptr) return;
  const Address end = std::min(address + static_cast<std::uint64_t>(bytes), range->extent.end);
  while (address < end) {
    const std::uint64_t offset = address - range->extent.begin, first = offset % kPage;
    const std::uint64_t last = std::min(kPage, first + (end - address));
    if (!body(page_of(*range, offset / kPage), first, last)) return;
    address += last - first;
  }
}

bool UndefinedBytes::any(Address address, std::int64_t bytes) {
  bool is_any = false;
  for_each_part(address, bytes, [&](const Page& page, std::uint64_t first, std::uint64_t last) {
    if (page.none()) return true;
    for (std::uint64_t i = first; i < last && !is_any; ++i) is_any = page.test(i);
    return !is_any;
  });
  return is_any;
}

void UndefinedBytes::define(Address address, std::int64_t bytes) {
  for_each_part(address, bytes, [](Page& page, std::uint64_t first, std::uint64_t last) {
    if (last - first == kPage) {
      page.reset();
    } else {
      for (std::uint64_t i = first; i < last; ++i) page.reset(i);
    }
    return true;
  });
}

}  // namespace lockstep::sanitizer
