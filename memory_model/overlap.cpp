#include "memory_model/overlap.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <set>

#include <boost/icl/interval_map.hpp>

namespace lockstep::memory_model {
namespace {

using Members = std::set<std::int32_t>;
using RangeMap = boost::icl::interval_map<Address, Members>;

std::int32_t find_root(std::vector<std::int32_t>& parent, std::int32_t i) {
  const auto at = [&](std::int32_t k) -> std::int32_t& { return parent[static_cast<std::size_t>(k)]; };
  while (at(i) != i) i = at(i) = at(at(i));
  return i;
}

}  // namespace

// Each segment of the map holds the ranges that cover it, so members of one segment overlap; segments that share a
// member belong to one group.
std::vector<std::vector<std::int32_t>> overlap_groups(std::span<const Extent> extents) {
  RangeMap map;
  std::vector<std::int32_t> parent(extents.size());
  std::iota(parent.begin(), parent.end(), 0);
  for (std::size_t i = 0; i < extents.size(); ++i) {
    if (extents[i].bytes() == 0) continue;
    const auto range = boost::icl::interval<Address>::right_open(extents[i].begin, extents[i].end);
    map += std::make_pair(range, Members{static_cast<std::int32_t>(i)});
  }
  for (const auto& segment : map) {
    const std::int32_t first = find_root(parent, *segment.second.begin());
    for (const std::int32_t member : segment.second) {
      const std::int32_t root = find_root(parent, member);
      parent[static_cast<std::size_t>(root)] = first;
    }
  }
  std::map<std::int32_t, std::vector<std::int32_t>> by_root;
  for (std::size_t i = 0; i < extents.size(); ++i) {
    if (extents[i].bytes() == 0) continue;
    const auto position = static_cast<std::int32_t>(i);
    by_root[find_root(parent, position)].push_back(position);
  }
  std::vector<std::vector<std::int32_t>> groups;
  groups.reserve(by_root.size());
  for (auto& [root, members] : by_root) groups.push_back(std::move(members));
  std::sort(groups.begin(), groups.end());
  return groups;
}

}  // namespace lockstep::memory_model
