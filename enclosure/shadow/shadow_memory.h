// Shadow memory: bounds of the elements in a launch's memory. Invariant: an element without bounds is the number in
// memory (a point); a page holds bounds for elements of one kind, and bytes that are read through another type than
// stored are unbounded. Nothing is allocated before the first element that is not a point. For one thread. Not here:
// which addresses are allowed.
#pragma once

#include <cstdint>
#include <memory>
#include <unordered_map>

#include "enclosure/bounds.h"
#include "enclosure/rules/any_order.h"
#include "memory_model/view.h"

namespace lockstep::enclosure {

class ShadowMemory {
 public:
  /// No element has bounds.
  bool is_empty() const { return pages_.empty(); }
  /// Some page with bounds meets these bytes.
  bool has_bounds(std::uint64_t begin, std::uint64_t end) const {
    for (const auto& [number, page] : pages_) {
      if (page->used != 0 && number * kPageBytes < end && begin < (number + 1) * kPageBytes) return true;
    }
    return false;
  }
  /// False: the element is a point.
  bool read(std::uint64_t address, ScalarKind kind, Interval& out);
  void write(std::uint64_t address, ScalarKind kind, const Interval& value, CauseId writer = 0);
  /// From now on, the element is the number in memory.
  void write_point(std::uint64_t address, int bytes);
  /// Adds to a float, among other additions whose order is open; `start`: the element's value so far.
  /// `as`: the format that rounds the additions.
  void accumulate(std::uint64_t address, ScalarKind kind, ScalarKind as, const Interval& start, const Interval& value,
                  CauseId cause);

  /// From now on, elements keep who wrote them, and keep_bits() what memory had then.
  void note_writers() { notes_writers_ = true; }
  /// The op of write() or accumulate(); 0: no element with bounds is there, or it is not noted.
  CauseId writer_of(std::uint64_t address);
  /// Every element of memory with bounds keeps its bits, so that drop_changed() knows it again. What it has of ops goes.
  void keep_bits(const memory_model::AddressSpace& memory);
  /// The element's bits are those that keep_bits() saw, or it has no bounds. Precondition: the bytes may be read.
  bool is_unchanged(std::uint64_t address, ScalarKind kind);
  /// Drops the elements of this memory whose bits are no longer those that keep_bits() saw.
  void drop_changed(const memory_model::AddressSpace& memory);

  /// Models that stored values depend on: kept for pages, not for elements, and never removed.
  bool has_models() const { return !models_.empty(); }
  void mark(std::uint64_t address, ModelSet models) { models_[address / kPageBytes] |= models; }
  ModelSet models_at(std::uint64_t address) const {
    const auto found = models_.find(address / kPageBytes);
    return found == models_.end() ? 0 : found->second;
  }
  ModelSet all_models() const;

 private:
  static constexpr std::uint64_t kPageBytes = 4096;
  struct Page {
    ScalarKind kind{};
    int bytes = 1;
    bool is_lost = false;  // holds bounds that elements of another kind were written over
    CauseId cause = 0;
    std::unique_ptr<Interval[]> values;
    std::unique_ptr<bool[]> has;
    std::unique_ptr<CauseId[]> writers;     // note_writers()
    std::unique_ptr<std::uint64_t[]> bits;  // keep_bits()
    std::unordered_map<std::uint64_t, Terms> sums;  // of additions, by element
    std::uint64_t used = 0;
  };
  Page* find(std::uint64_t address);
  Page& make(std::uint64_t address, ScalarKind kind);
  void lose(Page& page, const Interval& value);
  template <typename Body>
  void for_each_known(const memory_model::AddressSpace& memory, Body&& body);

  std::unordered_map<std::uint64_t, std::unique_ptr<Page>> pages_;
  std::unordered_map<std::uint64_t, ModelSet> models_;  // by page
  std::uint64_t first_page_ = ~std::uint64_t{0}, last_page_ = 0;  // no page lies outside
  std::uint64_t last_number_ = ~std::uint64_t{0};
  Page* last_ = nullptr;
  bool notes_writers_ = false;
};

}  // namespace lockstep::enclosure
