#include "frontend/builtins/argument_templates.h"

#include <algorithm>
#include <charconv>
#include <optional>

#include "support/ascii.h"

namespace lockstep::frontend {

namespace {

constexpr int kMaxTupleDepth = 8;
constexpr std::size_t kMaxTupleParts = 1'024;

/// Only its type counts.
ir::Value* stand_in() {
  static ir::Value value;
  return &value;
}

/// "(a, (b, c), d)" -> a, (b, c), d; nullopt if it is not a tuple.
std::optional<std::vector<std::string_view>> tuple_parts(std::string_view text) {
  if (text.size() < 2 || !text.starts_with('(') || !text.ends_with(')')) return std::nullopt;
  text = text.substr(1, text.size() - 2);
  std::vector<std::string_view> parts;
  int depth = 0;
  std::size_t begin = 0;
  for (std::size_t i = 0; i <= text.size(); ++i) {
    const char c = i < text.size() ? text[i] : ',';
    depth += c == '(' || c == '[' ? 1 : c == ')' || c == ']' ? -1 : 0;
    if (i < text.size() && (c != ',' || depth > 0)) continue;
    const std::string_view part = trimmed(text.substr(begin, i - begin));
    if (!part.empty() || i < text.size()) parts.push_back(part);
    if (parts.size() > kMaxTupleParts) return std::nullopt;
    begin = i + 1;
  }
  return parts;
}

/// The name of "x=*fp32"; empty if it has none.
std::string_view field_name(std::string_view part) {
  const std::size_t equals = part.find('=');
  return equals < part.find('(') ? trimmed(part.substr(0, equals)) : std::string_view();
}

/// Triton's constant for 1 and None in a tuple.
std::optional<Constant> constant_part(std::string_view type) {
  if (type == "None") return Constant();
  std::int64_t number = 0;
  const std::from_chars_result end = std::from_chars(type.data(), type.data() + type.size(), number);
  if (end.ec != std::errc() || end.ptr != type.data() + type.size()) return std::nullopt;
  return Constant::integer(number);
}

}  // namespace

Value ArgumentTemplates::make_descriptor(const ValueType& block) {
  std::vector<Value> geometry;
  for (const Scalar scalar : {Scalar::int32, Scalar::int64}) {
    const Tensor part{stand_in(), {DType(scalar), {}}};
    geometry.push_back(Value::tuple(std::vector<Value>(block.shape.size(), Value(part))));
  }
  divisibility_.insert(divisibility_.end(), 1 + 2 * block.shape.size(), 0);
  return DescriptorValue{stand_in(), block, std::make_shared<const std::vector<Value>>(std::move(geometry))};
}

Value ArgumentTemplates::make_tuple(const std::vector<std::string_view>& parts, const ParameterSpecialisation& given,
                                    const std::string& path) {
  if (std::count(path.begin(), path.end(), '.') >= kMaxTupleDepth) return {};
  std::vector<Value> elements;
  PythonClass named;
  for (std::string_view part : parts) {
    const std::string_view field = field_name(part);
    if (field.empty() != named.fields.empty() && !elements.empty()) return {};
    if (!field.empty()) {
      named.fields.push_back({std::string(field), nullptr, nullptr});
      part = trimmed(part.substr(part.find('=') + 1));
    }
    const std::string place = path + (path.empty() ? "" : ".") + std::to_string(elements.size());
    elements.push_back(make(part, given, place));
    if (elements.back().is_invalid()) return {};
  }
  if (named.fields.empty()) return Value::tuple(std::move(elements));
  return Value::tuple(std::move(elements), &classes_.emplace_back(std::move(named)));
}

Value ArgumentTemplates::make(std::string_view type, const ParameterSpecialisation& given, const std::string& path) {
  if (const std::optional<ValueType> block = parse_descriptor_type(type)) return make_descriptor(*block);
  if (const auto parts = tuple_parts(type)) return make_tuple(*parts, given, path);
  if (const std::optional<Constant> constant = path.empty() ? std::nullopt : constant_part(type)) return *constant;
  const std::optional<DType> scalar = parse_signature_type(type);
  if (!scalar || scalar->is_void()) return {};
  const auto& parts = given.divisible_parts;
  const bool is_divisible = std::find(parts.begin(), parts.end(), path) != parts.end();
  divisibility_.push_back(!scalar->is_ptr() && !scalar->is_int() ? 0 : is_divisible ? 16 : given.divisibility);
  return Tensor{stand_in(), {*scalar, {}}};
}

}  // namespace lockstep::frontend
