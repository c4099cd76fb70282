// What reductions and scans have in common: the record of their steps, and their tiles element by element.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "interpreter/evaluators/elementwise.h"
#include "interpreter/gpu_bits/marks.h"
#include "interpreter/launch/machine.h"
#include "interpreter/tile/lifted.h"

namespace lockstep::interpreter {

/// A tile as [outer, n, inner], whose middle dimension is the axis.
struct AxisView {
  std::int64_t outer = 1, n = 1, inner = 1;
};

struct Fold {
  /// With a GPU's bits (gpu_bits/marks.h): the axis is put in this order first, and per_thread rows are combined one after
  /// another before the rest is halved.
  std::optional<gpu_bits::FoldOrder> order;
  std::optional<gpu_bits::ScanOrder> scan_order;
  kernels::BinaryFn combine = nullptr;  // with an order, beside `reduce` or `scan`
  std::optional<Lifted> thread_rows;    // with `order`, before `levels`
  kernels::TernaryFn fused = nullptr;   // with a contracted order: x y + z
  std::array<Slot, 2> factors{};
  std::size_t axis = 0;
  AxisView view;
  bool is_reverse = false;
  std::vector<Slot> sources, results;
  std::vector<bool> dies;
  std::vector<const TileType*> source_types, result_types;
  kernels::ReduceFn reduce = nullptr;
  kernels::ScanFn scan = nullptr;
  std::vector<Lifted> levels;   // reductions: the region for every halving, first one first
  std::optional<Lifted> slice;  // scans: the region for one position along the axis
  // Element by element.
  const Step* entry = nullptr;
  std::vector<Slot> region_arguments, region_results;
};

void release_sources(Machine& machine, const Fold& fold);
/// A contiguous tile as the result of the fold; scalars become uniform.
void set_result(Machine& machine, Slot slot, const TileType& type, Tile tile);
/// A contiguous copy whose axis is in the order of `places`.
Tile reordered(Machine& machine, const Tile& tile, const TileType& type, const AxisView& view,
               const std::vector<std::int64_t>& places);

/// The tiles of a fold that runs element by element: mutable copies, those of a reduction in the fold's order.
class FoldElements {
 public:
  FoldElements(Machine& machine, const Fold& fold);
  ~FoldElements();
  FoldElements(const FoldElements&) = delete;
  FoldElements& operator=(const FoldElements&) = delete;

  char* at(std::size_t operand, std::int64_t index);
  /// The tile itself; it is the caller's.
  Tile take(std::size_t operand);
  /// elements at `to` = region(elements at a, elements at b). False: the program must stop.
  bool combine(std::int64_t a, std::int64_t b, std::int64_t to);

 private:
  void load(std::size_t operand, std::int64_t index, Slot slot);

  Machine& machine_;
  const Fold& fold_;
  std::vector<Tile> tiles_;
};

/// A reduction by the kernel of its region's only operation. As a step.
const Step* step_reduce_kernel(Machine& machine, const Step* step);
/// With a GPU's bits: a scan in the order of its layout. As a step.
const Step* step_scan_ordered(Machine& machine, const Step* step);

}  // namespace lockstep::interpreter
