// The shadow of memory that programs may race on: for every byte who stored it last, who has read it since, which
// atomics met there and what their releases handed on. Bytes in the same state share it, so that a tile that falls on
// memory in one state costs one look at that state and a fill. Invariant: a state never forgets an access that is not
// ordered before a later one in it, but for the oldest where more than kMostRuns came together (a race may then be
// missed, never invented). Not here: what is a race (race_checker.cpp).
#pragma once

#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

#include "checkers/race_clock.h"

namespace lockstep::checkers {

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
  static constexpr std::size_t kMostRuns = 8;

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
  const std::vector<RaceAccesses>& accesses(std::uint32_t number) const { return accesses_[number]; }
  /// The set with one more; those ordered before it (by `known`) go where whoever races with them races with it, too.
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

  std::unordered_map<std::uint64_t, std::unique_ptr<Page>> pages_;
  Page* last_page_ = nullptr;
  std::uint64_t last_base_ = 1;  // of no page
  std::vector<RaceState> states_;
  std::vector<std::vector<RaceAccesses>> accesses_;
  std::vector<std::unique_ptr<const RaceClock>> clocks_;
};

}  // namespace lockstep::checkers
