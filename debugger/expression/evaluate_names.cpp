// Evaluator: names and attributes.
#include <algorithm>
#include <array>
#include <limits>
#include <numbers>

#include "debugger/expression/evaluate.h"
#include "debugger/expression/evaluator.h"
#include "debugger/expression/reduce.h"

namespace lockstep::debugger {
namespace {

constexpr std::array<std::string_view, 7> kModules = {"tl", "triton", "math", "np", "numpy", "torch", "libdevice"};

bool is_triple(std::string_view name) { return name == "pid" || name == "grid"; }

std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t above = row[j];
      row[j] = std::min({above + 1, row[j - 1] + 1, diagonal + (a[i - 1] == b[j - 1] ? 0 : 1)});
      diagonal = above;
    }
  }
  return row[b.size()];
}

}  // namespace

std::string nearest_name(std::string_view name, const std::vector<std::string>& candidates) {
  std::string best;
  std::size_t least = name.size() / 3 + 2;  // more changes than this are another name
  if (name.size() > 64) return best;
  for (const std::string& candidate : candidates) {
    if (candidate.size() > 64) continue;
    const std::size_t distance = edit_distance(name, candidate);
    if (distance >= least || distance >= std::max(name.size(), candidate.size())) continue;
    least = distance;
    best = candidate;
  }
  return best;
}

const std::vector<std::string_view>& expression_attributes() {
  static const std::vector<std::string_view> names = {
      "shape", "dtype", "ndim", "size", "strides", "data_ptr", "index",  "argument", "address", "offset", "inside",
      "any",   "all",   "sum",  "min",  "max",     "mean",     "argmin", "argmax",   "std",     "count"};
  return names;
}

std::optional<Scope::Found> ProgramScope::find(std::string_view name) const {
  const auto axis = names_.program_axis(name);
  if (!axis) return std::nullopt;
  return Found(Value(Tensor::of(program_[static_cast<std::size_t>(*axis)])));
}

namespace {

std::optional<Value> well_known(std::string_view name) {
  if (name == "inf") return Tensor::of(std::numeric_limits<double>::infinity());
  if (name == "nan") return Tensor::of(std::numeric_limits<double>::quiet_NaN());
  if (name == "pi") return Tensor::of(std::numbers::pi);
  return std::nullopt;
}

/// The index of a pointer: a number where the argument has one dimension, else one for each; tiles have that as their
/// last dimension.
std::optional<Value> index_attribute(Evaluator& in, const Node& node, const Tensor& pointers,
                                     const std::vector<PointerPlace>& places) {
  const std::size_t rank = places.empty() ? 1 : places[0].index.size();
  Tensor out = Tensor::like(ElementClass::integer, ScalarKind::i64, pointers.shape);
  for (std::size_t i = 0; i < places.size(); ++i) {
    const PointerPlace& place = places[i];
    const std::string at =
        pointers.is_scalar() ? "" : " " + index_text(index_of(static_cast<std::int64_t>(i), pointers.shape));
    if (place.argument.empty()) return in.fail(node, "the pointer" + at + " points into no argument");
    if (place.index.size() != rank || rank == 0) return in.fail(node, "the pointer" + at + " has no index");
    out.integers.insert(out.integers.end(), place.index.begin(), place.index.end());
  }
  if (rank != 1) out.shape.push_back(static_cast<std::int64_t>(rank));
  if (!in.spend(node, out.count())) return std::nullopt;
  return out;
}

std::optional<Value> pointer_attribute(Evaluator& in, const Node& node, const Tensor& pointers) {
  Tensor out = Tensor::like(ElementClass::integer, ScalarKind::i64, pointers.shape);
  if (node.text == "address") {
    out.integers = pointers.integers;
    out.is_hex = true;
    return out;
  }
  std::vector<PointerPlace> places;
  places.reserve(pointers.integers.size());
  for (const std::int64_t address : pointers.integers)
    places.push_back(in.scope().place_of(static_cast<std::uint64_t>(address), pointers.provenance));
  if (node.text == "index") return index_attribute(in, node, pointers, places);
  if (node.text == "argument") {
    if (places.empty()) return in.fail(node, "there is no pointer");
    for (const PointerPlace& place : places) {
      if (place.argument != places[0].argument)
        return in.fail(node, "they point into several arguments: take one of them");
    }
    return places[0].argument.empty() ? Value(Nothing{}) : Value(places[0].argument);
  }
  if (node.text != "offset" && node.text != "inside") return in.fail(node, "a pointer has no '" + node.text + "'");
  const bool asks_inside = node.text == "inside";
  if (asks_inside) {
    out.elements = ElementClass::boolean;
    out.kind = ScalarKind::i1;
  }
  for (const PointerPlace& place : places) {
    if (place.argument.empty() && !asks_inside) return in.fail(node, "a pointer points into no argument");
    out.integers.push_back(asks_inside ? std::int64_t{place.is_inside} : place.offset);
  }
  return out;
}

}  // namespace

Evaluator::Result Evaluator::found(const Node& node, Scope::Found value) {
  if (!value) return fail(node, value.error());
  if (auto* window = std::get_if<MemoryWindow>(&*value)) {
    window->age = age_;
    ++memory_uses_;
  } else if (const auto* tensor = std::get_if<Tensor>(&*value); tensor != nullptr && !spend(node, tensor->count())) {
    return std::nullopt;
  }
  return std::move(*value);
}

/// pid, grid: three numbers; program: one.
Evaluator::Result Evaluator::triple(const Node& node, std::string_view name) {
  const auto grid = scope_.grid();
  if (name == "grid") return Tensor::row({grid.begin(), grid.end()});
  const auto id = scope_.program_id();
  if (!id) return fail(node, "no program stands anywhere");
  if (name == "pid") return Tensor::row({id->begin(), id->end()});
  return Tensor::of((*id)[0] + grid[0] * ((*id)[1] + grid[1] * (*id)[2]));
}

Evaluator::Result Evaluator::name(const Node& node) {
  if (auto variable = scope_.find(node.text)) return found(node, std::move(*variable));
  if (is_triple(node.text) || node.text == "program") return triple(node, node.text);
  if (auto constant = well_known(node.text)) return constant;
  if (auto window = scope_.argument(node.text)) return found(node, Value(std::move(*window)));
  if (is_module(node)) return fail(node, "'" + node.text + "' is not a value");
  if (is_expression_function(node.text)) return fail(node, "'" + node.text + "' is a function: call it with parentheses");
  const std::string near = nearest_name(node.text, scope_.names());
  return fail(node, "there is no '" + node.text + "' here" + (near.empty() ? "" : "; did you mean '" + near + "'?"));
}

/// pid[0] is the program's id even if the kernel keeps a number in `pid`, and out[3] an element of the argument even if
/// the kernel advanced the pointer.
Evaluator::Result Evaluator::base_of_index(const Node& node) {
  if (node.kind != NodeKind::name) return value(node);
  auto variable = scope_.find(node.text);
  if (is_triple(node.text)) {
    const bool is_tile = variable && *variable && !shape_of(**variable).empty();
    return is_tile ? found(node, std::move(*variable)) : triple(node, node.text);
  }
  const auto* tensor = variable && *variable ? std::get_if<Tensor>(&**variable) : nullptr;
  if (tensor != nullptr && tensor->is_scalar() && tensor->elements == ElementClass::pointer) {
    if (auto window = scope_.argument(node.text)) return found(node, Value(std::move(*window)));
  }
  return value(node);
}

bool Evaluator::is_module(const Node& node) const {
  return node.kind == NodeKind::name && std::find(kModules.begin(), kModules.end(), node.text) != kModules.end() &&
         !scope_.has_variable(node.text);
}

Evaluator::Result Evaluator::attribute(const Node& node) {
  const Node& of = child(node, 0);
  if (is_module(of)) {
    if (auto constant = well_known(node.text)) return constant;
    if (const auto kind = parse_scalar_kind(node.text)) return std::string(spelling(*kind));
    return fail(node, "'" + of.text + "." + node.text + "' is not a value");
  }
  const auto base = value(of);
  return base ? attribute_of(node, *base) : std::nullopt;
}

Evaluator::Result Evaluator::attribute_of(const Node& node, const Value& value) {
  const std::string& name = node.text;
  const auto* window = std::get_if<MemoryWindow>(&value);
  const auto* tensor = std::get_if<Tensor>(&value);
  if (window == nullptr && tensor == nullptr) return fail(node, "this has no '" + name + "'");
  const std::vector<std::int64_t> shape = shape_of(value);
  if (name == "shape") return Tensor::row(shape);
  if (name == "ndim") return Tensor::of(static_cast<std::int64_t>(shape.size()));
  if (name == "size" || name == "numel") return Tensor::of(element_count(shape));
  if (name == "dtype") return std::string(spelling(window != nullptr ? window->kind : tensor->kind));
  if (window != nullptr) {
    if (name == "strides") return Tensor::row(window->strides);
    if (name == "data_ptr" || name == "address") return Tensor::of(static_cast<std::int64_t>(window->base));
  }
  if (is_reduction(name)) {
    const auto all = read(node, value);
    return all ? take(node, reduce(name, *all, std::nullopt)) : std::nullopt;
  }
  if (tensor != nullptr && tensor->elements == ElementClass::pointer) return pointer_attribute(*this, node, *tensor);
  std::vector<std::string> names(expression_attributes().begin(), expression_attributes().end());
  const std::string near = nearest_name(name, names);
  return fail(node,
              "there is no attribute '" + name + "' of this" + (near.empty() ? "" : "; did you mean '" + near + "'?"));
}

}  // namespace lockstep::debugger
