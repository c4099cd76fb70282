// Expressions over names that stay letters: + - * // % ( ) min max cdiv, as in grids. Comparisons of them for --where.
// Errors: LS2020 (syntax).
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "driver/words/cursor.h"
#include "prove/atoms.h"

namespace lockstep::driver {

class Symbolic {
 public:
  /// A name that `known` lacks becomes a parameter of 1 .. 2^31-1.
  Symbolic(Cursor& cursor, std::map<std::string, prove::Poly>& known, prove::Atoms& atoms)
      : cursor_(cursor), known_(known), atoms_(atoms) {}
  std::optional<prove::Poly> sum();
  /// "a <= b", "a % 16 == 0": polynomials that are >= 0.
  std::optional<std::vector<prove::Poly>> comparison();

 private:
  std::optional<prove::Poly> product();
  std::optional<prove::Poly> primary();
  std::optional<prove::Poly> call(const std::string& name);
  std::optional<prove::Division> divide(const prove::Poly& x, const prove::Poly& d);
  std::optional<prove::Poly> fail(const std::string& message);

  Cursor& cursor_;
  std::map<std::string, prove::Poly>& known_;
  prove::Atoms& atoms_;
  int depth_ = 0;
};

}  // namespace lockstep::driver
