#include "enclosure/real_text.h"

#include <cmath>

#include "support/floats/write_float.h"
#include "support/json.h"

namespace lockstep::enclosure {

namespace {

std::string real_digits(double value, int count) {
  if (std::isnan(value)) return "nan";
  if (std::isinf(value)) return value < 0 ? "-inf" : "inf";
  char text[448];
  return {text, write_float(text, text + sizeof text, value, std::chars_format::general, count)};
}

double real_middle(const Interval& value) {
  return value.low == value.high ? value.low : value.low / 2 + value.high / 2;
}

std::string real_index_text(const std::vector<std::int64_t>& index) {
  std::string text = "[";
  for (std::size_t d = 0; d < index.size(); ++d) text += (d == 0 ? "" : ",") + std::to_string(index[d]);
  return text + "]";
}

std::string worst_text(const RealTensor& tensor, const RealDifference& one) {
  constexpr int kStored = 9, kReal = 17, kUlp = 4;
  return "    " + tensor.name + real_index_text(one.index) + " is " + real_digits(one.stored, kStored) + ", without rounding " +
         real_digits(real_middle(one.real), kReal) + " (" + real_digits(one.ulp, kUlp) + " ulp)" +
         (one.place.empty() ? "" : ", stored at " + one.place) + "\n";
}

}  // namespace

std::string real_text(const RealReport& report) {
  constexpr int kFew = 4;
  std::string text;
  for (const RealTensor& one : report.tensors) {
    text += "without rounding: " + one.name + ": " + std::to_string(one.elements) + " elements, ";
    text += one.max_ulp == 0 ? "all the same"
                             : "at most " + real_digits(one.max_absolute, kFew) + " away (relative " +
                                   real_digits(one.max_relative, kFew) + ", " + real_digits(one.max_ulp, kFew) + " ulp)";
    if (one.unknown != 0) text += "; " + std::to_string(one.unknown) + " not known";
    text += "\n";
    for (const RealDifference& worst : one.worst) text += worst_text(one, worst);
    for (const std::string& place : one.own_integers)
      text += "    depends on integers that the launch made of floats: " + place + "\n";
  }
  for (const std::string& op : report.unknown) text += "    not known without rounding: " + op + "\n";
  if (!report.is_complete) text += "without rounding: the launch cannot be followed to its end\n";
  if (report.tensors.empty() && report.is_complete) text += "without rounding: the launch stores no floats\n";
  return text;
}

namespace {

std::string real_number(double value) { return std::isfinite(value) ? real_digits(value, 17) : "\"" + real_digits(value, 17) + "\""; }

template <typename List, typename Text>
std::string real_list(const List& list, Text&& text_of) {
  std::string text = "[";
  for (const auto& one : list) text += (text.size() == 1 ? "" : ", ") + text_of(one);
  return text + "]";
}

std::string real_difference_json(const RealDifference& one) {
  return "{\"index\": " + real_list(one.index, [](std::int64_t i) { return std::to_string(i); }) +
         ", \"stored\": " + real_number(one.stored) + ", \"real\": " + real_number(real_middle(one.real)) +
         ", \"low\": " + real_number(one.real.low) + ", \"high\": " + real_number(one.real.high) + ", \"abs\": " +
         real_number(one.absolute) + ", \"rel\": " + real_number(one.relative) + ", \"ulp\": " + real_number(one.ulp) +
         ", \"place\": " + json_quoted(one.place) + "}";
}

std::string real_tensor_json(const RealTensor& one) {
  return "{\"name\": " + json_quoted(one.name) + ", \"type\": " + json_quoted(spelling(one.kind)) +
         ", \"elements\": " + std::to_string(one.elements) + ", \"unknown\": " + std::to_string(one.unknown) +
         ", \"max_abs\": " + real_number(one.max_absolute) + ", \"max_rel\": " + real_number(one.max_relative) +
         ", \"max_ulp\": " + real_number(one.max_ulp) + ", \"max_open\": " + real_number(one.max_open) +
         ", \"worst\": " + real_list(one.worst, real_difference_json) +
         ", \"own_integers\": " + real_list(one.own_integers, [](const std::string& text) { return json_quoted(text); }) +
         "}";
}

}  // namespace

std::string real_json(const RealReport& report) {
  return "{\"complete\": " + std::string(report.is_complete ? "true" : "false") +
         ", \"tensors\": " + real_list(report.tensors, real_tensor_json) +
         ", \"unknown\": " + real_list(report.unknown, [](const std::string& text) { return json_quoted(text); }) + "}";
}

}  // namespace lockstep::enclosure
