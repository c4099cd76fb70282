// Rules: the forms of an op's results from those of its operands, by the columns of its row (what it computes, of which
// numbers; where lanes come from; what it makes out of nothing). An op whose row says nothing makes any number of its
// type: a new op costs precision and never soundness. Not here: control flow and accesses (walk.h).
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "ir/op.h"
#include "ir/op_def.h"
#include "prove/atoms.h"
#include "prove/eliminate.h"
#include "prove/forms.h"
#include "prove/statement.h"

namespace lockstep::prove {

struct IntegerRange {
  Integer low, high;
};
/// Of an integer type (index: 64 bits), as a number with or without a sign.
IntegerRange range_of(ir::Type element, bool has_sign = true);
bool is_integer_like(ir::Type element);
Integer power_of_two(std::uint32_t exponent);

class Rules {
 public:
  /// What forms rest on is noted in `notes`.
  Rules(Atoms& atoms, Debts& debts, const std::array<Poly, 3>& grid, ProofNotes& notes);

  /// Sets the forms of all results; `path`: where the op is. is_trial: nothing is proved, so fewer debts are paid early.
  std::vector<Form> apply(const ir::Op& op, const std::vector<Form>& operands, const Path* path, bool is_trial);
  /// Any value of the type.
  Form anything(const ir::Value& value, const Path* path, std::int64_t copy = 0);
  /// The number is within its type where the op looks at it: paid at once, or a debt of the result.
  void look_at(const Form& form, ir::Type element, bool has_sign, const ir::Op& op, DebtSet& debts, const Path* path,
               bool is_trial);
  /// condition ? a : b; nullopt: no form says it.
  std::optional<Form> choose(const ir::Op& op, const Form& condition, const Form& a, const Form& b, const Path* path,
                             bool is_trial);
  /// What a load makes of memory that `range` speaks of. mask, other: null if the op has none.
  Form loaded(const ir::Op& op, const DataRange& range, const Form* mask, const Form* other, const Path* path,
              bool is_trial);
  /// Data of memory that rises: `datum` is at `index`, `other` at `other_index`. What is proved of these becomes a fact.
  void take_order(const ir::Op& op, AtomId datum, const Poly& index, AtomId other, const Poly& other_index, const Path* path);
  /// A number that stands for a value in the trial of a loop.
  AtomId placeholder(const ir::Value& value, const Path* path);

  const Elimination& elimination() const { return elimination_; }
  std::size_t paid_early() const { return paid_; }

 private:
  void look_at(const Form& form, ir::Type element, bool has_sign, const ir::Op& op, DebtSet& debts);
  void owe(Debt debt, DebtSet& debts);
  std::vector<Poly> lanes_of(const ir::Value& value);
  std::optional<Form> choose(const Form& condition, const Form& a, const Form& b);
  std::optional<Form> result_of(const ir::Op& op, const std::vector<Form>& operands);
  std::optional<Form> from_nothing(const ir::Op& op);
  std::optional<Form> constant(const ir::Op& op);
  std::optional<Form> moved(const ir::Op& op, const Form& source);
  std::vector<Poly> lanes_of_source(const ir::Op& op);
  std::vector<Poly> lanes_of_reshape(const std::vector<std::int64_t>& from, const std::vector<std::int64_t>& to);
  Form with_lanes(const Form& form, const std::vector<Poly>& lanes);
  std::optional<Form> calculated(const ir::Op& op, const std::vector<Form>& operands);
  std::optional<Form> calculated_truth(const ir::Op& op, const std::vector<Form>& operands);
  std::optional<Form> ring(const ir::Op& op, const Form& a, const Form& b);
  std::optional<Form> divided(const ir::Op& op, const Form& a, const Form& b);
  std::optional<Form> shifted(const ir::Op& op, const Form& a, const Form& b);
  std::optional<Form> masked_bits(const Form& a, const Form& b);
  std::optional<Form> extremum(const ir::Op& op, const Form& a, const Form& b);
  std::optional<Form> compared(const ir::Op& op, const Form& a, const Form& b);
  std::optional<Form> converted(const ir::Op& op, const Form& a);
  std::optional<Form> displaced(const ir::Op& op, const Form& pointer, const Form& offset);
  Division divide(const Poly& x, const Poly& d, bool is_whole);
  /// As C divides. Precondition: d >= 1.
  Division divide_toward_zero(const Poly& x, const Poly& d);
  Division new_division(const Poly& x, const Poly& d, bool is_whole, bool is_filled);
  /// A quotient of programs is often below a size of the grid: later goals are short where that is a fact.
  void add_lemmas(AtomId quotient, const Poly& x);
  Poly chosen(const Formula& condition, const Poly& a, const Poly& b);
  bool proves(const Poly& goal);

  Atoms& atoms_;
  Debts& debts_;
  Elimination elimination_;
  std::array<Poly, 3> grid_;
  ProofNotes& notes_;
  const ir::Op* op_ = nullptr;
  const Path* path_ = nullptr;
  bool is_trial_ = false;
  std::size_t paid_ = 0;
};

}  // namespace lockstep::prove
