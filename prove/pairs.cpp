#include "prove/pairs.h"

#include <algorithm>
#include <array>
#include <set>

namespace lockstep::prove {
namespace {

constexpr int kMostNodes = 400;

void letters_of(const Poly& poly, const Atoms& atoms, std::set<AtomId>& into) {
  for (const auto& [monomial, coefficient] : poly.terms()) {
    for (const AtomId id : monomial) {
      if (!into.insert(id).second) continue;
      for (const Poly& operand : atoms[id].operands) letters_of(operand, atoms, into);
    }
  }
}

}  // namespace

struct Pairs::Question {
  Poly first, second;  // bytes
  Integer first_bytes, second_bytes;
  const Path* path = nullptr;
  std::vector<Poly> differences{};
  std::size_t deciding = 0;  // of the first so many differences one is not 0
  int nodes = 0;
  std::vector<Poly> suffices{};  // >= 0 would keep apart what was not proved apart
};

bool Pairs::try_direction(const Question& question, const std::vector<Poly>& facts, bool is_forward, Apart& found) const {
  const Poly goal = is_forward ? question.second - question.first - Poly(question.first_bytes)
                               : question.first - question.second - Poly(question.second_bytes);
  Certificate why;
  if (!elimination_.proves(goal, question.path, facts, {8, 120, 0}, &why)) return false;
  found.kind = is_forward ? Apart::Kind::forward : Apart::Kind::backward;
  found.goal = goal;
  found.why = std::move(why);
  return true;
}

void Pairs::note_rests(Question& question, const std::vector<Poly>& facts) const {
  constexpr std::size_t kMostRests = 6;
  for (const Poly& goal : {question.second - question.first - Poly(question.first_bytes),
                           question.first - question.second - Poly(question.second_bytes)}) {
    if (question.suffices.size() >= kMostRests) return;
    Verdict verdict = elimination_.decide(goal, question.path, facts, {8, 120, 0});
    for (Poly& rest : verdict.suffices) {
      if (std::find(question.suffices.begin(), question.suffices.end(), rest) == question.suffices.end())
        question.suffices.push_back(std::move(rest));
    }
  }
}

bool Pairs::search(Question& question, std::size_t next, std::vector<Poly>& facts, bool differs, Apart& found) {
  if (next == question.deciding && !differs) return found.kind = Apart::Kind::same, true;
  if (++question.nodes > kMostNodes) return false;
  if (next != 0 && (try_direction(question, facts, true, found) || try_direction(question, facts, false, found))) return true;
  if (next == question.differences.size()) return note_rests(question, facts), false;
  found.kind = Apart::Kind::split;
  found.difference = question.differences[next];
  for (const int sign : {-1, 0, 1}) {
    const std::vector<Poly> before = facts;
    const Poly& d = found.difference;
    std::vector<Poly> more{sign < 0 ? Poly(-1) - d : sign > 0 ? d - Poly(1) : d};
    if (sign == 0) more.push_back(Poly() - d);
    facts.insert(facts.begin(), more.begin(), more.end());
    const bool is_apart = search(question, next + 1, facts, differs || (sign != 0 && next < question.deciding),
                                 found.cases.emplace_back());
    facts = before;
    if (!is_apart) return false;
  }
  return true;
}

std::optional<Apart> Pairs::programs_apart(const Site& a, const Site& b) {
  static constexpr std::array<const char*, 3> kPrograms{"pid.x", "pid.y", "pid.z"};
  Question question{a.at, atoms_.primed(b.at), a.bytes, b.bytes, a.path};
  for (std::size_t axis = 0; axis < 3; ++axis) {
    if (grid_[axis] == Poly(1)) continue;
    const Poly program = Poly::atom(atoms_.program(kPrograms[axis], grid_[axis]));
    question.differences.push_back(atoms_.primed(program) - program);
  }
  question.deciding = question.differences.size();
  std::set<AtomId> letters;
  letters_of(a.at, atoms_, letters);
  for (const AtomId id : letters) {
    const AtomKind kind = atoms_[id].kind;
    if (kind == AtomKind::lane || kind == AtomKind::counter)
      question.differences.push_back(atoms_.primed(Poly::atom(id)) - Poly::atom(id));
  }
  std::vector<Poly> facts = a.on;
  for (const Poly& fact : b.on) facts.push_back(atoms_.primed(fact));
  for (const Path* at = b.path; at != nullptr; at = at->parent) {
    for (const Poly& fact : at->facts) facts.push_back(atoms_.primed(fact));
  }
  Apart found;
  if (search(question, 0, facts, false, found)) return found;
  suffices_ = std::move(question.suffices);
  return std::nullopt;
}

std::optional<Apart> Pairs::lanes_apart(const Site& store) {
  const auto& shape = store.op->operand(0)->type().shape();
  std::vector<Poly> lanes;
  for (std::size_t i = 0; i < shape.size(); ++i)
    lanes.push_back(atoms_.lane(static_cast<std::int64_t>(i) + kSecondLane, shape[i]));
  Question question{store.at, atoms_.with_lanes(store.at, lanes), store.bytes, store.bytes, store.path};
  for (std::size_t i = 0; i < shape.size(); ++i) {
    if (shape[i] != 1) question.differences.push_back(lanes[i] - atoms_.lane(static_cast<std::int64_t>(i), shape[i]));
  }
  question.deciding = question.differences.size();
  std::vector<Poly> facts = store.on;
  for (const Poly& fact : store.on) facts.push_back(atoms_.with_lanes(fact, lanes));
  Apart found;
  if (search(question, 0, facts, false, found)) return found;
  suffices_ = std::move(question.suffices);
  return std::nullopt;
}

}  // namespace lockstep::prove
