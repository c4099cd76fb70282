#include "ir/text/nearest_name.h"

#include <algorithm>
#include <cstddef>

namespace lockstep::ir {
namespace {

constexpr std::size_t kLongestName = 64;

std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replaced = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({row[j] + 1, row[j - 1] + 1, replaced});
    }
  }
  return row[b.size()];
}

}  // namespace

std::string nearest_name(std::string_view name, const std::vector<std::string_view>& candidates) {
  if (name.size() > kLongestName) return "";
  std::size_t best = std::min<std::size_t>(3, (name.size() + 2) / 3) + 1;
  std::string_view result;
  for (const std::string_view candidate : candidates) {
    if (candidate.size() > kLongestName || candidate == name) continue;
    const std::size_t difference =
        candidate.size() > name.size() ? candidate.size() - name.size() : name.size() - candidate.size();
    if (difference >= best) continue;
    const std::size_t distance = edit_distance(name, candidate);
    if (distance >= best) continue;
    best = distance;
    result = candidate;
  }
  return std::string(result);
}

}  // namespace lockstep::ir
