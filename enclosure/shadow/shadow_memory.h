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

namespace lockstep::enclosure {

class ShadowMemory {
 public:
  /// No element has bounds.
  bool is_empty() const { return pages_.empty(); }
  /// False: the element is a point.
  bool read(std::uint64_t address, ScalarKind kind, Interval& out);
  void write(std::uint64_t address, ScalarKind kind, const Interval& value);
  /// From now on, the element is the number in memory.
  void write_point(std::uint64_t address, int bytes);
  /// Adds to a float, among other additions whose order is open; `start`: the element's value so far.
  void accumulate(std::uint64_t address, ScalarKind kind, const Interval& start, const Interval& value, CauseId cause);

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
    std::unordered_map<std::uint64_t, Terms> sums;  // of additions, by element
    std::uint64_t used = 0;
  };
  Page* find(std::uint64_t address);
  Page& make(std::uint64_t address, ScalarKind kind);
  void lose(Page& page, const Interval& value);

  std::unordered_map<std::uint64_t, std::unique_ptr<Page>> pages_;
  std::unordered_map<std::uint64_t, ModelSet> models_;  // by page
  std::uint64_t first_page_ = ~std::uint64_t{0}, last_page_ = 0;  // no page lies outside
  std::uint64_t last_number_ = ~std::uint64_t{0};
  Page* last_ = nullptr;
};

}  // namespace lockstep::enclosure
