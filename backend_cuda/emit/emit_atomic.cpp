// tt.atomic_rmw, _cas, _load, _store, _poll. One of the threads that hold an element acts, and the others get its
// answer through shared memory. A releasing op first waits for the block's earlier writes; an acquiring op delays the
// block's later reads.
#include "backend_cuda/emit/emit_atomic.h"

#include <algorithm>
#include <array>

#include "backend_cuda/emit/emit.h"
#include "ir/op_def.h"
#include "ir/opcode.h"

namespace lockstep::backend_cuda {
namespace {

using ir::Opcode;

struct Word {
  const char* type;
  const char* constraint;
};
Word word_of(int bytes) {
  if (bytes == 1) return {"unsigned char", "h"};
  if (bytes == 2) return {"unsigned short", "h"};
  return bytes == 4 ? Word{"unsigned", "r"} : Word{"unsigned long long", "l"};
}

std::string scalar_type(ScalarKind kind) {
  constexpr std::array<const char*, 8> kFloats = {"f8e4m3", "f8e5m2", "f8e4m3fnuz", "f8e5m2fnuz",
                                                  "f16",    "bf16",   "float",      "double"};
  if (is_float(kind)) {
    return kFloats[static_cast<std::size_t>(kind) - static_cast<std::size_t>(ScalarKind::f8E4M3FN)];
  }
  if (kind == ScalarKind::pointer) return "void*";
  switch (size_bytes(kind)) {
    case 1: return kind == ScalarKind::i1 ? "bool" : "signed char";
    case 2: return "short";
    case 4: return "int";
    default: return "long long";
  }
}

std::string prefix_of(std::string_view instruction, MemoryOrder order) {
  return std::string(instruction) + "." + std::string(order.semantic) + "." + std::string(order.scope) + ".global.";
}

/// The instruction after "atom.order.scope.global.", or "".
std::string instruction_of(std::string_view update, ScalarKind kind, int capability) {
  const int bits = 8 * size_bytes(kind);
  const std::string width = std::to_string(bits);
  if (update == "fadd") {
    if (kind == ScalarKind::f32 || kind == ScalarKind::f64) return "add.f" + width;
    if (kind == ScalarKind::f16) return "add.noftz.f16";
    return kind == ScalarKind::bf16 && capability >= 90 ? "add.noftz.bf16" : "";
  }
  if (bits < 32) return "";
  if (update == "exch") return "exch.b" + width;
  if (is_float(kind)) return "";
  if (update == "and" || update == "or" || update == "xor") return std::string(update) + ".b" + width;
  if (update == "add") return "add.u" + width;
  if (update == "max" || update == "min") return std::string(update) + ".s" + width;
  if (update == "umax" || update == "umin") return std::string(update.substr(1)) + ".u" + width;
  return bits == 32 && (update == "inc" || update == "dec") ? std::string(update) + ".u32" : "";
}

/// The new value from `x` and `value`, for the loop.
std::string_view expression_of(std::string_view update, bool is_floating) {
  if (update == "fadd" || (update == "add" && is_floating)) return "fadd(x, value)";
  if (update == "add") return "add(x, value)";
  if (update == "and") return "decltype(x)(x & value)";
  if (update == "or") return "decltype(x)(x | value)";
  if (update == "xor") return "decltype(x)(x ^ value)";
  if (update == "fmax" || (update == "max" && is_floating)) return "fmax_number(x, value)";
  if (update == "fmin" || (update == "min" && is_floating)) return "fmin_number(x, value)";
  if (update == "max") return "max_signed(x, value)";
  if (update == "min") return "min_signed(x, value)";
  if (update == "umax") return "max_unsigned(x, value)";
  if (update == "umin") return "min_unsigned(x, value)";
  if (update == "exch") return "value";
  return "";
}

/// Writes the swap of a whole word of 16, 32 or 64 bits.
std::string write_word_swap(EmitContext& context, int bytes, MemoryOrder order) {
  const Word word = word_of(bytes);
  const std::string name = context.fresh("swap"), type = word.type, c = word.constraint;
  context.open("const auto " + name + " = [](" + type + "* to, " + type + " expected, " + type + " value)");
  context.line(type + " old;");
  context.line("asm volatile(\"" + prefix_of("atom", order) + "cas.b" + std::to_string(8 * bytes) +
               " %0, [%1], %2, %3;\" : \"=" + c + "\"(old) : \"l\"(to), \"" + c + "\"(expected), \"" + c +
               "\"(value) : \"memory\");");
  context.line("return old;");
  context.close(";");
  return name;
}

/// The same for any size: bytes by way of the word around them.
std::string write_swap(EmitContext& context, int bytes, MemoryOrder order) {
  if (bytes != 1) return write_word_swap(context, bytes, order);
  const std::string words = write_word_swap(context, 4, order), name = context.fresh("swap");
  context.open("const auto " + name + " = [&](unsigned char* to, unsigned char expected, unsigned char value)");
  context.line("return swap_byte(to, expected, value, " + words + ");");
  context.close(";");
  return name;
}

/// Constraint letter and conversions for a value in an instruction.
struct Passed {
  std::string type, constraint;
};
Passed passed_as(std::string_view instruction, ScalarKind kind) {
  if (instruction == "add.f32") return {"float", "f"};
  if (instruction == "add.f64") return {"double", "d"};
  const Word word = word_of(size_bytes(kind));
  return {word.type, word.constraint};
}

enum class Act : unsigned char { update, swap, load, store, poll };

Act act_of(const ir::Op& op) {
  switch (op.def().access.atomic) {
    case ir::MemoryAccess::Atomic::exchange_if_equal: return Act::swap;
    case ir::MemoryAccess::Atomic::load: return Act::load;
    case ir::MemoryAccess::Atomic::store: return Act::store;
    case ir::MemoryAccess::Atomic::poll: return Act::poll;
    default: return Act::update;
  }
}

std::string write_load(EmitContext& context, ScalarKind kind, MemoryOrder order) {
  const int bytes = size_bytes(kind);
  const Word word = word_of(std::max(bytes, 2));
  const std::string name = context.fresh("read"), type = scalar_type(kind);
  context.open("const auto " + name + " = [](const " + type + "* from)");
  context.line(std::string(word.type) + " bits;");
  context.line("asm volatile(\"" + prefix_of("ld", order) + (bytes == 1 ? "u8" : "b" + std::to_string(8 * bytes)) +
               " %0, [%1];\" : \"=" + word.constraint + "\"(bits) : \"l\"(from) : \"memory\");");
  context.line("return bits_as<" + type + ">((" + word_of(bytes).type + ")bits);");
  context.close(";");
  return name;
}

std::string write_store(EmitContext& context, ScalarKind kind, MemoryOrder order) {
  const int bytes = size_bytes(kind);
  const Word word = word_of(std::max(bytes, 2));
  const std::string name = context.fresh("write"), type = scalar_type(kind);
  context.open("const auto " + name + " = [](" + type + "* to, " + type + " value)");
  context.line("asm volatile(\"" + prefix_of("st", order) + (bytes == 1 ? "u8" : "b" + std::to_string(8 * bytes)) +
               " [%0], %1;\" :: \"l\"(to), \"" + word.constraint + "\"((" + word.type + ")bits_as<" +
               word_of(bytes).type + ">(value)) : \"memory\");");
  context.close(";");
  return name;
}

std::string update_name(const ir::Op& op) {
  constexpr std::array<const char*, 11> kNames = {"",    "and", "or",   "xor",  "add", "fadd",
                                                  "max", "min", "umax", "umin", "exch"};
  const std::int64_t value = op.integer_attribute("atomic_rmw_op", 0);
  return value > 0 && value < static_cast<std::int64_t>(kNames.size()) ? kNames[static_cast<std::size_t>(value)] : "";
}

struct Parts {
  std::string call;  // C++ text of the act on register r
  std::string mask;  // "" if every lane acts
};

/// Writes the lambda and assembles the call. An empty call: not supported.
Parts write_act(EmitContext& context, const ir::Op& op, ScalarKind kind, MemoryOrder order) {
  const auto at = [&](std::size_t i) { return context.operand(op, i).at(); };
  const bool has_third = op.def().operands.size() > 2 && op.operand_or_null(2) != nullptr;
  switch (act_of(op)) {
    case Act::update: {
      const std::string name = write_update(context, update_name(op), kind, order);
      return {name.empty() ? "" : name + "(" + at(0) + ", " + at(1) + ")", has_third ? at(2) : ""};
    }
    case Act::swap:
      return {write_compare_and_swap(context, kind, order) + "(" + at(0) + ", " + at(1) + ", " + at(2) + ")", ""};
    case Act::load:
      return {write_load(context, kind, order) + "(" + at(0) + ")", op.operand_or_null(1) != nullptr ? at(1) : ""};
    case Act::store:
      return {write_store(context, kind, order) + "(" + at(0) + ", " + at(1) + ")", has_third ? at(2) : ""};
    case Act::poll:
      return {"wait_until(" + at(0) + ", " + at(1) + ", " + write_load(context, kind, order) +
                  (has_third ? ", (unsigned long long)" + at(2) : "") + ")",
              ""};
  }
  return {};
}

void each_register(EmitContext& context, const ir::Op& op, const std::string& statement) {
  const bool is_tile = op.operand(0)->type().is_tensor();
  context.line(is_tile ? "LS_EACH(" + std::to_string(context.layout(context.variant()).registers()) + ") " + statement
                       : statement);
}

/// Passes the answers of the acting threads to those that hold the same elements.
void share(EmitContext& context, const Variable& result, const std::string& place) {
  context.memory().exchanged();
  context.each(result, result.at() + " = " + place + ";");
}

}  // namespace

MemoryOrder memory_order_of(const ir::Op& op) {
  constexpr std::array<const char*, 5> kSemantics = {"relaxed", "relaxed", "acquire", "release", "acq_rel"};
  constexpr std::array<const char*, 4> kScopes = {"gpu", "gpu", "cta", "sys"};
  const auto semantic = static_cast<std::size_t>(op.integer_attribute("sem", 0));
  const auto scope = static_cast<std::size_t>(op.integer_attribute("scope", 0));
  return {kSemantics[std::min(semantic, kSemantics.size() - 1)], kScopes[std::min(scope, kScopes.size() - 1)]};
}

std::string write_compare_and_swap(EmitContext& context, ScalarKind kind, MemoryOrder order) {
  const int bytes = size_bytes(kind);
  const std::string words = write_swap(context, bytes, order), name = context.fresh("compare_and_swap");
  const std::string type = scalar_type(kind), word = word_of(bytes).type;
  context.open("const auto " + name + " = [&](" + type + "* to, " + type + " expected, " + type + " value)");
  context.line("return bits_as<" + type + ">(" + words + "(reinterpret_cast<" + word + "*>(to), bits_as<" + word +
               ">(expected), bits_as<" + word + ">(value)));");
  context.close(";");
  return name;
}

std::string write_update(EmitContext& context, std::string_view update, ScalarKind kind, MemoryOrder order) {
  const std::string type = scalar_type(kind);
  const std::string instruction = instruction_of(update, kind, context.target().capability);
  if (!instruction.empty()) {
    const Passed passed = passed_as(instruction, kind);
    const std::string name = context.fresh("atomic_" + std::string(update)), c = passed.constraint;
    context.open("const auto " + name + " = [](" + type + "* to, " + type + " value)");
    context.line(passed.type + " old;");
    context.line("asm volatile(\"" + prefix_of("atom", order) + instruction + " %0, [%1], %2;\" : \"=" + c +
                 "\"(old) : \"l\"(to), \"" + c + "\"(bits_as<" + passed.type + ">(value)) : \"memory\");");
    context.line("return bits_as<" + type + ">(old);");
    context.close(";");
    return name;
  }
  const std::string_view next = expression_of(update, is_float(kind));
  if (next.empty()) return "";
  const std::string swap = write_swap(context, size_bytes(kind), order);
  const std::string name = context.fresh("atomic_" + std::string(update));
  context.open("const auto " + name + " = [&](" + type + "* to, " + type + " value)");
  context.line("return update_by_swaps<" + std::string(word_of(size_bytes(kind)).type) + ">(to, " + swap + ", [=](" +
               type + " x) { return " + std::string(next) + "; });");
  context.close(";");
  return name;
}

bool emit_atomic(EmitContext& context, const ir::Op& op) {
  const ir::Type pointers = op.operand(0)->type();
  const auto kind = pointers.element().pointee().scalar_kind();
  if (context.is_in_region()) return context.unsupported(op, "an atomic inside the region of another op");
  if (!kind) return context.unsupported(op, "elements of this type");
  const MemoryOrder order = memory_order_of(op);
  const Parts parts = write_act(context, op, *kind, order);
  if (parts.call.empty()) return context.unsupported(op, "this update of this type");
  if (order.semantic == "release" || order.semantic == "acq_rel") context.memory().barrier();
  const std::string owner = pointers.is_tensor() ? context.layout(context.variant()).owner_text() : "threadIdx.x == 0";
  const bool acquires = order.semantic == "acquire" || order.semantic == "acq_rel";
  const std::string condition = parts.mask.empty() ? "" : "if (" + parts.mask + ") ";
  if (op.result_count() == 0 || !op.result()->has_uses()) {
    if (op.result_count() != 0) context.declare(op.result());
    if (!owner.empty()) context.open("if (" + owner + ")");
    each_register(context, op, condition + parts.call + ";");
    if (!owner.empty()) context.close();
    if (acquires) context.memory().barrier();
    return true;
  }
  const Variable result = context.declare(op.result());
  const std::string index = result.is_tile ? context.index_text(result.layout) : "0";
  std::string place;
  if (!owner.empty()) {
    const std::int64_t bytes =
        op.result()->type().element_count() * size_bytes(*op.result()->type().element().scalar_kind());
    place = "padded<" + result.type + ">(" + context.memory().exchange(bytes + bytes / 128 * 16 + 16) + ", " + index + ")";
    context.open("if (" + owner + ")");
  }
  each_register(context, op,
                result.at() + " = " + (parts.mask.empty() ? "" : parts.mask + " ? ") + parts.call +
                    (parts.mask.empty() ? ";" : " : nothing<" + result.type + ">();"));
  if (!owner.empty()) {
    context.each(result, place + " = " + result.at() + ";");
    context.close();
    share(context, result, place);
  } else if (acquires) {
    context.memory().barrier();
  }
  return true;
}

}  // namespace lockstep::backend_cuda
