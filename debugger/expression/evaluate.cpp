#include "debugger/expression/evaluate.h"

#include <algorithm>
#include <cstring>

#include "debugger/expression/evaluator.h"
#include "debugger/expression/walk.h"

namespace lockstep::debugger {
namespace {

constexpr std::string_view kOneNumber =
    "a tensor of several elements is neither true nor false: use any() or all()";

/// Appends the bytes of `count` elements from `address`, `stride` bytes apart.
bool read_lane(const Scope& scope, const MemoryWindow& window, std::uint64_t address, std::int64_t count,
               std::int64_t stride, char* out) {
  const auto size = static_cast<std::size_t>(size_bytes(window.kind));
  if (stride == static_cast<std::int64_t>(size))
    return scope.read(address, static_cast<std::size_t>(count) * size, window.age, out);
  for (std::int64_t i = 0; i < count; ++i) {
    if (!scope.read(address + static_cast<std::uint64_t>(i * stride), size, window.age, out)) return false;
    out += size;
  }
  return true;
}

}  // namespace

Expected<std::string, std::string> bytes_of(const MemoryWindow& window, const Scope& scope) {
  const std::int64_t count = window.count(), size = size_bytes(window.kind);
  if (count > kMaxElements)
    return Unexpected{window.name + " has too many elements (at most 4194304): take a slice of it"};
  std::string bytes(static_cast<std::size_t>(count * size), '\0');
  std::vector<std::int64_t> outer = window.shape, strides = window.strides;
  const std::int64_t inner = outer.empty() ? 1 : outer.back(), stride = strides.empty() ? 1 : strides.back();
  if (!outer.empty()) {
    outer.pop_back();
    strides.pop_back();
  }
  char* out = bytes.data();
  bool is_read = true;
  if (count > 0) {
    walk<1>(outer, {strides}, [&](const std::array<std::int64_t, 1>& at) {
      is_read =
          read_lane(scope, window, window.base + static_cast<std::uint64_t>(at[0] * size), inner, stride * size, out);
      out += inner * size;
      return is_read;
    });
  }
  if (!is_read && window.age == Age::before)
    return Unexpected{"what " + window.name + " held before the launch is not known"};
  if (!is_read) return Unexpected{window.name + " does not lie in memory"};
  return bytes;
}

Expected<Tensor, std::string> tensor_of(const Value& value, const Scope& scope) {
  if (const auto* tensor = std::get_if<Tensor>(&value)) return *tensor;
  if (const auto* window = std::get_if<MemoryWindow>(&value)) {
    const auto bytes = bytes_of(*window, scope);
    if (!bytes) return Unexpected{bytes.error()};
    return decode_tensor(window->kind, window->shape, *bytes);
  }
  if (std::holds_alternative<std::string>(value)) return Unexpected{std::string("a text is not a number")};
  return Unexpected{std::string("None is not a number")};
}

std::vector<std::int64_t> shape_of(const Value& value) {
  if (const auto* tensor = std::get_if<Tensor>(&value)) return tensor->shape;
  if (const auto* window = std::get_if<MemoryWindow>(&value)) return window->shape;
  return {};
}

Expected<Value, std::string> part_of(const Value& value, const std::vector<Subscript>& subscripts) {
  if (const auto* window = std::get_if<MemoryWindow>(&value)) {
    auto part = select_part({0, window->shape, window->strides}, subscripts);
    if (!part) return Unexpected{part.error()};
    MemoryWindow out = *window;
    out.base += static_cast<std::uint64_t>(part->offset * size_bytes(window->kind));
    out.shape = std::move(part->shape);
    out.strides = std::move(part->strides);
    return Value(std::move(out));
  }
  const auto* tensor = std::get_if<Tensor>(&value);
  if (tensor == nullptr) return Unexpected{std::string("this has no elements")};
  if (tensor->elements == ElementClass::pointer && tensor->is_scalar())
    return Unexpected{std::string("a pointer has no elements: use load(p + i) to read memory")};
  const auto part = select_part(whole(tensor->shape), subscripts);
  if (!part) return Unexpected{part.error()};
  return Value(take_part(*tensor, *part));
}

Evaluated evaluate(const Expression& expression, const Scope& scope) {
  Evaluator evaluator(expression, scope);
  auto value = evaluator.value(expression.root());
  if (!value) return Unexpected{evaluator.error()};
  return std::move(*value);
}

Evaluated evaluate(std::string_view text, const Scope& scope) {
  const auto expression = parse_expression(text);
  if (!expression) return Unexpected{expression.error()};
  return evaluate(*expression, scope);
}

Expected<bool, ExpressionError> evaluate_condition(const Expression& expression, const Scope& scope) {
  Evaluator evaluator(expression, scope);
  const auto truth = evaluator.truth(expression.root());
  if (!truth) return Unexpected{evaluator.error()};
  return *truth;
}

std::nullopt_t Evaluator::fail(const Node& node, std::string message) {
  if (!error_) error_ = ExpressionError{std::move(message), node.begin, node.end};
  return std::nullopt;
}

bool Evaluator::spend(const Node& node, std::int64_t elements) {
  work_ += elements;
  if (work_ <= kMaxWork) return true;
  fail(node, "the expression computes too many elements in total (at most 33554432)");
  return false;
}

Evaluator::Result Evaluator::take(const Node& node, Computed computed) {
  if (!computed) return fail(node, computed.error());
  if (!spend(node, computed->count())) return std::nullopt;
  return std::move(*computed);
}

std::optional<Tensor> Evaluator::read(const Node& node, Value value) {
  if (auto* direct = std::get_if<Tensor>(&value)) return std::move(*direct);
  auto tensor = tensor_of(value, scope_);
  if (!tensor) return fail(node, tensor.error());
  if (!spend(node, tensor->count())) return std::nullopt;
  return std::move(*tensor);
}

std::optional<Tensor> Evaluator::tensor(const Node& node) {
  auto made = value(node);
  return made ? read(node, std::move(*made)) : std::nullopt;
}

namespace {

std::optional<Subscript> number_of(Evaluator& in, const Node& node, const Tensor& key) {
  const bool is_whole = key.elements == ElementClass::integer || key.elements == ElementClass::boolean;
  if (!is_whole || key.count() != 1) return in.fail(node, "this must be one integer");
  Subscript out;
  out.number = key.integers[0];
  return out;
}

/// p + n is n elements further on, in units of the argument that p points into.
Evaluator::Result move_pointers(Evaluator& in, const Node& node, const Tensor& pointers, const Tensor& by) {
  if (pointers.integers.empty()) return in.fail(node, "there is no pointer");
  const auto first = static_cast<std::uint64_t>(pointers.integers[0]);
  const auto window = in.scope().argument(in.scope().place_of(first, pointers.provenance).argument);
  if (!window) return in.fail(node, "the pointers point into no argument: the size of their elements is not known");
  Tensor addresses = pointers;
  addresses.elements = ElementClass::integer;
  addresses.kind = ScalarKind::i64;
  auto moved = apply_binary(Operator::multiply, by, Tensor::of(std::int64_t{size_bytes(window->kind)}));
  if (moved) moved = apply_binary(node.op, addresses, *moved);
  if (moved && moved->is_floating()) return in.fail(node, "pointers move by integers");
  if (moved) {
    moved->elements = ElementClass::pointer;
    moved->kind = ScalarKind::pointer;
    moved->provenance = pointers.provenance;
  }
  return in.take(node, std::move(moved));
}

}  // namespace

std::optional<std::int64_t> Evaluator::integer(const Node& node) {
  const auto made = tensor(node);
  const auto number = made ? number_of(*this, node, *made) : std::nullopt;
  return number ? std::optional(number->number) : std::nullopt;
}

std::optional<bool> Evaluator::truth_of(const Node& node, const Value& value) {
  if (std::holds_alternative<Nothing>(value)) return false;
  if (const auto* text = std::get_if<std::string>(&value)) return !text->empty();
  if (element_count(shape_of(value)) != 1) return fail(node, std::string(kOneNumber));
  const auto one = read(node, value);
  if (!one) return std::nullopt;
  return one->as_double(0) != 0;
}

std::optional<bool> Evaluator::truth(const Node& node) {
  const auto made = value(node);
  return made ? truth_of(node, *made) : std::nullopt;
}

std::optional<Value> Evaluator::value(const Node& node) {
  switch (node.kind) {
    case NodeKind::integer: return Tensor::of(node.integer);
    case NodeKind::floating: return Tensor::of(node.number);
    case NodeKind::boolean: return Tensor::of(node.integer != 0);
    case NodeKind::text: return node.text;
    case NodeKind::none: return Nothing{};
    case NodeKind::name: return name(node);
    case NodeKind::attribute: return attribute(node);
    case NodeKind::index: return index(node);
    case NodeKind::call: return call(node);
    case NodeKind::unary: return unary(node);
    case NodeKind::binary: return binary(node);
    case NodeKind::compare: return comparison(node);
    case NodeKind::logical: return logical(node);
    case NodeKind::conditional: return conditional(node);
    case NodeKind::sequence: return sequence(node);
    case NodeKind::ellipsis: return fail(node, "'...' is allowed in an index only");
    case NodeKind::slice: return fail(node, "a slice is allowed in an index only");
    case NodeKind::keyword: return fail(node, "a named argument is allowed in a call only");
  }
  return std::nullopt;
}

Evaluator::Result Evaluator::unary(const Node& node) {
  if (node.op == Operator::logical_not) {
    const auto operand = truth(child(node, 0));
    if (!operand) return std::nullopt;
    return Tensor::of(!*operand);
  }
  const auto operand = tensor(child(node, 0));
  return operand ? take(node, apply_unary(node.op, *operand)) : std::nullopt;
}

Evaluator::Result Evaluator::binary(const Node& node) {
  const auto left = tensor(child(node, 0));
  if (!left) return std::nullopt;
  const auto right = tensor(child(node, 1));
  if (!right) return std::nullopt;
  const bool is_left = left->elements == ElementClass::pointer, is_right = right->elements == ElementClass::pointer;
  if (is_left != is_right && (node.op == Operator::add || (is_left && node.op == Operator::subtract)))
    return is_left ? move_pointers(*this, node, *left, *right) : move_pointers(*this, node, *right, *left);
  return take(node, apply_binary(node.op, *left, *right));
}

Evaluator::Result Evaluator::compare_two(const Node& node, Operator op, const Value& a, const Value& b) {
  const bool a_is_number = !std::holds_alternative<std::string>(a) && !std::holds_alternative<Nothing>(a);
  const bool b_is_number = !std::holds_alternative<std::string>(b) && !std::holds_alternative<Nothing>(b);
  if (a_is_number && b_is_number) {
    const auto left = read(node, a);
    const auto right = left ? read(node, b) : std::nullopt;
    return right ? take(node, apply_comparison(op, *left, *right)) : std::nullopt;
  }
  if (op != Operator::equal && op != Operator::not_equal) return fail(node, "texts and None can only be equal or not equal");
  const auto *x = std::get_if<std::string>(&a), *y = std::get_if<std::string>(&b);
  const bool is_equal = x != nullptr && y != nullptr
                            ? *x == *y
                            : std::holds_alternative<Nothing>(a) && std::holds_alternative<Nothing>(b);
  return Tensor::of(is_equal == (op == Operator::equal));
}

Evaluator::Result Evaluator::comparison(const Node& node) {
  auto left = value(child(node, 0));
  Tensor all = Tensor::of(true);
  for (std::size_t i = 0; i < node.operators.size(); ++i) {
    if (!left) return std::nullopt;
    auto right = value(child(node, i + 1));
    if (!right) return std::nullopt;
    const auto holds = compare_two(node, node.operators[i], *left, *right);
    if (!holds) return std::nullopt;
    auto both = apply_binary(Operator::bit_and, all, std::get<Tensor>(*holds));
    if (!both) return fail(node, both.error());
    all = std::move(*both);
    if (all.is_scalar() && all.integers[0] == 0) break;  // as in Python: the rest is not asked for
    left = std::move(right);
  }
  return all;
}

Evaluator::Result Evaluator::logical(const Node& node) {
  auto left = value(child(node, 0));
  if (!left) return std::nullopt;
  const auto truth = truth_of(child(node, 0), *left);
  if (!truth) return std::nullopt;
  const bool is_decided = *truth == (node.op == Operator::logical_or);
  return is_decided ? std::move(left) : value(child(node, 1));
}

Evaluator::Result Evaluator::conditional(const Node& node) {
  const auto condition = truth(child(node, 0));
  return condition ? value(child(node, *condition ? 1 : 2)) : std::nullopt;
}

/// (1, 2) and [1, 2.5]: one dimension of numbers.
Evaluator::Result Evaluator::sequence(const Node& node) {
  Tensor out = Tensor::row({});
  for (std::size_t i = 0; i < node.children.size(); ++i) {
    const auto element = tensor(child(node, i));
    if (!element) return std::nullopt;
    if (!element->is_scalar() || element->elements == ElementClass::pointer)
      return fail(child(node, i), "a sequence can only hold single numbers");
    if (element->is_floating() && !out.is_floating()) {
      out.floats.assign(out.integers.begin(), out.integers.end());
      out.integers.clear();
      out.elements = ElementClass::floating;
      out.kind = ScalarKind::f64;
    }
    if (out.is_floating()) {
      out.floats.push_back(element->as_double(0));
    } else {
      out.integers.push_back(element->integers[0]);
    }
  }
  out.shape = {static_cast<std::int64_t>(node.children.size())};
  return out;
}

bool Evaluator::bound(NodeId id, std::optional<std::int64_t>& out) {
  if (id == kNoNode || expression_.node(id).kind == NodeKind::none) return true;
  out = integer(expression_.node(id));
  return out.has_value();
}

std::optional<Subscript> Evaluator::subscript(const Node& node) {
  Subscript out;
  if (node.kind == NodeKind::ellipsis) {
    out.kind = Subscript::Kind::ellipsis;
  } else if (node.kind == NodeKind::none) {
    out.kind = Subscript::Kind::new_axis;
  } else if (node.kind == NodeKind::slice) {
    out.kind = Subscript::Kind::slice;
    if (!bound(node.children[0], out.start) || !bound(node.children[1], out.stop) || !bound(node.children[2], out.step))
      return std::nullopt;
  } else {
    const auto key = tensor(node);
    return key ? number_of(*this, node, *key) : std::nullopt;
  }
  return out;
}

std::optional<std::vector<Subscript>> Evaluator::subscripts(const Node& index_node) {
  std::vector<Subscript> out;
  for (std::size_t i = 1; i < index_node.children.size(); ++i) {
    const auto part = subscript(child(index_node, i));
    if (!part) return std::nullopt;
    out.push_back(*part);
  }
  return out;
}

/// Elements where a mask of the same shape holds.
Evaluator::Result Evaluator::mask_part(const Node& node, const Value& base, const Tensor& mask) {
  const auto from = read(node, base);
  if (!from) return std::nullopt;
  if (from->shape != mask.shape)
    return fail(node, "a mask of shape " + index_text(mask.shape) + " for shape " + index_text(from->shape));
  Tensor out = Tensor::like(from->elements, from->kind, {0});
  out.provenance = from->provenance;
  out.is_hex = from->is_hex;
  for (std::size_t i = 0; i < mask.integers.size(); ++i) {
    if (mask.integers[i] == 0) continue;
    ++out.shape[0];
    if (from->is_floating()) {
      out.floats.push_back(from->floats[i]);
    } else {
      out.integers.push_back(from->integers[i]);
    }
    if (!from->raw.empty()) out.raw.push_back(from->raw[i]);
  }
  return out;
}

Evaluator::Result Evaluator::index(const Node& node) {
  const auto base = base_of_index(child(node, 0));
  if (!base) return std::nullopt;
  std::vector<Subscript> parts;
  for (std::size_t i = 1; i < node.children.size(); ++i) {
    const Node& part = child(node, i);
    const bool is_value =
        part.kind != NodeKind::slice && part.kind != NodeKind::ellipsis && part.kind != NodeKind::none;
    const auto key = is_value ? tensor(part) : std::nullopt;
    if (is_value && !key) return std::nullopt;
    if (key && key->elements == ElementClass::boolean && !key->is_scalar()) {
      if (node.children.size() > 2) return fail(part, "a mask must be the only part of an index");
      return mask_part(node, *base, *key);
    }
    const auto subscript = key ? number_of(*this, part, *key) : this->subscript(part);
    if (!subscript) return std::nullopt;
    parts.push_back(*subscript);
  }
  auto part = part_of(*base, parts);
  if (!part) return fail(node, part.error());
  const bool is_window = std::holds_alternative<MemoryWindow>(*part);
  if (!is_window && !spend(node, element_count(shape_of(*part)))) return std::nullopt;
  return std::move(*part);
}

}  // namespace lockstep::debugger
