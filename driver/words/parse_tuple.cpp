// NAME=(VALUE, VALUE) and NAME=(x=VALUE, n=VALUE): tuples, whose elements are separate arguments. Errors: LS2017.
#include "driver/arguments/arguments.h"
#include "driver/words/cursor.h"
#include "support/ascii.h"

namespace lockstep::driver {
namespace {

constexpr int kMaxNesting = 8;
constexpr std::size_t kMaxTupleElements = 1'024;

/// Where the element that begins at `begin` ends: at a ',' or ')' outside of brackets and quotes.
std::size_t end_of_element(std::string_view text, std::size_t begin) {
  int depth = 0;
  char quote = '\0';
  for (std::size_t i = begin; i < text.size(); ++i) {
    const char c = text[i];
    if (quote != '\0') {
      if (c == quote) quote = '\0';
      continue;
    }
    if (depth == 0 && (c == ',' || c == ')')) return i;
    if (c == '\'' || c == '"') quote = c;
    depth += c == '(' || c == '[' ? 1 : c == ')' || c == ']' ? -1 : 0;
  }
  return text.size();
}

/// The name of "n=5"; empty if the element has none.
std::string_view name_of_element(std::string_view element) {
  std::size_t end = 0;
  const auto is_part = [&](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || (end > 0 && c >= '0' && c <= '9');
  };
  while (end < element.size() && is_part(element[end])) ++end;
  return end < element.size() && element[end] == '=' ? element.substr(0, end) : std::string_view();
}

class TupleParser {
 public:
  TupleParser(DiagnosticSink& sink, std::vector<ArgumentText>& arguments, const GridNames& names)
      : sink_(sink), arguments_(arguments), names_(names) {}

  /// NAME=VALUE; `whole` begins with `name` and '='.
  bool parse(const std::string& whole, const std::string& name, int depth);

 private:
  bool parse_element(std::string_view element, const std::string& owner, TupleSpec& tuple, int depth);
  bool fail(const std::string& whole, std::size_t begin, std::size_t end, DiagnosticCode code, std::string message,
            std::string hint) {
    Cursor cursor(whole, "<argument>", sink_);
    cursor.move_to(end);
    cursor.fail(begin, code, std::move(message), std::move(hint));
    return false;
  }

  DiagnosticSink& sink_;
  std::vector<ArgumentText>& arguments_;
  const GridNames& names_;
};

bool TupleParser::parse_element(std::string_view element, const std::string& owner, TupleSpec& tuple, int depth) {
  const std::string_view field = name_of_element(element);
  const std::string part = field.empty() ? std::to_string(tuple.parts.size()) : std::string(field);
  const bool was_named = !tuple.parts.empty() && tuple.parts.front() != "0";
  const std::string text =
      field.empty() ? owner + "." + part + "=" + std::string(element) : owner + "." + std::string(element);
  if (!tuple.parts.empty() && was_named == field.empty()) {
    return fail(text, 0, text.size(), "LS2017", "some elements of the tuple '" + owner + "' have names, others do not",
                "name all of them, as a NamedTuple does, or none");
  }
  tuple.parts.push_back(part);
  if (tuple.parts.size() <= kMaxTupleElements) return parse(text, owner + "." + part, depth + 1);
  return fail(text, 0, 1, "LS2017", "the tuple '" + owner + "' has more than 1024 elements", "");
}

bool TupleParser::parse(const std::string& whole, const std::string& name, int depth) {
  const std::size_t first = whole.find_first_not_of(' ', name.size() + 1);
  if (first == std::string::npos || whole[first] != '(') {
    std::optional<ArgumentText> argument = parse_argument(whole, sink_, names_);
    if (argument) arguments_.push_back(std::move(*argument));
    return argument.has_value();
  }
  if (depth > kMaxNesting) return fail(whole, 0, 1, "LS2017", "tuples are nested deeper than 8", "");
  TupleSpec tuple;
  const std::size_t place = arguments_.size();
  arguments_.push_back({name, whole.substr(name.size() + 1), TupleSpec{}});
  std::size_t position = first + 1;
  while (true) {
    const std::size_t end = end_of_element(whole, position);
    if (end == whole.size()) return fail(whole, first, end, "LS2017", "the tuple does not end", "close it with ')'");
    const std::string_view element = trimmed(std::string_view(whole).substr(position, end - position));
    const bool is_last = whole[end] == ')';
    if (element.empty() && !is_last) return fail(whole, end, end + 1, "LS2017", "an element is missing here", "");
    if (!element.empty() && !parse_element(element, name, tuple, depth)) return false;
    position = end + 1;
    if (is_last) break;
  }
  const std::size_t rest = whole.find_first_not_of(' ', position);
  if (rest != std::string::npos) return fail(whole, rest, whole.size(), "LS2002", "unexpected text after the value", "");
  arguments_[place].value = std::move(tuple);
  return true;
}

/// The integers among the arguments, for shapes that name them.
GridNames integers_of(const std::vector<std::string>& texts) {
  GridNames names;
  for (const std::string& text : texts) {
    DiagnosticSink ignored;  // what is wrong is said when the texts are read in earnest
    const std::optional<ArgumentText> argument = parse_argument(text, ignored);
    const auto* scalar = argument ? std::get_if<ScalarValue>(&argument->value) : nullptr;
    if (scalar != nullptr && scalar->kind == ScalarValue::Kind::integer && !scalar->is_unsigned_64)
      names.integers.emplace(argument->name, scalar->integer);
  }
  return names;
}

}  // namespace

bool parse_all_arguments(const std::vector<std::string>& texts, DiagnosticSink& sink,
                         std::vector<ArgumentText>& arguments) {
  const GridNames names = integers_of(texts);
  bool is_fine = true;
  for (const std::string& text : texts) is_fine = parse_arguments(text, sink, arguments, names) && is_fine;
  return is_fine;
}

bool parse_arguments(std::string_view text, DiagnosticSink& sink, std::vector<ArgumentText>& arguments,
                     const GridNames& names) {
  const std::size_t equals = text.find('=');
  const std::string_view name = trimmed(text.substr(0, equals));
  const bool is_tuple = equals != std::string_view::npos && trimmed(text.substr(equals + 1)).starts_with('(');
  if (is_tuple && name_of_element(std::string(name) + "=") == name) {
    const std::string whole = std::string(name) + "=" + std::string(text.substr(equals + 1));
    return TupleParser(sink, arguments, names).parse(whole, std::string(name), 1);
  }
  std::optional<ArgumentText> argument = parse_argument(text, sink, names);
  if (argument) arguments.push_back(std::move(*argument));
  return argument.has_value();
}

}  // namespace lockstep::driver
