#include "prove/outside/query.h"

#include <utility>

namespace lockstep::prove {
namespace {

constexpr std::size_t kMostText = 400'000, kMostLetters = 600;

std::string number_text(const Integer& number) {
  return number < 0 ? "(- " + Integer(-number).str() + ")" : number.str();
}

}  // namespace

Query::Query(const Atoms& atoms, const Path* path) : atoms_(atoms), path_(path) {
  for (const Path* at = path; at != nullptr; at = at->parent) {
    for (const Poly& fact : at->facts) take(fact);
    take(at->condition);
  }
}

void Query::take(const Poly& poly) { assert_that("(>= " + text(poly) + " 0)"); }

void Query::take(const Formula& formula) {
  if (formula.kind() != Formula::Kind::truth && formula.is_known()) assert_that(text(formula));
}

void Query::assert_that(const std::string& what) {
  if (assertions_.size() < kMostText) assertions_ += "(assert " + what + ")\n";
}

std::string Query::letter(AtomId id) {
  const auto [place, is_new] = letters_.try_emplace(id, letters_.size());
  std::string name = "v" + std::to_string(place->second);
  if (is_new) {
    declarations_ += "(declare-const " + name + " Int)\n";
    open_.push_back(id);
    if (atoms_[id].kind == AtomKind::parameter) numbers_.push_back(id);
  }
  return name;
}

std::string Query::text(const Poly& poly) {
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
std::string Query::text(const Formula& formula) {
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

// All that is known of the letter here. A quotient's equation is among its facts.
void Query::define(AtomId id) {
  const Atom& atom = atoms_[id];
  const std::string name = letter(id);
  if (atom.is_not_negative) assert_that("(>= " + name + " 0)");
  if (!encloses(atom.scope, path_)) return;
  for (const Poly& fact : atom.facts) take(fact);
  const bool is_minimum = atom.kind == AtomKind::minimum;
  if (is_minimum || atom.kind == AtomKind::maximum) {
    const std::string a = text(atom.operands[0]), b = text(atom.operands[1]);
    assert_that("(= " + name + " (ite (<= " + a + " " + b + ") " + (is_minimum ? a + " " + b : b + " " + a) + "))");
  } else if (atom.kind == AtomKind::selection) {
    const std::string condition = text(atom.condition), a = text(atom.operands[0]), b = text(atom.operands[1]);
    assert_that("(= " + name + " (ite " + condition + " " + a + " " + b + "))");
  }
}

void Query::finish() {
  while (!open_.empty() && letters_.size() <= kMostLetters && assertions_.size() < kMostText) {
    const AtomId id = open_.back();
    open_.pop_back();
    define(id);
  }
}

SolverReply Query::ask(Solver& solver) {
  finish();
  if (!open_.empty() || assertions_.size() >= kMostText) return {SolverReply::Kind::unknown, {}, "the question is too large for it"};
  std::vector<std::string> wanted;
  for (const AtomId id : numbers_) wanted.push_back(letter(id));
  return solver.ask(declarations_ + assertions_, wanted);
}

}  // namespace lockstep::prove
