#include <algorithm>
#include <bit>
#include <limits>
#include <tuple>

#include "memory_model/elements.h"
#include "sanitizer/coverage/coverage_map.h"

namespace lockstep::sanitizer {

using interpreter::LoggedRange;
using memory_model::Address;
using memory_model::View;

namespace {

/// Views with more elements are not examined one by one.
constexpr std::int64_t kMaxElements = std::int64_t{1} << 27, kMaxTold = std::int64_t{1} << 24;
constexpr std::size_t kMaxListed = 4;

/// Calls body(begin, end) for each run of the range.
template <typename Body>
void for_each_run(const LoggedRange& range, const Body& body) {
  if (range.rows <= 1) return body(range.begin, range.end);
  for (std::uint32_t row = 0; row < range.rows; ++row) {
    const std::uint64_t begin = range.begin + row * range.stride;
    body(begin, begin + range.run);
  }
}

/// All of the view in one sweep: ranges without rows that leave no gap. False says nothing.
bool is_plainly_covered(const View& view, const std::vector<LoggedRange>& touched) {
  Address done = view.extent.begin;
  for (const LoggedRange& range : touched) {
    if (!range.is_write || range.end <= done) continue;
    if (range.begin > done || range.rows > 1) return false;
    done = range.end;
    if (done >= view.extent.end) return true;
  }
  return done >= view.extent.end;
}

/// Bits, set and searched word by word.
class Bits {
 public:
  explicit Bits(std::size_t count) : count_(count), words_(count / kWord + 1, 0) {}

  void set(std::size_t first, std::size_t end) {
    const std::size_t word = first / kWord, last = end / kWord;
    const std::uint64_t from = ~std::uint64_t{0} << first % kWord, below = ~(~std::uint64_t{0} << end % kWord);
    if (word == last) {
      words_[word] |= from & below;
      return;
    }
    words_[word] |= from;
    std::fill(words_.begin() + static_cast<std::ptrdiff_t>(word) + 1,
              words_.begin() + static_cast<std::ptrdiff_t>(last), ~std::uint64_t{0});
    words_[last] |= below;
  }
  bool test(std::size_t i) const { return (words_[i / kWord] >> i % kWord & 1) != 0; }
  /// The first bit from `i` on that is (not) set; count() if there is none.
  std::size_t find(std::size_t i, bool value) const {
    while (i < count_) {
      const std::uint64_t word = words_[i / kWord] ^ (value ? 0 : ~std::uint64_t{0});
      const std::uint64_t rest = word >> i % kWord;
      if (rest != 0) return std::min(count_, i + static_cast<std::size_t>(std::countr_zero(rest)));
      i = (i / kWord + 1) * kWord;
    }
    return count_;
  }
  std::size_t count() const { return count_; }

 private:
  static constexpr std::size_t kWord = 64;
  std::size_t count_;
  std::vector<std::uint64_t> words_;
};

/// Slots of the view's extent, one entry each.
class Slots {
 public:
  Slots(const View& view, bool tells_programs)
      : extent_(view.extent),
        bytes_(static_cast<std::uint64_t>(size_bytes(view.element))),
        written_(static_cast<std::size_t>(extent_.bytes() / bytes_)) {
    if (tells_programs) writer_.assign(written_.count(), 0), other_.assign(written_.count(), 0);
  }

  void write(Address begin, Address end, std::uint32_t program) {
    begin = std::max(begin, extent_.begin);
    end = std::min(end, extent_.end);
    if (begin >= end) return;
    const std::size_t first = slot_of(begin), last = slot_of(end - 1) + 1;
    written_.set(first, last);
    if (writer_.empty()) return;
    for (std::size_t i = first; i < last; ++i) {
      note_writer(i, program + 1);
    }
  }
  std::size_t slot_of(Address address) const { return static_cast<std::size_t>((address - extent_.begin) / bytes_); }
  const Bits& written() const { return written_; }
  bool is_told() const { return !writer_.empty(); }
  /// The first two programs that wrote the slot; the second is 0 where there was one.
  std::pair<std::uint32_t, std::uint32_t> writers(std::size_t slot) const { return {writer_[slot], other_[slot]}; }

 private:
  /// Keeps the two smallest, so that the order of the ranges does not matter.
  void note_writer(std::size_t slot, std::uint32_t writer) {
    std::uint32_t &first = writer_[slot], &second = other_[slot];
    if (writer == first || writer == second) return;
    if (first == 0 || writer < first) {
      second = first;
      first = writer;
    } else if (second == 0 || writer < second) {
      second = writer;
    }
  }

  memory_model::Extent extent_;
  std::uint64_t bytes_;
  Bits written_;
  std::vector<std::uint32_t> writer_, other_;  // program + 1; 0: none
};

/// Slots are the elements in row-major order.
bool is_row_major(const View& view) {
  std::int64_t expected = 1;
  for (std::size_t d = view.shape.size(); d-- > 0;) {
    if (view.shape[d] != 1 && view.strides[d] != expected) return false;
    expected *= view.shape[d];
  }
  return true;
}

/// Of a row-major view.
void find_never(const Bits& written, ElementRuns& never) {
  for (std::size_t i = written.find(0, false); i < written.count();) {
    const std::size_t end = written.find(i, true);
    never.runs.emplace_back(i, end - 1);
    never.count += static_cast<std::int64_t>(end - i);
    i = written.find(end, false);
  }
}

std::string run_text(std::int64_t first, std::int64_t last) {
  return std::to_string(first) + (first == last ? "" : ".." + std::to_string(last));
}

std::string list_text(const std::vector<std::pair<std::int64_t, std::int64_t>>& runs) {
  std::string text;
  for (std::size_t i = 0; i < std::min(runs.size(), kMaxListed); ++i)
    text += (i == 0 ? "" : ", ") + run_text(runs[i].first, runs[i].second);
  if (runs.size() > kMaxListed) text += ", ... (" + std::to_string(runs.size()) + " in all)";
  return text;
}

/// "every 32nd": runs of one length at equal distances.
std::string period_text(const std::vector<std::pair<std::int64_t, std::int64_t>>& runs) {
  if (runs.size() < 3) return "";
  const std::int64_t step = runs[1].first - runs[0].first, length = runs[0].second - runs[0].first;
  for (std::size_t i = 1; i < runs.size(); ++i) {
    if (runs[i].first - runs[i - 1].first != step || runs[i].second - runs[i].first != length) return "";
  }
  return ", one in " + std::to_string(step);
}

using Box = std::vector<std::pair<std::int64_t, std::int64_t>>;

std::vector<std::int64_t> index_of(std::int64_t element, const std::vector<std::int64_t>& shape) {
  std::vector<std::int64_t> index(shape.size());
  for (std::size_t d = shape.size(); d-- > 0;) {
    index[d] = element % shape[d];
    element /= shape[d];
  }
  return index;
}

/// The smallest box around the elements.
Box box_around(const ElementRuns& elements, const std::vector<std::int64_t>& shape) {
  Box box(shape.size(), {std::numeric_limits<std::int64_t>::max(), -1});
  for (const auto& [first, last] : elements.runs) {
    const auto low = index_of(first, shape), high = index_of(last, shape);
    bool is_spread = false;  // over whole inner dimensions
    for (std::size_t d = 0; d < shape.size(); ++d) {
      box[d].first = std::min(box[d].first, is_spread ? 0 : std::min(low[d], high[d]));
      box[d].second = std::max(box[d].second, is_spread ? shape[d] - 1 : std::max(low[d], high[d]));
      is_spread |= low[d] != high[d];
    }
  }
  return box;
}

std::int64_t volume(const Box& box) {
  std::int64_t count = 1;
  for (const auto& [low, high] : box) count *= high - low + 1;
  return count;
}

/// The elements outside `elements` form a box from the first element on.
bool is_tail(const ElementRuns& elements, const std::vector<std::int64_t>& shape) {
  ElementRuns rest;
  std::int64_t next = 0, total = 1;
  for (const std::int64_t extent : shape) total *= extent;
  for (const auto& [first, last] : elements.runs) {
    if (first > next) rest.runs.emplace_back(next, first - 1);
    next = last + 1;
  }
  if (next < total) rest.runs.emplace_back(next, total - 1);
  if (rest.runs.empty()) return true;
  const Box box = box_around(rest, shape);
  const bool begins = std::all_of(box.begin(), box.end(), [](const auto& side) { return side.first == 0; });
  return (begins && volume(box) == total - elements.count) || (rest.runs.size() == 1 && rest.runs[0].first == 0);
}

std::string box_text(const Box& box, const std::string& name) {
  std::string text;
  for (const auto& [low, high] : box) text += (text.empty() ? "" : ", ") + run_text(low, high);
  return name + "[" + text + "]";
}

}  // namespace

void ElementRuns::add(std::int64_t element) {
  ++count;
  if (!runs.empty() && runs.back().second + 1 == element) {
    runs.back().second = element;
  } else {
    runs.emplace_back(element, element);
  }
}

std::optional<Coverage> coverage_of(const View& view, const std::vector<LoggedRange>& touched, bool tells_programs) {
  Coverage found;
  found.elements = view.element_count();
  if (found.elements == 0 || view.extent.bytes() == 0 || is_plainly_covered(view, touched)) return found;
  const auto slots = static_cast<std::int64_t>(view.extent.bytes()) / size_bytes(view.element);
  if (std::max(slots, found.elements) > kMaxElements) return std::nullopt;
  found.tells_programs = tells_programs && slots <= kMaxTold;
  Slots map(view, found.tells_programs);
  for (const LoggedRange& range : touched) {
    if (!range.is_write || range.end <= view.extent.begin || range.begin >= view.extent.end) continue;
    for_each_run(range, [&](Address begin, Address end) { map.write(begin, end, range.chunk); });
  }
  if (!map.is_told()) {
    if (map.written().find(0, false) == map.written().count()) return found;
    if (is_row_major(view)) {
      find_never(map.written(), found.never);
      return found;
    }
  }
  memory_model::for_each_element(view, [&](std::int64_t element, Address address) {
    const std::size_t slot = map.slot_of(address);
    if (!map.written().test(slot)) return found.never.add(element);
    if (!map.is_told() || map.writers(slot).second == 0) return;
    if (found.twice.count == 0) std::tie(found.first, found.second) = map.writers(slot);
    found.twice.add(element);
  });
  if (found.twice.count != 0) --found.first, --found.second;
  return found;
}

Pattern pattern_of(const View& view, const ElementRuns& elements) {
  const auto& shape = view.shape;
  const Box box = box_around(elements, shape);
  Pattern made;
  made.is_tail = is_tail(elements, shape);
  if (volume(box) == elements.count) {
    made.text = box_text(box, view.name);
    return made;
  }
  const std::int64_t columns = shape.empty() ? 1 : shape.back();
  ElementRuns row;  // of the first row that has any
  for (const auto& [first, last] : elements.runs) {
    if (first / columns != elements.runs[0].first / columns) break;
    for (std::int64_t i = first; i <= std::min(last, first / columns * columns + columns - 1); ++i)
      row.add(i % columns);
  }
  const bool is_alike = shape.size() > 1 && elements.count % row.count == 0 &&
                        std::all_of(elements.runs.begin(), elements.runs.end(), [&](const auto& run) {
                          return run.first / columns == run.second / columns &&
                                 std::find_if(row.runs.begin(), row.runs.end(), [&](const auto& one) {
                                   return one.first == run.first % columns && one.second == run.second % columns;
                                 }) != row.runs.end();
                        });
  if (is_alike) {
    const std::int64_t rows = elements.count / row.count, all = view.element_count() / columns;
    made.text = "elements " + list_text(row.runs) + period_text(row.runs) + " of " +
                (rows == all ? "each row" : std::to_string(rows) + " of " + std::to_string(all) + " rows");
  } else {
    made.text = "elements " + list_text(elements.runs) + period_text(elements.runs);
  }
  return made;
}

}  // namespace lockstep::sanitizer
