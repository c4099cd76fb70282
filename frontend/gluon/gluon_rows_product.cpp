#include "frontend/gluon/gluon_rows_product.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "frontend/builtins/builtin_arguments.h"
#include "frontend/gluon/gluon_arguments.h"
#include "frontend/gluon/gluon_semantics.h"
#include "frontend/semantics/value_text.h"

namespace lockstep::frontend::rows {

namespace {

constexpr std::int64_t kHopperImprecise = std::int64_t{1} << 30;

/// What an operand of a product is: a tensor in registers or a buffer.
struct Operand {
  ir::Value* handle = nullptr;
  ValueType type;
};

std::optional<Operand> operand(BuiltinCall& call, std::size_t i, bool takes_tensor) {
  if (const HandleValue* held = call[i].handle(); held != nullptr && held->type.kind != HandleType::Kind::accumulator)
    return Operand{held->handle, held->type.view};
  if (const Tensor* tensor = takes_tensor ? call[i].tensor() : nullptr; tensor != nullptr && tensor->is_block())
    return Operand{tensor->handle, tensor->type};
  if (!call[i].is_invalid())
    reporter(call).error(codes::kDot, fmt::format("{} cannot multiply {}", full_name(call.row), describe(call[i])),
                         takes_tensor ? "operands are tensors or buffers" : "operands are buffers");
  return std::nullopt;
}

/// The accumulator: a tensor, or one that is still being computed.
std::optional<Operand> accumulator(BuiltinCall& call, std::size_t i) {
  if (const HandleValue* held = call[i].handle(); held != nullptr && held->type.kind == HandleType::Kind::accumulator)
    return Operand{held->handle, held->type.view};
  if (const Tensor* tensor = call[i].tensor(); tensor != nullptr && tensor->is_block())
    return Operand{tensor->handle, tensor->type};
  if (!call[i].is_invalid())
    reporter(call).error(codes::kDot, fmt::format("{} needs an accumulator, not {}", full_name(call.row),
                                                  describe(call[i])));
  return std::nullopt;
}

Value accumulating(ir::Value* handle, const ValueType& type) {
  return HandleValue{handle, {HandleType::Kind::accumulator, type, {}}};
}

bool check_product(BuiltinCall& call, const Operand& a, const Operand& b, const ValueType& result) {
  const Shape &m = a.type.shape, &n = b.type.shape;
  if (m.size() == 2 && n.size() == 2 && m[1] == n[0] && result.shape == Shape{m[0], n[1]}) return true;
  reporter(call).error(codes::kDot, fmt::format("{} of {} and {} is not {}", full_name(call.row),
                                                a.type.to_string(), b.type.to_string(), result.to_string()));
  return false;
}

std::optional<std::int64_t> imprecise_count(BuiltinCall& call, std::size_t i, bool both_fp8, std::int64_t k) {
  const std::optional<std::optional<std::int64_t>> given = optional_integer(call, i);
  if (!given) return std::nullopt;
  if (!*given) return both_fp8 && builder(call).options().capability == 90 ? kHopperImprecise : 0;
  if (!both_fp8 || **given <= k) return *given;
  reporter(call).error(codes::kDot, fmt::format("max_num_imprecise_acc ({}) must not exceed K ({})", **given, k));
  return std::nullopt;
}

/// The buffers and predicates of `mbarriers` and `mbarrier_preds`. nullopt: reported.
struct Signals {
  std::vector<ir::Value*> barriers, predicates;
};
std::optional<Signals> signals(BuiltinCall& call, std::size_t i) {
  Signals found;
  if (call[i].is_none()) return found;
  const std::vector<Value>* barriers = call[i].elements();
  for (std::size_t k = 0; barriers != nullptr && k < barriers->size(); ++k) {
    const HandleValue* held = (*barriers)[k].handle();
    if (held != nullptr) found.barriers.push_back(held->handle);
  }
  if (barriers == nullptr || found.barriers.size() != barriers->size()) {
    reporter(call).error(codes::kArguments, fmt::format("{}: 'mbarriers' must be a sequence of buffers, not {}",
                                                        full_name(call.row), describe(call[i])));
    return std::nullopt;
  }
  Emitter& emitter = call.lowering.emit;
  if (call[i + 1].is_none()) {
    ir::Value* always = emitter.constant(emitter.context().integer(1), 1);
    found.predicates.assign(found.barriers.size(), always);
    return found;
  }
  const std::vector<Value>* given = call[i + 1].elements();
  if (given == nullptr || given->size() != found.barriers.size()) {
    reporter(call).error(codes::kArguments, fmt::format("{}: one predicate is needed for each barrier, not {}",
                                                        full_name(call.row), describe(call[i + 1])));
    return std::nullopt;
  }
  for (const Value& value : *given) {
    const Tensor predicate = semantics::to_tensor(builder(call), value);
    if (!predicate) return std::nullopt;
    found.predicates.push_back(predicate.handle);
  }
  return found;
}

LayoutPtr memory_layout(BuiltinCall& call, std::size_t i) {
  LayoutPtr layout = gluon::layout_argument(call, i);
  if (layout == nullptr || layout->is_tensor_memory()) return layout;
  reporter(call).error(codes::kLayout, fmt::format("{} needs a TensorMemoryLayout, not {}", full_name(call.row),
                                                   layout->repr()));
  return nullptr;
}

const HandleValue* memory_argument(BuiltinCall& call, std::size_t i) {
  const HandleValue* held = call[i].handle();
  if (held != nullptr && held->type.kind == HandleType::Kind::tensor_memory) return held;
  if (!call[i].is_invalid())
    reporter(call).error(codes::kArguments, fmt::format("{} needs tensor memory, not {}", full_name(call.row),
                                                        describe(call[i])));
  return nullptr;
}

std::uint32_t size_of(const std::vector<ir::Value*>& values) { return static_cast<std::uint32_t>(values.size()); }

}  // namespace

Value gluon_product_init(BuiltinCall& call) {
  const Tensor value = tensor_argument(call, 0);
  return value ? accumulating(value.handle, value.type) : Value();
}

Value gluon_product(BuiltinCall& call) {
  const Tensor uses = gluon::predicate_argument(call, 4);
  const std::optional<Operand> a = operand(call, 0, true), b = operand(call, 1, false), c = accumulator(call, 2);
  const std::optional<std::string> precision = text_argument(call, 5);
  const std::optional<bool> is_async = boolean_argument(call, 7);
  if (!uses || !a || !b || !c || !precision || !is_async || !check_product(call, *a, *b, c->type)) return {};
  const std::optional<std::int64_t> number = semantics::dot_precision(*precision);
  const bool both_fp8 = a->type.element.is_fp8() && b->type.element.is_fp8();
  const std::optional<std::int64_t> imprecise = imprecise_count(call, 6, both_fp8, a->type.shape.back());
  if (!number || !imprecise) {
    if (!number) reporter(call).error(codes::kDot, fmt::format("'{}' is not an input precision", *precision));
    return {};
  }
  Emitter& emitter = call.lowering.emit;
  ir::Value* result = emitter.value("ttng.warp_group_dot", {a->handle, b->handle, c->handle, uses.handle},
                                    c->handle->type(),
                                    {builder(call).integer("inputPrecision", *number),
                                     builder(call).integer("maxNumImpreciseAcc", *imprecise),
                                     {"isAsync", emitter.context().boolean(*is_async)}});
  return *is_async ? accumulating(result, c->type) : Value(Tensor{result, c->type});
}

Value gluon_product_wait(BuiltinCall& call) {
  const std::optional<std::int64_t> left = integer_argument(call, 0);
  const std::vector<Value>* deps = call[1].elements();
  if (deps == nullptr || deps->empty()) {
    if (!call[1].is_invalid())
      reporter(call).error(codes::kArguments, "gl.warpgroup_mma_wait needs deps=[...], what it waits for");
    return {};
  }
  std::vector<ir::Value*> operands;
  std::vector<ir::Type> types;
  for (const Value& value : *deps) {
    if (value.tensor() == nullptr && value.handle() == nullptr) {
      reporter(call).error(codes::kArguments, fmt::format("gl.warpgroup_mma_wait cannot wait for {}", describe(value)));
      return {};
    }
    operands.push_back(value.tensor() != nullptr ? value.tensor()->handle : value.handle()->handle);
    types.push_back(operands.back()->type());
  }
  if (!left) return {};
  ir::Op* op = call.lowering.emit.create("ttng.warp_group_dot_wait", operands, types,
                                         {builder(call).integer("pendings", *left)});
  std::vector<Value> results;
  for (std::size_t i = 0; i < deps->size(); ++i) {
    const HandleValue* held = (*deps)[i].handle();
    if (held != nullptr && held->type.kind != HandleType::Kind::accumulator)
      results.emplace_back(HandleValue{op->result(i), held->type});
    else
      results.emplace_back(Tensor{op->result(i), held != nullptr ? held->type.view : (*deps)[i].tensor()->type});
  }
  return results.size() == 1 ? results[0] : Value::tuple(std::move(results));
}

Value gluon_allocate_tensor_memory(BuiltinCall& call) {
  const std::optional<DType> element = dtype_argument(call, 0);
  const std::optional<Shape> shape = check_list(call, 1) ? shape_argument(call, call[1], "shape") : std::nullopt;
  const LayoutPtr layout = memory_layout(call, 2);
  const std::optional<Tensor> value = optional_tensor(call, 3);
  if (!element || !shape || layout == nullptr || (value && !*value) || !gluon::check_extents(call, *shape)) return {};
  HandleType type{HandleType::Kind::tensor_memory, {*element, *shape, layout}, *shape};
  type.prints_as_tuple = true;
  if (value && (value->type.shape != *shape || !(value->element() == *element))) {
    reporter(call).error(codes::kShapeMismatch, fmt::format("{} does not fit {}", value->type.to_string(),
                                                            type.to_string()));
    return {};
  }
  std::vector<ir::Value*> operands;
  if (value) operands.push_back(value->handle);
  return gluon::view_of(call, "ttng.tmem_alloc", operands, type);
}

Value gluon_tensor_memory_load(BuiltinCall& call) {
  const HandleValue* from = memory_argument(call, 0);
  const LayoutPtr layout = call[1].is_none() ? gluon::layout_argument(call, 1) : gluon::register_layout(call, 1);
  if (from == nullptr || layout == nullptr) return {};
  const ValueType& view = from->type.view;
  return builder(call).make("ttng.tmem_load", {from->handle}, {view.element, view.shape, layout});
}

Value gluon_tensor_memory_store(BuiltinCall& call) {
  const HandleValue* to = memory_argument(call, 0);
  const Tensor pred = gluon::predicate_argument(call, 2);
  const Tensor value = tensor_argument(call, 1);
  if (to == nullptr || !pred || !value) return {};
  if (value.type.shape != to->type.view.shape || !(value.element() == to->type.view.element)) {
    reporter(call).error(codes::kShapeMismatch, fmt::format("{} does not fit {}", value.type.to_string(),
                                                            to->type.to_string()));
    return {};
  }
  call.lowering.emit.create("ttng.tmem_store", {to->handle, value.handle, pred.handle}, {}, {}, {1, 0, 1, 1});
  return Value::raw_none();
}

Value gluon_tensor_memory_slice(BuiltinCall& call) {
  const HandleValue* from = memory_argument(call, 0);
  const std::optional<std::int64_t> start = integer_argument(call, 1), length = integer_argument(call, 2);
  if (from == nullptr || !start || !length) return {};
  HandleType type = from->type;
  const Layout& layout = *type.view.layout;
  if (layout.kind != LayoutKind::tensor_memory || *start < 0 || *length < 1 ||
      *start > type.view.shape.back() - *length) {
    reporter(call).error(codes::kShapeMismatch, fmt::format("{} columns from {} on are outside of {}", *length, *start,
                                                            from->type.to_string()));
    return {};
  }
  type.view.shape.back() = *length;
  std::vector<LayoutField> fields = layout.fields;
  fields[0] = LayoutField::of_numbers(
      {fields[0].items[0].number, std::min<std::int64_t>(fields[0].items[1].number, *length)});
  fields[0].style = ListStyle::tuple;
  type.view.layout = make_layout(LayoutKind::tensor_memory, std::move(fields));
  return gluon::view_of(call, "ttng.tmem_subslice", {from->handle}, type, {builder(call).integer("N", *start)});
}

Value gluon_tensor_copy(BuiltinCall& call) {
  const HandleValue* from = gluon::shared_argument(call, 0);
  const HandleValue* to = memory_argument(call, 1);
  if (from == nullptr || to == nullptr) return {};
  call.lowering.emit.create("ttng.tmem_copy", {from->handle, to->handle}, {});
  return Value::raw_none();
}

Value gluon_tensor_product(BuiltinCall& call) {
  const Tensor uses = gluon::predicate_argument(call, 4);
  const Tensor pred = uses ? gluon::predicate_argument(call, 5) : Tensor{};
  const std::optional<Operand> a = operand(call, 0, false), b = operand(call, 1, false);
  const HandleValue* d = memory_argument(call, 2);
  const std::optional<Signals> told = pred ? signals(call, 6) : std::nullopt;
  if (!told || !a || !b || d == nullptr || !check_product(call, *a, *b, d->type.view)) return {};
  Emitter& emitter = call.lowering.emit;
  std::vector<ir::NamedAttribute> attributes;
  if (!told->barriers.empty()) attributes.push_back({"is_async", emitter.context().unit()});
  if (d->type.view.layout->kind == LayoutKind::tensor_memory && d->type.view.layout->field("two_ctas").number != 0)
    attributes.push_back({"two_ctas", emitter.context().unit()});
  std::vector<ir::Value*> operands{a->handle, b->handle, d->handle, uses.handle, pred.handle};
  operands.insert(operands.end(), told->barriers.begin(), told->barriers.end());
  operands.insert(operands.end(), told->predicates.begin(), told->predicates.end());
  emitter.create("ttng.tc_gen5_mma", operands, {emitter.context().token()}, std::move(attributes),
                 {1, 1, 1, 0, 1, 1, size_of(told->barriers), size_of(told->predicates)});
  return Value::raw_none();
}

Value gluon_scaled_product(BuiltinCall& call) {
  constexpr std::array<std::pair<std::string_view, std::int64_t>, 3> kFormats{{{"e4m3", 0}, {"e5m2", 1}, {"e2m1", 4}}};
  const Tensor uses = gluon::predicate_argument(call, 8);
  const Tensor pred = uses ? gluon::predicate_argument(call, 9) : Tensor{};
  const std::optional<Operand> a = operand(call, 0, false), b = operand(call, 1, false);
  const HandleValue *d = memory_argument(call, 2), *of_a = memory_argument(call, 3), *of_b = memory_argument(call, 4);
  const std::optional<Signals> told = pred ? signals(call, 10) : std::nullopt;
  std::vector<ir::NamedAttribute> attributes;
  for (const std::size_t i : {std::size_t{5}, std::size_t{6}}) {
    const std::optional<std::string> name = text_argument(call, i);
    const auto found = std::find_if(kFormats.begin(), kFormats.end(), [&](const auto& f) { return name && f.first == *name; });
    if (found == kFormats.end()) {
      if (name) reporter(call).error(codes::kDot, fmt::format("'{}' is not a format of {}", *name, full_name(call.row)),
                                     "use e2m1, e4m3 or e5m2");
      return {};
    }
    attributes.push_back(builder(call).integer(i == 5 ? "a_type" : "b_type", found->second));
  }
  if (!told || !a || !b || d == nullptr || of_a == nullptr || of_b == nullptr) return {};
  Emitter& emitter = call.lowering.emit;
  if (!told->barriers.empty()) attributes.push_back({"is_async", emitter.context().unit()});
  std::vector<ir::Value*> operands{a->handle,    b->handle,    d->handle,  of_a->handle,
                                   of_b->handle, uses.handle, pred.handle};
  operands.insert(operands.end(), told->barriers.begin(), told->barriers.end());
  operands.insert(operands.end(), told->predicates.begin(), told->predicates.end());
  emitter.create("ttng.tc_gen5_mma_scaled", operands, {emitter.context().token()}, std::move(attributes),
                 {1, 1, 1, 0, 1, 1, 1, 1, size_of(told->barriers), size_of(told->predicates)});
  return Value::raw_none();
}

Value gluon_commit(BuiltinCall& call) {
  const HandleValue* barrier = gluon::shared_argument(call, 0);
  if (barrier == nullptr) return {};
  call.lowering.emit.create("ttng.tc_gen5_commit", {barrier->handle}, {}, {}, {1, 0, 0});
  return Value::raw_none();
}

}  // namespace lockstep::frontend::rows
