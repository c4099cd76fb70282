#include "sanitizer/numeric/float_births.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "ir/interfaces/op_kinds.h"
#include "ir/op_def.h"
#include "ir/opcode.h"
#include "sanitizer/numeric/exact_math.h"

namespace lockstep::sanitizer {

namespace {

/// "a - b" and the like; "" for ops without a sign.
const char* sign_of(const ir::Op& op) {
  if (op.def().numbers != ir::Numbers::floats) return "";
  switch (op.def().arithmetic) {
    case ir::Arithmetic::sum: return " + ";
    case ir::Arithmetic::difference: return " - ";
    case ir::Arithmetic::product: return " * ";
    case ir::Arithmetic::quotient: return " / ";
    case ir::Arithmetic::remainder: return " % ";
    default: return "";
  }
}

/// "log" of "math.log".
std::string short_name(const ir::Op& op) {
  if (const ir::Attribute symbol = op.attribute("symbol")) return symbol->text;
  const std::string_view spelling = op.spelling();
  return std::string(spelling.substr(spelling.find('.') + 1));
}

}  // namespace

std::string number_text(double value) {
  if (std::isinf(value)) return value < 0 ? "-inf" : "inf";
  char text[32];
  std::snprintf(text, sizeof text, "%g", value);
  return text;
}

bool may_give_birth(const ir::Op& op) {
  if (op.result_count() == 0 || !is_float_value(*op.result()) || !op.def().makes_nan) return false;
  return !ir::folds_lines(op) || op.operand_count() == 1;
}

FloatOperands::FloatOperands(Execution& run) {
  for (const ir::Value* operand : run.op().operands()) {
    std::vector<double>& numbers = numbers_.emplace_back();
    shapes_.push_back(operand->type().shape());
    if (!is_float_value(*operand) || numbers_.size() > run.op().def().operands.size()) continue;
    numbers.resize(static_cast<std::size_t>(run.count(*operand)));
    for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = run.number(*operand, static_cast<std::int64_t>(i));
  }
}

/// Some operand lane from which the result's lane is computed passes the test.
template <typename Test>
bool FloatOperands::any_source(const ir::Op& op, std::int64_t lane, Test&& test) const {
  if (ir::is_matrix_product(op)) {
    const auto& shape = op.result()->type().shape();
    const std::int64_t columns = shape.back(), rows = shape[shape.size() - 2], depth = shapes_[0].back();
    const std::int64_t column = lane % columns, row = lane / columns % rows, batch = lane / (columns * rows);
    for (std::int64_t k = 0; k < depth; ++k) {
      if (!numbers_[0].empty() && test(numbers_[0][static_cast<std::size_t>((batch * rows + row) * depth + k)]))
        return true;
      if (!numbers_[1].empty() && test(numbers_[1][static_cast<std::size_t>((batch * depth + k) * columns + column)]))
        return true;
    }
    return numbers_.size() > 2 && !numbers_[2].empty() && test(numbers_[2][static_cast<std::size_t>(lane)]);
  }
  if (ir::folds_lines(op)) {
    const auto axis = static_cast<std::size_t>(op.integer_attribute("axis", 0));
    std::int64_t inner = 1;
    for (std::size_t d = axis + 1; d < shapes_[0].size(); ++d) inner *= shapes_[0][d];
    const std::int64_t extent = shapes_[0][axis];
    const std::int64_t outer = lane / (ir::is_scan(op) ? inner * extent : inner), column = lane % inner;
    for (std::int64_t i = 0; i < extent; ++i) {
      if (test(numbers_[0][static_cast<std::size_t>((outer * extent + i) * inner + column)])) return true;
    }
    return false;
  }
  return std::any_of(numbers_.begin(), numbers_.end(), [&](const std::vector<double>& one) {
    return !one.empty() && test(one[one.size() == 1 ? 0 : static_cast<std::size_t>(lane)]);
  });
}

bool FloatOperands::has_nan(const ir::Op& op, std::int64_t lane) const {
  return any_source(op, lane, [](double value) { return std::isnan(value); });
}

bool FloatOperands::is_finite(const ir::Op& op, std::int64_t lane) const {
  return !any_source(op, lane, [](double value) { return !std::isfinite(value); });
}

/// A sum or difference of infinities.
bool FloatOperands::cancels(const ir::Op& op, std::int64_t lane) const {
  if (ir::folds_lines(op)) return true;
  if (!ir::is_float_sum(op) && !ir::is_float_difference(op)) return false;
  const auto i = static_cast<std::size_t>(lane);
  return std::isinf(numbers_[0][i]) && std::isinf(numbers_[1][i]);
}

std::string FloatOperands::nan_message(const ir::Op& op, std::int64_t lane) const {
  if (ir::is_matrix_product(op)) return "NaN appears: infinities in a dot meet 0 or each other";
  if (ir::folds_lines(op)) return "NaN appears: inf and -inf in one " + short_name(op);
  const auto at = [&](std::size_t operand) {
    const std::vector<double>& one = numbers_[operand];
    return number_text(one[one.size() == 1 ? 0 : static_cast<std::size_t>(lane)]);
  };
  std::string text;
  if (*sign_of(op) != 0) {
    text = at(0) + sign_of(op) + (at(1).front() == '-' ? "(" + at(1) + ")" : at(1));
  } else {
    for (std::size_t i = 0; i < numbers_.size(); ++i) {
      if (!numbers_[i].empty()) text += (text.empty() ? "" : ", ") + at(i);
    }
    text = short_name(op) + "(" + text + ")";
  }
  text = "NaN appears: " + text;
  if (!cancels(op, lane) || shapes_[0].empty()) return text;
  const auto row = static_cast<std::size_t>(lane / shapes_[0].back() * shapes_[0].back());
  const auto* first = numbers_[0].data() + row;
  const std::int64_t width = shapes_[0].back();
  if (width > 1 && std::all_of(first, first + width, [](double value) { return std::isinf(value) && value < 0; }))
    text += "; all " + std::to_string(width) + " lanes of the row are -inf";
  return text;
}

std::string FloatOperands::overflow_message(const ir::Op& op, std::int64_t lane, ScalarKind kind) const {
  const std::string format(spelling(kind));
  const auto i = static_cast<std::size_t>(lane);
  if (ir::is_matrix_product(op)) {
    const auto& shape = op.result()->type().shape();
    const std::int64_t columns = shape.back(), rows = shape[shape.size() - 2], depth = shapes_[0].back();
    const std::int64_t column = lane % columns, row = lane / columns;
    double sum = numbers_.size() > 2 && !numbers_[2].empty() ? numbers_[2][i] : 0;
    const double most = kind == ScalarKind::f16 ? 65504.0 : 3.3895313892515355e38;
    std::int64_t k = 0;
    for (; k < depth && rows > 0 && std::abs(sum) <= most && !numbers_[0].empty() && !numbers_[1].empty(); ++k) {
      sum += numbers_[0][static_cast<std::size_t>(row * depth + k)] *
             numbers_[1][static_cast<std::size_t>((row / rows * depth + k) * columns + column)];
    }
    return format + " overflow in a dot: the sum is " + number_text(sum) + " after k = " + std::to_string(k) +
           " -> inf";
  }
  if (ir::folds_lines(op)) return format + " overflow in a " + short_name(op) + ": finite numbers give inf";
  std::string text;
  for (const std::vector<double>& one : numbers_) {
    if (one.empty()) continue;
    text += (text.empty()          ? ""
             : *sign_of(op) != 0 ? sign_of(op)
                                   : ", ") +
            number_text(one[one.size() == 1 ? 0 : i]);
  }
  const bool is_cast = ir::resizes_float(op);
  if (*sign_of(op) == 0 && !is_cast) text = short_name(op) + "(" + text + ")";
  return format + " overflow: " + text + " -> inf";
}

std::vector<FloatBirth> FloatOperands::births(Execution& run) const {
  std::vector<FloatBirth> found;
  const ir::Op& op = run.op();
  const ir::Value& result = *op.result();
  const ScalarKind kind = run.kind(result);
  const std::int64_t count = run.count(result);
  const auto add = [&](FindingCode code, std::int64_t lane, auto&& message) {
    const auto known =
        std::find_if(found.begin(), found.end(), [&](const FloatBirth& one) { return one.code == code; });
    if (known != found.end()) return known->lanes.push_back(lane);
    found.push_back({code, message(), {lane}});
  };
  for (std::int64_t lane = 0; lane < count; ++lane) {
    const double value = run.number(result, lane);
    if (std::isnan(value)) {
      if (has_nan(op, lane)) continue;
      add(cancels(op, lane) ? FindingCode::LS601 : FindingCode::LS602, lane, [&] { return nan_message(op, lane); });
    } else if (std::isinf(value) && kind < ScalarKind::f32 && is_finite(op, lane)) {
      if (op.def().opcode == ir::Opcode::arith_divf) continue;  // by zero
      add(FindingCode::LS603, lane, [&] { return overflow_message(op, lane, kind); });
    }
  }
  return found;
}

}  // namespace lockstep::sanitizer
