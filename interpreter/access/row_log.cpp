#include "interpreter/access/row_log.h"

#include <algorithm>
#include <bit>

namespace lockstep::interpreter {

namespace {

constexpr std::uint64_t kWord = 64;

/// Makes room for the places [low, high]. False: they would take too much.
bool reach(LoggedRows& rows, std::uint64_t low, std::uint64_t high) {
  constexpr std::uint64_t kMostWords = 256;
  const bool is_new = rows.places.empty();
  const std::uint64_t first = (is_new ? low : std::min(low, rows.first)) / kWord;
  const std::uint64_t last = std::max(high / kWord, is_new ? 0 : rows.first / kWord + rows.places.size() - 1);
  if (last - first >= kMostWords) return false;
  if (!is_new) rows.places.insert(rows.places.begin(), rows.first / kWord - first, 0);
  rows.places.resize(last - first + 1);
  rows.first = first * kWord;
  return true;
}

void set_place(LoggedRows& rows, std::uint64_t place) {
  rows.places[(place - rows.first) / kWord] |= std::uint64_t{1} << place % kWord;
}

/// Calls body(place) for every row.
template <typename Body>
void for_each_place(const LoggedRows& rows, Body&& body) {
  for (std::size_t i = 0; i < rows.places.size(); ++i)
    for (std::uint64_t left = rows.places[i]; left != 0; left &= left - 1)
      body(rows.first + i * kWord + static_cast<std::uint64_t>(std::countr_zero(left)));
}

/// The same rows by smaller places. False: a row does not fit into one, or there are too many.
bool divide_places(LoggedRows& rows, unsigned shift) {
  if (rows.shift == shift) return true;
  const unsigned more = rows.shift - shift;
  LoggedRows made = rows;
  made.shift = shift;
  made.column = rows.column & ((std::uint64_t{1} << shift) - 1);
  made.places.clear();
  if (made.column + made.run > std::uint64_t{1} << shift) return false;
  bool fits = true;
  for_each_place(rows, [&](std::uint64_t place) {
    const std::uint64_t smaller = (place << more) + (rows.column >> shift);
    fits = fits && reach(made, smaller, smaller);
    if (fits) set_place(made, smaller);
  });
  if (fits) rows = std::move(made);
  return fits;
}

using Some = std::span<LoggedRows>;

/// Of rows whose columns overlap: whether two chunks share a place. May be true where there are too many places.
bool places_overlap(Some rows) {
  constexpr std::uint64_t kMostWords = std::uint64_t{1} << 20;
  std::sort(rows.begin(), rows.end(), [](const auto& a, const auto& b) { return a.chunk < b.chunk; });
  std::uint64_t first = UINT64_MAX, end = 0;
  for (const LoggedRows& each : rows) {
    first = std::min(first, each.first / kWord);
    end = std::max(end, each.first / kWord + each.places.size());
  }
  if (end - first > kMostWords) return true;
  std::vector<std::uint64_t> taken(end - first);
  for (std::size_t begin = 0, next = 0; begin < rows.size(); begin = next) {
    for (; next < rows.size() && rows[next].chunk == rows[begin].chunk; ++next) {
      const std::uint64_t* there = taken.data() + (rows[next].first / kWord - first);
      for (std::size_t i = 0; i < rows[next].places.size(); ++i)
        if ((there[i] & rows[next].places[i]) != 0) return true;
    }
    for (const LoggedRows& each : rows.subspan(begin, next - begin))
      for (std::size_t i = 0; i < each.places.size(); ++i) taken[each.first / kWord - first + i] |= each.places[i];
  }
  return false;
}

/// Of one view. May be true where chunks only seem to overlap.
bool may_overlap(Some rows) {
  unsigned shift = 63;
  for (const LoggedRows& each : rows) shift = std::min(shift, each.shift);
  for (LoggedRows& each : rows)
    if (!divide_places(each, shift)) return true;
  std::sort(rows.begin(), rows.end(), [](const auto& a, const auto& b) { return a.column < b.column; });
  for (std::size_t first = 0, next = 0; first < rows.size(); first = next) {
    std::uint64_t end = rows[first].column + rows[first].run;
    for (next = first + 1; next < rows.size() && rows[next].column < end; ++next)
      end = std::max(end, rows[next].column + rows[next].run);
    if (places_overlap(rows.subspan(first, next - first))) return true;
  }
  return false;
}

/// Whether ranges, or rows of another view, lie between the rows of a view.
bool meet_others(const std::vector<LoggedRange>& log, const std::vector<LoggedRows>& all, Some rows) {
  std::uint64_t begin = UINT64_MAX, end = 0;
  for (const LoggedRows& each : rows) {
    begin = std::min(begin, each.begin());
    end = std::max(end, each.end());
  }
  const auto meets = [&](std::uint64_t from, std::uint64_t to) { return from < end && begin < to; };
  return std::any_of(log.begin(), log.end(), [&](const auto& range) { return meets(range.begin, range.end); }) ||
         std::any_of(all.begin(), all.end(), [&](const auto& other) {
           return other.origin != rows.front().origin && meets(other.begin(), other.end());
         });
}

bool lie_apart(const std::vector<LoggedRange>& log, std::vector<LoggedRows>& all) {
  std::sort(all.begin(), all.end(), [](const auto& a, const auto& b) { return a.origin < b.origin; });
  for (std::size_t first = 0, next = 0; first < all.size(); first = next) {
    while (next < all.size() && all[next].origin == all[first].origin) ++next;
    const Some rows(all.data() + first, next - first);
    if (meet_others(log, all, rows) || may_overlap(rows)) return false;
  }
  return true;
}

}  // namespace

std::uint64_t LoggedRows::begin() const {
  return origin + ((first + static_cast<std::uint64_t>(std::countr_zero(places.front()))) << shift) + column;
}
std::uint64_t LoggedRows::end() const {
  const std::uint64_t last = first + kWord * places.size() - 1;
  return origin + ((last - static_cast<std::uint64_t>(std::countl_zero(places.back()))) << shift) + column + run;
}

/// The entry of the same chunk and columns that `rows` can join; null: there is none among the last ones.
LoggedRows* RowLog::known(const LoggedRows& rows, std::uint64_t offset, std::uint64_t apart) {
  constexpr std::size_t kRecent = 4;
  for (std::size_t i = entries_.size(), tried = 0; i > 0 && tried < kRecent; --i, ++tried) {
    LoggedRows& entry = entries_[i - 1];
    if (entry.chunk != rows.chunk) return nullptr;
    const std::uint64_t in_place = (std::uint64_t{1} << entry.shift) - 1;
    if (entry.origin == rows.origin && entry.run == rows.run && (offset & in_place) == entry.column &&
        (apart & in_place) == 0)
      return &entry;
  }
  return nullptr;
}

bool RowLog::note(std::uint64_t origin, std::uint64_t run, std::uint32_t chunk,
                  std::span<const std::uint64_t> addresses) {
  constexpr std::size_t kMostEntries = std::size_t{1} << 14;
  if (addresses.empty()) return true;
  std::uint64_t apart = 0, low = UINT64_MAX, high = 0;
  for (const std::uint64_t address : addresses) {
    apart |= address - addresses[0];
    low = std::min(low, address - origin);
    high = std::max(high, address - origin);
  }
  LoggedRows made;
  made.origin = origin;
  made.run = run;
  made.chunk = chunk;
  LoggedRows* entry = known(made, low, apart);
  if (entry == nullptr) {
    if (apart == 0 || entries_.size() == kMostEntries) return false;
    made.shift = static_cast<unsigned>(std::countr_zero(apart));
    made.column = low & ((std::uint64_t{1} << made.shift) - 1);
    if (made.column + run > std::uint64_t{1} << made.shift) return false;
    entry = &made;
  }
  if (!reach(*entry, low >> entry->shift, high >> entry->shift)) return false;
  for (const std::uint64_t address : addresses) set_place(*entry, (address - origin) >> entry->shift);
  if (entry == &made) entries_.push_back(std::move(made));
  return true;
}

bool chunks_overlap(std::vector<LoggedRange>& log, std::vector<LoggedRows>& rows) {
  if (lie_apart(log, rows)) return chunks_overlap(log);
  for (const LoggedRows& each : rows) {
    for_each_place(each, [&](std::uint64_t place) {
      const std::uint64_t begin = each.origin + (place << each.shift) + each.column;
      log.push_back({begin, begin + each.run, each.chunk, true});
    });
  }
  return chunks_overlap(log);
}

}  // namespace lockstep::interpreter
