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
#include <variant>
#include <vector>

#include "ir/module.h"
#include "support/diagnostic.h"

namespace lockstep::frontend {

/// A compile-time Python value given from outside (constexpr parameter, --global).
struct ConstantValue {
  enum class Kind : std::uint8_t { none, boolean, integer, floating, string, dtype } kind = Kind::none;
  std::int64_t integer = 0;  // boolean, integer
  double floating = 0;
  std::string text;  // string; dtype as Triton's short name ("fp16")
  static ConstantValue of_none() { return {}; }
  static ConstantValue of_bool(bool v) { return {Kind::boolean, v, 0, {}}; }
  static ConstantValue of_integer(std::int64_t v) { return {Kind::integer, v, 0, {}}; }
  static ConstantValue of_float(double v) { return {Kind::floating, 0, v, {}}; }
};

/// One kernel parameter as specialised for a launch.
struct ParameterSpecialisation {
  std::string type;                       // "*fp32", "i32", "u1", "*kbf16", "tensordesc<fp16[16,32]>",
                                          // a tuple "(*fp32, i32, None)"; "" if constant
  std::optional<ConstantValue> constant;  // constexpr value (also None and integer 1)
  std::int64_t divisibility = 0;          // 16: tt.divisibility = 16; 0: none. Of a tuple: of its pointers and integers
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
};

/// The @triton.jit functions of a file (public names, in order). `source`: as in CompileRequest. nullopt: diagnosed.
std::optional<std::vector<KernelInfo>> list_kernels(const std::string& path, DiagnosticSink& sink,
                                                    std::optional<std::string> source = std::nullopt);

/// Whether kernels know `name` in a namespace of Triton's: ("triton.language", "load"), ("triton.language.math",
/// "exp").
bool is_language_name(const std::string& space, const std::string& name);

/// Which stage of Triton's pipeline the module resembles: `raw` has tt.call of helpers; `ttir` is inlined, with the
/// passes of make_ttir that can change a result or are needed to run done by us.
enum class Stage : std::uint8_t { raw, ttir };

/// Lowers one specialisation of a kernel to a module with one public tt.func. nullopt: diagnosed. The module verifies.
std::optional<ir::Module> compile_kernel(const CompileRequest& request, Stage stage, DiagnosticSink& sink);

}  // namespace lockstep::frontend
