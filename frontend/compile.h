// The frontend's public door: @triton.jit Python source -> IR module, with no Python. It does the work of Triton's
// front end for a launch: parameters get types from a signature, constexpr parameters get values, helpers are followed
// and inlined. Source of the rules: Triton 3.6 (see docs/semantics.md); diagnostics LS12xx (syntax), LS13xx (language),
// LS14xx (types).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "frontend/requests.h"
#include "ir/module.h"
#include "support/constant_value.h"
#include "support/diagnostics/diagnostic.h"

namespace lockstep::frontend {

/// The facts of a kernel's def line, before any specialisation: for argument binding and help.
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

/// Evaluates the decorators of a kernel from the outermost inwards, as Triton does. Without `config`, the first
/// configuration fills in missing values; one that adds nothing is not used at all. A given parameter keeps its value.
/// nullopt: diagnosed.
std::optional<Tuning> tune(const TuningRequest& request, DiagnosticSink& sink);

std::optional<KernelTuning> describe_tuning(const TuningRequest& request, DiagnosticSink& sink);

/// Whether kernels know `name` in a namespace of Triton's: ("triton.language", "load"), ("triton.language.math",
/// "exp").
bool is_language_name(const std::string& space, const std::string& name);

/// Which stage of Triton's pipeline the module resembles: `raw` has tt.call of helpers; `ttir` is inlined, after our
/// versions of those passes of make_ttir that can change a result or are needed to run.
enum class Stage : std::uint8_t { raw, ttir };

/// Lowers one specialisation of a kernel to a module with one public tt.func. nullopt: diagnosed. The module verifies.
std::optional<ir::Module> compile_kernel(const ir::OpRegistry& ops, const CompileRequest& request, Stage stage,
                                         DiagnosticSink& sink);

}  // namespace lockstep::frontend
