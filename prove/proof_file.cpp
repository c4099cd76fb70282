#include "prove/proof_file.h"

#include <algorithm>
#include <set>
#include <utility>

#include "ir/interfaces/op_kinds.h"
#include "ir/module.h"
#include "ir/walk.h"
#include "prove/eliminate.h"
#include "prove/words.h"
#include "support/json.h"
#include "support/sha256.h"

namespace lockstep::prove {
namespace {

const Integer kMostPlain = Integer(1) << 53;

Json number_json(const Integer& number) {
  if (abs(number) <= kMostPlain) return static_cast<std::int64_t>(number);
  return number.str();
}

const char* kind_text(AtomKind kind) {
  switch (kind) {
    case AtomKind::parameter: return "parameter";
    case AtomKind::program: return "program";
    case AtomKind::lane: return "lane";
    case AtomKind::counter: return "counter";
    case AtomKind::quotient: return "quotient";
    case AtomKind::remainder: return "remainder";
    case AtomKind::minimum: return "minimum";
    case AtomKind::maximum: return "maximum";
    case AtomKind::selection: return "selection";
    case AtomKind::unknown: return "unknown";
    case AtomKind::primed: return "primed";
    case AtomKind::element: return "element";
  }
  return "";
}

/// The end of a region that has nothing to hand on is not in the text.
bool is_left_out(const ir::Op& op) {
  return op.parent_op() != nullptr && op.parent_op()->parent_op() != nullptr && op.operands().empty() &&
         op.result_count() == 0 && op.regions().empty() && ir::is_structured(*op.parent_op()) &&
         op.block()->terminator() == &op;
}

class ProofWriter {
 public:
  ProofWriter(const ProofSubject& subject, const Statement& statement, const Atoms& atoms)
      : subject_(subject), statement_(statement), atoms_(atoms) {
    for (const auto& block : subject.function.region(0).blocks()) {
      for (const auto& op : block->ops()) {
        ir::walk(*op, [&](const ir::Op& one) {
          if (!is_left_out(one)) ordinals_.emplace(&one, ordinals_.size());
        });
      }
    }
  }
  Json write();

 private:
  std::size_t ordinal(const ir::Op* op) const { return ordinals_.at(op); }
  std::string value_id(const ir::Value& value) const;
  Json atoms_json(const Monomial& monomial);
  Json poly_json(const Poly& poly);
  Json formula_json(const Formula& formula);
  Json atom_json(AtomId id);
  void need(AtomId id);
  std::size_t poly_id(const Poly& poly);
  std::size_t certificate_id(const Poly& goal, const Certificate& why);
  Json certificate_json(Poly goal, const Certificate& why);
  Json decided_json(const std::vector<Decided>& all);
  Json contract_json();
  Json changes_json();
  Json lemmas_json();
  Json forgotten_json() const;
  Json parameters_json() const;
  Json divisions_json();
  Json equal_json(const std::vector<Equal>& equal);
  Json apart_json(const Apart& apart);
  Json pairs_json();
  Json multiples_json();
  Json covered_json(const Covered& by);
  Json coverings_json();

  const ProofSubject& subject_;
  const Statement& statement_;
  const Atoms& atoms_;
  std::map<const ir::Op*, std::size_t> ordinals_;
  std::set<AtomId> needed_;
  std::map<Poly, std::size_t> poly_ids_;
  std::vector<Json> polys_;
};

// "12.0": result 0 of op 12. "12^0.1.2": argument 2 of block 1 of its region 0; of the kernel "f^...".
std::string ProofWriter::value_id(const ir::Value& value) const {
  if (const ir::Op* op = value.defining_op()) return std::to_string(ordinal(op)) + "." + std::to_string(value.index());
  const ir::Block* block = value.owner_block();
  const ir::Op* parent = block->parent_op();
  std::size_t region = 0, place = 0;
  for (std::size_t r = 0; r < parent->regions().size(); ++r) {
    std::size_t b = 0;
    for (const auto& one : parent->region(r).blocks()) {
      if (one.get() == block) region = r, place = b;
      ++b;
    }
  }
  const std::string owner = parent == &subject_.function ? "f" : std::to_string(ordinal(parent));
  return owner + "^" + std::to_string(region) + "." + std::to_string(place) + "." + std::to_string(value.index());
}

void ProofWriter::need(AtomId id) {
  if (!needed_.insert(id).second) return;
  const Atom& atom = atoms_[id];
  if (atom.kind == AtomKind::primed) need(static_cast<AtomId>(atom.index));
  const auto look = [&](const Poly& poly) {
    for (const auto& [monomial, coefficient] : poly.terms()) {
      for (const AtomId inner : monomial) need(inner);
    }
    return poly;
  };
  for (const Poly& operand : atom.operands) look(operand);
  atom.condition.with(look);
}

Json ProofWriter::atoms_json(const Monomial& monomial) {
  Json::Array all;
  for (const AtomId id : monomial) {
    need(id);
    all.push_back(id);
  }
  return all;
}

Json ProofWriter::poly_json(const Poly& poly) {
  Json::Array terms;
  for (const auto& [monomial, coefficient] : poly.terms())
    terms.push_back(Json::Array{number_json(coefficient), atoms_json(monomial)});
  return terms;
}

Json ProofWriter::formula_json(const Formula& formula) {
  switch (formula.kind()) {
    case Formula::Kind::unknown: return "unknown";
    case Formula::Kind::truth: return true;
    case Formula::Kind::falsehood: return false;
    case Formula::Kind::not_negative: return Json::Array{"not_negative", poly_json(formula.poly())};
    default: break;
  }
  Json::Array parts{formula.kind() == Formula::Kind::all ? "all" : "any"};
  for (const Formula& part : formula.parts()) parts.push_back(formula_json(part));
  return parts;
}

Json ProofWriter::atom_json(AtomId id) {
  const Atom& atom = atoms_[id];
  Json::Array row{id, kind_text(atom.kind)};
  switch (atom.kind) {
    case AtomKind::parameter:
    case AtomKind::program: row.push_back(atom.name); break;
    case AtomKind::lane:
      row.push_back(atom.index);
      row.push_back(atom.extent);
      break;
    case AtomKind::element:
      row.push_back(atom.name);
      row.push_back(atom.index);
      break;
    case AtomKind::counter: row.push_back(ordinal(static_cast<const ir::Op*>(atom.made_by))); break;
    case AtomKind::unknown:
      row.push_back(value_id(*static_cast<const ir::Value*>(atom.made_by)));
      row.push_back(atom.index);
      break;
    case AtomKind::selection: row.push_back(formula_json(atom.condition)); break;
    case AtomKind::primed: row.push_back(atom.index); break;
    default: break;
  }
  for (const Poly& operand : atom.operands) row.push_back(poly_json(operand));
  return row;
}

std::size_t ProofWriter::poly_id(const Poly& poly) {
  const auto [place, is_new] = poly_ids_.try_emplace(poly, polys_.size());
  if (is_new) polys_.push_back(poly_json(poly));
  return place->second;
}

Json ProofWriter::certificate_json(Poly goal, const Certificate& why) {
  if (why.is_absurd) {
    Certificate steps = why;
    steps.is_absurd = false;
    return Json::record({{"absurd", certificate_json(Poly(-1), steps)}});
  }
  if (why.cases_of) {
    need(*why.cases_of);
    Json::Array cases;
    for (const Certificate& one : why.cases) cases.push_back(certificate_json(goal, one));
    return Json::record({{"cases", *why.cases_of}, {"of", std::move(cases)}});
  }
  Json::Array steps;
  for (const CertificateStep& step : why.steps) {
    if (step.factor) {
      steps.push_back(Json::Array{"factor", poly_id(*step.factor)});
      goal = *step.factor * goal + *step.factor - Poly(1);
      continue;
    }
    Json::Array row{number_json(step.divide), number_json(step.scale), number_json(step.times), atoms_json(step.by), poly_id(step.fact)};
    if (step.other) row.push_back(poly_id(*step.other));
    Poly divided;
    for (const auto& [monomial, coefficient] : goal.terms()) divided.add(monomial, floor_divide(coefficient, step.divide));
    const Poly taken = step.other ? step.fact * *step.other : step.fact;
    goal = divided.times(step.scale, {}) + Poly(Integer(step.scale - 1)) - taken.times(step.times, step.by);
    steps.push_back(std::move(row));
  }
  return Json::record({{"steps", std::move(steps)}, {"rest", poly_id(goal)}});
}

Json ProofWriter::decided_json(const std::vector<Decided>& all) {
  Json::Array rows;
  std::set<std::string> seen;
  for (const Decided& one : all) {
    Json row = Json::Array{poly_id(one.goal), certificate_json(one.goal, one.why)};
    if (seen.insert(row.dump()).second) rows.push_back(std::move(row));
  }
  return rows;
}

Json ProofWriter::contract_json() {
  const Contract& contract = subject_.contract;
  Json::Array given, grid, facts;
  for (const std::string& word : subject_.words) given.emplace_back(word);
  for (const Poly& extent : contract.grid) grid.push_back(poly_json(extent));
  for (const Poly& fact : contract.facts) facts.push_back(poly_json(fact));
  Json integers = Json::record(), elements = Json::record();
  for (const auto& [name, poly] : contract.integers) integers.set(name, poly_json(poly));
  for (const auto& [name, poly] : contract.elements) elements.set(name, poly_json(poly));
  Json data = Json::record();
  Json::Array rising;
  for (const auto& [name, range] : contract.data) {
    data.set(name, Json::Array{poly_json(range.low), poly_json(range.high)});
    if (range.rises) rising.emplace_back(name);
  }
  Json chunks = Json::record();
  for (const auto& [name, table] : contract.chunks)
    chunks.set(name, Json::Array{table.offsets, poly_json(table.size), poly_json(table.sequences)});
  Json outputs = Json::record();
  for (const auto& [name, output] : contract.outputs) {
    Json::Array shape, strides;
    for (const Poly& extent : output.shape) shape.push_back(poly_json(extent));
    for (const Poly& stride : output.strides) strides.push_back(poly_json(stride));
    outputs.set(name, Json::Array{std::move(shape), std::move(strides)});
  }
  return Json::record({{"outputs", std::move(outputs)}, {"data", std::move(data)}, {"chunks", std::move(chunks)}, {"rising", std::move(rising)}, {"words", std::move(given)}, {"grid", std::move(grid)}, {"integers", std::move(integers)},
                       {"elements", std::move(elements)}, {"facts", std::move(facts)}});
}

Json ProofWriter::changes_json() {
  std::map<std::size_t, const std::vector<std::optional<Poly>>*> sorted;
  for (const auto& [op, changes] : statement_.notes.changes) sorted[ordinal(op)] = &changes;
  Json all = Json::record();
  for (const auto& [number, changes] : sorted) {
    Json::Array row;
    for (const auto& change : *changes) row.push_back(change ? poly_json(*change) : Json());
    all.set(std::to_string(number), std::move(row));
  }
  return all;
}

Json ProofWriter::lemmas_json() {
  std::map<std::size_t, const std::vector<std::pair<AtomId, Poly>>*> sorted;
  for (const auto& [op, lemmas] : statement_.notes.lemmas) sorted[ordinal(op)] = &lemmas;
  Json all = Json::record();
  for (const auto& [number, lemmas] : sorted) {
    Json::Array rows;
    for (const auto& [atom, goal] : *lemmas) {
      need(atom);
      rows.push_back(Json::Array{atom, poly_json(goal)});
    }
    all.set(std::to_string(number), std::move(rows));
  }
  return all;
}

Json ProofWriter::forgotten_json() const {
  std::vector<std::string> names;
  for (const ir::Value* value : statement_.notes.forgotten) names.push_back(value_id(*value));
  std::sort(names.begin(), names.end());
  Json::Array all;
  for (std::string& name : names) all.emplace_back(std::move(name));
  return all;
}

// Their ranges are part of what is claimed.
Json ProofWriter::parameters_json() const {
  Json all = Json::record();
  for (const AtomId id : needed_) {
    const Atom& atom = atoms_[id];
    if (atom.kind != AtomKind::parameter) continue;
    const Integer low = -atom.facts[0].constant(), high = atom.facts[1].constant();
    all.set(atom.name, Json::Array{number_json(low), number_json(high)});
  }
  return all;
}

Json ProofWriter::equal_json(const std::vector<Equal>& equal) {
  if (equal.empty()) return "same";
  Json::Array rows;
  for (const Equal& one : equal) {
    rows.push_back(Json::Array{poly_id(one.difference), certificate_json(one.difference, one.low),
                               certificate_json(Poly() - one.difference, one.high)});
  }
  return Json::record({{"same", std::move(rows)}});
}

Json ProofWriter::apart_json(const Apart& apart) {
  switch (apart.kind) {
    case Apart::Kind::same: return equal_json(apart.equal);
    case Apart::Kind::forward: return Json::record({{"forward", certificate_json(apart.goal, apart.why)}});
    case Apart::Kind::backward: return Json::record({{"backward", certificate_json(apart.goal, apart.why)}});
    case Apart::Kind::split: break;
  }
  Json::Array cases;
  for (const Apart& one : apart.cases) cases.push_back(apart_json(one));
  return Json::record({{"split", poly_id(apart.difference)}, {"of", std::move(cases)}});
}

Json ProofWriter::pairs_json() {
  Json::Array all;
  for (const PairProof& one : statement_.pairs) {
    all.push_back(Json::Array{one.is_of_lanes ? "lanes" : "races", ordinal(one.first), ordinal(one.second),
                              apart_json(one.why)});
  }
  return all;
}

// [op, its point] or {"split": difference, "of": [>= 0, below]}.
Json ProofWriter::covered_json(const Covered& by) {
  if (by.op == nullptr) {
    Json::Array cases;
    for (const Covered& one : by.cases) cases.push_back(covered_json(one));
    return Json::record({{"split", poly_id(by.difference)}, {"of", std::move(cases)}});
  }
  Json::Array map;
  for (const auto& [letter, value] : by.map) {
    need(letter);
    map.push_back(Json::Array{letter, poly_id(value)});
  }
  return Json::Array{ordinal(by.op), std::move(map)};
}

Json ProofWriter::coverings_json() {
  Json::Array all;
  for (const Covering& one : statement_.coverings) {
    Json::Array sizes;
    for (const std::size_t size : one.sizes) sizes.push_back(size);
    all.push_back(Json::Array{one.argument, std::move(sizes), covered_json(one.by)});
  }
  return all;
}

Json ProofWriter::multiples_json() {
  Json::Array all;
  for (const Multiple& one : statement_.notes.multiples)
    all.push_back(Json::Array{ordinal(one.op), one.dimension, poly_id(one.quotient)});
  return all;
}

// What divisions of the contract rest on.
Json ProofWriter::divisions_json() {
  const Elimination elimination(atoms_);
  std::vector<Decided> all;
  for (const AtomId id : std::set<AtomId>(needed_)) {
    const Atom& atom = atoms_[id];
    if (atom.kind != AtomKind::quotient || atom.scope != nullptr) continue;
    const Poly &x = atom.operands[0], &d = atom.operands[1];
    for (Decided one : {Decided{d - Poly(1), {}}, Decided{x, {}}, Decided{x - d, {}}}) {
      if (elimination.proves(one.goal, nullptr, {}, {}, &one.why)) all.push_back(std::move(one));
    }
  }
  return decided_json(all);
}

Json ProofWriter::write() {
  const ir::Op& function = subject_.function;
  Json contract = contract_json();
  Json::Array conditions, names;
  for (const Condition& one : statement_.conditions) {
    conditions.push_back(Json::Array{poly_json(one.rest), condition_text(one.rest, atoms_), place_text(*one.op)});
  }
  for (const auto& argument : function.region(0).front().arguments()) names.emplace_back(argument_name(*argument));
  std::map<std::size_t, const std::vector<Decided>*> sorted;
  for (const auto& [op, all] : statement_.notes.taken) sorted[ordinal(op)] = &all;
  Json taken = Json::record();
  for (const auto& [number, all] : sorted) taken.set(std::to_string(number), decided_json(*all));
  Json settled = decided_json(statement_.notes.settled), changes = changes_json(), lemmas = lemmas_json(), pairs = pairs_json(), multiples = multiples_json(),
       coverings = coverings_json();
  Json::Array properties{"bounds", "integers"};
  if (subject_.contract.wants_races) properties.emplace_back("races");
  if (subject_.contract.wants_lanes) properties.emplace_back("lanes");
  if (subject_.contract.wants_hints) properties.emplace_back("hints");
  if (subject_.contract.wants_coverage) properties.emplace_back("coverage");
  Json numbers = Json::record();
  for (const auto& [id, number] : subject_.witness) {
    need(id);
    numbers.set(atoms_[id].name, number_json(number));
  }
  Json divisions = divisions_json();
  Json::Array atoms;
  for (const AtomId id : std::set<AtomId>(needed_)) atoms.push_back(atom_json(id));
  return Json::record({{"format", "lockstep-proof 1"}, {"kernel", ir::symbol_name(function)}, {"sha256", sha256_text(subject_.ttir)},
                       {"ttir", subject_.ttir}, {"arguments", std::move(names)}, {"contract", std::move(contract)},
                       {"parameters", parameters_json()}, {"conditions", std::move(conditions)},
                       {"witness", std::move(numbers)}, {"atoms", std::move(atoms)}, {"polys", Json(std::move(polys_))},
                       {"changes", std::move(changes)}, {"lemmas", std::move(lemmas)}, {"forgotten", forgotten_json()}, {"divisions", std::move(divisions)}, {"taken", std::move(taken)},
                       {"settled", std::move(settled)},
                       {"properties", std::move(properties)}, {"pairs", std::move(pairs)}, {"multiples", std::move(multiples)}, {"coverings", std::move(coverings)}});
}

}  // namespace

std::string proof_text(const ProofSubject& subject, const Statement& statement, const Atoms& atoms) {
  return ProofWriter(subject, statement, atoms).write().dump() + "\n";
}

}  // namespace lockstep::prove
