#include "interpreter/apart/kernel_numbers.h"

#include <optional>

#include "interpreter/apart/array_range.h"
#include "interpreter/launch/machine.h"
#include "ir/interfaces/constants.h"
#include "ir/interfaces/op_kinds.h"
#include "ir/interfaces/region_branch.h"
#include "ir/op_def.h"

namespace lockstep::interpreter::apart {

namespace {

constexpr int kMaxDepth = 200;
/// A longer array is not read: that takes as long as the answer may.
constexpr std::uint64_t kMostArrayBytes = std::uint64_t{1} << 16;

}  // namespace

// ---- once ----

KernelNumbers::KernelNumbers(const ir::Op& kernel, const std::vector<PlainAccess>& accesses) : kernel_(kernel) {
  for (const PlainAccess& access : accesses) {
    const PointerSet& memory = access.memory;
    if (access.is_write || memory.is_unknown || memory.arguments.size() != 1) continue;
    if (ir::is_pointer_load(*access.op) && !is_volatile_load(*access.op))
      argument_of_load_.emplace(access.op, *memory.arguments.begin());
  }
}

KernelNumbers::Index KernelNumbers::add(const Node& node) {
  nodes_.push_back(node);
  Node& added = nodes_.back();
  const bool is_leaf = node.operand[0] < 0;
  if (!is_leaf) added.is_fixed = true;
  for (const Index operand : node.operand) {
    if (operand < 0) continue;
    added.is_fixed = added.is_fixed && nodes_[at(operand)].is_fixed;
    added.depends_on_program = added.depends_on_program || nodes_[at(operand)].depends_on_program;
  }
  if (node.kind == Kind::counter || node.kind == Kind::loaded) added.is_fixed = false;
  return static_cast<Index>(nodes_.size() - 1);
}

KernelNumbers::Index KernelNumbers::constant(std::int64_t value) {
  Node node;
  node.kind = Kind::given;
  node.range = {value, value};
  node.is_fixed = true;
  return add(node);
}

KernelNumbers::Index KernelNumbers::find(const ir::Value& value, int depth) {
  if (const auto known = known_.find(&value); known != known_.end()) return known->second;
  const Index number = add(made(value, depth));
  known_.emplace(&value, number);
  return number;
}

KernelNumbers::Node KernelNumbers::made(const ir::Value& value, int depth) {
  Node node;
  const auto kind = value.type().element().scalar_kind();
  if (!kind || !is_integer(*kind) || depth > kMaxDepth) return node;
  node.type = *kind;
  if (value.defining_op() != nullptr) return value.index() == 0 ? made_by(*value.defining_op(), node, depth) : node;
  const ir::Op* around = value.owner_block()->parent_op();
  if (around == &kernel_ && value.owner_block() == &kernel_.region().front()) {
    node.kind = Kind::argument;
    node.index = value.index();
    node.is_fixed = true;
  } else if (around != nullptr && ir::is_counted_loop(*around) && ir::is_induction_variable(value)) {
    return counter(*around, node, depth);
  }
  return node;
}

KernelNumbers::Node KernelNumbers::counter(const ir::Op& loop, Node node, int depth) {
  node.kind = Kind::counter;
  node.is_unsigned = static_cast<bool>(loop.attribute("unsignedCmp"));
  for (std::size_t i = 0; i < 3; ++i) node.operand[i] = find(*loop.operand(i), depth + 1);
  return node;
}

KernelNumbers::Node KernelNumbers::loaded(const ir::Op& load, Node node, int depth) {
  const auto argument = argument_of_load_.find(&load);
  if (argument == argument_of_load_.end() || bit_width(node.type) < 32) return node;
  node.kind = Kind::loaded;
  for (; node.index < arrays_.size(); ++node.index) {
    const Array& known = arrays_[node.index];
    if (known.argument == argument->second && known.kind == node.type) break;
  }
  if (node.index == arrays_.size()) arrays_.push_back({argument->second, node.type});
  const int other = load.def().access.other;
  const ir::Value* masked_off = other < 0 ? nullptr : load.operand_or_null(static_cast<std::size_t>(other));
  if (masked_off != nullptr) node.operand[0] = find(*masked_off, depth + 1);
  return node;
}

KernelNumbers::Node KernelNumbers::made_by(const ir::Op& op, Node node, int depth) {
  const auto take = [&](Kind kind, const ir::Value* a, const ir::Value* b = nullptr) {
    node.kind = kind;
    node.operand[0] = find(*a, depth + 1);
    if (b != nullptr) node.operand[1] = find(*b, depth + 1);
    return node;
  };
  const auto give = [&](const Range& range) {
    node.kind = Kind::given;
    node.range = range;
    node.is_fixed = range.is_one();
    return node;
  };
  if (ir::is_constant(op)) {
    const auto bits = ir::constant_bits(op.attribute("value"));
    if (!bits) return node;
    const Wide number = sign_extend(node.type, *bits);
    return give({number, number});
  }
  if (ir::is_range(op)) return give({op.integer_attribute("start", 0), op.integer_attribute("end", 0) - 1});
  if (ir::is_program_id(op) || op.def().origin == ir::Origin::program_count) {
    node.depends_on_program = ir::is_program_id(op);
    node.kind = node.depends_on_program ? Kind::program_id : Kind::program_count;
    node.is_fixed = !node.depends_on_program;
    node.index = static_cast<std::size_t>(op.integer_attribute("axis", 0)) % 3;
    return node;
  }
  if (ir::is_pointer_load(op)) return loaded(op, node, depth);
  if (ir::reshapes(op) || ir::keeps_signed_integer(op)) return take(Kind::copy, op.operand(0));
  if (ir::extends_without_sign(op)) return take(Kind::unsigned_copy, op.operand(0));
  if (ir::is_selection(op)) return take(Kind::choice, op.operand(1), op.operand(2));
  if (ir::is_choice(op)) {
    const auto given = ir::incoming_values(*op.result());
    return given.size() == 2 ? take(Kind::choice, given[0], given[1]) : node;
  }
  const bool is_binary = op.operand_count() == 2 && op.result_count() == 1 && op.regions().empty() &&
                         op.def().numbers != ir::Numbers::floats && op.def().arithmetic != ir::Arithmetic::none;
  if (!is_binary || op.operand(0)->type() != op.result()->type()) return node;
  node.what = ir::calculation(op);
  return take(Kind::binary, op.operand(0), op.operand(1));
}

// ---- in a launch ----

Range KernelNumbers::range_of(const Node& node, const Source& source, bool& wraps) {
  const Launch& launch = source.launch;
  const auto operand = [&](std::size_t i) -> const Range& { return source.values[node.operand[i]]; };
  const auto fitted = [&](const std::optional<Range>& exact) {
    wraps = !exact || !exact->is_within(full_range(node.type));
    return wraps ? full_range(node.type) : *exact;
  };
  switch (node.kind) {
    case Kind::given: return node.range;
    case Kind::argument: {
      const Wide number = sign_extend(node.type, launch.arguments[node.index].base);
      return {number, number};
    }
    case Kind::program_id: return {0, launch.grid[node.index] - 1};
    case Kind::program_count: return {launch.grid[node.index], launch.grid[node.index]};
    case Kind::binary: return fitted(binary_range(node.what, operand(0), operand(1), node.type));
    case Kind::copy: return fitted(operand(0));
    case Kind::unsigned_copy: {
      const Range& given = operand(0);
      return fitted(given.low >= 0 ? std::optional(given) : std::nullopt);
    }
    case Kind::choice: return fitted(hull(operand(0), operand(1)));
    case Kind::counter: return counter_range(operand(0), operand(1), operand(2), node.type, node.is_unsigned);
    case Kind::loaded: {
      const Range& held = source.arrays[node.index];
      return node.operand[0] < 0 ? held : hull(held, operand(0));
    }
    case Kind::anything: break;
  }
  wraps = true;
  return full_range(node.type);
}

std::vector<Range> KernelNumbers::arrays_in(const Launch& launch) const {
  std::vector<Range> ranges;
  ranges.reserve(arrays_.size());
  for (const Array& array : arrays_) {
    Range& range = ranges.emplace_back(full_range(array.kind));
    const std::int32_t provenance = launch.arguments[array.argument].provenance;
    if (provenance < 0 || !launch.views[static_cast<std::size_t>(provenance)].is_unwritten) continue;
    const memory_model::View& view = launch.memory->view(memory_model::ViewId{provenance});
    const ViewRange& reach = launch.views[static_cast<std::size_t>(provenance)];
    const auto size = static_cast<std::uint64_t>(size_bytes(array.kind));
    const std::uint64_t begin = reach.begin + (view.base - reach.begin) % size;
    if (view.element != array.kind || begin >= reach.end || reach.end - begin > kMostArrayBytes) continue;
    range = range_of_array(reinterpret_cast<const char*>(begin), (reach.end - begin) / size, array.kind);
  }
  return ranges;
}

std::vector<Range> KernelNumbers::any_arrays() const {
  std::vector<Range> ranges;
  for (const Array& array : arrays_) ranges.push_back(full_range(array.kind));
  return ranges;
}

KernelNumbers::Values KernelNumbers::in_launch(const Launch& launch, const std::vector<Range>& arrays) const {
  Values values;
  values.ranges.reserve(nodes_.size());
  values.wraps.reserve(nodes_.size());
  for (const Node& node : nodes_) {
    bool wraps = false;
    values.ranges.push_back(range_of(node, {launch, arrays, values}, wraps));
    values.wraps.push_back(wraps);
  }
  return values;
}

}  // namespace lockstep::interpreter::apart
