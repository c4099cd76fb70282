#include "interpreter/plan/plan_builder.h"

#include <algorithm>

#include "interpreter/access/block.h"
#include "interpreter/fusion/chain.h"
#include "interpreter/plan/evaluate.h"
#include "ir/interfaces/op_kinds.h"
#include "ir/op_def.h"

namespace lockstep::interpreter {

PlanBuilder::PlanBuilder(const ir::Module& module, DiagnosticSink& sink, TargetProfile profile, const Tuning& tuning)
    : module_(module), sink_(sink), profile_(profile), tuning_(tuning) {}
PlanBuilder::~PlanBuilder() = default;

// ---- types and slots ----

const TileType* PlanBuilder::tile_type(ScalarKind kind, std::vector<std::int64_t> shape) {
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

const TileType* PlanBuilder::tile_type(ir::Type type, const ir::Op& op) {
  if (is_block_type(type)) {
    const std::size_t rank = type.pointee().shape().size();
    if (rank <= std::size_t{kMaxStridedRank}) return record_type(*this, rank);
    unsupported(op, "blocks of more than " + std::to_string(kMaxStridedRank) + " dimensions are");
    return nullptr;
  }
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

Slot PlanBuilder::new_slot(const TileType* type) {
  plan_->slot_types.push_back(type);
  invariant_.push_back(false);
  return static_cast<Slot>(plan_->slot_types.size() - 1);
}

Slot PlanBuilder::new_slot(const ir::Value* value) {
  if (const auto known = slots_.find(value); known != slots_.end()) return known->second;
  const ir::Op* at = value->defining_op();
  if (at == nullptr) at = value->owner_block()->parent_op();
  const TileType* type = tile_type(value->type(), *at);
  if (type == nullptr) return kNoSlot;
  const Slot slot = new_slot(type);
  slots_[value] = slot;
  return slot;
}

Slot PlanBuilder::slot_of(const ir::Value* value) { return new_slot(value); }

Slot PlanBuilder::result(const ir::Op& op, std::size_t i) {
  const Slot slot = new_slot(op.result(i));
  if (slot != kNoSlot) invariant_[slot] = section_ == Section::prologue;
  return slot;
}

void PlanBuilder::bind_constant(const ir::Value* value, const Tile& tile) {
  const Slot slot = new_slot(value);
  if (slot == kNoSlot) return;
  invariant_[slot] = true;
  constants_[slot] = tile;
  plan_->constants.emplace_back(slot, tile);
}

const Tile* PlanBuilder::constant_of(const ir::Value* value) const {
  const auto slot = slots_.find(value);
  if (slot == slots_.end()) return nullptr;
  const auto known = constants_.find(slot->second);
  return known == constants_.end() ? nullptr : &known->second;
}

// ---- steps ----

Location PlanBuilder::location_of(const ir::Op& op) const {
  Location location = op.location();
  if (location.innermost_file().is_unknown() && op.span().file) {  // .ttir text without locations: the text itself
    const LineColumn at = op.span().file->position(op.span().range.begin);
    location = module_.context().file_location(op.span().file->path(), at.line, at.column - 1);
  }
  for (auto call = calls_.rbegin(); call != calls_.rend(); ++call) {
    if (!(*call)->location().is_unknown()) location = module_.context().call_site(location, (*call)->location());
  }
  return location;
}

std::uint32_t PlanBuilder::site(const ir::Op& op) {
  if (plan_->sites.empty() || plan_->sites.back().op != &op) plan_->sites.push_back({&op, location_of(op)});
  return static_cast<std::uint32_t>(plan_->sites.size() - 1);
}

Step& PlanBuilder::append_bare(StepFunction run, const ir::Op& op) {
  Step step;
  step.run = run;
  step.site = site(op);
  std::vector<Step>& steps = section();
  if (steps.size() >= kMaxSteps) {
    too_large_ = true;
    steps.pop_back();
  }
  steps.push_back(step);
  return steps.back();
}

Step& PlanBuilder::append(StepFunction run, const ir::Op& op) {
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

Step* PlanBuilder::append_with_result(StepFunction run, const ir::Op& op) {
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

void PlanBuilder::append_moves(std::vector<Move> moves, const ir::Op& op) {
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

// ---- last uses ----

void PlanBuilder::find_last_uses(const ir::Block& block) {
  const auto enter = [&](const ir::Value* value) {
    LastUse last;
    std::size_t best = 0;
    for (const ir::Use& use : value->uses()) {
      const ir::Op* at = use.user;
      while (at != nullptr && at->block() != &block) at = at->parent_op();
      if (at == nullptr) return;  // used from another block: lives until it is overwritten
      const bool nested = at != use.user;
      const auto order = op_order_.at(at);
      if (last.op == nullptr || order > best) {
        last = {at, nested};
        best = order;
      } else if (order == best) {
        last.is_nested = last.is_nested || nested;
      }
    }
    if (last.op == nullptr) return;
    last_use_[value] = last;
    if (last.is_nested) dies_after_[last.op].push_back(value);
  };
  std::size_t order = 0;
  for (const auto& op : block.ops()) op_order_[op.get()] = order++;
  for (const auto& argument : block.arguments()) enter(argument.get());
  for (const auto& op : block.ops()) {
    for (std::size_t i = 0; i < op->result_count(); ++i) enter(op->result(i));
  }
}

bool PlanBuilder::dies_at(const ir::Value* value, const ir::Op& op) const {
  if (keeps_all_) return false;
  const auto last = last_use_.find(value);
  if (last == last_use_.end() || last->second.op != &op || last->second.is_nested) return false;
  const auto slot = slots_.find(value);
  return slot != slots_.end() && slot->second != kNoSlot && !invariant_[slot->second] && !kept_.contains(slot->second);
}

void PlanBuilder::release_after(const ir::Op& op) {
  if (keeps_all_) return;
  Step made;
  for (const ir::Value* value : dies_after_[&op]) {
    const auto slot = slots_.find(value);
    if (slot == slots_.end() || slot->second == kNoSlot || invariant_[slot->second] || kept_.contains(slot->second) ||
        type(slot->second)->is_scalar())
      continue;
    if (made.operand_count == made.operand.size()) break;
    made.operand[made.operand_count] = slot->second;
    made.dies = static_cast<std::uint8_t>(made.dies | 1u << made.operand_count);
    ++made.operand_count;
  }
  if (made.operand_count == 0) return;
  Step& step = append_bare(step_release, op);
  step.operand = made.operand;
  step.operand_count = made.operand_count;
  step.dies = made.dies;
}

// ---- blocks and functions ----

bool PlanBuilder::is_pure(const ir::Op& op) const {
  const ir::OpDef& def = op.def();
  if (def.effects != ir::Effects::pure || def.is_terminator || !op.regions().empty() || op.result_count() == 0)
    return false;
  return !op.attribute("asm_string") || !depends_on_program(op);
}

bool PlanBuilder::is_launch_invariant(const ir::Op& op) const {
  if (keeps_all_ || !is_pure(op) || ir::is_program_id(op)) return false;
  return std::all_of(op.operands().begin(), op.operands().end(), [&](const ir::Value* value) {
    const auto slot = slots_.find(value);
    return slot != slots_.end() && slot->second != kNoSlot && invariant_[slot->second];
  });
}

bool PlanBuilder::plan_op(const ir::Op& op) {
  if (op.def().evaluate == nullptr) return unsupported_op(op, op.def().evaluate_reason);
  if (!handles_blocks(op)) return unsupported(op, "block pointers and tensor descriptors are");
  const Section before = section_;
  if (is_launch_invariant(op)) section_ = Section::prologue;
  const ExchangeMatch* exchange = networks_.at(op);
  const bool planned = (before_ && before_(op)) ||
                       (exchange != nullptr ? plan_exchange(*this, op, *exchange) : op.def().evaluate(*this, op));
  if (planned && after_) after_(op);
  if (planned && tuning_.fuses && exchange == nullptr && !section().empty() &&
      plan_->sites[section().back().site].op == &op)
    note_op(*this, op, op_notes_[section().back().site]);
  section_ = before;
  if (!planned && !sink_.has_errors()) return unsupported_op(op, "");
  return planned;
}

bool PlanBuilder::plan_block(const ir::Block& block) {
  if (++region_depth_ > kMaxRegionDepth) return error(*block.parent_op(), "regions are nested too deeply");
  find_last_uses(block);
  if (tuning_.fuses) networks_.find(block);
  bool planned = true;
  for (const auto& op : block.ops()) {
    if (networks_.is_absorbed(*op)) continue;
    if (!hoisted_.contains(op.get()) && !plan_op(*op)) {
      planned = false;
      break;
    }
    if (const auto dead = dies_after_.find(op.get()); dead != dies_after_.end()) release_after(*op);
    if (too_large_) {
      planned = error(*op, "the kernel needs more than " + std::to_string(kMaxSteps) + " steps");
      break;
    }
  }
  --region_depth_;
  return planned;
}

PlanBuilder::Label PlanBuilder::label_of(const ir::Block* block) {
  auto& labels = frame().block_labels;
  if (const auto known = labels.find(block); known != labels.end()) return known->second;
  return labels[block] = new_label();
}

bool PlanBuilder::plan_cfg(const ir::Region& region) {
  std::size_t order = 0;
  for (const auto& block : region.blocks()) frame().block_order[block.get()] = order++;
  for (const auto& block : region.blocks()) {
    for (const auto& argument : block->arguments()) {
      if (slot_of(argument.get()) == kNoSlot) return false;
    }
  }
  for (const auto& block : region.blocks()) {
    place(label_of(block.get()));
    if (!plan_block(*block)) return false;
  }
  return true;
}

void PlanBuilder::forget(const ir::Op& function) {
  for (const auto& region : function.regions()) {
    for (const auto& block : region->blocks()) {
      for (const auto& argument : block->arguments()) slots_.erase(argument.get());
      for (const auto& op : block->ops()) {
        hoisted_.erase(op.get());
        for (std::size_t i = 0; i < op->result_count(); ++i) slots_.erase(op->result(i));
        if (!op->regions().empty()) forget(*op);
      }
    }
  }
}

bool PlanBuilder::inline_call(const ir::Op& call, const ir::Op& callee) {
  const bool recursive =
      std::any_of(frames_.begin(), frames_.end(), [&](const auto& f) { return f->function == &callee; });
  if (recursive) return unsupported(call, "recursive calls are");
  if (frames_.size() >= kMaxCallDepth) return error(call, "calls are nested too deeply");
  const ir::Region& body = callee.region();
  if (body.empty()) return error(call, "the called function has no body");
  forget(callee);
  std::vector<Move> moves;
  for (std::size_t i = 0; i < call.operand_count(); ++i) {
    const Slot from = operand(call, i);
    if (from == kNoSlot) return false;
    if (invariant_[from]) {
      slots_[body.front().argument(i)] = from;
      continue;
    }
    const Slot to = slot_of(body.front().argument(i));
    moves.push_back({from, to, dies_at(call.operand(i), call)});
  }
  append_moves(std::move(moves), call);
  auto made = std::make_unique<Frame>();
  made->function = &callee;
  made->exit = new_label();
  for (std::size_t i = 0; i < call.result_count(); ++i) {
    made->results.push_back(result(call, i));
    if (made->results.back() == kNoSlot) return false;
  }
  const Label exit = made->exit;
  frames_.push_back(std::move(made));
  calls_.push_back(&call);
  const bool planned = plan_cfg(body);
  calls_.pop_back();
  frames_.pop_back();
  place(exit);
  return planned;
}

std::optional<PlanBuilder::SubPlan> PlanBuilder::plan_sub_region(const ir::Region& region, const ir::Op& op) {
  SubPlan sub;
  sub.entry = new_label();
  for (const auto& argument : region.front().arguments()) {
    sub.arguments.push_back(slot_of(argument.get()));
    if (sub.arguments.back() == kNoSlot) return std::nullopt;
  }
  const Label after = new_label();
  set_target(append_bare(step_jump, op), after);
  place(sub.entry);
  sub_plans_.push_back(&sub);
  const bool planned = region.blocks().size() == 1 ? plan_block(region.front()) : plan_cfg(region);
  sub_plans_.pop_back();
  place(after);
  if (!planned) return std::nullopt;
  return sub;
}

void PlanBuilder::end_sub_region(const ir::Op& terminator) {
  LOCKSTEP_CHECK(!sub_plans_.empty(), "a region terminator outside of its region");
  std::vector<Slot>& results = sub_plans_.back()->results;
  if (!results.empty() && results.size() != terminator.operand_count()) {
    error(terminator, "the region returns different numbers of values");
    return;
  }
  std::vector<Move> moves;
  for (std::size_t i = 0; i < terminator.operand_count(); ++i) {
    const Slot from = operand(terminator, i);
    if (i == results.size()) results.push_back(new_slot(plan_->slot_types[from]));
    if (plan_->slot_types[from] != plan_->slot_types[results[i]]) {
      error(terminator, "the region returns values of different types");
      return;
    }
    moves.push_back({from, results[i], dies_at(terminator.operand(i), terminator)});
  }
  append_moves(std::move(moves), terminator);
  append_bare(step_end, terminator);
}

std::unique_ptr<Plan> PlanBuilder::build(const ir::Op& function) {
  plan_ = std::make_unique<Plan>();
  plan_->tuning = tuning_;
  const ir::Region& body = function.region();
  if (body.empty()) {
    error(function, "the kernel has no body");
    return nullptr;
  }
  for (const auto& argument : body.front().arguments()) {
    const Slot slot = slot_of(argument.get());
    if (slot == kNoSlot) return nullptr;
    invariant_[slot] = true;
    plan_->arguments.push_back(slot);
  }
  frames_.push_back(std::make_unique<Frame>());
  frames_.back()->function = &function;
  const bool planned = plan_cfg(body);
  frames_.pop_back();
  if (!planned || sink_.has_errors()) return nullptr;
  finish_plan();
  return std::move(plan_);
}

// ---- labels ----

PlanBuilder::Label PlanBuilder::new_label() {
  labels_.push_back(-1);
  return static_cast<Label>(labels_.size() - 1);
}

void PlanBuilder::place(Label label) { labels_[label] = static_cast<std::int64_t>(body_.size()); }

void PlanBuilder::set_target(Step& step, Label label) {
  targets_.emplace_back(static_cast<std::size_t>(&step - body_.data()), label);
}

void PlanBuilder::set_pointer(const Step** where, Label label) { pointers_.emplace_back(where, label); }

void PlanBuilder::set_costs() {
  for (Step& step : plan_->steps) {
    if (step.cost != 0) continue;
    std::int64_t elements = step.type != nullptr ? step.type->count : 1;
    for (std::size_t i = 0; i < step.operand_count; ++i) {
      if (step.operand[i] != kNoSlot) elements = std::max(elements, type(step.operand[i])->count);
    }
    step.cost = static_cast<std::uint32_t>(1 + elements / 4);
  }
}

void PlanBuilder::finish_plan() {
  if (tuning_.fuses) fuse_chains(*plan_, prologue_, {body_, labels_, targets_}, op_notes_);
  Step end;
  end.run = step_end;
  prologue_.push_back(end);
  body_.push_back(end);
  plan_->steps = std::move(prologue_);
  const std::size_t offset = plan_->steps.size();
  plan_->steps.insert(plan_->steps.end(), body_.begin(), body_.end());
  plan_->prologue = plan_->steps.data();
  plan_->entry = plan_->steps.data() + offset;
  const auto resolve = [&](Label label) {
    LOCKSTEP_CHECK(labels_[label] >= 0, "a jump to a label that was never placed");
    return plan_->entry + labels_[label];
  };
  for (const auto& [index, label] : targets_) plan_->steps[offset + index].target = resolve(label);
  for (const auto& [where, label] : pointers_) *where = resolve(label);
  set_costs();
}

// ---- diagnostics ----

bool PlanBuilder::unsupported_op(const ir::Op& op, std::string_view reason) {
  Diagnostic diagnostic;
  diagnostic.severity = Severity::unsupported;
  diagnostic.code = "LS1901";
  diagnostic.message =
      "'" + std::string(op.spelling()) + "' is not supported yet" + (reason.empty() ? "" : ": " + std::string(reason));
  report_at(op, std::move(diagnostic));
  return false;
}

bool PlanBuilder::unsupported(const ir::Op& op, const std::string& what) {
  Diagnostic diagnostic;
  diagnostic.severity = Severity::unsupported;
  diagnostic.code = "LS1901";
  diagnostic.message = "'" + std::string(op.spelling()) + "': " + what + " not supported yet";
  report_at(op, std::move(diagnostic));
  return false;
}

bool PlanBuilder::error(const ir::Op& op, const std::string& message) {
  Diagnostic diagnostic;
  diagnostic.code = "LS1902";
  diagnostic.message = "'" + std::string(op.spelling()) + "': " + message;
  report_at(op, std::move(diagnostic));
  return false;
}

bool PlanBuilder::admits(const ir::Op& op, ScalarKind kind) {
  if (!profile_.refuses(kind)) return true;
  Diagnostic diagnostic;
  diagnostic.code = "LS1904";
  diagnostic.message = "'" + std::string(op.spelling()) + "': " + profile_.name() + " has no arithmetic of " +
                       std::string(spelling(kind)) + ", and Triton does not compile it there";
  diagnostic.hint = "f8E4M3FN (fp8e4nv) needs --as sm_89 or later; f8E5M2 works on every target";
  report_at(op, std::move(diagnostic));
  return false;
}

void PlanBuilder::report_at(const ir::Op& op, Diagnostic diagnostic) {
  diagnostic.span = op.span();
  if (const std::string place = location_of(op).file_text(); !place.empty())
    diagnostic.notes.push_back({"from " + place, {}});
  sink_.report(std::move(diagnostic));
}

}  // namespace lockstep::interpreter
