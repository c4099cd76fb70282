#include "prove/atoms.h"

#include <algorithm>
#include <utility>

namespace lockstep::prove {

bool encloses(const Path* outer, const Path* inner) {
  if (outer == nullptr) return true;
  for (; inner != nullptr; inner = inner->parent) {
    if (inner == outer) return true;
  }
  return false;
}

// Atoms of outer scopes serve, too: their facts hold here.
AtomId Atoms::add(Atom atom, bool& is_new) {
  Key key{atom.kind, atom.name, atom.made_by, atom.index, atom.extent, atom.operands, atom.condition};
  std::vector<AtomId>& all = known_[std::move(key)];
  for (const AtomId id : all) {
    if (encloses(atoms_[id]->scope, atom.scope)) {
      is_new = false;
      return id;
    }
  }
  is_new = true;
  all.push_back(static_cast<AtomId>(atoms_.size()));
  atoms_.push_back(std::make_unique<Atom>(std::move(atom)));
  return all.back();
}

AtomId Atoms::parameter(const std::string& name, const Integer& low, const Integer& high) {
  bool is_new = false;
  const AtomId id = add({.kind = AtomKind::parameter, .name = name}, is_new);
  if (!is_new) return id;
  Atom& atom = *atoms_[id];
  atom.is_not_negative = low >= 0;
  atom.facts = {Poly::atom(id) - Poly(low), Poly(high) - Poly::atom(id)};
  return id;
}

std::optional<AtomId> Atoms::find_parameter(const std::string& name) const {
  for (std::size_t i = 0; i < atoms_.size(); ++i) {
    if (atoms_[i]->kind == AtomKind::parameter && atoms_[i]->name == name) return static_cast<AtomId>(i);
  }
  return std::nullopt;
}

AtomId Atoms::program(std::size_t axis, const Poly& extent) {
  bool is_new = false;
  const AtomId id = add({.kind = AtomKind::program, .name = kPrograms[axis]}, is_new);
  Atom& atom = *atoms_[id];
  atom.is_not_negative = true;
  atom.rank = kOfProgram;
  if (is_new) atom.facts = {extent - Poly(1) - Poly::atom(id)};
  return id;
}

Poly Atoms::lane(std::int64_t dimension, std::int64_t extent) {
  if (extent == 1) return 0;
  bool is_new = false;
  const AtomId id = add({.kind = AtomKind::lane, .index = dimension, .extent = extent}, is_new);
  Atom& atom = *atoms_[id];
  atom.is_not_negative = atom.has_lanes = true;
  atom.rank = kOfLane;
  if (is_new) atom.facts = {Poly(extent - 1) - Poly::atom(id)};
  return Poly::atom(id);
}

AtomId Atoms::counter(const void* loop, const Path* scope, const Poly& first, const Poly& end, const Poly& step) {
  bool is_new = false;
  const AtomId id = add({.kind = AtomKind::counter, .made_by = loop, .scope = scope}, is_new);
  Atom& atom = *atoms_[id];
  atom.is_not_negative = true;
  atom.rank = kOfTurn;
  if (is_new) atom.facts = {end - Poly(1) - first - step * Poly::atom(id)};
  return id;
}

AtomId Atoms::element(const std::string& name, std::int64_t index, const Poly& extent) {
  bool is_new = false;
  const AtomId id = add({.kind = AtomKind::element, .name = name, .index = index}, is_new);
  Atom& atom = *atoms_[id];
  atom.is_not_negative = true;
  atom.rank = kOfProgram;
  if (is_new) atom.facts = {extent - Poly(1) - Poly::atom(id)};
  return id;
}

AtomId Atoms::unknown(const void* value, std::int64_t copy, std::vector<Poly> lanes, const Path* scope,
                      const Integer& low, const Integer& high) {
  bool is_new = false;
  const AtomId id = add(
      {.kind = AtomKind::unknown, .made_by = value, .index = copy, .operands = std::move(lanes), .scope = scope}, is_new);
  Atom& atom = *atoms_[id];
  atom.is_not_negative = low >= 0;
  take_operands(atom);
  atom.rank = std::max(atom.rank, kOfTurn);
  if (is_new) atom.facts = {Poly::atom(id) - Poly(low), Poly(high) - Poly::atom(id)};
  return id;
}

AtomId Atoms::datum(const void* value, std::vector<Poly> lanes, const Path* scope, const Integer& low,
                    const Integer& high, const Poly& least, const Poly& most) {
  const AtomId id = unknown(value, kDatum, std::move(lanes), scope, low, high);
  Atom& atom = *atoms_[id];
  if (atom.facts.size() == 2) {
    // They come before the range of the type: they are what is meant.
    atom.facts.insert(atom.facts.begin(), {most - Poly::atom(id), Poly::atom(id) - least});
  }
  return id;
}

void Atoms::take_operands(Atom& atom) const {
  for (const Poly& operand : atom.operands) {
    atom.rank = std::max(atom.rank, rank(operand));
    atom.has_lanes = atom.has_lanes || has_lanes(operand);
  }
  const auto note = [&](const Poly& poly) {
    atom.rank = std::max(atom.rank, rank(poly));
    atom.has_lanes = atom.has_lanes || has_lanes(poly);
    return poly;
  };
  atom.condition.with(note);
  if (atom.kind == AtomKind::selection && !atom.condition.is_known_throughout()) atom.rank = std::max(atom.rank, kOfTurn);
}

Division Atoms::division(const Poly& x, const Poly& d, bool is_whole, bool is_filled, const Path* scope) {
  bool is_new = false;
  const std::int64_t whole = (is_whole ? 1 : 0) + (is_filled ? 2 : 0);  // another path may know less: then it is another atom
  const AtomId q = add({.kind = AtomKind::quotient, .index = whole, .operands = {x, d}, .scope = scope}, is_new);
  const AtomId r = add({.kind = AtomKind::remainder, .index = whole, .operands = {x, d}, .scope = scope}, is_new);
  take_operands(*atoms_[q]);
  take_operands(*atoms_[r]);
  atoms_[r]->is_not_negative = true;
  const Poly quotient = Poly::atom(q), remainder = Poly::atom(r), rest = x - d * quotient - remainder;
  if (is_new) {
    atoms_[r]->facts = {d - Poly(1) - remainder, rest, Poly() - rest};
    atoms_[q]->facts = {rest, Poly() - rest};
  }
  if (is_new && is_whole) {
    atoms_[q]->is_not_negative = true;
    if (!d.is_constant()) atoms_[q]->facts.push_back(x - quotient);  // else what the equation says is sharper
    atoms_[r]->facts.push_back(x - remainder);
  }
  if (is_new && is_filled) atoms_[q]->facts.push_back(quotient - Poly(1));
  return {quotient, remainder};
}

AtomId Atoms::extremum(AtomKind kind, const Poly& a, const Poly& b, const Path* scope) {
  bool is_new = false;
  const AtomId id =
      add({.kind = kind, .operands = {std::min(a, b), std::max(a, b)}, .scope = scope}, is_new);
  take_operands(*atoms_[id]);
  const Poly here = Poly::atom(id);
  if (is_new && kind == AtomKind::minimum) atoms_[id]->facts = {a - here, b - here};
  if (is_new && kind == AtomKind::maximum) atoms_[id]->facts = {here - a, here - b};
  return id;
}

AtomId Atoms::selection(const Formula& condition, const Poly& a, const Poly& b, const Path* scope) {
  bool is_new = false;
  const AtomId id =
      add({.kind = AtomKind::selection, .operands = {a, b}, .condition = condition, .scope = scope}, is_new);
  take_operands(*atoms_[id]);
  return id;
}

// Once for each atom: others name it in several places, and those others too.
AtomId Atoms::with_lanes(AtomId id, const std::vector<Poly>& lanes) {
  if (lanes != lanes_of_changed_) {
    lanes_of_changed_ = lanes;
    changed_.clear();
  }
  const auto known = changed_.find(id);
  if (known != changed_.end()) return known->second;
  const AtomId result = change_lanes(id, lanes);
  changed_.emplace(id, result);
  return result;
}

// The facts of an atom hold in every lane, so they hold for the lanes that others become.
AtomId Atoms::change_lanes(AtomId id, const std::vector<Poly>& lanes) {
  const Atom old = *atoms_[id];
  Atom changed{.kind = old.kind, .name = old.name, .made_by = old.made_by, .index = old.index, .extent = old.extent};
  changed.scope = old.scope;
  for (const Poly& operand : old.operands) changed.operands.push_back(with_lanes(operand, lanes));
  changed.condition = with_lanes(old.condition, lanes);
  bool is_new = false;
  const AtomId result = add(std::move(changed), is_new);
  if (!is_new) return result;
  atoms_[result]->is_not_negative = old.is_not_negative;
  take_operands(*atoms_[result]);
  atoms_[result]->rank = std::max(atoms_[result]->rank, old.kind == AtomKind::unknown ? kOfTurn : kOfLaunch);
  std::vector<Poly> facts;
  for (const Poly& fact : old.facts) facts.push_back(with_lanes(fact, lanes));
  atoms_[result]->facts = std::move(facts);
  return result;
}

Poly Atoms::with_lanes(const Poly& poly, const std::vector<Poly>& lanes) {
  if (!has_lanes(poly)) return poly;
  Poly result;
  for (const auto& [monomial, coefficient] : poly.terms()) {
    Poly term(coefficient);
    for (const AtomId id : monomial) {
      const Atom& atom = *atoms_[id];
      if (!atom.has_lanes)
        term = term * Poly::atom(id);
      else if (atom.kind == AtomKind::lane)
        term = term * lanes[static_cast<std::size_t>(atom.index)];
      else
        term = term * Poly::atom(with_lanes(id, lanes));
    }
    result += term;
  }
  return result;
}

Formula Atoms::with_lanes(const Formula& formula, const std::vector<Poly>& lanes) {
  return formula.with([&](const Poly& poly) { return with_lanes(poly, lanes); });
}

// What is known of an atom where it may be named is known of the second one there.
AtomId Atoms::primed(AtomId id) {
  bool is_new = false;
  const AtomId result = add({.kind = AtomKind::primed, .index = id}, is_new);
  if (!is_new) return result;
  atoms_[result]->rank = atoms_[id]->rank;
  atoms_[result]->is_not_negative = atoms_[id]->is_not_negative;
  std::vector<Poly> facts;
  for (const Poly& fact : std::vector<Poly>(atoms_[id]->facts)) facts.push_back(primed(fact));
  atoms_[result]->facts = std::move(facts);
  return result;
}

Poly Atoms::primed(const Poly& poly) {
  Poly result;
  for (const auto& [monomial, coefficient] : poly.terms()) {
    Poly term(coefficient);
    for (const AtomId id : monomial) term = term * Poly::atom(atoms_[id]->rank == kOfLaunch ? id : primed(id));
    result += term;
  }
  return result;
}

bool Atoms::has_lanes(const Poly& poly) const {
  for (const auto& [monomial, coefficient] : poly.terms()) {
    if (std::any_of(monomial.begin(), monomial.end(), [&](AtomId id) { return atoms_[id]->has_lanes; })) return true;
  }
  return false;
}

std::uint8_t Atoms::rank(const Monomial& monomial) const {
  std::uint8_t most = kOfLaunch;
  for (const AtomId id : monomial) most = std::max(most, atoms_[id]->rank);
  return most;
}

std::uint8_t Atoms::rank(const Poly& poly) const {
  std::uint8_t most = kOfLaunch;
  for (const auto& [monomial, coefficient] : poly.terms()) most = std::max(most, rank(monomial));
  return most;
}

bool Atoms::may_be_named(const Poly& poly, const Path* path) const {
  for (const auto& [monomial, coefficient] : poly.terms()) {
    for (const AtomId id : monomial) {
      if (!encloses(atoms_[id]->scope, path)) return false;
    }
  }
  return true;
}

bool Atoms::is_not_negative(const Monomial& monomial) const {
  return std::all_of(monomial.begin(), monomial.end(), [&](AtomId id) { return atoms_[id]->is_not_negative; });
}

}  // namespace lockstep::prove
