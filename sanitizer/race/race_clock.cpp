#include "sanitizer/race/race_clock.h"

#include <algorithm>
#include <utility>

namespace lockstep::sanitizer {

namespace {

bool know_the_same(const KnownPrograms& a, const KnownPrograms& b) {
  return a.sure == b.sure && a.would == b.would && a.blame == b.blame;
}

void append(std::vector<KnownPrograms>& runs, const KnownPrograms& next) {
  if (!runs.empty() && runs.back().last + 1 == next.first && know_the_same(runs.back(), next)) {
    runs.back().last = next.last;
  } else {
    runs.push_back(next);
  }
}

/// Two lists of intervals, cut at the ends of both.
class Cuts {
 public:
  Cuts(const std::vector<KnownPrograms>& a, const std::vector<KnownPrograms>& b) : a_(a), b_(b) {}

  /// The next interval with any knowledge; a list without knowledge there gives null.
  bool next(KnownPrograms& a, KnownPrograms& b) {
    while (i_ < a_.size() && a_[i_].last < at_) ++i_;
    while (j_ < b_.size() && b_[j_].last < at_) ++j_;
    if (i_ == a_.size() && j_ == b_.size()) return false;
    const std::uint64_t a_first = begin_of(a_, i_), b_first = begin_of(b_, j_);
    at_ = std::max(at_, std::min(a_first, b_first));
    const bool in_a = a_first <= at_, in_b = b_first <= at_;
    const std::uint64_t end =
        std::min(in_a ? a_[i_].last + std::uint64_t{1} : a_first, in_b ? b_[j_].last + std::uint64_t{1} : b_first);
    a = in_a ? a_[i_] : KnownPrograms{};
    b = in_b ? b_[j_] : KnownPrograms{};
    a.first = b.first = static_cast<std::uint32_t>(at_);
    a.last = b.last = static_cast<std::uint32_t>(end - 1);
    at_ = end;
    return true;
  }

 private:
  static std::uint64_t begin_of(const std::vector<KnownPrograms>& list, std::size_t i) {
    return i < list.size() ? list[i].first : UINT64_MAX;
  }
  const std::vector<KnownPrograms>&a_, &b_;
  std::size_t i_ = 0, j_ = 0;
  std::uint64_t at_ = 0;
};

}  // namespace

KnownPrograms RaceClock::of(std::uint32_t program) const {
  const auto at = std::lower_bound(runs_.begin(), runs_.end(), program,
                                   [](const KnownPrograms& run, std::uint32_t p) { return run.last < p; });
  return at != runs_.end() && at->first <= program ? *at : KnownPrograms{};
}

bool RaceClock::first_unordered(std::uint32_t first, std::uint32_t last, std::uint32_t clock, std::uint32_t self,
                                std::uint32_t& out) const {
  std::uint64_t at = first;
  while (at <= last) {
    if (at == self) {
      ++at;
      continue;
    }
    const auto run = std::lower_bound(runs_.begin(), runs_.end(), at,
                                      [](const KnownPrograms& one, std::uint64_t p) { return one.last < p; });
    if (run == runs_.end() || run->first > at || run->sure < clock) {
      out = static_cast<std::uint32_t>(at);
      return true;
    }
    at = run->last + std::uint64_t{1};
  }
  return false;
}

void RaceClock::learn(const RaceClock& other, bool is_proper,
                      const std::function<std::uint32_t(std::uint32_t)>& blame_of) {
  std::vector<KnownPrograms> made;
  made.reserve(runs_.size() + other.runs_.size());
  Cuts cuts(runs_, other.runs_);
  KnownPrograms mine, theirs;
  while (cuts.next(mine, theirs)) {
    KnownPrograms sum = mine;
    if (is_proper) sum.sure = std::max(sum.sure, theirs.sure);
    if (theirs.would > mine.would) {
      sum.would = theirs.would;
      sum.blame = sum.would > sum.sure ? blame_of(theirs.blame) : 0;
    }
    if (sum.would <= sum.sure) {
      sum.would = sum.sure;
      sum.blame = 0;
    }
    append(made, sum);
  }
  runs_ = std::move(made);
}

}  // namespace lockstep::sanitizer
