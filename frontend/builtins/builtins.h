// The functions of triton.language that become ops: one row each, with the signature Python would see and the C++ that
// lowers a call. Functions that Triton writes in its own language (sum, max, softmax ...) are in frontend/prelude
// instead. A row without `lower` is known by name and reported as not supported yet.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "frontend/semantics/value.h"

namespace lockstep::frontend {

class FunctionLowering;
struct Builtin;

/// A call with its arguments bound to the row's parameters, defaults filled in.
struct BuiltinCall {
  FunctionLowering& lowering;
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
};

const Builtin* find_builtin(std::string_view name);
/// A builtin that is a method of tensors ("to" included).
const Builtin* find_tensor_method(std::string_view name);
/// A method of tensor descriptors.
const Builtin* find_descriptor_method(std::string_view name);

/// tl.PropagateNan, with the numbers of tt.clampf's attribute.
inline constexpr EnumMember kPropagateNone{"PROPAGATE_NAN.NONE", 0};
inline constexpr EnumMember kPropagateAll{"PROPAGATE_NAN.ALL", 65535};

/// A parameter as read from a row's signature.
struct SignatureParameter {
  std::string name;
  std::optional<Value> default_value;
  bool collects = false;
  bool keyword_only = false;
};
std::vector<SignatureParameter> parse_signature(std::string_view signature);

}  // namespace lockstep::frontend
