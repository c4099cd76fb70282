#include "findings/finding.h"

#include <algorithm>
#include <tuple>

#include "findings/places.h"

namespace lockstep {

namespace {

/// Grid order: x fastest.
auto grid_order(const ProgramId& id) { return std::tuple(id[2], id[1], id[0]); }

bool is_same(const Finding& a, const Finding& b) {
  return a.code == b.code && a.tier == b.tier && a.location == b.location && a.op == b.op && a.argument == b.argument;
}

/// Below this number, a linear search is used.
constexpr std::size_t kFew = 16;

std::size_t hash_of(const Finding& finding) {
  std::size_t hash = std::hash<const void*>()(finding.location.node());
  for (const std::string* text : {&finding.op, &finding.argument})
    hash = hash * 0x9e3779b97f4a7c15u + std::hash<std::string_view>()(*text);
  return hash * 0x9e3779b97f4a7c15u + static_cast<std::size_t>(finding.code) * 4 + static_cast<std::size_t>(finding.tier);
}

using Place = std::tuple<std::string_view, std::uint32_t, std::uint32_t>;

std::vector<Place> frames_of(const Location& location) {
  std::vector<Place> frames;
  for (const Location& place : file_places(location)) frames.emplace_back(place->text, place->line, place->column);
  return frames;
}

/// The order compares everything that a reader sees.
struct SortKey {
  std::vector<Place> frames;
  std::size_t position = 0;
};

bool comes_before(const Finding& a, const SortKey& a_key, const Finding& b, const SortKey& b_key) {
  const auto innermost = [](const SortKey& key) { return key.frames.empty() ? Place{} : key.frames[0]; };
  const auto what = [](const Finding& one) { return std::tie(one.code, one.tier, one.argument, one.op, one.message); };
  const auto where = [](const Finding& one) {
    return std::tuple(grid_order(one.program), one.element, one.count, one.programs);
  };
  if (innermost(a_key) != innermost(b_key)) return innermost(a_key) < innermost(b_key);
  if (what(a) != what(b)) return what(a) < what(b);
  if (a_key.frames != b_key.frames) return a_key.frames < b_key.frames;
  return where(a) != where(b) ? where(a) < where(b) : a.lane < b.lane;
}

}  // namespace

std::string_view spelling(Tier tier) {
  switch (tier) {
    case Tier::error: return "error";
    case Tier::warning: return "warning";
    case Tier::info: return "info";
  }
  return "error";
}

std::string ordinal_text(std::uint64_t number) {
  const std::uint64_t last = number % 10;
  const bool is_teen = number / 10 % 10 == 1;
  const char* ending = is_teen ? "th" : last == 1 ? "st" : last == 2 ? "nd" : last == 3 ? "rd" : "th";
  return std::to_string(number) + ending;
}

std::string iteration_text(const LoopTurn& turn) {
  const std::string value = turn.variable.empty() ? "" : turn.variable + " = " + std::to_string(turn.value) + ", ";
  if (turn.count == 1) return value + "the only iteration";
  const bool is_last = turn.number + 1 == turn.count;
  return value + "the " + (is_last ? "last" : ordinal_text(turn.number + 1)) + " of " + std::to_string(turn.count) +
         " iterations";
}

std::string iterations_text(const std::vector<LoopTurn>& loops) {
  std::string text;
  for (const LoopTurn& turn : loops) text += (text.empty() ? "" : "; ") + iteration_text(turn);
  return text;
}

bool ProgramSet::insert(const ProgramId& id) {
  const ProgramId key{id[2], id[1], id[0]};
  const auto next = intervals_.upper_bound(key);
  const auto touches = [&](const ProgramId& first) { return first[0] == key[0] && first[1] == key[1]; };
  const bool joins_next = next != intervals_.end() && touches(next->first) && next->first[2] - 1 == id[0];
  if (next != intervals_.begin()) {
    auto& [first, last] = *std::prev(next);
    if (touches(first) && id[0] <= last) return false;
    if (touches(first) && last == id[0] - 1) {
      last = joins_next ? next->second : id[0];
      if (joins_next) intervals_.erase(next);
      return true;
    }
  }
  const std::int32_t last = joins_next ? next->second : id[0];
  if (joins_next) intervals_.erase(next);
  intervals_.emplace(key, last);
  return true;
}

/// The place of an equal finding; the end: none.
std::size_t Report::place_of(const Finding& finding) {
  const std::size_t end = findings_.size();
  if (end <= kFew) {
    const auto known =
        std::find_if(findings_.begin(), findings_.end(), [&](const Finding& f) { return is_same(f, finding); });
    return static_cast<std::size_t>(known - findings_.begin());
  }
  if (positions_.empty()) {
    for (std::size_t i = 0; i < end; ++i) positions_.emplace(hash_of(findings_[i]), i);
  }
  const auto [begin, behind] = positions_.equal_range(hash_of(finding));
  const auto known =
      std::find_if(begin, behind, [&](const auto& entry) { return is_same(findings_[entry.second], finding); });
  return known != behind ? known->second : end;
}

void Report::add(Finding finding) {
  const std::size_t at = place_of(finding);
  if (at == findings_.size()) {
    if (!positions_.empty()) positions_.emplace(hash_of(finding), at);
    programs_.emplace_back();
    if (finding.programs == 1) programs_.back().insert(finding.program);
    findings_.push_back(std::move(finding));
    return;
  }
  Finding& known = findings_[at];
  const std::uint64_t count = known.count + finding.count;
  const bool is_counted = finding.programs == 1 && !programs_[at].insert(finding.program);
  const std::uint64_t programs = known.programs + (is_counted ? 0 : finding.programs);
  if (grid_order(finding.program) < grid_order(known.program)) known = std::move(finding);
  known.count = count;
  known.programs = programs;
}

void Report::merge(Report&& other) {
  for (std::size_t i = 0; i < other.findings_.size(); ++i) {
    Finding& finding = other.findings_[i];
    const std::size_t at = place_of(finding);
    if (at == findings_.size()) {
      add(std::move(finding));
      programs_[at] = std::move(other.programs_[i]);
      continue;
    }
    std::uint64_t all = 0, fresh = 0;
    other.programs_[i].for_each([&](ProgramId id, std::int32_t count) {
      for (std::int32_t k = 0; k < count; ++k, ++id[0]) {
        ++all;
        fresh += programs_[at].insert(id) ? 1U : 0U;
      }
    });
    const std::uint64_t programs = findings_[at].programs + finding.programs - all + fresh;
    finding.programs = 0;
    add(std::move(finding));
    findings_[at].programs = programs;
  }
  other = {};
}

void Report::sort() {
  std::vector<SortKey> keys(findings_.size());
  for (std::size_t i = 0; i < keys.size(); ++i) keys[i] = {frames_of(findings_[i].location), i};
  std::sort(keys.begin(), keys.end(), [&](const SortKey& a, const SortKey& b) {
    return comes_before(findings_[a.position], a, findings_[b.position], b);
  });
  std::vector<Finding> sorted;
  sorted.reserve(keys.size());
  for (const SortKey& key : keys) sorted.push_back(std::move(findings_[key.position]));
  findings_ = std::move(sorted);
  programs_.assign(findings_.size(), {});
  positions_.clear();
}

void Report::demote(const std::function<bool(FindingCode code)>& is_meant) {
  positions_.clear();
  for (Finding& one : findings_) {
    if (one.tier == Tier::error && is_meant(one.code)) one.tier = Tier::warning;
  }
}

bool Report::has(Tier tier) const {
  return std::any_of(findings_.begin(), findings_.end(), [&](const Finding& f) { return f.tier == tier; });
}

}  // namespace lockstep
