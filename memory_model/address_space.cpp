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

struct RedZone {
  std::byte* begin = nullptr;
  std::uint64_t bytes = 0;
};

Unexpected<Status> fail(std::string code, std::string message, std::string hint) {
  return Unexpected{Status{std::move(code), std::move(message), std::move(hint)}};
}

Address address_of(const void* pointer) { return reinterpret_cast<Address>(pointer); }

// "x" joins "x,y" once.
void join_name(std::string& names, const std::string& name) {
  if (name.empty() || ("," + names + ",").find("," + name + ",") != std::string::npos) return;
  if (!names.empty()) names += ',';
  names += name;
}

std::string to_text(const std::vector<std::int64_t>& values) {
  std::string text = "[";
  for (std::size_t i = 0; i < values.size(); ++i) text += (i == 0 ? "" : ", ") + std::to_string(values[i]);
  return text + "]";
}

bool shape_is_valid(const std::vector<std::int64_t>& shape) {
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
  void join_overlapping(StorageId added);
  void rebuild_lookup();
  void fill_red_zone(std::byte* begin, std::uint64_t bytes);
};

StorageId AddressSpace::Impl::add_storage(std::string name, Extent extent, bool is_owned) {
  const StorageId id{static_cast<std::int32_t>(storages.size())};
  storages.push_back({id, extent, is_owned, std::move(name)});
  forwards.push_back(id.index);
  return id;
}

// The new range joins every live storage it overlaps; the oldest id keeps the union.
void AddressSpace::Impl::join_overlapping(StorageId added) {
  std::vector<Extent> extents;
  extents.reserve(storages.size());
  for (const Storage& storage : storages) {
    extents.push_back(forwards[static_cast<std::size_t>(storage.id.index)] == storage.id.index ? storage.extent
                                                                                               : Extent{});
  }
  for (const std::vector<std::int32_t>& group : overlap_groups(extents)) {
    if (group.back() != added.index || group.size() < 2) continue;
    Storage& oldest = storages[static_cast<std::size_t>(group.front())];
    for (const std::int32_t member : group) {
      const Storage& joined = storages[static_cast<std::size_t>(member)];
      oldest.extent.begin = std::min(oldest.extent.begin, joined.extent.begin);
      oldest.extent.end = std::max(oldest.extent.end, joined.extent.end);
      join_name(oldest.name, joined.name);
      forwards[static_cast<std::size_t>(member)] = group.front();
    }
  }
  for (View& view : views) view.storage = resolve(view.storage);
}

void AddressSpace::Impl::rebuild_lookup() {
  lookup.clear();
  for (const Storage& storage : storages) {
    if (resolve(storage.id) == storage.id && storage.extent.bytes() > 0) lookup.push_back({storage.extent, storage.id});
  }
  std::sort(lookup.begin(), lookup.end(),
            [](const LookupEntry& a, const LookupEntry& b) { return a.extent.begin < b.extent.begin; });
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
  const StorageId id = impl_->add_storage(std::move(name), extent, true);
  impl_->rebuild_lookup();
  return id;
}

StorageId AddressSpace::borrow(std::string name, void* data, std::uint64_t bytes) {
  const Extent extent{address_of(data), address_of(data) + bytes};
  const StorageId id = impl_->add_storage(std::move(name), extent, false);
  impl_->join_overlapping(id);
  impl_->rebuild_lookup();
  return impl_->resolve(id);
}

Expected<ViewId, Status> AddressSpace::add_view(StorageId storage_id, std::string name, ScalarKind element,
                                                std::int64_t offset_elements, std::vector<std::int64_t> shape,
                                                std::vector<std::int64_t> strides) {
  Storage& storage = impl_->at(storage_id);
  const auto what = [&] {
    return "view '" + name + "' with shape " + to_text(shape) + ", strides " + to_text(strides);
  };
  if (shape.size() != strides.size() || shape.size() > kMaxRank || !shape_is_valid(shape)) {
    return fail("LS2011", what() + " is malformed",
                "give as many strides as dimensions (at most 32), and no negative size");
  }
  std::optional<Footprint> footprint = Footprint::make(shape, strides);
  if (!footprint) return fail("LS2011", what() + " is too large to address", "use smaller sizes or strides");
  const std::int64_t size = size_bytes(element);
  const auto bytes = static_cast<std::int64_t>(storage.extent.bytes());
  std::int64_t first = 0, past_last = 0;  // bytes from the storage's start
  bool fits = !__builtin_add_overflow(offset_elements, footprint->lowest(), &first) &&
              !__builtin_add_overflow(offset_elements, footprint->highest() + 1, &past_last) &&
              !__builtin_mul_overflow(first, size, &first) && !__builtin_mul_overflow(past_last, size, &past_last);
  if (!fits || first < 0 || past_last > bytes) {
    const std::string range =
        fits ? " covers bytes [" + std::to_string(first) + ", " + std::to_string(past_last) + ")" : " lies far outside";
    return fail("LS2010",
                what() + " and offset " + std::to_string(offset_elements) + range + " of the storage '" + storage.name +
                    "', which has " + std::to_string(bytes) + " bytes",
                "choose offset, shape and strides that stay inside");
  }
  View view;
  view.id = {static_cast<std::int32_t>(impl_->views.size())};
  view.storage = storage.id;
  view.element = element;
  view.base = storage.extent.begin + static_cast<Address>(offset_elements * size);
  view.extent = {storage.extent.begin + static_cast<Address>(first),
                 storage.extent.begin + static_cast<Address>(past_last)};
  view.is_dense = footprint->is_empty() || footprint->is_dense();
  view.footprint = std::move(*footprint);
  view.shape = std::move(shape);
  view.strides = std::move(strides);
  join_name(storage.name, name);
  view.name = std::move(name);
  impl_->views.push_back(std::move(view));
  return impl_->views.back().id;
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
