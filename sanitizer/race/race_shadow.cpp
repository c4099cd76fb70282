#include "sanitizer/race/race_shadow.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <utility>

namespace lockstep::sanitizer {

RaceShadow::RaceShadow() : states_(1), links_(1) { clocks_.push_back(std::make_unique<const RaceClock>()); }

std::uint32_t RaceShadow::add(const RaceState& state) {
  states_.push_back(state);
  return static_cast<std::uint32_t>(states_.size() - 1);
}

std::uint32_t RaceShadow::add(RaceClock clock) {
  clocks_.push_back(std::make_unique<const RaceClock>(std::move(clock)));
  return static_cast<std::uint32_t>(clocks_.size() - 1);
}

namespace {

/// Ordered before `one`, where every access that races with `run` races with `one`, too.
bool is_followed(const RaceAccesses& run, const RaceAccesses& one, const RaceClock& known) {
  std::uint32_t unordered = 0;
  const bool does_as_much = one.has_written >= run.has_written && one.is_cta >= run.is_cta && one.bytes == run.bytes;
  return does_as_much && !known.first_unordered(run.first, run.last, run.clock, one.first, unordered);
}

constexpr std::uint32_t kSmall = 8;  // sets up to here are looked through at each access

bool are_alike(const RaceAccesses& a, const RaceAccesses& b) {
  return a.clock == b.clock && a.site == b.site && a.has_written == b.has_written;
}

bool covers(const RaceAccesses& run, const RaceAccesses& one) {
  return are_alike(run, one) && run.first <= one.first && one.last <= run.last;
}

/// True: `run` now ends with it.
bool extend(RaceAccesses& run, const RaceAccesses& one) {
  const bool follows = are_alike(run, one) && run.last + std::uint64_t{1} == one.first;
  if (!follows && !covers(run, one)) return false;
  run.last = std::max(run.last, one.last);
  return true;
}

/// Programs as disjoint intervals.
class Programs {
 public:
  void add(std::uint32_t first, std::uint32_t last) {
    auto at = intervals_.upper_bound(first);
    if (at != intervals_.begin() && std::prev(at)->second + std::uint64_t{1} >= first) {
      --at;
      first = at->first;
    }
    while (at != intervals_.end() && at->first <= last + std::uint64_t{1}) {
      last = std::max(last, at->second);
      at = intervals_.erase(at);
    }
    intervals_[first] = last;
  }
  bool holds(std::uint32_t first, std::uint32_t last) const {
    const auto at = intervals_.upper_bound(first);
    return at != intervals_.begin() && std::prev(at)->second >= last;
  }

 private:
  std::map<std::uint32_t, std::uint32_t> intervals_;  // first to last
};

/// Programs whose later accesses do at least as much as this one.
class Later {
 public:
  bool did_as_much(const RaceAccesses& run) const {
    const auto found = programs_.find(key(run.bytes, run.has_written, run.is_cta));
    return found != programs_.end() && found->second.holds(run.first, run.last);
  }
  void add(const RaceAccesses& run) {
    for (int written = 0; written <= int{run.has_written}; ++written) {
      for (int cta = 0; cta <= int{run.is_cta}; ++cta)
        programs_[key(run.bytes, written != 0, cta != 0)].add(run.first, run.last);
    }
  }

 private:
  static int key(int bytes, bool has_written, bool is_cta) {
    return bytes * 4 + (has_written ? 2 : 0) + (is_cta ? 1 : 0);
  }
  std::map<int, Programs> programs_;
};

}  // namespace

std::uint32_t RaceShadow::push(const RaceAccesses& one, std::uint32_t next, std::uint32_t pruned) {
  const Link& rest = links_[next];
  const bool is_as_rest = rest.is_uniform && rest.one.bytes == one.bytes && rest.one.is_cta == one.is_cta;
  const Link made{one, next, rest.size + 1, pruned, next == 0 || is_as_rest};
  links_.push_back(made);
  return static_cast<std::uint32_t>(links_.size() - 1);
}

/// Sets share the tail behind the oldest access removed. Large sets also drop what a program did earlier.
std::uint32_t RaceShadow::without_ordered(std::uint32_t set, const RaceAccesses& one, const RaceClock& known) {
  const bool is_large = links_[set].size > kSmall;
  Later later;
  std::vector<RaceAccesses> kept;  // the last one first
  std::uint32_t rest = set;
  std::size_t before_rest = 0;
  for (std::uint32_t at = set; at != 0; at = links_[at].next) {
    const RaceAccesses& run = links_[at].one;
    const bool goes = is_followed(run, one, known) || (is_large && later.did_as_much(run));
    if (is_large && !goes) later.add(run);
    if (goes) {
      rest = links_[at].next;
      before_rest = kept.size();
    } else {
      kept.push_back(run);
    }
  }
  if (rest == set) return set;
  for (std::size_t i = before_rest; i-- > 0;) rest = push(kept[i], rest, 0);
  return rest;
}

std::uint32_t RaceShadow::add(std::uint32_t set, const RaceAccesses& one, const RaceClock& known) {
  if (links_[set].size == 1 && covers(links_[set].one, one)) return set;
  std::uint32_t pruned = links_[set].pruned;
  if (links_[set].size <= kSmall || links_[set].size >= 2 * std::uint64_t{pruned}) {
    set = without_ordered(set, one, known);
    pruned = links_[set].size;
  }
  RaceAccesses last = links_[set].one;
  if (set == 0 || !extend(last, one)) return push(one, set, pruned);
  return last == links_[set].one ? set : push(last, links_[set].next, pruned);
}

RaceShadow::Page& RaceShadow::page_of(std::uint64_t base) {
  if (base == last_base_) return *last_page_;
  std::unique_ptr<Page>& page = pages_[base];
  if (page == nullptr) {
    page = std::make_unique<Page>();
    page->cells.assign(kPage / page->unit, 0);
  }
  last_base_ = base;
  last_page_ = page.get();
  return *page;
}

void RaceShadow::split(Page& page) {
  std::vector<std::uint32_t> cells(kPage);
  for (std::size_t i = 0; i < cells.size(); ++i) cells[i] = page.cells[i / page.unit];
  page.cells = std::move(cells);
  page.unit = 1;
}

}  // namespace lockstep::sanitizer
