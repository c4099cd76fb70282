// Coverage: how often each element of an argument was written up to now, and by which programs, found by running the
// past again. It counts a matrix in blocks, so that the answer for a large one is small. Invariant: the engine is where
// it was before. Cost: every program of the past runs point by point.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "debugger/engine/engine.h"
#include "debugger/expression/value.h"
#include "debugger/session/problem.h"
#include "support/result.h"

namespace lockstep::debugger {

/// Rows [first_row, first_row + rows) of an argument as a matrix, whose columns are its last dimension.
struct CoverageWish {
  std::int64_t first_row = 0, rows = 0;  // 0: all that are left
  std::int64_t most_cells = 1024;
  std::size_t most_holes = 64;
};

struct Coverage {
  std::int64_t rows = 0, columns = 0;                    // of the whole argument
  std::uint64_t never = 0, once = 0, several = 0;        // of its elements; one op's store counts once
  std::int64_t first_row = 0, shown_rows = 0;            // that the cells are of
  std::int64_t block_rows = 1, block_columns = 1;        // elements of a cell
  std::int64_t cell_columns = 0;                         // cells of a row of them
  std::vector<std::int64_t> never_cells, several_cells;  // elements of that kind, by cell, row-major
  /// The first few elements of the shown rows that several ops wrote, and the programs.
  struct Repeated {
    std::int64_t element = 0;  // row-major
    std::uint64_t times = 0;
    std::vector<std::uint64_t> programs;  // the first few, in time
  };
  std::vector<Repeated> repeated;
  /// The first few unwritten stretches of the shown rows: element, count.
  std::vector<std::pair<std::int64_t, std::int64_t>> holes;
};

/// Problem: pause() came; the argument is too large.
Expected<Coverage, Problem> find_coverage(Engine& engine, const MemoryWindow& argument, const CoverageWish& wish);

}  // namespace lockstep::debugger
