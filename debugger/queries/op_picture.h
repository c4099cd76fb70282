// OpPicture: pictures of a line's ops: moved lanes (broadcast, expand_dims ...), reductions, scans, products. Tells
// which lanes make a lane of the result, in the order in which Lockstep combines them, with the values in between.
// Invariants: values in between come from the kernels that make the result; the engine is where it was. Not here: text,
// drawing.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "debugger/engine/engine.h"
#include "debugger/engine/frame.h"
#include "debugger/session/problem.h"
#include "support/result.h"

namespace lockstep::debugger {

enum class PictureKind : std::uint8_t { moves, reduction, scan, product };

/// A unit of drawing: an op, or the chain of a line's ops that move lanes, in the order of the text.
struct PicturedOp {
  PictureKind kind = PictureKind::moves;
  std::vector<const Point*> chain;

  const ir::Op& op() const { return *chain.back()->op; }
  /// The result that is drawn: the first used one (of an argmax, the index).
  std::size_t result_number() const;
  const ir::Value& result() const { return *op().result(result_number()); }
  /// Operands of the first op of the chain.
  const std::vector<ir::Value*>& sources() const { return chain.front()->op->operands(); }
};

/// The pictures of the line in the frame at `level` (of point()->frames), in the order of the text. Empty: none, or no
/// program is at a point.
std::vector<PicturedOp> pictured_ops(const Engine& engine, std::size_t level);

/// The source of a tile in an argument: the elements behind its lanes that were on.
struct TileOrigin {
  std::vector<std::uint64_t> addresses;  // in the order of the lanes
  std::int32_t view = -1;
};

/// The op's values, and its result.
struct OpPicture {
  PicturedOp drawn;
  std::vector<Datum> sources;
  Datum result;
  std::vector<std::optional<TileOrigin>> origins;  // of the sources of a product
};
/// Runs ahead and back if the op has not run yet. Problem: it cannot be reached from here.
Expected<OpPicture, Problem> look_at_op(Engine& engine, const PicturedOp& op);

/// A lane of a source.
struct SourceLane {
  std::size_t source = 0;
  std::int64_t lane = 0;
};
/// For moves: the source of lane `lane` of the result.
SourceLane source_of(const PicturedOp& op, std::int64_t lane);
/// The lanes of the result that a lane of a source takes part in, rising, at most `most` of them from the `first`th on.
struct LanesMade {
  std::vector<std::int64_t> lanes;
  std::int64_t total = 0;
};
LanesMade lanes_made(const PicturedOp& op, SourceLane from, std::int64_t first, std::int64_t most);

/// The lanes of the sources along the axis that make a lane of the result; lane i of them is start + i * stride.
struct Line {
  std::int64_t start = 0, stride = 1, extent = 1;
  std::int64_t at = 0;  // of a scan: the position of the lane itself
};
Line line_of(const PicturedOp& op, std::int64_t lane);
Datum values_along(const Datum& tile, const Line& line);

/// A reduction's line after each halving: element i of one level was made of i and i + width of the level before, which
/// had 2 * width elements. The first level is the line itself; the last one has one element. For source 0. Empty: the
/// combining function has several ops or results, whose values in between are unknown.
std::vector<Datum> levels_of(const OpPicture& picture, const Line& line);

/// For a product: row of the left side, column of the right one, and the start of the sum.
struct ProductLines {
  std::int64_t batch = 0, row = 0, column = 0, extent = 0;
  Line left, right;
};
ProductLines product_lines(const PicturedOp& op, std::int64_t lane);
/// The sums after products [0, first + 1), [0, first + 2) ... of the line. Empty: kinds that Lockstep multiplies in
/// another way (scaled ones).
Datum partial_sums(const OpPicture& picture, std::int64_t lane, std::int64_t first, std::int64_t count);

/// The element that a product was added to, each time the program ran it in this turn, up to and including now.
struct Addition {
  std::vector<std::int64_t> iterations;  // of the loops around, outermost first
  std::string before;                    // its bytes
};
Expected<std::vector<Addition>, Problem> additions(Engine& engine, const PicturedOp& op, std::int64_t lane,
                                                   std::size_t most);

}  // namespace lockstep::debugger
