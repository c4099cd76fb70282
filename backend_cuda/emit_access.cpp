// tt.load and tt.store through pointer tiles: as wide as addresses, masks and layout allow.
#include <algorithm>

#include "backend_cuda/emit.h"
#include "backend_cuda/emit_context.h"

namespace lockstep::backend_cuda {
namespace {

/// How many elements one instruction moves: adjacent registers that are adjacent in memory.
int access_width(EmitContext& context, const ir::Op& op, const ir::Value* mask) {
  const ir::Value* pointers = op.operand(0);
  if (!pointers->type().is_tensor()) return 1;
  const auto kind = pointers->type().element().pointee().scalar_kind();
  const std::vector<int> order = context.axes().order_of(pointers);
  if (order.empty() || !kind) return 1;
  const std::int64_t length = context.axes().vector_length(pointers, mask, order[0], size_bytes(*kind));
  const std::vector<int> bits = bits_in_order(pointers->type().shape(), {order[0]});
  const int held = context.layout(context.version()).contiguous_bits(bits);
  return static_cast<int>(std::min<std::int64_t>(length, std::int64_t{1} << held));
}

std::string each_by(int registers, int width) {
  return "LS_EACH_BY(" + std::to_string(registers) + ", " + std::to_string(width) + ") ";
}

std::string address_of(const Variable& tile) { return tile.is_tile ? tile.name + " + r" : "&" + tile.name; }

bool is_volatile(const ir::Op& op) { return op.integer_attribute("isVolatile", 0) != 0; }

}  // namespace

bool emit_load(EmitContext& context, const ir::Op& op) {
  const ir::Value* mask = op.operand_or_null(1);
  if (op.operand(0)->type().is_pointer() && op.operand(0)->type().pointee().is_tensor()) {
    return context.unsupported(op, "block pointers");
  }
  const Variable pointer = context.operand(op, 0);
  const Variable result = context.declare(op.result());
  const int width = access_width(context, op, mask);
  std::string arguments = address_of(result) + ", " + pointer.at();
  if (mask != nullptr) arguments += ", " + context.operand(op, 1).at();
  if (op.operand_or_null(2) != nullptr) {
    const Variable other = context.operand(op, 2);
    arguments += ", " + (other.is_tile ? other.name + " + r" : other.name);
  }
  const std::string call =
      std::string(is_volatile(op) ? "load_volatile<" : "load<") + std::to_string(width) + ">(" + arguments + ");";
  context.line(result.is_tile ? each_by(result.registers, width) + call : call);
  return true;
}

bool emit_store(EmitContext& context, const ir::Op& op) {
  const ir::Value* mask = op.operand_or_null(2);
  if (op.operand(0)->type().is_pointer() && op.operand(0)->type().pointee().is_tensor()) {
    return context.unsupported(op, "block pointers");
  }
  const Variable pointer = context.operand(op, 0), value = context.operand(op, 1);
  const int width = access_width(context, op, mask);
  std::string arguments = pointer.at() + ", " + (value.is_tile ? value.name + " + r" : value.name);
  if (mask != nullptr) arguments += ", " + context.operand(op, 2).at();
  const std::string call = "store<" + std::to_string(width) + ">(" + arguments + ");";
  const bool is_tile = op.operand(0)->type().is_tensor();
  const std::string owner = is_tile ? context.layout(context.version()).owner_text() : "threadIdx.x == 0";
  if (!owner.empty()) context.open("if (" + owner + ")");
  context.line(is_tile ? each_by(context.layout(context.version()).registers(), width) + call : call);
  if (!owner.empty()) context.close();
  return true;
}

}  // namespace lockstep::backend_cuda
