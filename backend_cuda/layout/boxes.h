// Boxes: which loads of a loop read a strided box of one parameter's memory, bounded from above by masks, so that the
// GPU's copy engine can bring the whole tile (cp.async.bulk.tensor). Invariant: where no coordinate is negative, the
// box has the load's elements, and zeros where the mask is off; else one thread copies (prelude: copy_slowly). Not here:
// the schedule of the copies (box_pipeline.cpp).
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "backend_cuda/device/tensor_map.h"
#include "backend_cuda/layout/linear_form.h"

namespace lockstep::backend_cuda {

struct Box {
  const ir::Value* parameter = nullptr;
  bool is_transposed = false;  // runs of addresses go down the columns
  std::int64_t rows = 0, columns = 0;  // as stored: a column's neighbours are adjacent in memory
  LaunchNumber column_extent;          // columns from here on read as zero
  // Its first two dimensions are the columns and the rows. Where a row of the tile has several panels (prelude: Panels)
  // and begins with a whole one, the first has the columns of a panel, and the third counts panels: one copy for all.
  TensorMap map;
  std::vector<LinearForm> place;       // by dimension of the map: the coordinate of the tile's first element
  std::int64_t panel_columns = 0;      // of such a third dimension; 0: there is none
};

/// The box that a load of the loop's body reads; nullopt: it may be none.
std::optional<Box> find_box(const ir::Op& load, const ir::Op& loop);

}  // namespace lockstep::backend_cuda
