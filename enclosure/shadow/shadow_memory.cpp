#include "enclosure/shadow/shadow_memory.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace lockstep::enclosure {

ShadowMemory::Page* ShadowMemory::find(std::uint64_t address) {
  const std::uint64_t number = address / kPageBytes;
  if (number == last_number_) return last_;
  if (number < first_page_ || number > last_page_) return nullptr;
  const auto found = pages_.find(number);
  if (found == pages_.end()) return nullptr;
  last_number_ = number;
  last_ = found->second.get();
  return last_;
}

ShadowMemory::Page& ShadowMemory::make(std::uint64_t address, ScalarKind kind) {
  Page* page = find(address);
  if (page == nullptr) {
    auto made = std::make_unique<Page>();
    page = made.get();
    pages_.emplace(address / kPageBytes, std::move(made));
    last_number_ = address / kPageBytes;
    last_ = page;
    first_page_ = std::min(first_page_, last_number_);
    last_page_ = std::max(last_page_, last_number_);
  }
  if (page->used == 0 || page->values == nullptr) {
    page->kind = kind;
    page->bytes = size_bytes(kind);
    const std::uint64_t count = kPageBytes / static_cast<std::uint64_t>(page->bytes);
    page->values = std::make_unique<Interval[]>(count);
    page->has = std::make_unique<bool[]>(count);
    if (notes_writers_) {
      page->writers = std::make_unique<CauseId[]>(count);
      page->bits = std::make_unique<std::uint64_t[]>(count);
    }
    page->sums.clear();
  }
  return *page;
}

void ShadowMemory::lose(Page& page, const Interval& value) {
  page.is_lost = true;
  page.cause = value.is_unbounded() ? cause_of(value.low) : 0;
}

bool ShadowMemory::read(std::uint64_t address, ScalarKind kind, Interval& out) {
  Page* page = find(address);
  if (page == nullptr) return false;
  if (page->is_lost) return out = unbounded_interval(page->cause), true;
  if (page->used == 0) return false;
  const std::uint64_t at = address % kPageBytes, bytes = static_cast<std::uint64_t>(page->bytes);
  if (page->kind == kind && at % bytes == 0) {
    if (!page->has[at / bytes]) return false;
    out = page->values[at / bytes];
    return true;
  }
  const std::uint64_t end = std::min<std::uint64_t>(at + static_cast<std::uint64_t>(size_bytes(kind)), kPageBytes);
  for (std::uint64_t i = at / bytes; i * bytes < end; ++i) {
    if (page->has[i])
      return out = unbounded_interval(page->values[i].is_unbounded() ? cause_of(page->values[i].low) : 0), true;
  }
  return false;
}

void ShadowMemory::write(std::uint64_t address, ScalarKind kind, const Interval& value, CauseId writer) {
  Page& page = make(address, kind);
  const std::uint64_t at = address % kPageBytes, bytes = static_cast<std::uint64_t>(page.bytes);
  if (page.kind != kind || at % bytes != 0) return lose(page, value);
  const std::uint64_t index = at / bytes;
  if (!page.has[index]) {
    page.has[index] = true;
    ++page.used;
  } else if (!page.sums.empty()) {
    page.sums.erase(index);
  }
  page.values[index] = value;
  if (notes_writers_) page.writers[index] = writer;
}

void ShadowMemory::write_point(std::uint64_t address, int bytes) {
  Page* page = find(address);
  if (page == nullptr || page->used == 0 || page->is_lost) return;
  const std::uint64_t at = address % kPageBytes, unit = static_cast<std::uint64_t>(page->bytes);
  const std::uint64_t end = std::min<std::uint64_t>(at + static_cast<std::uint64_t>(bytes), kPageBytes);
  for (std::uint64_t i = at / unit; i * unit < end; ++i) {
    if (!page->has[i]) continue;
    // A part of an element is no longer a number of its kind.
    if (i * unit < at || (i + 1) * unit > end) return lose(*page, page->values[i]);
    page->has[i] = false;
    page->sums.erase(i);
    --page->used;
  }
}

void ShadowMemory::accumulate(std::uint64_t address, ScalarKind kind, ScalarKind as, const Interval& start,
                              const Interval& value, CauseId cause) {
  Page& page = make(address, kind);
  const std::uint64_t at = address % kPageBytes, bytes = static_cast<std::uint64_t>(page.bytes);
  if (page.kind != kind || at % bytes != 0) return lose(page, value);
  const std::uint64_t index = at / bytes;
  const auto [entry, is_new] = page.sums.try_emplace(index);
  Terms& terms = entry->second;
  if (is_new) terms.add(start);
  terms.add(value);
  Interval sum = sum_in_any_order(as, terms, cause);
  // S-64: the GPU's f32 additions read and give zeros for subnormals.
  constexpr double kLeastNormal = 0x1p-126, kSafe = 0x1p-100;
  if (as == ScalarKind::f32 && terms.magnitudes > 0 && (terms.spacing == 0 || terms.spacing < kSafe)) {
    const double lost = kLeastNormal * static_cast<double>(terms.nonzero);
    sum = {sum.low - lost, sum.high + lost};
  }
  if (!page.has[index]) ++page.used;
  page.has[index] = true;
  page.values[index] = sum;
  if (notes_writers_) page.writers[index] = cause;
}

CauseId ShadowMemory::writer_of(std::uint64_t address) {
  const Page* page = find(address);
  if (page == nullptr || page->is_lost || page->used == 0 || page->writers == nullptr) return 0;
  const std::uint64_t index = address % kPageBytes / static_cast<std::uint64_t>(page->bytes);
  return page->has[index] ? page->writers[index] : 0;
}

template <typename Body>
void ShadowMemory::for_each_known(const memory_model::AddressSpace& memory, Body&& body) {
  for (auto& [number, page] : pages_) {
    const auto bytes = static_cast<std::uint64_t>(page->bytes);
    if (page->is_lost || page->used == 0) continue;
    for (std::uint64_t i = 0; i < kPageBytes / bytes; ++i) {
      const std::uint64_t address = number * kPageBytes + i * bytes;
      if (!page->has[i]) continue;
      const auto storage = memory.find_storage(address);
      if (storage && address + bytes <= memory.storage(*storage).extent.end) body(*page, i, address);
    }
  }
}

namespace {

std::uint64_t bits_at(std::uint64_t address, int bytes) {
  std::uint64_t bits = 0;
  std::memcpy(&bits, reinterpret_cast<const void*>(address), static_cast<std::size_t>(bytes));
  return bits;
}

}  // namespace

void ShadowMemory::keep_bits(const memory_model::AddressSpace& memory) {
  for_each_known(memory, [](Page& page, std::uint64_t i, std::uint64_t address) {
    page.bits[i] = bits_at(address, page.bytes);
    page.writers[i] = 0;
    if (page.values[i].is_unbounded()) page.values[i] = unbounded_interval(0);
    page.sums.clear();
  });
  models_.clear();
}

bool ShadowMemory::is_unchanged(std::uint64_t address, ScalarKind kind) {
  const Page* page = find(address);
  if (page == nullptr || page->used == 0 || page->bits == nullptr || page->kind != kind) return true;
  const std::uint64_t index = address % kPageBytes / static_cast<std::uint64_t>(page->bytes);
  return !page->has[index] || page->bits[index] == bits_at(address, page->bytes);
}

void ShadowMemory::drop_changed(const memory_model::AddressSpace& memory) {
  for_each_known(memory, [](Page& page, std::uint64_t i, std::uint64_t address) {
    if (page.bits[i] == bits_at(address, page.bytes)) return;
    page.has[i] = false;
    --page.used;
  });
}

ModelSet ShadowMemory::all_models() const {
  ModelSet all = 0;
  for (const auto& [page, models] : models_) all |= models;
  return all;
}

}  // namespace lockstep::enclosure
