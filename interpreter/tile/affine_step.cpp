#include "interpreter/tile/affine_step.h"

#include <algorithm>

#include "interpreter/plan/structure_step.h"

namespace lockstep::interpreter {

namespace {

using Rule = Elementwise::Rule;
using kernels::CompareInt;

static_assert(static_cast<int>(Form::uniform) == 0 && static_cast<int>(Form::affine) == 1);

bool are_affine(const Tile& a, const Tile& b) { return (static_cast<int>(a.form) | static_cast<int>(b.form)) <= 1; }

/// 64-bit arithmetic that remembers whether it wrapped. Numbers of kinds of at most 32 bits (and the steps between
/// them) are too small to wrap: then it checks nothing.
template <bool is_narrow>
class Arithmetic {
 public:
  std::int64_t add(std::int64_t a, std::int64_t b) {
    if constexpr (is_narrow) return a + b;
    std::int64_t out = 0;
    wraps_ |= __builtin_add_overflow(a, b, &out);
    return out;
  }
  std::int64_t subtract(std::int64_t a, std::int64_t b) {
    if constexpr (is_narrow) return a - b;
    std::int64_t out = 0;
    wraps_ |= __builtin_sub_overflow(a, b, &out);
    return out;
  }
  std::int64_t multiply(std::int64_t a, std::int64_t b) {
    if constexpr (is_narrow) return a * b;
    std::int64_t out = 0;
    wraps_ |= __builtin_mul_overflow(a, b, &out);
    return out;
  }
  bool wraps() const { return wraps_; }

 private:
  bool wraps_ = false;
};

/// base + sum(stride[d] * i_d), and the ends of its values.
template <std::size_t rank, bool is_narrow>
struct Line {
  Arithmetic<is_narrow> arithmetic;
  std::int64_t base, lowest, highest;
  std::array<std::int64_t, rank> stride;

  void find_ends(const AffineLimits& limits) {
    lowest = highest = base;
    for (std::size_t d = 0; d < rank; ++d) {
      const std::int64_t span = arithmetic.multiply(stride[d], limits.last[d]);
      lowest = arithmetic.add(lowest, std::min<std::int64_t>(span, 0));
      highest = arithmetic.add(highest, std::max<std::int64_t>(span, 0));
    }
  }
};

/// The value at index 0; the affine form has it extended already.
std::int64_t base_of(const Tile& tile, const AffineLimits& limits) {
  return static_cast<std::int64_t>(tile.base << limits.shift) >> limits.shift;
}

/// False: a value leaves the kind. `out` holds no count.
template <std::size_t rank, bool is_narrow>
bool write_line(const Line<rank, is_narrow>& line, const AffineLimits& limits, Tile& out) {
  if (line.arithmetic.wraps() || line.lowest < limits.lowest || line.highest > limits.highest) return false;
  out.provenance = -1;
  out.form = Form::affine;
  out.base = static_cast<std::uint64_t>(line.base);
  if (line.lowest == line.highest) {
    out.form = Form::uniform;
    out.base &= limits.result_mask;
  }
  for (std::size_t d = 0; d < rank; ++d) out.stride[d] = line.stride[d];
  return true;
}

template <bool subtracts, std::size_t rank, bool is_narrow>
bool apply_sum(const AffineLimits& limits, const Tile& a, const Tile& b, Tile& out) {
  Line<rank, is_narrow> line;
  const auto join = [&](std::int64_t x, std::int64_t y) {
    return subtracts ? line.arithmetic.subtract(x, y) : line.arithmetic.add(x, y);
  };
  line.base = join(base_of(a, limits), base_of(b, limits));
  for (std::size_t d = 0; d < rank; ++d) line.stride[d] = join(a.stride[d], b.stride[d]);
  line.find_ends(limits);
  return write_line(line, limits, out);
}

/// The ends of the product are products of ends, which fit if the numbers are narrow; then its steps fit, too.
template <std::size_t rank, bool is_narrow>
bool apply_product(const AffineLimits& limits, const Tile& a, const Tile& b, Tile& out) {
  const bool is_first = a.form == Form::uniform;
  if (!is_first && b.form != Form::uniform) return false;
  const std::int64_t factor = base_of(is_first ? a : b, limits);
  const Tile& other = is_first ? b : a;
  Line<rank, is_narrow> line;
  line.base = base_of(other, limits);
  for (std::size_t d = 0; d < rank; ++d) line.stride[d] = other.stride[d];
  line.find_ends(limits);
  const std::int64_t first = line.arithmetic.multiply(line.lowest, factor);
  const std::int64_t last = line.arithmetic.multiply(line.highest, factor);
  line.base = line.arithmetic.multiply(line.base, factor);
  for (std::size_t d = 0; d < rank; ++d) line.stride[d] = line.arithmetic.multiply(line.stride[d], factor);
  line.lowest = std::min(first, last);
  line.highest = std::max(first, last);
  return write_line(line, limits, out);
}

template <std::size_t rank, bool is_narrow>
bool apply_convert(const AffineLimits& limits, const Tile& a, Tile& out) {
  Line<rank, is_narrow> line;
  line.base = base_of(a, limits);
  for (std::size_t d = 0; d < rank; ++d) line.stride[d] = a.stride[d];
  line.find_ends(limits);
  return write_line(line, limits, out);
}

template <std::size_t rank>
void write_truth(Tile& out, bool truth) {
  out.form = Form::uniform;
  out.provenance = -1;
  out.base = truth ? 1 : 0;
  for (std::size_t d = 0; d < rank; ++d) out.stride[d] = 0;
}

/// distance / step, for steps that are mostly 1.
std::uint64_t steps_in(std::uint64_t distance, std::uint64_t step) { return step == 1 ? distance : distance / step; }

/// The box of the indices at which a line is negative, if it is negative somewhere but not everywhere.
template <std::size_t rank, bool is_narrow>
[[gnu::always_inline]] inline bool write_negative(const Line<rank, is_narrow>& line, const AffineLimits& limits,
                                                  Tile& out) {
  std::int64_t step = line.stride[0];
  for (std::size_t d = 1; d < rank; ++d) {
    if (step != 0 && line.stride[d] != 0) return false;
    step |= line.stride[d];
  }
  const auto size = static_cast<std::uint64_t>(step), base = static_cast<std::uint64_t>(line.base);
  const bool rises = step > 0;
  const auto change = static_cast<std::int64_t>(rises ? steps_in(~base, size) : steps_in(base, 0 - size)) + 1;
  out.form = Form::box;
  out.provenance = -1;
  out.base = 0;
  for (std::size_t d = 0; d < rank; ++d) {
    const std::int64_t end = limits.last[d] + 1;
    if (line.stride[d] == 0) {
      out.set_interval(d, 0, end);
    } else if (rises) {
      out.set_interval(d, 0, change);
    } else {
      out.set_interval(d, change, end);
    }
  }
  return true;
}

/// a < b or a <= b if the difference, and with_equal one less, is negative; the others with a and b exchanged.
template <std::size_t rank, bool is_narrow>
[[gnu::always_inline]] inline bool apply_compare(const AffineLimits& limits, const Tile& a, const Tile& b, Tile& out) {
  Line<rank, is_narrow> line;
  line.base = line.arithmetic.subtract(base_of(a, limits), base_of(b, limits));
  line.base = line.arithmetic.subtract(line.base, limits.with_equal);
  for (std::size_t d = 0; d < rank; ++d) {
    const std::int64_t stride = line.arithmetic.subtract(a.stride[d], b.stride[d]);
    line.stride[d] = limits.last[d] == 0 ? 0 : stride;
  }
  line.find_ends(limits);
  if (line.arithmetic.wraps()) return false;
  if (line.highest >= 0 && line.lowest < 0) return write_negative(line, limits, out);
  write_truth<rank>(out, line.highest < 0);
  return true;
}

template <std::size_t rank>
bool apply_and(const Tile& a, const Tile& b, Tile& out) {
  if (a.form == Form::box && b.form == Form::box) {
    bool is_empty = false;
    for (std::size_t d = 0; d < rank; ++d) {
      const std::int64_t low = std::max(a.low(d), b.low(d)), high = std::min(a.high(d), b.high(d));
      is_empty = is_empty || low >= high;
      out.set_interval(d, low, high);
    }
    if (is_empty) {
      write_truth<rank>(out, false);
      return true;
    }
    out.form = Form::box;
    out.provenance = -1;
    out.base = 0;
    return true;
  }
  const Tile& decider = a.form == Form::uniform ? a : b;
  const Tile& other = &decider == &a ? b : a;
  if (decider.form != Form::uniform || (other.form != Form::uniform && other.form != Form::box)) return false;
  if ((decider.base & 1) == 0) {
    write_truth<rank>(out, false);
    return true;
  }
  out.form = other.form;
  out.provenance = -1;
  out.base = other.base;
  for (std::size_t d = 0; d < rank; ++d) out.stride[d] = other.stride[d];
  return true;
}

/// True: done. Then the operands hold no counts to release.
template <Rule rule, std::size_t rank, bool is_narrow>
[[gnu::always_inline]] inline bool apply_affine(const AffineLimits& limits, const Tile& a, const Tile& b, Tile& out) {
  if (out.buffer != nullptr) return false;
  if constexpr (rule == Rule::and_) return apply_and<rank>(a, b, out);
  if (!are_affine(a, b)) return false;
  if constexpr (rule == Rule::add) return apply_sum<false, rank, is_narrow>(limits, a, b, out);
  if constexpr (rule == Rule::subtract) return apply_sum<true, rank, is_narrow>(limits, a, b, out);
  if constexpr (rule == Rule::multiply) return apply_product<rank, is_narrow>(limits, a, b, out);
  if constexpr (rule == Rule::compare) return apply_compare<rank, is_narrow>(limits, a, b, out);
  if constexpr (rule == Rule::convert) return apply_convert<rank, is_narrow>(limits, a, out);
}

/// `exchanges`: exchanges the operands of comparisons.
template <Rule rule, std::size_t rank, bool is_narrow, bool exchanges = false>
const Step* step_affine(Machine& machine, const Step* step) {
  const auto& op = *static_cast<const Elementwise*>(step->record);
  Tile* slots = machine.slots;
  const Tile& a = slots[step->operand[exchanges ? 1 : 0]];
  const Tile& b = rule == Rule::convert ? a : slots[step->operand[exchanges ? 0 : 1]];
  if (apply_affine<rule, rank, is_narrow>(op.limits, a, b, slots[step->result])) return step + 1;
  return structured_step(op)(machine, step);
}

constexpr std::array<Rule, 6> kRules{Rule::add,     Rule::subtract, Rule::multiply,
                                     Rule::compare, Rule::convert,  Rule::and_};

template <Rule rule, bool exchanges = false>
StepFunction step_of(std::size_t rank, bool is_narrow) {
  switch (rank) {
    case 1: return is_narrow ? step_affine<rule, 1, true, exchanges> : step_affine<rule, 1, false, exchanges>;
    case 2: return is_narrow ? step_affine<rule, 2, true, exchanges> : step_affine<rule, 2, false, exchanges>;
    case 3: return is_narrow ? step_affine<rule, 3, true, exchanges> : step_affine<rule, 3, false, exchanges>;
    default: return nullptr;
  }
}

StepFunction step_of(Rule rule, std::size_t rank, bool is_narrow, bool exchanges) {
  switch (rule) {
    case Rule::add: return step_of<Rule::add>(rank, is_narrow);
    case Rule::subtract: return step_of<Rule::subtract>(rank, is_narrow);
    case Rule::multiply: return step_of<Rule::multiply>(rank, is_narrow);
    case Rule::compare:
      return exchanges ? step_of<Rule::compare, true>(rank, is_narrow) : step_of<Rule::compare>(rank, is_narrow);
    case Rule::convert: return step_of<Rule::convert>(rank, is_narrow);
    case Rule::and_: return step_of<Rule::and_>(rank, true);
    default: return nullptr;
  }
}

bool is_narrow_kind(ScalarKind kind) { return bit_width(kind) <= 32; }

void set_extents(AffineLimits& limits, const TileType& type) {
  for (std::size_t d = 0; d < std::min(type.shape.size(), kMaxAffineRank); ++d) limits.last[d] = type.shape[d] - 1;
}

// ---- pointers ----

template <std::size_t rank>
bool apply_offset(const AddPointer& record, const Tile& pointer, const Tile& offset, Tile& out) {
  if (!are_affine(pointer, offset) || out.buffer != nullptr) return false;
  const AffineLimits& limits = record.limits;
  Arithmetic<false> arithmetic;
  std::int64_t varying = 0;
  for (std::size_t d = 0; d < rank; ++d) {
    const std::int64_t scaled = arithmetic.multiply(offset.stride[d], record.element_bytes);
    const std::int64_t stride = arithmetic.add(scaled, pointer.stride[d]);
    out.stride[d] = limits.last[d] == 0 ? 0 : stride;
    varying |= out.stride[d];
  }
  if (arithmetic.wraps()) return false;
  // Addresses wrap modulo 2^64; only the strides must stay true differences.
  out.base = pointer.base +
             static_cast<std::uint64_t>(base_of(offset, limits)) * static_cast<std::uint64_t>(record.element_bytes);
  out.form = varying != 0 ? Form::affine : Form::uniform;
  out.provenance = pointer.provenance;
  return true;
}

template <std::size_t rank>
const Step* step_offset(Machine& machine, const Step* step) {
  const auto& record = *static_cast<const AddPointer*>(step->record);
  Tile* slots = machine.slots;
  if (apply_offset<rank>(record, slots[step->operand[0]], slots[step->operand[1]], slots[step->result]))
    return step + 1;
  return step_add_pointer(machine, step);
}

}  // namespace

AffineLimits affine_limits(const Elementwise& op) {
  AffineLimits limits;
  const ScalarKind kind = op.result->kind;
  limits.shift = 64 - bit_width(op.operand[0]->kind);
  limits.result_mask = truncate_bits(kind, ~std::uint64_t{0});
  limits.lowest = op.rule == Rule::convert_unsigned ? 0 : lowest_of(kind);
  limits.highest = highest_of(kind);
  limits.with_equal = op.predicate == CompareInt::sle || op.predicate == CompareInt::sge ? 1 : 0;
  set_extents(limits, *op.result);
  return limits;
}

AffineLimits offset_limits(const TileType& offset) {
  AffineLimits limits;
  limits.shift = 64 - bit_width(offset.kind);
  set_extents(limits, offset);
  return limits;
}

StepFunction affine_step(const Elementwise& op) {
  if (op.arity != Elementwise::Arity::binary && op.arity != Elementwise::Arity::convert) return nullptr;
  const ScalarKind kind = op.operand[0]->kind;
  const bool is_mask = op.rule == Rule::and_;
  if (!is_integer(kind) || (kind == ScalarKind::i1) != is_mask || !is_integer(op.result->kind)) return nullptr;
  if (op.rule == Rule::compare && (op.predicate < CompareInt::slt || op.predicate > CompareInt::sge)) return nullptr;
  const bool converts = op.rule == Rule::convert || op.rule == Rule::convert_unsigned;
  if (converts && op.result->kind == ScalarKind::i1) return nullptr;
  const bool exchanges = op.rule == Rule::compare && op.predicate >= CompareInt::sgt;
  return step_of(converts ? Rule::convert : op.rule, op.result->shape.size(), is_narrow_kind(kind), exchanges);
}

bool is_affine_step(StepFunction run) {
  for (const Rule rule : kRules) {
    for (std::size_t rank = 1; rank <= kMaxAffineRank; ++rank) {
      for (const bool is_narrow : {true, false}) {
        if (run == step_of(rule, rank, is_narrow, false) || run == step_of(rule, rank, is_narrow, true)) return true;
      }
    }
  }
  return false;
}

StepFunction add_pointer_step(const AddPointer& record) {
  switch (record.pointer->rank()) {
    case 1: return step_offset<1>;
    case 2: return step_offset<2>;
    case 3: return step_offset<3>;
    default: return step_add_pointer;
  }
}

}  // namespace lockstep::interpreter
