// Calls that leave the language: symbols of a device library and inline assembly, element by element.
#include <fmt/format.h>

#include "frontend/semantics/semantics.h"

namespace lockstep::frontend::semantics {

namespace {

// Four fp8e4b15 bytes to four halves: the same exponent bias, so the seven bits below the sign move to bits 7 to 13.
constexpr std::string_view kFromFloat8e4b15 = R"({
  .reg .b32 low, high, sign;
  prmt.b32 low, $2, 0, 0x1404;
  prmt.b32 high, $2, 0, 0x3424;
  and.b32 sign, low, 0x80008000;
  and.b32 low, low, 0x7f007f00;
  shr.u32 low, low, 1;
  or.b32 $0, low, sign;
  and.b32 sign, high, 0x80008000;
  and.b32 high, high, 0x7f007f00;
  shr.u32 high, high, 1;
  or.b32 $1, high, sign;
})";

// Four halves to four fp8e4b15 bytes: magnitudes (NaN too) are limited to 1.75, halves of the last place round up.
constexpr std::string_view kToFloat8e4b15 = R"({
  .reg .b16 h0, h1, h2, h3;
  .reg .b32 low, high, sign;
  and.b32 low, $1, 0x7fff7fff;
  and.b32 high, $2, 0x7fff7fff;
  mov.b32 {h0, h1}, low;
  mov.b32 {h2, h3}, high;
  min.u16 h0, h0, 0x3f00;
  min.u16 h1, h1, 0x3f00;
  min.u16 h2, h2, 0x3f00;
  min.u16 h3, h3, 0x3f00;
  mov.b32 low, {h0, h1};
  mov.b32 high, {h2, h3};
  shl.b32 low, low, 1;
  shl.b32 high, high, 1;
  add.u32 low, low, 0x00800080;
  add.u32 high, high, 0x00800080;
  and.b32 sign, $1, 0x80008000;
  or.b32 low, low, sign;
  and.b32 sign, $2, 0x80008000;
  or.b32 high, high, sign;
  prmt.b32 $0, low, high, 0x7531;
})";

bool broadcast_arguments(OpBuilder& in, std::vector<Tensor>& arguments, bool pointers, ValueType& common) {
  if (arguments.empty()) return true;
  const PairRules rules{pointers, pointers, false, false};
  Tensor widest = arguments[0];
  for (const Tensor& argument : arguments) {
    const std::optional<TensorPair> both = pair(in, argument, widest, rules);
    if (!both) return false;
    widest = both->second;
  }
  common = widest.type;
  for (Tensor& argument : arguments) {
    const std::optional<TensorPair> both = pair(in, argument, widest, rules);
    if (!both) return false;
    argument = both->first;
  }
  return true;
}

}  // namespace

Tensor extern_elementwise(OpBuilder& in, const std::string& symbol, std::vector<Tensor> arguments,
                          const DType& result) {
  ValueType common;
  if (!broadcast_arguments(in, arguments, false, common)) return {};
  std::vector<ir::Value*> operands;
  for (const Tensor& argument : arguments) operands.push_back(argument.handle);
  ir::Context& context = in.emitter().context();
  return in.make("tt.extern_elementwise", operands, common.with_element(result),
                 {{"libname", context.string("")},
                  {"libpath", context.string("")},
                  {"pure", context.boolean(true)},
                  {"symbol", context.string(symbol)}});
}

std::vector<Tensor> inline_assembly(OpBuilder& in, const InlineAssembly& assembly, std::vector<Tensor> arguments,
                                    const std::vector<DType>& results) {
  ValueType common;
  if (!broadcast_arguments(in, arguments, true, common)) return {};
  const std::int64_t count = arguments.empty() || !arguments.front().is_block() ? 0 : arguments.front().type.numel();
  if (assembly.pack < 1 || count % assembly.pack != 0) {
    in.reporter().error(codes::kExtern,
                        fmt::format("inline assembly cannot take {} elements in packs of {}", count, assembly.pack),
                        "the number of elements must be a multiple of pack");
    return {};
  }
  std::vector<ir::Value*> operands;
  for (const Tensor& argument : arguments) operands.push_back(argument.handle);
  std::vector<ir::Type> types;
  for (const DType& result : results) {
    const std::optional<ir::Type> type = in.ir_type(common.with_element(result));
    if (!type) return {};
    types.push_back(*type);
  }
  ir::Context& context = in.emitter().context();
  const ir::Op* op = in.emitter().create("tt.elementwise_inline_asm", operands, types,
                                         {{"asm_string", context.string(assembly.text)},
                                          {"constraints", context.string(assembly.constraints)},
                                          {"packed_element", context.i32(assembly.pack)},
                                          {"pure", context.boolean(assembly.is_pure)}});
  std::vector<Tensor> tensors;
  for (std::size_t i = 0; i < results.size(); ++i) tensors.push_back({op->result(i), common.with_element(results[i])});
  return tensors;
}

Tensor cast_custom_float8(OpBuilder& in, const Tensor& value, const DType& type) {
  const auto convert = [&](std::string_view text, const char* constraints, const Tensor& input, Scalar result) {
    const std::vector<Tensor> converted =
        inline_assembly(in, {std::string(text), constraints, true, 4}, {input}, {DType(result)});
    return converted.empty() ? Tensor{} : converted.front();
  };
  if (value.element().scalar() == Scalar::fp8e4b15) {
    const Tensor half = convert(kFromFloat8e4b15, "=r,=r,r", value, Scalar::fp16);
    return type.scalar() == Scalar::fp32 ? cast(in, half, type) : half;
  }
  const bool is_single = value.element().scalar() == Scalar::fp32;
  if (!is_single && value.element().scalar() != Scalar::fp16) {
    in.reporter().error(codes::kCast,
                        fmt::format("only fp16 and fp32 can be cast to fp8e4b15, not {}", value.element().name()));
    return {};
  }
  const Tensor half = is_single ? cast(in, value, DType(Scalar::fp16), "rtz") : value;
  return half ? convert(kToFloat8e4b15, "=r,r,r", half, Scalar::fp8e4b15) : Tensor{};
}

}  // namespace lockstep::frontend::semantics
