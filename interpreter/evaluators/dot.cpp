// tt.dot: c + a * b for matrices and batches of them. The accumulator is updated in place if it dies here; operands
// keep their strides, so that tiles loaded in place need no copy, and prepared operands are kept if they are likely to
// come back.

#include "interpreter/evaluators/dot.h"

#include <algorithm>
#include <array>
#include <utility>

#include "interpreter/evaluators/buffer_steps.h"
#include "interpreter/evaluators/dot_cache.h"
#include "interpreter/fusion/joined_dots.h"
#include "interpreter/plan/plan_builder.h"
#include "interpreter/tile/dense.h"
#include "ir/interfaces/op_kinds.h"
#include "ir/opcode.h"

namespace lockstep::interpreter {

Accumulator::Accumulator(Machine& machine, const Step* step)
    : Accumulator(machine, machine.slots[step->operand[2]], (step->dies & 4) != 0, *step->type) {}

Accumulator::Accumulator(Machine& machine, Tile& c, bool dies, const TileType& type) : machine_(machine) {
  const auto rows = type.shape.size() - 2;
  matrix_bytes_ = type.shape[rows] * type.shape[rows + 1] * type.element_bytes;
  const bool is_memory = c.form == Form::dense && c.is_contiguous;
  if (dies && is_memory && c.buffer != nullptr && c.buffer->references == 1) {
    out_ = c;
    c.buffer = nullptr;
    start_ = out_.data();
    return;
  }
  out_ = machine.allocate(type);
  is_uniform_ = c.form == Form::uniform;
  if (!is_uniform_ && !is_memory) held_ = make_contiguous(machine, c, type);
  start_ = is_uniform_ ? static_cast<const void*>(&c.base) : is_memory ? c.data() : held_.data();
}

Accumulator::~Accumulator() { machine_.pool.release(held_); }

kernels::DotStart Accumulator::start(std::int64_t batch) const {
  if (is_uniform_) return {start_, true};
  return {static_cast<const char*>(start_) + batch * matrix_bytes_, false};
}

Tile acquire_scratch(Machine& machine, std::int64_t bytes) {
  Tile scratch;
  if (bytes > 0) scratch.buffer = machine.pool.acquire(bytes);
  return scratch;
}

namespace {

using kernels::Side;

struct SideRecord {
  const TileType* type = nullptr;
  bool is_from_outside = false;                     // defined outside of the loop around the dot
  std::int64_t prepared_bytes = 0, kept_bytes = 0;  // the latter with the tile that is held
};

struct DotRecord {
  Slot sum = kNoSlot;  // what a loop carries, where its dots are joined
  explicit DotRecord(const kernels::DotRecipe& made) : recipe(made) {}
  kernels::DotRecipe recipe;
  kernels::Dot shape;
  std::int64_t batches = 1, scratch_bytes = 0;
  SideRecord side[2];
};

kernels::DotOperand operand_of(const Tile& tile, const TileType& type, std::int64_t batch) {
  const std::size_t rows = type.shape.size() - 2;
  kernels::DotOperand operand;
  operand.kind = type.kind;
  if (tile.form == Form::listed) {
    operand.rows = tile.row_addresses();
    return operand;
  }
  operand.row_stride = tile.stride[rows];
  operand.column_stride = tile.stride[rows + 1];
  operand.data = tile.data() + (rows == 1 ? batch * tile.stride[0] * type.element_bytes : 0);
  return operand;
}

/// A tile that a product can read: dense or listed. Holds its own count.
Tile in_memory(Machine& machine, const Tile& tile, const TileType& type) {
  if (tile.form != Form::listed) return make_dense(machine, tile, type);
  BufferPool::retain(tile);
  return tile;
}

/// One operand of a running dot.
class PreparedSide {
 public:
  PreparedSide(Machine& machine, const Step* step, Side side)
      : machine_(machine),
        record_(*static_cast<const DotRecord*>(step->record)),
        mine_(record_.side[static_cast<int>(side)]),
        side_(side),
        tile_(in_memory(machine, machine.slots[step->operand[static_cast<std::size_t>(side)]], *mine_.type)) {}
  ~PreparedSide() {
    machine_.pool.release(tile_);
    machine_.pool.release(kept_);
    machine_.pool.release(scratch_);
  }
  PreparedSide(const PreparedSide&) = delete;
  PreparedSide& operator=(const PreparedSide&) = delete;

  /// Matrix number `batch`; valid until the next call.
  kernels::PreparedOperand take(std::int64_t batch);
  /// The memory of what was taken last, whose count the caller takes over; null: memory that nobody writes.
  Buffer* give_away() {
    Tile& taken = kept_.buffer != nullptr ? kept_ : scratch_.buffer != nullptr ? scratch_ : tile_;
    return std::exchange(taken.buffer, nullptr);
  }

 private:
  bool is_worth_keeping() const;
  OperandCache& cache() const;
  bool take_kept(const kernels::DotOperand& operand, kernels::PreparedOperand& found);

  Machine& machine_;
  const DotRecord& record_;
  const SideRecord& mine_;
  Side side_;
  Tile tile_, kept_, scratch_;
};

/// The view whose memory this is, if the launch never writes it.
const ViewRange* constant_memory(const Machine& machine, const void* data) {
  const auto address = reinterpret_cast<std::uint64_t>(data);
  for (const ViewRange& view : machine.launch.views) {
    if (view.is_constant && address >= view.begin && address < view.end) return &view;
  }
  return nullptr;
}

OperandCache& PreparedSide::cache() const { return operand_cache_of(machine_); }

bool PreparedSide::is_worth_keeping() const {
  if (machine_.launch.budget.limit != 0 || (tile_.buffer != nullptr && !mine_.is_from_outside)) return false;
  return mine_.kept_bytes <= machine_.plan->tuning.operand_cache_bytes / 4;
}

bool PreparedSide::take_kept(const kernels::DotOperand& operand, kernels::PreparedOperand& found) {
  OperandCache& cache = this->cache();
  Reuse& reuse = cache.reuse(&mine_);
  if (!reuse.is_promising()) return false;
  const bool is_left = side_ == Side::left;
  const OperandCache::Key key{operand.data,
                              tile_.buffer,
                              operand.row_stride,
                              operand.column_stride,
                              is_left ? record_.shape.m : record_.shape.k,
                              is_left ? record_.shape.k : record_.shape.n,
                              operand.kind,
                              record_.recipe.wide(),
                              record_.recipe.split_precision(),
                              side_};
  machine_.pool.release(kept_);
  const OperandCache::Entry* entry = cache.find(key);
  reuse.note(entry != nullptr);
  if (entry == nullptr) {
    if (tile_.buffer == nullptr && constant_memory(machine_, operand.data) == nullptr) return false;
    kept_.buffer = machine_.pool.acquire(mine_.prepared_bytes);
    found = record_.recipe.prepare(side_, operand, kept_.buffer->data());
    const std::int64_t held = tile_.buffer != nullptr ? mine_.type->bytes() : 0;
    cache.insert(machine_, key, found, kept_.buffer, tile_.buffer, mine_.prepared_bytes + held);
  } else {
    found = entry->operand;
    kept_.buffer = entry->prepared;
  }
  ++kept_.buffer->references;
  return true;
}

/// Lines so far apart that all of them compete for the same places of the first-level cache. For b alone: a is read
/// once for each panel of columns, so that copying it gains nothing.
bool is_pitch_bad(const kernels::DotOperand& operand, std::int64_t lines) {
  constexpr std::int64_t kBadBytes = 4096, kFewLines = 16;
  const std::int64_t pitch = std::max(operand.row_stride, operand.column_stride) * size_bytes(operand.kind);
  return pitch % kBadBytes == 0 && lines > kFewLines;
}

kernels::PreparedOperand PreparedSide::take(std::int64_t batch) {
  const kernels::DotOperand operand = operand_of(tile_, *mine_.type, batch);
  if (record_.recipe.is_ready(side_, operand) && !(side_ == Side::right && is_pitch_bad(operand, record_.shape.k)))
    return kernels::DotRecipe::as_it_lies(operand);
  kernels::PreparedOperand found;
  if (is_worth_keeping() && take_kept(operand, found)) return found;
  machine_.pool.release(kept_);
  if (scratch_.buffer == nullptr) scratch_ = acquire_scratch(machine_, mine_.prepared_bytes);
  return record_.recipe.prepare(side_, operand, scratch_.buffer->data());
}

const Step* step_dot(Machine& machine, const Step* step) {
  const auto& record = *static_cast<const DotRecord*>(step->record);
  {
    PreparedSide left(machine, step, Side::left), right(machine, step, Side::right);
    const Accumulator c(machine, step);
    const Temporary scratch(machine, acquire_scratch(machine, record.scratch_bytes));
    char* memory = scratch->buffer != nullptr ? scratch->buffer->data() : nullptr;
    for (std::int64_t batch = 0; batch < record.batches; ++batch) {
      const kernels::PreparedOperand a = left.take(batch), b = right.take(batch);
      record.recipe.run(c.place(batch), c.start(batch), a, b, memory);
    }
    machine.set(step->result, c.out());
  }
  return machine.finish(step);
}

// ---- joined dots (joined_dots.h) ----

bool may_join(PlanBuilder& builder) {
  const Tuning& tuning = builder.tuning();
  return tuning.fuses && tuning.operand_cache_bytes > 0 && !builder.keeps_all() && !builder.is_instrumented() &&
         !builder.is_in_sub_region();
}

void forget_parts(Machine& machine, OpenSum& sum) {
  for (const OpenSum::Part& part : sum.parts) {
    if (part.left != nullptr) machine.pool.release(part.left);
    if (part.right != nullptr) machine.pool.release(part.right);
  }
  sum.parts.clear();
}

/// Adds what waits for `c`, which nobody else reads.
void finish_sum(Machine& machine, OpenSum& sum, Tile& c, const TileType& type) {
  std::array<kernels::DotFactors, kernels::DotRecipe::kMostJoined> factors;
  for (std::size_t i = 0; i < sum.parts.size(); ++i) factors[i] = sum.parts[i].factors;
  const Accumulator accumulator(machine, c, true, type);
  sum.recipe->run_joined(accumulator.place(0), accumulator.start(0), {factors.data(), sum.parts.size()});
  machine.pool.release(c);
  c = accumulator.out();
  forget_parts(machine, sum);
}

const Step* step_open_sum(Machine& machine, const Step* step) {
  if (machine.operands != nullptr) forget_parts(machine, machine.operands->open_sum(step->operand[0]));
  return step + 1;
}

const Step* step_close_sum(Machine& machine, const Step* step) {
  if (machine.operands == nullptr) return step + 1;
  OpenSum& sum = machine.operands->open_sum(step->operand[0]);
  if (!sum.parts.empty()) finish_sum(machine, sum, machine.slots[step->operand[0]], *step->type);
  return step + 1;
}

void append_for_sums(PlanBuilder& builder, const ir::Op& loop, StepFunction run) {
  if (!may_join(builder)) return;
  const ir::Block& body = loop.region().front();
  for (std::size_t i = 0; i + 1 < body.arguments().size(); ++i) {
    const ir::Op* last = last_of_sum(loop, i);
    if (last == nullptr) continue;
    Step& step = builder.append_bare(run, *last);
    step.operand[0] = builder.slot_of(body.argument(1 + i));
    step.operand_count = 1;
    step.type = builder.type(step.operand[0]);
  }
}

/// A product that only adds to what a loop carries: it waits for its neighbours.
const Step* step_dot_of_sum(Machine& machine, const Step* step) {
  const auto& record = *static_cast<const DotRecord*>(step->record);
  if (machine.launch.budget.limit != 0) return step_dot(machine, step);  // whose outcome must not depend on this
  {
    PreparedSide left(machine, step, Side::left), right(machine, step, Side::right);
    OpenSum& sum = operand_cache_of(machine).open_sum(record.sum);
    const kernels::DotFactors factors{left.take(0), right.take(0)};
    Tile& c = machine.slots[step->operand[2]];
    if (!sum.parts.empty() && !kernels::DotRecipe::go_together(sum.parts.front().factors, factors))
      finish_sum(machine, sum, c, *step->type);
    sum.recipe = &record.recipe;
    sum.parts.push_back({factors, left.give_away(), right.give_away()});
    if (sum.parts.size() >= record.recipe.products_to_join()) finish_sum(machine, sum, c, *step->type);
    machine.set(step->result, std::exchange(c, Tile{}));
  }
  return machine.finish(step);
}

/// Whether the dot is in a loop and its operand is made before that loop begins.
bool is_from_outside(const ir::Op& op, std::size_t index) {
  const ir::Op* around = op.parent_op();
  if (around == nullptr ||
      (!ir::is_loop(*around)))
    return false;
  const ir::Value* value = op.operand(index);
  return value->defining_op() != nullptr && value->defining_op()->block() != op.block();
}

bool shapes_fit(PlanBuilder& builder, const ir::Op& op, const std::vector<std::int64_t>& a,
                const std::vector<std::int64_t>& b, const std::vector<std::int64_t>& c) {
  const std::size_t rank = a.size();
  if ((rank != 2 && rank != 3) || b.size() != rank || c.size() != rank)
    return builder.error(op, "operands must be matrices or batches of matrices");
  return (a[rank - 1] == b[rank - 2] && a[rank - 2] == c[rank - 2] && b[rank - 1] == c[rank - 1] &&
          (rank == 2 || (a[0] == b[0] && a[0] == c[0]))) ||
         builder.error(op, "the operands' shapes do not fit");
}

}  // namespace

bool plan_dot(PlanBuilder& builder, const ir::Op& op, Step& step, const DotFacts& facts) {
  const TileType *a = builder.type(step.operand[0]), *b = builder.type(step.operand[1]);
  const auto& c = step.type->shape;
  if (builder.type(step.operand[2])->shape != c) return builder.error(op, "the operands' shapes do not fit");
  if (!shapes_fit(builder, op, a->shape, b->shape, c)) return false;
  if (!kernels::dot_is_supported(step.type->kind, a->kind, b->kind)) {
    return builder.unsupported(op, "of " + op.operand(0)->type().to_string() + " and " +
                                       op.operand(1)->type().to_string() + " into " + op.operand(2)->type().to_string() +
                                       " is");
  }
  if (!builder.admits(op, a->kind) || !builder.admits(op, b->kind)) return false;
  const auto precision = op.integer_attribute("inputPrecision", facts.precision);
  if (precision < 0 || precision > 4) return builder.error(op, "unknown input precision");
  const std::size_t rank = c.size();
  const kernels::Dot shape{step.type->kind, static_cast<kernels::DotPrecision>(precision), c[rank - 2], c[rank - 1],
                           a->shape[rank - 1]};
  DotRecord record(kernels::DotRecipe(shape, a->kind, b->kind));
  record.shape = shape;
  record.batches = rank == 3 ? c[0] : 1;
  record.scratch_bytes = record.recipe.scratch_bytes();
  for (const Side side : {Side::left, Side::right}) {
    const auto index = static_cast<std::size_t>(side);
    const TileType* type = side == Side::left ? a : b;
    const std::int64_t bytes = record.recipe.prepared_bytes(side);
    const bool is_outside = side == Side::left ? facts.left_is_outside : facts.right_is_outside;
    record.side[index] = {type, is_outside, bytes, bytes + type->bytes()};
  }
  constexpr std::int64_t kMultiplicationsPerCost = 32;
  const std::int64_t cost = step.type->count * shape.k / kMultiplicationsPerCost;
  step.cost = static_cast<std::uint32_t>(std::clamp<std::int64_t>(cost, 1, INT32_MAX));
  step.record = builder.record(record);
  return true;
}

void open_sums(PlanBuilder& builder, const ir::Op& loop) { append_for_sums(builder, loop, step_open_sum); }
void close_sums(PlanBuilder& builder, const ir::Op& loop) { append_for_sums(builder, loop, step_close_sum); }

Step& append_dot(PlanBuilder& builder, const ir::Op& op) { return builder.append_bare(step_dot, op); }

bool evaluate_dot(PlanBuilder& builder, const ir::Op& op) {
  Step* step = builder.append_with_result(step_dot, op);
  if (step == nullptr || !plan_dot(builder, op, *step, {is_from_outside(op, 0), is_from_outside(op, 1), 2})) return false;
  DotRecord record = *static_cast<const DotRecord*>(step->record);
  const bool joins = may_join(builder) && (step->dies & 4) != 0 && record.batches == 1 &&
                     record.recipe.products_to_join() > 1;
  const ir::Value* sum = joins ? sum_joined_by(op) : nullptr;
  if (sum == nullptr) return true;
  record.sum = builder.slot_of(sum);
  step->record = builder.record(record);
  step->run = step_dot_of_sum;
  return true;
}

}  // namespace lockstep::interpreter
