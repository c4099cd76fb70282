// Edits of axes, strides and layouts.
#include <algorithm>

#include "ir/interfaces/op_kinds.h"
#include "ir/op_def.h"
#include "sanitizer/core/texts.h"
#include "sanitizer/triage/repair_edits.h"

namespace lockstep::sanitizer {

using ir::Op;
using ir::Value;

namespace {

constexpr std::size_t kMaxApart = 12;   // of two uses that are exchanged, among those of their kind
constexpr std::size_t kMaxIndices = 8;  // that are tried in the place of one

bool is_fold(const Op& op) { return ir::folds_lines(op); }

std::string axis_text(std::int64_t axis) { return "axis=" + std::to_string(axis); }

class AxisEdits {
 public:
  explicit AxisEdits(const KernelText& kernel) : kernel_(kernel) {}

  std::vector<Edit> all() {
    for (const Op* op : kernel_.ops()) fold_axes(*op);
    for (const Op* op : kernel_.ops()) broadcasts(*op);
    for (const Op* op : kernel_.ops()) transpositions(*op);
    strides();
    for (const Op* op : kernel_.ops()) moved_factors(*op);
    programs();
    index_axes();
    for (const Op* op : kernel_.ops()) indices(*op);
    for (const Op* op : kernel_.ops()) scalars(*op);
    return std::move(edits_);
  }

 private:
  void add(const Op& op, int rank, std::string text, std::function<void(const EditContext&)> make) {
    edits_.push_back({&op, true, rank, std::move(text), std::move(make)});
  }

  /// A reduction or scan along another axis of the same length.
  void fold_axes(const Op& op) {
    if (!is_fold(op)) return;
    const auto& shape = op.operand(0)->type().shape();
    const std::int64_t axis = op.integer_attribute("axis", 0);
    for (std::size_t d = 0; d < shape.size(); ++d) {
      const bool is_same = static_cast<std::int64_t>(d) == axis;
      if (is_same || (ir::is_reduction(op) && shape[d] != shape[static_cast<std::size_t>(axis)]))
        continue;
      const auto to = static_cast<std::int64_t>(d);
      add(op, 0, "with " + axis_text(to) + " in place of " + axis_text(axis) + " here",
          [n = kernel_.number(op), to](const EditContext& edit) {
            edit.op(n).set_attribute("axis", edit.context.i32(to));
          });
      edits_.back().rewrite = replaces_argument({"sum", "max", "min", "xor_sum", "reduce", "argmax", "argmin", "cumsum",
                                                 "cumprod", "associative_scan"},
                                                "axis", 1, std::to_string(to));
    }
  }

  /// A row spread as a column, or the other way round.
  void broadcasts(const Op& op) {
    if (!ir::moves_as(op, ir::Movement::broadcast)) return;
    const auto& from = op.operand(0)->type().shape();
    const auto& to = op.result()->type().shape();
    for (std::size_t a = 0; a < to.size(); ++a) {
      for (std::size_t b = a + 1; b < to.size(); ++b) {
        if (to[a] == to[b] && (from[a] == 1) != (from[b] == 1))
          transpose_result(op, 0, a, b,
                           "broadcast along axis " + std::to_string(from[a] == 1 ? b : a) + " in place of axis " +
                               std::to_string(from[a] == 1 ? a : b));
      }
    }
  }

  void transpose_result(const Op& op, int rank, std::size_t a, std::size_t b, std::string text) {
    add(op, rank, std::move(text), [n = kernel_.number(op), a, b](const EditContext& edit) {
      Op& made = edit.op(n);
      Op& next = **std::next(made.position());
      const auto uses = made.result()->uses();
      Value* turned = transposed(edit.context, next, made.result(), a, b);
      for (const ir::Use& use : uses) use.user->set_operand(use.operand, turned);
    });
  }

  void transpositions(const Op& op) {
    if (ir::moves_as(op, ir::Movement::transpose) && op.operand(0)->type() == op.result()->type()) {
      add(op, 1, "without this transposition", [n = kernel_.number(op)](const EditContext& edit) {
        edit.op(n).result()->replace_all_uses_with(edit.op(n).operand(0));
      });
    }
    const bool loads = ir::is_tile_load(op), is_product = ir::is_matrix_product(op);
    if (loads || is_product)
      each_square(op.result()->type(), [&](std::size_t a, std::size_t b) {
        transpose_result(op, 2, a, b,
                         loads ? "with the tile that is loaded here transposed" : "with this product transposed");
      });
    if (is_product) {
      for (const std::uint32_t i : {0u, 1u})
        transpose_operand(op, i, i == 0 ? "with its left side transposed" : "with its right side transposed");
    }
    if (ir::is_pointer_store(op) || ir::does_atomic(op, ir::MemoryAccess::Atomic::update))
      transpose_operand(op, 1, "with the tile that is stored here transposed");
  }

  template <typename Body>
  void each_square(ir::Type type, Body&& body) {
    const auto& shape = type.shape();
    for (std::size_t a = 0; a < shape.size(); ++a) {
      for (std::size_t b = a + 1; b < shape.size(); ++b) {
        if (shape[a] == shape[b] && shape[a] > 1) body(a, b);
      }
    }
  }

  void transpose_operand(const Op& op, std::uint32_t operand, const std::string& text) {
    each_square(op.operand(operand)->type(), [&](std::size_t a, std::size_t b) {
      add(op, 2, text, [n = kernel_.number(op), operand, a, b](const EditContext& edit) {
        Op& at = edit.op(n);
        at.set_operand(operand, transposed(edit.context, at, at.operand(operand), a, b));
      });
    });
  }

  /// Where a scalar integer that is not a constant enters arithmetic of indices.
  struct Factor {
    const Op* op = nullptr;
    std::uint32_t operand = 0;
  };

  std::vector<Factor> factors() const {
    std::vector<Factor> made;
    for (const Op* op : kernel_.ops()) {
      const bool splats = ir::is_splat(*op);
      if (!splats && !ir::is_integer_product(*op)) continue;
      for (std::uint32_t i = 0; i < op->operand_count(); ++i) {
        const ir::Type type = op->operand(i)->type();
        if (type.is_integer() && type.integer_width() >= 32) made.push_back({op, i});
      }
    }
    return made;
  }

  static bool is_stride(const Factor& factor) {
    if (ir::is_integer_product(*factor.op)) return true;
    const auto& uses = factor.op->result()->uses();
    return !uses.empty() && std::all_of(uses.begin(), uses.end(), [](const ir::Use& use) {
      return ir::is_integer_product(*use.user);
    });
  }

  /// Two strides exchanged.
  void strides() {
    std::vector<Factor> all = factors();
    std::erase_if(all, [](const Factor& factor) { return !is_stride(factor); });
    for (std::size_t i = 0; i < all.size(); ++i) {
      for (std::size_t j = i + 1; j < all.size() && j < i + kMaxApart; ++j) exchange(all[i], all[j]);
    }
  }

  void exchange(const Factor& one, const Factor& other) {
    const Value *a = one.op->operand(one.operand), *b = other.op->operand(other.operand);
    if (a == b || a->type() != b->type() || one.op == other.op) return;
    const auto here = kernel_.visible(*one.op);
    if (std::find(here.begin(), here.end(), b) == here.end()) return;
    add(*one.op, 1,
        "with the factors " + bare_name(*a) + " here and " + bare_name(*b) + " of " + user_line(other.op->location()) +
            " exchanged",
        [n = kernel_.number(*one.op), m = kernel_.number(*other.op), i = one.operand,
         j = other.operand](const EditContext& edit) {
          Value *first = edit.op(n).operand(i), *second = edit.op(m).operand(j);
          edit.op(n).set_operand(i, second);
          edit.op(m).set_operand(j, first);
        });
  }

  /// A stride on the wrong one of two axes; stride 1 of the other axis is left out.
  void moved_factors(const Op& op) {
    if (!ir::is_integer_product(op) || !op.result()->type().is_tensor()) return;
    for (const std::uint32_t kept : {0u, 1u}) {
      const Op* factor = op.operand(1 - kept)->defining_op();
      const bool is_scalar = factor != nullptr && (ir::is_splat(*factor) ||
                                                   ir::is_constant(*factor));
      if (!is_scalar) continue;
      for (const Op* other : kernel_.ops()) move_factor(op, kept, *other);
    }
  }

  void move_factor(const Op& op, std::uint32_t kept, const Op& other) {
    if (!ir::moves_as(other, ir::Movement::expand_dims) || other.block() != op.block()) return;
    const ir::Type type = other.result()->type();
    if (type.element() != op.result()->type().element() || type == op.result()->type()) return;
    for (const ir::Use& use : other.result()->uses()) {
      const bool takes = ir::moves_as(*use.user, ir::Movement::broadcast) || ir::is_displacement(*use.user) ||
                         ir::is_integer_sum(*use.user);
      if (!takes) continue;
      add(op, 2, "with the factor " + value_name(*op.operand(1 - kept)) + " at the other axis",
          [n = kernel_.number(op), u = kernel_.number(*use.user), operand = use.operand,
           kept](const EditContext& edit) { move_factor_in(edit, edit.op(n), edit.op(u), operand, kept); });
    }
  }

  static void move_factor_in(const EditContext& edit, Op& op, Op& user, std::uint32_t operand, std::uint32_t kept) {
    Op& factor = *op.operand(1 - kept)->defining_op();
    Value* plain = user.operand(operand);
    ir::Builder builder(edit.context);
    builder.set_insertion_point_before(user);
    builder.set_location(user.location());
    Value* spread_factor = nullptr;
    if (ir::is_splat(factor)) {
      spread_factor = builder.create("tt.splat", {factor.operand(0)}, {plain->type()})->result();
    } else {
      const ir::Attribute value = factor.attribute("value");
      if (!value || !value.is_dense() || !value->is_splat) return;
      std::uint64_t bits = 0;
      for (std::size_t i = value->data.size(); i-- > 0;) bits = bits << 8 | static_cast<std::uint64_t>(value->data[i]);
      spread_factor = builder.constant(plain->type(), bits);
    }
    user.set_operand(operand, builder.create("arith.muli", {plain, spread_factor}, {plain->type()})->result());
    op.result()->replace_all_uses_with(op.operand(kept));
  }

  /// Programs' axes.
  void programs() {
    std::vector<const Op*> ids;
    for (const Op* op : kernel_.ops()) {
      if (ir::is_program_id(*op)) ids.push_back(op);
    }
    for (std::size_t i = 0; i < ids.size(); ++i) {
      for (std::size_t j = i + 1; j < ids.size(); ++j) {
        if (ids[i]->integer_attribute("axis", 0) == ids[j]->integer_attribute("axis", 0)) continue;
        add(*ids[i], 1, "with this program axis and that of " + user_line(ids[j]->location()) + " exchanged",
            [n = kernel_.number(*ids[i]), m = kernel_.number(*ids[j])](const EditContext& edit) {
              const ir::Attribute first = edit.op(n).attribute("axis"), second = edit.op(m).attribute("axis");
              edit.op(n).set_attribute("axis", second);
              edit.op(m).set_attribute("axis", first);
            });
      }
    }
  }

  /// Exchanges the indices of two axes, for a tile loaded at its mirror image.
  void index_axes() {
    std::vector<const Op*> spreads;
    for (const Op* op : kernel_.ops()) {
      if (ir::moves_as(*op, ir::Movement::expand_dims) && op->operand(0)->type().element().is_integer())
        spreads.push_back(op);
    }
    for (std::size_t i = 0; i < spreads.size(); ++i) {
      for (std::size_t j = i + 1; j < spreads.size() && j < i + kMaxApart; ++j) {
        const Op &one = *spreads[i], &other = *spreads[j];
        const Value *a = one.operand(0), *b = other.operand(0);
        if (one.result()->type() == other.result()->type() || a->type() != b->type() || a == b) continue;
        add(one, 1,
            "with " + bare_name(*a) + " here and " + bare_name(*b) + " of " + user_line(other.location()) +
                " exchanged",
            [n = kernel_.number(one), m = kernel_.number(other)](const EditContext& edit) {
              Value *first = edit.op(n).operand(0), *second = edit.op(m).operand(0);
              edit.op(n).set_operand(0, second);
              edit.op(m).set_operand(0, first);
            });
      }
    }
  }

  /// Another tile of indices.
  void indices(const Op& op) {
    const bool takes = ir::is_displacement(op) || ir::moves_as(op, ir::Movement::expand_dims) ||
                       ir::is_integer_comparison(op) || ir::is_integer_product(op) || ir::is_integer_sum(op);
    for (std::uint32_t i = 0; takes && i < op.operand_count(); ++i) {
      const Value* now = op.operand(i);
      if (!now->type().is_tensor() || !now->type().element().is_integer()) continue;
      std::size_t tried = 0;
      for (const Value* other : kernel_.visible(op)) {
        if (other == now || other->type() != now->type() || !is_named(*other)) continue;
        if (++tried > kMaxIndices) break;
        add(op, 3, "with " + value_name(*other) + " in place of " + value_name(*now) + " here",
            [n = kernel_.number(op), i, v = kernel_.number(*other)](const EditContext& edit) {
              edit.op(n).set_operand(i, edit.value(v));
            });
        edits_.back().rewrite = replaces_name(op, i, variable_name(*other));
      }
    }
  }

  /// Another stride or extent among the kernel's arguments.
  void scalars(const Op& op) {
    for (const Factor& factor : factors()) {
      if (factor.op != &op) continue;
      const Value* now = op.operand(factor.operand);
      for (const Value* other : kernel_.visible(op)) {
        if (other == now || other->defining_op() != nullptr || other->type() != now->type() || !is_argument(*other))
          continue;
        add(op, 3, "with " + value_name(*other) + " in place of " + value_name(*now) + " here",
            [n = kernel_.number(op), i = factor.operand, v = kernel_.number(*other)](const EditContext& edit) {
              edit.op(n).set_operand(i, edit.value(v));
            });
        edits_.back().rewrite = replaces_name(op, factor.operand, variable_name(*other));
      }
    }
  }
  static bool is_argument(const Value& value) {
    return value.owner_block() != nullptr && value.owner_block()->parent_op() != nullptr &&
           ir::is_function(*value.owner_block()->parent_op());
  }

  const KernelText& kernel_;
  std::vector<Edit> edits_;
};

}  // namespace

std::vector<Edit> axis_edits(const KernelText& kernel) { return AxisEdits(kernel).all(); }

}  // namespace lockstep::sanitizer
