#include "prove/outside/question.h"

#include <utility>

namespace lockstep::prove {
namespace {

std::string number_text(const Integer& number) {
  return number < 0 ? "(- " + Integer(-number).str() + ")" : number.str();
}

class SmtText {
 public:
  explicit SmtText(const Question& question) : question_(question), is_declared_(question.letters.size(), false) {}

  std::string all() {
    for (const Assertion& one : question_.assertions) {
      const std::string holds = one.letter ? definition(*one.letter) : text(one.formula);
      assertions_ += "(assert " + holds + ")\n";
    }
    return declarations_ + assertions_;
  }

 private:
  std::string letter(AtomId id) {
    const std::string name = letter_name(question_, id);
    const std::size_t number = question_.letters.at(id);
    if (!is_declared_[number]) declarations_ += "(declare-const " + name + " Int)\n";
    is_declared_[number] = true;
    return name;
  }

  std::string text(const Poly& poly) {
    if (poly.terms().empty()) return "0";
    std::string sum;
    for (const auto& [monomial, coefficient] : poly.terms()) {
      std::string term = monomial.size() == 1 && coefficient == 1 ? letter(monomial[0]) : number_text(coefficient);
      if (!monomial.empty() && !(monomial.size() == 1 && coefficient == 1)) {
        if (coefficient == 1) term.clear();
        for (const AtomId id : monomial) term += " " + letter(id);
        term = "(* " + term + ")";
      }
      sum += " " + term;
    }
    return poly.terms().size() == 1 ? sum.substr(1) : "(+" + sum + ")";
  }

  // What nobody knows may be either, each time it is named.
  std::string text(const Formula& formula) {
    switch (formula.kind()) {
      case Formula::Kind::truth: return "true";
      case Formula::Kind::falsehood: return "false";
      case Formula::Kind::not_negative: return "(>= " + text(formula.poly()) + " 0)";
      case Formula::Kind::all:
      case Formula::Kind::any: {
        std::string all = formula.kind() == Formula::Kind::all ? "(and" : "(or";
        for (const Formula& part : formula.parts()) all += " " + text(part);
        return all + ")";
      }
      case Formula::Kind::unknown: break;
    }
    const std::string name = "u" + std::to_string(unknown_++);
    declarations_ += "(declare-const " + name + " Bool)\n";
    return name;
  }

  std::string definition(AtomId id) {
    const Atom& atom = (*question_.atoms)[id];
    const std::string name = letter(id);
    if (atom.kind == AtomKind::selection) {
      const std::string condition = text(atom.condition), a = text(atom.operands[0]), b = text(atom.operands[1]);
      return "(= " + name + " (ite " + condition + " " + a + " " + b + "))";
    }
    const std::string a = text(atom.operands[0]), b = text(atom.operands[1]);
    return "(= " + name + " (ite (<= " + a + " " + b + ") " + (atom.kind == AtomKind::minimum ? a + " " + b : b + " " + a) + "))";
  }

  const Question& question_;
  std::vector<bool> is_declared_;
  std::string declarations_, assertions_;
  std::size_t unknown_ = 0;
};

Formula equal(const Poly& a, const Poly& b) {
  return Formula::all(Formula::not_negative(a - b), Formula::not_negative(b - a));
}

}  // namespace

Formula formula_of(const Assertion& assertion, const Atoms& atoms) {
  if (!assertion.letter) return assertion.formula;
  const Atom& atom = atoms[*assertion.letter];
  const Poly letter = Poly::atom(*assertion.letter), &a = atom.operands[0], &b = atom.operands[1];
  const Formula condition = atom.kind == AtomKind::selection ? atom.condition : Formula::not_negative(b - a);
  const bool is_maximum = atom.kind == AtomKind::maximum;
  const Formula yes = equal(letter, is_maximum ? b : a), no = equal(letter, is_maximum ? a : b);
  return Formula::any(Formula::all(condition, yes), Formula::all(condition.negated(), no));
}

std::string smt_text(const Question& question) { return SmtText(question).all(); }

std::string letter_name(const Question& question, AtomId id) { return "v" + std::to_string(question.letters.at(id)); }

}  // namespace lockstep::prove
