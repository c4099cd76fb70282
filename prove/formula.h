// Formula: what an i1 says, as comparisons of polynomials joined by all and any. Invariant: negation is pushed to the
// comparisons; what nobody knows stays `unknown` under negation. Not here: who makes one (forms.h).
#pragma once

#include <cstdint>
#include <vector>

#include "prove/poly.h"

namespace lockstep::prove {

class Formula {
 public:
  enum class Kind : std::uint8_t { unknown, truth, falsehood, not_negative, all, any };

  static Formula unknown() { return Formula(Kind::unknown); }
  static Formula constant(bool value) { return Formula(value ? Kind::truth : Kind::falsehood); }
  /// poly >= 0.
  static Formula not_negative(Poly poly);
  static Formula all(Formula a, Formula b);
  static Formula any(Formula a, Formula b);
  Formula negated() const;

  Kind kind() const { return kind_; }
  const Poly& poly() const { return poly_; }
  bool is_known() const { return kind_ != Kind::unknown; }
  bool is_known_throughout() const;
  const std::vector<Formula>& parts() const { return parts_; }
  friend bool operator==(const Formula& a, const Formula& b) = default;
  friend bool operator<(const Formula& a, const Formula& b);

  /// Polynomials that are >= 0 wherever the formula is true; not all that it says.
  void consequences(std::vector<Poly>& into) const;
  /// Formulas of which one is true wherever it is; itself if there are too many.
  std::vector<Formula> alternatives() const;
  /// The same formula with every polynomial replaced.
  template <typename Change>
  Formula with(const Change& change) const {
    Formula result = *this;
    if (kind_ == Kind::not_negative) result.poly_ = change(poly_);
    for (Formula& part : result.parts_) part = part.with(change);
    return result;
  }

 private:
  explicit Formula(Kind kind) : kind_(kind) {}
  Kind kind_;
  Poly poly_;
  std::vector<Formula> parts_;
};

}  // namespace lockstep::prove
