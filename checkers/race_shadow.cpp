#include "checkers/race_shadow.h"

namespace lockstep::checkers {

RaceShadow::RaceShadow() : states_(1), accesses_(1) { clocks_.push_back(std::make_unique<const RaceClock>()); }

std::uint32_t RaceShadow::add(const RaceState& state) {
  states_.push_back(state);
  return static_cast<std::uint32_t>(states_.size() - 1);
}

std::uint32_t RaceShadow::add(RaceClock clock) {
  clocks_.push_back(std::make_unique<const RaceClock>(std::move(clock)));
  return static_cast<std::uint32_t>(clocks_.size() - 1);
}

namespace {

/// Ordered before `one`, which whoever races with `run` races with, too.
bool is_followed(const RaceAccesses& run, const RaceAccesses& one, const RaceClock& known) {
  std::uint32_t unordered = 0;
  const bool does_as_much = one.has_written >= run.has_written && one.is_cta >= run.is_cta && one.bytes == run.bytes;
  return does_as_much && !known.first_unordered(run.first, run.last, run.clock, one.first, unordered);
}

bool are_alike(const RaceAccesses& a, const RaceAccesses& b) {
  return a.clock == b.clock && a.site == b.site && a.has_written == b.has_written;
}

bool covers(const RaceAccesses& run, const RaceAccesses& one) {
  return are_alike(run, one) && run.first <= one.first && one.last <= run.last;
}

/// True: `run` has it on its end now.
bool extend(RaceAccesses& run, const RaceAccesses& one) {
  const bool follows = are_alike(run, one) && run.last + std::uint64_t{1} == one.first;
  if (!follows && !covers(run, one)) return false;
  run.last = std::max(run.last, one.last);
  return true;
}

}  // namespace

std::uint32_t RaceShadow::add(std::uint32_t set, const RaceAccesses& one, const RaceClock& known) {
  const std::vector<RaceAccesses>& old = accesses_[set];
  if (old.size() == 1 && covers(old[0], one)) return set;
  std::vector<RaceAccesses> made;
  for (const RaceAccesses& run : old) {
    if (!is_followed(run, one, known)) made.push_back(run);
  }
  if (made.empty() || !extend(made.back(), one)) made.push_back(one);
  if (made.size() > kMostRuns) made.erase(made.begin());
  accesses_.push_back(std::move(made));
  return static_cast<std::uint32_t>(accesses_.size() - 1);
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

}  // namespace lockstep::checkers
