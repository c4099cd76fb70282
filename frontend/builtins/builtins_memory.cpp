// Rows: loads, stores and atomics.
#include <fmt/format.h>

#include "frontend/builtins/builtin_arguments.h"
#include "frontend/builtins/builtin_rows.h"
#include "frontend/semantics/value_text.h"

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

/// boundary_check of an access through a block pointer, which takes neither mask nor other. nullopt: reported.
std::optional<Shape> block_access(BuiltinCall& call, std::size_t boundary) {
  const bool is_load = call.row.name == "load";
  if (!call[is_load ? 1 : 2].is_none() || (is_load && !call[2].is_none())) {
    reporter(call).error(codes::kMask,
                         fmt::format("tl.{}: mask and other cannot be used with block pointers", call.row.name),
                         "use boundary_check= and padding_option=");
    return std::nullopt;
  }
  return call[boundary].is_none() ? Shape{} : shape_argument(call, call[boundary], "boundary_check");
}

}  // namespace

Value load(BuiltinCall& call) {
  const std::optional<Tensor> mask = optional_tensor(call, 1);
  const std::optional<Tensor> other = optional_tensor(call, 2);
  const std::optional<std::string> cache = text_argument(call, 5);
  const std::optional<std::string> eviction = text_argument(call, 6);
  const std::optional<bool> is_volatile = flag_argument(call, 7, false);
  const Tensor pointer = pointer_argument(call, 0);
  if (!pointer || !cache || !eviction || !is_volatile) return {};
  if (semantics::is_block_pointer(pointer)) {
    const std::optional<Shape> boundary = block_access(call, 3);
    const std::optional<std::string> padding = text_argument(call, 4);
    if (!boundary || !padding) return {};
    return semantics::load_block(builder(call), pointer, *boundary, *padding, {*cache, *eviction, *is_volatile});
  }
  if (!check_no_block_pointer(call, 3, 4)) return {};
  return semantics::load(builder(call), pointer, mask ? &*mask : nullptr, other ? &*other : nullptr,
                         {*cache, *eviction, *is_volatile});
}

Value store(BuiltinCall& call) {
  const Tensor value = tensor_argument(call, 1);
  const std::optional<Tensor> mask = optional_tensor(call, 2);
  const std::optional<std::string> cache = text_argument(call, 4);
  const std::optional<std::string> eviction = text_argument(call, 5);
  const Tensor pointer = pointer_argument(call, 0);
  if (!pointer || !value || !cache || !eviction) return {};
  if (semantics::is_block_pointer(pointer)) {
    const std::optional<Shape> boundary = block_access(call, 3);
    const bool stored =
        boundary && semantics::store_block(builder(call), pointer, value, *boundary, {*cache, *eviction, false});
    return stored ? Value::raw_none() : Value();
  }
  if (!check_no_block_pointer(call, 3, std::nullopt)) return {};
  const bool stored =
      semantics::store(builder(call), pointer, value, mask ? &*mask : nullptr, {*cache, *eviction, false});
  return stored ? Value::raw_none() : Value();
}

Value atomic(BuiltinCall& call) {
  const Tensor value = tensor_argument(call, 1);
  const std::optional<std::string> sem = text_argument(call, 3);
  const std::optional<std::string> scope = text_argument(call, 4);
  const Tensor pointer = pointer_argument(call, 0);
  if (!pointer || !value || !sem || !scope) return {};
  if (!call[2].is_none() && call[2].tensor() == nullptr) {
    if (!call[2].is_invalid())
      reporter(call).error(codes::kMask,
                           fmt::format("the mask of tl.{} must be a tensor, not {}", call.row.name, describe(call[2])),
                           "make it with tl.full");
    return {};
  }
  return semantics::atomic(builder(call), call.row.name.substr(7), pointer, value, call[2].tensor(), *sem, *scope);
}

Value atomic_cas(BuiltinCall& call) {
  const Tensor expected = tensor_argument(call, 1);
  const Tensor value = tensor_argument(call, 2);
  const std::optional<std::string> sem = text_argument(call, 3);
  const std::optional<std::string> scope = text_argument(call, 4);
  const Tensor pointer = pointer_argument(call, 0);
  if (!pointer || !sem || !scope) return {};
  return semantics::atomic_cas(builder(call), pointer, expected, value, *sem, *scope);
}

}  // namespace lockstep::frontend::rows
