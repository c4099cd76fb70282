#include "prove/poly.h"

#include <algorithm>
#include <iterator>

namespace lockstep::prove {

Poly Poly::atom(AtomId id) {
  Poly poly;
  poly.add({id}, 1);
  return poly;
}

bool Poly::is_constant() const { return terms_.empty() || (terms_.size() == 1 && terms_.begin()->first.empty()); }

Integer Poly::constant() const {
  const auto found = terms_.find({});
  return found == terms_.end() ? Integer(0) : found->second;
}

std::size_t Poly::degree() const {
  std::size_t most = 0;
  for (const auto& [monomial, coefficient] : terms_) most = std::max(most, monomial.size());
  return most;
}

void Poly::add(const Monomial& monomial, const Integer& coefficient) {
  if (coefficient == 0) return;
  const auto [place, is_new] = terms_.try_emplace(monomial, coefficient);
  if (is_new) return;
  place->second += coefficient;
  if (place->second == 0) terms_.erase(place);
}

Poly& Poly::operator+=(const Poly& other) {
  if (&other == this) return *this = times(2, {});
  for (const auto& [monomial, coefficient] : other.terms_) add(monomial, coefficient);
  return *this;
}

Poly& Poly::operator-=(const Poly& other) {
  if (&other == this) return *this = Poly();
  for (const auto& [monomial, coefficient] : other.terms_) add(monomial, -coefficient);
  return *this;
}

Poly operator*(const Poly& a, const Poly& b) {
  Poly result;
  for (const auto& [monomial, coefficient] : a.terms_) result += b.times(coefficient, monomial);
  return result;
}

Poly Poly::times(const Integer& c, const Monomial& m) const {
  Poly result;
  for (const auto& [monomial, coefficient] : terms_) result.add(product(monomial, m), coefficient * c);
  return result;
}

Monomial product(const Monomial& a, const Monomial& b) {
  Monomial result;
  result.reserve(a.size() + b.size());
  std::merge(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(result));
  return result;
}

bool divide(const Monomial& a, const Monomial& b, Monomial& quotient) {
  if (!std::includes(a.begin(), a.end(), b.begin(), b.end())) return false;
  quotient.clear();
  std::set_difference(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(quotient));
  return true;
}

Integer floor_divide(const Integer& x, const Integer& d) {
  Integer quotient = x / d;
  if (x % d < 0) quotient -= 1;
  return quotient;
}

}  // namespace lockstep::prove
