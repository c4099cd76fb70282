// Walk: follows a kernel from its entry, with the form of every value and the path to every op, and names what is owed
// where values are used: accesses, masks, conditions, loops. A loop's body is followed twice: first with any number for
// what it carries, to see by how much that changes, then with its closed form. Not here: single ops
// (rules.h), how debts are settled (ledger.h), pairs of accesses (meetings.h).
#pragma once

#include <deque>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "prove/hints.h"
#include "prove/ledger.h"
#include "prove/pairs.h"
#include "prove/ragged.h"
#include "prove/rules.h"
#include "prove/statement.h"

namespace lockstep::prove {

class Walk {
 public:
  Walk(const ir::Op& function, const Contract& contract, Atoms& atoms, Solver* solver);
  Statement run();

 private:
  void take_arguments();
  void visit_blocks(const ir::Region& region, Path* path);
  bool enter_block(const ir::Block& block, std::map<const ir::Block*, Path*>& ends);
  void visit_ops(const ir::Block& block, Path* path);
  void visit(const ir::Op& op, Path* path);
  /// The forms of its results, and what it owes.
  void follow(const ir::Op& op, Path* path);
  void visit_for(const ir::Op& op, Path* path);
  /// The number of turns before this one.
  Poly start_turn(const ir::Op& op, Path* body, const std::vector<Form>& carried);
  std::vector<std::optional<Poly>> changes_of(const ir::Op& op, Path* path, const std::vector<Form>& start);
  void owe_loop(const ir::Op& op, Path* path, Path* body);
  void visit_while(const ir::Op& op, Path* path);
  void visit_if(const ir::Op& op, Path* path);
  void visit_access(const ir::Op& op, Path* path);
  void take_data(const ir::Op& op, const Form& place, const ir::Value* mask, Path* path);
  /// Of memory that rises: how the datum lies to those that were loaded before.
  void take_order(const ir::Op& op, const ir::Value* base, AtomId datum, const Poly& index, Path* path);
  void decide_access(const ir::Op& op, const Form& place, const std::vector<Poly>& on, Path* path);
  void visit_descriptor_access(const ir::Op& op, Path* path);

  void pay_number(const ir::Value& value, const ir::Op& op, Path* path) { ledger_.pay_number(form_of(value, path), value, op, path); }
  void suggest_range(const Undecided& open);
  void note_forgotten();
  Form form_of(const ir::Value& value, Path* path);
  void set(const ir::Value& value, Form form) { forms_[&value] = std::move(form); }
  /// No atom of it is known only further inside.
  bool may_leave(const Form& form, Path* path) const;
  Path* child(Path* parent);
  Poly bytes_of(const ir::Value& argument) const;

  const ir::Op& function_;
  const Contract& contract_;
  Atoms& atoms_;
  Debts debts_;
  Statement statement_;
  Rules rules_;
  std::deque<Path> paths_;
  Ledger ledger_;
  Hints hints_;
  std::vector<Site> sites_;
  struct Rising {
    const ir::Value* base = nullptr;
    AtomId datum = 0;
    Poly index;
    const Path* path = nullptr;
  };
  std::vector<Rising> rising_;
  Ragged ragged_;
  std::map<const ir::Value*, Form> forms_;
};

}  // namespace lockstep::prove
