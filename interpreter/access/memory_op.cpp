#include "interpreter/access/memory_op.h"

#include "ir/op_def.h"
#include "support/check.h"

namespace lockstep::interpreter {

namespace {

using AccessKind = ir::MemoryAccess::Kind;

TouchKind touch_of(AccessKind kind) {
  return kind == AccessKind::load ? TouchKind::load : kind == AccessKind::store ? TouchKind::store : TouchKind::atomic;
}

}  // namespace

bool touches_memory(const ir::Op& op) { return op.def().access.is_access(); }

std::string_view name_of(TouchKind kind) {
  switch (kind) {
    case TouchKind::load: return "load";
    case TouchKind::store: return "store";
    case TouchKind::atomic: return "atomic";
  }
  return {};
}

std::optional<TouchKind> touch_kind(const ir::Op& op) {
  const AccessKind kind = op.def().access.kind;
  return kind != AccessKind::none ? std::optional(touch_of(kind)) : std::nullopt;
}

const ir::Value& moved_value(const ir::Op& op) {
  const ir::MemoryAccess& access = op.def().access;
  LOCKSTEP_CHECK(access.is_access(), "what an op moves that touches no memory");
  return access.value < 0 ? *op.result(0) : *op.operand(static_cast<std::size_t>(access.value));
}

const ir::Value* access_mask(const ir::Op& op) {
  const ir::MemoryAccess& access = op.def().access;
  return access.mask >= 0 ? op.operand_or_null(static_cast<std::size_t>(access.mask)) : nullptr;
}

}  // namespace lockstep::interpreter
