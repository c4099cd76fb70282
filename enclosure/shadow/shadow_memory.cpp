#include "enclosure/shadow/shadow_memory.h"

#include <algorithm>
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

void ShadowMemory::write(std::uint64_t address, ScalarKind kind, const Interval& value) {
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

void ShadowMemory::accumulate(std::uint64_t address, ScalarKind kind, const Interval& start, const Interval& value,
                              CauseId cause) {
  Page& page = make(address, kind);
  const std::uint64_t at = address % kPageBytes, bytes = static_cast<std::uint64_t>(page.bytes);
  if (page.kind != kind || at % bytes != 0) return lose(page, value);
  const std::uint64_t index = at / bytes;
  const auto [entry, is_new] = page.sums.try_emplace(index);
  Terms& terms = entry->second;
  if (is_new) terms.add(start);
  terms.add(value);
  Interval sum = sum_in_any_order(kind, terms, cause);
  // S-64: the GPU's f32 additions read and give zeros for subnormals.
  constexpr double kLeastNormal = 0x1p-126, kSafe = 0x1p-100;
  if (kind == ScalarKind::f32 && terms.magnitudes > 0 && (terms.spacing == 0 || terms.spacing < kSafe)) {
    const double lost = kLeastNormal * static_cast<double>(terms.nonzero);
    sum = {sum.low - lost, sum.high + lost};
  }
  if (!page.has[index]) ++page.used;
  page.has[index] = true;
  page.values[index] = sum;
}

ModelSet ShadowMemory::all_models() const {
  ModelSet all = 0;
  for (const auto& [page, models] : models_) all |= models;
  return all;
}

}  // namespace lockstep::enclosure
