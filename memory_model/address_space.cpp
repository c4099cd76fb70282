#include <algorithm>
#include <cstring>
#include <deque>

#include "memory_model/mapping.h"
#include "memory_model/overlap.h"
#include "memory_model/view.h"
#include "support/check.h"

namespace lockstep::memory_model {
namespace {

constexpr std::uint64_t kRedZoneBytes = Arena::kPageBytes;
constexpr std::byte kRedZonePattern{0xa5};
constexpr std::size_t kMaxRank = 32;

/// The source of a view; the offset of element (0, 0, ...) in bytes from the storage's first.
struct Window {
  ScalarKind element{};
  std::int64_t offset = 0;
  std::span<const std::int64_t> shape, strides;
};

struct RedZone {
  std::byte* begin = nullptr;
  std::uint64_t bytes = 0;
};

Unexpected<Status> fail(DiagnosticCode code, std::string message, std::string hint) {
  return Unexpected{Status{code, std::move(message), std::move(hint)}};
}

Address address_of(const void* pointer) { return reinterpret_cast<Address>(pointer); }

// "x" joins "x,y" once.
void join_name(std::string& names, const std::string& name) {
  if (name == names || name.empty() || ("," + names + ",").find("," + name + ",") != std::string::npos) return;
  if (!names.empty()) names += ',';
  names += name;
}

std::string to_text(std::span<const std::int64_t> values) {
  std::string text = "[";
  for (std::size_t i = 0; i < values.size(); ++i) text += (i == 0 ? "" : ", ") + std::to_string(values[i]);
  return text + "]";
}

bool shape_is_valid(std::span<const std::int64_t> shape) {
  std::int64_t count = 1;
  bool is_empty = false;
  for (const std::int64_t extent : shape) {
    if (extent < 0) return false;
    is_empty |= extent == 0;
    if (extent > 0 && __builtin_mul_overflow(count, extent, &count)) return false;
  }
  return is_empty || count < (std::int64_t{1} << 60);
}

bool contains(const Extent& extent, Address address) { return extent.begin <= address && address < extent.end; }

Address distance_to(const Extent& extent, Address address) {
  if (address < extent.begin) return extent.begin - address;
  return address < extent.end ? 0 : address - extent.end + 1;
}

}  // namespace

struct AddressSpace::Impl {
  Arena arena;
  std::deque<Storage> storages;        // deques: references stay valid when they grow
  std::vector<std::int32_t> forwards;  // a joined storage -> the one it became part of
  std::deque<View> views;
  std::vector<LookupEntry> lookup;
  std::vector<RedZone> red_zones;

  StorageId resolve(StorageId id) const {
    LOCKSTEP_CHECK(id.index >= 0 && static_cast<std::size_t>(id.index) < storages.size(), "unknown storage");
    while (forwards[static_cast<std::size_t>(id.index)] != id.index)
      id.index = forwards[static_cast<std::size_t>(id.index)];
    return id;
  }
  Storage& at(StorageId id) { return storages[static_cast<std::size_t>(resolve(id).index)]; }
  const Storage& at(StorageId id) const { return storages[static_cast<std::size_t>(resolve(id).index)]; }

  StorageId add_storage(std::string name, Extent extent, bool is_owned);
  StorageId join_and_enter(StorageId added);
  LookupEntry* first_ending_after(Address address);
  /// A view of the storage; Errors as add_view's.
  Expected<ViewId, Status> enter(Storage& storage, std::string name, const Window& window, bool with_footprint);
  void fill_red_zone(std::byte* begin, std::uint64_t bytes);
};

StorageId AddressSpace::Impl::add_storage(std::string name, Extent extent, bool is_owned) {
  const StorageId id{static_cast<std::int32_t>(storages.size())};
  storages.push_back({id, extent, is_owned, std::move(name)});
  forwards.push_back(id.index);
  return id;
}

// Live storages do not overlap each other, so those that the new range meets are adjacent in the table.
LookupEntry* AddressSpace::Impl::first_ending_after(Address address) {
  const auto found = std::partition_point(lookup.begin(), lookup.end(),
                                          [&](const LookupEntry& entry) { return entry.extent.end <= address; });
  return lookup.data() + (found - lookup.begin());
}

// The new range joins every live storage it overlaps; the oldest id keeps the union.
StorageId AddressSpace::Impl::join_and_enter(StorageId added) {
  Extent extent = storages[static_cast<std::size_t>(added.index)].extent;
  if (extent.bytes() == 0) return added;
  const auto first = lookup.begin() + (first_ending_after(extent.begin) - lookup.data());
  auto last = first;
  StorageId oldest = added;
  for (; last != lookup.end() && last->extent.begin < extent.end; ++last)
    oldest.index = std::min(oldest.index, last->storage.index);
  if (first == last) {
    lookup.insert(first, {extent, added});
    return added;
  }
  std::vector<std::int32_t> members{added.index};
  for (auto it = first; it != last; ++it) members.push_back(it->storage.index);
  std::sort(members.begin(), members.end());
  Storage& joined = storages[static_cast<std::size_t>(oldest.index)];
  for (const std::int32_t member : members) {
    const Storage& part = storages[static_cast<std::size_t>(member)];
    joined.extent.begin = std::min(joined.extent.begin, part.extent.begin);
    joined.extent.end = std::max(joined.extent.end, part.extent.end);
    join_name(joined.name, part.name);
    forwards[static_cast<std::size_t>(member)] = oldest.index;
  }
  *first = {joined.extent, oldest};
  lookup.erase(first + 1, last);
  for (View& view : views) view.storage = resolve(view.storage);
  return oldest;
}

void AddressSpace::Impl::fill_red_zone(std::byte* begin, std::uint64_t bytes) {
  std::memset(begin, std::to_integer<int>(kRedZonePattern), bytes);
  red_zones.push_back({begin, bytes});
}

AddressSpace::AddressSpace() : impl_(std::make_unique<Impl>()) {}
AddressSpace::~AddressSpace() = default;

Expected<StorageId, Status> AddressSpace::allocate(std::string name, std::uint64_t bytes) {
  constexpr std::uint64_t kLargest = std::uint64_t{1} << 46;
  const std::uint64_t pages = (std::min(bytes, kLargest) + Arena::kPageBytes - 1) / Arena::kPageBytes;
  const std::uint64_t total = pages * Arena::kPageBytes + 2 * kRedZoneBytes;
  std::byte* begin = bytes > kLargest ? nullptr : impl_->arena.take(total);
  if (begin == nullptr) {
    return fail("LS3010", "cannot get " + std::to_string(bytes) + " bytes of memory for '" + name + "'",
                "use a smaller tensor, or raise the limit of the process (ulimit -v)");
  }
  std::byte* user = begin + kRedZoneBytes;
  impl_->fill_red_zone(begin, kRedZoneBytes);
  impl_->fill_red_zone(user + bytes, total - kRedZoneBytes - bytes);
  const Extent extent{address_of(user), address_of(user) + bytes};
  return impl_->join_and_enter(impl_->add_storage(std::move(name), extent, true));
}

StorageId AddressSpace::borrow(std::string name, void* data, std::uint64_t bytes) {
  const Extent extent{address_of(data), address_of(data) + bytes};
  return impl_->join_and_enter(impl_->add_storage(std::move(name), extent, false));
}

namespace {

/// Slots that a window covers, from lowest to past: as its footprint would say. nullopt: the arithmetic overflows.
struct SlotRange {
  std::int64_t lowest = 0, past = 0;
};
std::optional<SlotRange> slot_range(std::span<const std::int64_t> shape, std::span<const std::int64_t> strides) {
  constexpr std::int64_t kLargest = std::int64_t{1} << 56;
  SlotRange range{0, 1};
  bool is_empty = false;
  for (std::size_t d = 0; d < shape.size(); ++d) {
    is_empty |= shape[d] == 0;
    std::int64_t span = 0;
    if (shape[d] <= 1) continue;
    if (__builtin_mul_overflow(strides[d], shape[d] - 1, &span) || span < -kLargest || span > kLargest)
      return std::nullopt;
    (span < 0 ? range.lowest : range.past) += span;  // 32 of them at most: far inside 64 bits
  }
  return is_empty ? SlotRange{} : range;
}

std::string window_text(const std::string& name, const Window& window) {
  return "view '" + name + "' with shape " + to_text(window.shape) + ", strides " + to_text(window.strides);
}

Unexpected<Status> refuse_size(const std::string& name, const Window& window) {
  return fail("LS2011", window_text(name, window) + " is too large to address", "use smaller sizes or strides");
}

}  // namespace

Expected<ViewId, Status> AddressSpace::Impl::enter(Storage& storage, std::string name, const Window& window,
                                                   bool with_footprint) {
  const auto& [element, offset, shape, strides] = window;
  if (shape.size() != strides.size() || shape.size() > kMaxRank || !shape_is_valid(shape)) {
    return fail("LS2011", window_text(name, window) + " is malformed",
                "give as many strides as dimensions (at most 32), and no negative size");
  }
  const std::optional<SlotRange> slots = slot_range(shape, strides);
  if (!slots) return refuse_size(name, window);
  const std::int64_t size = size_bytes(element);
  const auto bytes = static_cast<std::int64_t>(storage.extent.bytes());
  std::int64_t first = 0, past = 0;  // bytes from the storage's start
  const bool fits = !__builtin_mul_overflow(slots->lowest, size, &first) &&
                    !__builtin_mul_overflow(slots->past, size, &past) &&
                    !__builtin_add_overflow(first, offset, &first) && !__builtin_add_overflow(past, offset, &past);
  if (!fits || first < 0 || past > bytes) {
    const std::string range =
        fits ? " covers bytes [" + std::to_string(first) + ", " + std::to_string(past) + ")" : " lies far outside";
    return fail("LS2010",
                window_text(name, window) + " and offset " + std::to_string(offset / size) + range +
                    " of the storage '" + storage.name + "', which has " + std::to_string(bytes) + " bytes",
                "choose offset, shape and strides that stay inside");
  }
  View& view = views.emplace_back();
  if (with_footprint) {
    std::optional<Footprint> footprint = Footprint::make(shape, strides);
    if (!footprint) {
      views.pop_back();
      return refuse_size(name, window);
    }
    view.is_dense = footprint->is_empty() || footprint->is_dense();
    view.footprint = std::move(*footprint);
  }
  view.has_footprint = with_footprint;
  view.id = {static_cast<std::int32_t>(views.size() - 1)};
  view.storage = storage.id;
  view.element = element;
  view.base = storage.extent.begin + static_cast<Address>(offset);
  view.extent = {storage.extent.begin + static_cast<Address>(first), storage.extent.begin + static_cast<Address>(past)};
  view.shape.assign(shape.begin(), shape.end());
  view.strides.assign(strides.begin(), strides.end());
  join_name(storage.name, name);
  view.name = std::move(name);
  return view.id;
}

Expected<ViewId, Status> AddressSpace::add_view(StorageId storage_id, std::string name, ScalarKind element,
                                                std::int64_t offset_elements, std::vector<std::int64_t> shape,
                                                std::vector<std::int64_t> strides) {
  std::int64_t offset = 0;
  if (__builtin_mul_overflow(offset_elements, static_cast<std::int64_t>(size_bytes(element)), &offset))
    offset = offset_elements < 0 ? INT64_MIN : INT64_MAX;
  return impl_->enter(impl_->at(storage_id), std::move(name), {element, offset, shape, strides}, true);
}

Expected<ViewId, Status> AddressSpace::add_view_at(StorageId storage_id, std::string name, ScalarKind element,
                                                   Address base, std::span<const std::int64_t> shape,
                                                   std::span<const std::int64_t> strides) {
  Storage& storage = impl_->at(storage_id);
  const auto offset = static_cast<std::int64_t>(base - storage.extent.begin);
  return impl_->enter(storage, std::move(name), {element, offset, shape, strides}, true);
}

Expected<ViewId, Status> AddressSpace::add_bare_view(StorageId storage_id, std::string name, ScalarKind element,
                                                     Address base, std::span<const std::int64_t> shape,
                                                     std::span<const std::int64_t> strides) {
  Storage& storage = impl_->at(storage_id);
  const auto offset = static_cast<std::int64_t>(base - storage.extent.begin);
  return impl_->enter(storage, std::move(name), {element, offset, shape, strides}, false);
}

void AddressSpace::mark_uninitialised(ViewId id) {
  impl_->views[static_cast<std::size_t>(view(id).id.index)].is_initialised = false;
}

const Storage& AddressSpace::storage(StorageId id) const { return impl_->at(id); }

const View& AddressSpace::view(ViewId id) const {
  LOCKSTEP_CHECK(id.index >= 0 && static_cast<std::size_t>(id.index) < impl_->views.size(), "unknown view");
  return impl_->views[static_cast<std::size_t>(id.index)];
}

std::size_t AddressSpace::storage_count() const { return impl_->storages.size(); }
std::size_t AddressSpace::view_count() const { return impl_->views.size(); }
const std::vector<LookupEntry>& AddressSpace::lookup_table() const { return impl_->lookup; }

std::vector<ViewId> AddressSpace::views_of(StorageId storage_id) const {
  const StorageId live = impl_->resolve(storage_id);
  std::vector<ViewId> result;
  for (const View& view : impl_->views) {
    if (view.storage == live) result.push_back(view.id);
  }
  return result;
}

std::optional<StorageId> AddressSpace::find_storage(Address address) const {
  const auto after = std::upper_bound(impl_->lookup.begin(), impl_->lookup.end(), address,
                                      [](Address a, const LookupEntry& entry) { return a < entry.extent.begin; });
  if (after == impl_->lookup.begin()) return std::nullopt;
  const LookupEntry& entry = *std::prev(after);
  return contains(entry.extent, address) ? std::optional(entry.storage) : std::nullopt;
}

std::optional<StorageId> AddressSpace::nearest_storage(Address address) const {
  std::optional<StorageId> best;
  Address best_distance = 0;
  for (const LookupEntry& entry : impl_->lookup) {
    const Address distance = distance_to(entry.extent, address);
    if (best && distance >= best_distance) continue;
    best = entry.storage;
    best_distance = distance;
  }
  return best;
}

std::vector<std::vector<ViewId>> AddressSpace::alias_groups() const {
  std::vector<Extent> extents;
  for (const View& view : impl_->views) extents.push_back(view.extent);
  std::vector<std::vector<ViewId>> groups;
  for (const std::vector<std::int32_t>& members : overlap_groups(extents)) {
    if (members.size() < 2) continue;
    std::vector<ViewId>& group = groups.emplace_back();
    for (const std::int32_t member : members) group.push_back({member});
  }
  return groups;
}

bool AddressSpace::red_zones_intact() const {
  return std::all_of(impl_->red_zones.begin(), impl_->red_zones.end(), [](const RedZone& zone) {
    return std::all_of(zone.begin, zone.begin + zone.bytes, [](std::byte b) { return b == kRedZonePattern; });
  });
}

}  // namespace lockstep::memory_model
