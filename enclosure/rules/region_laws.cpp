#include "enclosure/rules/region_laws.h"

#include <algorithm>
#include <array>

#include "enclosure/rules/region.h"
#include "ir/interfaces/op_kinds.h"
#include "ir/op_def.h"

namespace lockstep::enclosure {

namespace {

// ---- known operations ----

PlaceLaw law_of(const ir::Op& op) {
  const bool is_float = op.def().numbers == ir::Numbers::floats;
  const ir::Arithmetic what = op.def().arithmetic;
  if (what == ir::Arithmetic::sum) return is_float ? PlaceLaw::sum : PlaceLaw::exact;
  if (what == ir::Arithmetic::product) return is_float ? PlaceLaw::product : PlaceLaw::exact;
  return ir::is_extremum(what) || ir::is_bitwise(what) ? PlaceLaw::exact : PlaceLaw::none;
}

std::vector<PlaceLaw> places_of(const ir::Region& region) {
  const auto& arguments = region.front().arguments();
  const ir::Op& last = *region.front().ops().back();
  const std::size_t places = arguments.size() / 2;
  std::vector<PlaceLaw> laws(places, PlaceLaw::none);
  for (std::size_t r = 0; r < places; ++r) {
    const ir::Op* op = last.operand(r)->defining_op();
    if (op == nullptr || op->operand_count() != 2) continue;
    const ir::Value *a = arguments[r].get(), *b = arguments[places + r].get();
    const bool is_plain = (op->operand(0) == a && op->operand(1) == b) || (op->operand(0) == b && op->operand(1) == a);
    if (is_plain) laws[r] = law_of(*op);
  }
  return laws;
}

// ---- choices ----

bool is_truth(const ir::Value& value) { return kind_of(value) == ScalarKind::i1; }

/// Finds the place from which each value comes.
class Choice {
 public:
  explicit Choice(const ir::Region& region)
      : places_(region.front().arguments().size() / 2), signs_(places_ + 1, Signs::none) {
    for (std::size_t i = 0; i < 2 * places_; ++i) place_[region.front().argument(i)] = i % places_;
  }

  /// Every result is one of its place's arguments, by comparisons within places.
  bool holds(const ir::Block& block) {
    return std::all_of(block.ops().begin(), block.ops().end(), [&](const auto& op) { return holds(*op); });
  }

 private:
  bool holds(const ir::Op& op) {
    if (op.def().is_terminator) {
      for (std::size_t r = 0; r < op.operand_count(); ++r) {
        if (place_of(*op.operand(r)) != r) return false;
      }
      return op.operand_count() == places_;
    }
    if (op.result_count() != 1 || !op.regions().empty()) return false;
    const ir::Value& result = *op.result(0);
    if (op.def().arithmetic == ir::Arithmetic::comparison)
      return (are_of_one_place(op, 0) && has_one_order(op)) || are_truths(op);
    if (ir::is_selection(op)) return is_truth(result) || (are_of_one_place(op, 1) && keep(result, *op.operand(1)));
    if (ir::is_constant(op)) return is_truth(result);
    if (ir::is_integer_sum(op) || ir::is_integer_product(op)) return false;
    if (are_truths(op) && is_truth(result)) return true;
    return ir::is_extremum(op.def().arithmetic) && are_of_one_place(op, 0) && has_one_order(op) &&
           keep(result, *op.operand(0));
  }

  /// How an op orders integers. Numbers of one sign represent all orders only if a place is read in one way.
  enum class Signs : std::uint8_t { none, with_sign, without };
  static Signs signs_of(const ir::Op& op) {
    if (ir::is_extremum(op.def().arithmetic)) {
      return op.def().numbers == ir::Numbers::with_sign      ? Signs::with_sign
             : op.def().numbers == ir::Numbers::without_sign ? Signs::without
                                                             : Signs::none;
    }
    if (!ir::is_integer_comparison(op)) return Signs::none;
    const std::int64_t predicate = op.integer_attribute("predicate", 0);  // eq, ne, four with sign, four without
    return predicate < 2 ? Signs::none : predicate < 6 ? Signs::with_sign : Signs::without;
  }
  bool has_one_order(const ir::Op& op) {
    const Signs signs = signs_of(op);
    Signs& seen = signs_[place_of(*op.operand(0))];
    if (signs == Signs::none || seen == signs) return true;
    if (seen != Signs::none) return false;
    seen = signs;
    return true;
  }

  static bool are_truths(const ir::Op& op) {
    return std::all_of(op.operands().begin(), op.operands().end(), [](const ir::Value* v) { return is_truth(*v); });
  }
  std::size_t place_of(const ir::Value& value) const {
    const auto found = place_.find(&value);
    return found == place_.end() ? places_ : found->second;
  }
  bool are_of_one_place(const ir::Op& op, std::size_t first) const {
    const std::size_t place = place_of(*op.operand(first));
    return place < places_ && place == place_of(*op.operand(first + 1));
  }
  bool keep(const ir::Value& result, const ir::Value& like) {
    place_[&result] = place_of(like);
    return true;
  }

  std::size_t places_;
  std::vector<Signs> signs_;  // by place
  std::unordered_map<const ir::Value*, std::size_t> place_;
};

/// Every order of three values of each place: for a float 0, 1, 2 and NaN.
struct Cases {
  std::int64_t count = 1;
  std::vector<std::array<BoundsRef, 3>> values;  // by place
};

constexpr std::int64_t kMostCases = 1 << 17;

std::optional<Cases> cases_of(const ir::Region& region, std::size_t places) {
  constexpr std::int64_t kNumbers = 3;
  Cases cases;
  std::vector<std::int64_t> choices;
  for (std::size_t p = 0; p < places; ++p) {
    choices.push_back(kNumbers + (is_float(kind_of(*region.front().argument(p))) ? 1 : 0));
    cases.count *= choices.back() * choices.back() * choices.back();
    if (cases.count > kMostCases || is_truth(*region.front().argument(p))) return std::nullopt;
  }
  std::int64_t step = 1;
  for (std::size_t p = 0; p < places; ++p) {
    std::array<BoundsRef, 3> made;
    for (BoundsRef& one : made) {
      one = std::make_shared<Bounds>(cases.count);
      for (std::int64_t i = 0; i < cases.count; ++i) {
        const std::int64_t which = i / step % choices[p];
        one->set(i, which == kNumbers ? kSurelyNan : point(static_cast<double>(which)));
      }
      step *= choices[p];
    }
    cases.values.push_back(made);
  }
  return cases;
}

using Results = std::optional<std::vector<BoundsRef>>;

Results apply(EncloseContext& context, const ir::Region& region, const Results& a, const Results& b) {
  if (!a || !b) return std::nullopt;
  std::vector<BoundsRef> arguments = *a;
  arguments.insert(arguments.end(), b->begin(), b->end());
  return evaluate_region(context, region, arguments);
}

bool is_same(const Interval& a, const Interval& b) {
  if (a.is_unbounded() || b.is_unbounded()) return false;
  return (a.is_nan() && b.is_nan()) || (a.is_point() && b.is_point() && a.low == b.low);
}

bool differ_in(const std::array<BoundsRef, 3>& values, std::int64_t i) {
  const Interval x = values[0]->at(i), y = values[1]->at(i), z = values[2]->at(i);
  return x.is_point() && y.is_point() && z.is_point() && x.low != y.low && y.low != z.low && x.low != z.low;
}

/// The same in every case; with a key: in those whose values of that place differ.
bool agree(const Results& a, const Results& b, const Cases& cases, std::optional<std::size_t> key) {
  if (!a || !b) return false;
  for (std::size_t r = 0; r < a->size(); ++r) {
    for (std::int64_t i = 0; i < cases.count; ++i) {
      if (key && !differ_in(cases.values[*key], i)) continue;
      if (!is_same((*a)[r]->at(i), (*b)[r]->at(i))) return false;
    }
  }
  return true;
}

void try_every_case(EncloseContext& context, const ir::Region& region, RegionLaws& laws) {
  const std::size_t places = laws.places.size();
  const auto cases = cases_of(region, places);
  if (!cases) return;
  std::array<Results, 3> sides;
  for (std::size_t s = 0; s < 3; ++s) {
    sides[s].emplace();
    for (std::size_t p = 0; p < places; ++p) sides[s]->push_back(cases->values[p][s]);
  }
  const auto& [x, y, z] = sides;
  const Results xy = apply(context, region, x, y), yx = apply(context, region, y, x);
  const Results left = apply(context, region, xy, z), right = apply(context, region, x, apply(context, region, y, z));
  laws.is_associative = agree(left, right, *cases, std::nullopt);
  laws.is_commutative = agree(xy, yx, *cases, std::nullopt);
  for (std::size_t p = 0; p < places && !laws.key; ++p) {
    if (agree(left, right, *cases, p) && agree(xy, yx, *cases, p)) laws.key = p;
  }
}

RegionLaws find_laws(EncloseContext& context, const ir::Region& region, bool in_order) {
  RegionLaws laws;
  if (region.blocks().size() != 1 || region.front().ops().empty()) return laws;
  laws.places = places_of(region);
  const auto is_known = [](PlaceLaw law) { return law == PlaceLaw::exact; };
  if (std::all_of(laws.places.begin(), laws.places.end(), is_known)) {
    laws.is_associative = laws.is_commutative = true;
    return laws;
  }
  if (laws.are_places_known()) return laws;
  laws.is_choice = Choice(region).holds(region.front());
  if (laws.is_choice) try_every_case(context, region, laws);
  laws.polynomials = polynomials_of(region);
  if (laws.polynomials != nullptr && !laws.polynomials->is_rounded) {
    laws.is_associative = true;
    laws.is_commutative = laws.polynomials->is_commutative;
  }
  if (!in_order && !laws.is_choice && laws.polynomials == nullptr) laws.shows_order = order_shows(context, region);
  return laws;
}

}  // namespace

bool RegionLaws::are_places_known() const {
  return !places.empty() &&
         std::none_of(places.begin(), places.end(), [](PlaceLaw law) { return law == PlaceLaw::none; });
}

const RegionLaws& laws_of(EncloseContext& context, const ir::Region& region, bool in_order) {
  auto& known = context.laws()[&region];
  if (known == nullptr) known = std::make_shared<const RegionLaws>(find_laws(context, region, in_order));
  return *known;
}

}  // namespace lockstep::enclosure
