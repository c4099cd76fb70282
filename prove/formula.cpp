#include "prove/formula.h"

#include <tuple>
#include <utility>

namespace lockstep::prove {

Formula Formula::not_negative(Poly poly) {
  if (poly.is_constant()) return constant(poly.constant() >= 0);
  Formula result(Kind::not_negative);
  result.poly_ = std::move(poly);
  return result;
}

Formula Formula::all(Formula a, Formula b) {
  if (a.kind_ == Kind::falsehood || b.kind_ == Kind::truth) return a;
  if (b.kind_ == Kind::falsehood || a.kind_ == Kind::truth) return b;
  Formula result(Kind::all);
  result.parts_ = {std::move(a), std::move(b)};
  return result;
}

Formula Formula::any(Formula a, Formula b) {
  if (a.kind_ == Kind::truth || b.kind_ == Kind::falsehood) return a;
  if (b.kind_ == Kind::truth || a.kind_ == Kind::falsehood) return b;
  Formula result(Kind::any);
  result.parts_ = {std::move(a), std::move(b)};
  return result;
}

Formula Formula::negated() const {
  switch (kind_) {
    case Kind::unknown: return *this;
    case Kind::truth: return constant(false);
    case Kind::falsehood: return constant(true);
    case Kind::not_negative: return not_negative(Poly(-1) - poly_);
    case Kind::all: return any(parts_[0].negated(), parts_[1].negated());
    case Kind::any: return all(parts_[0].negated(), parts_[1].negated());
  }
  return *this;
}

bool operator<(const Formula& a, const Formula& b) {
  return std::tie(a.kind_, a.poly_, a.parts_) < std::tie(b.kind_, b.poly_, b.parts_);
}

bool Formula::is_known_throughout() const {
  if (!is_known()) return false;
  for (const Formula& part : parts_) {
    if (!part.is_known_throughout()) return false;
  }
  return true;
}

std::vector<Formula> Formula::alternatives() const {
  constexpr std::size_t kMost = 6;
  if (kind_ != Kind::any) return {*this};
  std::vector<Formula> all = parts_[0].alternatives();
  const std::vector<Formula> others = parts_[1].alternatives();
  if (all.size() + others.size() > kMost) return {*this};
  all.insert(all.end(), others.begin(), others.end());
  return all;
}

void Formula::consequences(std::vector<Poly>& into) const {
  if (kind_ == Kind::not_negative) into.push_back(poly_);
  if (kind_ == Kind::falsehood) into.emplace_back(-1);
  if (kind_ != Kind::all) return;
  for (const Formula& part : parts_) part.consequences(into);
}

}  // namespace lockstep::prove
