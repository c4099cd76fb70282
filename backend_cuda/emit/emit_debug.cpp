// tt.print and tt.assert: printf of the device, one line per element, from one of the threads that hold it. A failed
// assertion is printed by each element that failed and stops the launch.
#include <cstdio>

#include "backend_cuda/emit/emit.h"
#include "backend_cuda/emit/emit_context.h"
#include "ir/breakpoint.h"
#include "ir/op_def.h"

namespace lockstep::backend_cuda {
namespace {

/// `text` inside a C++ string literal; as_format: inside the first argument of printf.
std::string escaped(std::string_view text, bool as_format) {
  std::string quoted;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      quoted += std::string("\\") + c;
    } else if (c == '%' && as_format) {
      quoted += "%%";
    } else if (byte < 0x20 || byte >= 0x7f || c == '?') {
      char octal[8];
      std::snprintf(octal, sizeof octal, "\\%03o", static_cast<unsigned>(byte));
      quoted += octal;
    } else {
      quoted += c;
    }
  }
  return quoted;
}

struct Printed {
  std::string format, argument;
};

/// How an element is printed (S-94).
Printed printed(const Variable& value, ir::Type type, bool is_hex, bool is_signed) {
  const auto kind = type.element().scalar_kind();
  if (type.element().is_pointer() || !kind) return {"%p", "(const void*)" + value.at()};
  const int bits = 8 * size_bytes(*kind);
  const bool is_bits = is_hex || is_float8(*kind);
  if (is_float(*kind) && !is_bits) return {"%f", "(double)wide(" + value.at() + ")"};
  if (is_float(*kind)) {
    const char* word = bits == 8 ? "unsigned char" : bits == 16 ? "unsigned short" : bits == 32 ? "unsigned" : nullptr;
    const std::string raw = word != nullptr ? std::string(word) : "unsigned long long";
    return {"0x%0" + number(bits / 4) + "llx", "(unsigned long long)bits_as<" + raw + ">(" + value.at() + ")"};
  }
  if (is_hex) {
    const bool extends = is_signed && bits < 32;
    return {"0x%0" + number(extends ? 8 : bits / 4) + "llx",
            extends ? "(unsigned long long)(unsigned)(int)" + value.at()
                    : "(unsigned long long)as_unsigned(" + value.at() + ")"};
  }
  return is_signed ? Printed{"%lld", "(long long)" + value.at()}
                   : Printed{"%llu", "(unsigned long long)as_unsigned(" + value.at() + ")"};
}

bool is_signed_operand(const ir::Op& op, std::size_t i) {
  const ir::Attribute flags = op.attribute("isSigned");
  return !flags || i >= flags->values.size() || flags->values[i] != 0;
}

std::string digits_of(std::int64_t extent) { return number(static_cast<std::int64_t>(number(extent - 1).size())); }

/// "idx (%2d, %3d)" with its arguments.
Printed index_of(EmitContext& context, LayoutId id, const std::vector<std::int64_t>& shape) {
  Printed index;
  for (std::size_t d = 0; d < shape.size(); ++d) {
    index.format += (d == 0 ? "%" : ", %") + digits_of(shape[d]) + "d";
    index.argument += ", " + context.coordinate_text(id, shape, d);
  }
  return index;
}

void print_operand(EmitContext& context, const ir::Op& op, std::size_t i, const std::string& prefix) {
  const ir::Type type = op.operand(i)->type();
  const Variable value = context.operand(op, i);
  const Printed element = printed(value, type, op.integer_attribute("hex", 0) != 0, is_signed_operand(op, i));
  const LayoutId id = type.is_tensor() ? context.plan().operand_layout(op, i, context.variant()) : kScalar;
  const Printed index = type.is_tensor() ? index_of(context, id, type.shape()) : Printed{};
  const std::string which = op.operand_count() > 1 ? "(operand " + number(static_cast<std::int64_t>(i)) + ") " : "";
  const std::string owner = type.is_tensor() ? context.layout(id).owner_text() : "threadIdx.x == 0";
  context.open(owner.empty() || context.is_in_region() ? "" : "if (" + owner + ")");
  context.line((type.is_tensor() ? "LS_EACH(" + number(context.layout(id).registers()) + ") " : std::string()) +
               "printf(\"pid (%d, %d, %d) idx (" + index.format + ")" + prefix + which + element.format +
               "\\n\", blockIdx.x, blockIdx.y, blockIdx.z" + index.argument + ", " + element.argument + ");");
  context.close();
}

}  // namespace

bool emit_print(EmitContext& context, const ir::Op& op) {
  if (ir::is_breakpoint(op)) return true;
  const std::string prefix = escaped(op.attribute("prefix")->text, true);
  if (op.operand_count() == 0) {
    context.line("if (threadIdx.x == 0) printf(\"pid (%d, %d, %d)" + prefix +
                 "\\n\", blockIdx.x, blockIdx.y, blockIdx.z);");
    return true;
  }
  for (std::size_t i = 0; i < op.operand_count(); ++i) print_operand(context, op, i, prefix);
  return true;
}

bool emit_assert(EmitContext& context, const ir::Op& op) {
  const Variable condition = context.operand(op, 0);
  const std::string message = escaped(op.attribute("message")->text, false);
  const std::string head =
      condition.is_tile ? "LS_EACH(" + number(condition.registers) + ") if (!" : std::string("if (!");
  context.open(head + condition.at() + ")");
  context.line("printf(\"pid (%d, %d, %d): assertion failed: %s\\n\", blockIdx.x, blockIdx.y, blockIdx.z, \"" +
               message + "\");");
  context.line("__trap();");
  context.close();
  return true;
}

}  // namespace lockstep::backend_cuda
