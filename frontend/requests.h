// Requests to the front end, and its answers about a kernel's decorators: plain data for callers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "support/constant_value.h"

namespace lockstep::frontend {

/// One kernel parameter, specialised for a launch.
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
  /// By parameter name. A missing parameter must have a default; else the error names it.
  std::map<std::string, ParameterSpecialisation> parameters;
  std::map<std::string, ConstantValue> globals;  // --global NAME=VALUE
  std::vector<std::string> search_path;          // for imports, after the file's own folder
  int num_warps = 4;
  int num_stages = 3;
  int num_ctas = 1;                             // blocks of a cluster, for Gluon
  std::string target = "sm_90";                 // --as
  std::function<void(std::string_view)> print;  // takes what tl.static_print prints; empty: nobody
  bool debug = false;                           // triton.jit(debug=True): asserts and overflow checks stay
  bool keeps_asserts = false;                   // asserts stay without debug too; overflow checks do not
  bool sanitize_overflow = true;  // the 64-bit rechecks of + - * are emitted; without debug they are dead code
};

/// The facts about an argument before a launch. A constant has a value; anything else a type of the signature.
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

/// The additions of @triton.autotune and @triton.heuristics to a launch.
struct Tuning {
  std::map<std::string, ConstantValue> constants;  // of parameters that are not given
  std::optional<int> num_warps, num_stages;
};

struct KernelConfig {
  std::vector<std::pair<std::string, std::string>> values;  // parameter and value, as Python prints it
  int num_warps = 4, num_stages = 3;
};
/// The content of a kernel's decorators. `unknown` describes unknown parts; "" if there are none.
struct KernelTuning {
  std::vector<std::string> heuristics;  // parameters
  std::vector<KernelConfig> configs;
  std::string unknown;
};
}  // namespace lockstep::frontend
