#include "gpu_diff/storage_snapshot.h"

#include <algorithm>
#include <cstring>

#include "memory_model/elements.h"

namespace lockstep::gpu_diff {
namespace {

char* bytes_at(memory_model::Address address) { return reinterpret_cast<char*>(address); }

/// By byte of the storage: whether some view's element holds it.
std::vector<bool> covered_bytes(const memory_model::AddressSpace& memory, const memory_model::LookupEntry& entry) {
  std::vector<bool> covered(entry.extent.bytes(), false);
  const auto cover = [&](memory_model::Address address, std::size_t bytes) {
    const std::size_t first = address - entry.extent.begin;
    std::fill_n(covered.begin() + static_cast<std::ptrdiff_t>(first), bytes, true);
  };
  for (const memory_model::ViewId id : memory.views_of(entry.storage)) {
    const memory_model::View& view = memory.view(id);
    if (view.is_dense) {
      cover(view.extent.begin, view.extent.bytes());
    } else {
      const auto bytes = static_cast<std::size_t>(size_bytes(view.element));
      for_each_element(view, [&](std::int64_t, memory_model::Address address) { cover(address, bytes); });
    }
  }
  return covered;
}

}  // namespace

StorageSnapshot::StorageSnapshot(const memory_model::AddressSpace& memory) : memory_(memory) {
  for (const memory_model::LookupEntry& entry : memory.lookup_table())
    copies_.emplace_back(bytes_at(entry.extent.begin), entry.extent.bytes());
}

void StorageSnapshot::restore() const {
  const auto& table = memory_.lookup_table();
  for (std::size_t i = 0; i < table.size(); ++i)
    std::memcpy(bytes_at(table[i].extent.begin), copies_[i].data(), copies_[i].size());
}

void StorageSnapshot::exchange() {
  const auto& table = memory_.lookup_table();
  for (std::size_t i = 0; i < table.size(); ++i)
    std::swap_ranges(copies_[i].begin(), copies_[i].end(), bytes_at(table[i].extent.begin));
}

std::string StrayBytes::text() const {
  const std::string where = offset < 0 ? std::to_string(-offset) + " bytes before its start"
                                       : std::to_string(offset) + " bytes after its start";
  return storage + ": " + std::to_string(count) +
         (count == 1 ? " byte that no tensor holds was changed, "
                     : " bytes that no tensor holds were changed, the first ") +
         where;
}

std::vector<StrayBytes> stray_bytes(const memory_model::AddressSpace& memory, const StorageSnapshot& other) {
  std::vector<StrayBytes> found;
  const auto& table = memory.lookup_table();
  for (std::size_t i = 0; i < table.size(); ++i) {
    const std::string& bytes = other.bytes(i);
    if (std::memcmp(bytes.data(), bytes_at(table[i].extent.begin), bytes.size()) == 0) continue;
    const std::vector<bool> covered = covered_bytes(memory, table[i]);
    StrayBytes stray{memory.storage(table[i].storage).name};
    for (std::size_t k = bytes.size(); k-- > 0;) {
      if (covered[k] || bytes[k] == bytes_at(table[i].extent.begin)[k]) continue;
      stray.offset = static_cast<std::int64_t>(k);
      ++stray.count;
    }
    if (stray.count != 0) found.push_back(std::move(stray));
  }
  return found;
}

}  // namespace lockstep::gpu_diff
