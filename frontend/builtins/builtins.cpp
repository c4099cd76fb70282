#include "frontend/builtins/builtins.h"

#include <algorithm>
#include <array>
#include <cstdlib>

#include "frontend/builtins/builtin_rows.h"
#include "support/ascii.h"
#include "support/check.h"

namespace lockstep::frontend {

namespace {

constexpr std::string_view kMaskSemScope = "pointer, val, mask=None, sem=None, scope=None";
constexpr std::string_view kLoad =
    "pointer, mask=None, other=None, boundary_check=(), padding_option='', cache_modifier='', eviction_policy='', "
    "volatile=False";
constexpr std::string_view kStore =
    "pointer, value, mask=None, boundary_check=(), cache_modifier='', eviction_policy=''";
constexpr std::string_view kDot =
    "input, other, acc=None, input_precision=None, allow_tf32=None, max_num_imprecise_acc=None, out_dtype=float32";
constexpr std::string_view kDotScaled =
    "lhs, lhs_scale, lhs_format, rhs, rhs_scale, rhs_format, acc=None, fast_math=False, lhs_k_pack=True, "
    "rhs_k_pack=True, out_dtype=float32";
constexpr std::string_view kExtremum = "x, y, propagate_nan=PropagateNan.NONE";
constexpr bool kMethod = true;

// Sources of signatures: Triton 3.6 documentation of triton.language.
constexpr auto kRows = std::to_array<Builtin>({
    {"program_id", "axis", rows::program_id},
    {"num_programs", "axis", rows::num_programs},
    {"arange", "start, end", rows::arange},
    {"full", "shape, value, dtype", rows::full},
    {"to_tensor", "x", rows::to_tensor},
    {"cast", "input, dtype, fp_downcast_rounding=None, bitcast=False", rows::cast, kMethod},
    {"debug_barrier", "", rows::debug_barrier},
    {"multiple_of", "input, values", rows::hint},
    {"max_contiguous", "input, values", rows::hint},
    {"max_constancy", "input, values", rows::hint},
    {"assume", "cond", rows::assume},
    {"device_print", "prefix, *args, hex=False", rows::device_print},
    {"builtin_breakpoint", "", rows::breakpoint},
    {"device_assert", "cond, msg='', mask=None", rows::device_assert},
    {"static_assert", "*args", rows::static_only},
    {"static_print", "*args", rows::static_only},
    {"broadcast", "input, other", rows::broadcast},
    {"broadcast_to", "input, *shape", rows::broadcast_to, kMethod},
    {"trans", "input, *dims", rows::trans, kMethod},
    {"permute", "input, *dims", rows::permute, kMethod},
    {"cat", "input, other, can_reorder=False", rows::cat},
    {"join", "a, b", rows::join},
    {"split", "a", rows::split, kMethod},
    {"view", "input, *shape", rows::view, kMethod},
    {"item", "input", rows::item, kMethod},
    {"reshape", "input, *shape, can_reorder=False", rows::reshape, kMethod},
    {"expand_dims", "input, axis", rows::expand_dims, kMethod},
    {"gather", "src, index, axis", rows::gather, kMethod},
    {"histogram", "input, num_bins, mask=None", rows::histogram, kMethod},
    {"load", kLoad, rows::load},
    {"store", kStore, rows::store, kMethod},
    {"atomic_cas", "pointer, cmp, val, sem=None, scope=None", rows::atomic_cas, kMethod},
    {"atomic_xchg", kMaskSemScope, rows::atomic, kMethod},
    {"atomic_add", kMaskSemScope, rows::atomic, kMethod},
    {"atomic_max", kMaskSemScope, rows::atomic, kMethod},
    {"atomic_min", kMaskSemScope, rows::atomic, kMethod},
    {"atomic_and", kMaskSemScope, rows::atomic, kMethod},
    {"atomic_or", kMaskSemScope, rows::atomic, kMethod},
    {"atomic_xor", kMaskSemScope, rows::atomic, kMethod},
    {"where", "condition, x, y", rows::where},
    {"add", "x, y, sanitize_overflow=True", rows::arithmetic},
    {"sub", "x, y, sanitize_overflow=True", rows::arithmetic},
    {"mul", "x, y, sanitize_overflow=True", rows::arithmetic},
    {"minimum", kExtremum, rows::extremum},
    {"maximum", kExtremum, rows::extremum},
    {"builtin_min", "*args, propagate_nan=PropagateNan.NONE", rows::python_extremum},
    {"builtin_max", "*args, propagate_nan=PropagateNan.NONE", rows::python_extremum},
    {"clamp", "x, min, max, propagate_nan=PropagateNan.NONE", rows::clamp},
    {"logical_and", "input, other", rows::logical, kMethod},
    {"logical_or", "input, other", rows::logical, kMethod},
    {"exp", "x", rows::unary_math, kMethod},
    {"exp2", "x", rows::unary_math, kMethod},
    {"log", "x", rows::unary_math, kMethod},
    {"log2", "x", rows::unary_math, kMethod},
    {"cos", "x", rows::unary_math, kMethod},
    {"sin", "x", rows::unary_math, kMethod},
    {"sqrt", "x", rows::unary_math, kMethod},
    {"sqrt_rn", "x", rows::unary_math, kMethod},
    {"rsqrt", "x", rows::unary_math, kMethod},
    {"erf", "x", rows::unary_math, kMethod},
    {"floor", "x", rows::unary_math, kMethod},
    {"ceil", "x", rows::unary_math, kMethod},
    {"abs", "x", rows::absolute, kMethod},
    {"fdiv", "x, y, ieee_rounding=False", rows::fdiv},
    {"div_rn", "x, y", rows::div_rn},
    {"umulhi", "x, y", rows::umulhi},
    {"fma", "x, y, z", rows::fma},
    {"dot", kDot, rows::dot},
    {"reduce", "input, axis, combine_fn, keep_dims=False", rows::reduce, kMethod},
    {"associative_scan", "input, axis, combine_fn, reverse=False", rows::associative_scan, kMethod},
    {"_reduce_with_indices", "input, axis, combine_fn, keep_dims=False", rows::reduce_with_indices},
    {"_promote_bfloat16_to_float32", "t", rows::promote_bfloat16},
    {"inline_asm_elementwise", "asm, constraints, args, dtype, is_pure, pack", rows::inline_asm_elementwise},
    {"extern_elementwise", ""},
    {"make_block_ptr", "base, shape, strides, offsets, block_shape, order", rows::make_block_ptr},
    {"advance", "base, offsets", rows::advance, kMethod, true},
    {"make_tensor_descriptor", "base, shape, strides, block_shape, padding_option='zero'",
     rows::make_tensor_descriptor},
    {"load_tensor_descriptor", "desc, offsets", rows::descriptor_load},
    {"store_tensor_descriptor", "desc, offsets, value", rows::descriptor_store},
    {"dot_scaled", kDotScaled, rows::dot_scaled},
    {"map_elementwise", "scalar_fn, *args, pack=1", rows::map_elementwise},
    {"atomic_load", "pointer, mask=None, sem=None, scope=None", rows::atomic_load, kMethod},
    {"atomic_store", "pointer, val, mask=None, sem=None, scope=None", rows::atomic_store, kMethod},
    {"atomic_poll", "pointer, expected_value, sem='acquire', scope='gpu', timeout_ns=None", rows::atomic_poll, kMethod},
    {"expect_zero", "x, mask", rows::expect_zero},
});

constexpr std::string_view kDescriptor = "tensor_descriptor.";
constexpr auto kDescriptorMethods = std::to_array<Builtin>({
    {"tensor_descriptor.load", "self, offsets", rows::descriptor_load},
    {"tensor_descriptor.store", "self, offsets, value", rows::descriptor_store},
    {"tensor_descriptor.atomic_add", "self, offsets, value", rows::descriptor_reduce},
    {"tensor_descriptor.atomic_min", "self, offsets, value", rows::descriptor_reduce},
    {"tensor_descriptor.atomic_max", "self, offsets, value", rows::descriptor_reduce},
    {"tensor_descriptor.atomic_and", "self, offsets, value", rows::descriptor_reduce},
    {"tensor_descriptor.atomic_or", "self, offsets, value", rows::descriptor_reduce},
    {"tensor_descriptor.atomic_xor", "self, offsets, value", rows::descriptor_reduce},
    {"tensor_descriptor.gather", "self, *args", rows::descriptor_gather},
    {"tensor_descriptor.scatter", "self, value, *args", rows::descriptor_scatter},
});

constexpr Builtin kTo{"to", "input, dtype, fp_downcast_rounding=None, bitcast=False", rows::cast, kMethod};

Value default_of(std::string_view text) {
  if (text == "None") return Value::raw_none();
  if (text == "True" || text == "False") return Constant::boolean(text == "True");
  if (text == "()") return Value::tuple({});
  if (text.starts_with('\'')) return Constant::string(std::string(text.substr(1, text.size() - 2)));
  if (text == "PropagateNan.NONE") return Constant::member(kPropagateNone);
  if (text == "float32") return Constant::dtype({DType(Scalar::fp32), {}});
  return Constant::integer(std::strtoll(std::string(text).c_str(), nullptr, 10));
}

}  // namespace

const Builtin* find_builtin(std::string_view name) {
  const auto found = std::find_if(kRows.begin(), kRows.end(), [&](const Builtin& row) { return row.name == name; });
  return found == kRows.end() ? nullptr : &*found;
}

const Builtin* find_tensor_method(std::string_view name) {
  if (name == kTo.name) return &kTo;
  const Builtin* row = find_builtin(name);
  return row != nullptr && row->is_method ? row : nullptr;
}

const Builtin* find_descriptor_method(std::string_view name) {
  const auto* found = std::find_if(kDescriptorMethods.begin(), kDescriptorMethods.end(),
                                   [&](const Builtin& row) { return row.name.substr(kDescriptor.size()) == name; });
  return found == kDescriptorMethods.end() ? nullptr : found;
}

std::vector<SignatureParameter> parse_signature(std::string_view signature) {
  std::vector<SignatureParameter> parameters;
  bool after_star = false;
  while (!signature.empty()) {
    const std::size_t comma = std::min(signature.find(','), signature.size());
    std::string_view part = trimmed(signature.substr(0, comma));
    signature.remove_prefix(std::min(comma + 1, signature.size()));
    SignatureParameter parameter;
    parameter.collects = part.starts_with('*');
    if (parameter.collects) part.remove_prefix(1);
    parameter.keyword_only = after_star;
    after_star = after_star || parameter.collects;
    const std::size_t equals = part.find('=');
    parameter.name = std::string(trimmed(part.substr(0, equals)));
    if (equals != std::string_view::npos) parameter.default_value = default_of(trimmed(part.substr(equals + 1)));
    parameters.push_back(std::move(parameter));
  }
  return parameters;
}

}  // namespace lockstep::frontend
