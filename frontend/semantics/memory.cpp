// Loads, stores and atomics through pointers.
#include <array>

#include <fmt/format.h>

#include "frontend/semantics/semantics.h"

namespace lockstep::frontend::semantics {

namespace {

struct Named {
  std::string_view text;
  std::int64_t value;
};

constexpr std::array<Named, 3> kLoadCache{{{".ca", 2}, {".cg", 3}, {".cv", 7}}};

constexpr std::array<Named, 4> kStoreCache{{{".wb", 4}, {".cg", 3}, {".cs", 5}, {".wt", 6}}};

constexpr std::array<Named, 2> kEviction{{{"evict_first", 2}, {"evict_last", 3}}};

constexpr std::array<Named, 4> kOrder{{{"relaxed", 1}, {"acquire", 2}, {"release", 3}, {"acq_rel", 4}}};

constexpr std::array<Named, 3> kScope{{{"gpu", 1}, {"cta", 2}, {"sys", 3}}};

std::optional<std::int64_t> lookup(const auto& table, std::string_view text) {
  for (const Named& row : table) {
    if (row.text == text) return row.value;
  }
  return std::nullopt;
}

// Values of tt.atomic_rmw's operation.
constexpr std::int64_t kAnd = 1, kOr = 2, kXor = 3, kAdd = 4, kFadd = 5, kMax = 6, kMin = 7, kUmax = 8, kUmin = 9,
                       kExchange = 10;

std::optional<std::int64_t> memory_order(OpBuilder& in, const std::string& sem) {
  const std::optional<std::int64_t> order = sem.empty() ? std::optional<std::int64_t>(4) : lookup(kOrder, sem);
  if (!order)
    in.reporter().error(codes::kAtomic, fmt::format("'{}' is not a memory order", sem),
                        "use acquire, release, acq_rel or relaxed");
  return order;
}

std::optional<std::int64_t> memory_scope(OpBuilder& in, const std::string& scope) {
  const std::optional<std::int64_t> found = scope.empty() ? std::optional<std::int64_t>(1) : lookup(kScope, scope);
  if (!found) in.reporter().error(codes::kAtomic, fmt::format("'{}' is not a memory scope", scope), "use gpu, cta or sys");
  return found;
}

Tensor atomic_rmw(OpBuilder& in, std::int64_t op, const Tensor& pointer, const Tensor& value, const Tensor& mask,
                  std::int64_t sem, std::int64_t scope) {
  if (!pointer || !value || !mask) return {};
  return in.make("tt.atomic_rmw", {pointer.handle, value.handle, mask.handle}, value.type,
                 {in.integer("atomic_rmw_op", op), in.integer("sem", sem), in.integer("scope", scope)});
}

/// Floats order like integers of their bits (sign and magnitude): the non-negative go through a signed, the negative
/// through an unsigned integer atomic of the opposite kind.
Tensor float_extremum_atomic(OpBuilder& in, bool is_maximum, const Tensor& pointer, const Tensor& value,
                             const Tensor& mask, std::int64_t sem, std::int64_t scope) {
  const bool is_single = value.element().scalar() == Scalar::fp32;
  const DType plain(is_single ? Scalar::int32 : Scalar::int64);
  const DType bits(is_single ? Scalar::uint32 : Scalar::uint64);
  const Tensor signed_value = bitcast(in, value, plain);
  const Tensor signed_pointer = bitcast(in, pointer, DType::pointer_to({plain, {}}));
  const Tensor unsigned_value = bitcast(in, value, bits);
  const Tensor unsigned_pointer = bitcast(in, pointer, DType::pointer_to({bits, {}}));
  const Tensor sign = bitwise(in, "arith.shrui", bitcast(in, value, bits), Constant::integer(is_single ? 31 : 63));
  const Tensor negative = cast(in, sign, DType(Scalar::int1));
  const Tensor positive = logical_not(in, negative);
  const Tensor above = atomic_rmw(in, is_maximum ? kMax : kMin, signed_pointer, signed_value,
                                  bitwise(in, "arith.andi", mask, positive), sem, scope);
  Tensor below = atomic_rmw(in, is_maximum ? kUmin : kUmax, unsigned_pointer, unsigned_value,
                            bitwise(in, "arith.andi", mask, negative), sem, scope);
  // Triton types the minimum's second result differently, so that the first needs no conversion there.
  if (!is_maximum) below.type = above.type;
  return bitcast(in, where(in, positive, above, below), value.element());
}

}  // namespace

std::vector<ir::NamedAttribute> hint_attributes(OpBuilder& in, const AccessHints& hints, bool is_load, bool& ok) {
  std::vector<ir::NamedAttribute> attributes;
  const auto add = [&](std::string name, const std::string& text, std::optional<std::int64_t> value) {
    if (text.empty()) return;
    if (value) {
      attributes.push_back(in.integer(std::move(name), *value));
    } else {
      ok = false;
      in.reporter().error(codes::kArguments, fmt::format("'{}' is not a {} of {}", text,
                                                         name == "cache" ? "cache modifier" : "eviction policy",
                                                         is_load ? "tl.load" : "tl.store"));
    }
  };
  add("cache", hints.cache, is_load ? lookup(kLoadCache, hints.cache) : lookup(kStoreCache, hints.cache));
  add("evict", hints.eviction, lookup(kEviction, hints.eviction));
  if (hints.is_volatile) attributes.push_back({"isVolatile", in.emitter().context().boolean(true)});
  return attributes;
}

Tensor load(OpBuilder& in, Tensor pointer, const Tensor* mask, const Tensor* other, const AccessHints& hints) {
  if (!pointer || (mask != nullptr && !*mask) || (other != nullptr && !*other)) return {};
  if (!pointer.element().is_ptr()) {
    in.reporter().error(codes::kPointer, fmt::format("tl.load needs a pointer, not {}", pointer.type.to_string()));
    return {};
  }
  if (mask == nullptr && other != nullptr) {
    in.reporter().error(codes::kMask, "'other' needs a mask");
    return {};
  }
  if (!pointer.is_block() && ((mask != nullptr && mask->is_block()) || (other != nullptr && other->is_block()))) {
    in.reporter().error(codes::kMask, "a load through a scalar pointer takes a scalar mask and other",
                        "add an offset block to the pointer: ptr + tl.arange(...)");
    return {};
  }
  std::optional<Tensor> where = mask != nullptr ? std::optional(*mask) : std::nullopt;
  std::optional<Tensor> fallback = other != nullptr ? std::optional(*other) : std::nullopt;
  if (pointer.is_block()) {
    for (std::optional<Tensor>* extra : {&where, &fallback}) {
      if (!*extra) continue;
      const std::optional<TensorPair> both = broadcast_pair(in, pointer, **extra);
      if (!both) return {};
      pointer = both->first;
      *extra = both->second;
    }
  }
  DType element = pointer.element().pointee().element;
  const bool is_bool = element.is_bool();
  if (is_bool) {
    element = DType(Scalar::int8);
    pointer = cast(in, pointer, DType::pointer_to({element, {}}, pointer.element().address_space()));
  }
  if (fallback) fallback = cast(in, *fallback, element);
  if (where && !where->element().is_bool()) {
    in.reporter().error(codes::kMask, fmt::format("a mask must be boolean, not {}", where->element().name()),
                        "compare it: mask != 0");
    return {};
  }
  bool ok = true;
  std::vector<ir::NamedAttribute> attributes = hint_attributes(in, hints, true, ok);
  if (!ok || (fallback && !*fallback)) return {};
  const ValueType type = pointer.type.with_element(element);
  const std::optional<ir::Type> lowered = in.ir_type(type);
  if (!lowered) return {};
  std::vector<ir::Value*> operands{pointer.handle};
  if (where) operands.push_back(where->handle);
  if (fallback) operands.push_back(fallback->handle);
  const std::vector<std::uint32_t> segments{1, where ? 1U : 0U, fallback ? 1U : 0U};
  const Tensor loaded{in.emitter().create("tt.load", operands, {*lowered}, std::move(attributes), segments)->result(),
                      type};
  return is_bool ? cast(in, loaded, DType(Scalar::int1)) : loaded;
}

bool store(OpBuilder& in, Tensor pointer, Tensor value, const Tensor* mask, const AccessHints& hints) {
  if (!pointer || !value || (mask != nullptr && !*mask)) return false;
  if (!pointer.element().is_ptr()) {
    in.reporter().error(codes::kPointer, fmt::format("tl.store needs a pointer, not {}", pointer.type.to_string()));
    return false;
  }
  if (pointer.element().is_const()) {
    in.reporter().error(codes::kPointer, "a pointer to constant data cannot be stored to");
    return false;
  }
  std::optional<Tensor> where = mask != nullptr ? std::optional(*mask) : std::nullopt;
  if (!pointer.is_block()) {
    if (value.is_block() || (where && where->is_block())) {
      in.reporter().error(
          codes::kShapeMismatch,
          fmt::format("a store through a scalar pointer takes a scalar value and mask, not {}", value.type.to_string()),
          "add an offset block to the pointer: ptr + tl.arange(...)");
      return false;
    }
  } else {
    const Shape before = pointer.type.shape;
    std::vector<Tensor> all{pointer, value};
    if (where) all.push_back(*where);
    if (!broadcast_all(in, all)) return false;
    if (all[0].type.shape != before) {
      in.reporter().error(codes::kShapeMismatch,
                          fmt::format("the pointer block has shape {}, the value needs {}", shape_to_string(before),
                                      shape_to_string(all[0].type.shape)),
                          "tl.store widens the value to the pointer's shape, not the other way round");
      return false;
    }
    pointer = all[0];
    value = all[1];
    if (where) where = all[2];
  }
  DType element = pointer.element().pointee().element;
  if (element.is_bool()) {
    element = DType(Scalar::int8);
    pointer = cast(in, pointer, DType::pointer_to({element, {}}, pointer.element().address_space()));
  }
  value = cast(in, value, element);
  if (where && !where->element().is_bool()) {
    in.reporter().error(codes::kMask, fmt::format("a mask must be boolean, not {}", where->element().name()),
                        "compare it: mask != 0");
    return false;
  }
  bool ok = true;
  std::vector<ir::NamedAttribute> attributes = hint_attributes(in, hints, false, ok);
  if (!ok || !value) return false;
  std::vector<ir::Value*> operands{pointer.handle, value.handle};
  if (where) operands.push_back(where->handle);
  in.emitter().create("tt.store", operands, {}, std::move(attributes));
  return true;
}

Tensor atomic(OpBuilder& in, std::string_view name, const Tensor& pointer, Tensor value, const Tensor* mask,
              const std::string& sem, const std::string& scope) {
  if (!pointer || !value || (mask != nullptr && !*mask)) return {};
  if (!pointer.element().is_ptr() || pointer.element().is_const()) {
    in.reporter().error(codes::kPointer, fmt::format("tl.atomic_{} needs a pointer that can be written, not {}", name,
                                                     pointer.type.to_string()));
    return {};
  }
  const DType element = pointer.element().pointee().element;
  const bool is_half = element.scalar() == Scalar::fp16 || element.scalar() == Scalar::bf16;
  if ((is_half && name != "add") || (element.is_int() && element.bit_width() <= 16) || element.bit_width() < 16 ||
      ((name == "and" || name == "or" || name == "xor") && !element.is_int())) {
    in.reporter().error(codes::kAtomic, fmt::format("tl.atomic_{} does not support {}", name, element.name()));
    return {};
  }
  Tensor where = mask != nullptr ? *mask : Tensor{};
  if (pointer.is_block()) {
    if (where) where = broadcast_to(in, where, pointer.type.shape);
    if (mask != nullptr && !where) return {};
    value = broadcast_to(in, value, pointer.type.shape);
  }
  value = cast(in, value, element);
  if (!value) return {};
  if (mask == nullptr) {
    where = {in.emitter().constant(in.emitter().context().integer(1), 1), {DType(Scalar::int1), {}}};
    if (pointer.is_block()) where = splat(in, where, pointer.type.with_element(where.element()));
  }
  if (!where.element().is_bool() || where.type.shape != value.type.shape || pointer.type.shape != value.type.shape) {
    in.reporter().error(codes::kMask,
                        fmt::format("tl.atomic_{}: pointer {}, value {} and mask {} do not fit", name,
                                    pointer.type.to_string(), value.type.to_string(), where.type.to_string()));
    return {};
  }
  const std::optional<std::int64_t> order = memory_order(in, sem);
  const std::optional<std::int64_t> reach = memory_scope(in, scope);
  if (!order || !reach) return {};
  const auto rmw = [&](std::int64_t op) { return atomic_rmw(in, op, pointer, value, where, *order, *reach); };
  if (name == "add") return rmw(element.is_floating() ? kFadd : kAdd);
  if (name == "and") return rmw(kAnd);
  if (name == "or") return rmw(kOr);
  if (name == "xor") return rmw(kXor);
  if (name == "xchg") return rmw(kExchange);
  const bool is_maximum = name == "max";
  if (!element.is_int()) return float_extremum_atomic(in, is_maximum, pointer, value, where, *order, *reach);
  if (element.is_signed()) return rmw(is_maximum ? kMax : kMin);
  return rmw(is_maximum ? kUmax : kUmin);
}

Tensor atomic_cas(OpBuilder& in, const Tensor& pointer, const Tensor& expected, const Tensor& value,
                  const std::string& sem, const std::string& scope) {
  if (!pointer || !expected || !value) return {};
  if (!pointer.element().is_ptr()) {
    in.reporter().error(codes::kPointer,
                        fmt::format("tl.atomic_cas needs a pointer, not {}", pointer.type.to_string()));
    return {};
  }
  const std::optional<std::int64_t> order = memory_order(in, sem);
  const std::optional<std::int64_t> reach = memory_scope(in, scope);
  const DType element = pointer.element().pointee().element;
  if (!order || !reach) return {};
  if (element.bit_width() < 16 || element.is_ptr()) {
    in.reporter().error(codes::kAtomic, "tl.atomic_cas takes elements of 16, 32 or 64 bits");
    return {};
  }
  const ir::Type needed = to_ir(in.emitter().context(), pointer.type.with_element(element));
  if (expected.handle->type() != needed || value.handle->type() != needed) {
    in.reporter().error(codes::kAtomic,
                        fmt::format("tl.atomic_cas does not convert: pointer {}, compared {}, new {}",
                                    pointer.type.to_string(), expected.type.to_string(), value.type.to_string()),
                        "give both values the element type and shape of the pointer, for example with tl.full");
    return {};
  }
  return in.make("tt.atomic_cas", {pointer.handle, expected.handle, value.handle}, value.type,
                 {in.integer("sem", *order), in.integer("scope", *reach)});
}

}  // namespace lockstep::frontend::semantics
