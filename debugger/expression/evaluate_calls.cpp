// Evaluator: calls.
#include <algorithm>
#include <array>
#include <cmath>

#include "debugger/expression/evaluator.h"
#include "debugger/expression/reduce.h"

namespace lockstep::debugger {

std::span<const Evaluator::Function> Evaluator::special_functions() {
  static const std::array<Function, 17> rows = {{
      {"where", "where(condition, a, b)", "a where the condition holds, else b; where(condition): the indices", 1, 3,
       &Evaluator::run_where},
      {"maximum", "maximum(a, b)", "the greater of two, element by element", 2, 2, &Evaluator::run_pick},
      {"minimum", "minimum(a, b)", "the lesser of two, element by element", 2, 2, &Evaluator::run_pick},
      {"bits", "bits(v)", "the bits of each element", 1, 1, &Evaluator::run_bits},
      {"ulp", "ulp(a, b)", "how many numbers of the coarser format lie between", 2, 2, &Evaluator::run_ulp},
      {"pid", "pid(axis)", "the program's id", 1, 1, &Evaluator::run_program_id},
      {"program_id", "program_id(axis)", "the program's id", 1, 1, &Evaluator::run_program_id, true},
      {"grid", "grid(axis)", "programs along an axis", 1, 1, &Evaluator::run_program_id},
      {"num_programs", "num_programs(axis)", "programs along an axis", 1, 1, &Evaluator::run_program_id, true},
      {"cdiv", "cdiv(a, b)", "the quotient rounded up", 2, 2, &Evaluator::run_cdiv},
      {"iter", "iter(k)", "the iteration of the loop over k, from 0; iter(): of the innermost", 0, 1,
       &Evaluator::run_iteration},
      {"len", "len(v)", "the first extent", 1, 1, &Evaluator::run_length},
      {"ptr", "ptr(p)", "a pointer, with .argument, .index, .offset, .address, .inside", 1, 1, &Evaluator::run_pointer},
      {"old", "old(e)", "e with arguments' memory as the launch found it", 1, 1, &Evaluator::run_old},
      {"ref", "ref(\"c\")", "what the reference has for c", 1, 1, &Evaluator::run_reference},
      {"arg", "arg(x)", "the argument x, whatever the kernel made of the name", 1, 1, &Evaluator::run_named_argument},
      {"load", "load(p, mask)", "memory behind the pointers, as it is now", 1, 2, &Evaluator::run_load, false, true},
  }};
  return rows;
}

const Evaluator::Function* Evaluator::find_function(std::string_view name) {
  static const Function reduction = {"", "", "", 1, 2, &Evaluator::run_reduction, true};
  static const Function extreme = {"", "", "", 1, 64, &Evaluator::run_reduction, true};
  static const Function elementwise = {"", "", "", 1, 1, &Evaluator::run_elementwise};
  for (const Function& row : special_functions()) {
    if (row.name == name) return &row;
  }
  if (name == "min" || name == "max") return &extreme;
  if (is_reduction(name)) return &reduction;
  return is_elementwise_function(name) ? &elementwise : nullptr;
}

std::vector<FunctionHelp> expression_functions() {
  std::vector<FunctionHelp> all;
  for (const std::string_view name : reductions())
    all.push_back({name, std::string(name) + "(v, axis)", "of all elements, or along an axis"});
  for (const std::string_view name : elementwise_functions())
    all.push_back({name, std::string(name) + "(v)", "of each element"});
  for (const auto& row : Evaluator::special_functions())
    all.push_back({row.name, std::string(row.signature), row.summary});
  return all;
}

std::optional<Evaluator::Call> Evaluator::call_of(const Node& node) {
  const Node& callee = child(node, 0);
  Call call{node, callee.text, std::nullopt, {}, nullptr, nullptr};
  if (callee.kind == NodeKind::attribute) {
    if (!is_module(child(callee, 0))) {
      call.self = value(child(callee, 0));
      if (!call.self) return std::nullopt;
    }
  } else if (callee.kind != NodeKind::name) {
    return fail(callee, "this is no function");
  }
  return call;
}

bool Evaluator::sort_arguments(Call& call) {
  for (std::size_t i = 1; i < call.node.children.size(); ++i) {
    const Node& given = child(call.node, i);
    if (given.kind != NodeKind::keyword) {
      call.arguments.push_back(&given);
    } else if (given.text == "axis" && call.axis == nullptr) {
      call.axis = &child(given, 0);
    } else if (given.text == "mask" && call.mask == nullptr) {
      call.mask = &child(given, 0);
    } else {
      fail(given, "'" + given.text + "' cannot be given to '" + call.name + "'");
      return false;
    }
  }
  return true;
}

Evaluator::Result Evaluator::call(const Node& node) {
  auto call = call_of(node);
  if (!call || !sort_arguments(*call)) return std::nullopt;
  const Function* function = find_function(call->name);
  if (function == nullptr) {
    std::vector<std::string> names;
    for (const FunctionHelp& row : expression_functions()) names.emplace_back(row.name);
    const std::string near = nearest_name(call->name, names);
    return fail(child(node, 0),
                "there is no function '" + call->name + "'" + (near.empty() ? "" : "; did you mean '" + near + "'?"));
  }
  if ((call->axis != nullptr && !function->takes_axis) || (call->mask != nullptr && !function->takes_mask))
    return fail(node, "'" + call->name + "' takes no such named argument");
  const std::size_t given = call->count() + (call->axis != nullptr && function->least == function->most ? 1 : 0);
  if (given < function->least || given > function->most)
    return fail(node, "'" + call->name + "' takes " + std::to_string(function->least) +
                          (function->most > function->least ? " to " + std::to_string(function->most) : "") +
                          " arguments, not " + std::to_string(given));
  return (this->*function->run)(*call);
}

const Node& Evaluator::node_of(const Call& call, std::size_t i) const {
  if (call.self && i == 0) return child(child(call.node, 0), 0);
  return *call.arguments[i - (call.self ? 1 : 0)];
}
Evaluator::Result Evaluator::argument(Call& call, std::size_t i) {
  if (call.self && i == 0) return *call.self;
  return value(node_of(call, i));
}
std::optional<Tensor> Evaluator::tensor_argument(Call& call, std::size_t i) {
  auto made = argument(call, i);
  return made ? read(node_of(call, i), std::move(*made)) : std::nullopt;
}

/// max(a, b, c) of single numbers, as in Python.
Evaluator::Result Evaluator::run_extreme_of_scalars(Call& call) {
  auto best = tensor_argument(call, 0);
  for (std::size_t i = 1; best && i < call.count(); ++i) {
    const auto next = tensor_argument(call, i);
    if (!next) return std::nullopt;
    auto picked = pick(call.name == "max", *best, *next);
    if (!picked) return fail(call.node, picked.error());
    best = std::move(*picked);
  }
  if (!best) return std::nullopt;
  return std::move(*best);
}

Evaluator::Result Evaluator::run_reduction(Call& call) {
  auto first = argument(call, 0);
  if (!first) return std::nullopt;
  const bool is_extreme = call.name == "min" || call.name == "max";
  if (is_extreme && call.count() > 1 && shape_of(*first).empty()) return run_extreme_of_scalars(call);
  if (call.count() > 2)
    return fail(call.node, "'" + call.name + "' of a tensor takes an axis: maximum() is of two tensors");
  if (call.count() == 2 && call.axis != nullptr) return fail(call.node, "the axis is given twice");
  const Node* axis_node = call.count() == 2 ? &node_of(call, 1) : call.axis;
  std::optional<std::int64_t> axis;
  if (axis_node != nullptr && axis_node->kind != NodeKind::none) {
    axis = integer(*axis_node);
    if (!axis) return std::nullopt;
  }
  const auto all = read(node_of(call, 0), std::move(*first));
  return all ? take(call.node, reduce(call.name, *all, axis)) : std::nullopt;
}

Evaluator::Result Evaluator::run_elementwise(Call& call) {
  const auto operand = tensor_argument(call, 0);
  return operand ? take(call.node, apply_function(call.name, *operand)) : std::nullopt;
}

namespace {

/// The index of each element that is not zero, one row each.
Tensor indices_of(const Tensor& condition) {
  Tensor out =
      Tensor::like(ElementClass::integer, ScalarKind::i64, {0, static_cast<std::int64_t>(condition.shape.size())});
  for (std::int64_t i = 0; i < condition.count(); ++i) {
    if (condition.as_double(static_cast<std::size_t>(i)) == 0) continue;
    const auto index = index_of(i, condition.shape);
    out.integers.insert(out.integers.end(), index.begin(), index.end());
    ++out.shape[0];
  }
  if (out.shape[1] == 1) out.shape.pop_back();
  return out;
}

}  // namespace

Evaluator::Result Evaluator::run_where(Call& call) {
  const auto condition = tensor_argument(call, 0);
  if (!condition) return std::nullopt;
  if (call.count() == 1) return take(call.node, indices_of(*condition));
  if (call.count() == 2) return fail(call.node, "'where' takes 1 or 3 arguments");
  const auto a = tensor_argument(call, 1);
  const auto b = a ? tensor_argument(call, 2) : std::nullopt;
  return b ? take(call.node, select(*condition, *a, *b)) : std::nullopt;
}

Evaluator::Result Evaluator::run_pick(Call& call) {
  const auto a = tensor_argument(call, 0);
  const auto b = a ? tensor_argument(call, 1) : std::nullopt;
  return b ? take(call.node, pick(call.name == "maximum", *a, *b)) : std::nullopt;
}

Evaluator::Result Evaluator::run_bits(Call& call) {
  const auto operand = tensor_argument(call, 0);
  return operand ? take(call.node, bits_of(*operand)) : std::nullopt;
}

Evaluator::Result Evaluator::run_ulp(Call& call) {
  const auto a = tensor_argument(call, 0);
  const auto b = a ? tensor_argument(call, 1) : std::nullopt;
  return b ? take(call.node, ulp_distance(*a, *b)) : std::nullopt;
}

Evaluator::Result Evaluator::run_program_id(Call& call) {
  const bool is_id = call.name == "pid" || call.name == "program_id";
  const auto all = triple(call.node, is_id ? "pid" : "grid");
  if (!all) return std::nullopt;
  const auto axis = integer(call.axis != nullptr ? *call.axis : node_of(call, 0));
  if (!axis) return std::nullopt;
  if (*axis < 0 || *axis > 2) return fail(call.node, "a grid has axes 0, 1 and 2");
  return Tensor::of(std::get<Tensor>(*all).integers[static_cast<std::size_t>(*axis)]);
}

Evaluator::Result Evaluator::run_cdiv(Call& call) {
  const auto a = tensor_argument(call, 0);
  const auto b = a ? tensor_argument(call, 1) : std::nullopt;
  if (!b) return std::nullopt;
  auto negative = apply_unary(Operator::negate, *a);
  if (negative) negative = apply_binary(Operator::floor_divide, *negative, *b);
  if (negative) negative = apply_unary(Operator::negate, *negative);
  return take(call.node, std::move(negative));
}

Evaluator::Result Evaluator::run_iteration(Call& call) {
  std::string loop;
  if (call.count() == 1) {
    const Node& node = node_of(call, 0);
    if (node.kind != NodeKind::name) return fail(node, "iter() takes the variable of a loop");
    loop = node.text;
  }
  const auto iteration = scope_.iteration(loop);
  if (!iteration)
    return fail(call.node, loop.empty() ? "there is no loop here" : "there is no loop over '" + loop + "' here");
  return Tensor::of(*iteration);
}

Evaluator::Result Evaluator::run_length(Call& call) {
  const auto operand = argument(call, 0);
  if (!operand) return std::nullopt;
  if (const auto* text = std::get_if<std::string>(&*operand))
    return Tensor::of(static_cast<std::int64_t>(text->size()));
  const auto shape = shape_of(*operand);
  if (shape.empty()) return fail(call.node, "a single number has no length");
  return Tensor::of(shape[0]);
}

/// A window's pointer is that of its first element.
Evaluator::Result Evaluator::run_pointer(Call& call) {
  const auto operand = argument(call, 0);
  if (!operand) return std::nullopt;
  if (const auto* window = std::get_if<MemoryWindow>(&*operand)) {
    Tensor out = Tensor::like(ElementClass::pointer, ScalarKind::pointer, {});
    out.integers = {static_cast<std::int64_t>(window->base)};
    out.provenance = window->view;
    return out;
  }
  const auto* tensor = std::get_if<Tensor>(&*operand);
  if (tensor == nullptr || tensor->elements != ElementClass::pointer)
    return fail(node_of(call, 0), "this is no pointer");
  return *operand;
}

Evaluator::Result Evaluator::run_old(Call& call) {
  const std::int64_t uses = memory_uses_;
  const Age outer = age_;
  age_ = Age::before;
  auto made = argument(call, 0);
  age_ = outer;
  if (made && memory_uses_ == uses)
    return fail(call.node, "old() is about memory before the launch, and this reads none of an argument");
  return made;
}

std::optional<std::string> Evaluator::name_argument(Call& call) {
  const Node& node = node_of(call, 0);
  if (node.kind == NodeKind::name || node.kind == NodeKind::text) return node.text;
  return fail(node, "this must be a name");
}
Evaluator::Result Evaluator::run_reference(Call& call) {
  const auto name = name_argument(call);
  return name ? found(call.node, scope_.reference(*name)) : std::nullopt;
}
Evaluator::Result Evaluator::run_named_argument(Call& call) {
  const auto name = name_argument(call);
  if (!name) return std::nullopt;
  auto window = scope_.argument(*name);
  if (!window) return fail(call.node, "there is no argument '" + *name + "' with memory");
  return found(call.node, Value(std::move(*window)));
}

Evaluator::Result Evaluator::run_load(Call& call) {
  const auto pointers = tensor_argument(call, 0);
  if (!pointers) return std::nullopt;
  if (pointers->elements != ElementClass::pointer) return fail(node_of(call, 0), "load() wants pointers");
  std::optional<Tensor> mask;
  if (call.count() == 2 || call.mask != nullptr) {
    mask = call.count() == 2 ? tensor_argument(call, 1) : tensor(*call.mask);
    if (!mask) return std::nullopt;
    if (mask->shape != pointers->shape) return fail(call.node, "the mask has another shape than the pointers");
  }
  ++memory_uses_;
  const PointerPlace first =
      pointers->integers.empty()
          ? PointerPlace{}
          : scope_.place_of(static_cast<std::uint64_t>(pointers->integers[0]), pointers->provenance);
  const auto window = scope_.argument(first.argument);
  if (!window) return fail(call.node, "the pointers point into no argument");
  const auto size = static_cast<std::size_t>(size_bytes(window->kind));
  std::string bytes(pointers->integers.size() * size, '\0');
  for (std::size_t i = 0; i < pointers->integers.size(); ++i) {
    if (mask && mask->as_double(i) == 0) continue;
    if (!scope_.read(static_cast<std::uint64_t>(pointers->integers[i]), size, age_, bytes.data() + i * size))
      return fail(call.node, "pointer " + index_text(index_of(static_cast<std::int64_t>(i), pointers->shape)) +
                                 " points outside memory");
  }
  return take(call.node, decode_tensor(window->kind, pointers->shape, bytes));
}

}  // namespace lockstep::debugger
