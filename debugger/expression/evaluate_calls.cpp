// Evaluator: calls.
#include <algorithm>
#include <array>
#include <cmath>

#include "debugger/expression/evaluate.h"
#include "debugger/expression/evaluator.h"
#include "debugger/expression/reduce.h"

namespace lockstep::debugger {

namespace {

using Result = std::optional<Value>;
using Call = Evaluator::Call;

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

/// max(a, b, c) of single numbers, as in Python.
Result run_extreme_of_scalars(Evaluator& in, Call& call) {
  auto best = in.tensor_argument(call, 0);
  for (std::size_t i = 1; best && i < call.count(); ++i) {
    const auto next = in.tensor_argument(call, i);
    if (!next) return std::nullopt;
    auto picked = pick(call.name == "max", *best, *next);
    if (!picked) return in.fail(call.node, picked.error());
    best = std::move(*picked);
  }
  if (!best) return std::nullopt;
  return std::move(*best);
}

Result run_reduction(Evaluator& in, Call& call) {
  auto first = in.argument(call, 0);
  if (!first) return std::nullopt;
  const bool is_extreme = call.name == "min" || call.name == "max";
  if (is_extreme && call.count() > 1 && shape_of(*first).empty()) return run_extreme_of_scalars(in, call);
  if (call.count() > 2)
    return in.fail(call.node, "'" + call.name + "' of a tensor takes an axis: use maximum() for two tensors");
  if (call.count() == 2 && call.axis != nullptr) return in.fail(call.node, "the axis is given twice");
  const Node* axis_node = call.count() == 2 ? &in.node_of(call, 1) : call.axis;
  std::optional<std::int64_t> axis;
  if (axis_node != nullptr && axis_node->kind != NodeKind::none) {
    axis = in.integer(*axis_node);
    if (!axis) return std::nullopt;
  }
  const auto all = in.read(in.node_of(call, 0), std::move(*first));
  return all ? in.take(call.node, reduce(call.name, *all, axis)) : std::nullopt;
}

Result run_elementwise(Evaluator& in, Call& call) {
  const auto operand = in.tensor_argument(call, 0);
  return operand ? in.take(call.node, apply_function(call.name, *operand)) : std::nullopt;
}

Result run_where(Evaluator& in, Call& call) {
  const auto condition = in.tensor_argument(call, 0);
  if (!condition) return std::nullopt;
  if (call.count() == 1) return in.take(call.node, indices_of(*condition));
  if (call.count() == 2) return in.fail(call.node, "'where' takes 1 or 3 arguments");
  const auto a = in.tensor_argument(call, 1);
  const auto b = a ? in.tensor_argument(call, 2) : std::nullopt;
  return b ? in.take(call.node, select(*condition, *a, *b)) : std::nullopt;
}

Result run_pick(Evaluator& in, Call& call) {
  const auto a = in.tensor_argument(call, 0);
  const auto b = a ? in.tensor_argument(call, 1) : std::nullopt;
  return b ? in.take(call.node, pick(call.name == "maximum", *a, *b)) : std::nullopt;
}

Result run_bits(Evaluator& in, Call& call) {
  const auto operand = in.tensor_argument(call, 0);
  return operand ? in.take(call.node, bits_of(*operand)) : std::nullopt;
}

Result run_ulp(Evaluator& in, Call& call) {
  const auto a = in.tensor_argument(call, 0);
  const auto b = a ? in.tensor_argument(call, 1) : std::nullopt;
  return b ? in.take(call.node, ulp_distance(*a, *b)) : std::nullopt;
}

Result run_program_id(Evaluator& in, Call& call) {
  const bool is_id = call.name == "pid" || call.name == "program_id";
  const auto all = in.triple(call.node, is_id ? "pid" : "grid");
  if (!all) return std::nullopt;
  const auto axis = in.integer(call.axis != nullptr ? *call.axis : in.node_of(call, 0));
  if (!axis) return std::nullopt;
  if (*axis < 0 || *axis > 2) return in.fail(call.node, "a grid has axes 0, 1 and 2");
  return Tensor::of(std::get<Tensor>(*all).integers[static_cast<std::size_t>(*axis)]);
}

Result run_cdiv(Evaluator& in, Call& call) {
  const auto a = in.tensor_argument(call, 0);
  const auto b = a ? in.tensor_argument(call, 1) : std::nullopt;
  if (!b) return std::nullopt;
  auto negative = apply_unary(Operator::negate, *a);
  if (negative) negative = apply_binary(Operator::floor_divide, *negative, *b);
  if (negative) negative = apply_unary(Operator::negate, *negative);
  return in.take(call.node, std::move(negative));
}

Result run_iteration(Evaluator& in, Call& call) {
  std::string loop;
  if (call.count() == 1) {
    const Node& node = in.node_of(call, 0);
    if (node.kind != NodeKind::name) return in.fail(node, "iter() takes the variable of a loop");
    loop = node.text;
  }
  const auto iteration = in.scope().iteration(loop);
  if (!iteration)
    return in.fail(call.node, loop.empty() ? "there is no loop here" : "there is no loop over '" + loop + "' here");
  return Tensor::of(*iteration);
}

Result run_length(Evaluator& in, Call& call) {
  const auto operand = in.argument(call, 0);
  if (!operand) return std::nullopt;
  if (const auto* text = std::get_if<std::string>(&*operand))
    return Tensor::of(static_cast<std::int64_t>(text->size()));
  const auto shape = shape_of(*operand);
  if (shape.empty()) return in.fail(call.node, "a single number has no length");
  return Tensor::of(shape[0]);
}

/// A window's pointer is that of its first element.
Result run_pointer(Evaluator& in, Call& call) {
  const auto operand = in.argument(call, 0);
  if (!operand) return std::nullopt;
  if (const auto* window = std::get_if<MemoryWindow>(&*operand)) {
    Tensor out = Tensor::like(ElementClass::pointer, ScalarKind::pointer, {});
    out.integers = {static_cast<std::int64_t>(window->base)};
    out.provenance = window->view;
    return out;
  }
  const auto* tensor = std::get_if<Tensor>(&*operand);
  if (tensor == nullptr || tensor->elements != ElementClass::pointer)
    return in.fail(in.node_of(call, 0), "this is not a pointer");
  return *operand;
}

std::optional<std::string> name_argument(Evaluator& in, Call& call) {
  const Node& node = in.node_of(call, 0);
  if (node.kind == NodeKind::name || node.kind == NodeKind::text) return node.text;
  return in.fail(node, "this must be a name");
}

Result run_reference(Evaluator& in, Call& call) {
  const auto name = name_argument(in, call);
  return name ? in.found(call.node, in.scope().reference(*name)) : std::nullopt;
}

Result run_named_argument(Evaluator& in, Call& call) {
  const auto name = name_argument(in, call);
  if (!name) return std::nullopt;
  auto window = in.scope().argument(*name);
  if (!window) return in.fail(call.node, "there is no argument '" + *name + "' with memory");
  return in.found(call.node, Value(std::move(*window)));
}

Result run_load(Evaluator& in, Call& call) {
  const auto pointers = in.tensor_argument(call, 0);
  if (!pointers) return std::nullopt;
  if (pointers->elements != ElementClass::pointer) return in.fail(in.node_of(call, 0), "load() wants pointers");
  std::optional<Tensor> mask;
  if (call.count() == 2 || call.mask != nullptr) {
    mask = call.count() == 2 ? in.tensor_argument(call, 1) : in.tensor(*call.mask);
    if (!mask) return std::nullopt;
    if (mask->shape != pointers->shape) return in.fail(call.node, "the mask has another shape than the pointers");
  }
  const Age age = in.use_memory();
  const PointerPlace first =
      pointers->integers.empty()
          ? PointerPlace{}
          : in.scope().place_of(static_cast<std::uint64_t>(pointers->integers[0]), pointers->provenance);
  const auto window = in.scope().argument(first.argument);
  if (!window) return in.fail(call.node, "the pointers point into no argument");
  const auto size = static_cast<std::size_t>(size_bytes(window->kind));
  std::string bytes(pointers->integers.size() * size, '\0');
  for (std::size_t i = 0; i < pointers->integers.size(); ++i) {
    if (mask && mask->as_double(i) == 0) continue;
    if (!in.scope().read(static_cast<std::uint64_t>(pointers->integers[i]), size, age, bytes.data() + i * size))
      return in.fail(call.node, "pointer " + index_text(index_of(static_cast<std::int64_t>(i), pointers->shape)) +
                                    " points outside memory");
  }
  return in.take(call.node, decode_tensor(window->kind, pointers->shape, bytes));
}

Result run_old(Evaluator& in, Call& call) { return in.argument_before(call); }

struct Function {
  std::string_view name, signature, summary;
  std::size_t least, most;
  Result (*run)(Evaluator& in, Call& call);
  bool takes_axis = false, takes_mask = false;
};

constexpr Function kFunctions[] = {
    {"where", "where(condition, a, b)", "a where the condition holds, else b; where(condition): the indices", 1, 3,
     run_where},
    {"maximum", "maximum(a, b)", "the greater of two, element by element", 2, 2, run_pick},
    {"minimum", "minimum(a, b)", "the lesser of two, element by element", 2, 2, run_pick},
    {"bits", "bits(v)", "the bits of each element", 1, 1, run_bits},
    {"ulp", "ulp(a, b)", "how many numbers of the coarser format lie between", 2, 2, run_ulp},
    {"pid", "pid(axis)", "the program's id", 1, 1, run_program_id},
    {"program_id", "program_id(axis)", "the program's id", 1, 1, run_program_id, true},
    {"grid", "grid(axis)", "programs along an axis", 1, 1, run_program_id},
    {"num_programs", "num_programs(axis)", "programs along an axis", 1, 1, run_program_id, true},
    {"cdiv", "cdiv(a, b)", "the quotient rounded up", 2, 2, run_cdiv},
    {"iter", "iter(k)", "the iteration of the loop over k, from 0; iter(): of the innermost", 0, 1, run_iteration},
    {"len", "len(v)", "the first extent", 1, 1, run_length},
    {"ptr", "ptr(p)", "a pointer, with .argument, .index, .offset, .address, .inside", 1, 1, run_pointer},
    {"old", "old(e)", "e with the arguments' memory as it was before the launch", 1, 1, run_old},
    {"ref", "ref(\"c\")", "the reference's value of c", 1, 1, run_reference},
    {"arg", "arg(x)", "the argument x, even where the kernel reuses the name", 1, 1, run_named_argument},
    {"load", "load(p, mask)", "the memory that the pointers address, as it is now", 1, 2, run_load, false, true},
};

const Function* find_function(std::string_view name) {
  static const Function reduction = {"", "", "", 1, 2, run_reduction, true};
  static const Function extreme = {"", "", "", 1, 64, run_reduction, true};
  static const Function elementwise = {"", "", "", 1, 1, run_elementwise};
  for (const Function& row : kFunctions) {
    if (row.name == name) return &row;
  }
  if (name == "min" || name == "max") return &extreme;
  if (is_reduction(name)) return &reduction;
  return is_elementwise_function(name) ? &elementwise : nullptr;
}

}  // namespace

bool is_expression_function(std::string_view name) { return find_function(name) != nullptr; }

std::vector<FunctionHelp> expression_functions() {
  std::vector<FunctionHelp> all;
  for (const std::string_view name : reductions())
    all.push_back({name, std::string(name) + "(v, axis)", "of all elements, or along an axis"});
  for (const std::string_view name : elementwise_functions())
    all.push_back({name, std::string(name) + "(v)", "of each element"});
  for (const auto& row : kFunctions) all.push_back({row.name, std::string(row.signature), row.summary});
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
    return fail(callee, "this is not a function");
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
      fail(given, "'" + given.text + "' cannot be passed to '" + call.name + "'");
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
  return function->run(*this, *call);
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

/// The first argument, from memory before the launch.
Evaluator::Result Evaluator::argument_before(Call& call) {
  const std::int64_t uses = memory_uses_;
  const Age outer = age_;
  age_ = Age::before;
  auto made = argument(call, 0);
  age_ = outer;
  if (made && memory_uses_ == uses)
    return fail(call.node, "old() reads memory before the launch, and this expression reads no argument");
  return made;
}

}  // namespace lockstep::debugger
