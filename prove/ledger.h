// Ledger: what is owed where a value is used. Each debt is settled by a proof, by a condition on the launch, or left open
// with a reason. Not here: what is owed where (walk.h), how a goal is proved (eliminate.h).
#pragma once

#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "prove/outside/query.h"
#include "prove/rules.h"
#include "prove/statement.h"

namespace lockstep::prove {

class Ledger {
 public:
  /// root: the path that encloses all others; conditions become its facts.
  struct Outside {
    Solver* solver = nullptr;
    bool wants_certificates = false;
  };
  Ledger(const Atoms& atoms, const Debts& debts, Rules& rules, Statement& statement, Path* root, Outside outside)
      : atoms_(atoms), debts_(debts), rules_(rules), statement_(statement), root_(root), outside_(outside) {}

  /// Everything that the form rests on holds under the path and `facts`.
  void pay(const Form& form, Path* path, const std::vector<Poly>& facts = {});
  /// The value's own number is within its type, too.
  void pay_number(const Form& form, const ir::Value& value, const ir::Op& op, Path* path);
  /// goal >= 0, or a condition for it, or undecided. False: undecided.
  bool settle(const Poly& goal, Path* path, const std::vector<Poly>& facts, Condition about);
  /// Holds from here on, because the answer says so.
  void take_condition(Condition condition);
  void leave_open(const ir::Op& op, Property property, std::string reason, std::string argument = {});
  /// What no stage here decides: it holds if `doubt` is impossible, as the solver says. False: undecided, for `reason`.
  bool settle_outside(Query& doubt, const ir::Op& op, Property property, const std::string& reason, const std::string& argument);
  /// Whether a condition may be what the kernel's author meant.
  bool is_plausible(const Poly& rest, Property property) const;
  bool is_free_extent(const Poly& extent) const;
  /// In a trial nothing is owed. Returns what was set before.
  bool set_trial(bool is_trial) { return std::exchange(is_trial_, is_trial); }
  bool is_trial() const { return is_trial_; }
  Path* root() const { return root_; }
  const Elimination& elimination() const { return rules_.elimination(); }

 private:
  bool holds_of_large_launches(const Poly& rest, const std::map<AtomId, bool>& named) const;
  /// The same of a goal, which `doubt` denies: its reason names what it depends on.
  bool settle_outside(Query& doubt, const Poly& goal, const Condition& about);

  const Atoms& atoms_;
  const Debts& debts_;
  Rules& rules_;
  Statement& statement_;
  Path* root_;
  struct Settled {
    const Path* path = nullptr;
    std::vector<Poly> facts;
  };
  std::map<Poly, std::vector<Settled>> settled_;  // goals, and where they were settled
  std::set<std::pair<DebtId, const Path*>> paid_;  // under the path alone
  bool is_trial_ = false;
  Outside outside_;
};

}  // namespace lockstep::prove
