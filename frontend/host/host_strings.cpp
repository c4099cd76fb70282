#include "frontend/host/host_strings.h"

#include <algorithm>
#include <array>
#include <charconv>

#include <fmt/format.h>

#include "frontend/host/host_values.h"
#include "frontend/semantics/value_text.h"

namespace lockstep::frontend {

namespace {

using Arguments = std::vector<Value>;
using Keywords = std::vector<std::pair<std::string, Value>>;

constexpr std::size_t kMaxString = 1'000'000;
constexpr std::string_view kSpaces = " \t\n\r\f\v";

ValueResult result_of(std::string text) {
  if (text.size() > kMaxString) return failure("MemoryError: string too long");
  return Value(Constant::string(std::move(text)));
}

/// The argument's text; null if it is not a string.
const std::string* text_of(const Arguments& arguments, std::size_t i) {
  return i < arguments.size() && arguments[i].is_string() ? &arguments[i].constant()->text() : nullptr;
}

/// The numbering of the fields of one str.format: Python does not allow mixed ones.
struct Numbering {
  std::size_t next = 0;
  bool is_automatic = false, is_manual = false;
};

/// The value that a replacement field {field} of str.format names; null if there is none.
const Value* field_value(std::string_view field, const Arguments& arguments, const Keywords& keywords,
                         Numbering& numbering) {
  std::size_t index = numbering.next;
  const std::from_chars_result end = std::from_chars(field.data(), field.data() + field.size(), index);
  const bool is_number = !field.empty() && end.ec == std::errc() && end.ptr == field.data() + field.size();
  numbering.is_automatic = numbering.is_automatic || field.empty();
  numbering.is_manual = numbering.is_manual || is_number;
  if (numbering.is_automatic && numbering.is_manual) return nullptr;
  if (field.empty()) ++numbering.next;
  if (field.empty() || is_number) return index < arguments.size() ? &arguments[index] : nullptr;
  for (const auto& [name, value] : keywords) {
    if (name == field) return &value;
  }
  return nullptr;
}

ValueResult format(const std::string& text, const Arguments& arguments, const Keywords& keywords) {
  std::string out;
  Numbering numbering;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    const bool doubled = i + 1 < text.size() && text[i + 1] == c;
    if ((c == '{' || c == '}') && doubled) {
      out += c;
      ++i;
      continue;
    }
    if (c == '}') return failure("ValueError: Single '}' encountered in format string");
    if (c != '{') {
      out += c;
      continue;
    }
    const std::size_t close = text.find('}', i);
    if (close == std::string::npos) return failure("ValueError: expected '}' before end of string");
    const std::string_view field = std::string_view(text).substr(i + 1, close - i - 1);
    if (field.find_first_of(":!.[{") != std::string_view::npos)
      return failure(fmt::format("the format field {{{}}} is not known at compile time", field));
    const Value* value = field_value(field, arguments, keywords, numbering);
    if (value == nullptr || value->constant() == nullptr)
      return failure(fmt::format("KeyError: no constant value for the format field {{{}}}", field));
    out += python_str(*value);
    if (out.size() > kMaxString) return failure("MemoryError: string too long");
    i = close;
  }
  return result_of(std::move(out));
}

ValueResult join(const std::string& text, const Arguments& arguments, const Keywords&) {
  if (arguments.size() != 1 || arguments[0].elements() == nullptr)
    return failure("TypeError: can only join an iterable");
  std::string out;
  bool first = true;
  for (const Value& item : *arguments[0].elements()) {
    if (!item.is_string()) return failure("TypeError: sequence item: expected str instance");
    out += (first ? "" : text) + item.constant()->text();
    first = false;
    if (out.size() > kMaxString) return failure("MemoryError: string too long");
  }
  return result_of(std::move(out));
}

ValueResult split(const std::string& text, const Arguments& arguments, const Keywords&) {
  std::vector<Value> parts;
  if (arguments.empty()) {
    std::size_t at = text.find_first_not_of(kSpaces);
    while (at != std::string::npos) {
      const std::size_t end = std::min(text.find_first_of(kSpaces, at), text.size());
      parts.emplace_back(Constant::string(text.substr(at, end - at)));
      at = text.find_first_not_of(kSpaces, end);
    }
    return Value::tuple(std::move(parts));
  }
  const std::string* separator = text_of(arguments, 0);
  if (separator == nullptr || separator->empty() || arguments.size() > 1)
    return failure("ValueError: split() of this form");
  std::size_t at = 0;
  for (std::size_t end = text.find(*separator); end != std::string::npos; end = text.find(*separator, at)) {
    parts.emplace_back(Constant::string(text.substr(at, end - at)));
    at = end + separator->size();
  }
  parts.emplace_back(Constant::string(text.substr(at)));
  return Value::tuple(std::move(parts));
}

ValueResult replace(const std::string& text, const Arguments& arguments, const Keywords&) {
  const std::string* from = text_of(arguments, 0);
  const std::string* to = text_of(arguments, 1);
  if (from == nullptr || to == nullptr || from->empty() || arguments.size() > 2)
    return failure("TypeError: replace() of this form");
  std::string out;
  std::size_t at = 0;
  for (std::size_t end = text.find(*from); end != std::string::npos; end = text.find(*from, at)) {
    out += text.substr(at, end - at) + *to;
    at = end + from->size();
    if (out.size() > kMaxString) return failure("MemoryError: string too long");
  }
  return result_of(out + text.substr(at));
}

ValueResult affix(const std::string& text, const Arguments& arguments, bool at_start) {
  if (arguments.size() != 1) return failure("TypeError: one prefix is needed");
  const Arguments single{arguments[0]};
  for (const Value& item : arguments[0].elements() != nullptr ? *arguments[0].elements() : single) {
    if (!item.is_string()) return failure("TypeError: a prefix must be str or a tuple of str");
    const std::string& part = item.constant()->text();
    if (at_start ? text.starts_with(part) : text.ends_with(part)) return Value(Constant::boolean(true));
  }
  return Value(Constant::boolean(false));
}

ValueResult strip(const std::string& text, const Arguments& arguments, bool left, bool right) {
  const std::string* letters = text_of(arguments, 0);
  if (!arguments.empty() && letters == nullptr) return failure("TypeError: strip arg must be str");
  const std::string_view set = letters != nullptr ? std::string_view(*letters) : kSpaces;
  const std::size_t begin = left ? std::min(text.find_first_not_of(set), text.size()) : 0;
  const std::size_t last = right ? text.find_last_not_of(set) : text.size();
  const std::size_t end = last == std::string::npos ? 0 : std::min(last + 1, text.size());
  return result_of(begin < end ? text.substr(begin, end - begin) : "");
}

ValueResult in_case(std::string text, bool upper) {
  for (char& c : text) {
    if (static_cast<unsigned char>(c) >= 128) return failure("letters beyond ASCII");
    if (upper ? (c >= 'a' && c <= 'z') : (c >= 'A' && c <= 'Z')) c = static_cast<char>(c ^ 0x20);
  }
  return result_of(std::move(text));
}

struct Method {
  std::string_view name;
  ValueResult (*call)(const std::string&, const Arguments&, const Keywords&);
};
constexpr std::array<Method, 11> kMethods{{
    {"format", format},
    {"join", join},
    {"split", split},
    {"replace", replace},
    {"startswith", [](const std::string& s, const Arguments& a, const Keywords&) { return affix(s, a, true); }},
    {"endswith", [](const std::string& s, const Arguments& a, const Keywords&) { return affix(s, a, false); }},
    {"strip", [](const std::string& s, const Arguments& a, const Keywords&) { return strip(s, a, true, true); }},
    {"lstrip", [](const std::string& s, const Arguments& a, const Keywords&) { return strip(s, a, true, false); }},
    {"rstrip", [](const std::string& s, const Arguments& a, const Keywords&) { return strip(s, a, false, true); }},
    {"lower", [](const std::string& s, const Arguments&, const Keywords&) { return in_case(s, false); }},
    {"upper", [](const std::string& s, const Arguments&, const Keywords&) { return in_case(s, true); }},
}};

const Method* find_method(std::string_view name) {
  const auto* found =
      std::find_if(kMethods.begin(), kMethods.end(), [&](const Method& row) { return row.name == name; });
  return found == kMethods.end() ? nullptr : found;
}

}  // namespace

bool is_string_method(std::string_view name) { return find_method(name) != nullptr; }

ValueResult call_string_method(const std::string& text, const std::string& name, const Arguments& arguments,
                               const Keywords& keywords) {
  const Method* method = find_method(name);
  if (method == nullptr || (!keywords.empty() && name != "format"))
    return failure(fmt::format("str.{}() is not known at compile time", name));
  return method->call(text, arguments, keywords);
}

}  // namespace lockstep::frontend
