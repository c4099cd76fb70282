#include "interpreter/evaluators/reduce_scan.h"

#include <array>
#include <cstring>
#include <optional>

#include "interpreter/evaluators/elementwise_ops.h"
#include "interpreter/folds/fold.h"
#include "interpreter/plan/plan_builder.h"
#include "interpreter/tile/dense.h"
#include "ir/opcode.h"

namespace lockstep::interpreter {

namespace {

AxisView axis_view(const TileType& type, std::size_t axis) {
  AxisView view;
  for (std::size_t d = 0; d < type.shape.size(); ++d)
    (d < axis ? view.outer : d == axis ? view.n : view.inner) *= type.shape[d];
  return view;
}

/// One line along the axis, in the order of a GPU, as rows of `row` elements.
struct OrderedLine {
  char* values;
  const char *x, *y;  // factors of the values, or null
  std::int64_t rows, row, row_bytes;
};

/// The number of rows that are left, at the front of `values`.
std::int64_t combine_in_thread(const Fold& fold, const OrderedLine& line) {
  const std::int64_t per_thread = fold.order->per_thread, threads = line.rows / per_thread;
  const std::int64_t count = threads * line.row, bytes = threads * line.row_bytes;
  for (std::int64_t r = 1; r < per_thread; ++r) {
    char* next = line.values + r * bytes;
    if (fold.fused == nullptr)
      fold.combine(line.values, line.values, next, count, 1, 1);
    else if (r == 1)  // of two products the first one is joined
      fold.fused(line.values, line.x, line.y, next, count, 1, 1, 1);
    else
      fold.fused(line.values, line.x + r * bytes, line.y + r * bytes, line.values, count, 1, 1, 1);
  }
  if (fold.fused == nullptr || per_thread > 1) return threads;
  fold.fused(line.values, line.x, line.y, line.values + bytes / 2, count / 2, 1, 1, 1);
  return threads / 2;
}

const Step* step_reduce_ordered(Machine& machine, const Step* step) {
  const auto& fold = *static_cast<const Fold*>(step->record);
  const TileType& type = *fold.source_types[0];
  const AxisView& v = fold.view;
  const std::int64_t row_bytes = v.inner * type.element_bytes;
  const auto ordered = [&](Slot slot) { return reordered(machine, machine.slots[slot], type, v, fold.order->places); };
  const bool has_factors = fold.fused != nullptr;
  const Temporary in(machine, ordered(fold.sources[0]));
  const Temporary x(machine, has_factors ? ordered(fold.factors[0]) : Tile());
  const Temporary y(machine, has_factors ? ordered(fold.factors[1]) : Tile());
  const Tile out = machine.allocate(*fold.result_types[0]);
  for (std::int64_t o = 0; o < v.outer; ++o) {
    const std::int64_t at = o * v.n * row_bytes;
    const OrderedLine line{in->data() + at, has_factors ? x->data() + at : nullptr,
                           has_factors ? y->data() + at : nullptr, v.n, v.inner, row_bytes};
    const std::int64_t left = combine_in_thread(fold, line);
    char* to = out.data() + o * row_bytes;
    if (left == 1)
      std::memcpy(to, line.values, static_cast<std::size_t>(row_bytes));
    else
      fold.reduce(to, line.values, 1, left, v.inner);
  }
  set_result(machine, fold.results[0], *fold.result_types[0], out);
  release_sources(machine, fold);
  return step + 1;
}

const Step* step_scan_kernel(Machine& machine, const Step* step) {
  const auto& fold = *static_cast<const Fold*>(step->record);
  const Temporary in(machine, make_contiguous(machine, machine.slots[fold.sources[0]], *fold.source_types[0]));
  const Tile out = machine.allocate(*fold.result_types[0]);
  fold.scan(out.data(), in->data(), fold.view.outer, fold.view.n, fold.view.inner, fold.is_reverse);
  set_result(machine, fold.results[0], *fold.result_types[0], out);
  release_sources(machine, fold);
  return step + 1;
}

/// Rows `first`..`first + rows` along the axis of a contiguous [outer, length, inner] tile, as a view that does not own
/// a count.
Tile rows_of(const Tile& whole, const AxisView& view, std::int64_t length, std::int64_t first, std::int64_t rows,
             int bytes) {
  Tile part = whole;
  part.buffer = nullptr;
  part.base += static_cast<std::uint64_t>(first * view.inner * bytes);
  part.stride = {length * view.inner, view.inner, 1};
  part.is_contiguous = view.outer == 1 || rows == length;
  return part;
}

/// Copies a [outer, rows, inner] tile of any form to rows `first`.. of a contiguous [outer, length, inner] tile.
void store_part(Machine& machine, const Tile& part, const TileType& type, char* out, const AxisView& view,
                std::int64_t length, std::int64_t first, std::int64_t rows) {
  const Temporary packed(machine, make_contiguous(machine, part, type));
  kernels::copy_rows(out + first * view.inner * type.element_bytes, length * view.inner * type.element_bytes,
                     packed->data(), rows * view.inner * type.element_bytes, view.outer,
                     rows * view.inner * type.element_bytes);
}

TileType rows_type(const TileType& whole, const AxisView& view, std::int64_t rows) {
  TileType type;
  type.kind = whole.kind;
  type.element_bytes = whole.element_bytes;
  type.shape = {view.outer, rows, view.inner};
  type.count = view.outer * rows * view.inner;
  return type;
}

/// What run_lifted made, as tiles of their own: a side that is returned unchanged would be a view of the old tile, which
/// ends.
void settle_rows(Machine& machine, const Fold& fold, std::vector<Tile>& made, std::int64_t rows) {
  for (std::size_t i = 0; i < made.size(); ++i) {
    const TileType type = rows_type(*fold.source_types[i], fold.view, rows);
    Tile next = machine.allocate(type);
    store_part(machine, made[i], type, next.data(), fold.view, rows, 0, rows);
    machine.pool.release(made[i]);
    made[i] = next;
  }
}

/// The rows that the threads of a GPU have after each combined its own values.
std::vector<Tile> combine_in_threads(Machine& machine, const Fold& fold) {
  const std::size_t count = fold.sources.size();
  const std::int64_t threads = fold.view.n / fold.order->per_thread;
  std::vector<Tile> all, current, arguments(2 * count);
  for (std::size_t i = 0; i < count; ++i) {
    const TileType& type = *fold.source_types[i];
    all.push_back(reordered(machine, machine.slots[fold.sources[i]], type, fold.view, fold.order->places));
    current.push_back(machine.allocate(rows_type(type, fold.view, threads)));
    store_part(machine, rows_of(all[i], fold.view, fold.view.n, 0, threads, type.element_bytes),
               rows_type(type, fold.view, threads), current[i].data(), fold.view, threads, 0, threads);
  }
  for (std::int64_t r = 1; r < fold.order->per_thread; ++r) {
    for (std::size_t i = 0; i < count; ++i) {
      const int bytes = fold.source_types[i]->element_bytes;
      arguments[i] = rows_of(current[i], fold.view, threads, 0, threads, bytes);
      arguments[count + i] = rows_of(all[i], fold.view, fold.view.n, r * threads, threads, bytes);
    }
    std::vector<Tile> made = run_lifted(machine, *fold.thread_rows, arguments);
    settle_rows(machine, fold, made, threads);
    for (Tile& tile : current) machine.pool.release(tile);
    current = std::move(made);
  }
  for (Tile& tile : all) machine.pool.release(tile);
  return current;
}

const Step* step_reduce_lifted(Machine& machine, const Step* step) {
  const auto& fold = *static_cast<const Fold*>(step->record);
  const std::size_t count = fold.sources.size();
  std::vector<Tile> current, arguments;
  if (fold.order) current = combine_in_threads(machine, fold);
  for (std::size_t i = 0; !fold.order && i < count; ++i)
    current.push_back(make_contiguous(machine, machine.slots[fold.sources[i]], *fold.source_types[i]));
  std::int64_t width = fold.order ? fold.view.n / fold.order->per_thread : fold.view.n;
  for (const Lifted& level : fold.levels) {
    width /= 2;
    arguments.clear();
    for (const std::int64_t first : {std::int64_t{0}, width}) {
      for (std::size_t i = 0; i < count; ++i)
        arguments.push_back(
            rows_of(current[i], fold.view, 2 * width, first, width, fold.source_types[i]->element_bytes));
    }
    std::vector<Tile> made = run_lifted(machine, level, arguments);
    settle_rows(machine, fold, made, width);
    for (Tile& tile : current) machine.pool.release(tile);
    current = std::move(made);
  }
  for (std::size_t i = 0; i < count; ++i) set_result(machine, fold.results[i], *fold.result_types[i], current[i]);
  release_sources(machine, fold);
  return step + 1;
}

/// Position after position along the axis, each for all rows at once.
const Step* step_scan_lifted(Machine& machine, const Step* step) {
  const auto& fold = *static_cast<const Fold*>(step->record);
  const std::size_t count = fold.sources.size();
  const AxisView& v = fold.view;
  std::vector<Tile> in, out, arguments(2 * count);
  for (std::size_t i = 0; i < count; ++i) {
    in.push_back(make_contiguous(machine, machine.slots[fold.sources[i]], *fold.source_types[i]));
    out.push_back(machine.allocate(*fold.source_types[i]));
    const std::int64_t first = fold.is_reverse ? v.n - 1 : 0;
    const int bytes = fold.source_types[i]->element_bytes;
    store_part(machine, rows_of(in[i], v, v.n, first, 1, bytes), rows_type(*fold.source_types[i], v, 1), out[i].data(),
               v, v.n, first, 1);
  }
  for (std::int64_t k = 1; k < v.n; ++k) {
    const std::int64_t at = fold.is_reverse ? v.n - 1 - k : k, before = fold.is_reverse ? at + 1 : at - 1;
    for (std::size_t i = 0; i < count; ++i) {
      const int bytes = fold.source_types[i]->element_bytes;
      arguments[i] = rows_of(out[i], v, v.n, before, 1, bytes);
      arguments[count + i] = rows_of(in[i], v, v.n, at, 1, bytes);
    }
    std::vector<Tile> made = run_lifted(machine, *fold.slice, arguments);
    for (std::size_t i = 0; i < count; ++i) {
      store_part(machine, made[i], rows_type(*fold.source_types[i], v, 1), out[i].data(), v, v.n, at, 1);
      machine.pool.release(made[i]);
    }
  }
  for (std::size_t i = 0; i < count; ++i) {
    machine.pool.release(in[i]);
    set_result(machine, fold.results[i], *fold.result_types[i], out[i]);
  }
  release_sources(machine, fold);
  return step + 1;
}

const Step* stop(Machine& machine, const Step* step) {
  machine.program->next = step;
  return nullptr;
}

/// False: the program must stop.
bool combine_in_threads(FoldElements& elements, const AxisView& v, std::int64_t per_thread) {
  const std::int64_t row = v.n / per_thread * v.inner;
  for (std::int64_t o = 0; o < v.outer; ++o) {
    for (std::int64_t i = row; i < v.n * v.inner; ++i) {
      const std::int64_t first = o * v.n * v.inner, to = first + i % row;
      if (!elements.combine(to, first + i, to)) return false;
    }
  }
  return true;
}

const Step* step_reduce_elements(Machine& machine, const Step* step) {
  const auto& fold = *static_cast<const Fold*>(step->record);
  FoldElements elements(machine, fold);
  const AxisView& v = fold.view;
  const std::int64_t per_thread = fold.order ? fold.order->per_thread : 1;
  if (!combine_in_threads(elements, v, per_thread)) return stop(machine, step);
  for (std::int64_t width = v.n / per_thread / 2; width >= 1; width /= 2) {
    for (std::int64_t o = 0; o < v.outer; ++o) {
      for (std::int64_t i = 0; i < width * v.inner; ++i) {
        const std::int64_t a = o * v.n * v.inner + i;
        if (!elements.combine(a, a + width * v.inner, a)) return stop(machine, step);
      }
    }
  }
  for (std::size_t r = 0; r < fold.results.size(); ++r) {
    const Tile out = machine.allocate(*fold.result_types[r]);
    const auto row = static_cast<std::size_t>(v.inner * fold.source_types[r]->element_bytes);
    for (std::int64_t o = 0; o < v.outer; ++o)
      std::memcpy(out.data() + static_cast<std::size_t>(o) * row, elements.at(r, o * v.n * v.inner), row);
    set_result(machine, fold.results[r], *fold.result_types[r], out);
  }
  release_sources(machine, fold);
  return step + 1;
}

const Step* step_scan_elements(Machine& machine, const Step* step) {
  const auto& fold = *static_cast<const Fold*>(step->record);
  FoldElements elements(machine, fold);
  const AxisView& v = fold.view;
  for (std::int64_t o = 0; o < v.outer; ++o) {
    for (std::int64_t i = 0; i < v.inner; ++i) {
      for (std::int64_t k = 1; k < v.n; ++k) {
        const std::int64_t at = fold.is_reverse ? v.n - 1 - k : k, before = fold.is_reverse ? at + 1 : at - 1;
        const std::int64_t row = o * v.n * v.inner + i;
        if (!elements.combine(row + before * v.inner, row + at * v.inner, row + at * v.inner))
          return stop(machine, step);
      }
    }
  }
  for (std::size_t r = 0; r < fold.results.size(); ++r)
    set_result(machine, fold.results[r], *fold.result_types[r], elements.take(r));
  release_sources(machine, fold);
  return step + 1;
}

// ---- planning ----

/// The only operation of a region (a, b) -> a op b.
std::optional<kernels::Binary> single_operation(const ir::Region& region) {
  const ir::Block& block = region.front();
  if (block.ops().size() != 2 || block.arguments().size() != 2) return std::nullopt;
  const ir::Op& op = *block.ops().front();
  const ir::Op& end = *block.ops().back();
  if (op.operand_count() != 2 || end.operand_count() != 1 || end.operand(0) != op.result(0)) return std::nullopt;
  const ir::Value *a = block.argument(0), *b = block.argument(1);
  const bool uses_both = (op.operand(0) == a && op.operand(1) == b) || (op.operand(0) == b && op.operand(1) == a);
  return uses_both ? binary_kernel_of(op) : std::nullopt;
}

/// Lifts the region to [outer, width, inner] tiles for every halving. False: it cannot be lifted.
bool lift_levels(PlanBuilder& builder, const ir::Region& region, Fold& fold) {
  const std::int64_t per_thread = fold.order ? fold.order->per_thread : 1, threads = fold.view.n / per_thread;
  if (per_thread > 1) {
    fold.thread_rows = lift(builder, region, {fold.view.outer, threads, fold.view.inner});
    if (!fold.thread_rows || fold.thread_rows->returned.size() != fold.sources.size()) return false;
  }
  for (std::int64_t width = threads / 2; width >= 1; width /= 2) {
    auto level = lift(builder, region, {fold.view.outer, width, fold.view.inner});
    if (!level || level->returned.size() != fold.sources.size()) return false;
    fold.levels.push_back(std::move(*level));
  }
  return true;
}

/// Rows below which a scan goes element by element: its positions depend on each other.
constexpr std::int64_t kFewRows = 4;

bool lift_slice(PlanBuilder& builder, const ir::Region& region, Fold& fold) {
  if (fold.view.outer * fold.view.inner < kFewRows) return false;
  fold.slice = lift(builder, region, {fold.view.outer, 1, fold.view.inner});
  return fold.slice && fold.slice->returned.size() == fold.sources.size();
}

bool region_fits(const ir::Op& op, const Fold& fold) {
  const ir::Block& block = op.region().front();
  const ir::Op& end = *block.ops().back();
  const std::size_t count = fold.source_types.size();
  bool fits = end.operand_count() == count;
  for (std::size_t i = 0; i < 2 * count; ++i)
    fits = fits && block.argument(i)->type().scalar_kind() == fold.source_types[i % count]->kind;
  for (std::size_t i = 0; fits && i < count; ++i) {
    fits = end.operand(i)->type().scalar_kind() == fold.source_types[i]->kind &&
           fold.result_types[i]->kind == fold.source_types[i]->kind;
  }
  return fits;
}

bool describe(PlanBuilder& builder, const ir::Op& op, Fold& fold) {
  const auto axis = op.integer_attribute("axis", 0);
  if (op.operand_count() == 0 || op.result_count() != op.operand_count())
    return builder.error(op, "it needs as many results as operands");
  for (std::size_t i = 0; i < op.operand_count(); ++i) {
    const Slot source = builder.operand(op, i), result = builder.result(op, i);
    if (source == kNoSlot || result == kNoSlot) return false;
    fold.sources.push_back(source);
    fold.results.push_back(result);
    bool dies = builder.dies_at(op.operand(i), op);
    for (std::size_t j = i + 1; j < op.operand_count(); ++j) dies = dies && op.operand(j) != op.operand(i);
    fold.dies.push_back(dies);
    fold.source_types.push_back(builder.type(source));
    fold.result_types.push_back(builder.type(result));
    if (fold.source_types[i]->shape != fold.source_types[0]->shape)
      return builder.error(op, "the operands' shapes differ");
  }
  if (axis < 0 || axis >= fold.source_types[0]->rank())
    return builder.error(op, "the axis is not a dimension of the operands");
  if (op.region().empty() || op.region().front().ops().empty() ||
      op.region().front().arguments().size() != 2 * op.operand_count()) {
    return builder.error(op, "the combining region does not take two values per operand");
  }
  if (!region_fits(op, fold))
    return builder.error(op, "the combining region's types are not the operands' element types");
  fold.axis = static_cast<std::size_t>(axis);
  fold.view = axis_view(*fold.source_types[0], fold.axis);
  return true;
}

bool plan_elements(PlanBuilder& builder, const ir::Op& op, Fold& fold, StepFunction run) {
  const auto sub = builder.plan_sub_region(op.region(), op);
  if (!sub) return false;
  if (sub->results.size() != fold.sources.size())
    return builder.error(op, "the combining region does not return one value per operand");
  fold.region_arguments = sub->arguments;
  fold.region_results = sub->results;
  Fold* record = builder.record(fold);
  builder.set_pointer(&record->entry, sub->entry);
  builder.append_bare(run, op).record = record;
  return true;
}

}  // namespace

namespace {

bool find_factors(PlanBuilder& builder, const ir::Op& op, Fold& fold) {
  const ir::Op* product = op.operand(0)->defining_op();
  if (product == nullptr) return builder.error(op, "it is marked as a sum of products, and is none");
  for (std::size_t i = 0; i < fold.factors.size(); ++i) {
    fold.factors[i] = builder.slot_of(product->operand(i));
    if (fold.factors[i] == kNoSlot) return false;
  }
  fold.fused = kernels::ternary(kernels::Ternary::fma, fold.source_types[0]->kind);
  return true;
}

bool plan_ordered_scan(PlanBuilder& builder, const ir::Op& op, Fold& fold) {
  if (fold.scan_order->is_contracted && !find_factors(builder, op, fold)) return false;
  if (fold.combine == nullptr) return plan_elements(builder, op, fold, step_scan_ordered);
  builder.append_bare(step_scan_ordered, op).record = builder.record(fold);
  return true;
}

}  // namespace

bool evaluate_reduce(PlanBuilder& builder, const ir::Op& op) {
  Fold fold;
  if (!describe(builder, op, fold)) return false;
  if ((fold.view.n & (fold.view.n - 1)) != 0)
    return builder.unsupported(op, "an axis whose extent is not a power of two is");
  fold.order = gpu_bits::marked_order(op);
  if (fold.sources.size() == 1) {
    if (const auto kernel = single_operation(op.region())) {
      fold.reduce = kernels::reduce(*kernel, fold.source_types[0]->kind);
      fold.combine = kernels::binary(*kernel, fold.source_types[0]->kind);
    }
    if (fold.order && fold.order->is_contracted && !find_factors(builder, op, fold)) return false;
  }
  if (fold.reduce != nullptr) {
    builder.append_bare(fold.order ? step_reduce_ordered : step_reduce_kernel, op).record = builder.record(fold);
    return true;
  }
  if (lift_levels(builder, op.region(), fold)) {
    builder.append_bare(step_reduce_lifted, op).record = builder.record(fold);
    return true;
  }
  return plan_elements(builder, op, fold, step_reduce_elements);
}

bool evaluate_scan(PlanBuilder& builder, const ir::Op& op) {
  Fold fold;
  if (!describe(builder, op, fold)) return false;
  fold.is_reverse = op.integer_attribute("reverse", 0) != 0;
  fold.scan_order = gpu_bits::marked_scan(op);
  if (fold.sources.size() == 1) {
    if (const auto kernel = single_operation(op.region())) {
      fold.scan = kernels::scan(*kernel, fold.source_types[0]->kind);
      fold.combine = kernels::binary(*kernel, fold.source_types[0]->kind);
    }
  }
  if (fold.scan_order) return plan_ordered_scan(builder, op, fold);
  if (fold.scan != nullptr) {
    builder.append_bare(step_scan_kernel, op).record = builder.record(fold);
    return true;
  }
  if (lift_slice(builder, op.region(), fold)) {
    builder.append_bare(step_scan_lifted, op).record = builder.record(fold);
    return true;
  }
  return plan_elements(builder, op, fold, step_scan_elements);
}

bool evaluate_region_return(PlanBuilder& builder, const ir::Op& op) {
  for (std::size_t i = 0; i < op.operand_count(); ++i) {
    if (builder.operand(op, i) == kNoSlot) return false;
  }
  builder.end_sub_region(op);
  return true;
}

}  // namespace lockstep::interpreter
