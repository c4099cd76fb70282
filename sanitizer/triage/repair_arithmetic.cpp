// Edits of arithmetic: operands exchanged, an op left out or replaced, a bound moved by one, and operands replaced or
// given an additional factor or term.
#include <algorithm>
#include <array>
#include <cstdlib>
#include <limits>
#include <optional>

#include "ir/interfaces/op_kinds.h"
#include "ir/op_def.h"
#include "ir/opcode.h"
#include "sanitizer/core/texts.h"
#include "sanitizer/numeric/exact_math.h"
#include "sanitizer/triage/repair_edits.h"
#include "support/float_formats.h"

namespace lockstep::sanitizer {

using ir::Op;
using ir::Value;

namespace {

constexpr std::size_t kMaxCandidates = 24;  // values that are tried in an operand's place

/// Differences and quotients of floats: their operands' order matters.
bool has_order(const Op& op) {
  return op.def().arithmetic == ir::Arithmetic::difference ||
         ir::computes(op, ir::Arithmetic::quotient, ir::Numbers::floats);
}

bool is_plain_quotient(const Op& op) { return op.def().opcode == ir::Opcode::arith_divf; }

/// Of a signed integer.
bool makes_float(const Op& op) { return ir::converts_to_float(op) && op.def().numbers == ir::Numbers::with_sign; }

bool gives_to_memory(const Op& op) {
  return ir::is_pointer_store(op) || ir::does_atomic(op, ir::MemoryAccess::Atomic::update);
}

/// Comparisons of integers: slt 2, sle 3, sgt 4, sge 5, ult 6, ule 7, ugt 8, uge 9.
std::optional<std::int64_t> other_bound(std::int64_t predicate) {
  if (predicate < 2 || predicate > 9) return std::nullopt;
  return predicate ^ 1;
}
std::string_view predicate_text(std::int64_t predicate) {
  constexpr std::array<std::string_view, 10> kTexts{"==", "!=", "<", "<=", ">", ">=", "<", "<=", ">", ">="};
  return kTexts[static_cast<std::size_t>(predicate)];
}

bool is_scalar_arithmetic(const Op& op) {
  return op.def().effects == ir::Effects::pure && op.regions().empty() && op.result_count() == 1 &&
         !ir::is_constant(op);
}

class ArithmeticEdits {
 public:
  explicit ArithmeticEdits(const KernelText& kernel) : kernel_(kernel) {}

  std::vector<Edit> all() {
    for (const Op* op : kernel_.ops()) exchanged(*op);
    for (const Op* op : kernel_.ops()) bounds(*op);
    for (const Op* op : kernel_.ops()) left_out(*op);
    for (const Op* op : kernel_.ops()) replaced(*op);
    for (const Op* op : kernel_.ops()) negated(*op);
    for (const Op* op : kernel_.ops()) constants(*op);
    for (const Op* op : kernel_.ops()) lengths(*op);
    return std::move(edits_);
  }

 private:
  void add(const Op& op, int rank, std::string text, std::function<void(const EditContext&)> make) {
    edits_.push_back({&op, false, rank, std::move(text), std::move(make)});
  }

  void exchanged(const Op& op) {
    const bool selects = ir::is_selection(op);
    if (!selects && !has_order(op)) return;
    const std::size_t a = selects ? 1 : 0;
    add(op, selects ? 3 : 1,
        "with " + value_name(*op.operand(a + 1)) + " and " + value_name(*op.operand(a)) + " exchanged here",
        [n = kernel_.number(op), a](const EditContext& edit) {
          Value *first = edit.op(n).operand(a), *second = edit.op(n).operand(a + 1);
          edit.op(n).set_operand(a, second);
          edit.op(n).set_operand(a + 1, first);
        });
  }

  void bounds(const Op& op) {
    if (!ir::is_integer_comparison(op)) return;
    const std::int64_t now = op.integer_attribute("predicate", 0);
    const auto other = other_bound(now);
    if (!other) return;
    add(op, 2,
        "with " + std::string(predicate_text(*other)) + " in place of " + std::string(predicate_text(now)) + " here",
        [n = kernel_.number(op), to = *other](const EditContext& edit) {
          const ir::Attribute was = edit.op(n).attribute("predicate");
          edit.op(n).set_attribute("predicate", edit.context.integer_attribute(was->type, to));
        });
    edits_.back().rewrite = replaces_sign(std::string(predicate_text(now)), std::string(predicate_text(*other)));
  }

  void left_out(const Op& op) {
    const bool is_mask = ir::computes(op, ir::Arithmetic::conjunction, ir::Numbers::integers) ||
                         ir::computes(op, ir::Arithmetic::disjunction, ir::Numbers::integers);
    const bool selects = ir::is_selection(op);
    if (!is_scalar_arithmetic(op) || (!is_mask && !is_float_value(*op.result()))) return;
    if (op.operand_count() > 2 && !selects) return;
    for (std::size_t i = selects ? 1 : 0; i < op.operand_count(); ++i) {
      if (op.operand(i)->type() != op.result()->type()) continue;
      const std::string without = selects                   ? "the choice of " + value_name(*op.operand(3 - i))
                                  : op.operand_count() == 2 ? value_name(*op.operand(1 - i))
                                                            : std::string(op.spelling());
      add(op, 5, "without " + without + " here", [n = kernel_.number(op), i](const EditContext& edit) {
        edit.op(n).result()->replace_all_uses_with(edit.op(n).operand(i));
      });
    }
  }

  void replaced(const Op& op) {
    const std::string_view other = op.def().mistaken_for;
    if (other.empty()) return;
    add(op, 4, "with " + std::string(other) + " in place of " + std::string(op.spelling()) + " here",
        [n = kernel_.number(op), name = std::string(other)](const EditContext& edit) {
          Op& at = edit.op(n);
          ir::Builder builder(edit.context);
          builder.set_insertion_point_before(at);
          builder.set_location(at.location());
          at.result()->replace_all_uses_with(builder.create(name, at.operands(), {at.result()->type()})->result());
        });
  }

  /// A function of -x.
  void negated(const Op& op) {
    if (op.operand_count() != 1 || !op.spelling().starts_with("math.") || !is_float_value(*op.operand(0))) return;
    add(op, 2, "with the sign of " + value_name(*op.operand(0)) + " changed here",
        [n = kernel_.number(op)](const EditContext& edit) {
          Op& at = edit.op(n);
          ir::Builder builder(edit.context);
          builder.set_insertion_point_before(at);
          builder.set_location(at.location());
          at.set_operand(0, builder.create("arith.negf", {at.operand(0)}, {at.operand(0)->type()})->result());
        });
  }

  /// An integer constant moved by one, wherever it is used.
  void one_off(const Op& op) {
    const ir::Type type = op.result()->type();
    const ir::Attribute value = op.attribute("value");
    if (!type.element().is_integer() || type.element().integer_width() < 32 || !value) return;
    if (value.is_dense() ? !value->is_splat : !value.is_integer()) return;
    const std::int64_t number = std::atoll(value_name(*op.result()).c_str());
    const std::uint64_t mask = type.element().integer_width() == 64 ? ~std::uint64_t{0} : 0xffffffffu;
    for (const std::int64_t to : {number - 1, number + 1})
      replace_constant(op, 5, std::to_string(to), static_cast<std::uint64_t>(to) & mask);
  }

  void replace_constant(const Op& op, int rank, const std::string& text, std::uint64_t bits) {
    add(op, rank, "with " + text + " in place of " + value_name(*op.result()) + " here",
        [n = kernel_.number(op), bits](const EditContext& edit) {
          Op& at = edit.op(n);
          ir::Builder builder(edit.context);
          builder.set_insertion_point_before(at);
          at.result()->replace_all_uses_with(builder.constant(at.result()->type(), bits));
        });
  }

  void constants(const Op& op) {
    if (!ir::is_constant(op)) return;
    if (!is_float_value(*op.result())) return one_off(op);
    const ScalarKind kind = *op.result()->type().element().scalar_kind();
    for (const double number : {0.0, 1.0, -std::numeric_limits<double>::infinity()}) {
      const std::uint64_t bits = encode_float(kind, number);
      const std::string text = value_text(kind, bits);
      if (text == value_name(*op.result())) continue;
      replace_constant(op, 5, text, bits);
    }
  }

  /// Replaces the scalar of a quotient or product by another integer of the kernel: a mean's length.
  void lengths(const Op& op) {
    const bool scales = is_plain_quotient(op) || ir::is_float_product(op);
    if (!scales && !makes_float(op)) return;
    const std::size_t operand = scales ? 1 : 0;
    const Value* now = op.operand(operand);
    const bool is_length = scales ? spread_number(*now) : now->type().is_integer();
    if (!is_length) return;
    for (const Value* other : kernel_.visible(op)) {
      const bool fits = is_named(*other) && other->type().is_integer() && other->type().integer_width() >= 32;
      if (!fits || other == now || (!scales && other->type() != now->type())) continue;
      add(op, 3, "with " + value_name(*other) + " in place of " + value_name(*now) + " here",
          [n = kernel_.number(op), v = kernel_.number(*other), operand, scales](const EditContext& edit) {
            Op& at = edit.op(n);
            const ir::Type type = at.operand(operand)->type();
            Value* length = edit.value(v);
            if (scales) {
              ir::Builder builder(edit.context);
              builder.set_insertion_point_before(at);
              length = builder.create("arith.sitofp", {length}, {type.element()})->result();
              length = spread(edit.context, at, length, type, 0);
            }
            at.set_operand(operand, length);
          });
    }
  }
  /// A constant, or a scalar that is one or an integer, as a tile or not.
  static bool spread_number(const Value& value) {
    const Op* op = value.defining_op();
    while (op != nullptr && ir::is_splat(*op)) op = op->operand(0)->defining_op();
    if (op == nullptr) return false;
    return ir::is_constant(*op) || (makes_float(*op) && !op->result()->type().is_tensor());
  }

  const KernelText& kernel_;
  std::vector<Edit> edits_;
};

class OperandEdits {
 public:
  explicit OperandEdits(const KernelText& kernel) : kernel_(kernel) {}

  std::vector<Edit> all() {
    for (const Op* op : kernel_.ops()) each_operand(*op, [&](std::uint32_t i) { other_values(*op, i); });
    for (const Op* op : kernel_.ops()) each_operand(*op, [&](std::uint32_t i) { more_factors(*op, i); });
    for (const Op* op : kernel_.ops()) shifted(*op);
    return std::move(edits_);
  }

 private:
  void add(const Op& op, int rank, std::string text, std::function<void(const EditContext&)> make) {
    edits_.push_back({&op, false, rank, std::move(text), std::move(make)});
  }

  /// Floats that arithmetic, a loop or a store uses.
  template <typename Body>
  void each_operand(const Op& op, Body&& body) {
    const bool hands_on = ir::is_yield(op) || gives_to_memory(op) || ir::is_matrix_product(op) || ir::is_reduction(op);
    if (!hands_on && (!is_scalar_arithmetic(op) || op.operand_count() == 0)) return;
    for (std::uint32_t i = 0; i < op.operand_count(); ++i) {
      if (is_float_value(*op.operand(i))) body(i);
    }
  }

  void other_values(const Op& op, std::uint32_t operand) {
    const Value* now = op.operand(operand);
    std::size_t tried = 0;
    for (const Value* other : kernel_.visible(op)) {
      if (other == now || other->type() != now->type() || ++tried > kMaxCandidates) continue;
      add(op, 4 + rank_of_values(other, now),
          "with " + value_name(*other) + " in place of " + value_name(*now) + " here",
          [n = kernel_.number(op), operand, v = kernel_.number(*other)](const EditContext& edit) {
            edit.op(n).set_operand(operand, edit.value(v));
          });
      edits_.back().rewrite = replaces_name(op, operand, variable_name(*other));
    }
  }

  /// Where a factor or a term may be missing: operands of sums, stored values, carried values.
  static bool may_lack(const Op& op) {
    if (ir::is_float_sum(op) || ir::is_float_difference(op) || ir::is_selection(op) || ir::is_yield(op)) return true;
    if (ir::is_matrix_product(op) || gives_to_memory(op)) return true;
    switch (op.def().opcode) {
      case ir::Opcode::math_exp:
      case ir::Opcode::math_exp2:
      case ir::Opcode::math_sqrt:
      case ir::Opcode::math_rsqrt:
      case ir::Opcode::math_log: return true;
      default: return false;
    }
  }

  void more_factors(const Op& op, std::uint32_t operand) {
    if (!may_lack(op) || (ir::is_matrix_product(op) && operand != 2)) return;
    const Value* now = op.operand(operand);
    std::size_t tried = 0;
    for (const Value* other : kernel_.visible(op)) {
      const auto& shape = other->type().shape();
      const bool fits = other->type().element() == now->type().element() && is_float_value(*other) &&
                        (other->type() == now->type() || shape.size() < now->type().shape().size());
      const Op* made = other->defining_op();
      if (!fits || shape.size() > 1 + now->type().shape().size() ||
          (made != nullptr && ir::is_constant(*made)))
        continue;
      if (++tried > kMaxCandidates) break;
      for (const std::string_view spelling : {"arith.mulf", "arith.divf", "arith.subf", "arith.addf"})
        lack(op, operand, *other, spelling);
    }
  }

  void lack(const Op& op, std::uint32_t operand, const Value& other, std::string_view spelling) {
    const ir::Type type = op.operand(operand)->type();
    const auto& shape = other.type().shape();
    const std::size_t axes = shape.size() == 1 && type.shape().size() > 1 ? type.shape().size() : 1;
    for (std::size_t axis = 0; axis < axes; ++axis) {
      if (axes > 1 && type.shape()[axis] != shape[0]) continue;
      const char* words = spelling == "arith.mulf"   ? " times "
                          : spelling == "arith.divf" ? " divided by "
                          : spelling == "arith.subf" ? " minus "
                                                     : " plus ";
      const int rank = (spelling == "arith.mulf" || spelling == "arith.divf" ? 3 : 6) + rank_of_values(&other, nullptr);
      add(op, rank, "with " + value_name(*op.operand(operand)) + words + value_name(other) + " here",
          [n = kernel_.number(op), operand, v = kernel_.number(other), axis,
           name = std::string(spelling)](const EditContext& edit) {
            Op& at = edit.op(n);
            Value* by = spread(edit.context, at, edit.value(v), at.operand(operand)->type(), axis);
            ir::Builder builder(edit.context);
            builder.set_insertion_point_before(at);
            builder.set_location(at.location());
            at.set_operand(operand, builder.create(name, {at.operand(operand), by}, {by->type()})->result());
          });
      edits_.back().rewrite = replaces_name(op, operand, combined_text(*op.operand(operand), words, other, axis));
    }
  }

  /// "acc * alpha[:, None]"; "": one of them is not a variable.
  static std::string combined_text(const Value& now, std::string_view words, const Value& other, std::size_t axis) {
    const std::string name = variable_name(now), by = variable_name(other);
    if (name.empty() || by.empty()) return "";
    const char* sign = words == " times "        ? " * "
                       : words == " divided by " ? " / "
                       : words == " minus "      ? " - "
                                                 : " + ";
    const std::size_t rank = now.type().is_tensor() ? now.type().shape().size() : 0;
    if (!other.type().is_tensor() || other.type().shape().size() != 1 || rank < 2) return name + sign + by;
    std::string index;
    for (std::size_t d = 0; d < rank; ++d) index += (d == 0 ? "" : ", ") + std::string(d == axis ? ":" : "None");
    return name + sign + by + "[" + index + "]";
  }

  /// Indices moved by one: operands of addptr and comparisons.
  void shifted(const Op& op) {
    if (!ir::is_displacement(op) && !ir::is_integer_comparison(op)) return;
    const ir::Type type = op.operand(1)->type();
    if (!type.element().is_integer() || type.element().integer_width() < 32) return;
    for (const std::uint64_t step : {std::uint64_t{1}, ~std::uint64_t{0}}) {
      add(op, 6, std::string("with an index that is one ") + (step == 1 ? "more" : "less") + " here",
          [n = kernel_.number(op), step](const EditContext& edit) {
            Op& at = edit.op(n);
            const ir::Type of = at.operand(1)->type();
            ir::Builder builder(edit.context);
            builder.set_insertion_point_before(at);
            builder.set_location(at.location());
            const std::uint32_t width = of.element().integer_width();
            Value* by = builder.constant(of, width == 64 ? step : step & 0xffffffffu);
            at.set_operand(1, builder.create("arith.addi", {at.operand(1), by}, {of})->result());
          });
    }
  }

  const KernelText& kernel_;
  std::vector<Edit> edits_;
};

}  // namespace

std::vector<Edit> arithmetic_edits(const KernelText& kernel) { return ArithmeticEdits(kernel).all(); }
std::vector<Edit> operand_edits(const KernelText& kernel) { return OperandEdits(kernel).all(); }

}  // namespace lockstep::sanitizer
