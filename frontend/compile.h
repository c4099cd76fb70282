// The frontend's public door: @triton.jit Python source -> IR module, with no Python. What Triton's front end does for
// a launch: parameters get types from a signature, constexpr parameters get values, helpers are followed and inlined.
// Source of the rules: Triton 3.6 (see docs/semantics.md); diagnostics LS12xx (syntax), LS13xx (language), LS14xx
// (types).
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "ir/module.h"
#include "support/constant_value.h"
#include "support/diagnostic.h"

namespace lockstep::frontend {

/// One kernel parameter as specialised for a launch.
struct ParameterSpecialisation {
  std::string type;                       // "*fp32", "i32", "u1", "*kbf16", "tensordesc<fp16[16,32]>",
                                          // a tuple "(*fp32, i32, None)", named "(x=*fp32, n=i32)"; "" if constant
  std::optional<ConstantValue> constant;  // constexpr value (also None and integer 1)
  std::int64_t divisibility = 0;          // 16: tt.divisibility = 16; 0: none. Of a tuple: of its pointers and integers
  std::vector<std::string> divisible_parts;  // of a tuple: "0", "1.2": these of its elements, too
};

struct CompileRequest {
  std::string path;                   // FILE.py
  std::optional<std::string> source;  // the file's text where `path` only names it (a notebook's cell)
  std::string kernel;                 // name of the @triton.jit function
  /// By parameter name. A parameter left out must have a default; else an error that names it.
  std::map<std::string, ParameterSpecialisation> parameters;
  std::map<std::string, ConstantValue> globals;  // --global NAME=VALUE
  std::vector<std::string> search_path;          // for imports, after the file's own folder
  int num_warps = 4;
  int num_stages = 3;
  std::string target = "sm_90";                 // --as
  std::function<void(std::string_view)> print;  // takes what tl.static_print prints; empty: nobody
  bool debug = false;                           // triton.jit(debug=True): asserts and overflow checks stay
  bool keeps_asserts = false;                   // asserts stay without debug too; overflow checks do not
  bool sanitize_overflow = true;  // the 64-bit rechecks of + - * are emitted; without debug they are dead code
};

/// What a kernel's def line says, before any specialisation: for argument binding and help.
struct ParameterInfo {
  std::string name;
  bool is_constexpr = false;
  std::string annotation;  // dtype annotation that forces a type ("i64"), "" if none
  bool do_not_specialize = false;
  bool do_not_specialize_on_alignment = false;
  std::optional<ConstantValue> default_value;
};
struct KernelInfo {
  std::string name;
  std::uint32_t line = 0;
  std::vector<ParameterInfo> parameters;
  bool is_autotuned = false, has_heuristics = false;  // what tune() is for
};

/// The @triton.jit functions of a file (public names, in order). `source`: as in CompileRequest. nullopt: diagnosed.
std::optional<std::vector<KernelInfo>> list_kernels(const std::string& path, DiagnosticSink& sink,
                                                    std::optional<std::string> source = std::nullopt);

/// What is known of an argument before a launch. A constant has a value; anything else a type of the signature.
struct LaunchArgument {
  std::string type;                                         // "*fp32", "i32", a tuple "(*fp32, i32)"; "" for constants
  std::optional<ConstantValue> value;                       // also of an i32 or fp32, if it is known
  std::optional<std::vector<std::int64_t>> shape, strides;  // of a tensor, in elements
  std::optional<std::vector<LaunchArgument>> elements{};    // of a tuple
};

struct TuningRequest {
  std::string path;
  std::optional<std::string> source;
  std::string kernel;
  std::map<std::string, LaunchArgument> arguments;  // by parameter name, those that are given
  std::map<std::string, ConstantValue> globals;
  std::vector<std::string> search_path;
  std::string target = "sm_90";
  std::optional<std::size_t> config;  // of @triton.autotune
};

/// What @triton.autotune and @triton.heuristics add to a launch.
struct Tuning {
  std::map<std::string, ConstantValue> constants;  // of parameters that are not given
  std::optional<int> num_warps, num_stages;
};

/// Evaluates the decorators of a kernel from the outermost inwards, as Triton does. Without `config` the first
/// configuration fills in what is not given; one that sets nothing more is not used at all. A given parameter keeps its
/// value. nullopt: diagnosed.
std::optional<Tuning> tune(const TuningRequest& request, DiagnosticSink& sink);

struct KernelConfig {
  std::vector<std::pair<std::string, std::string>> values;  // parameter and value, as Python prints it
  int num_warps = 4, num_stages = 3;
};
/// What the decorators of a kernel say. `unknown` tells what cannot be known of them; "" if all is.
struct KernelTuning {
  std::vector<std::string> heuristics;  // parameters
  std::vector<KernelConfig> configs;
  std::string unknown;
};
std::optional<KernelTuning> describe_tuning(const TuningRequest& request, DiagnosticSink& sink);

/// Whether kernels know `name` in a namespace of Triton's: ("triton.language", "load"), ("triton.language.math",
/// "exp").
bool is_language_name(const std::string& space, const std::string& name);

/// Which stage of Triton's pipeline the module resembles: `raw` has tt.call of helpers; `ttir` is inlined, with the
/// passes of make_ttir that can change a result or are needed to run done by us.
enum class Stage : std::uint8_t { raw, ttir };

/// Lowers one specialisation of a kernel to a module with one public tt.func. nullopt: diagnosed. The module verifies.
std::optional<ir::Module> compile_kernel(const ir::OpRegistry& ops, const CompileRequest& request, Stage stage,
                                         DiagnosticSink& sink);

}  // namespace lockstep::frontend
