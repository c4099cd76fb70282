#include "prove/words.h"

#include <algorithm>
#include <map>
#include <utility>

#include "ir/interfaces/op_kinds.h"
#include "ir/text/python_name.h"
#include "support/location.h"
#include "support/source_file.h"

namespace lockstep::prove {
namespace {

struct Shown {
  std::string text;
  bool is_sum = false;
};

std::string wrapped(const Shown& shown) { return shown.is_sum ? "(" + shown.text + ")" : shown.text; }

Shown show(const Poly& poly, const Atoms& atoms);

/// As Python has it.
std::string show(const Formula& formula, const Atoms& atoms) {
  switch (formula.kind()) {
    case Formula::Kind::unknown: return "unknown";
    case Formula::Kind::truth: return "True";
    case Formula::Kind::falsehood: return "False";
    case Formula::Kind::not_negative: return condition_text(formula.poly(), atoms);
    default: break;
  }
  const auto part = [&](std::size_t i) {
    const Formula& one = formula.parts()[i];
    const std::string text = show(one, atoms);
    return one.kind() == formula.kind() || one.kind() == Formula::Kind::not_negative ? text : "(" + text + ")";
  };
  return part(0) + (formula.kind() == Formula::Kind::all ? " and " : " or ") + part(1);
}

std::string show_atom(AtomId id, const Atoms& atoms) {
  const Atom& atom = atoms[id];
  const auto part = [&](std::size_t i) { return show(atom.operands[i], atoms); };
  switch (atom.kind) {
    case AtomKind::quotient: {
      const Poly less = atom.operands[0] - atom.operands[1] + Poly(1);
      const bool rounds_up = !less.is_constant() && less.terms().size() < atom.operands[0].terms().size();
      if (rounds_up) return "cdiv(" + show(less, atoms).text + ", " + part(1).text + ")";
      return wrapped(part(0)) + " // " + wrapped(part(1));
    }
    case AtomKind::remainder: return wrapped(part(0)) + " % " + wrapped(part(1));
    case AtomKind::minimum: return "min(" + part(0).text + ", " + part(1).text + ")";
    case AtomKind::maximum: return "max(" + part(0).text + ", " + part(1).text + ")";
    case AtomKind::selection: return "(" + part(0).text + " if " + show(atom.condition, atoms) + " else " + part(1).text + ")";
    case AtomKind::lane: return "lane" + std::to_string(atom.index);
    case AtomKind::counter: return "turn";
    case AtomKind::element: return "element" + std::to_string(atom.index);
    case AtomKind::primed: return show_atom(static_cast<AtomId>(atom.index), atoms) + "'";
    case AtomKind::unknown: return "unknown";
    default: return atom.name;
  }
}

/// Whether its text needs parentheses in a product.
bool is_loose(AtomId id, const Atoms& atoms) {
  const std::string text = show_atom(id, atoms);
  return text.find(" // ") != std::string::npos || text.find(" % ") != std::string::npos;
}

/// The atom of most terms; of those the one that comes last.
std::pair<AtomId, std::size_t> commonest(const Poly& poly) {
  std::map<AtomId, std::size_t> counts;
  for (const auto& [monomial, coefficient] : poly.terms()) {
    Monomial once = monomial;
    once.erase(std::unique(once.begin(), once.end()), once.end());
    for (const AtomId id : once) ++counts[id];
  }
  std::pair<AtomId, std::size_t> best{0, 0};
  for (const auto& [id, count] : counts) {
    if (count >= best.second) best = {id, count};
  }
  return best;
}

std::string show_product(const Integer& coefficient, const Monomial& monomial, const Atoms& atoms) {
  std::string text = monomial.empty() || coefficient != 1 ? coefficient.str() : "";
  for (const AtomId id : monomial) {
    const std::string atom = show_atom(id, atoms);
    text += (text.empty() ? "" : "*") + (is_loose(id, atoms) ? "(" + atom + ")" : atom);
  }
  return text;
}

void append(Shown& sum, const Shown& part, bool is_negative) {
  const std::string text = is_negative ? wrapped(part) : part.text;
  if (sum.text.empty())
    sum.text = (is_negative ? "-" : "") + text;
  else
    sum.text += (is_negative ? " - " : " + ") + text, sum.is_sum = true;
  sum.is_sum = sum.is_sum || is_negative || part.is_sum;
}

// Horner's form: what most terms share is written once.
Shown show(const Poly& poly, const Atoms& atoms) {
  if (poly.terms().empty()) return {"0"};
  Shown sum;
  Poly rest = poly;
  if (const auto [id, count] = commonest(poly); count >= 2) {
    Poly with, without;
    for (const auto& [monomial, coefficient] : poly.terms()) {
      Monomial others;
      if (divide(monomial, {id}, others))
        with.add(others, coefficient);
      else
        without.add(monomial, coefficient);
    }
    const std::string atom = show_atom(id, atoms);
    append(sum, {wrapped(show(with, atoms)) + "*" + (is_loose(id, atoms) ? "(" + atom + ")" : atom)}, false);
    rest = without;
  }
  const bool has_head = !sum.text.empty();
  for (auto term = rest.terms().rbegin(); term != rest.terms().rend() && !has_head; ++term)
    append(sum, {show_product(abs(term->second), term->first, atoms)}, term->second < 0);
  if (has_head && !rest.terms().empty()) {
    const bool is_negative = rest.terms().rbegin()->second < 0;
    append(sum, show(is_negative ? Poly() - rest : rest, atoms), is_negative);
  }
  return sum;
}

}  // namespace

std::string argument_name(const ir::Value& argument) {
  const std::string& name = argument.name();
  if (!name.empty() && name.find_first_not_of("0123456789") != std::string::npos) return name;
  const Location at = argument.location();
  if (name.empty() && !at.is_unknown() && at->kind == LocationNode::Kind::name) return at->text;
  return "arg" + std::to_string(argument.index());
}

std::string text(const Poly& poly, const Atoms& atoms) { return show(poly, atoms).text; }

std::string condition_text(const Poly& poly, const Atoms& atoms) {
  Poly low, high;
  for (const auto& [monomial, coefficient] : poly.terms()) {
    if (monomial.empty()) continue;
    if (coefficient < 0)
      low.add(monomial, -coefficient);
    else
      high.add(monomial, coefficient);
  }
  // 0 >= x % d.
  const bool is_remainder = poly.terms().size() == 1 && poly.degree() == 1 && poly.terms().begin()->second == -1 &&
                            atoms[poly.terms().begin()->first[0]].kind == AtomKind::remainder;
  if (is_remainder) return show_atom(poly.terms().begin()->first[0], atoms) + " == 0";
  // What an argument has to own stands alone.
  for (const auto& [monomial, coefficient] : poly.terms()) {
    if (coefficient == 1 && monomial.size() == 1 && is_elements(atoms[monomial[0]].name))
      return text(Poly::atom(monomial[0]) - poly, atoms) + " <= " + atoms[monomial[0]].name;
  }
  const Integer constant = poly.constant();
  if (low.terms().empty()) return text(high, atoms) + " >= " + Integer(-constant).str();
  // Differences stay on the side of what they are taken from: (B - 1)*T <= 5.
  if (high.degree() > 1 || (low.degree() > 1 && !high.terms().empty())) {
    bool shares = false;
    for (const auto& [monomial, coefficient] : high.terms()) {
      Monomial ignored;
      for (const auto& [other, weight] : low.terms()) shares = shares || divide(other, monomial, ignored);
    }
    if (shares) return text(low - high, atoms) + " <= " + constant.str();
  }
  if (high.terms().empty()) return text(low, atoms) + " <= " + constant.str();
  if (constant < 0) return text(low + Poly(Integer(-constant)), atoms) + " <= " + text(high, atoms);
  return text(low, atoms) + " <= " + text(high + Poly(constant), atoms);
}

std::string place_text(const ir::Op& op) {
  const UserFrame frame = user_frame(op.location());
  if (frame.user != nullptr) {
    const std::string& path = frame.user->text;
    return path.substr(path.rfind('/') + 1) + ":" + std::to_string(frame.user->line);
  }
  const SourceSpan& span = op.span();
  return span.file ? "line " + std::to_string(span.file->position(span.range.begin).line) : std::string(op.spelling());
}

std::string reason_text(const Condition& condition) {
  switch (condition.property) {
    case Property::bounds:
      return condition.is_lower_end ? ir::shown_name(*condition.op) + " stays behind the start of " + condition.argument
                                    : ir::shown_name(*condition.op) + " stays inside " + condition.argument;
    case Property::integers:
      // Python has no word for most of these: pid * stride, where stride has 64 bits; a block pointer's offsets.
      if (ir::extends_integer(*condition.op)) return "numbers that become " + condition.op->result()->type().element().to_string() + " do not wrap";
      return "the numbers of " + ir::shown_name(*condition.op) + " do not wrap";
    case Property::loops: return "the loop's counter does not wrap";
    case Property::division: return "the divisor is positive";
    case Property::races: return "no two programs touch the same bytes";
    case Property::coverage: return "every element of " + condition.argument + " is written";
    case Property::hints:
      return ir::is_assumption(*condition.op) ? ir::shown_name(*condition.op) + " holds"
                                              : "what is promised of " + ir::shown_name(*condition.op) + " holds";
    case Property::lanes: return "no two lanes touch the same bytes";
  }
  return {};
}

}  // namespace lockstep::prove
