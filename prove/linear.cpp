#include "prove/linear.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

namespace lockstep::prove {
namespace {

using Rational = boost::multiprecision::cpp_rational;

constexpr std::size_t kMostColumns = 400, kMostLeft = 120, kMostRows = 80, kMostProduct = 4;
constexpr int kMostPivots = 300, kRounds = 2;

/// A fact times atoms that are not negative.
struct Column {
  Monomial by;
  const Poly* fact = nullptr;
  Poly product;
};

/// Sparse row of a tableau: column -> coefficient.
using Row = std::map<std::size_t, Rational>;

class Tableau {
 public:
  Tableau(const Poly& goal, const std::vector<Column>& columns, const Atoms& atoms);
  /// The weights of the columns; nullopt: no sum of them is the goal.
  std::optional<std::vector<Rational>> solve();

 private:
  void add_row(const Monomial& monomial, const Rational& wanted, const Atoms& atoms);
  bool raise(bool is_first);
  std::optional<std::size_t> entering() const;
  std::optional<std::size_t> leaving(std::size_t column) const;
  void pivot(std::size_t row, std::size_t column);
  void subtract(Row& row, Rational& value, const Row& pivot_row, const Rational& pivot_value, std::size_t column) const;
  bool is_enough() const { return cost_value_ > -1; }
  std::vector<Rational> weights() const;

  const std::vector<Column>& columns_;
  std::vector<Row> rows_;
  std::vector<Rational> values_;      // of the basis, not negative
  std::vector<std::size_t> basis_;    // a column for each row
  std::size_t count_ = 0;             // columns: facts, slacks
  std::set<std::size_t> artificial_;  // have to leave
  Row cost_;                          // what a column adds to the constant
  Rational cost_value_;               // the constant that is left
  std::vector<Rational> beyond_;      // a direction in which the constant rises without end
  int pivots_ = 0;
};

Tableau::Tableau(const Poly& goal, const std::vector<Column>& columns, const Atoms& atoms) : columns_(columns), count_(columns.size()) {
  std::set<Monomial> monomials;
  const auto note = [&](const Poly& poly) {
    for (const auto& [monomial, coefficient] : poly.terms()) {
      if (!monomial.empty()) monomials.insert(monomial);
    }
  };
  note(goal);
  for (const Column& column : columns) note(column.product);
  for (const Monomial& monomial : monomials) {
    const auto found = goal.terms().find(monomial);
    add_row(monomial, found == goal.terms().end() ? Rational(0) : Rational(found->second), atoms);
  }
  for (std::size_t i = 0; i < columns.size(); ++i) {
    if (const Integer constant = columns[i].product.constant(); constant != 0) cost_[i] = -Rational(constant);
  }
  cost_value_ = goal.constant();
}

// Sum of weight * coefficient, and what may be left over, is what the goal has.
void Tableau::add_row(const Monomial& monomial, const Rational& wanted, const Atoms& atoms) {
  Row row;
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    const auto found = columns_[i].product.terms().find(monomial);
    if (found != columns_[i].product.terms().end()) row[i] = found->second;
  }
  const bool has_slack = atoms.is_not_negative(monomial);
  if (has_slack) row[count_] = 1;
  Rational value = wanted;
  if (value < 0) {
    value = -value;
    for (auto& [column, coefficient] : row) coefficient = -coefficient;
  }
  std::size_t basic = count_;
  if (has_slack) ++count_;
  if (!has_slack || wanted < 0) {
    basic = count_++;
    artificial_.insert(basic);
    row[basic] = 1;
  }
  rows_.push_back(std::move(row));
  values_.push_back(std::move(value));
  basis_.push_back(basic);
}

// The column that helps most; after many pivots the first that helps: no circles (Bland's rule).
std::optional<std::size_t> Tableau::entering() const {
  std::optional<std::size_t> best;
  for (const auto& [column, gain] : cost_) {
    if (gain <= 0 || artificial_.contains(column)) continue;
    if (pivots_ > kMostPivots / 2) return column;
    if (!best || gain > cost_.at(*best)) best = column;
  }
  return best;
}

std::optional<std::size_t> Tableau::leaving(std::size_t column) const {
  std::optional<std::size_t> best;
  Rational least;
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    const auto found = rows_[i].find(column);
    if (found == rows_[i].end() || found->second <= 0) continue;
    const Rational ratio = values_[i] / found->second;
    if (!best || ratio < least || (ratio == least && basis_[i] < basis_[*best])) best = i, least = ratio;
  }
  return best;
}

void Tableau::subtract(Row& row, Rational& value, const Row& pivot_row, const Rational& pivot_value, std::size_t column) const {
  const auto found = row.find(column);
  if (found == row.end()) return;
  const Rational factor = found->second;
  for (const auto& [other, coefficient] : pivot_row) {
    const auto [place, is_new] = row.try_emplace(other, 0);
    place->second -= factor * coefficient;
    if (place->second == 0) row.erase(place);
  }
  value -= factor * pivot_value;
}

void Tableau::pivot(std::size_t at, std::size_t column) {
  const Rational divisor = rows_[at][column];
  for (auto& [other, coefficient] : rows_[at]) coefficient /= divisor;
  values_[at] /= divisor;
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    if (i != at) subtract(rows_[i], values_[i], rows_[at], values_[at], column);
  }
  Rational value = -cost_value_;
  subtract(cost_, value, rows_[at], values_[at], column);
  cost_value_ = -value;
  basis_[at] = column;
  ++pivots_;
}

// True: the constant is as large as it gets, or is_first and large enough.
bool Tableau::raise(bool is_first) {
  while (pivots_ < kMostPivots) {
    if (!is_first && is_enough()) return true;
    const auto column = entering();
    if (!column) return true;
    const auto row = leaving(*column);
    if (!row) {
      if (is_first) return false;
      beyond_.assign(columns_.size(), 0);
      const Rational gain = cost_.at(*column), steps = (-cost_value_) / gain + 1;
      if (*column < columns_.size()) beyond_[*column] = steps;
      for (std::size_t i = 0; i < rows_.size(); ++i) {
        const auto found = rows_[i].find(*column);
        if (found != rows_[i].end() && basis_[i] < columns_.size()) beyond_[basis_[i]] = -found->second * steps;
      }
      cost_value_ += gain * steps;
      return true;
    }
    pivot(*row, *column);
  }
  return false;
}

std::vector<Rational> Tableau::weights() const {
  std::vector<Rational> result = beyond_.empty() ? std::vector<Rational>(columns_.size(), 0) : beyond_;
  for (std::size_t i = 0; i < basis_.size(); ++i) {
    if (basis_[i] < columns_.size()) result[basis_[i]] += values_[i];
  }
  return result;
}

std::optional<std::vector<Rational>> Tableau::solve() {
  const Row constants = std::exchange(cost_, {});
  const Rational constant = std::exchange(cost_value_, 0);
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    if (!artificial_.contains(basis_[i])) continue;
    cost_value_ -= values_[i];
    for (const auto& [column, coefficient] : rows_[i]) {
      if (!artificial_.contains(column)) cost_[column] += coefficient;
    }
  }
  std::erase_if(cost_, [](const auto& one) { return one.second == 0; });
  if (!raise(true) || cost_value_ != 0) return std::nullopt;
  // What is still artificial is 0, and its row says nothing or is turned.
  for (std::size_t i = 0; i < rows_.size();) {
    const auto other = std::find_if(rows_[i].begin(), rows_[i].end(), [&](const auto& one) { return !artificial_.contains(one.first); });
    if (!artificial_.contains(basis_[i])) {
      ++i;
    } else if (other != rows_[i].end()) {
      pivot(i++, other->first);
    } else {
      rows_.erase(rows_.begin() + static_cast<std::ptrdiff_t>(i));
      values_.erase(values_.begin() + static_cast<std::ptrdiff_t>(i));
      basis_.erase(basis_.begin() + static_cast<std::ptrdiff_t>(i));
    }
  }
  cost_ = constants;
  cost_value_ = constant;
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    Rational value = -cost_value_;
    subtract(cost_, value, rows_[i], values_[i], basis_[i]);
    cost_value_ = -value;
  }
  if (!raise(false) || !is_enough()) return std::nullopt;
  return weights();
}

/// Facts, and facts times strides of the goal.
std::vector<Column> columns_for(const Poly& goal, const std::vector<Poly>& facts, const Atoms& atoms) {
  std::vector<Column> columns;
  std::set<Poly> known;
  std::set<Monomial> wanted, next;
  for (const auto& [monomial, coefficient] : goal.terms()) wanted.insert(monomial);
  for (const Poly& fact : facts) {
    if (fact.terms().empty() || (fact.is_constant() && fact.constant() >= 0) || columns.size() == kMostColumns) continue;
    if (known.insert(fact).second) columns.push_back({{}, &fact, fact});
  }
  for (int round = 0; round < kRounds; ++round) {
    for (const Monomial& monomial : wanted) {
      for (const Poly& fact : facts) {
        for (const auto& [part, weight] : fact.terms()) {
          Monomial by;
          if (part.empty() || !divide(monomial, part, by) || by.empty() || !atoms.is_not_negative(by) || atoms.rank(by) != kOfLaunch) continue;
          if (columns.size() == kMostColumns) return columns;
          Poly product = fact.times(1, by);
          if (product.degree() > kMostProduct || !known.insert(product).second) continue;
          for (const auto& [other, coefficient] : product.terms()) next.insert(other);
          columns.push_back({std::move(by), &fact, std::move(product)});
        }
      }
    }
    wanted = std::exchange(next, {});
  }
  return columns;
}

/// Whether what the column has of each monomial can be taken away by another one.
bool is_useful(const Column& column, const Poly& goal, const std::map<Monomial, std::pair<std::size_t, std::size_t>>& signs,
               const Atoms& atoms) {
  return std::all_of(column.product.terms().begin(), column.product.terms().end(), [&](const auto& term) {
    const auto& [monomial, coefficient] = term;
    if (monomial.empty()) return true;
    const auto [positive, negative] = signs.at(monomial);
    const auto found = goal.terms().find(monomial);
    if (coefficient > 0) return negative != 0 || (found != goal.terms().end() && found->second > 0);
    return positive != 0 || (found != goal.terms().end() && found->second < 0) || atoms.is_not_negative(monomial);
  });
}

void leave_out_useless(std::vector<Column>& columns, const Poly& goal, const Atoms& atoms) {
  for (std::size_t before = columns.size() + 1; columns.size() < before;) {
    before = columns.size();
    std::map<Monomial, std::pair<std::size_t, std::size_t>> signs;
    for (const Column& column : columns) {
      for (const auto& [monomial, coefficient] : column.product.terms()) ++(coefficient > 0 ? signs[monomial].first : signs[monomial].second);
    }
    std::erase_if(columns, [&](const Column& column) { return !is_useful(column, goal, signs, atoms); });
  }
}

std::size_t count_monomials(const Poly& goal, const std::vector<Column>& columns) {
  std::set<Monomial> all;
  for (const auto& [monomial, coefficient] : goal.terms()) all.insert(monomial);
  for (const Column& column : columns) {
    for (const auto& [monomial, coefficient] : column.product.terms()) all.insert(monomial);
  }
  return all.size();
}

}  // namespace

// With weights n / D: D * goal + D - 1 - sum of n * fact has no negative coefficient.
std::optional<Certificate> prove_by_sum(const Poly& goal, const std::vector<Poly>& facts, const Atoms& atoms) {
  std::vector<Column> columns = columns_for(goal, facts, atoms);
  leave_out_useless(columns, goal, atoms);
  if (columns.empty() || columns.size() > kMostLeft || count_monomials(goal, columns) > kMostRows) return std::nullopt;
  const auto weights = Tableau(goal, columns, atoms).solve();
  if (!weights) return std::nullopt;
  Integer common = 1;
  for (const Rational& weight : *weights) common = lcm(common, denominator(weight));
  Certificate why;
  Integer scale = common;
  for (std::size_t i = 0; i < weights->size(); ++i) {
    const Integer times = numerator((*weights)[i]) * (common / denominator((*weights)[i]));
    if (times == 0) continue;
    why.steps.push_back({.scale = std::exchange(scale, 1), .times = times, .by = columns[i].by, .fact = *columns[i].fact});
  }
  if (why.steps.empty()) return std::nullopt;
  return why;
}

}  // namespace lockstep::prove
