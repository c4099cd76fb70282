#include "interpreter/plan/index_origin.h"

#include <algorithm>
#include <cstring>
#include <vector>

#include "interpreter/access/storage_copy.h"
#include "interpreter/launch/machine.h"
#include "ir/interfaces/lane_movement.h"
#include "ir/interfaces/op_kinds.h"
#include "ir/module.h"
#include "ir/op_def.h"
#include "memory_model/describe.h"

namespace lockstep::interpreter {

namespace {

constexpr int kMostOrigins = 200;
constexpr int kMaxSteps = 4000;

using Number = std::optional<std::int64_t>;

std::optional<ScalarKind> kind_of(const ir::Value& value) { return value.type().element().scalar_kind(); }

std::int64_t in_kind(ScalarKind kind, std::uint64_t bits) { return sign_extend(kind, truncate_bits(kind, bits)); }

Number divide(bool is_quotient, std::int64_t a, std::int64_t b) {
  if (b == 0 || (b == -1 && a == INT64_MIN)) return std::nullopt;
  return is_quotient ? a / b : a % b;
}

/// Unsigned arithmetic is not computed.
Number combine(const ir::OpDef& def, std::int64_t a, std::int64_t b) {
  using ir::Arithmetic;
  if (def.numbers != ir::Numbers::integers && def.numbers != ir::Numbers::with_sign) return std::nullopt;
  const auto x = static_cast<std::uint64_t>(a), y = static_cast<std::uint64_t>(b);
  switch (def.arithmetic) {
    case Arithmetic::sum: return static_cast<std::int64_t>(x + y);
    case Arithmetic::difference: return static_cast<std::int64_t>(x - y);
    case Arithmetic::product: return static_cast<std::int64_t>(x * y);
    case Arithmetic::quotient:
    case Arithmetic::remainder: return divide(def.arithmetic == Arithmetic::quotient, a, b);
    case Arithmetic::conjunction: return a & b;
    case Arithmetic::disjunction: return a | b;
    case Arithmetic::parity: return a ^ b;
    case Arithmetic::maximum: return std::max(a, b);
    case Arithmetic::minimum: return std::min(a, b);
    case Arithmetic::shift_left: return y < 64 ? Number(static_cast<std::int64_t>(x << y)) : std::nullopt;
    case Arithmetic::shift_right: return y < 64 ? Number(a >> y) : std::nullopt;
    default: return std::nullopt;
  }
}

bool is_integer_conversion(const ir::Op& op) {
  return op.def().arithmetic == ir::Arithmetic::conversion && !op.operand(0)->type().element().is_float() &&
         !op.result()->type().element().is_float();
}

/// Predicates in arith.cmpi's numbering: eq, ne, slt, sle, sgt, sge; the unsigned ones are not computed.
Number compare(std::int64_t predicate, std::int64_t a, std::int64_t b) {
  switch (predicate) {
    case 0: return a == b ? -1 : 0;
    case 1: return a != b ? -1 : 0;
    case 2: return a < b ? -1 : 0;
    case 3: return a <= b ? -1 : 0;
    case 4: return a > b ? -1 : 0;
    case 5: return a >= b ? -1 : 0;
    default: return std::nullopt;
  }
}

/// Computes single lanes of integers and pointers in the running program.
class LaneEvaluator {
 public:
  struct Loaded {
    const ir::Op* op = nullptr;
    std::int64_t lane = 0, value = 0;
    std::uint64_t address = 0;
  };

  /// `replaced`: a load whose value counts as 0.
  LaneEvaluator(const Machine& machine, const ir::Op* replaced) : machine_(machine), replaced_(replaced) {}
  Number evaluate(const ir::Value& value, std::int64_t lane, int depth = 0);
  /// The loaded numbers on the way.
  const std::vector<Loaded>& loads() const { return loads_; }

 private:
  Number argument(const ir::Value& value) const;
  Number constant(const ir::Op& op, std::int64_t lane) const;
  Number load(const ir::Op& op, std::int64_t lane, int depth);
  Number converted(const ir::Op& op, Number given) const;
  Number computed(const ir::Op& op, std::int64_t lane, int depth);

  const Machine& machine_;
  const ir::Op* replaced_;
  int steps_ = 0;
  std::vector<Loaded> loads_;
};

Number LaneEvaluator::argument(const ir::Value& value) const {
  const ir::Op* function = value.owner_block()->parent_op();
  const auto kind = kind_of(value);
  if (function == nullptr || !ir::is_function(*function) || ir::is_private(*function) || !kind) return {};
  const std::vector<Tile>& given = machine_.launch.arguments;
  if (value.owner_block() != &function->region().front() || value.index() >= given.size()) return {};
  if (is_float(*kind)) return {};
  return in_kind(*kind, given[value.index()].base);
}

Number LaneEvaluator::constant(const ir::Op& op, std::int64_t lane) const {
  const ir::Attribute value = op.attribute("value");
  const auto kind = kind_of(*op.result());
  if (!value || !kind || !is_integer(*kind)) return {};
  if (value.is_integer()) return value->integer;
  if (!value.is_dense()) return {};
  const auto size = static_cast<std::size_t>(size_bytes(*kind));
  const std::size_t at = value->is_splat ? 0 : static_cast<std::size_t>(lane) * size;
  std::uint64_t bits = 0;
  if (*kind == ScalarKind::i1 || at + size > value->data.size()) return {};
  std::memcpy(&bits, value->data.data() + at, size);
  return in_kind(*kind, bits);
}

Number LaneEvaluator::load(const ir::Op& op, std::int64_t lane, int depth) {
  const auto kind = kind_of(*op.result());
  if (!kind || !is_integer(*kind)) return {};
  const ir::Value* mask = op.operand_or_null(1);
  const Number is_on = mask != nullptr ? evaluate(*mask, lane, depth + 1) : Number(-1);
  if (!is_on) return {};
  if (*is_on == 0) {
    const ir::Value* other = op.operand_or_null(2);
    return other != nullptr ? evaluate(*other, lane, depth + 1) : Number(0);
  }
  const Number pointer = evaluate(*op.operand(0), lane, depth + 1);
  if (!pointer) return {};
  const auto address = static_cast<std::uint64_t>(*pointer);
  const auto size = static_cast<std::size_t>(size_bytes(*kind));
  const memory_model::AddressSpace& memory = *machine_.launch.memory;
  const auto storage = memory.find_storage(address);
  if (!storage || address + size > memory.storage(*storage).extent.end) return {};
  for (const memory_model::ViewId view : memory.views_of(*storage)) {
    const auto index = static_cast<std::size_t>(view.index);
    if (index < machine_.launch.views.size() && !machine_.launch.views[index].is_unwritten) return {};
  }
  std::uint64_t bits = 0;
  std::memcpy(&bits, bytes_at(address), size);
  const std::int64_t value = in_kind(*kind, bits);
  loads_.push_back({&op, lane, value, address});
  return &op == replaced_ ? 0 : value;
}

/// The value of an integer in another type.
Number LaneEvaluator::converted(const ir::Op& op, Number given) const {
  const auto from = kind_of(*op.operand(0));
  if (!given || !from) return {};
  switch (op.def().numbers) {
    case ir::Numbers::with_sign: return given;
    case ir::Numbers::without_sign:
      return static_cast<std::int64_t>(truncate_bits(*from, static_cast<std::uint64_t>(*given)));
    default: return in_kind(*kind_of(*op.result()), static_cast<std::uint64_t>(*given));
  }
}

Number LaneEvaluator::computed(const ir::Op& op, std::int64_t lane, int depth) {
  const auto operand = [&](std::size_t i) { return evaluate(*op.operand(i), lane, depth + 1); };
  const ScalarKind kind = *kind_of(*op.result());
  if (is_integer_conversion(op)) return converted(op, operand(0));
  if (ir::is_selection(op)) {
    const Number condition = evaluate(*op.operand(0), op.operand(0)->type().is_tensor() ? lane : 0, depth + 1);
    return condition ? operand(*condition != 0 ? 1 : 2) : std::nullopt;
  }
  if (op.operand_count() != 2) return {};
  const Number a = operand(0), b = operand(1);
  if (!a || !b) return {};
  if (ir::is_displacement(op)) {
    const auto element = op.result()->type().element().pointee().scalar_kind();
    if (!element) return {};
    const auto bytes = static_cast<std::uint64_t>(*b) * static_cast<std::uint64_t>(size_bytes(*element));
    return static_cast<std::int64_t>(static_cast<std::uint64_t>(*a) + bytes);
  }
  if (ir::is_integer_comparison(op)) return compare(op.integer_attribute("predicate", -1), *a, *b);
  const Number made = combine(op.def(), *a, *b);
  return made ? Number(in_kind(kind, static_cast<std::uint64_t>(*made))) : std::nullopt;
}

Number LaneEvaluator::evaluate(const ir::Value& value, std::int64_t lane, int depth) {
  if (depth > kMostOrigins || ++steps_ > kMaxSteps || !kind_of(value)) return {};
  const ir::Op* op = value.defining_op();
  if (op == nullptr) return argument(value);
  if (ir::moves_lanes(*op)) {
    const ir::LaneSource source = ir::lane_source(*op, value.index(), lane);
    return evaluate(*op->operand(source.operand), source.lane, depth + 1);
  }
  const auto axis = [&] { return static_cast<std::size_t>(op->integer_attribute("axis", 0)) % 3; };
  switch (op->def().origin) {
    case ir::Origin::constant: return constant(*op, lane);
    case ir::Origin::range: return op->integer_attribute("start", 0) + lane;
    case ir::Origin::program_id: return machine_.program->id[axis()];
    case ir::Origin::program_count: return machine_.launch.grid[axis()];
    default: break;
  }
  if (ir::is_pointer_load(*op)) return load(*op, lane, depth);
  return op->regions().empty() ? computed(*op, lane, depth) : std::nullopt;
}

std::string source_text(const Machine& machine, std::uint64_t address) {
  const memory_model::AddressSpace& memory = *machine.launch.memory;
  const auto storage = memory.find_storage(address);
  for (const memory_model::ViewId id : memory.views_of(*storage)) {
    const memory_model::View view = memory.view(id).completed();
    if (view.contains(address, 1)) return memory_model::element_text(view, address);
  }
  return memory.storage(*storage).name;
}

}  // namespace

std::optional<IndexOrigin> find_index_origin(const Machine& machine, const ir::Value& pointer, std::int64_t lane,
                                             std::uint64_t base, std::uint64_t address,
                                             const std::function<bool(std::uint64_t)>& is_inside) {
  LaneEvaluator whole(machine, nullptr);
  const Number found = whole.evaluate(pointer, lane);
  if (!found || static_cast<std::uint64_t>(*found) != address) return std::nullopt;
  for (const LaneEvaluator::Loaded& loaded : whole.loads()) {
    LaneEvaluator without(machine, loaded.op);
    const Number moved = without.evaluate(pointer, lane);
    if (!moved || !is_inside(static_cast<std::uint64_t>(*moved))) continue;
    if (is_inside(base + address - static_cast<std::uint64_t>(*moved))) continue;  // one step too far from a good row
    return IndexOrigin{loaded.op, loaded.value, source_text(machine, loaded.address)};
  }
  return std::nullopt;
}

}  // namespace lockstep::interpreter
