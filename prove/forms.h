// Form: what is known of a value in letters, for every launch, program, turn and lane at once: an integer (or tile of
// them) as a polynomial over the integers, an i1 as a formula, a pointer as an argument and bytes from it. A form
// speaks of numbers that do not wrap; its debts say what has to hold for that. Not here: how ops make forms (rules.h).
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <tuple>
#include <vector>

#include "ir/op.h"
#include "prove/formula.h"

namespace lockstep::prove {

enum class Property : std::uint8_t { bounds, integers, loops, division, races, lanes, hints, coverage };

/// low <= number <= high, where `op` looks at a number.
struct Debt {
  Poly number;
  Integer low, high;
  const ir::Op* op = nullptr;
  Property property = Property::integers;
  friend bool operator<(const Debt& a, const Debt& b) {
    return std::tie(a.number, a.low, a.high, a.op, a.property) < std::tie(b.number, b.low, b.high, b.op, b.property);
  }
};

using DebtId = std::uint32_t;
using DebtSet = std::set<DebtId>;

class Debts {
 public:
  DebtId add(Debt debt) {
    const auto [place, is_new] = known_.try_emplace(std::move(debt), static_cast<DebtId>(all_.size()));
    if (is_new) all_.push_back(&place->first);
    return place->second;
  }
  const Debt& operator[](DebtId id) const { return *all_[id]; }

 private:
  std::map<Debt, DebtId> known_;
  std::vector<const Debt*> all_;
};

struct Form {
  enum class Kind : std::uint8_t {
    nothing,
    integer,
    truth,
    pointer,
    descriptor,  // an argument of the launch
  } kind = Kind::nothing;
  Poly number{};  // integer; pointer: bytes
  Formula formula = Formula::unknown();
  const ir::Value* base = nullptr;  // pointer, descriptor: an argument of the kernel
  DebtSet debts{};

  static Form integer(Poly number) { return {Kind::integer, std::move(number)}; }
  static Form truth(Formula formula) { return {Kind::truth, {}, std::move(formula)}; }
  bool is_integer() const { return kind == Kind::integer; }
  bool is_truth() const { return kind == Kind::truth; }
  bool is_pointer() const { return kind == Kind::pointer; }
  friend bool says_the_same(const Form& a, const Form& b) {
    return a.kind == b.kind && a.kind != Kind::nothing && a.number == b.number && a.base == b.base &&
           a.kind != Kind::truth;
  }
};

}  // namespace lockstep::prove
