#include "debugger/queries/op_picture.h"

#include <algorithm>
#include <cstring>

#include "debugger/queries/past.h"
#include "interpreter/access/access_lanes.h"
#include "interpreter/evaluators/elementwise_ops.h"
#include "interpreter/kernels/dot.h"
#include "interpreter/kernels/kernels.h"
#include "ir/interfaces/lane_movement.h"
#include "ir/interfaces/op_kinds.h"
#include "ir/op_def.h"

namespace lockstep::debugger {

namespace {

std::int64_t lanes_of(const ir::Value& value) { return value.type().is_tensor() ? value.type().element_count() : 1; }

std::optional<PictureKind> kind_of(const ir::Op& op) {
  if (ir::moves_lanes(op)) return PictureKind::moves;
  switch (op.def().combination) {
    case ir::Combination::reduction: return PictureKind::reduction;
    case ir::Combination::scan: return PictureKind::scan;
    case ir::Combination::product:
    case ir::Combination::scaled_product: return PictureKind::product;
    default: return std::nullopt;
  }
}

/// The same line of the same frame, which is the innermost one there.
bool is_in_line(const Point& point, const Point& here, std::size_t level) {
  if (point.frames.size() + level != here.frames.size()) return false;
  for (std::size_t i = 0; i < point.frames.size(); ++i) {
    if (!point.frames[i].same_line(here.frames[i + level])) return false;
  }
  return !point.frames.empty();
}

/// Spreading one number over a tile needs no picture, nor does an unchanged tile.
bool is_worth_drawing(const PicturedOp& op) {
  if (op.kind != PictureKind::moves) return true;
  const bool is_same = std::all_of(op.chain.begin(), op.chain.end(), [](const Point* point) {
    return ir::moves_as(*point->op, ir::Movement::reshape) &&
           point->op->operand(0)->type() == point->op->result()->type();
  });
  if (is_same) return false;
  return lanes_of(op.result()) > 1 && lanes_of(*op.sources().front()) > 1;
}

}  // namespace

std::size_t PicturedOp::result_number() const {
  for (std::size_t i = 0; i < op().result_count(); ++i) {
    if (op().result(i)->has_uses()) return i;
  }
  return 0;
}

std::vector<PicturedOp> pictured_ops(const Engine& engine, std::size_t level) {
  std::vector<PicturedOp> found;
  const Point* here = engine.point();
  if (here == nullptr || level >= here->frames.size()) return found;
  for (const Point& point : engine.kernel().points()) {
    const auto kind = kind_of(*point.op);
    if (!kind || !is_in_line(point, *here, level)) continue;
    if (*kind == PictureKind::moves && point.op->operand_count() == 1) {
      // Continues at the chain that made the operand.
      const auto before = std::find_if(found.begin(), found.end(), [&](const PicturedOp& one) {
        return one.kind == PictureKind::moves && one.chain.back()->activation == point.activation &&
               &one.op() == point.op->operand(0)->defining_op();
      });
      if (before != found.end() && point.op->operand(0)->uses().size() == 1) {
        before->chain.push_back(&point);
        continue;
      }
    }
    found.push_back({*kind, {&point}});
  }
  std::erase_if(found, [](const PicturedOp& one) { return !is_worth_drawing(one); });
  return found;
}

namespace {

Datum read_value(const Engine& engine, const ir::Value& value, std::uint32_t activation) {
  const interpreter::Slot slot = engine.kernel().slot_of(value, activation);
  return slot == interpreter::kNoSlot ? Datum{} : read(engine, slot);
}

/// Back through lane-by-lane ops and transpositions to the load.
const ir::Op* load_behind(const ir::Value& value) {
  const ir::Op* op = value.defining_op();
  while (op != nullptr && !ir::is_pointer_load(*op)) {
    const bool hands_on = op->operand_count() == 1 && (ir::keeps_lanes(*op) || ir::moves_lanes(*op));
    op = hands_on ? op->operand(0)->defining_op() : nullptr;
  }
  return op;
}

std::optional<TileOrigin> origin_of(const Engine& engine, const ir::Value& value, std::uint32_t activation) {
  const ir::Op* load = load_behind(value);
  if (load == nullptr || load->operand_count() == 0 || !load->operand(0)->type().is_tensor()) return std::nullopt;
  const Datum pointers = read_value(engine, *load->operand(0), activation);
  const ir::Value* masked = interpreter::access_mask(*load);
  const Datum mask = masked == nullptr ? Datum{} : read_value(engine, *masked, activation);
  if (masked != nullptr && mask.bytes.empty()) return std::nullopt;
  TileOrigin origin;
  origin.view = pointers.provenance;
  for (std::size_t lane = 0; (lane + 1) * sizeof(std::uint64_t) <= pointers.bytes.size(); ++lane) {
    if (masked != nullptr && (mask.bytes[mask.count() == 1 ? 0 : lane] & 1) == 0) continue;
    std::memcpy(&origin.addresses.emplace_back(), pointers.bytes.data() + lane * sizeof(std::uint64_t),
                sizeof(std::uint64_t));
  }
  if (origin.addresses.empty()) return std::nullopt;
  return origin;
}

/// Collects the values that the op sees while its program runs over it.
class Looker {
 public:
  Looker(const Engine& engine, const PicturedOp& op) : engine_(engine) { picture_.drawn = op; }

  /// Called at each point of the program.
  void visit() {
    const Point* here = engine_.point();
    const Point *first = picture_.drawn.chain.front(), *last = picture_.drawn.chain.back();
    if (has_run_ && !is_done()) take_result(*last);
    if (here == first && picture_.sources.empty()) take_sources();
    if (here == last && !picture_.sources.empty()) has_run_ = true;
  }
  bool is_done() const { return is_done_; }
  OpPicture take() { return std::move(picture_); }

 private:
  void take_sources() {
    const Point& point = *picture_.drawn.chain.front();
    for (const ir::Value* value : picture_.drawn.sources()) {
      picture_.sources.push_back(read_value(engine_, *value, point.activation));
      if (picture_.drawn.kind == PictureKind::product)
        picture_.origins.push_back(origin_of(engine_, *value, point.activation));
    }
  }

  void take_result(const Point& point) {
    picture_.result = read_value(engine_, picture_.drawn.result(), point.activation);
    is_done_ = true;
  }

  const Engine& engine_;
  OpPicture picture_;
  bool has_run_ = false, is_done_ = false;
};

Unexpected<Problem> not_reached() {
  return Unexpected{Problem{"this op is not reached from here within the line", "step to it: an op on, an op back"}};
}

}  // namespace

Expected<OpPicture, Problem> look_at_op(Engine& engine, const PicturedOp& op) {
  const Engine::ReturnMark home = engine.home();
  if (engine.point() == nullptr) return not_reached();
  const std::uint64_t program = engine.program();
  // From the chain's first op, which may have run before: a line without loops runs its ops in order.
  const std::uint64_t here = engine.point()->number, first = op.chain.front()->number, last = op.chain.back()->number;
  const std::uint64_t back = here > first ? std::min<std::uint64_t>(here - first, home.mark.step) : 0;
  const Mark from{home.mark.turn, home.mark.step - back};
  const Mark to{home.mark.turn, home.mark.step + (last >= here ? last - here + 1 : 0)};
  Looker looker(engine, op);
  const auto visit = [&] {
    if (!looker.is_done() && engine.point() != nullptr && engine.program() == program) looker.visit();
  };
  const auto asked = ask_the_past(engine, [&](Engine::ScopedReplay&) {
    engine.replay(from, to, visit, {});
    return true;
  });
  if (!asked) return Unexpected{asked.error()};
  if (!looker.is_done()) return not_reached();
  return looker.take();
}

// ---- lanes ----

SourceLane source_of(const PicturedOp& op, std::int64_t lane) {
  std::size_t result = op.result_number();
  for (std::size_t i = op.chain.size(); i-- > 0;) {
    const ir::Op& step = *op.chain[i]->op;
    const ir::LaneSource from = ir::lane_source(step, result, lane);
    lane = from.lane;
    if (i == 0) return {from.operand, lane};
    result = step.operand(from.operand)->index();
  }
  return {0, lane};
}

namespace {

std::size_t axis_of(const ir::Op& op) { return static_cast<std::size_t>(op.integer_attribute("axis", 0)); }

/// Elements of the dimensions after one.
std::int64_t elements_behind(const std::vector<std::int64_t>& shape, std::size_t dimension) {
  std::int64_t count = 1;
  for (std::size_t d = dimension + 1; d < shape.size(); ++d) count *= shape[d];
  return count;
}

const std::vector<std::int64_t>& type_shape(const ir::Value& value) { return value.type().shape(); }

/// Whether a lane of a source takes part in a lane of the result.
bool takes_part(const PicturedOp& op, SourceLane from, std::int64_t lane) {
  if (op.kind == PictureKind::moves) {
    const SourceLane source = source_of(op, lane);
    return source.source == from.source && source.lane == from.lane;
  }
  if (op.kind == PictureKind::product) {
    const ProductLines lines = product_lines(op, lane);
    if (from.source > 1) return from.source == 2 && from.lane == lane;
    const Line& line = from.source == 0 ? lines.left : lines.right;
    const std::int64_t at = from.lane - line.start;
    return at >= 0 && at % line.stride == 0 && at / line.stride < line.extent;
  }
  const Line line = line_of(op, lane);
  const std::int64_t at = from.lane - line.start;
  if (at < 0 || at % line.stride != 0 || at / line.stride >= line.extent) return false;
  if (op.kind == PictureKind::reduction) return true;
  return op.op().integer_attribute("reverse", 0) != 0 ? at / line.stride >= line.at : at / line.stride <= line.at;
}

}  // namespace

LanesMade lanes_made(const PicturedOp& op, SourceLane from, std::int64_t first, std::int64_t most) {
  LanesMade made;
  const std::int64_t count = lanes_of(op.result());
  for (std::int64_t lane = 0; lane < count; ++lane) {
    if (!takes_part(op, from, lane)) continue;
    if (made.total >= first && static_cast<std::int64_t>(made.lanes.size()) < most) made.lanes.push_back(lane);
    ++made.total;
  }
  return made;
}

Line line_of(const PicturedOp& op, std::int64_t lane) {
  const auto& shape = type_shape(*op.op().operand(0));
  const std::size_t axis = axis_of(op.op());
  Line line;
  line.extent = shape[axis];
  line.stride = elements_behind(shape, axis);
  const bool is_scan = op.kind == PictureKind::scan;
  const std::int64_t outer = is_scan ? lane / (line.extent * line.stride) : lane / line.stride;
  line.start = outer * line.extent * line.stride + lane % line.stride;
  if (is_scan) line.at = lane / line.stride % line.extent;
  return line;
}

ProductLines product_lines(const PicturedOp& op, std::int64_t lane) {
  const auto &left = type_shape(*op.op().operand(0)), &right = type_shape(*op.op().operand(1)),
             &out = type_shape(op.result());
  const std::int64_t rows = out[out.size() - 2], columns = out.back(), extent = left.back();
  ProductLines lines;
  lines.batch = lane / (rows * columns);
  lines.row = lane / columns % rows;
  lines.column = lane % columns;
  lines.extent = extent;
  lines.left = {(lines.batch * rows + lines.row) * extent, 1, extent, 0};
  const std::int64_t depth = right[right.size() - 2];
  lines.right = {lines.batch * depth * right.back() + lines.column, right.back(), depth, 0};
  return lines;
}

// ---- values in between ----

Datum values_along(const Datum& tile, const Line& line) {
  Datum found;
  found.kind = tile.kind;
  found.shape = {line.extent};
  const auto bytes = static_cast<std::size_t>(size_bytes(tile.kind));
  for (std::int64_t i = 0; i < line.extent; ++i)
    found.bytes += tile.bytes.substr(static_cast<std::size_t>(line.start + i * line.stride) * bytes, bytes);
  return found;
}

namespace {

/// The loop by which the region's one op combines two rows. Null: it has several.
interpreter::kernels::ReduceFn combining_kernel(const ir::Op& op, ScalarKind kind) {
  if (op.operand_count() != 1 || op.regions().empty() || op.region().empty()) return nullptr;
  const ir::Block& block = op.region().front();
  if (block.ops().size() != 2 || block.arguments().size() != 2) return nullptr;
  const ir::Op& inner = *block.ops().front();
  if (inner.operand_count() != 2 || inner.operand(0) == inner.operand(1)) return nullptr;
  for (const ir::Value* operand : inner.operands()) {
    if (operand->owner_block() != &block) return nullptr;
  }
  const auto kernel = interpreter::binary_kernel_of(inner);
  return kernel ? interpreter::kernels::reduce(*kernel, kind) : nullptr;
}

}  // namespace

std::vector<Datum> levels_of(const OpPicture& picture, const Line& line) {
  const auto combine = combining_kernel(picture.drawn.op(), picture.sources[0].kind);
  if (combine == nullptr) return {};
  std::vector<Datum> levels{values_along(picture.sources[0], line)};
  for (std::int64_t width = line.extent / 2; width >= 1; width /= 2) {
    Datum next;
    next.kind = levels.back().kind;
    next.shape = {width};
    next.bytes.resize(static_cast<std::size_t>(width * size_bytes(next.kind)));
    combine(next.bytes.data(), levels.back().bytes.data(), 1, 2, width);
    levels.push_back(std::move(next));
  }
  return levels;
}

Datum partial_sums(const OpPicture& picture, std::int64_t lane, std::int64_t first, std::int64_t count) {
  using interpreter::kernels::DotRecipe;
  using interpreter::kernels::Side;
  struct alignas(64) Block64 {
    char bytes[64];
  };
  const ir::Op& op = picture.drawn.op();
  Datum sums;
  if (!ir::is_matrix_product(op)) return sums;
  const ProductLines lines = product_lines(picture.drawn, lane);
  const Datum left = values_along(picture.sources[0], lines.left),
              right = values_along(picture.sources[1], lines.right);
  const auto precision = static_cast<interpreter::kernels::DotPrecision>(op.integer_attribute("inputPrecision", 2));
  sums.kind = picture.result.kind;
  const auto bytes = static_cast<std::size_t>(size_bytes(sums.kind));
  const std::string start = picture.sources[2].bytes.substr(
      picture.sources[2].bytes.size() == bytes ? 0 : static_cast<std::size_t>(lane) * bytes, bytes);
  const auto blocks = [](std::int64_t size) {
    return std::vector<Block64>(static_cast<std::size_t>(size + 63) / 64 + 1);
  };
  for (std::int64_t k = first + 1; k <= std::min(first + count, lines.extent); ++k) {
    const DotRecipe recipe(interpreter::kernels::Dot{sums.kind, precision, 1, 1, k}, left.kind, right.kind);
    auto a = blocks(recipe.prepared_bytes(Side::left)), b = blocks(recipe.prepared_bytes(Side::right)),
         scratch = blocks(recipe.scratch_bytes());
    const auto row = recipe.prepare(Side::left, {left.bytes.data(), left.kind, k, 1}, a.front().bytes);
    const auto column = recipe.prepare(Side::right, {right.bytes.data(), right.kind, 1, 1}, b.front().bytes);
    std::string sum = start;
    recipe.run(sum.data(), {start.data(), false}, row, column, scratch.front().bytes);
    sums.bytes += sum;
  }
  sums.shape = {static_cast<std::int64_t>(sums.bytes.size() / bytes)};
  return sums;
}

Expected<std::vector<Addition>, Problem> additions(Engine& engine, const PicturedOp& op, std::int64_t lane,
                                                   std::size_t most) {
  std::vector<Addition> found;
  const Engine::ReturnMark home = engine.home();
  const std::uint64_t program = engine.program();
  const Point& point = *op.chain.back();
  const auto visit = [&] {
    if (engine.point() != &point || engine.program() != program || found.size() >= most) return;
    Addition one;
    for (const LoopPosition& loop : Frame(engine).loops())
      one.iterations.insert(one.iterations.begin(), loop.iteration.value_or(0));
    const Datum start = read_value(engine, *op.op().operand(2), point.activation);
    const auto bytes = static_cast<std::size_t>(size_bytes(start.kind));
    one.before = start.bytes.substr(start.bytes.size() == bytes ? 0 : static_cast<std::size_t>(lane) * bytes, bytes);
    found.push_back(std::move(one));
  };
  const std::uint64_t ahead = point.number >= engine.point()->number ? point.number - engine.point()->number : 0;
  auto asked = ask_the_past(engine, [&](Engine::ScopedReplay&) {
    engine.replay({home.mark.turn, 0}, {home.mark.turn, home.mark.step + ahead}, visit, {});
    return true;
  });
  if (!asked) return Unexpected{asked.error()};
  return found;
}

}  // namespace lockstep::debugger
