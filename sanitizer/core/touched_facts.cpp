#include "sanitizer/core/touched_facts.h"

#include <algorithm>

#include "sanitizer/core/touched_bytes.h"

namespace lockstep::sanitizer {

using interpreter::LoggedRange;

bool TouchedFacts::stored_each_byte_once() const {
  if (!stored_once_) stored_once_ = is_known() && find_stored_once();
  return *stored_once_;
}

bool TouchedFacts::find_stored_once() const {
  std::vector<LoggedRange> writes;
  std::uint64_t bytes = 0;
  for (const LoggedRange& range : *report_.touched) {
    if (!range.is_write) continue;
    if (overlaps_itself(range)) return false;  // every run of a range was stored
    bytes += bytes_of(range);
    writes.push_back(range);
    writes.back().chunk = static_cast<std::uint32_t>(writes.size());
  }
  if (bytes < report_.bytes_written) return false;
  if (bytes == report_.bytes_written && !interpreter::chunks_overlap(writes)) return true;
  return count_written_bytes(*report_.touched) == report_.bytes_written;
}

bool TouchedFacts::read_what_it_wrote() const {
  if (!is_known()) return true;
  std::vector<LoggedRange> log = *report_.touched;
  if (std::any_of(log.begin(), log.end(), [](const LoggedRange& range) { return range.is_read_again; })) return true;
  std::stable_sort(log.begin(), log.end(), [](const auto& a, const auto& b) { return a.chunk < b.chunk; });
  for (std::size_t first = 0, next = 0; first < log.size(); first = next) {
    std::vector<LoggedRange> program;
    for (; next < log.size() && log[next].chunk == log[first].chunk; ++next) program.push_back(log[next]);
    // As if one chunk had made all loads and another all stores.
    for (LoggedRange& range : program) range.chunk = range.is_write ? 1 : 0;
    if (interpreter::chunks_overlap(program)) return true;
  }
  return false;
}

/// Where no byte was written twice, a sum suffices.
bool TouchedFacts::is_covered(const memory_model::View& view) const {
  if (!stored_each_byte_once()) return false;
  std::uint64_t bytes = 0;
  for (const LoggedRange& range : *report_.touched) {
    if (!range.is_write || range.end <= view.extent.begin || range.begin >= view.extent.end) continue;
    if (range.begin < view.extent.begin || range.end > view.extent.end) return false;
    bytes += bytes_of(range);
  }
  return bytes == view.extent.bytes();
}

const Coverage* TouchedFacts::coverage(const memory_model::View& view) const {
  if (!is_known()) return nullptr;
  const auto [known, is_new] = coverage_.try_emplace(view.id.index);
  if (is_new) {
    if (is_covered(view)) {
      known->second.emplace().elements = view.element_count();
    } else {
      known->second = coverage_of(view.completed(), *report_.touched, tells_programs_);
    }
  }
  return known->second ? &*known->second : nullptr;
}

}  // namespace lockstep::sanitizer
