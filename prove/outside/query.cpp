#include "prove/outside/query.h"

namespace lockstep::prove {
namespace {

constexpr std::size_t kMostNamed = 40'000, kMostLetters = 600;

}  // namespace

Query::Query(const Atoms& atoms, const Path* path) : atoms_(atoms), path_(path), question_{&atoms} {
  for (const Path* at = path; at != nullptr; at = at->parent) {
    for (const Poly& fact : at->facts) take(fact);
    take(at->condition);
  }
}

void Query::take(const Poly& poly) { take(Formula::not_negative(poly)); }

void Query::take(const Formula& formula) {
  if (formula.kind() == Formula::Kind::truth || !formula.is_known()) return;
  name(formula);
  question_.assertions.push_back({formula});
}

void Query::name(AtomId id) {
  ++named_;
  if (!question_.letters.try_emplace(id, question_.letters.size()).second) return;
  open_.push_back(id);
  if (atoms_[id].kind == AtomKind::parameter) question_.numbers.push_back(id);
}

void Query::name(const Poly& poly) {
  for (const auto& [monomial, coefficient] : poly.terms()) {
    for (const AtomId id : monomial) name(id);
  }
}

void Query::name(const Formula& formula) {
  if (formula.kind() == Formula::Kind::not_negative) name(formula.poly());
  for (const Formula& part : formula.parts()) name(part);
}

// All that is known of the letter here. A quotient's equation is among its facts.
void Query::define(AtomId id) {
  const Atom& atom = atoms_[id];
  if (atom.is_not_negative) take(Poly::atom(id));
  if (!encloses(atom.scope, path_)) return;
  for (const Poly& fact : atom.facts) take(fact);
  const bool is_choice = atom.kind == AtomKind::minimum || atom.kind == AtomKind::maximum || atom.kind == AtomKind::selection;
  if (!is_choice) return;
  if (atom.kind == AtomKind::selection) name(atom.condition);
  for (const Poly& operand : atom.operands) name(operand);
  question_.assertions.push_back({Formula::constant(true), id});
}

void Query::finish() {
  while (!open_.empty() && question_.letters.size() <= kMostLetters && named_ < kMostNamed) {
    const AtomId id = open_.back();
    open_.pop_back();
    define(id);
  }
}

SolverReply Query::ask(Solver& solver) {
  finish();
  if (!open_.empty() || named_ >= kMostNamed) return {SolverReply::Kind::unknown, {}, "the question is too large for it"};
  return solver.ask(question_);
}

}  // namespace lockstep::prove
