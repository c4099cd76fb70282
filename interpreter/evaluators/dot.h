// Shared by tt.dot and tt.dot_scaled: the accumulator of a product. Not here: the factors (dot.cpp, dot_scaled.cpp),
// which prepared operands are kept (dot_cache.h) and the product itself (kernels/dot.h).
#pragma once

#include <cstdint>

#include "interpreter/kernels/dot.h"
#include "interpreter/launch/machine.h"

namespace lockstep::interpreter {

class PlanBuilder;

/// Operand 2 of a step during the product. `out` is a contiguous tile of the result's type that only this step sees; it
/// is the operand itself if that dies here.
class Accumulator {
 public:
  Accumulator(Machine& machine, const Step* step);
  /// The same for the tile of a slot; `dies`: nobody else reads it.
  Accumulator(Machine& machine, Tile& c, bool dies, const TileType& type);
  ~Accumulator();
  Accumulator(const Accumulator&) = delete;
  Accumulator& operator=(const Accumulator&) = delete;

  const Tile& out() const { return out_; }
  /// The start of matrix number `batch` of m x n elements, and the place of its result.
  kernels::DotStart start(std::int64_t batch) const;
  char* place(std::int64_t batch) const { return out_.data() + batch * matrix_bytes_; }

 private:
  Machine& machine_;
  Tile out_, held_;
  const void* start_ = nullptr;
  bool is_uniform_ = false;
  std::int64_t matrix_bytes_ = 0;
};

/// Scratch of the given size from the worker's pool; held by the caller's Temporary. A tile without a buffer for 0
/// bytes.
Tile acquire_scratch(Machine& machine, std::int64_t bytes);

/// The steps around a loop (scf.for) whose dots are joined: appended before its first step and after its last one. The
/// first ones forget what a program left behind that ended inside the loop, the others add what still waits.
void open_sums(PlanBuilder& builder, const ir::Op& loop);
void close_sums(PlanBuilder& builder, const ir::Op& loop);

// Hooks of rows.
bool evaluate_dot(PlanBuilder& builder, const ir::Op& op);

}  // namespace lockstep::interpreter
