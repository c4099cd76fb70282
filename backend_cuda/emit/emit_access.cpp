// tt.load and tt.store through pointer tiles: as wide as addresses, masks and layout allow.
#include <algorithm>
#include <array>

#include "backend_cuda/emit/emit.h"
#include "backend_cuda/emit/emit_context.h"

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
  const int held = context.layout(context.variant()).contiguous_bits(bits);
  return static_cast<int>(std::min<std::int64_t>(length, std::int64_t{1} << held));
}

std::string each_by(int registers, int width) {
  return "LS_EACH_BY(" + std::to_string(registers) + ", " + std::to_string(width) + ") ";
}

std::string address_of(const Variable& tile) { return tile.is_tile ? tile.name + " + r" : "&" + tile.name; }

/// "4" or "4, CacheGlobal": the width and how memory is touched (prelude: LS_POLICY). A cache operator goes before an
/// eviction priority: PTX takes one of them.
std::string access_text(const ir::Op& op, int width) {
  constexpr std::array<const char*, 8> kCaches = {
      "", "", "CacheAll", "CacheGlobal", "CacheAll", "CacheStreaming", "CacheNone", "CacheNone"};
  constexpr std::array<const char*, 4> kEvictions = {"", "", "EvictFirst", "EvictLast"};
  const auto cache = static_cast<std::size_t>(op.integer_attribute("cache", 1));
  const auto eviction = static_cast<std::size_t>(op.integer_attribute("evict", 1));
  std::string policy = eviction < kEvictions.size() ? kEvictions[eviction] : "";
  if (cache < kCaches.size() && *kCaches[cache] != 0) policy = kCaches[cache];
  if (op.integer_attribute("isVolatile", 0) != 0) policy = "Volatile";
  return std::to_string(width) + (policy.empty() ? "" : ", " + policy);
}

}  // namespace

bool emit_load(EmitContext& context, const ir::Op& op) {
  const ir::Value* mask = op.operand_or_null(1);
  if (op.operand(0)->type().is_pointer() && op.operand(0)->type().pointee().is_tensor()) {
    return emit_block_load(context, op);
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
  const std::string call = "load<" + access_text(op, width) + ">(" + arguments + ");";
  context.line(result.is_tile ? each_by(result.registers, width) + call : call);
  constexpr int kFewest = 4, kMostBytes = 128;  // of one thread
  const auto kind = op.result()->type().element().scalar_kind();
  const int bytes = result.registers * (kind ? size_bytes(*kind) : 8);
  if (result.registers / width >= kFewest && bytes <= kMostBytes && !context.is_in_region())
    context.line("start_loads();");
  return true;
}

bool emit_store(EmitContext& context, const ir::Op& op) {
  const ir::Value* mask = op.operand_or_null(2);
  if (op.operand(0)->type().is_pointer() && op.operand(0)->type().pointee().is_tensor()) {
    return emit_block_store(context, op);
  }
  const Variable pointer = context.operand(op, 0), value = context.operand(op, 1);
  const int width = access_width(context, op, mask);
  std::string arguments = pointer.at() + ", " + (value.is_tile ? value.name + " + r" : value.name);
  if (mask != nullptr) arguments += ", " + context.operand(op, 2).at();
  const std::string call = "store<" + access_text(op, width) + ">(" + arguments + ");";
  const bool is_tile = op.operand(0)->type().is_tensor();
  const std::string one = context.is_in_region() ? "" : "threadIdx.x == 0";
  const std::string owner = is_tile ? context.layout(context.variant()).owner_text() : one;
  if (!owner.empty()) context.open("if (" + owner + ")");
  context.line(is_tile ? each_by(context.layout(context.variant()).registers(), width) + call : call);
  if (!owner.empty()) context.close();
  return true;
}

}  // namespace lockstep::backend_cuda
