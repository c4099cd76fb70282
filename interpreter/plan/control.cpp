#include "interpreter/plan/control.h"

#include <algorithm>

#include "interpreter/batching/effects.h"
#include "interpreter/evaluators/dot.h"
#include "interpreter/fusion/fused_group.h"
#include "interpreter/launch/machine.h"
#include "interpreter/launch/name_op.h"
#include "interpreter/plan/hoist.h"
#include "interpreter/plan/loop_turns.h"
#include "interpreter/plan/loops_around.h"
#include "interpreter/plan/plan_builder.h"
#include "interpreter/plan/shared_steps.h"
#include "interpreter/shared_memory/block_slot.h"
#include "ir/interfaces/op_kinds.h"
#include "ir/op_def.h"
#include "ir/opcode.h"

namespace lockstep::interpreter {

// ---- steps ----

namespace {

const Step* step_jump_unless(Machine& machine, const Step* step) {
  return (machine.slots[step->operand[0]].base & 1) != 0 ? step + 1 : step->target;
}

/// At a back-edge: counts the steps of the iteration.
const Step* back_edge(Machine& machine, const Step* step) {
  const Step* target = step->target;
  machine.program->steps += static_cast<std::uint64_t>(step - target);
  if (machine.program->steps > machine.launch.max_steps && !machine.poll_slowly()) [[unlikely]] {
    machine.program->next = target;
    return nullptr;
  }
  return target;
}

/// What a back-edge of a loop that may wait for other programs checks.
struct BackEdge {
  std::vector<Slot> carried;
  bool has_atomics = false;  // the loop shows what other programs did through atomics or volatile loads
};

/// Hash of the carried values; 0 if a dense tile makes it unknown.
std::uint64_t hash_carried(const Machine& machine, const BackEdge& edge) {
  std::uint64_t hash = 1;
  for (const Slot slot : edge.carried) {
    const Tile& tile = machine.slots[slot];
    if (tile.form == Form::dense || tile.form == Form::gather) return 0;
    hash = (hash ^ tile.base) * 0x9e3779b97f4a7c15u + static_cast<std::uint64_t>(tile.form);
    for (const std::int64_t stride : tile.stride) hash = (hash ^ static_cast<std::uint64_t>(stride)) * 0x100000001b3u;
  }
  return hash | 1;
}

constexpr std::uint64_t kFairness = 4096;  // back-edges after which a loop with atomics lets others run in any case

/// A program that saw nothing new gives way; one that also carries the same values as before is stuck until memory
/// changes.
const Step* step_jump_back_waiting(Machine& machine, const Step* step) {
  const Step* next = back_edge(machine, step);
  if (next == nullptr || !machine.launch.is_ordered || machine.is_in_region) return next;
  const auto& edge = *static_cast<const BackEdge*>(step->record);
  ProgramState& program = *machine.program;
  const std::uint64_t carried = hash_carried(machine, edge);
  const bool is_idle =
      program.waiting_at == step && !program.changed_memory && program.observed == program.last_observed;
  const bool repeats = is_idle && carried != 0 && carried == program.carried;
  program.last_observed = program.observed;
  program.observed = 0;
  program.changed_memory = false;
  program.carried = carried;
  program.waiting_at = step;
  ++program.back_edges;
  if (!repeats && !(edge.has_atomics && (is_idle || program.back_edges % kFairness == 0))) return next;
  program.is_stuck = repeats;
  program.next = next;
  machine.status = Status::yielded;
  return nullptr;
}

struct Loop : BackEdge {
  bool is_unsigned = false;
  bool has_constant_step = false;
  ScalarKind kind = ScalarKind::i32;
  Slot variable = kNoSlot, lower = kNoSlot, upper = kNoSlot, step = kNoSlot;
};

bool is_below(const Loop& loop, std::uint64_t a, std::uint64_t b) {
  if (loop.is_unsigned) return truncate_bits(loop.kind, a) < truncate_bits(loop.kind, b);
  return sign_extend(loop.kind, a) < sign_extend(loop.kind, b);
}

Finding loop_finding(const Machine& machine, const Step* step, FindingCode code, std::string message) {
  const Site& site = machine.plan->sites[step->site];
  Finding finding;
  finding.code = code;
  finding.message = std::move(message);
  finding.location = site.location;
  name_op(finding, *site.op);
  finding.program = machine.program->id;
  return finding;
}

void report_endless_loop(Machine& machine, const Step* step) {
  machine.report(loop_finding(machine, step, FindingCode::LS902, "a loop whose step is not positive never ends; Lockstep skipped it"),
                 step);
}

LoopCounter counter_of(const Machine& machine, const Loop& loop) {
  const auto bits = [&](Slot slot) { return machine.slots[slot].base; };
  return {loop.kind, loop.is_unsigned, bits(loop.lower), bits(loop.upper), bits(loop.step)};
}

/// The next value of the counter would wrap to a number below the upper bound (LS508). False: the loop would never end
/// that way, and ends here.
bool wraps_on(Machine& machine, const Step* step, const Loop& loop) {
  const LoopCounter counter = counter_of(machine, loop);
  const std::optional<std::uint64_t> turns = wrapping_turns(counter);
  if (turn_of(counter, machine.slots[loop.variable].base) + 1 == turns_in_python(counter)) {
    Finding finding = loop_finding(machine, step, FindingCode::LS508, wrap_text(counter));
    finding.hint = wrap_hint(counter);
    // Measured on an H100: tests/findings/LS508_constant_step and docs/semantics.md, S-107.
    if (loop.has_constant_step)
      finding.notes.push_back({"the step is a constant: where the body is simple, NVIDIA's assembler may count the "
                               "turns beforehand and make " +
                                   std::to_string(turns_in_python(counter)),
                               {}});
    machine.report(std::move(finding), step);
  }
  return turns.has_value();
}

const Step* step_loop_begin(Machine& machine, const Step* step) {
  const auto& loop = *static_cast<const Loop*>(step->record);
  const std::uint64_t lower = machine.slots[loop.lower].base, upper = machine.slots[loop.upper].base;
  machine.slots[loop.variable].base = lower;
  if (!is_below(loop, lower, upper)) return step->target;
  if (!is_below(loop, 0, machine.slots[loop.step].base)) [[unlikely]] {
    report_endless_loop(machine, step);
    return step->target;
  }
  return step + 1;
}

/// Adds the step; leaves the loop when the next value is not below the upper bound. The counter wraps (S-107).
const Step* step_loop_next(Machine& machine, const Step* step) {
  const auto& loop = *static_cast<const Loop*>(step->record);
  Tile& variable = machine.slots[loop.variable];
  const auto left = truncate_bits(loop.kind, machine.slots[loop.upper].base - variable.base);
  const std::uint64_t stride = machine.slots[loop.step].base;
  if (left <= stride) {
    const std::uint64_t next = truncate_bits(loop.kind, variable.base + stride);
    if (!is_below(loop, next, machine.slots[loop.upper].base)) return step + 1;
    if (!wraps_on(machine, step, loop)) return step + 1;
  }
  variable.base = truncate_bits(loop.kind, variable.base + stride);
  // A waiting loop inside starts again: an earlier end tells nothing about the next iteration.
  const Step*& waiting_at = machine.program->waiting_at;
  if (waiting_at >= step->target && waiting_at < step) waiting_at = nullptr;
  return back_edge(machine, step);
}

const Step* step_loop_next_waiting(Machine& machine, const Step* step) {
  const Step* next = step_loop_next(machine, step);
  return next == step->target ? step_jump_back_waiting(machine, step) : next;  // the record is a BackEdge too
}

LoopTurn loop_turn(const Machine& machine, const Loop& loop, const ir::Op& op) {
  const LoopCounter counter = counter_of(machine, loop);
  const std::uint64_t now = truncate_bits(loop.kind, machine.slots[loop.variable].base);
  LoopTurn turn;
  turn.variable = variable_name(*op.region().front().argument(0));
  turn.value = loop.is_unsigned ? static_cast<std::int64_t>(now) : sign_extend(loop.kind, now);
  turn.number = turn_of(counter, now);
  turn.count = wrapping_turns(counter).value_or(turns_in_python(counter));
  return turn;
}

std::vector<Move> moves_to(PlanBuilder& builder, const ir::Op& op, std::size_t first,
                           const std::vector<Slot>& targets) {
  std::vector<Move> moves;
  for (std::size_t i = 0; i < targets.size() && first + i < op.operand_count(); ++i) {
    moves.push_back({builder.operand(op, first + i), targets[i], builder.dies_at(op.operand(first + i), op)});
  }
  return moves;
}

bool all_known(const std::vector<Slot>& slots) {
  for (const Slot slot : slots) {
    if (slot == kNoSlot) return false;
  }
  return true;
}

std::vector<Slot> result_slots(PlanBuilder& builder, const ir::Op& op) {
  std::vector<Slot> slots;
  for (std::size_t i = 0; i < op.result_count(); ++i) slots.push_back(builder.result(op, i));
  return slots;
}

std::vector<Slot> argument_slots(PlanBuilder& builder, const ir::Block& block, std::size_t first) {
  std::vector<Slot> slots;
  for (std::size_t i = first; i < block.arguments().size(); ++i) slots.push_back(builder.slot_of(block.argument(i)));
  return slots;
}

}  // namespace

void Machine::report(Finding finding, const Step* step) {
  if (batch.programs == 0) finding.loops = loops_around(*this, step);
  report(std::move(finding));
}

std::string variable_name(const ir::Value& value) {
  for (Location at = value.location(); !at.is_unknown();) {
    if (at->kind == LocationNode::Kind::name) return at->text == "_" ? std::string() : at->text;
    if (at->children.empty()) break;
    at = at->children.front();
  }
  // "k" for "k_24": the text numbers repeated names; "0" and "arg5" are not names.
  const std::string name = value.name().substr(0, value.name().find_last_not_of("0123456789") + 1);
  return name == "arg" || name.empty() ? std::string() : name.substr(0, name.size() - (name.ends_with('_') ? 1 : 0));
}

std::vector<LoopTurn> loops_around(const Machine& machine, const Step* step) {
  const std::vector<Step>& steps = machine.plan->steps;
  std::vector<LoopTurn> loops;
  step = step_around(*machine.plan, step);
  if (step == nullptr) return loops;
  for (const Step* behind = steps.data() + steps.size(); --behind > step;) {
    const bool is_next = behind->run == step_loop_next || behind->run == step_loop_next_waiting;
    if (is_next && behind->target <= step)
      loops.push_back(
          loop_turn(machine, *static_cast<const Loop*>(behind->record), *machine.plan->sites[behind->site].op));
  }
  return loops;
}

// ---- hooks ----

bool evaluate_yield(PlanBuilder&, const ir::Op&) { return true; }

bool evaluate_if(PlanBuilder& builder, const ir::Op& op) {
  const std::vector<Slot> results = result_slots(builder, op);
  if (!all_known(results)) return false;
  const auto otherwise = builder.new_label(), end = builder.new_label();
  Step& branch = builder.append(step_jump_unless, op);
  builder.set_target(branch, otherwise);
  for (std::size_t side = 0; side < 2; ++side) {
    if (side == 1) builder.place(otherwise);
    if (side >= op.regions().size() || op.region(side).empty()) continue;
    const ir::Block& block = op.region(side).front();
    if (!builder.plan_block(block)) return false;
    if (const ir::Op* yield = block.terminator()) builder.append_moves(moves_to(builder, *yield, 0, results), *yield);
    if (side == 0) builder.set_target(builder.append_bare(step_jump, op), end);
  }
  builder.place(end);
  return true;
}

bool evaluate_for(PlanBuilder& builder, const ir::Op& op) {
  const ir::Block& body = op.region().front();
  const std::vector<Slot> carried = argument_slots(builder, body, 1);
  Loop loop;
  loop.variable = builder.slot_of(body.argument(0));
  loop.lower = builder.operand(op, 0);
  loop.upper = builder.operand(op, 1);
  loop.step = builder.operand(op, 2);
  if (!all_known(carried) || !all_known({loop.variable, loop.lower, loop.upper, loop.step})) return false;
  loop.kind = builder.type(loop.variable)->kind;
  loop.is_unsigned = static_cast<bool>(op.attribute("unsignedCmp")) && op.integer_attribute("unsignedCmp", 1) != 0;
  loop.has_constant_step = builder.constant_of(op.operand(2)) != nullptr;
  loop.has_atomics = may_observe_others(op);
  loop.carried = carried;
  loop.carried.push_back(loop.variable);
  const Loop* record = builder.record(loop);
  if (!hoist_invariants(builder, op)) return false;
  const auto start = builder.new_label(), end = builder.new_label();
  builder.append_moves(moves_to(builder, op, 3, carried), op);
  open_sums(builder, op);
  Step& begin = builder.append_bare(step_loop_begin, op);
  begin.record = record;
  builder.set_target(begin, end);
  builder.place(start);
  if (!builder.plan_block(body)) return false;
  if (const ir::Op* yield = body.terminator()) builder.append_moves(moves_to(builder, *yield, 0, carried), *yield);
  Step& next = builder.append_bare(loop.has_atomics ? step_loop_next_waiting : step_loop_next, op);
  next.record = record;
  builder.set_target(next, start);
  builder.place(end);
  close_sums(builder, op);
  std::vector<Move> moves;
  for (std::size_t i = 0; i < carried.size(); ++i)
    moves.push_back({carried[i], builder.result(op, i), !builder.keeps_all()});
  for (const Move& move : moves) {
    if (move.to == kNoSlot) return false;
  }
  builder.append_moves(std::move(moves), op);
  return true;
}

bool evaluate_while(PlanBuilder& builder, const ir::Op& op) {
  const ir::Block& before = op.region(0).front();
  const ir::Block& after = op.region(1).front();
  const std::vector<Slot> tested = argument_slots(builder, before, 0), passed = argument_slots(builder, after, 0);
  const std::vector<Slot> results = result_slots(builder, op);
  if (!all_known(tested) || !all_known(passed) || !all_known(results)) return false;
  const auto start = builder.new_label(), leave = builder.new_label(), end = builder.new_label();
  if (!hoist_invariants(builder, op)) return false;
  builder.append_moves(moves_to(builder, op, 0, tested), op);
  builder.place(start);
  if (!builder.plan_block(before)) return false;
  const ir::Op* condition = before.terminator();
  if (condition == nullptr) return builder.error(op, "its first region has no terminator");
  Step& branch = builder.append_bare(step_jump_unless, *condition);
  branch.operand[0] = builder.operand(*condition, 0);
  builder.set_target(branch, leave);
  builder.append_moves(moves_to(builder, *condition, 1, passed), *condition);
  if (!builder.plan_block(after)) return false;
  if (const ir::Op* yield = after.terminator()) builder.append_moves(moves_to(builder, *yield, 0, tested), *yield);
  Step& back = builder.append_bare(step_jump_back_waiting, op);
  back.record = builder.record(BackEdge{tested, may_observe_others(op)});
  builder.set_target(back, start);
  builder.place(leave);
  builder.append_moves(moves_to(builder, *condition, 1, results), *condition);
  builder.place(end);
  return true;
}

bool evaluate_branch(PlanBuilder& builder, const ir::Op& op) {
  const bool is_conditional = ir::is_conditional_jump(op);
  const auto jump_to = [&](std::size_t i) {
    const ir::Successor& successor = op.successors()[i];
    const std::vector<Slot> targets = argument_slots(builder, *successor.block, 0);
    if (!all_known(targets)) return false;
    // Only the last of two edges may give operands away, and only if no other edge reads them; keeping them is always
    // right.
    std::vector<Move> moves = moves_to(builder, op, successor.first_operand, targets);
    for (Move& move : moves) move.dies = move.dies && !is_conditional;
    builder.append_moves(std::move(moves), op);
    auto& order = builder.frame().block_order;
    const bool is_back = order[successor.block] <= order[op.block()];
    Step& jump = builder.append_bare(is_back ? step_jump_back_waiting : step_jump, op);
    if (is_back) jump.record = builder.record(BackEdge{targets, may_observe_others(*builder.frame().function)});
    builder.set_target(jump, builder.label_of(successor.block));
    return true;
  };
  if (!is_conditional) return jump_to(0);
  const auto otherwise = builder.new_label();
  Step& branch = builder.append_bare(step_jump_unless, op);
  branch.operand[0] = builder.operand(op, 0);
  builder.set_target(branch, otherwise);
  if (!jump_to(0)) return false;
  builder.place(otherwise);
  return jump_to(1);
}

bool evaluate_call(PlanBuilder& builder, const ir::Op& op) {
  const ir::Attribute callee = op.attribute("callee");
  const ir::Op* function = callee ? builder.find_function(callee->text) : nullptr;
  if (function == nullptr) return builder.error(op, "the called function is not in the module");
  return builder.inline_call(op, *function);
}

bool evaluate_return(PlanBuilder& builder, const ir::Op& op) {
  if (builder.is_kernel_frame()) {
    plan_end_of_block(builder, op);
    builder.append_bare(step_end, op);
    return true;
  }
  builder.append_moves(moves_to(builder, op, 0, builder.frame().results), op);
  builder.set_target(builder.append_bare(step_jump, op), builder.frame().exit);
  return true;
}

}  // namespace lockstep::interpreter
