#include "checkers/lane_facts.h"

#include <algorithm>
#include <unordered_set>

#include "ir/op_def.h"
#include "ir/opcode.h"
#include "ir/walk.h"

namespace lockstep::checkers {

using interpreter::TouchKind;
using ir::Opcode;

namespace {

constexpr std::int64_t kAcquire = 2, kRelease = 3, kAcquireRelease = 4;  // `sem` of atomics

TouchKind kind_of(const ir::Op& op) {
  const std::string_view name = op.spelling();
  if (name.starts_with("tt.atomic") || name == "tt.descriptor_reduce") return TouchKind::atomic;
  return name.ends_with("store") || name.ends_with("scatter") ? TouchKind::store : TouchKind::load;
}

/// The value of a scalar load may go into the value of scalar stores without anybody but one thread needing it; an
/// address, a condition, a tile need it in every thread.
bool is_needed_by_all(const ir::Value& loaded) {
  std::unordered_set<const ir::Value*> seen;
  std::vector<const ir::Value*> open{&loaded};
  while (!open.empty()) {
    const ir::Value* value = open.back();
    open.pop_back();
    if (!seen.insert(value).second) continue;
    for (const ir::Use& use : value->uses()) {
      const ir::Op& user = *use.user;
      if (user.def().opcode == Opcode::tt_store && use.operand == 1) continue;
      const bool is_plain = user.def().effects == ir::Effects::pure && user.regions().empty();
      if (!is_plain) return true;
      for (std::size_t i = 0; i < user.result_count(); ++i) {
        if (user.result(i)->type().is_tensor()) return true;
        open.push_back(user.result(i));
      }
    }
  }
  return false;
}

bool is_in(const ir::Op& op, const ir::Op& around) {
  for (const ir::Op* at = &op; at != nullptr; at = at->parent_op()) {
    if (at == &around) return true;
  }
  return false;
}

bool feeds_dot(const ir::Op& load, const ir::Op& loop) {
  std::unordered_set<const ir::Op*> seen;
  std::vector<const ir::Op*> open{&load};
  while (!open.empty()) {
    const ir::Op* op = open.back();
    open.pop_back();
    if (!seen.insert(op).second) continue;
    if (op->def().opcode == Opcode::tt_dot || op->def().opcode == Opcode::tt_dot_scaled) return true;
    for (std::size_t i = 0; i < op->result_count(); ++i) {
      for (const ir::Use& use : op->result(i)->uses()) {
        if (is_in(*use.user, loop)) open.push_back(use.user);
      }
    }
  }
  return false;
}

/// Triton starts loads early that stand in the loop itself, where the loop says how many stages or they feed a product.
void find_pipeline(LaneAccess& access) {
  const ir::Op* loop = access.op->parent_op();
  if (loop == nullptr || loop->def().opcode != Opcode::scf_for || access.kind != TouchKind::load) return;
  if (loop->attribute("tt.num_stages")) {
    access.stages = static_cast<int>(loop->integer_attribute("tt.num_stages", 1));
    if (access.stages > 1) access.pipelined_in = loop;
  } else if (feeds_dot(*access.op, *loop)) {
    access.pipelined_in = loop;
  }
}

/// Loads whose values the stored one is made from.
void find_sources(LaneAccess& access) {
  if (access.op->operand_count() < 2) return;
  struct Step {
    const ir::Value* value = nullptr;
    bool is_whole = false;  // behind a reduction to one element
  };
  std::unordered_set<const ir::Value*> seen[2];
  std::vector<Step> open{{access.op->operand(1), false}};
  while (!open.empty()) {
    const Step at = open.back();
    open.pop_back();
    const ir::Op* made_by = at.value->defining_op();
    if (made_by == nullptr || !seen[at.is_whole ? 1 : 0].insert(at.value).second) continue;
    const bool is_reduction = made_by->def().opcode == Opcode::tt_reduce;
    if (interpreter::touches_memory(*made_by)) {
      (at.is_whole ? access.whole_sources : access.sources).push_back(made_by);
    } else if (made_by->regions().empty() || is_reduction) {
      const bool is_whole = at.is_whole || (is_reduction && at.value->type().element_count() == 1);
      for (const ir::Value* operand : made_by->operands()) open.push_back({operand, is_whole});
    }
  }
  access.sources.insert(access.sources.end(), access.whole_sources.begin(), access.whole_sources.end());
}

LaneAccess access_of(const ir::Module& module, const ir::Op& kernel, const ir::Op& op, std::uint32_t order) {
  LaneAccess made;
  made.op = &op;
  made.kind = kind_of(op);
  made.memory = interpreter::memory_of(module, kernel, *op.operand(0));
  made.order = order;
  made.is_answered = op.result_count() > 0 && op.result(0)->has_uses();
  if (made.kind == TouchKind::load)
    made.is_everyones = !op.result(0)->type().is_tensor() && is_needed_by_all(*op.result(0));
  if (made.kind == TouchKind::store) find_sources(made);
  if (made.kind == TouchKind::atomic) {
    const std::int64_t sem = op.integer_attribute("sem", 0);
    made.acquires = sem == kAcquire || sem == kAcquireRelease;
    made.releases = sem == kRelease || sem == kAcquireRelease;
  }
  find_pipeline(made);
  return made;
}

/// Computed alike from the same values.
bool is_same(const ir::Value* a, const ir::Value* b, int depth) {
  constexpr int kMaxDepth = 64;
  if (a == b) return true;
  if (a == nullptr || b == nullptr || depth > kMaxDepth) return false;
  const ir::Op *from = a->defining_op(), *other = b->defining_op();
  if (from == nullptr || other == nullptr || &from->def() != &other->def() || a->index() != b->index()) return false;
  if (from->def().effects != ir::Effects::pure || !from->regions().empty()) return false;
  if (from->attributes() != other->attributes() || from->operand_count() != other->operand_count()) return false;
  for (std::size_t i = 0; i < from->operand_count(); ++i) {
    if (!is_same(from->operand(i), other->operand(i), depth + 1)) return false;
  }
  return a->type() == b->type();
}

const ir::Value* mask_of(const ir::Op& op) {
  switch (op.def().opcode) {
    case Opcode::tt_load: return op.operand_or_null(1);
    case Opcode::tt_store: return op.operand_or_null(2);
    default: return nullptr;
  }
}

}  // namespace

LaneFacts::LaneFacts(const ir::Module& module, const ir::Op& kernel) {
  std::uint32_t order = 0;
  ir::walk(module.op(), [&](const ir::Op& op) {
    ++order;
    if (interpreter::touches_memory(op)) accesses_.push_back(access_of(module, kernel, op, order));
  });
}

const LaneAccess* LaneFacts::find(const ir::Op& op) const {
  const auto found =
      std::find_if(accesses_.begin(), accesses_.end(), [&](const LaneAccess& one) { return one.op == &op; });
  return found == accesses_.end() ? nullptr : &*found;
}

bool move_one_tile(const ir::Op& a, const ir::Op& b) {
  const auto is_plain = [](const ir::Op& op) {
    return (op.def().opcode == Opcode::tt_load || op.def().opcode == Opcode::tt_store) &&
           !interpreter::is_block_type(op.operand(0)->type());
  };
  if (!is_plain(a) || !is_plain(b) || a.block() != b.block()) return false;
  return is_same(a.operand(0), b.operand(0), 0) && is_same(mask_of(a), mask_of(b), 0);
}

}  // namespace lockstep::checkers
