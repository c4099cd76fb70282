// The shadow of memory that programs may race on: for every byte who stored it last, who has read it since, which
// atomics met there and what their releases handed on. Bytes in the same state share it, so that a tile that falls on
// memory in one state costs one look at that state and a fill. Invariant: a state never forgets an access that is not
// ordered before a later one in it, however many come together. Memory: a state, and one link of a list, for each
// access and state that it meets; lists share their tails. Not here: what is a race (race_engine.cpp).
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

#include "sanitizer/race/race_clock.h"

namespace lockstep::sanitizer {

/// Programs that made the same access at the same time of their clocks.
struct RaceAccesses {
  std::uint32_t first = 1, last = 0;  // both included; none: first > last
  std::uint32_t clock = 0;
  std::uint32_t site = 0;
  std::uint8_t bytes = 0;        // of an element
  bool has_written = false;      // a compare and swap that fails has not
  bool is_cta = false;           // scope of an atomic
  bool has_read_before = false;  // of a store: the program had read what it overwrote
  bool holds_lock = false;       // of a store: the program had swapped the element before
  bool any() const { return first <= last; }
  friend bool operator==(const RaceAccesses&, const RaceAccesses&) = default;
};

/// By number in RaceShadow's tables; 0: none.
struct RaceState {
  RaceAccesses stored;         // plainly, last
  std::uint32_t updated = 0;   // atomics since
  std::uint32_t read = 0;      // plain loads since
  std::uint32_t released = 0;  // clock that an acquire learns here
  std::uint32_t raced = 0;     // record of the race of the last read, and its program
  std::uint32_t raced_by = 0;
  friend bool operator==(const RaceState&, const RaceState&) = default;
};

class RaceShadow {
 public:
  RaceShadow();
  /// Calls to(old state) -> new state for the bytes [address, address + bytes), once for each run of bytes in one
  /// state.
  template <typename To>
  void for_each(std::uint64_t address, std::uint64_t bytes, To&& to) {
    while (bytes > 0) {
      const std::uint64_t base = address / kPage * kPage, at = address - base, part = std::min(bytes, kPage - at);
      Page& page = page_of(base);
      if (page.unit != 1 && (at % page.unit != 0 || part % page.unit != 0)) split(page);
      std::uint32_t* cell = page.cells.data() + at / page.unit;
      std::uint32_t* const end = cell + part / page.unit;
      while (cell != end) {
        std::uint32_t* next = cell + 1;
        while (next != end && *next == *cell) ++next;
        const auto first = static_cast<std::uint64_t>(cell - page.cells.data()) * page.unit;
        const std::uint32_t made = to(*cell, base + first, static_cast<std::uint64_t>(next - cell) * page.unit);
        std::fill(cell, next, made);
        cell = next;
      }
      address += part;
      bytes -= part;
    }
  }

  const RaceState& state(std::uint32_t number) const { return states_[number]; }
  std::uint32_t add(const RaceState& state);
  /// Visits a set, the last access first.
  template <typename Visit>
  void for_each_access(std::uint32_t set, Visit&& visit) const {
    for (; set != 0; set = links_[set].next) visit(links_[set].one);
  }
  std::size_t size(std::uint32_t set) const { return links_[set].size; }
  /// An access of a set whose members all have its width and scope; null: they differ, or there are none.
  const RaceAccesses* same_kind(std::uint32_t set) const { return links_[set].is_uniform ? &links_[set].one : nullptr; }
  /// The set with one more. Those ordered before it (by `known`) may go where whoever races with them races with it,
  /// too: small sets are looked through each time, large ones when they have doubled.
  std::uint32_t add(std::uint32_t set, const RaceAccesses& one, const RaceClock& known);
  const RaceClock& clock(std::uint32_t number) const { return *clocks_[number]; }
  std::uint32_t add(RaceClock clock);

 private:
  static constexpr std::uint64_t kPage = 4096;
  /// 4 KiB of memory; a cell is `unit` bytes of it.
  struct Page {
    std::uint64_t unit = 4;
    std::vector<std::uint32_t> cells;
  };
  Page& page_of(std::uint64_t base);
  static void split(Page& page);

  /// A set: its last access, and the set of the others.
  struct Link {
    RaceAccesses one;
    std::uint32_t next = 0, size = 0;
    std::uint32_t pruned = 0;  // its size when it was looked through last
    bool is_uniform = false;
  };
  std::uint32_t push(const RaceAccesses& one, std::uint32_t next, std::uint32_t pruned);
  std::uint32_t without_ordered(std::uint32_t set, const RaceAccesses& one, const RaceClock& known);

  std::unordered_map<std::uint64_t, std::unique_ptr<Page>> pages_;
  Page* last_page_ = nullptr;
  std::uint64_t last_base_ = 1;  // of no page
  std::vector<RaceState> states_;
  std::vector<Link> links_;  // 0: the empty set
  std::vector<std::unique_ptr<const RaceClock>> clocks_;
};

}  // namespace lockstep::sanitizer
