#include "prove/rules.h"

#include <algorithm>
#include <cstring>
#include <set>
#include <utility>

#include "ir/interfaces/op_kinds.h"
#include "ir/type.h"

namespace lockstep::prove {
namespace {

std::uint32_t width_of(ir::Type element) { return element.is_index() ? 64 : element.integer_width(); }

DebtSet joined(const Form& a, const Form& b) {
  DebtSet debts = a.debts;
  debts.insert(b.debts.begin(), b.debts.end());
  return debts;
}

/// The integers of a splat or scalar constant.
std::optional<std::int64_t> constant_integer(const ir::Attribute& value) {
  if (!value) return std::nullopt;
  if (value.is_integer()) return value->integer;
  if (!value.is_dense() || !value->is_splat || value->data.empty() || value->data.size() > 8) return std::nullopt;
  std::uint64_t bits = 0;
  std::memcpy(&bits, value->data.data(), value->data.size());
  const std::size_t unused = 64 - 8 * value->data.size();
  return static_cast<std::int64_t>(bits << unused) >> unused;
}



constexpr std::size_t kMostFactors = 4, kMostSummands = 64;

using ir::Arithmetic;

/// k of 2^k; nullopt: another number.
std::optional<std::uint32_t> exponent_of(const Integer& value) {
  if (value <= 0 || (value & (value - 1)) != 0) return std::nullopt;
  return static_cast<std::uint32_t>(msb(value));
}

bool is_bare_unknown(const Form& form, const Atoms& atoms) {
  const auto& terms = form.number.terms();
  if (!form.is_integer() || terms.size() != 1 || terms.begin()->first.size() != 1) return false;
  return terms.begin()->second == 1 && atoms[terms.begin()->first[0]].kind == AtomKind::unknown;
}

}  // namespace

Integer power_of_two(std::uint32_t exponent) { return Integer(1) << exponent; }

bool is_integer_like(ir::Type element) { return element.is_integer() || element.is_index(); }

IntegerRange range_of(ir::Type element, bool has_sign) {
  const std::uint32_t width = width_of(element);
  if (!has_sign) return {0, power_of_two(width) - 1};
  return {-power_of_two(width - 1), power_of_two(width - 1) - 1};
}

Rules::Rules(Atoms& atoms, Debts& debts, const std::array<Poly, 3>& grid, ProofNotes& notes)
    : atoms_(atoms), debts_(debts), elimination_(atoms), grid_(grid), notes_(notes) {}

bool Rules::proves(const Poly& goal) {
  Decided decided{goal, {}};
  if (is_trial_ || !elimination_.proves(goal, path_, {}, {6, 100, 0}, &decided.why)) return false;
  notes_.taken[op_].push_back(std::move(decided));
  return true;
}

std::vector<Poly> Rules::lanes_of(const ir::Value& value) {
  std::vector<Poly> lanes;
  const auto& shape = value.type().shape();
  for (std::size_t i = 0; i < shape.size(); ++i) lanes.push_back(atoms_.lane(static_cast<std::int64_t>(i), shape[i]));
  return lanes;
}

AtomId Rules::placeholder(const ir::Value& value, const Path* path) {
  return atoms_.unknown(&value, 1, lanes_of(value), path, -power_of_two(64), power_of_two(64));
}

Form Rules::anything(const ir::Value& value, const Path* path, std::int64_t copy) {
  const ir::Type element = value.type().element();
  if (!is_integer_like(element)) return {};
  // Two that nobody knows are not the same one, so each has its letter.
  if (width_of(element) == 1) {
    const AtomId bit = atoms_.unknown(&value, copy, lanes_of(value), path, 0, 1);
    return Form::truth(Formula::not_negative(Poly::atom(bit) - Poly(1)));
  }
  const IntegerRange range = range_of(element);
  return Form::integer(Poly::atom(atoms_.unknown(&value, copy, lanes_of(value), path, range.low, range.high)));
}

void Rules::owe(Debt debt, DebtSet& debts) {
  if (is_trial_) return;
  if (proves(debt.number - Poly(debt.low)) && proves(Poly(debt.high) - debt.number)) {
    ++paid_;
    return;
  }
  debts.insert(debts_.add(std::move(debt)));
}

void Rules::look_at(const Form& form, ir::Type element, bool has_sign, const ir::Op& op, DebtSet& debts,
                    const Path* path, bool is_trial) {
  op_ = &op;
  path_ = path;
  is_trial_ = is_trial;
  look_at(form, element, has_sign, op, debts);
}

void Rules::look_at(const Form& form, ir::Type element, bool has_sign, const ir::Op& op, DebtSet& debts) {
  debts.insert(form.debts.begin(), form.debts.end());
  if (!form.is_integer()) return;
  const IntegerRange range = range_of(element, has_sign);
  owe({form.number, range.low, range.high, &op, Property::integers}, debts);
}

std::vector<Form> Rules::apply(const ir::Op& op, const std::vector<Form>& operands, const Path* path, bool is_trial) {
  op_ = &op;
  path_ = path;
  is_trial_ = is_trial;
  std::vector<Form> results;
  for (std::size_t i = 0; i < op.result_count(); ++i) {
    std::optional<Form> form;
    if (op.result_count() == 1 && op.regions().empty()) form = result_of(op, operands);
    results.push_back(form ? std::move(*form) : anything(*op.result(i), path));
  }
  return results;
}

std::optional<Form> Rules::result_of(const ir::Op& op, const std::vector<Form>& operands) {
  const ir::OpDef& def = op.def();
  if (def.origin != ir::Origin::none) return from_nothing(op);
  if (def.movement != ir::Movement::none) return operands.size() == 1 ? moved(op, operands[0]) : std::nullopt;
  if (def.arithmetic == ir::Arithmetic::none) return std::nullopt;
  // Bits that were loaded, without a sign: they have none to prove. The result is any number.
  const bool takes_any_bits = def.numbers == ir::Numbers::without_sign && !is_trial_ &&
                              std::any_of(operands.begin(), operands.end(), [&](const Form& one) {
                                return is_bare_unknown(one, atoms_) && !proves(one.number);
                              });
  if (takes_any_bits) return std::nullopt;
  const ir::Type element = op.result()->type().element();
  const bool is_truth = element.is_integer(1) && def.arithmetic != ir::Arithmetic::comparison;
  return is_truth ? calculated_truth(op, operands) : calculated(op, operands);
}

std::optional<Form> Rules::constant(const ir::Op& op) {
  const ir::Type element = op.result()->type().element();
  if (!is_integer_like(element)) return std::nullopt;
  const auto value = constant_integer(op.attribute("value"));
  if (!value) return std::nullopt;
  if (element.is_integer(1)) return Form::truth(Formula::constant((*value & 1) != 0));
  return Form::integer(Poly(*value));
}

std::optional<Form> Rules::from_nothing(const ir::Op& op) {
  const auto axis = static_cast<std::size_t>(op.integer_attribute("axis", 0));
  switch (op.def().origin) {
    case ir::Origin::constant: return constant(op);
    case ir::Origin::range:
      return Form::integer(Poly(op.integer_attribute("start", 0)) + atoms_.lane(0, op.result()->type().shape()[0]));
    case ir::Origin::program_id:
      if (axis > 2) return std::nullopt;
      return Form::integer(Poly::atom(atoms_.program(axis, grid_[axis])));
    case ir::Origin::program_count:
      if (axis > 2) return std::nullopt;
      return Form::integer(grid_[axis]);
    default: return std::nullopt;
  }
}

Form Rules::with_lanes(const Form& form, const std::vector<Poly>& lanes) {
  Form result = form;
  result.number = atoms_.with_lanes(form.number, lanes);
  result.formula = atoms_.with_lanes(form.formula, lanes);
  result.debts.clear();
  for (const DebtId id : form.debts) {
    Debt debt = debts_[id];
    debt.number = atoms_.with_lanes(debt.number, lanes);
    result.debts.insert(debts_.add(std::move(debt)));
  }
  return result;
}

// For each dimension of the source, its lane in those of the result.
std::vector<Poly> Rules::lanes_of_source(const ir::Op& op) {
  const auto& from = op.operand(0)->type().shape();
  const auto& to = op.result()->type().shape();
  std::vector<Poly> lanes;
  const auto lane = [&](std::size_t d) { return atoms_.lane(static_cast<std::int64_t>(d), to[d]); };
  switch (op.def().movement) {
    case ir::Movement::splat:
    case ir::Movement::unsplat: lanes.assign(from.size(), Poly(0)); break;
    case ir::Movement::broadcast:
      for (std::size_t d = 0; d < from.size(); ++d) lanes.push_back(from[d] == 1 ? Poly(0) : lane(d));
      break;
    case ir::Movement::expand_dims: {
      const auto axis = static_cast<std::size_t>(op.integer_attribute("axis", 0));
      for (std::size_t d = 0; d < from.size(); ++d) lanes.push_back(lane(d < axis ? d : d + 1));
      break;
    }
    case ir::Movement::transpose: {
      const ir::Attribute order = op.attribute("order");
      lanes.assign(from.size(), Poly(0));
      for (std::size_t d = 0; d < to.size(); ++d) lanes[static_cast<std::size_t>(order->values[d])] = lane(d);
      break;
    }
    case ir::Movement::reshape: return lanes_of_reshape(from, to);
    default: break;
  }
  return lanes;
}

std::vector<Poly> Rules::lanes_of_reshape(const std::vector<std::int64_t>& from, const std::vector<std::int64_t>& to) {
  Poly number;
  std::int64_t stride = 1;
  for (std::size_t d = to.size(); d-- > 0; stride *= to[d])
    number += atoms_.lane(static_cast<std::int64_t>(d), to[d]) * Poly(stride);
  std::vector<Poly> lanes(from.size());
  for (std::size_t d = from.size(); d-- > 0;) {
    const Division parts = divide(number, Poly(from[d]), true);
    lanes[d] = parts.remainder;
    number = parts.quotient;
  }
  return lanes;
}

std::optional<Form> Rules::moved(const ir::Op& op, const Form& source) {
  const bool may_reorder = op.def().movement == ir::Movement::reshape && op.attribute("allow_reorder");
  if (source.kind == Form::Kind::nothing || !ir::reshapes(op) || may_reorder) return std::nullopt;
  const ir::Movement movement = op.def().movement;
  if (movement == ir::Movement::splat) return source;
  if (movement == ir::Movement::reshape && is_trial_) return std::nullopt;
  return with_lanes(source, lanes_of_source(op));
}

std::optional<Form> Rules::compared(const ir::Op& op, const Form& a, const Form& b) {
  const ir::Type element = op.operand(0)->type().element();
  if (!a.is_integer() || !b.is_integer()) return std::nullopt;
  const std::int64_t predicate = op.integer_attribute("predicate", -1);
  const bool has_sign = predicate < 6;
  Form result;
  look_at(a, element, has_sign, op, result.debts);
  look_at(b, element, has_sign, op, result.debts);
  const Poly difference = a.number - b.number;
  const Formula at_least = Formula::not_negative(difference), at_most = Formula::not_negative(Poly() - difference);
  result.kind = Form::Kind::truth;
  switch (predicate) {
    case 0: result.formula = Formula::all(at_least, at_most); break;
    case 1: result.formula = Formula::all(at_least, at_most).negated(); break;
    case 2:
    case 6: result.formula = at_least.negated(); break;
    case 3:
    case 7: result.formula = at_most; break;
    case 4:
    case 8: result.formula = at_most.negated(); break;
    case 5:
    case 9: result.formula = at_least; break;
    default: return std::nullopt;
  }
  return result;
}

// true is 1 without a sign and -1 with one. To fewer bits: the number stays, modulo 2^w, as sums do.
std::optional<Form> Rules::converted(const ir::Op& op, const Form& a) {
  if (!ir::resizes_integer(op)) return std::nullopt;
  const ir::Type from = op.operand(0)->type().element(), to = op.result()->type().element();
  if (!is_integer_like(from) || !is_integer_like(to)) return std::nullopt;
  const bool has_sign = op.def().numbers != ir::Numbers::without_sign;
  Form result;
  if (a.is_truth()) {
    const std::int64_t one = has_sign ? -1 : 1;
    result = Form::integer(chosen(a.formula, Poly(one), Poly(0)));
    result.debts = a.debts;
    return result;
  }
  if (!a.is_integer()) return std::nullopt;
  result = Form::integer(a.number);
  result.debts = a.debts;
  if (width_of(to) > width_of(from)) look_at(a, from, has_sign, op, result.debts);
  return result;
}

std::optional<Form> Rules::displaced(const ir::Op& op, const Form& pointer, const Form& offset) {
  const auto kind = op.operand(0)->type().element().pointee().scalar_kind();
  if (!pointer.is_pointer() || !offset.is_integer() || !kind) return std::nullopt;
  Form result = pointer;
  result.debts = joined(pointer, offset);
  const ir::Type element = op.operand(1)->type().element();
  if (width_of(element) < 64) look_at(offset, element, true, op, result.debts);  // 64 bits: addresses wrap alike
  result.number += offset.number * Poly(size_bytes(*kind));
  return result;
}

Poly Rules::chosen(const Formula& condition, const Poly& a, const Poly& b) {
  if (a == b || condition.kind() == Formula::Kind::truth) return a;
  if (condition.kind() == Formula::Kind::falsehood) return b;
  const std::size_t before = atoms_.size();
  const AtomId id = atoms_.selection(condition, a, b, path_);
  const Poly here = Poly::atom(id);
  if (is_trial_ || atoms_.size() == before) return here;
  if (proves(a) && proves(b)) atoms_.set_not_negative(id);
  for (const auto& [high, low] : {std::pair(a, b), std::pair(b, a)}) {
    if (!proves(high - low)) continue;
    atoms_.add_fact(id, high - here);
    atoms_.add_fact(id, here - low);
    break;
  }
  return here;
}

std::optional<Form> Rules::choose(const ir::Op& op, const Form& condition, const Form& a, const Form& b,
                                  const Path* path, bool is_trial) {
  op_ = &op;
  path_ = path;
  is_trial_ = is_trial;
  return choose(condition, a, b);
}

// Lanes that are off load nothing: there the datum is any number of the range, if it has one.
Form Rules::loaded(const ir::Op& op, const DataRange& range, const Form* mask, const Form* other, const Path* path,
                   bool is_trial) {
  op_ = &op;
  path_ = path;
  is_trial_ = is_trial;
  const ir::Value& value = *op.result();
  const ir::Type element = value.type().element();
  Form form = anything(value, path);
  if (is_trial || !is_integer_like(element) || width_of(element) == 1) return form;
  if (mask != nullptr && (!mask->is_truth() || !proves(range.high - range.low))) return form;
  const IntegerRange all = range_of(element);
  const AtomId datum = atoms_.datum(&value, lanes_of(value), path, all.low, all.high, range.low, range.high);
  if (proves(range.low)) atoms_.set_not_negative(datum);
  form.number = Poly::atom(datum);
  if (mask == nullptr) return form;
  const Form undefined = anything(value, path, kUndefined);
  const Form& rest = other != nullptr && other->is_integer() ? *other : undefined;
  form.number = chosen(mask->formula, form.number, rest.number);
  form.debts = rest.debts;
  return form;
}

void Rules::take_order(const ir::Op& op, AtomId datum, const Poly& index, AtomId other, const Poly& other_index,
                       const Path* path) {
  op_ = &op;
  path_ = path;
  is_trial_ = false;
  const Poly difference = Poly::atom(datum) - Poly::atom(other);
  if (proves(index - other_index))
    atoms_.add_fact(datum, difference);
  else if (proves(other_index - index))
    atoms_.add_fact(datum, Poly() - difference);
}

std::optional<Form> Rules::choose(const Form& condition, const Form& a, const Form& b) {
  if (a.kind != b.kind || !condition.is_truth()) return std::nullopt;
  Form result = a;
  result.debts = joined(a, b);
  result.debts.insert(condition.debts.begin(), condition.debts.end());
  if (a.is_integer() || (a.is_pointer() && a.base == b.base)) {
    result.number = chosen(condition.formula, a.number, b.number);
    return result;
  }
  if (!a.is_truth()) return std::nullopt;
  result.formula = Formula::any(Formula::all(condition.formula, a.formula),
                                Formula::all(condition.formula.negated(), b.formula));
  return result;
}

// ---- integer arithmetic, and i1 by whole bits ----


std::optional<Form> Rules::calculated(const ir::Op& op, const std::vector<Form>& operands) {
  const ir::OpDef& def = op.def();
  if (def.arithmetic == Arithmetic::displacement) return displaced(op, operands[0], operands[1]);
  if (def.arithmetic == Arithmetic::selection) return choose(operands[0], operands[1], operands[2]);
  if (def.arithmetic == Arithmetic::reinterpretation && operands[0].is_pointer() &&
      op.result()->type().element().is_pointer())
    return operands[0];
  if (def.arithmetic == Arithmetic::conversion) return converted(op, operands[0]);
  if (def.numbers == ir::Numbers::none || def.numbers == ir::Numbers::floats || operands.size() != 2) return std::nullopt;
  const Form &a = operands[0], &b = operands[1];
  if (def.arithmetic == Arithmetic::comparison) return compared(op, a, b);
  if (!a.is_integer() || !b.is_integer()) return std::nullopt;
  switch (def.arithmetic) {
    case Arithmetic::sum:
    case Arithmetic::difference:
    case Arithmetic::product: return ring(op, a, b);
    case Arithmetic::quotient:
    case Arithmetic::floor_quotient:
    case Arithmetic::remainder: return divided(op, a, b);
    case Arithmetic::shift_left:
    case Arithmetic::shift_right: return shifted(op, a, b);
    case Arithmetic::conjunction: return masked_bits(a, b);
    case Arithmetic::minimum:
    case Arithmetic::maximum: return extremum(op, a, b);
    default: return std::nullopt;
  }
}

// i1: and, or, exclusive or; a choice of two.
std::optional<Form> Rules::calculated_truth(const ir::Op& op, const std::vector<Form>& operands) {
  if (!std::all_of(operands.begin(), operands.end(), [](const Form& one) { return one.is_truth(); }))
    return std::nullopt;
  const Arithmetic what = op.def().arithmetic;
  if (what == Arithmetic::selection) return choose(operands[0], operands[1], operands[2]);
  if (!ir::is_bitwise(what) || operands.size() != 2) return std::nullopt;
  const Formula &a = operands[0].formula, &b = operands[1].formula;
  Form result = Form::truth(Formula::all(a, b));
  if (what == Arithmetic::disjunction) result.formula = Formula::any(a, b);
  if (what == Arithmetic::parity)
    result.formula = Formula::any(Formula::all(a, b.negated()), Formula::all(a.negated(), b));
  for (const Form& one : operands) result.debts.insert(one.debts.begin(), one.debts.end());
  return result;
}

// Exact modulo 2^w: they owe nothing themselves.
std::optional<Form> Rules::ring(const ir::Op& op, const Form& a, const Form& b) {
  Form result = a;
  result.debts.insert(b.debts.begin(), b.debts.end());
  switch (op.def().arithmetic) {
    case Arithmetic::sum: result.number += b.number; break;
    case Arithmetic::difference: result.number -= b.number; break;
    default: result.number = a.number * b.number;
  }
  if (result.number.degree() > kMostFactors || result.number.terms().size() > kMostSummands) return std::nullopt;
  return result;
}

// x = quotient * d + remainder. Parts that d divides need no atom.
Division Rules::divide(const Poly& x, const Poly& d, bool is_whole) {
  if (d.is_constant()) {
    const Integer divisor = d.constant();
    Poly whole, rest;
    for (const auto& [monomial, coefficient] : x.terms()) {
      const Integer share = floor_divide(coefficient, divisor);
      whole.add(monomial, share);
      rest.add(monomial, coefficient - share * divisor);
    }
    if (divisor == 1) return {x, Poly(0)};
    if (rest.is_constant() || (proves(rest) && proves(d - Poly(1) - rest))) return {whole, rest};
    // A sum of multiples and something: the something alone is divided, which is the same number less the multiples.
    const bool rest_is_whole = is_whole && whole == Poly();
    const Poly& divided = rest_is_whole ? x : rest;
    const bool is_filled = proves(divided - d);
    Division part = new_division(divided, d, rest_is_whole || is_filled || proves(rest), is_filled);
    part.quotient += rest_is_whole ? Poly() : whole;
    return part;
  }
  if (is_whole && proves(d - Poly(1) - x)) return {Poly(0), x};
  return new_division(x, d, is_whole, is_whole && proves(x - d));
}

// Of x below 0, the quotient is that of x + d - 1 toward minus infinity.
Division Rules::divide_toward_zero(const Poly& x, const Poly& d) {
  const Division down = divide(x, d, false), up = divide(x + d - Poly(1), d, false);
  const Formula is_whole = Formula::not_negative(x);
  return {chosen(is_whole, down.quotient, up.quotient), chosen(is_whole, down.remainder, up.remainder - d + Poly(1))};
}

Division Rules::new_division(const Poly& x, const Poly& d, bool is_whole, bool is_filled) {
  const std::size_t before = atoms_.size();
  Division parts = atoms_.division(x, d, is_whole, is_filled, path_);
  if (atoms_.size() != before && !is_trial_) add_lemmas(parts.quotient.terms().begin()->first[0], x);
  return parts;
}

void Rules::add_lemmas(AtomId quotient, const Poly& x) {
  constexpr std::size_t kMostLemmas = 3;
  if (atoms_.rank(x) != kOfProgram) return;
  std::set<AtomId> sizes;
  for (const Poly& extent : grid_) {
    for (const auto& [monomial, coefficient] : extent.terms()) sizes.insert(monomial.begin(), monomial.end());
  }
  std::size_t found = 0;
  const auto take = [&](const Poly& goal) {
    Decided decided{goal, {}};
    if (found == kMostLemmas || !elimination_.proves(goal, path_, {}, {9, 200, 0}, &decided.why)) return;
    notes_.taken[op_].push_back(std::move(decided));
    notes_.lemmas[op_].emplace_back(quotient, goal);
    atoms_.add_fact(quotient, goal);
    ++found;
  };
  const Poly& divisor = atoms_[quotient].operands[1];
  // Of a grid that is a number: pid <= 15 makes pid // 4 at most 3, which products with other numbers need.
  for (const Poly& extent : grid_) {
    const Poly last = extent - Poly(1);
    if (!extent.is_constant() || extent == Poly(1) || !divisor.is_constant() || !elimination_.proves(last - x, path_, {}, {2, 20, 0})) continue;
    take(Poly(floor_divide(last.constant(), divisor.constant())) - Poly::atom(quotient));
  }
  for (const AtomId size : sizes) {
    const Poly goal = Poly::atom(size) - Poly(1) - Poly::atom(quotient);
    // What x is below, its quotient by a number is far below: the equation says so.
    if (divisor.is_constant() && elimination_.proves(Poly::atom(size) - Poly(1) - x, path_, {}, {2, 20, 0})) continue;
    take(goal);
  }
}

std::optional<Form> Rules::divided(const ir::Op& op, const Form& a, const Form& b) {
  if (is_trial_) return std::nullopt;
  const ir::Type element = op.result()->type().element();
  const bool has_sign = op.def().numbers != ir::Numbers::without_sign;
  DebtSet debts;
  look_at(a, element, has_sign, op, debts);
  look_at(b, element, has_sign, op, debts);
  owe({b.number, 1, range_of(element, has_sign).high, &op, Property::division}, debts);
  Form result;
  const bool is_whole = proves(a.number);
  const bool rounds_down = is_whole || op.def().arithmetic == Arithmetic::floor_quotient;
  if (proves(b.number - Poly(1))) {
    const Division parts = rounds_down ? divide(a.number, b.number, is_whole) : divide_toward_zero(a.number, b.number);
    result = Form::integer(op.def().arithmetic == Arithmetic::remainder ? parts.remainder : parts.quotient);
  } else {
    result = anything(*op.result(), path_);
  }
  result.debts = std::move(debts);
  return result;
}

std::optional<Form> Rules::shifted(const ir::Op& op, const Form& a, const Form& b) {
  const ir::Type element = op.result()->type().element();
  if (is_trial_ || !b.number.is_constant() || element.is_index()) return std::nullopt;
  const Integer by = b.number.constant();
  if (by < 0 || by >= element.integer_width()) return std::nullopt;
  const Poly factor(power_of_two(static_cast<std::uint32_t>(by)));
  Form result = a;
  result.debts.insert(b.debts.begin(), b.debts.end());
  if (op.def().arithmetic == Arithmetic::shift_left) {
    result.number = a.number * factor;
    return result;
  }
  look_at(a, element, op.def().numbers == ir::Numbers::with_sign, op, result.debts);
  result.number = divide(a.number, factor, proves(a.number)).quotient;
  return result;
}

// x & (2^k - 1): the remainder, whatever x is, also where it wrapped.
std::optional<Form> Rules::masked_bits(const Form& a, const Form& b) {
  const Form &mask = b.number.is_constant() ? b : a, &value = b.number.is_constant() ? a : b;
  if (is_trial_ || !mask.number.is_constant()) return std::nullopt;
  const auto exponent = exponent_of(mask.number.constant() + 1);
  if (!exponent) return std::nullopt;
  Form result = value;
  result.debts.insert(mask.debts.begin(), mask.debts.end());
  result.number = divide(value.number, Poly(power_of_two(*exponent)), proves(value.number)).remainder;
  return result;
}

std::optional<Form> Rules::extremum(const ir::Op& op, const Form& a, const Form& b) {
  if (is_trial_) return std::nullopt;
  const ir::Type element = op.result()->type().element();
  const bool has_sign = op.def().numbers != ir::Numbers::without_sign;
  const bool is_minimum = ir::is_minimum(op.def().arithmetic);
  Form result;
  look_at(a, element, has_sign, op, result.debts);
  look_at(b, element, has_sign, op, result.debts);
  result.kind = Form::Kind::integer;
  if (proves(a.number - b.number)) {
    result.number = is_minimum ? b.number : a.number;
  } else if (proves(b.number - a.number)) {
    result.number = is_minimum ? a.number : b.number;
  } else {
    const std::size_t before = atoms_.size();
    const AtomId id = atoms_.extremum(is_minimum ? AtomKind::minimum : AtomKind::maximum, a.number, b.number, path_);
    const bool is_new = atoms_.size() != before;  // what holds here need not hold where an old one was made
    const bool a_is_whole = is_new && proves(a.number), b_is_whole = is_new && proves(b.number);
    if (is_minimum ? a_is_whole && b_is_whole : a_is_whole || b_is_whole) atoms_.set_not_negative(id);
    if (is_new && is_minimum && proves(a.number - Poly(1)) && proves(b.number - Poly(1)))
      atoms_.add_fact(id, Poly::atom(id) - Poly(1));
    result.number = Poly::atom(id);
  }
  return result;
}

}  // namespace lockstep::prove
