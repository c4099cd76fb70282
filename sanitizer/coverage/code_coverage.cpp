#include "sanitizer/coverage/code_coverage.h"

#include <algorithm>

#include "interpreter/access/access_lanes.h"
#include "interpreter/plan/structure.h"
#include "interpreter/tile/dense.h"
#include "ir/interfaces/op_kinds.h"
#include "ir/op_def.h"
#include "ir/opcode.h"
#include "support/source_file.h"

namespace lockstep::sanitizer {

using interpreter::Form;
using interpreter::kNoSlot;
using interpreter::Machine;
using interpreter::PlanBuilder;
using interpreter::Slot;
using interpreter::Step;
using interpreter::Tile;
using interpreter::TileType;
using ir::Opcode;

namespace {

constexpr std::uint8_t kFirst = 1, kSecond = 2, kBoth = 3;

struct Record {
  std::uint32_t site = 0;
  Slot condition = kNoSlot;  // of an if, of a while; a mask; a block's pointer
  Slot lower = kNoSlot, upper = kNoSlot, step = kNoSlot;
  Slot went_round = kNoSlot;       // of a while: an iteration was made
  const TileType* type = nullptr;  // of the mask, of the block's pointer, of the loop's variable
  const interpreter::BlockLookup* block = nullptr;
  bool is_unsigned = false;
};

const Record& record_of(const Step* step) { return *static_cast<const Record*>(step->record); }

/// Most executions find their bits set already, so that threads do not fight for the cache line.
void note(Machine& machine, std::uint32_t site, std::uint8_t bits) {
  std::atomic<std::uint8_t>& seen = (*run_of(machine).coverage)[site];
  if ((seen.load(std::memory_order_relaxed) & bits) != bits) seen.fetch_or(bits, std::memory_order_relaxed);
}

bool is_done(const Machine& machine, std::uint32_t site) {
  return (*run_of(machine).coverage)[site].load(std::memory_order_relaxed) == kBoth;
}

const Step* step_lines(Machine& machine, const Step* step) {
  note(machine, record_of(step).site, kFirst);
  return step + 1;
}

const Step* step_if(Machine& machine, const Step* step) {
  const Record& record = record_of(step);
  note(machine, record.site, (machine.slots[record.condition].base & 1) != 0 ? kFirst : kSecond);
  return step + 1;
}

bool is_below(const Record& record, std::uint64_t a, std::uint64_t b) {
  const ScalarKind kind = record.type->kind;
  if (record.is_unsigned) return interpreter::truncate_bits(kind, a) < interpreter::truncate_bits(kind, b);
  return interpreter::sign_extend(kind, a) < interpreter::sign_extend(kind, b);
}

const Step* step_for(Machine& machine, const Step* step) {
  const Record& record = record_of(step);
  if (is_done(machine, record.site)) return step + 1;
  const auto bits = [&](Slot slot) { return machine.slots[slot].base; };
  if (!is_below(record, bits(record.lower), bits(record.upper))) {
    note(machine, record.site, kSecond);
  } else if (is_below(record, 0, bits(record.step))) {  // else the loop is left out: LS902
    note(machine, record.site, kFirst);
  }
  return step + 1;
}

const Step* step_while_begins(Machine& machine, const Step* step) {
  machine.slots[record_of(step).went_round].base = 0;
  return step + 1;
}

const Step* step_while(Machine& machine, const Step* step) {
  const Record& record = record_of(step);
  Tile& went_round = machine.slots[record.went_round];
  if ((machine.slots[record.condition].base & 1) != 0) {
    went_round.base = 1;
    note(machine, record.site, kFirst);
  } else if (went_round.base == 0) {
    note(machine, record.site, kSecond);
  }
  return step + 1;
}

std::uint8_t sides_of_box(const Tile& mask, const TileType& type) {
  std::int64_t on = 1;
  for (std::size_t d = 0; d < type.shape.size(); ++d) {
    const std::int64_t low = std::max<std::int64_t>(mask.low(d), 0);
    on *= std::max<std::int64_t>(std::min(mask.high(d), type.shape[d]) - low, 0);
  }
  return on == 0 ? kSecond : on == type.count ? kFirst : kBoth;
}

std::uint8_t sides_of(Machine& machine, const Tile& mask, const TileType& type) {
  if (mask.form == Form::uniform) return (mask.base & 1) != 0 ? kFirst : kSecond;
  if (mask.form == Form::box) return sides_of_box(mask, type);
  const interpreter::Temporary dense(machine, interpreter::make_contiguous(machine, mask, type));
  const char* lanes = dense->data();
  std::uint8_t all = 1, any = 0;
  for (std::int64_t i = 0; i < type.count; ++i) {
    const auto lane = static_cast<std::uint8_t>(lanes[i] & 1);
    all = static_cast<std::uint8_t>(all & lane);
    any = static_cast<std::uint8_t>(any | lane);
  }
  return static_cast<std::uint8_t>((any != 0 ? kFirst : 0) | (all == 0 ? kSecond : 0));
}

const Step* step_mask(Machine& machine, const Step* step) {
  const Record& record = record_of(step);
  if (is_done(machine, record.site)) return step + 1;
  note(machine, record.site, sides_of(machine, machine.slots[record.condition], *record.type));
  return step + 1;
}

const Step* step_block(Machine& machine, const Step* step) {
  const Record& record = record_of(step);
  if (is_done(machine, record.site)) return step + 1;
  const Tile& pointer = machine.slots[record.condition];
  const auto lanes = interpreter::find_block_lanes(machine, pointer, *record.type, *record.block);
  note(machine, record.site, sides_of(machine, lanes.mask, *record.block->shape.access.mask_type));
  return step + 1;
}

/// The op may do something that later ops of its block do not see, or it controls the program's flow.
bool ends_straight_line(const ir::Op& op) {
  return op.def().effects != ir::Effects::pure || op.def().is_terminator || !op.regions().empty();
}

/// Adds the op, and the ops in its regions if these are not control flow.
void add_with_regions(const ir::Op& op, std::vector<const ir::Op*>& ops) {
  ops.push_back(&op);
  if (ir::is_structured(op)) return;
  for (const auto& region : op.regions()) {
    for (const auto& block : region->blocks()) {
      for (const auto& inner : block->ops()) add_with_regions(*inner, ops);
    }
  }
}

/// The user's lines for an op, innermost first. `text_is_source`: the .ttir has no locations and is its own source.
std::vector<CodePlace> places_of(const ir::Op& op, bool text_is_source) {
  std::vector<CodePlace> places;
  for (const LocationNode* frame : user_frames(op.location())) {
    if (frame->line != 0) places.push_back({frame->text, frame->line, frame->display_column()});
  }
  if (text_is_source && op.span().file != nullptr) {
    const LineColumn at = op.span().file->position(op.span().range.begin);
    places.push_back({op.span().file->path(), at.line, at.column});
  }
  return places;
}

}  // namespace

std::uint32_t CodeCoveragePlan::site_of(Kind kind, const ir::Op& op, std::string_view name) {
  auto& known = kind == Kind::lines ? lines_ : sides_;
  const auto [found, is_new] = known.try_emplace(&op, static_cast<std::uint32_t>(sites_.size()));
  if (is_new) sites_.push_back({kind, {&op}, name});
  return found->second;
}

void CodeCoveragePlan::before(PlanBuilder& builder, const ir::Op& op) {
  if (!ends_straight_line(op)) return;
  note_lines(builder, op);
  note_branch(builder, op);
  note_mask(builder, op);
}

/// One step for the op and the ops before it, back to the last op with a step of its own. The planner may move those,
/// because they are the same in each iteration or program; it never moves the op itself.
void CodeCoveragePlan::note_lines(PlanBuilder& builder, const ir::Op& op) {
  const bool is_new = !lines_.contains(&op);
  const std::uint32_t site = site_of(Kind::lines, op, "");
  if (is_new) {
    std::vector<const ir::Op*>& ops = sites_[site].ops;
    ops.clear();
    add_with_regions(op, ops);
    for (auto at = op.position(); at != op.block()->ops().begin();) {
      --at;
      if (ends_straight_line(**at)) break;
      ops.push_back(at->get());
    }
  }
  builder.append_bare(step_lines, op).record = builder.record(Record{site});
}

void CodeCoveragePlan::note_branch(PlanBuilder& builder, const ir::Op& op) {
  switch (op.def().control) {
    case ir::Control::choice:
    case ir::Control::conditional_jump: return note_if(builder, op);
    case ir::Control::counted_loop: return note_for(builder, op);
    case ir::Control::open_loop: return begin_while(builder, op);
    case ir::Control::condition: return note_while(builder, op);
    default: return;
  }
}

void CodeCoveragePlan::note_if(PlanBuilder& builder, const ir::Op& op) {
  if (builder.constant_of(op.operand(0)) != nullptr) return;
  Record record{site_of(Kind::branch, op, "if")};
  record.condition = builder.operand(op, 0);
  builder.append_bare(step_if, op).record = builder.record(record);
}

void CodeCoveragePlan::note_for(PlanBuilder& builder, const ir::Op& op) {
  const auto is_constant = [&](std::size_t i) { return builder.constant_of(op.operand(i)) != nullptr; };
  if (is_constant(0) && is_constant(1)) return;
  Record record{site_of(Kind::branch, op, "for")};
  record.lower = builder.operand(op, 0);
  record.upper = builder.operand(op, 1);
  record.step = builder.operand(op, 2);
  if (record.lower == kNoSlot || record.upper == kNoSlot || record.step == kNoSlot) return;  // the op's row says it
  record.type = builder.type(record.lower);
  record.is_unsigned = static_cast<bool>(op.attribute("unsignedCmp")) && op.integer_attribute("unsignedCmp", 1) != 0;
  builder.append_bare(step_for, op).record = builder.record(record);
}

void CodeCoveragePlan::begin_while(PlanBuilder& builder, const ir::Op& op) {
  Record record;
  record.went_round = went_round_[&op] = builder.new_slot(builder.tile_type(ScalarKind::i1, {}));
  builder.append_bare(step_while_begins, op).record = builder.record(record);
}

void CodeCoveragePlan::note_while(PlanBuilder& builder, const ir::Op& condition) {
  if (builder.constant_of(condition.operand(0)) != nullptr) return;
  const ir::Op& loop = *condition.parent_op();
  Record record{site_of(Kind::branch, loop, "while")};
  record.condition = builder.operand(condition, 0);
  record.went_round = went_round_[&loop];
  builder.append_bare(step_while, condition).record = builder.record(record);
}

void CodeCoveragePlan::note_mask(PlanBuilder& builder, const ir::Op& op) {
  const auto kind = interpreter::touch_kind(op);
  if (!kind) return;
  const ir::Value* mask = interpreter::access_mask(op);
  if (mask == nullptr) return note_block(builder, op, interpreter::name_of(*kind));
  if (builder.constant_of(mask) != nullptr) return;
  Record record{site_of(Kind::mask, op, interpreter::name_of(*kind))};
  record.condition = builder.slot_of(mask);
  if (record.condition == kNoSlot) return;  // the op's row says it
  record.type = builder.type(record.condition);
  builder.append_bare(step_mask, op).record = builder.record(record);
}

/// A descriptor's shape and the checked dimensions of a block pointer act as a mask.
void CodeCoveragePlan::note_block(PlanBuilder& builder, const ir::Op& op, std::string_view name) {
  auto block = interpreter::plan_block_lookup(builder, op);
  if (!block || block->checked == 0) return;
  Record record{site_of(Kind::mask, op, name)};
  record.condition = builder.operand(op, 0);
  if (record.condition == kNoSlot) return;  // the op's row says it
  record.type = builder.type(record.condition);
  record.block = builder.record(std::move(*block));
  builder.append_bare(step_block, op).record = builder.record(record);
}

/// Compilers leave single ops, such as constants, without a location.
bool CodeCoveragePlan::has_locations() const {
  return std::any_of(sites_.begin(), sites_.end(), [](const Site& site) {
    return std::any_of(site.ops.begin(), site.ops.end(),
                       [](const ir::Op* op) { return !places_of(*op, false).empty(); });
  });
}

void CodeCoveragePlan::add_to(const CoverageBits& bits, CodeCoverage& coverage) const {
  const bool text_is_source = !has_locations();
  for (std::size_t i = 0; i < sites_.size(); ++i) {
    const Site& site = sites_[i];
    const std::uint8_t seen = bits[i].load(std::memory_order_relaxed);
    if (site.kind == Kind::lines) {
      for (const ir::Op* op : site.ops) {
        for (const CodePlace& place : places_of(*op, text_is_source))
          coverage.add_line({place.file, place.line, 0}, seen != 0);
      }
      continue;
    }
    const std::vector<CodePlace> places = places_of(*site.ops.front(), text_is_source);
    if (places.empty()) continue;
    add_sides(site.kind == Kind::branch ? coverage.branches : coverage.masks, places.front(),
              {std::string(site.name), (seen & kFirst) != 0, (seen & kSecond) != 0});
  }
}

}  // namespace lockstep::sanitizer
