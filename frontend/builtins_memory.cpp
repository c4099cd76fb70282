// Rows: loads, stores and atomics.
#include <fmt/format.h>

#include "frontend/builtin_arguments.h"
#include "frontend/builtin_rows.h"

namespace lockstep::frontend::rows {

namespace {

/// boundary_check and padding_option belong to block pointers.
bool check_no_block_pointer(BuiltinCall& call, std::size_t boundary, std::optional<std::size_t> padding) {
  const bool empty =
      (call[boundary].elements() != nullptr && call[boundary].elements()->empty()) || call[boundary].is_none();
  const bool no_padding =
      !padding || call[*padding].is_none() || (call[*padding].is_string() && call[*padding].constant()->text().empty());
  if (empty && no_padding) return true;
  reporter(call).error(
      codes::kArguments,
      fmt::format("tl.{}: boundary_check and padding_option are only for block pointers", call.row.name),
      "use mask= and other= for pointers");
  return false;
}

}  // namespace

Value load(BuiltinCall& call) {
  const std::optional<Tensor> mask = optional_tensor(call, 1);
  const std::optional<Tensor> other = optional_tensor(call, 2);
  const std::optional<std::string> cache = text_argument(call, 5);
  const std::optional<std::string> eviction = text_argument(call, 6);
  const std::optional<bool> is_volatile = boolean_argument(call, 7);
  const Tensor pointer = tensor_argument(call, 0);
  if (!pointer || !cache || !eviction || !is_volatile || !check_no_block_pointer(call, 3, 4)) return {};
  return semantics(call).load(pointer, mask ? &*mask : nullptr, other ? &*other : nullptr,
                              {*cache, *eviction, *is_volatile});
}

Value store(BuiltinCall& call) {
  const Tensor value = tensor_argument(call, 1);
  const std::optional<Tensor> mask = optional_tensor(call, 2);
  const std::optional<std::string> cache = text_argument(call, 4);
  const std::optional<std::string> eviction = text_argument(call, 5);
  const Tensor pointer = tensor_argument(call, 0);
  if (!pointer || !value || !cache || !eviction || !check_no_block_pointer(call, 3, std::nullopt)) return {};
  const bool stored = semantics(call).store(pointer, value, mask ? &*mask : nullptr, {*cache, *eviction, false});
  return stored ? Value::raw_none() : Value();
}

Value atomic(BuiltinCall& call) {
  const Tensor value = tensor_argument(call, 1);
  const std::optional<std::string> sem = text_argument(call, 3);
  const std::optional<std::string> scope = text_argument(call, 4);
  const Tensor pointer = tensor_argument(call, 0);
  if (!pointer || !value || !sem || !scope) return {};
  if (!call[2].is_none() && call[2].tensor() == nullptr) {
    if (!call[2].is_invalid())
      reporter(call).error(codes::kMask,
                           fmt::format("the mask of tl.{} must be a tensor, not {}", call.row.name, call[2].describe()),
                           "make it with tl.full");
    return {};
  }
  return semantics(call).atomic(call.row.name.substr(7), pointer, value, call[2].tensor(), *sem, *scope);
}

Value atomic_cas(BuiltinCall& call) {
  const Tensor expected = tensor_argument(call, 1);
  const Tensor value = tensor_argument(call, 2);
  const std::optional<std::string> sem = text_argument(call, 3);
  const std::optional<std::string> scope = text_argument(call, 4);
  const Tensor pointer = tensor_argument(call, 0);
  if (!pointer || !sem || !scope) return {};
  return semantics(call).atomic_cas(pointer, expected, value, *sem, *scope);
}

}  // namespace lockstep::frontend::rows
