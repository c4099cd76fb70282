// The dependences of an expression, by its text alone.
#include <algorithm>
#include <array>

#include "debugger/expression/elementwise.h"
#include "debugger/expression/evaluate.h"
#include "debugger/expression/reduce.h"

namespace lockstep::debugger {
namespace {

constexpr std::array<std::string_view, 13> kPureFunctions = {"where", "maximum",    "minimum", "bits",         "ulp",
                                                             "pid",   "program_id", "grid",    "num_programs", "cdiv",
                                                             "len",   "min",        "max"};
constexpr std::array<std::string_view, 6> kProgramNames = {"pid", "grid", "program", "inf", "nan", "pi"};

template <typename Names>
bool contains(const Names& names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

class Dependence {
 public:
  Dependence(const Expression& expression, const Scope& names) : expression_(expression), names_(names) {}

  bool is_of_program(const Node& node) const {
    if (node.kind == NodeKind::name) return is_program_name(node.text);
    std::size_t first = 0;
    if (node.kind == NodeKind::call) {
      const Node& callee = expression_.node(node.children[0]);
      const bool is_pure =
          callee.kind == NodeKind::name &&
          (contains(kPureFunctions, callee.text) || is_reduction(callee.text) || is_elementwise_function(callee.text));
      if (!is_pure) return false;
      first = 1;
    } else if (node.kind == NodeKind::index) {
      const Node& base = expression_.node(node.children[0]);
      if (base.kind == NodeKind::name && is_launch(base.text)) first = 1;
    }
    return std::all_of(node.children.begin() + static_cast<std::ptrdiff_t>(first), node.children.end(),
                       [&](NodeId id) { return id == kNoNode || is_of_program(expression_.node(id)); });
  }

 private:
  bool is_program_name(std::string_view name) const {
    if (names_.program_axis(name)) return true;
    return contains(kProgramNames, name) && !names_.has_variable(name);
  }
  /// pid[0] and grid[0], unless a variable could be a tile.
  bool is_launch(std::string_view name) const {
    return (name == "pid" || name == "grid") && (!names_.has_variable(name) || names_.program_axis(name));
  }

  const Expression& expression_;
  const Scope& names_;
};

}  // namespace

bool depends_only_on_program(const Expression& expression, const Scope& names) {
  return Dependence(expression, names).is_of_program(expression.root());
}

}  // namespace lockstep::debugger
