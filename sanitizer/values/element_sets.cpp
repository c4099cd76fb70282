#include "sanitizer/values/element_sets.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace lockstep::sanitizer {

ElementSets::Id ElementSets::keep(std::vector<ByteRange>&& ranges) {
  const auto [entry, is_new] = known_.try_emplace(std::move(ranges), static_cast<Id>(sets_.size()));
  if (is_new) {
    kept_ += entry->first.size();
    sets_.push_back(entry->first);
  }
  return entry->second;
}

ElementSets::Id ElementSets::unite(Id a, Id b) {
  if (a == b || b == kNone) return a;
  if (a == kNone) return b;
  if (is_full()) return a;
  if (a > b) std::swap(a, b);
  const std::uint64_t key = std::uint64_t{a} << 32 | b;
  const auto found = united_.find(key);
  if (found != united_.end()) return found->second;
  std::vector<ByteRange> both, joined;
  both.reserve(sets_[a].size() + sets_[b].size());
  std::merge(sets_[a].begin(), sets_[a].end(), sets_[b].begin(), sets_[b].end(), std::back_inserter(both));
  for (const ByteRange& one : both) {
    if (!joined.empty() && one.begin <= joined.back().end) {
      joined.back().end = std::max(joined.back().end, one.end);
    } else {
      joined.push_back(one);
    }
  }
  return united_[key] = keep(std::move(joined));
}

}  // namespace lockstep::sanitizer
