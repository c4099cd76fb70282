#include "debugger/queries/coverage.h"

#include <algorithm>
#include <unordered_map>

#include "debugger/queries/past.h"

namespace lockstep::debugger {

namespace {

constexpr std::int64_t kMostElements = std::int64_t{64} << 20;
constexpr std::size_t kMostRepeated = 64, kMostWriters = 8, kMostKept = 4096;

/// Counts by element of the argument's memory, at its own distance from the first one.
class WriteCounts {
 public:
  WriteCounts(const memory_model::View& view, std::uint64_t size)
      : begin_(view.extent.begin),
        end_(view.extent.end),
        size_(size),
        times_(static_cast<std::size_t>((end_ - begin_) / size), 0),
        first_(times_.size(), 0) {}

  void write(std::uint64_t begin, std::uint64_t end, std::uint64_t program) {
    if (end <= begin_ || end_ <= begin) return;
    const std::uint64_t from = begin < begin_ ? 0 : (begin - begin_) / size_;
    const std::uint64_t until = std::min<std::uint64_t>(times_.size(), (end - begin_ + size_ - 1) / size_);
    for (std::uint64_t at = from; at < until; ++at) {
      if (times_[at] == 0) first_[at] = static_cast<std::uint32_t>(program);
      if (times_[at] != 0) note_again(at, program);
      if (times_[at] != UINT8_MAX) ++times_[at];
    }
  }

  std::uint64_t slot_of(std::uint64_t address) const { return (address - begin_) / size_; }
  std::uint8_t times(std::uint64_t slot) const { return times_[slot]; }
  Coverage::Repeated repeated(std::uint64_t slot) const {
    Coverage::Repeated repeated{0, times_[slot], {first_[slot]}};
    const auto known = again_.find(slot);
    if (known == again_.end()) return repeated;
    repeated.times = known->second.times;
    repeated.programs.insert(repeated.programs.end(), known->second.programs.begin(), known->second.programs.end());
    return repeated;
  }

 private:
  struct Again {
    std::uint64_t times = 1;
    std::vector<std::uint64_t> programs;
  };

  void note_again(std::uint64_t at, std::uint64_t program) {
    const auto known = again_.find(at);
    if (known == again_.end() && again_.size() >= kMostKept) return;
    Again& again = known == again_.end() ? again_[at] : known->second;
    ++again.times;
    const bool is_new = program != first_[at] &&
                        std::find(again.programs.begin(), again.programs.end(), program) == again.programs.end();
    if (is_new && again.programs.size() + 1 < kMostWriters) again.programs.push_back(program);
  }

  std::uint64_t begin_, end_, size_;
  std::vector<std::uint8_t> times_;
  std::vector<std::uint32_t> first_;
  std::unordered_map<std::uint64_t, Again> again_;
};

/// Blocks of the shown rows, so that there are at most `most` of them.
void choose_cells(Coverage& coverage, std::int64_t most) {
  const auto cells = [&coverage] {
    const std::int64_t down = (coverage.shown_rows + coverage.block_rows - 1) / coverage.block_rows;
    return down * ((coverage.columns + coverage.block_columns - 1) / coverage.block_columns);
  };
  while (cells() > most) {
    const bool is_wide = coverage.columns / coverage.block_columns >= coverage.shown_rows / coverage.block_rows;
    (is_wide ? coverage.block_columns : coverage.block_rows) *= 2;
  }
  coverage.cell_columns = (coverage.columns + coverage.block_columns - 1) / coverage.block_columns;
  coverage.never_cells.assign(static_cast<std::size_t>(cells()), 0);
  coverage.several_cells.assign(static_cast<std::size_t>(cells()), 0);
}

class Counter {
 public:
  Counter(const MemoryWindow& argument, const WriteCounts& counts, std::size_t most_holes, Coverage& coverage)
      : argument_(argument),
        counts_(counts),
        coverage_(coverage),
        most_holes_(most_holes),
        size_(size_bytes(argument.kind)) {}

  void count() {
    std::vector<std::int64_t> index(argument_.shape.size(), 0);
    for (std::int64_t element = 0, all = argument_.count(); element < all; ++element) {
      std::int64_t offset = 0;
      for (std::size_t d = 0; d < index.size(); ++d) offset += index[d] * argument_.strides[d];
      note(element, counts_.slot_of(argument_.base + static_cast<std::uint64_t>(offset * size_)));
      for (std::size_t d = index.size(); d-- > 0 && ++index[d] == argument_.shape[d];) index[d] = 0;
    }
  }

 private:
  void note(std::int64_t element, std::uint64_t slot) {
    const std::uint8_t times = counts_.times(slot);
    ++(times == 0 ? coverage_.never : times == 1 ? coverage_.once : coverage_.several);
    const std::int64_t row = element / coverage_.columns - coverage_.first_row;
    if (times == 1 || row < 0 || row >= coverage_.shown_rows) return;
    const auto cell = static_cast<std::size_t>(row / coverage_.block_rows * coverage_.cell_columns +
                                               element % coverage_.columns / coverage_.block_columns);
    ++(times == 0 ? coverage_.never_cells : coverage_.several_cells)[cell];
    if (times == 0) return note_hole(element);
    if (coverage_.repeated.size() >= kMostRepeated) return;
    coverage_.repeated.push_back(counts_.repeated(slot));
    coverage_.repeated.back().element = element;
  }

  void note_hole(std::int64_t element) {
    auto& holes = coverage_.holes;
    if (!holes.empty() && holes.back().first + holes.back().second == element) {
      ++holes.back().second;
    } else if (holes.size() < most_holes_) {
      holes.emplace_back(element, 1);
    }
  }

  const MemoryWindow& argument_;
  const WriteCounts& counts_;
  Coverage& coverage_;
  std::size_t most_holes_;
  std::int64_t size_;
};

}  // namespace

Expected<Coverage, Problem> find_coverage(Engine& engine, const MemoryWindow& argument, const CoverageWish& wish) {
  const memory_model::View& view = engine.memory().view(memory_model::ViewId{argument.view});
  const auto size = static_cast<std::uint64_t>(size_bytes(argument.kind));
  if (argument.count() > kMostElements || view.extent.bytes() / size > static_cast<std::uint64_t>(kMostElements))
    return Unexpected{Problem{"'" + argument.name + "' has more than 64 Mi elements", ""}};
  Coverage coverage;
  coverage.columns = argument.shape.empty() ? 1 : std::max<std::int64_t>(1, argument.shape.back());
  coverage.rows = argument.count() / coverage.columns;
  coverage.first_row = std::min(wish.first_row, coverage.rows);
  coverage.shown_rows = coverage.rows - coverage.first_row;
  if (wish.rows != 0) coverage.shown_rows = std::min(coverage.shown_rows, wish.rows);
  choose_cells(coverage, std::max<std::int64_t>(1, wish.most_cells));
  WriteCounts counts(view, size);
  const auto witness = [&](const Point&, interpreter::AccessLanes& lanes) {
    if (lanes.kind() == interpreter::TouchKind::load) return;
    lanes.for_each_run([&](std::uint64_t begin, std::int64_t bytes) {
      counts.write(begin, begin + static_cast<std::uint64_t>(bytes), engine.program());
    });
  };
  const Mark now = engine.point() == nullptr ? Mark{~std::uint64_t{0}, 0} : engine.mark();
  const auto asked = ask_the_past(engine, [&](Engine::ScopedReplay&) {
    engine.replay({}, now, {}, witness);
    return true;
  });
  if (!asked) return Unexpected{asked.error()};
  Counter(argument, counts, wish.most_holes, coverage).count();
  return coverage;
}

}  // namespace lockstep::debugger
