#include "frontend/gluon/gluon_rows_async.h"

#include <fmt/format.h>

#include "frontend/builtins/builtin_arguments.h"
#include "frontend/gluon/gluon_arguments.h"
#include "frontend/gluon/gluon_semantics.h"
#include "frontend/semantics/value_text.h"

namespace lockstep::frontend::rows {

namespace {

Value made(BuiltinCall& call, std::string_view op, const std::vector<ir::Value*>& operands,
           std::vector<ir::NamedAttribute> attributes = {}, std::vector<std::uint32_t> segments = {}) {
  call.lowering.emit.create(op, operands, {}, std::move(attributes), std::move(segments));
  return Value::raw_none();
}

std::uint32_t count_of(const std::vector<ir::Value*>& values) { return static_cast<std::uint32_t>(values.size()); }

/// The buffers of a sequence. nullopt: reported.
std::optional<std::vector<ir::Value*>> handles_of(BuiltinCall& call, std::size_t i) {
  std::vector<ir::Value*> handles;
  const std::vector<Value>* elements = call[i].elements();
  for (std::size_t k = 0; elements != nullptr && k < elements->size(); ++k) {
    if (const HandleValue* held = (*elements)[k].handle()) handles.push_back(held->handle);
  }
  if (elements != nullptr && handles.size() == elements->size()) return handles;
  if (!call[i].is_invalid())
    reporter(call).error(codes::kArguments, fmt::format("{} needs a sequence of buffers, not {}", full_name(call.row),
                                                        describe(call[i])));
  return std::nullopt;
}

}  // namespace

Value gluon_async_copy(BuiltinCall& call) {
  const HandleValue* to = gluon::shared_argument(call, 0);
  Tensor pointer = tensor_argument(call, 1);
  const std::optional<Tensor> mask = optional_tensor(call, 2);
  const std::optional<std::string> cache = text_argument(call, 3), eviction = text_argument(call, 4);
  const std::optional<bool> is_volatile = boolean_argument(call, 5);
  if (to == nullptr || !pointer || (mask && !*mask) || !cache || !eviction || !is_volatile) return {};
  std::optional<Tensor> where = mask;
  if (where) {
    const auto both = semantics::broadcast_pair(builder(call), pointer, *where);
    if (!both) return {};
    pointer = both->first;
    where = both->second;
  }
  const bool fits = pointer.element().is_ptr() && pointer.type.shape == to->type.view.shape &&
                    pointer.element().pointee().element == to->type.view.element;
  if (!fits || (where && !where->element().is_bool())) {
    reporter(call).error(codes::kPointer, fmt::format("{}: {} cannot be copied to {}", full_name(call.row),
                                                      pointer.type.to_string(), to->type.to_string()),
                         "the pointers need the buffer's shape and element, the mask is of bool");
    return {};
  }
  bool ok = true;
  std::vector<ir::NamedAttribute> attributes =
      semantics::hint_attributes(builder(call), {*cache, *eviction, *is_volatile}, true, ok);
  if (!ok) return {};
  std::vector<ir::Value*> operands{pointer.handle, to->handle};
  if (where) operands.push_back(where->handle);
  Emitter& emitter = call.lowering.emit;
  emitter.create("ttg.async_copy_global_to_local", operands, {emitter.context().token()}, std::move(attributes),
                 {1, 1, where ? 1U : 0U, 0});
  return Value::raw_none();
}

Value gluon_copies_arrive(BuiltinCall& call) {
  const HandleValue* barrier = gluon::shared_argument(call, 0);
  const std::optional<bool> increments = boolean_argument(call, 1);
  if (barrier == nullptr || !increments) return {};
  std::vector<ir::NamedAttribute> attributes;
  if (!*increments) attributes.push_back({"noIncrement", call.lowering.emit.context().unit()});
  return made(call, "ttng.async_copy_mbarrier_arrive", {barrier->handle}, std::move(attributes));
}

Value gluon_commit_group(BuiltinCall& call) {
  Emitter& emitter = call.lowering.emit;
  emitter.create("ttg.async_commit_group", {}, {emitter.context().token()});
  return Value::raw_none();
}

Value gluon_wait_group(BuiltinCall& call) {
  const std::optional<std::int64_t> left = integer_argument(call, 0);
  if (!left) return {};
  Emitter& emitter = call.lowering.emit;
  emitter.create("ttg.async_wait", {}, {emitter.context().token()}, {builder(call).integer("num", *left)});
  return Value::raw_none();
}

Value gluon_barrier_init(BuiltinCall& call) {
  const HandleValue* barrier = gluon::shared_argument(call, 0);
  const std::optional<std::int64_t> count = integer_argument(call, 1);
  if (barrier == nullptr || !count) return {};
  return made(call, "ttng.init_barrier", {barrier->handle}, {builder(call).integer("count", *count)});
}

Value gluon_barrier_invalidate(BuiltinCall& call) {
  const HandleValue* barrier = gluon::shared_argument(call, 0);
  return barrier != nullptr ? made(call, "ttng.inval_barrier", {barrier->handle}) : Value();
}

Value gluon_barrier_expect(BuiltinCall& call) {
  const HandleValue* barrier = gluon::shared_argument(call, 0);
  const std::optional<std::int64_t> bytes = integer_argument(call, 1);
  const Tensor pred = gluon::predicate_argument(call, 2);
  if (barrier == nullptr || !bytes || !pred) return {};
  return made(call, "ttng.barrier_expect", {barrier->handle, pred.handle}, {builder(call).integer("size", *bytes)});
}

Value gluon_barrier_wait(BuiltinCall& call) {
  const HandleValue* barrier = gluon::shared_argument(call, 0);
  const Tensor phase = tensor_argument(call, 1);
  const Tensor pred = gluon::predicate_argument(call, 2);
  const auto deps = handles_of(call, 3);
  if (barrier == nullptr || !phase || !pred || !deps) return {};
  if (phase.is_block() || phase.element().bit_width() != 32 || !phase.element().is_int()) {
    reporter(call).error(codes::kArguments,
                         fmt::format("gl.mbarrier.wait: 'phase' must be an int32, not {}", phase.type.to_string()));
    return {};
  }
  std::vector<ir::Value*> operands{barrier->handle, phase.handle, pred.handle};
  operands.insert(operands.end(), deps->begin(), deps->end());
  return made(call, "ttng.wait_barrier", operands, {}, {1, 1, 1, count_of(*deps)});
}

Value gluon_barrier_arrive(BuiltinCall& call) {
  const HandleValue* barrier = gluon::shared_argument(call, 0);
  const std::optional<std::int64_t> count = integer_argument(call, 2);
  const Tensor pred = gluon::predicate_argument(call, 3);
  if (barrier == nullptr || !count || !pred) return {};
  return made(call, "ttng.arrive_barrier", {barrier->handle, pred.handle}, {builder(call).integer("count", *count)});
}

Value gluon_fence(BuiltinCall& call) {
  const std::optional<bool> cluster = boolean_argument(call, 0);
  if (!cluster) return {};
  return made(call, "ttng.fence_async_shared", {}, {{"bCluster", call.lowering.emit.context().boolean(*cluster)}});
}

Value gluon_tma_load(BuiltinCall& call) {
  const DescriptorValue* descriptor = gluon::descriptor_argument(call, 0);
  const auto place = semantics::index_values(builder(call), call[1], false);
  const HandleValue* barrier = gluon::shared_argument(call, 2);
  const HandleValue* result = gluon::shared_argument(call, 3);
  const Tensor pred = place ? gluon::predicate_argument(call, 4) : Tensor{};
  if (descriptor == nullptr || !place || barrier == nullptr || result == nullptr || !pred) return {};
  std::vector<ir::Value*> operands{descriptor->handle};
  operands.insert(operands.end(), place->begin(), place->end());
  operands.insert(operands.end(), {barrier->handle, result->handle, pred.handle});
  return made(call, "ttng.async_tma_copy_global_to_local", operands, {}, {1, count_of(*place), 0, 1, 1, 1});
}

Value gluon_tma_store(BuiltinCall& call) {
  const DescriptorValue* descriptor = gluon::descriptor_argument(call, 0);
  const auto place = semantics::index_values(builder(call), call[1], false);
  const HandleValue* source = gluon::shared_argument(call, 2);
  if (descriptor == nullptr || !place || source == nullptr) return {};
  std::vector<ir::Value*> operands{descriptor->handle};
  operands.insert(operands.end(), place->begin(), place->end());
  operands.push_back(source->handle);
  return made(call, "ttng.async_tma_copy_local_to_global", operands, {}, {1, count_of(*place), 1});
}

Value gluon_tma_store_wait(BuiltinCall& call) {
  const std::optional<std::int64_t> left = integer_argument(call, 0);
  return left ? made(call, "ttng.async_tma_store_wait", {}, {builder(call).integer("pendings", *left)}) : Value();
}

Value gluon_tma_gather(BuiltinCall& call) {
  const DescriptorValue* descriptor = gluon::descriptor_argument(call, 0);
  const Tensor rows = tensor_argument(call, 1);
  const HandleValue* barrier = gluon::shared_argument(call, 3);
  const HandleValue* result = gluon::shared_argument(call, 4);
  const Tensor pred = gluon::predicate_argument(call, 5);
  const Tensor column = pred ? tensor_argument(call, 2) : Tensor{};
  if (descriptor == nullptr || !rows || barrier == nullptr || result == nullptr || !column) return {};
  return made(call, "ttng.async_tma_gather",
              {descriptor->handle, rows.handle, column.handle, barrier->handle, result->handle, pred.handle});
}

Value gluon_tma_scatter(BuiltinCall& call) {
  const DescriptorValue* descriptor = gluon::descriptor_argument(call, 0);
  const Tensor rows = tensor_argument(call, 1), column = tensor_argument(call, 2);
  const HandleValue* source = gluon::shared_argument(call, 3);
  if (descriptor == nullptr || !rows || !column || source == nullptr) return {};
  return made(call, "ttng.async_tma_scatter", {descriptor->handle, rows.handle, column.handle, source->handle});
}

Value gluon_make_descriptor(BuiltinCall& call) {
  const Tensor base = tensor_argument(call, 0);
  const std::optional<Shape> block = shape_argument(call, call[3], "block_shape");
  const LayoutPtr layout = gluon::layout_argument(call, 4);
  const std::optional<std::string> padding = text_argument(call, 5);
  if (!base || !block || layout == nullptr || !padding) return {};
  if (layout->kind != LayoutKind::nvmma_shared) {
    reporter(call).error(codes::kLayout, fmt::format("{} needs an NVMMASharedLayout, not {}", full_name(call.row),
                                                     layout->repr()));
    return {};
  }
  return semantics::make_descriptor(builder(call), base, call[1], call[2], *block, *padding, layout);
}

}  // namespace lockstep::frontend::rows
