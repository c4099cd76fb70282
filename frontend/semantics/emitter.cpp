#include "frontend/semantics/emitter.h"

#include <optional>

#include "ir/interfaces/constants.h"
#include "ir/interfaces/op_kinds.h"

namespace lockstep::frontend {

namespace {

/// Bits of a scalar or splat constant; nullopt if `value` is not one.
std::optional<std::uint64_t> constant_bits(const ir::Value* value) {
  const ir::Op* op = value->defining_op();
  if (op == nullptr || !ir::is_constant(*op)) return std::nullopt;
  return ir::constant_bits(op->attribute("value"));
}

}  // namespace

void Emitter::set_position(std::uint32_t line, std::uint32_t column) {
  const Location here = context().file_location(path_, line, column);
  builder_.set_location(prefix_.empty() ? here : context().name_location(prefix_, here));
}

void Emitter::name_value(ir::Value* value, const std::string& name) {
  if (ir::Op* op = value->defining_op()) {
    op->set_location(context().name_location(name, op->location()));
  } else {
    value->set_location(context().name_location(name, value->location()));
  }
}

void Emitter::to_end(ir::Block& block) {
  builder_.set_insertion_point_to_end(block);
  const ir::Op* owner = block.parent_op();
  const Location of_owner = owner != nullptr ? owner->location() : Location();
  builder_.set_location(block.ops().empty() ? of_owner : block.ops().back()->location());
}

void Emitter::to_start(ir::Block& block) {
  if (block.ops().empty()) return to_end(block);
  builder_.set_insertion_point_before(*block.ops().front());
  builder_.set_location(block.ops().front()->location());
}

ir::Value* Emitter::splat(ir::Value* scalar, ir::Type tensor) {
  if (const std::optional<std::uint64_t> bits = constant_bits(scalar)) return constant(tensor, *bits);
  return value("tt.splat", {scalar}, tensor);
}

ir::Value* Emitter::broadcast(ir::Value* source, ir::Type tensor) {
  if (source->type() == tensor) return source;
  if (const std::optional<std::uint64_t> bits = constant_bits(source)) return constant(tensor, *bits);
  return value("tt.broadcast", {source}, tensor);
}

}  // namespace lockstep::frontend
