// Poly: a polynomial over atoms with integer coefficients of any size; what a tile's number is in terms of sizes, program
// ids, lanes and loop counters. Invariant: no term has the coefficient zero, so equal polynomials have equal terms. Not
// here: what atoms mean and what is known of them (atoms.h).
#pragma once

#include <boost/multiprecision/cpp_int.hpp>
#include <cstdint>
#include <map>
#include <vector>

namespace lockstep::prove {

using Integer = boost::multiprecision::cpp_int;
using AtomId = std::uint32_t;
/// Atoms with repetition, rising; empty: the constant term.
using Monomial = std::vector<AtomId>;

class Poly {
 public:
  Poly() = default;
  Poly(const Integer& constant) { add({}, constant); }  // NOLINT
  Poly(std::int64_t constant) : Poly(Integer(constant)) {}  // NOLINT
  static Poly atom(AtomId id);

  const std::map<Monomial, Integer>& terms() const { return terms_; }
  bool is_constant() const;
  Integer constant() const;
  std::size_t degree() const;
  void add(const Monomial& monomial, const Integer& coefficient);

  Poly& operator+=(const Poly& other);
  Poly& operator-=(const Poly& other);
  friend Poly operator+(Poly a, const Poly& b) { return a += b; }
  friend Poly operator-(Poly a, const Poly& b) { return a -= b; }
  friend Poly operator*(const Poly& a, const Poly& b);
  friend bool operator==(const Poly& a, const Poly& b) { return a.terms_ == b.terms_; }
  friend bool operator<(const Poly& a, const Poly& b) { return a.terms_ < b.terms_; }
  /// c * m * this.
  Poly times(const Integer& c, const Monomial& m) const;

 private:
  std::map<Monomial, Integer> terms_;
};

Monomial product(const Monomial& a, const Monomial& b);
/// a / b, if b divides it.
bool divide(const Monomial& a, const Monomial& b, Monomial& quotient);
/// Toward minus infinity; d > 0.
Integer floor_divide(const Integer& x, const Integer& d);

}  // namespace lockstep::prove
