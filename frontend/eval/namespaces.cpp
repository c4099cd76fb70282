#include "frontend/eval/namespaces.h"

#include <algorithm>
#include <array>

#include "frontend/builtins/builtins.h"
#include "frontend/builtins/libdevice.h"
#include "frontend/gluon/gluon_names.h"
#include "frontend/host/host_environment.h"
#include "frontend/host/host_functions.h"
#include "frontend/host/host_values.h"

namespace lockstep::frontend {

namespace {

constexpr std::string_view kLanguage = "triton.language";
constexpr std::string_view kExtra = "triton.language.extra";

constexpr std::array<std::string_view, 7> kLanguageModules{"math",  "core",     "standard",   "random",
                                                           "extra", "lockstep", "target_info"};
constexpr std::array<std::string_view, 9> kClasses{
    "block_type", "tensor_descriptor", "tuple_type", "tensor", "dtype", "tuple", "const", "constexpr_type", "slice"};
constexpr std::array<std::string_view, 3> kIterators{"range", "static_range", "condition"};

/// The parts of triton.language that Triton's own modules import: not all of it.
constexpr auto kMathFunctions =
    std::to_array<std::string_view>({"abs", "ceil", "cos", "div_rn", "erf", "exp", "exp2", "fdiv", "floor", "fma",
                                     "log", "log2", "rsqrt", "sin", "sqrt", "sqrt_rn", "umulhi"});
constexpr auto kRandom =
    std::to_array<std::string_view>({"pair_uniform_to_normal", "philox", "philox_impl", "rand", "rand4x", "randint",
                                     "randint4x", "randn", "randn4x", "uint_to_uniform_float"});

/// In triton.language.core, or methods of tensors, but not in triton.language itself.
constexpr auto kNotExported = std::to_array<std::string_view>({"item", "logical_and", "logical_or", "sort_impl"});

/// Added after 3.6, the version that hasattr() answers for.
constexpr auto kNewer = std::to_array<std::string_view>(
    {"aggregate_replace", "atomic_load", "atomic_poll", "atomic_store", "expect_zero", "squeeze", "unsqueeze"});

std::optional<Value> triton_attribute(const std::string& name) {
  if (name == "experimental") return Value(NamespaceValue{"triton.experimental"});
  if (name == "language") return Value(NamespaceValue{std::string(kLanguage)});
  if (name == "jit" || name == "constexpr_function" || name == "autotune" || name == "heuristics" || name == "cdiv" ||
      name == "next_power_of_2" || name == "Config") {
    return Value(HostFunction{"triton." + name});
  }
  if (name == "__version__") return Value(Constant::string("3.6.0"));
  return std::nullopt;
}

std::optional<Value> propagate_nan(const std::string& name) {
  if (name == "NONE") return Value(Constant::member(kPropagateNone));
  if (name == "ALL") return Value(Constant::member(kPropagateAll));
  return std::nullopt;
}

std::optional<Value> language_value(const std::string& name) {
  if (name == "constexpr" || name == "pointer_type") return Value(HostFunction{name});
  if (name == "aggregate_replace") return Value(HostFunction{"tl.aggregate_replace"});
  if (name == "_log2") return Value(HostFunction{"lockstep.log2"});
  if (name == "get_int_dtype" || name == "_get_int_dtype") return Value(HostFunction{"lockstep.integer_dtype"});
  if (name == "PropagateNan") return Value(NamespaceValue{"triton.language.PropagateNan"});
  if (name == "TRITON_MAX_TENSOR_NUMEL") return Value(Constant::integer(kMaxElements));
  if (name == "pi32_t")
    return Value(Constant::dtype(ValueType{DType::pointer_to(ValueType{DType(Scalar::int32), {}}), {}}));
  if (among(kIterators, name)) return Value(HostFunction{"tl." + name});
  if (among(kClasses, name)) return Value(HostFunction{"tl." + name});
  if (const std::optional<DType> type = parse_dtype_name(name); type && type->python_name() == name) {
    return Value(Constant::dtype(ValueType{*type, {}}));
  }
  return std::nullopt;
}

/// triton.language.extra: libdevice, cuda and its parts. Other vendors' modules are known by name only.
std::optional<Value> extra_attribute(const std::string& space, const std::string& name) {
  const std::string inside = space.size() > kExtra.size() ? space.substr(kExtra.size() + 1) : "";
  const Builtin* builtin = nullptr;
  if (inside == "libdevice" || inside == "cuda.libdevice") builtin = find_libdevice_function(name);
  if (inside == "cuda" || inside == "cuda.utils" || inside == "cuda.gdc") builtin = find_cuda_function(name);
  if (builtin != nullptr) return Value(builtin);
  const bool is_library = inside.ends_with("libdevice") && inside != "hip.libdevice";
  if (is_library || inside == "cuda.utils" || inside == "cuda.gdc") return std::nullopt;
  return Value(NamespaceValue{space + "." + name});
}

}  // namespace

std::string builtin_namespace(const std::string& name) {
  if (name == "math" || name == "os" || is_gluon_space(name)) return name;
  if (name == "triton" || name == "triton.language" || is_environment_module(name)) return name;
  for (const std::string_view part : kLanguageModules) {
    const std::string full = std::string(kLanguage) + "." + std::string(part);
    if (name == full || name.starts_with(full + ".")) return name;
  }
  return {};
}

bool namespace_has(Modules& modules, const std::string& space, const std::string& attribute) {
  const bool is_newer = (space == kLanguage || space.starts_with("triton.language.")) && among(kNewer, attribute);
  return !is_newer && namespace_attribute(modules, space, attribute).has_value();
}

std::optional<Value> namespace_attribute(Modules& modules, const std::string& space, const std::string& attribute) {
  if (is_gluon_space(space)) {
    const auto of_triton = [&](const std::string& name) {
      return namespace_attribute(modules, std::string(kLanguage), name);
    };
    return gluon_space_attribute(modules, space, attribute, of_triton);
  }
  if (const Builtin* builtin = space == kLanguage ? find_builtin(attribute) : nullptr;
      builtin != nullptr && !among(kNotExported, attribute))
    return Value(builtin);
  if (space == "math") return math_attribute(attribute);
  if (space == "os" && attribute == "environ") return Value(NamespaceValue{"os.environ"});
  if ((space == "os" && attribute == "getenv") || (space == "os.environ" && attribute == "get"))
    return Value(HostFunction{"os.getenv"});
  if (std::optional<Value> fact = environment_attribute(space, attribute, modules.capability())) return fact;
  if (space == "triton") return triton_attribute(attribute);
  if (space == "triton.language.PropagateNan") return propagate_nan(attribute);
  if (space == kExtra || space.starts_with(std::string(kExtra) + ".")) return extra_attribute(space, attribute);
  if (space == "triton.language.lockstep")
    return Value(HostFunction{"lockstep." + attribute});  // helpers of the prelude
  if (space != kLanguage && !space.starts_with("triton.language.")) return std::nullopt;
  if (space == kLanguage && among(kLanguageModules, attribute)) return Value(NamespaceValue{space + "." + attribute});
  if (space == kLanguage && among(kNotExported, attribute)) return std::nullopt;
  if (space == "triton.language.math" && !among(kMathFunctions, attribute)) return std::nullopt;
  if (space == "triton.language.random" && !among(kRandom, attribute)) return std::nullopt;
  const bool is_standard = space == "triton.language.standard";
  if (is_standard && modules.prelude(space).find_function(attribute) == nullptr && !attribute.starts_with('_'))
    return std::nullopt;
  if (std::optional<Value> value = language_value(attribute)) return value;
  if (const Builtin* builtin = find_builtin(attribute)) return Value(builtin);
  for (const char* library : {"triton.language.standard", "triton.language.random"}) {
    if (const JitFunction* function = modules.prelude(library).find_function(attribute)) return Value(function);
  }
  return std::nullopt;
}

}  // namespace lockstep::frontend
