#include "enclosure/rules/region_polynomial.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <unordered_map>

#include "enclosure/enclose_context.h"
#include "ir/interfaces/op_kinds.h"
#include "ir/op_def.h"

namespace lockstep::enclosure {

namespace {

// ---- text to polynomials ----

using Monomial = std::vector<std::uint16_t>;  // variables, in order
using Polynomial = std::map<Monomial, double>;
constexpr std::size_t kMostTerms = 512, kMostFactors = 8;
constexpr double kMostCoefficient = 0x1p20;  // whole numbers: products and sums of a few stay exact

/// A value of the region: its polynomial, that of magnitudes, and the most roundings of a term.
struct Symbol {
  Polynomial exact, magnitude;
  int roundings = 0;
  bool is_product = false;
};

Polynomial sum(const Polynomial& a, const Polynomial& b, double sign) {
  Polynomial made = a;
  for (const auto& [monomial, coefficient] : b) {
    double& known = made[monomial];
    known += sign * coefficient;
    if (known == 0) made.erase(monomial);
  }
  return made;
}

Polynomial product(const Polynomial& a, const Polynomial& b) {
  Polynomial made;
  for (const auto& [left, x] : a) {
    for (const auto& [right, y] : b) {
      Monomial both = left;
      both.insert(both.end(), right.begin(), right.end());
      std::sort(both.begin(), both.end());
      double& known = made[both];
      known += x * y;
      if (known == 0) made.erase(both);
    }
  }
  return made;
}

bool is_small(const Polynomial& p) {
  return p.size() <= kMostTerms && std::all_of(p.begin(), p.end(), [](const auto& term) {
           return term.first.size() <= kMostFactors && std::fabs(term.second) <= kMostCoefficient;
         });
}

class Reader {
 public:
  explicit Reader(const ir::Region& region) {
    const auto& arguments = region.front().arguments();
    for (std::size_t i = 0; i < arguments.size(); ++i) {
      Symbol symbol;
      symbol.exact[{static_cast<std::uint16_t>(i)}] = 1;
      symbol.magnitude = symbol.exact;
      symbols_[arguments[i].get()] = symbol;
    }
  }

  /// The symbols of the terminator's operands; nullopt: an op does not belong to a polynomial.
  std::optional<std::vector<Symbol>> read(const ir::Block& block) {
    std::vector<Symbol> results;
    for (const auto& op : block.ops()) {
      if (!op->def().is_terminator && !read(*op)) return std::nullopt;
      if (!op->def().is_terminator) continue;
      for (const ir::Value* value : op->operands()) {
        if (!symbols_.contains(value)) return std::nullopt;
        results.push_back(symbols_[value]);
      }
    }
    return results;
  }

 private:
  bool read(const ir::Op& op) {
    if (op.result_count() != 1 || !op.regions().empty()) return false;
    std::vector<Symbol> from;
    for (const ir::Value* value : op.operands()) {
      if (!symbols_.contains(value)) return false;
      from.push_back(symbols_[value]);
    }
    Symbol made;
    if (ir::is_constant(op)) return keep_constant(op);
    switch (op.def().arithmetic) {
      case ir::Arithmetic::sum: made = added(from[0], from[1], 1); break;
      case ir::Arithmetic::difference: made = added(from[0], from[1], -1); break;
      case ir::Arithmetic::product: made = multiplied(from[0], from[1]); break;
      case ir::Arithmetic::fused_product: made = added(multiplied(from[0], from[1]), from[2], 1); break;
      case ir::Arithmetic::negation:
        made = from[0];
        for (auto& term : made.exact) term.second = -term.second;
        break;
      default: return false;
    }
    return keep(op, std::move(made));
  }

  static Symbol added(const Symbol& a, const Symbol& b, double sign) {
    return {sum(a.exact, b.exact, sign), sum(a.magnitude, b.magnitude, 1), std::max(a.roundings, b.roundings) + 1,
            false};
  }
  static Symbol multiplied(const Symbol& a, const Symbol& b) {
    return {product(a.exact, b.exact), product(a.magnitude, b.magnitude), a.roundings + b.roundings + 1, true};
  }
  /// Whole numbers from 1 on: a step of a term is then no larger than the term.
  bool keep_constant(const ir::Op& op) {
    const ir::Attribute value = op.attribute("value");
    if (!value || (!value.is_float() && !value.is_integer())) return false;
    const ScalarKind kind = kind_of(*op.result(0));
    const double number = value.is_float() ? read_element(kind, value->float_bits).low
                                           : static_cast<double>(value->integer);
    if (!(std::fabs(number) >= 1) || std::trunc(number) != number) return false;
    Symbol made;
    made.exact[{}] = number;
    made.magnitude[{}] = std::fabs(number);
    return keep(op, std::move(made));
  }
  bool keep(const ir::Op& op, Symbol made) {
    if (!is_small(made.exact) || !is_small(made.magnitude)) return false;
    symbols_[op.result(0)] = std::move(made);
    return true;
  }

  std::unordered_map<const ir::Value*, Symbol> symbols_;
};

// ---- laws ----

using System = std::vector<Polynomial>;  // of the variables x, then y, as many as places

std::optional<Polynomial> substituted(const Polynomial& into, const System& values) {
  Polynomial made;
  for (const auto& [monomial, coefficient] : into) {
    Polynomial term;
    term[{}] = coefficient;
    for (const std::uint16_t variable : monomial) {
      term = product(term, values[variable]);
      if (term.size() > kMostTerms) return std::nullopt;
    }
    made = sum(made, term, 1);
  }
  return is_small(made) ? std::optional(made) : std::nullopt;
}

System variables(std::size_t first, std::size_t count) {
  System made(count);
  for (std::size_t i = 0; i < count; ++i) made[i][{static_cast<std::uint16_t>(first + i)}] = 1;
  return made;
}

System joined(System a, const System& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

std::optional<System> applied(const System& f, const System& values) {
  System made;
  for (const Polynomial& one : f) {
    auto result = substituted(one, values);
    if (!result) return std::nullopt;
    made.push_back(std::move(*result));
  }
  return made;
}

bool is_associative(const System& f) {
  const std::size_t places = f.size();
  const System x = variables(0, places), y = variables(places, places), z = variables(2 * places, places);
  const auto xy = applied(f, joined(x, y)), yz = applied(f, joined(y, z));
  if (!xy || !yz) return false;
  const auto left = applied(f, joined(*xy, z)), right = applied(f, joined(x, *yz));
  return left && right && *left == *right;
}

bool is_commutative(const System& f) {
  const std::size_t places = f.size();
  const auto turned = applied(f, joined(variables(places, places), variables(0, places)));
  return turned && *turned == f;
}

std::optional<RegionPolynomials::Term> term_of(const Monomial& monomial, double coefficient, std::size_t places) {
  RegionPolynomials::Term term{coefficient, -1, -1};
  for (const std::uint16_t variable : monomial) {
    const bool is_left = variable < places;
    int& side = is_left ? term.left : term.right;
    if (side >= 0) return std::nullopt;
    side = static_cast<int>(is_left ? variable : variable - places);
  }
  return term;
}

/// Empty: a term holds two arguments of one side.
std::vector<std::vector<RegionPolynomials::Term>> terms_of(const System& f) {
  std::vector<std::vector<RegionPolynomials::Term>> made(f.size());
  for (std::size_t r = 0; r < f.size(); ++r) {
    for (const auto& [monomial, coefficient] : f[r]) {
      const auto term = term_of(monomial, coefficient, f.size());
      if (!term) return {};
      made[r].push_back(*term);
    }
  }
  return made;
}

}  // namespace

std::shared_ptr<const RegionPolynomials> polynomials_of(const ir::Region& region) {
  const auto symbols = Reader(region).read(region.front());
  const std::size_t places = region.front().arguments().size() / 2;
  if (!symbols || symbols->size() != places || places == 0) return nullptr;
  const ScalarKind kind = kind_of(*region.front().argument(0));
  const auto made = std::make_shared<RegionPolynomials>();
  System exact, magnitude;
  for (std::size_t r = 0; r < places; ++r) {
    exact.push_back((*symbols)[r].exact);
    magnitude.push_back((*symbols)[r].magnitude);
    made->roundings = std::max(made->roundings, (*symbols)[r].roundings);
    made->is_product.push_back((*symbols)[r].is_product);
    const ScalarKind other = kind_of(*region.front().argument(r));
    if (is_float(kind) ? other != kind : is_float(other)) return nullptr;
  }
  if (!is_associative(exact)) return nullptr;
  made->is_rounded = is_float(kind);
  made->is_commutative = is_commutative(exact);
  if (!made->is_rounded) return made;
  made->is_commutative = made->is_commutative && is_commutative(magnitude);
  made->results = terms_of(exact);
  made->magnitudes = terms_of(magnitude);
  if (made->results.empty() || made->magnitudes.empty() || !is_associative(magnitude)) return nullptr;
  return made;
}

// ---- numbers ----

namespace {

using Term = RegionPolynomials::Term;
using Numbers = std::vector<double>;

void apply(const std::vector<std::vector<Term>>& f, Numbers& left, const double* right) {
  Numbers made(left.size(), 0);
  for (std::size_t r = 0; r < left.size(); ++r) {
    for (const Term& term : f[r]) {
      double value = term.coefficient;
      if (term.left >= 0) value *= left[static_cast<std::size_t>(term.left)];
      if (term.right >= 0) value *= right[term.right];
      made[r] += value;
    }
  }
  left = std::move(made);
}

double largest_of(const double* values, std::size_t count) {
  double largest = 0;
  for (std::size_t i = 0; i < count; ++i) largest = std::max(largest, values[i]);
  return largest;
}

/// The running fold of one lane.
class Fold {
 public:
  Fold(const RegionPolynomials& region, ScalarKind kind, bool any_order)
      : region_(region), format_(format_of(kind)), any_order_(any_order) {
    for (const auto& terms : region.magnitudes) {
      double turned = 0;
      for (const Term& term : terms) {
        if (term.right >= 0) turned += term.coefficient;
        largest_coefficient_ = std::max(largest_coefficient_, term.coefficient);
        most_terms_ = std::max(most_terms_, static_cast<double>(terms.size()));
      }
      from_right_ = std::max(from_right_, turned);
    }
  }

  void add(const Interval* leaf) {
    const std::size_t places = region_.results.size();
    Numbers middle(places), size(places), within(places);
    for (std::size_t p = 0; p < places; ++p) {
      if (leaf[p].is_unbounded() || leaf[p].is_nan() || !leaf[p].is_finite()) is_lost_ = true;
      middle[p] = leaf[p].low / 2 + leaf[p].high / 2;
      if (leaf[p].is_point()) middle[p] = leaf[p].low;
      within[p] = std::fabs(middle[p]);
      size[p] = std::max({within[p], -leaf[p].low, leaf[p].high});
      // The wider half, so that the leaf lies within middle +- (size - within).
      const double half = std::max(leaf[p].high - middle[p], middle[p] - leaf[p].low);
      if (!leaf[p].is_point()) size[p] = within[p] + half * (1 + 0x1p-50);
    }
    note_growth(size);
    if (count_++ == 0) {
      middle_ = middle, size_ = size, within_ = within;
      return;
    }
    apply(region_.results, middle_, middle.data());
    apply(region_.magnitudes, size_, size.data());
    apply(region_.magnitudes, within_, within.data());
  }

  Interval result(std::size_t place) const {
    if (is_lost_) return unbounded_interval(0);
    const double steps = static_cast<double>(count_ - 1);
    const double growth = std::expm1(steps * region_.roundings * std::log1p(std::ldexp(1.0, -format_.precision)));
    if (!(segment_ * (1 + growth) < format_.largest)) return unbounded_interval(0);
    const double size = size_[place];
    const double own = 8 * (most_terms_ + 2) * (steps + 1) * 0x1p-53 * size;  // what f64 lost here
    const double tiny = std::ldexp(1.0, format_.least_exponent - format_.precision);
    const double places = static_cast<double>(region_.results.size());
    const double lost = steps * (region_.roundings + most_terms_) * places * tiny *
                        largest_coefficient_ * from_right_ * std::max(1.0, segment_) * amplified_ * (1 + growth);
    const double radius = (size - within_[place]) + growth * size * (1 + 0x1p-40) + (count_ > 1 ? own : 0) + lost;
    const bool is_leaf = count_ == 1 && size == within_[place];
    const double by = is_leaf ? 0 : radius;
    const Interval made{middle_[place] - by, middle_[place] + by};
    return std::max(-made.low, made.high) < format_.largest ? made : unbounded_interval(0);
  }

 private:
  /// The growth of a segment, and the factor of its error on the way to the result.
  void note_growth(const Numbers& leaf) {
    double by = 0, more = 0;
    for (const auto& terms : region_.magnitudes) {
      double scaled = 0, apart = 0;
      for (const Term& term : terms) {
        const double right = term.right >= 0 ? leaf[static_cast<std::size_t>(term.right)] : 1;
        (term.left >= 0 ? scaled : apart) += term.coefficient * right;
      }
      by = std::max(by, scaled);
      more = std::max(more, apart);
    }
    const double single = largest_of(leaf.data(), leaf.size());
    const double grown = count_ == 0 ? 0 : (by * last_ + more) * (1 + 0x1p-40);
    last_ = std::max({single, grown, any_order_ ? last_ : 0});
    segment_ = std::max(segment_, last_);
    amplified_ = any_order_ ? amplified_ * std::max(1.0, by) : std::max(1.0, amplified_ * by);
  }

  const RegionPolynomials& region_;
  Format format_;
  bool any_order_;
  std::int64_t count_ = 0;
  bool is_lost_ = false;
  Numbers middle_, size_, within_;
  double last_ = 0, segment_ = 0, amplified_ = 1;
  double largest_coefficient_ = 1, from_right_ = 1, most_terms_ = 1;
};

}  // namespace

std::vector<Interval> fold_polynomials(const RegionPolynomials& polynomials, ScalarKind kind, const Leaves& leaves,
                                       std::int64_t first, bool any_order) {
  const std::size_t places = polynomials.results.size();
  std::vector<Interval> made;
  Fold fold(polynomials, kind, any_order);
  for (std::int64_t k = 0; k < leaves.n; ++k) {
    fold.add(leaves.values.data() + static_cast<std::size_t>(k) * places);
    if (k < first) continue;
    for (std::size_t p = 0; p < places; ++p) made.push_back(fold.result(p));
  }
  return made;
}

}  // namespace lockstep::enclosure
