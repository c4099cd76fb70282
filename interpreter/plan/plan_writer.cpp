#include "interpreter/plan/plan_writer.h"

#include <algorithm>

#include "interpreter/access/block_record.h"
#include "interpreter/plan/shared_steps.h"
#include "support/check.h"

namespace lockstep::interpreter {

namespace {

/// For steps whose hooks set no cost: by their number of elements.
void set_costs(Plan& plan) {
  for (Step& step : plan.steps) {
    if (step.cost != 0) continue;
    std::int64_t elements = step.type != nullptr ? step.type->count : 1;
    for (std::size_t i = 0; i < step.operand_count; ++i) {
      if (step.operand[i] != kNoSlot) elements = std::max(elements, plan.slot_types[step.operand[i]]->count);
    }
    step.cost = static_cast<std::uint32_t>(1 + elements / 4);
  }
}

}  // namespace

PlanWriter::PlanWriter(const ir::Module& module, DiagnosticSink& sink, TargetProfile profile, const Tuning& tuning)
    : profile_(profile), tuning_(tuning), messages_(module, sink) {}

void PlanWriter::start() {
  plan_ = std::make_unique<Plan>();
  plan_->tuning = tuning_;
}

void PlanWriter::keep_all() {
  keeps_all_ = true;
  tuning_.fuses = tuning_.hoists = false;
}

// ---- types and slots ----

const TileType* PlanWriter::tile_type(ScalarKind kind, std::vector<std::int64_t> shape) {
  for (const TileType& known : plan_->types) {
    if (known.kind == kind && known.shape == shape) return &known;
  }
  TileType made;
  made.kind = kind;
  made.element_bytes = size_bytes(kind);
  for (std::int64_t extent : shape) made.count *= extent;
  made.shape = std::move(shape);
  plan_->types.push_back(std::move(made));
  return &plan_->types.back();
}

const TileType* PlanWriter::tile_type(ir::Type type, const ir::Op& op) {
  if (is_block_type(type)) {
    const std::size_t rank = type.pointee().shape().size();
    if (rank <= std::size_t{kMaxStridedRank}) return tile_type(ScalarKind::pointer, {record_length(rank)});
    unsupported(op, "blocks of more than " + std::to_string(kMaxStridedRank) + " dimensions are");
    return nullptr;
  }
  if (type.is_memdesc()) return tile_type(ScalarKind::i64, {});  // View (shared_memory/storage.h)
  if (type.is_token()) return tile_type(ScalarKind::i32, {});    // says nothing at run time
  const auto kind = type.element().scalar_kind();
  if (!kind || type.element().is_tensor()) {
    unsupported(op, "values of type " + type.to_string() + " are");
    return nullptr;
  }
  if (type.element().is_pointer() && type.element().pointee().is_tensor()) {
    unsupported(op, "tiles of block pointers (" + type.to_string() + ") are");
    return nullptr;
  }
  std::int64_t count = 1;
  for (std::int64_t extent : type.shape()) {
    if (extent < 1 || __builtin_mul_overflow(count, extent, &count) || count > kMaxElements) {
      error(op, "a tile of type " + type.to_string() + " cannot be held: it has no elements or more than " +
                    std::to_string(kMaxElements));
      return nullptr;
    }
  }
  if (type.shape().size() > static_cast<std::size_t>(kMaxRank)) {
    unsupported(op, "tiles of more than " + std::to_string(kMaxRank) + " dimensions are");
    return nullptr;
  }
  return tile_type(*kind, type.shape());
}

Slot PlanWriter::new_slot(const TileType* type) {
  plan_->slot_types.push_back(type);
  slots_.add();
  return static_cast<Slot>(plan_->slot_types.size() - 1);
}

Slot PlanWriter::slot_of(const ir::Value* value) {
  if (const Slot known = slots_.find(value); known != kNoSlot) return known;
  const ir::Op* at = value->defining_op();
  if (at == nullptr) at = value->owner_block()->parent_op();
  const TileType* type = tile_type(value->type(), *at);
  if (type == nullptr) return kNoSlot;
  const Slot slot = new_slot(type);
  slots_.bind(value, slot);
  return slot;
}

Slot PlanWriter::result(const ir::Op& op, std::size_t i) {
  const Slot slot = slot_of(op.result(i));
  if (slot != kNoSlot) slots_.set_invariant(slot, section_ == Section::prologue);
  return slot;
}

void PlanWriter::bind_constant(const ir::Value* value, const Tile& tile) {
  const Slot slot = slot_of(value);
  if (slot == kNoSlot) return;
  slots_.set_constant(slot, tile);
  plan_->constants.emplace_back(slot, tile);
}

// ---- steps ----

std::uint32_t PlanWriter::site(const ir::Op& op) {
  if (plan_->sites.empty() || plan_->sites.back().op != &op) plan_->sites.push_back({&op, messages_.location_of(op)});
  return static_cast<std::uint32_t>(plan_->sites.size() - 1);
}

Step& PlanWriter::append_bare(StepFunction run, const ir::Op& op) {
  Step step;
  step.run = run;
  step.site = site(op);
  std::vector<Step>& written = steps();
  if (written.size() >= kMaxSteps) {
    draft_.is_too_large = true;
    written.pop_back();
  }
  written.push_back(step);
  return written.back();
}

Step& PlanWriter::append(StepFunction run, const ir::Op& op) {
  Step made;
  for (std::size_t i = 0; i < op.operand_count() && i < made.operand.size(); ++i) {
    const Slot slot = operand(op, i);
    made.operand[i] = slot;
    made.operand_count = static_cast<std::uint8_t>(i + 1);
    if (slot != kNoSlot && dies_at(op.operand(i), op)) made.dies = static_cast<std::uint8_t>(made.dies | 1u << i);
  }
  Step& step = append_bare(run, op);
  step.operand = made.operand;
  step.operand_count = made.operand_count;
  step.dies = made.dies;
  return step;
}

Step* PlanWriter::append_with_result(StepFunction run, const ir::Op& op) {
  const Slot slot = result(op);
  if (slot == kNoSlot) return nullptr;
  Step& step = append(run, op);
  step.result = slot;
  step.type = type(slot);
  for (std::size_t i = 0; i < step.operand_count; ++i) {
    if (step.operand[i] == kNoSlot) return nullptr;
  }
  return &step;
}

void PlanWriter::append_moves(std::vector<Move> moves, const ir::Op& op) {
  std::erase_if(moves, [](const Move& move) { return move.from == move.to; });
  if (moves.empty()) return;
  bool is_in_turn = true;
  for (std::size_t i = 0; i < moves.size(); ++i) {  // a source read twice may be given away only by its last reader
    for (std::size_t j = i + 1; j < moves.size(); ++j) {
      if (moves[i].from == moves[j].from) moves[i].dies = false;
      is_in_turn = is_in_turn && moves[i].to != moves[j].from;
    }
  }
  Step& step = append_bare(is_in_turn ? step_move_in_turn : step_move, op);
  step.record = record(std::move(moves));
}

bool PlanWriter::dies_at(const ir::Value* value, const ir::Op& op) const {
  return !keeps_all_ && last_uses_.is_last(value, op) && slots_.may_die(value);
}

void PlanWriter::release_after(const ir::Op& op) {
  if (keeps_all_) return;
  Step made;
  for (const ir::Value* value : last_uses_.nested_at(op)) {
    if (!slots_.may_die(value) || type(slots_.find(value))->is_scalar()) continue;
    if (made.operand_count == made.operand.size()) break;
    made.operand[made.operand_count] = slots_.find(value);
    made.dies = static_cast<std::uint8_t>(made.dies | 1u << made.operand_count);
    ++made.operand_count;
  }
  if (made.operand_count == 0) return;
  Step& step = append_bare(step_release, op);
  step.operand = made.operand;
  step.operand_count = made.operand_count;
  step.dies = made.dies;
}

// ---- labels ----

PlanWriter::Label PlanWriter::new_label() {
  draft_.labels.push_back(-1);
  return static_cast<Label>(draft_.labels.size() - 1);
}

void PlanWriter::place(Label label) { draft_.labels[label] = static_cast<std::int64_t>(draft_.body.size()); }

void PlanWriter::set_target(Step& step, Label label) {
  draft_.targets.emplace_back(static_cast<std::size_t>(&step - draft_.body.data()), label);
}

void PlanWriter::set_pointer(const Step** where, Label label) { draft_.pointers.emplace_back(where, label); }

std::unique_ptr<Plan> PlanWriter::finish() {
  Step end;
  end.run = step_end;
  draft_.prologue.push_back(end);
  draft_.body.push_back(end);
  plan_->steps = std::move(draft_.prologue);
  const std::size_t offset = plan_->steps.size();
  plan_->steps.insert(plan_->steps.end(), draft_.body.begin(), draft_.body.end());
  plan_->prologue = plan_->steps.data();
  plan_->entry = plan_->steps.data() + offset;
  const auto resolve = [&](Label label) {
    LOCKSTEP_CHECK(draft_.labels[label] >= 0, "a jump to a label that was never placed");
    return plan_->entry + draft_.labels[label];
  };
  for (const auto& [index, label] : draft_.targets) plan_->steps[offset + index].target = resolve(label);
  for (const auto& [where, label] : draft_.pointers) *where = resolve(label);
  set_costs(*plan_);
  return std::move(plan_);
}

}  // namespace lockstep::interpreter
