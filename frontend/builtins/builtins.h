// The functions of triton.language that become ops: one row each, with the Python signature and the C++ that lowers a
// call. Functions that Triton writes in its own language (sum, max, softmax ...) are in frontend/prelude instead. A row
// without `lower` is reported as not supported yet.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "frontend/builtins/builtin.h"
#include "frontend/semantics/value.h"

namespace lockstep::frontend {

const Builtin* find_builtin(std::string_view name);
/// A builtin that is a method of tensors ("to" included).
const Builtin* find_tensor_method(std::string_view name);
/// A method of tensor descriptors.
const Builtin* find_descriptor_method(std::string_view name);

/// tl.PropagateNan, with the numbers of tt.clampf's attribute.
inline constexpr EnumMember kPropagateNone{"PROPAGATE_NAN.NONE", 0};
inline constexpr EnumMember kPropagateAll{"PROPAGATE_NAN.ALL", 65535};

/// A parameter from a row's signature.
struct SignatureParameter {
  std::string name;
  std::optional<Value> default_value;
  bool collects = false;
  bool keyword_only = false;
};
std::vector<SignatureParameter> parse_signature(std::string_view signature);

}  // namespace lockstep::frontend
