#include "enclosure/rules/enclosure_asm.h"

#include <algorithm>
#include <bit>
#include <charconv>
#include <cstdlib>
#include <functional>
#include <map>
#include <string>
#include <string_view>

#include "enclosure/enclose_context.h"
#include "enclosure/interval.h"
#include "enclosure/rules/widen.h"
#include "ir/op_def.h"

namespace lockstep::enclosure {

namespace {

using Words = std::vector<std::string_view>;

Words split(std::string_view text, char separator) {
  Words parts;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(separator), text.size());
    std::string_view part = text.substr(0, end);
    while (!part.empty() && (part.front() == ' ' || part.front() == '\t' || part.front() == '\n'))
      part.remove_prefix(1);
    while (!part.empty() && (part.back() == ' ' || part.back() == '\t' || part.back() == '\n')) part.remove_suffix(1);
    if (!part.empty()) parts.push_back(part);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return parts;
}

bool has(const Words& words, std::string_view word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

/// "20.", "0f3F800000": a number of f32; nullopt: something else.
std::optional<double> literal(std::string_view text) {
  if (text.size() == 10 && (text.starts_with("0f") || text.starts_with("0F"))) {
    std::uint32_t bits = 0;
    const auto read = std::from_chars(text.data() + 2, text.data() + text.size(), bits, 16);
    if (read.ec != std::errc() || read.ptr != text.data() + text.size()) return std::nullopt;
    return static_cast<double>(std::bit_cast<float>(bits));
  }
  if (text.find_first_not_of("0123456789.-") != std::string_view::npos || text.find('.') == std::string_view::npos)
    return std::nullopt;
  const std::string whole(text);
  char* end = nullptr;
  const double value = std::strtod(whole.c_str(), &end);
  if (end != whole.c_str() + whole.size()) return std::nullopt;
  return static_cast<double>(static_cast<float>(value));
}

/// The error of an approximation of one operand.
struct Approximation {
  std::string_view name;
  double (*value)(double) = nullptr;
  bool falls = false;
  double from = -kInfinite;  // beyond it nothing is known
  double ulp = 0, absolute = 0;
};
constexpr Approximation kApproximations[] = {
    {"ex2", [](double x) { return std::exp2(x); }, false, -kInfinite, 4, 0},
    {"lg2", [](double x) { return std::log2(x); }, false, 0x1p-126, 4, 0x1p-22},
    {"rcp", [](double x) { return 1 / x; }, true, 0x1p-126, 2, 0},
    {"sqrt", [](double x) { return std::sqrt(x); }, false, 0x1p-126, 4, 0},
    {"rsqrt", [](double x) { return 1 / std::sqrt(x); }, true, 0x1p-126, 4, 0},
    {"tanh", [](double x) { return std::tanh(x); }, false, -kInfinite, 0x1p13, 0},
};

class AsmRun {
 public:
  explicit AsmRun(std::int64_t count) : count_(count) {}

  void give(const std::string& name, const Bounds& bounds) { registers_[name] = apart(bounds); }
  /// false: a part of it is unknown.
  bool run(std::string_view text) {
    std::string plain(text);
    std::replace_if(plain.begin(), plain.end(), [](char letter) { return letter == '{' || letter == '}'; }, ' ');
    const Words statements = split(plain, ';');
    return std::all_of(statements.begin(), statements.end(), [this](std::string_view one) { return statement(one); });
  }
  /// Null: never written.
  BoundsRef result(const std::string& name) const {
    const auto found = registers_.find(name);
    return found == registers_.end() ? nullptr : found->second;
  }

 private:
  bool statement(std::string_view text) {
    if (text.starts_with(".reg")) return true;
    const Bounds* guard = nullptr;
    bool is_negated = false;
    if (text.starts_with("@")) {
      const std::size_t end = std::min(text.find(' '), text.size());
      std::string_view name = text.substr(1, end - 1);
      is_negated = name.starts_with("!");
      if (is_negated) name.remove_prefix(1);
      const auto found = predicates_.find(name);
      if (found == predicates_.end()) return false;
      guard = found->second.get();
      text.remove_prefix(end);
    }
    text.remove_prefix(std::min(text.find_first_not_of(" \t\n"), text.size()));
    const std::size_t end_of_name = std::min(text.find_first_of(" \t\n"), text.size());
    const Words parts = split(text.substr(0, end_of_name), '.'), operands = split(text.substr(end_of_name), ',');
    if (parts.empty() || operands.empty()) return false;
    if (parts.front() == "setp") return guard == nullptr && compare(parts, operands);
    const BoundsRef made = compute(parts, operands);
    return made != nullptr && assign(operands.front(), made, guard, is_negated);
  }

  BoundsRef read(std::string_view name) const {
    if (const auto number = literal(name)) {
      auto made = std::make_shared<Bounds>(count_);
      for (std::int64_t i = 0; i < count_; ++i) made->set(i, {*number, *number});
      return made;
    }
    const auto found = registers_.find(name);
    return found == registers_.end() ? nullptr : found->second;
  }

  /// p = a OP b.
  bool compare(const Words& parts, const Words& operands) {
    if (parts.size() != 3 || parts[2] != "f32" || operands.size() != 3) return false;
    const bool is_less = parts[1] == "lt" || parts[1] == "le", or_equal = parts[1] == "le" || parts[1] == "ge";
    if (!is_less && parts[1] != "gt" && parts[1] != "ge") return false;
    BoundsRef a = read(operands[1]), b = read(operands[2]);
    if (a == nullptr || b == nullptr) return false;
    if (!is_less) std::swap(a, b);
    auto made = std::make_shared<Bounds>(count_);
    for (std::int64_t i = 0; i < count_; ++i) {
      const Interval x = a->at(i), y = b->at(i);
      const bool is_known = !x.is_unbounded() && !y.is_unbounded() && !x.is_nan() && !y.is_nan();
      const bool surely = is_known && (or_equal ? x.high <= y.low : x.high < y.low);
      const bool never = is_known && (or_equal ? x.low > y.high : x.low >= y.high);
      made->set(i, {surely ? 1.0 : 0.0, never ? 0.0 : 1.0});
    }
    predicates_[std::string(operands[0])] = made;
    return true;
  }

  BoundsRef compute(const Words& parts, const Words& operands) const {
    const bool is_move = parts.front() == "mov" && parts.size() == 2 && (parts[1] == "f32" || parts[1] == "b32");
    if (is_move) return operands.size() == 2 ? read(operands[1]) : nullptr;
    for (std::size_t i = 1; i < parts.size(); ++i) {
      const bool is_known = parts[i] == "f32" || parts[i] == "ftz" || parts[i] == "rn" || parts[i] == "approx";
      if (!is_known || (i + 1 == parts.size()) != (parts[i] == "f32")) return nullptr;
    }
    std::vector<BoundsRef> inputs;
    for (std::size_t i = 1; i < operands.size(); ++i) {
      const BoundsRef input = read(operands[i]);
      if (input == nullptr) return nullptr;
      inputs.push_back(has(parts, "ftz") ? flushed(*input) : input);
    }
    BoundsRef made = has(parts, "approx") ? approximate(parts.front(), inputs) : arithmetic(parts, inputs);
    return made != nullptr && has(parts, "ftz") ? flushed(*made) : made;
  }

  /// A copy whose ends are two arrays.
  BoundsRef apart(const Bounds& from) const {
    auto made = std::make_shared<Bounds>(count_);
    for (std::int64_t i = 0; i < count_; ++i) made->set(i, from.at(i));
    return made;
  }

  BoundsRef flushed(const Bounds& from) const {
    auto made = std::make_shared<Bounds>(count_);
    for (std::int64_t i = 0; i < count_; ++i) made->set(i, with_flushed(from.at(i)));
    return made;
  }

  BoundsRef arithmetic(const Words& parts, const std::vector<BoundsRef>& in) const {
    auto made = std::make_shared<Bounds>(count_);
    const std::string_view name = parts.front();
    if (name == "fma" && in.size() == 3) {
      multiply_add(*in[0], *in[1], *in[2], *made);
    } else if (in.size() != 2) {
      return nullptr;
    } else if (name == "mul") {
      multiply(*in[0], *in[1], *made);
    } else if (name == "add" || name == "sub") {
      (name == "add" ? add : subtract)(*in[0], *in[1], *made);
    } else {
      return nullptr;
    }
    // A product without .rn may be contracted into a later addition: keeps the unrounded number as well.
    const BoundsRef exact = name == "mul" && !has(parts, "rn") ? copy_of(*made) : nullptr;
    round_bounds(ScalarKind::f32, *made);
    for (std::int64_t i = 0; exact != nullptr && i < count_; ++i) made->set(i, hull(made->at(i), exact->at(i)));
    return made;
  }

  BoundsRef approximate(std::string_view name, const std::vector<BoundsRef>& in) const {
    const auto* found = std::find_if(std::begin(kApproximations), std::end(kApproximations),
                                     [&](const Approximation& one) { return one.name == name; });
    if (found == std::end(kApproximations) || in.size() != 1) return nullptr;
    auto made = std::make_shared<Bounds>(count_);
    for (std::int64_t i = 0; i < count_; ++i) {
      const Interval x = in[0]->at(i);
      if (x.is_unbounded() || x.is_nan() || x.low < found->from) {
        made->set(i, unbounded_interval(0));
        continue;
      }
      const double a = found->value(x.low), b = found->value(x.high);
      made->set(i, found->falls ? Interval{b, a} : Interval{a, b});
    }
    // One ulp more for the f64 that computed it.
    widen(ScalarKind::f32, {found->ulp + 1, 0, true}, *made);
    for (std::int64_t i = 0; i < count_; ++i) {
      const Interval value = made->at(i);
      made->set(i, {value.low - found->absolute, value.high + found->absolute});
    }
    round_bounds(ScalarKind::f32, *made);
    return made;
  }

  bool assign(std::string_view name, const BoundsRef& made, const Bounds* guard, bool is_negated) {
    if (name.empty() || literal(name)) return false;
    BoundsRef& to = registers_[std::string(name)];
    if (to == nullptr) to = unbounded_bounds(count_, 0);
    const BoundsRef next = apart(*to);
    for (std::int64_t i = 0; i < count_; ++i) {
      const Interval condition = guard == nullptr ? Interval{1, 1} : guard->at(i);
      const bool surely = is_negated ? condition.high == 0 : condition.low == 1;
      const bool maybe = is_negated ? condition.low == 0 : condition.high == 1;
      if (!maybe) continue;
      // Undecided: the old number or the new one; an element that was never written may be anything.
      next->set(i, surely ? made->at(i) : hull(to->at(i), made->at(i)));
    }
    to = next;
    return true;
  }

  std::int64_t count_;
  std::map<std::string, BoundsRef, std::less<>> registers_;
  std::map<std::string, BoundsRef, std::less<>> predicates_;
};

bool are_all(const ir::Op& op, bool (*test)(ScalarKind)) {
  for (const ir::Value* value : op.operands()) {
    if (!test(kind_of(*value))) return false;
  }
  for (std::size_t i = 0; i < op.result_count(); ++i) {
    if (!test(kind_of(*op.result(i)))) return false;
  }
  return true;
}

/// Only integers, and nothing that asks for its place or touches memory.
bool is_of_integers(const ir::Op& op, std::string_view text) {
  if (!are_all(op, [](ScalarKind kind) { return !is_float(kind) && kind != ScalarKind::pointer; })) return false;
  for (const std::string_view word : {"%", ".f16", ".bf16", ".f32", ".f64", ".e4m3", ".e5m2", "approx", "ld.", "st.",
                                      "atom", "red.", "shfl", "vote", "match", "bar", "ue8m0"}) {
    if (text.find(word) != std::string_view::npos) return false;
  }
  return true;
}

}  // namespace

bool enclose_inline_asm(EncloseContext& context, const ir::Op& op) {
  const ir::Attribute text = op.attribute("asm_string");
  if (!text || op.integer_attribute("packed_element", 0) != 1) return false;
  if (is_of_integers(op, text->text)) return context.keep_points(op);
  if (context.is_real()) return false;  // registers have formats of their own
  if (op.result_count() != 1 || !are_all(op, [](ScalarKind kind) { return kind == ScalarKind::f32; })) return false;
  AsmRun run(count_of(*op.result(0)));
  for (std::size_t i = 0; i < op.operand_count(); ++i)
    run.give("$" + std::to_string(i + 1), *context.rounded(*op.operand(i)));
  if (!run.run(text->text)) return false;
  const BoundsRef made = run.result("$0");
  if (made == nullptr) return false;
  round_bounds(ScalarKind::f32, *made);
  context.rely_on_model(op);  // the assembler may join statements, which nothing documents
  context.set(*op.result(0), made);
  return true;
}

}  // namespace lockstep::enclosure
