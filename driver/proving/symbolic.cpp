#include "driver/proving/symbolic.h"

#include <algorithm>
#include <cctype>
#include <utility>

#include "prove/eliminate.h"

namespace lockstep::driver {
namespace {

using prove::Poly;
constexpr int kMostNested = 50, kMostDigits = 38;
const prove::Integer kMostNumber = 2147483647;

}  // namespace

std::optional<Poly> Symbolic::fail(const std::string& message) {
  cursor_.fail(cursor_.position(), "LS2020", message, "write + - * // % ( ) cdiv min max, names and integers");
  return std::nullopt;
}

std::optional<Poly> Symbolic::sum() {
  if (++depth_ > kMostNested) return fail("this expression is nested too deep");
  std::optional<Poly> left = product();
  while (left) {
    const bool adds = cursor_.take("+"), takes = !adds && cursor_.take("-");
    if (!adds && !takes) break;
    const auto right = product();
    if (!right) return std::nullopt;
    left = adds ? *left + *right : *left - *right;
  }
  --depth_;
  return left;
}

std::optional<prove::Division> Symbolic::divide(const Poly& x, const Poly& d) {
  const prove::Elimination elimination(atoms_);
  if (!elimination.proves(d - Poly(1), nullptr) || !elimination.proves(x, nullptr)) {
    fail("a division of something that may be negative, or by something that may be 0");
    return std::nullopt;
  }
  if (d == Poly(1)) return prove::Division{x, Poly(0)};
  return atoms_.division(x, d, true, elimination.proves(x - d, nullptr), nullptr);
}

std::optional<Poly> Symbolic::product() {
  std::optional<Poly> left = primary();
  while (left) {
    const bool divides = cursor_.take("//"), leaves = !divides && cursor_.take("%"),
               multiplies = !divides && !leaves && cursor_.take("*");
    if (!divides && !leaves && !multiplies) break;
    const auto right = primary();
    if (!right) return std::nullopt;
    if (multiplies) {
      left = *left * *right;
      if (left->degree() > 4 || left->terms().size() > 64) return fail("a product of too many sizes");
      continue;
    }
    const auto parts = divide(*left, *right);
    if (!parts) return std::nullopt;
    left = divides ? parts->quotient : parts->remainder;
  }
  return left;
}

std::optional<Poly> Symbolic::call(const std::string& name) {
  const auto a = sum();
  if (!a || !cursor_.expect(",")) return std::nullopt;
  const auto b = sum();
  if (!b || !cursor_.expect(")")) return std::nullopt;
  if (name == "min") return Poly::atom(atoms_.extremum(prove::AtomKind::minimum, *a, *b, nullptr));
  if (name == "max") return Poly::atom(atoms_.extremum(prove::AtomKind::maximum, *a, *b, nullptr));
  if (name != "cdiv") return fail("there is no function '" + name + "' here");
  const auto parts = divide(*a + *b - Poly(1), *b);
  return parts ? std::optional(parts->quotient) : std::nullopt;
}

std::optional<Poly> Symbolic::primary() {
  cursor_.skip_spaces();
  if (cursor_.take("-")) {
    if (++depth_ > kMostNested) return fail("this expression is nested too deep");
    const auto inner = primary();
    --depth_;
    return inner ? std::optional(Poly() - *inner) : std::nullopt;
  }
  if (cursor_.take("(")) {
    const auto inner = sum();
    return inner && cursor_.expect(")") ? inner : std::nullopt;
  }
  if (std::isdigit(static_cast<unsigned char>(cursor_.peek())) != 0) {
    const std::size_t begin = cursor_.position();
    while (std::isdigit(static_cast<unsigned char>(cursor_.peek())) != 0) cursor_.move_to(cursor_.position() + 1);
    const std::string digits(cursor_.slice(begin));
    if (digits.size() > kMostDigits) return fail("this number is too large");
    return Poly(prove::Integer(digits.substr(std::min(digits.find_first_not_of('0'), digits.size() - 1))));
  }
  const std::string name(cursor_.take_word());
  if (name.empty()) return fail("a name or a number is missing here");
  if (cursor_.take("(")) return call(name);
  const auto found = known_.find(name);
  if (found != known_.end()) return found->second;
  return known_[name] = Poly::atom(atoms_.parameter(name, 1, kMostNumber));
}

std::optional<std::vector<Poly>> Symbolic::comparison() {
  const auto left = sum();
  if (!left) return std::nullopt;
  for (const std::string_view word : {"<=", ">=", "==", "<", ">"}) {
    if (!cursor_.take(word)) continue;
    const auto right = sum();
    if (!right) return std::nullopt;
    const Poly up = *right - *left, down = *left - *right;
    if (word == "<=") return std::vector{up};
    if (word == ">=") return std::vector{down};
    if (word == "==") return std::vector{up, down};
    return std::vector{(word == "<" ? up : down) - Poly(1)};
  }
  fail("a comparison is missing: <=, >=, ==, <, >");
  return std::nullopt;
}

}  // namespace lockstep::driver
