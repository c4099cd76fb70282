#include "frontend/gluon/gluon_names.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "frontend/builtins/builtins.h"
#include "frontend/gluon/gluon_rows.h"
#include "frontend/gluon/layout_calls.h"
#include "frontend/host/host_values.h"

namespace lockstep::frontend {

namespace {

constexpr std::string_view kRoot = "triton.experimental";

/// A module: its name below triton.experimental.gluon, what the names of its rows begin with, and what it has besides:
/// modules, rows of other modules, classes.
struct Space {
  std::string_view name;
  std::string_view prefix;
  std::string_view names;  // between blanks
};

constexpr auto kGluonSpaces = std::to_array<Space>({
    {"language.nvidia", "-", " ampere hopper blackwell "},
    {"language.nvidia.ampere", "-", " async_copy mbarrier mma_v2 "},
    {"language.nvidia.hopper", "-",
     " async_copy mbarrier tma mma_v2 fence_async_shared warpgroup_mma warpgroup_mma_init warpgroup_mma_wait "},
    {"language.nvidia.blackwell", "-",
     " async_copy mbarrier tma mma_v2 fence_async_shared allocate_tensor_memory get_tmem_reg_layout "
     "tensor_memory_descriptor TensorMemoryLayout TensorMemoryScalesLayout tcgen05_copy tcgen05_mma "
     "tcgen05_mma_scaled tcgen05_commit "},
    {"language.nvidia.ampere.async_copy", "async_copy.", " "},
    {"language.nvidia.hopper.async_copy", "async_copy.", " "},
    {"language.nvidia.blackwell.async_copy", "async_copy.", " "},
    {"language.nvidia.ampere.mbarrier", "mbarrier.", " MBarrierLayout "},
    {"language.nvidia.hopper.mbarrier", "mbarrier.", " MBarrierLayout "},
    {"language.nvidia.blackwell.mbarrier", "mbarrier.", " MBarrierLayout "},
    {"language.nvidia.hopper.tma", "tma.", " tensor_descriptor "},
    {"language.nvidia.blackwell.tma", "tma.", " tensor_descriptor "},
});

/// What triton.experimental.gluon.language takes over from Triton's own language.
constexpr auto kOfTriton = std::to_array<std::string_view>(
    {"add",          "associative_scan", "assume",         "atomic_add",   "atomic_and",
     "atomic_cas",   "atomic_max",       "atomic_min",     "atomic_or",    "atomic_xchg",
     "atomic_xor",   "bfloat16",         "block_type",     "broadcast",    "cast",
     "cdiv",         "constexpr",        "device_assert",  "device_print", "dtype",
     "expand_dims",  "float16",          "float32",        "float64",      "float8e4b15",
     "float8e4b8",   "float8e4nv",       "float8e5",       "float8e5b16",  "gather",
     "int1",         "int16",            "int32",          "int64",        "int8",
     "join",         "load",             "map_elementwise", "max",         "max_constancy",
     "max_contiguous", "maximum",        "min",            "minimum",      "mul",
     "multiple_of",  "num_programs",     "permute",        "pointer_type", "program_id",
     "ravel",        "reduce",           "reduce_or",      "reshape",      "split",
     "static_assert", "static_print",    "static_range",   "store",        "sub",
     "sum",          "tensor",           "to_tensor",      "tuple",        "tuple_type",
     "uint16",       "uint32",           "uint64",         "uint8",        "void",
     "where",        "xor_sum",          "inline_asm_elementwise",         "abs",
     "ceil",         "cos",              "div_rn",         "erf",          "exp",
     "exp2",         "fdiv",             "floor",          "fma",          "log",
     "log2",         "rsqrt",            "sin",            "sqrt",         "sqrt_rn",
     "umulhi"});
/// Functions that Gluon writes in its own language.
constexpr auto kOfLibrary = std::to_array<std::string_view>({"zeros", "full_like", "zeros_like"});
constexpr auto kGluonTypes = std::to_array<std::string_view>(
    {"distributed_type", "shared_memory_descriptor", "shared_memory_descriptor_type", "tensor_memory_descriptor",
     "tensor_descriptor", "get_tmem_reg_layout", "MBarrierLayout"});

using Lookup = std::function<std::optional<Value>(const std::string&)>;

std::optional<Value> language_attribute(Modules& modules, const std::string& space, const std::string& name,
                                        const Lookup& of_triton) {
  if (name == "nvidia") return Value(NamespaceValue{space + "." + name});
  if (name == "amd" || name == "extra")
    return Value(OpaqueValue{"Gluon's module '" + name + "', which is not supported yet"});
  if (among(kOfLibrary, name)) {
    const JitFunction* function = modules.prelude(space + "._standard").find_function(name);
    return function != nullptr ? std::optional(Value(function)) : std::nullopt;
  }
  if (const Builtin* builtin = name.find('.') == std::string::npos ? find_gluon_builtin(name) : nullptr)
    return Value(builtin);
  if (among(kGluonTypes, name) || is_layout_function("gl." + name)) return Value(HostFunction{"gl." + name});
  return among(kOfTriton, name) ? of_triton(name) : std::nullopt;
}

std::optional<Value> named_in(const Space& entry, const std::string& space, const std::string& name) {
  if (const Builtin* builtin = find_gluon_builtin(std::string(entry.prefix) + name)) return Value(builtin);
  if (entry.names.find(" " + name + " ") == std::string_view::npos) return std::nullopt;
  const bool is_module = std::any_of(kGluonSpaces.begin(), kGluonSpaces.end(), [&](const Space& other) {
    return other.name == std::string(entry.name) + "." + name;
  });
  if (is_module) return Value(NamespaceValue{space + "." + name});
  if (const Builtin* builtin = find_gluon_builtin(name)) return Value(builtin);
  return Value(HostFunction{"gl." + name});
}

}  // namespace

bool is_gluon_space(const std::string& space) {
  return space == kRoot || space.starts_with(std::string(kRoot) + ".");
}

std::optional<Value> gluon_space_attribute(Modules& modules, const std::string& space, const std::string& name,
                                           const Lookup& of_triton) {
  const std::string gluon = std::string(kRoot) + ".gluon";
  if (space == kRoot) return name == "gluon" ? std::optional(Value(NamespaceValue{gluon})) : std::nullopt;
  if (space == gluon) {
    if (name == "jit") return Value(HostFunction{"gluon.jit"});
    if (name == "constexpr_function") return Value(HostFunction{"triton.constexpr_function"});
    if (name == "language" || name == "nvidia") return Value(NamespaceValue{space + "." + name});
    return std::nullopt;
  }
  const std::string inside = space.substr(std::min(space.size(), gluon.size() + 1));
  if (inside == "language") return language_attribute(modules, space, name, of_triton);
  for (const Space& entry : kGluonSpaces) {
    if (entry.name == inside) return named_in(entry, space, name);
  }
  if (inside == "nvidia" || inside.starts_with("nvidia."))
    return Value(OpaqueValue{"what a launch from Python makes its arguments with"});
  return std::nullopt;
}

}  // namespace lockstep::frontend
