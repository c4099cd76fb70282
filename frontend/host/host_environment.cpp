#include "frontend/host/host_environment.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "frontend/builtins/argument_record.h"
#include "frontend/host/host_containers.h"
#include "frontend/host/host_operators.h"
#include "frontend/host/host_values.h"

namespace lockstep::frontend {

namespace {

constexpr std::string_view kTarget = "triton.runtime.target";  // what get_current_target() gives

/// Modules and objects with attributes; an attribute with the name of another entry is that entry.
constexpr std::array<std::string_view, 19> kModules{"torch",
                                                    "torch.utils",
                                                    "torch.utils._triton",
                                                    "torch.cuda",
                                                    "torch.version",
                                                    "torch.xpu",
                                                    "torch.mps",
                                                    "triton.runtime",
                                                    "triton.runtime.driver",
                                                    "triton.runtime.driver.active",
                                                    kTarget,
                                                    "triton.language.target_info",
                                                    "packaging",
                                                    "packaging.version",
                                                    "operator",
                                                    "importlib",
                                                    "itertools",
                                                    "platform",
                                                    "sys"};

constexpr std::array<std::string_view, 26> kFunctions{"torch.iinfo",
                                                      "torch.utils._triton.has_triton",
                                                      "torch.utils._triton.has_triton_package",
                                                      "torch.finfo",
                                                      "torch.cuda.is_available",
                                                      "torch.cuda.get_device_capability",
                                                      "torch.cuda.get_device_name",
                                                      "torch.cuda.current_device",
                                                      "torch.cuda.device_count",
                                                      "torch.xpu.is_available",
                                                      "torch.mps.is_available",
                                                      "triton.runtime.driver.active.get_current_target",
                                                      "triton.language.target_info.current_target",
                                                      "triton.language.target_info.is_cuda",
                                                      "triton.language.target_info.is_hip",
                                                      "triton.language.target_info.is_hip_cdna3",
                                                      "triton.language.target_info.is_hip_cdna4",
                                                      "triton.language.target_info.cuda_capability_geq",
                                                      "packaging.version.parse",
                                                      "packaging.version.Version",
                                                      "operator.ge",
                                                      "operator.gt",
                                                      "operator.le",
                                                      "operator.lt",
                                                      "operator.eq",
                                                      "platform.machine"};
constexpr std::string_view kImportModule = "importlib.import_module";  // answered where modules are loaded

struct GpuName {
  int capability;
  std::string_view name;
};
constexpr std::array<GpuName, 5> kGpus{{{80, "NVIDIA A100"},
                                        {89, "NVIDIA L40S"},
                                        {90, "NVIDIA H200"},
                                        {100, "NVIDIA B200"},
                                        {120, "NVIDIA GeForce RTX 5090"}}};

struct Fact {
  std::string_view name;
  std::string_view value;
};
constexpr std::array<Fact, 6> kTexts{{{"torch.__version__", "2.11.0"},
                                      {"torch.version.cuda", "13.0"},
                                      {"triton.runtime.target.backend", "cuda"},
                                      {"sys.platform", "linux"},
                                      {"platform.machine()", "x86_64"},
                                      {"sys.byteorder", "little"}}};

std::optional<Value> known_text(std::string_view name) {
  for (const Fact& fact : kTexts) {
    if (fact.name == name) return text_value(fact.value);
  }
  return std::nullopt;
}

/// "2.11.0+cu130" -> (2, 11): the release numbers without trailing zeros, as versions compare.
ValueResult parse_version(const Value& value) {
  if (!value.is_string()) return failure("TypeError: a version is a string");
  const std::string& whole = value.constant()->text();
  const std::string release = whole.substr(0, whole.find('+'));
  std::vector<std::int64_t> parts{0};
  bool digits = false;
  for (const char c : release) {
    if (c >= '0' && c <= '9' && parts.back() < 1'000'000) {
      parts.back() = parts.back() * 10 + (c - '0');
      digits = true;
    } else if (c == '.' && digits && parts.size() < 8) {
      parts.push_back(0);
      digits = false;
    } else {
      return failure(fmt::format("the version '{}' is not a plain release", whole));
    }
  }
  if (!digits) return failure(fmt::format("the version '{}' is not a plain release", whole));
  while (parts.size() > 1 && parts.back() == 0) parts.pop_back();
  return tuple_of_integers(parts);
}

struct TorchType {
  std::string_view name;
  int bits;
  bool is_signed;
  double largest, smallest, epsilon;  // floats; 0 for integers
};
constexpr std::array<TorchType, 8> kTorchTypes{{{"int8", 8, true, 0, 0, 0},
                                                {"uint8", 8, false, 0, 0, 0},
                                                {"int16", 16, true, 0, 0, 0},
                                                {"int32", 32, true, 0, 0, 0},
                                                {"int64", 64, true, 0, 0, 0},
                                                {"float16", 16, true, 65504, 0x1p-14, 0x1p-10},
                                                {"bfloat16", 16, true, 0x1.fep127, 0x1p-126, 0x1p-7},
                                                {"float32", 32, true, 0x1.fffffep127, 0x1p-126, 0x1p-23}}};

const TorchType* find_torch_type(std::string_view name) {
  const auto* found =
      std::find_if(kTorchTypes.begin(), kTorchTypes.end(), [&](const TorchType& row) { return row.name == name; });
  return found == kTorchTypes.end() ? nullptr : found;
}

/// Attributes of torch.iinfo(TYPE) and torch.finfo(TYPE), whose spaces are "torch.iinfo.TYPE" and "torch.finfo.TYPE".
std::optional<Value> limit_of(std::string_view space, std::string_view attribute) {
  const TorchType* type = find_torch_type(space.substr(space.rfind('.') + 1));
  if (type == nullptr || (type->largest == 0) != space.starts_with("torch.iinfo.")) return std::nullopt;
  if (attribute == "bits") return integer_value(type->bits);
  if (type->largest == 0) {
    const Integer limit = Integer{1} << (type->bits - (type->is_signed ? 1 : 0));
    if (attribute == "max") return Value(Constant::integer(limit - 1));
    if (attribute == "min") return Value(Constant::integer(type->is_signed ? -limit : Integer{0}));
    return std::nullopt;
  }
  if (attribute == "max") return Value(Constant::floating(type->largest));
  if (attribute == "min") return Value(Constant::floating(-type->largest));
  if (attribute == "eps") return Value(Constant::floating(type->epsilon));
  if (attribute == "tiny" || attribute == "smallest_normal") return Value(Constant::floating(type->smallest));
  return std::nullopt;
}

std::optional<ast::CompareOperator> comparison(std::string_view name) {
  if (name == "operator.ge") return ast::CompareOperator::GtE;
  if (name == "operator.gt") return ast::CompareOperator::Gt;
  if (name == "operator.le") return ast::CompareOperator::LtE;
  if (name == "operator.lt") return ast::CompareOperator::Lt;
  if (name == "operator.eq") return ast::CompareOperator::Eq;
  return std::nullopt;
}

ValueResult at_least(const std::vector<Value>& arguments, int capability) {
  Integer wanted = 0;
  for (std::size_t i = 0; i < 2; ++i) {
    if (i == 1 && arguments.size() < 2) continue;
    const Constant* part = i < arguments.size() ? arguments[i].constant() : nullptr;
    if (part == nullptr || !part->is_integral() || part->as_integer() < 0 || part->as_integer() > 1000)
      return failure("TypeError: cuda_capability_geq() takes major and minor");
    wanted += part->as_integer() * (i == 0 ? 10 : 1);
  }
  return Value(Constant::boolean(capability >= wanted));
}

}  // namespace

bool is_environment_module(std::string_view name) { return name != kTarget && among(kModules, name); }
bool is_environment_function(std::string_view name) { return among(kFunctions, name); }

std::optional<Value> environment_attribute(const std::string& space, const std::string& attribute, int capability) {
  const std::string full = space + "." + attribute;
  if (among(kModules, full) && full != kTarget) return Value(NamespaceValue{full});
  if (among(kFunctions, full) || full == kImportModule) return Value(HostFunction{full});
  if (space.starts_with("torch.iinfo.") || space.starts_with("torch.finfo.")) return limit_of(space, attribute);
  if (space == "torch" && attribute == "Tensor") return Value(HostFunction{full});
  if (const std::string_view type = space == "torch" ? canonical_torch_name(attribute) : ""; !type.empty())
    return Value(HostFunction{"torch." + std::string(type)});
  if (space == "itertools" && is_container_function(full)) return Value(HostFunction{full});
  if (full == "torch.version.hip" || full == "torch.version.xpu") return Value(Constant());
  if (full == "triton.runtime.target.arch") return integer_value(capability);
  if (full == "triton.runtime.target.warp_size") return integer_value(32);
  if (full == "sys.version_info") return tuple_of_integers({3, 12, 0});
  return known_text(full);
}

ValueResult call_environment(const std::string& name, const std::vector<Value>& arguments, int capability) {
  if (name == "torch.cuda.get_device_capability") return tuple_of_integers({capability / 10, capability % 10});
  if (name == "torch.cuda.is_available" || name == "triton.language.target_info.is_cuda" ||
      name.starts_with("torch.utils._triton."))
    return Value(Constant::boolean(true));
  if (name.ends_with(".is_available") || name.starts_with("triton.language.target_info.is_hip"))
    return Value(Constant::boolean(false));
  if (name == "torch.cuda.current_device") return integer_value(0);
  if (name == "torch.cuda.device_count") return integer_value(1);
  if (name.ends_with("current_target")) return Value(NamespaceValue{std::string(kTarget)});
  if (name.ends_with("cuda_capability_geq")) return at_least(arguments, capability);
  if (name == "torch.cuda.get_device_name") {
    for (const GpuName& gpu : kGpus) {
      if (gpu.capability == capability) return text_value(gpu.name);
    }
  }
  if ((name == "torch.iinfo" || name == "torch.finfo") && arguments.size() == 1 &&
      arguments[0].host_function() != nullptr) {
    const std::string& type = arguments[0].host_function()->name;
    return Value(NamespaceValue{name + "." + type.substr(type.rfind('.') + 1)});
  }
  if (name == "platform.machine") return *known_text("platform.machine()");
  if (name.starts_with("packaging.version.") && arguments.size() == 1) return parse_version(arguments[0]);
  const std::optional<ast::CompareOperator> op = comparison(name);
  if (op && arguments.size() == 2) return compare_tuples(*op, arguments[0], arguments[1]);
  return failure(fmt::format("{}() is only known when Python runs", name));
}

ValueResult compare_tuples(ast::CompareOperator op, const Value& left, const Value& right) {
  const bool orders = op == ast::CompareOperator::Lt || op == ast::CompareOperator::LtE ||
                      op == ast::CompareOperator::Gt || op == ast::CompareOperator::GtE;
  if (!orders || left.elements() == nullptr || right.elements() == nullptr) return compare_host(op, left, right);
  const std::vector<Value>& a = *left.elements();
  const std::vector<Value>& b = *right.elements();
  for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i) {
    const ValueResult same = compare_host(ast::CompareOperator::Eq, a[i], b[i]);
    if (!same) return same;
    if (!truth(*same).value_or(false)) return compare_host(op, a[i], b[i]);
  }
  return compare_host(op, Constant::integer(static_cast<Integer>(a.size())),
                      Constant::integer(static_cast<Integer>(b.size())));
}

}  // namespace lockstep::frontend
