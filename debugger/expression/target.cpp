#include "debugger/expression/target.h"

#include <algorithm>
#include <cmath>

#include "debugger/expression/evaluator.h"
#include "debugger/expression/walk.h"
#include "memory_model/byte_runs.h"

namespace lockstep::debugger {
namespace {

constexpr std::size_t kMaxPieces = std::size_t{1} << 20;

/// Dimensions of one element and of stride 0 add no bytes; parts without a gap are one run.
MemoryWindow merge_runs(const MemoryWindow& window, std::int64_t& run) {
  MemoryWindow out = window;
  out.shape.clear();
  out.strides.clear();
  std::vector<std::size_t> order;
  for (std::size_t d = 0; d < window.shape.size(); ++d) {
    if (window.shape[d] != 1 && window.strides[d] != 0) order.push_back(d);
  }
  std::sort(order.begin(), order.end(),
            [&](std::size_t a, std::size_t b) { return std::abs(window.strides[a]) < std::abs(window.strides[b]); });
  run = 1;
  bool is_joined = true;
  for (const std::size_t d : order) {
    std::int64_t stride = window.strides[d];
    if (stride < 0) {
      out.base += static_cast<std::uint64_t>((window.shape[d] - 1) * stride * size_bytes(window.kind));
      stride = -stride;
    }
    is_joined = is_joined && stride == run;
    if (is_joined) {
      run *= window.shape[d];
      continue;
    }
    out.shape.insert(out.shape.begin(), window.shape[d]);
    out.strides.insert(out.strides.begin(), stride);
  }
  return out;
}

class Resolver {
 public:
  Resolver(const Expression& expression, const Scope& scope)
      : expression_(expression), scope_(scope), evaluator_(expression, scope) {}

  Expected<Target, ExpressionError> resolve() {
    const Node& root = expression_.root();
    const Node& base = root.kind == NodeKind::index ? expression_.node(root.children[0]) : root;
    if (base.kind == NodeKind::name) {
      auto variable = scope_.find(base.text);
      if (variable && !*variable) return fail(base, variable->error());
      const auto* tensor = variable ? std::get_if<Tensor>(&**variable) : nullptr;
      const bool is_memory = tensor != nullptr && &root != &base && tensor->is_scalar() &&
                             tensor->elements == ElementClass::pointer && scope_.argument(base.text);
      if (tensor != nullptr && !is_memory) return variable_target(base.text, *tensor, root);
    }
    auto value = evaluator_.value(root);
    if (!value) return Unexpected{evaluator_.error()};
    if (auto* window = std::get_if<MemoryWindow>(&*value)) return memory_target(std::move(*window), root);
    if (const auto* tensor = std::get_if<Tensor>(&*value);
        tensor != nullptr && tensor->elements == ElementClass::pointer && base.kind == NodeKind::call)
      return pointer_target(*tensor, root);
    return fail(root, "only a variable, an argument or its elements can be watched or set");
  }

 private:
  Unexpected<ExpressionError> fail(const Node& node, std::string message) const {
    return {ExpressionError{std::move(message), node.begin, node.end}};
  }

  Expected<Target, ExpressionError> memory_target(MemoryWindow window, const Node& node) const {
    if (window.age != Age::now) return fail(node, "the past cannot be watched or set");
    auto bytes = bytes_of(window);
    if (!bytes) return fail(node, bytes.error());
    Target target;
    target.text = expression_.text();
    target.is_memory = true;
    target.window = std::move(window);
    target.bytes = std::move(*bytes);
    return target;
  }

  Expected<Target, ExpressionError> variable_target(const std::string& name, const Tensor& value, const Node& root) {
    Target target;
    target.text = expression_.text();
    target.variable = name;
    target.shape = value.shape;
    Selection part = whole(value.shape);
    if (root.kind == NodeKind::index) {
      const auto subscripts = evaluator_.subscripts(root);
      if (!subscripts) return Unexpected{evaluator_.error()};
      auto selected = select_part(part, *subscripts);
      if (!selected) return fail(root, selected.error());
      part = std::move(*selected);
    }
    target.elements = offsets_of(part);
    target.part = part.shape;
    return target;
  }

  /// The memory behind ptr(p)[5].
  Expected<Target, ExpressionError> pointer_target(const Tensor& pointers, const Node& root) const {
    if (pointers.count() != 1) return fail(root, "only one pointer at a time can be followed");
    const auto address = static_cast<std::uint64_t>(pointers.integers[0]);
    const PointerPlace place = scope_.place_of(address, pointers.provenance);
    auto window = scope_.argument(place.argument);
    if (!window || !place.is_inside) return fail(root, "the pointer points into no argument");
    window->base = address;
    window->shape.clear();
    window->strides.clear();
    return memory_target(std::move(*window), root);
  }

  const Expression& expression_;
  const Scope& scope_;
  Evaluator evaluator_;
};

}  // namespace

Expected<std::vector<memory_model::Extent>, std::string> bytes_of(const MemoryWindow& window) {
  std::vector<memory_model::Extent> extents;
  if (window.count() == 0) return extents;
  std::int64_t run = 1;
  const std::int64_t size = size_bytes(window.kind);
  const MemoryWindow runs = merge_runs(window, run);
  if (runs.count() > static_cast<std::int64_t>(kMaxPieces))
    return Unexpected{std::string("this covers more than 1048576 pieces of memory")};
  walk<1>(runs.shape, {runs.strides}, [&](const std::array<std::int64_t, 1>& at) {
    const std::uint64_t begin = runs.base + static_cast<std::uint64_t>(at[0] * size);
    extents.push_back({begin, begin + static_cast<std::uint64_t>(run * size)});
    return true;
  });
  memory_model::join_runs(extents);
  return extents;
}

Expected<Target, ExpressionError> resolve_target(const Expression& expression, const Scope& scope) {
  return Resolver(expression, scope).resolve();
}

}  // namespace lockstep::debugger
