// ByteSet: a set of addresses as ranges that do not overlap. Logarithmic look-ups, ranges joined where they meet.
#pragma once

#include <cstdint>
#include <iterator>
#include <map>
#include <vector>

#include "debugger/engine/stops.h"

namespace lockstep::debugger {

class ByteSet {
 public:
  void add(ByteRange range) {
    auto at = ends_.upper_bound(range.begin);
    if (at != ends_.begin() && std::prev(at)->second >= range.begin) --at;
    while (at != ends_.end() && at->first <= range.end) {
      range.begin = at->first < range.begin ? at->first : range.begin;
      range.end = at->second > range.end ? at->second : range.end;
      at = ends_.erase(at);
    }
    ends_[range.begin] = range.end;
  }
  void remove(ByteRange range) {
    auto at = ends_.upper_bound(range.begin);
    if (at != ends_.begin() && std::prev(at)->second > range.begin) --at;
    while (at != ends_.end() && at->first < range.end) {
      const ByteRange known{at->first, at->second};
      at = ends_.erase(at);
      if (known.begin < range.begin) ends_[known.begin] = range.begin;
      if (known.end > range.end) ends_[range.end] = known.end;
    }
  }
  bool overlaps(ByteRange range) const {
    auto at = ends_.lower_bound(range.end);
    return at != ends_.begin() && std::prev(at)->second > range.begin;
  }
  bool is_empty() const { return ends_.empty(); }
  std::vector<ByteRange> ranges() const {
    std::vector<ByteRange> all;
    for (const auto& [begin, end] : ends_) all.push_back({begin, end});
    return all;
  }

 private:
  std::map<std::uint64_t, std::uint64_t> ends_;  // by begin
};

}  // namespace lockstep::debugger
