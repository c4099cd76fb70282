#include "debugger/session/summary.h"

#include "debugger/expression/reduce.h"

namespace lockstep::debugger {

namespace {

constexpr std::int64_t kFew = 8;                       // elements that are shown one by one
constexpr std::int64_t kMost = std::int64_t{1} << 16;  // elements that are looked at for the end of a line

/// "-1.2 .. 3.4, 2 nan".
std::string range_text(const Tensor& tensor, const Scope& scope) {
  const Statistics facts = statistics_of(tensor);
  std::string text;
  if (facts.finite() > 0) {
    Tensor ends = Tensor::like(tensor.elements, tensor.kind, {2});
    if (tensor.is_floating()) {
      ends.floats = {facts.least, facts.greatest};
    } else {
      ends.integers = {static_cast<std::int64_t>(facts.least), static_cast<std::int64_t>(facts.greatest)};
    }
    text = element_text(ends, 0, scope);
    if (facts.least != facts.greatest) text += " .. " + element_text(ends, 1, scope);
  }
  const auto add = [&text](std::int64_t count, const char* what) {
    if (count != 0) text += (text.empty() ? "" : ", ") + std::to_string(count) + " " + what;
  };
  add(facts.nans, "nan");
  add(facts.infinities, "inf");
  return text;
}

}  // namespace

std::string brief_text(const Value& value, const Scope& scope) {
  const std::int64_t count = element_count(shape_of(value));
  return count <= kFew ? show_line(value, scope, 120) : show_summary(value, scope);
}

std::string inline_text(const Value& value, const Scope& scope) {
  const auto shape = shape_of(value);
  const std::int64_t count = element_count(shape);
  const auto* tensor = std::get_if<Tensor>(&value);
  if (shape.empty() && !std::holds_alternative<MemoryWindow>(value)) return show_line(value, scope, 40);
  if (tensor == nullptr || count > kMost || count == 0) return type_text(value);
  if (tensor->elements == ElementClass::pointer) {
    return type_text(value) + " " + element_text(*tensor, 0, scope) + " .. " +
           element_text(*tensor, static_cast<std::size_t>(count) - 1, scope);
  }
  if (tensor->elements == ElementClass::boolean) {
    std::int64_t held = 0;
    for (const std::int64_t one : tensor->integers) held += one != 0 ? 1 : 0;
    return type_text(value) + " true " + std::to_string(held) + " of " + std::to_string(count);
  }
  return type_text(value) + " " + range_text(*tensor, scope);
}

}  // namespace lockstep::debugger
