// Coverage: whether every element of an output is written. For an element, as letters, one point of a store is chosen: a
// polynomial for each program, lane and turn. There control arrives, the mask is on, and the address is the element's. Or
// elements are told apart, and each part has a store of its own.
// Errors: what has no such point is not decided. Not here: that no element is written twice (pairs.h).
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "prove/ledger.h"
#include "prove/pairs.h"
#include "prove/statement.h"
#include "prove/substitution.h"

namespace lockstep::prove {

class Coverage {
 public:
  Coverage(const Contract& contract, Atoms& atoms, Ledger& ledger, Statement& statement)
      : contract_(contract), atoms_(atoms), ledger_(ledger), statement_(statement) {}
  void decide(const ir::Op& function, const std::vector<Site>& sites);

 private:
  struct Group {  // dimensions that lie without gaps, as one
    Poly letter, extent, stride;
  };
  struct Goal {
    Poly goal;
    std::vector<Poly> facts;
    bool may_split = true;  // another store may write elements of which it does not hold
    bool is_owed = true;    // else others say as much
  };
  struct Joint;
  struct Attempt;
  std::optional<std::vector<Group>> groups_of(const std::string& name, const Output& output, const std::vector<std::size_t>& sizes);
  bool try_site(const std::string& name, const Output& output, const Site& site, bool takes_conditions);
  bool try_together(const std::string& name, const Output& output, const std::vector<const Site*>& sites, bool takes_conditions);
  bool cover(Joint& joint, const std::vector<const Site*>& sites, const std::vector<Poly>& facts, Covered& by);
  bool cover_by(Joint& joint, const Site& site, const std::vector<const Site*>& others, const std::vector<Poly>& facts, Covered& by);
  std::optional<std::vector<Poly>> settle_part(Joint& joint, Attempt& attempt, const std::vector<Poly>& facts, bool may_split);
  bool settle_goal(Joint& joint, const Site& site, const Goal& goal, const std::vector<Poly>& facts, bool takes_conditions);
  void take(const std::string& name, const Attempt& attempt);
  bool try_groups(Attempt& attempt, const std::vector<Group>& groups, bool takes_conditions);
  bool choose(Attempt& attempt, const std::vector<Group>& groups);
  bool solve(Attempt& attempt, const Poly& count, Poly target);
  bool assign(Attempt& attempt, AtomId letter, const Poly& value);
  bool resolve_divisions(Attempt& attempt);
  bool list_goals(Attempt& attempt, const std::vector<Group>& groups);
  bool arrive(Attempt& attempt, const Path* path, std::vector<Poly>& facts);
  bool add_formula(Attempt& attempt, const Formula& formula, const std::vector<Poly>& facts);
  bool settle(Attempt& attempt, bool takes_conditions);
  Verdict decide(const Poly& goal, const std::vector<Poly>& facts) const;
  bool is_of_use(const std::vector<Poly>& conditions) const;

  const Contract& contract_;
  Atoms& atoms_;
  Ledger& ledger_;
  Statement& statement_;
  Substitution::Lemmas lemmas_;
};

}  // namespace lockstep::prove
