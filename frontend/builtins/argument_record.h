// Objects that module-level code handles: triton.Config, and the arguments of a launch as heuristics see them (tensors
// with dtype, shape and strides if known, other arguments without a value). Unknown attributes are missing. Source:
// documentation of Triton 3.6 (triton.Config) and torch 2.11 (torch.Tensor).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "frontend/semantics/value.h"

namespace lockstep::frontend {

/// triton.Config(kwargs, num_warps=4, num_stages=3, ...): a record with "kwargs", "num_warps", "num_stages".
ValueResult make_config(const std::vector<Value>& arguments,
                        const std::vector<std::pair<std::string, Value>>& keywords);

/// A tensor of the type "fp16", "i32"; shape and strides only if known.
Value tensor_record(std::string_view element, const std::optional<std::vector<std::int64_t>>& shape,
                    const std::optional<std::vector<std::int64_t>>& strides);
/// An argument that exists and is not None; nothing else is known.
Value valueless_record();

std::optional<Value> record_attribute(const Value& record, const std::string& name);
bool is_record_method(const Value& record, std::string_view name);
ValueResult call_record_method(const Value& record, const std::string& name, const std::vector<Value>& arguments);

/// torch's name of an element type of Triton: "bfloat16" for "bf16"; "" if it has none.
std::string_view torch_name(std::string_view element);
/// torch's name for the type: "float16" for "half"; "" if it is not a dtype of torch.
std::string_view canonical_torch_name(std::string_view name);
/// torch.float16.itemsize and is_floating_point; nullopt for other functions and attributes.
std::optional<Value> torch_type_attribute(std::string_view function, std::string_view attribute);

}  // namespace lockstep::frontend
