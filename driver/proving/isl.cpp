#include "driver/proving/isl.h"

#ifdef LOCKSTEP_HAVE_ISL
#include <isl/constraint.h>
#include <isl/ctx.h>
#include <isl/local_space.h>
#include <isl/options.h>
#include <isl/point.h>
#include <isl/set.h>
#include <isl/space.h>
#include <isl/val.h>
#include <isl/version.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <map>
#include <utility>
#include <vector>
#endif

namespace lockstep::driver {

#ifndef LOCKSTEP_HAVE_ISL

std::string linked_isl() { return {}; }
std::unique_ptr<prove::Solver> find_isl(IslLimits /*limits*/) { return nullptr; }

#else

namespace {

using prove::Formula;
using prove::Integer;
using prove::Monomial;
using prove::Poly;
using prove::SolverReply;

template <typename Object, Object* (*release)(Object*)>
struct Freed {
  void operator()(Object* object) const { release(object); }
};
using BasicSet = std::unique_ptr<isl_basic_set, Freed<isl_basic_set, isl_basic_set_free>>;
using Point = std::unique_ptr<isl_point, Freed<isl_point, isl_point_free>>;
using Value = std::unique_ptr<isl_val, Freed<isl_val, isl_val_free>>;

/// The ways in which a question's alternatives may hold, one after the other.
class Cases {
 public:
  Cases(isl_ctx* context, const prove::Question& question, const IslLimits& limits)
      : context_(context), question_(question), limits_(limits) {
    for (const prove::Assertion& one : question.assertions) formulas_.push_back(prove::formula_of(one, *question.atoms));
    for (const auto& [id, number] : question.letters) column(Monomial{id});
    for (const Formula& one : formulas_) name(one);
  }

  /// note of `unknown`: without who says so.
  SolverReply decide() {
    isl_space* space = isl_space_set_alloc(context_, 0, static_cast<unsigned>(columns_.size()));
    std::vector<const Formula*> all;
    for (const Formula& one : formulas_) all.push_back(&one);
    std::vector<Formula> products;
    for (const auto& [monomial, place] : columns_) {
      if (monomial.size() < 2 || !question_.atoms->is_not_negative(monomial)) continue;
      Poly product;
      product.add(monomial, 1);
      products.push_back(Formula::not_negative(product));
    }
    for (const Formula& one : products) all.push_back(&one);
    SolverReply reply;
    reply.kind = search(BasicSet(isl_basic_set_universe(space)), std::move(all));
    if (reply.kind == SolverReply::Kind::unknown) reply.note = "does not know within " + std::to_string(limits_.operations) + " operations";
    if (reply.kind == SolverReply::Kind::possible) reply.values = std::move(values_);
    if (reply.kind == SolverReply::Kind::possible && columns_.size() > question_.letters.size())
      reply = {SolverReply::Kind::unknown, {}, "does not know, because numbers are multiplied"};
    return reply;
  }

 private:
  int column(const Monomial& monomial) { return columns_.try_emplace(monomial, static_cast<int>(columns_.size())).first->second; }

  void name(const Formula& formula) {
    for (const auto& [monomial, coefficient] : formula.poly().terms()) {
      if (!monomial.empty()) column(monomial);
    }
    for (const Formula& part : formula.parts()) name(part);
  }

  isl_val* value(const Integer& number) { return isl_val_read_from_str(context_, number.str().c_str()); }

  BasicSet with(BasicSet set, const Poly& poly) {
    isl_constraint* one = isl_constraint_alloc_inequality(isl_local_space_from_space(isl_basic_set_get_space(set.get())));
    for (const auto& [monomial, coefficient] : poly.terms()) {
      if (monomial.empty())
        one = isl_constraint_set_constant_val(one, value(coefficient));
      else
        one = isl_constraint_set_coefficient_val(one, isl_dim_set, columns_.at(monomial), value(coefficient));
    }
    return BasicSet(isl_basic_set_add_constraint(set.release(), one));
  }

  /// Takes what is a constraint; returns alternatives that are left. False: one of `all` never holds.
  bool take(std::vector<const Formula*> all, BasicSet& set, std::vector<const Formula*>& choices) {
    while (!all.empty()) {
      const Formula& one = *all.back();
      all.pop_back();
      switch (one.kind()) {
        case Formula::Kind::truth:
        case Formula::Kind::unknown: break;
        case Formula::Kind::falsehood: return false;
        case Formula::Kind::not_negative: set = with(std::move(set), one.poly()); break;
        case Formula::Kind::all:
          for (const Formula& part : one.parts()) all.push_back(&part);
          break;
        case Formula::Kind::any: choices.push_back(&one); break;
      }
    }
    return true;
  }

  SolverReply::Kind search(BasicSet set, std::vector<const Formula*> all) {
    std::vector<const Formula*> choices;
    if (!take(std::move(all), set, choices)) return SolverReply::Kind::impossible;
    if (++sets_ > limits_.sets) return SolverReply::Kind::unknown;
    const isl_bool is_empty = isl_basic_set_is_empty(set.get());
    if (is_empty == isl_bool_error) return SolverReply::Kind::unknown;
    if (is_empty == isl_bool_true) return SolverReply::Kind::impossible;
    if (choices.empty()) return read_values(set), SolverReply::Kind::possible;
    const Formula* choice = choices.front();
    choices.erase(choices.begin());
    for (const Formula& part : choice->parts()) {
      std::vector<const Formula*> rest = choices;
      rest.push_back(&part);
      const SolverReply::Kind found = search(BasicSet(isl_basic_set_copy(set.get())), std::move(rest));
      if (found != SolverReply::Kind::impossible) return found;
    }
    return SolverReply::Kind::impossible;
  }

  /// Small numbers make a launch that can be run.
  void read_values(const BasicSet& set) {
    constexpr std::int64_t kMost = 64;
    BasicSet small(isl_basic_set_copy(set.get()));
    for (const prove::AtomId id : question_.numbers) small = with(std::move(small), Poly(kMost) - Poly::atom(id));
    const Point point(isl_basic_set_sample_point(small.release()));
    if (point == nullptr || isl_point_is_void(point.get()) != isl_bool_false) return;
    for (const prove::AtomId id : question_.numbers) {
      const Value number(isl_point_get_coordinate_val(point.get(), isl_dim_set, columns_.at(Monomial{id})));
      const std::unique_ptr<char, decltype(&std::free)> text(number == nullptr ? nullptr : isl_val_to_str(number.get()), &std::free);
      if (text == nullptr) return values_.clear();
      values_.emplace_back(text.get());
    }
  }

  isl_ctx* context_;
  const prove::Question& question_;
  const IslLimits& limits_;
  std::vector<Formula> formulas_;
  std::map<Monomial, int> columns_;  // of a set's points
  std::vector<Integer> values_;
  std::size_t sets_ = 0;
};

class Isl : public prove::Solver {
 public:
  explicit Isl(IslLimits limits) : limits_(limits) {}

  SolverReply ask(const prove::Question& question) override {
    if (asked_ >= limits_.questions || unknown_ >= limits_.unknown) return {SolverReply::Kind::unknown, {}, name() + " was asked often enough"};
    ++asked_;
    const std::unique_ptr<isl_ctx, decltype(&isl_ctx_free)> context(isl_ctx_alloc(), &isl_ctx_free);  // every question starts from nothing
    isl_options_set_on_error(context.get(), ISL_ON_ERROR_CONTINUE);
    isl_ctx_set_max_operations(context.get(), limits_.operations);
    SolverReply reply = Cases(context.get(), question, limits_).decide();
    if (reply.kind == SolverReply::Kind::unknown) reply.note = name() + " " + reply.note;
    if (isl_ctx_last_error(context.get()) == isl_error_quota) ++unknown_;
    return reply;
  }

  std::string name() const override { return "isl " + linked_isl(); }

 private:
  IslLimits limits_;
  std::size_t asked_ = 0, unknown_ = 0;
};

}  // namespace

std::string linked_isl() {
  std::string version;  // of "isl-0.25-GMP"
  for (const char letter : std::string(isl_version())) {
    const bool is_part = std::isdigit(static_cast<unsigned char>(letter)) != 0 || (letter == '.' && !version.empty());
    if (is_part) version += letter;
    else if (!version.empty()) break;
  }
  return version;
}

std::unique_ptr<prove::Solver> find_isl(IslLimits limits) {
  const char* given = std::getenv("LOCKSTEP_ISL");
  if (given != nullptr && std::string(given) == "off") return nullptr;
  return std::make_unique<Isl>(limits);
}

#endif

}  // namespace lockstep::driver
