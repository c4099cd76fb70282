// A function of triton.language that becomes ops, and a call of it. Not here: the rows, builtins.h.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "frontend/semantics/value.h"

namespace lockstep::frontend {

struct LoweringContext;  // frontend/lowering/lowering_context.h
struct Builtin;

/// A call with its arguments bound to the row's parameters, including defaults.
struct BuiltinCall {
  LoweringContext& lowering;
  const Builtin& row;
  std::vector<Value> arguments;  // one per parameter of the signature
  std::vector<Value> rest;       // of a "*name" parameter
  bool is_method = false;

  const Value& operator[](std::size_t i) const { return arguments[i]; }
};

struct Builtin {
  std::string_view name;
  /// Parameters with defaults: "pointer, mask=None, volatile=False, *args". "*x" collects; "**" marks keyword-only ones
  /// after it.
  std::string_view signature;
  Value (*lower)(BuiltinCall& call) = nullptr;
  /// Whether tensors have it as a method.
  bool is_method = false;
  bool must_use_result = false;
  std::string_view language = "tl";  // "gl" for what only Gluon has
};

/// "tl.load", for messages.
inline std::string full_name(const Builtin& row) { return std::string(row.language) + "." + std::string(row.name); }

}  // namespace lockstep::frontend
