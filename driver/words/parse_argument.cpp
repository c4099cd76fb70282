// NAME=VALUE: the start of the value decides between scalars, tensors and files.
#include <algorithm>
#include <array>

#include "driver/arguments/arguments.h"
#include "driver/words/cursor.h"
#include "driver/words/dtype_name.h"
#include "driver/words/number.h"
#include "driver/words/parse_tensor.h"

namespace lockstep::driver {
namespace {

constexpr std::size_t kMaxArgumentBytes = std::size_t{1} << 16;

// "5:i64", "1.5:f16": the type after a number.
bool take_forced_type(Cursor& cursor, ScalarValue& value) {
  if (!cursor.take(":")) return true;
  const std::size_t begin = cursor.position();
  const auto type = take_dtype(cursor);
  if (!type) return false;
  if (value.kind == ScalarValue::Kind::floating && !is_float(type->kind)) {
    cursor.fail(begin, "LS2003", "a number with a fraction cannot be passed as " + type->short_name,
                "write an integer, or a float type");
    return false;
  }
  value.forced_type = type->kind;
  value.forced_unsigned = type->is_unsigned;
  return true;
}

std::optional<ScalarValue> take_quoted(Cursor& cursor) {
  const std::size_t begin = cursor.position();
  const char quote = cursor.peek();
  const std::size_t end = cursor.text().find(quote, begin + 1);
  if (end == std::string_view::npos) {
    cursor.move_to(cursor.text().size());
    cursor.fail(begin, "LS2006", "the quoted text does not end", std::string("close it with ") + quote);
    return std::nullopt;
  }
  ScalarValue value;
  value.kind = ScalarValue::Kind::name;
  value.is_quoted = true;
  value.text = cursor.text().substr(begin + 1, end - begin - 1);
  cursor.move_to(end + 1);
  return value;
}

ScalarValue word_value(std::string_view word) {
  ScalarValue value;
  if (word == "true" || word == "True" || word == "false" || word == "False") {
    value.kind = ScalarValue::Kind::boolean;
    value.integer = word == "true" || word == "True" ? 1 : 0;
  } else if (word != "none" && word != "None") {
    value.kind = ScalarValue::Kind::name;
    value.text = word;
  }
  return value;
}

using ParsedValue = std::optional<std::variant<ScalarValue, TensorSpec, TupleSpec>>;

ParsedValue wrap(std::optional<ScalarValue> value) {
  if (!value) return std::nullopt;
  return ParsedValue(std::in_place, std::move(*value));
}
ParsedValue wrap(std::optional<TensorSpec> value) {
  if (!value) return std::nullopt;
  return ParsedValue(std::in_place, std::move(*value));
}

// A word is a tensor when ':' or '(' follows it: "randn:f32[8]", "full(3):i32[8]", "view(y)".
ParsedValue take_word_value(Cursor& cursor) {
  const std::size_t begin = cursor.position();
  const std::string_view word = cursor.take_word(true);
  ScalarValue scalar = word_value(word);
  if (scalar.kind == ScalarValue::Kind::boolean && cursor.peek() == ':') {
    if (!take_forced_type(cursor, scalar)) return std::nullopt;
    return wrap(std::optional(std::move(scalar)));
  }
  if (cursor.peek() == ':' || cursor.peek() == '(') return wrap(take_tensor(cursor, begin, word));
  if (is_tensor_word(word)) {
    cursor.fail(begin, "LS2006", "'" + std::string(word) + "' needs a type and a shape",
                "write " + std::string(word) + ":f32[64], or '" + std::string(word) + "' in quotes for a string");
    return std::nullopt;
  }
  return wrap(std::optional(std::move(scalar)));
}

ParsedValue take_value(Cursor& cursor) {
  cursor.skip_spaces();
  const std::size_t begin = cursor.position();
  if (cursor.at_end()) {
    cursor.fail(begin, "LS2002", "the value is missing", "write NAME=VALUE; none for None, '' for an empty string");
    return std::nullopt;
  }
  if (cursor.peek() == '@') return wrap(take_file(cursor));
  if (cursor.peek() == '\'' || cursor.peek() == '"') return wrap(take_quoted(cursor));
  if (number_is_next(cursor)) {
    std::optional<ScalarValue> number = take_number(cursor);
    if (!number || !take_forced_type(cursor, *number)) return std::nullopt;
    return wrap(std::move(number));
  }
  const char c = cursor.peek();
  if ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_') return take_word_value(cursor);
  cursor.move_to(cursor.text().size());
  cursor.fail(begin, "LS2002", "cannot read the value", "see 'lockstep run --help' for the forms of a value");
  return std::nullopt;
}

}  // namespace

std::optional<ArgumentText> parse_argument(std::string_view text, DiagnosticSink& sink, const GridNames& names) {
  if (text.size() > kMaxArgumentBytes) {
    Cursor(text.substr(0, 60), "<argument>", sink).fail(0, "LS2001", "the argument is longer than 65536 bytes");
    return std::nullopt;
  }
  Cursor cursor(text, "<argument>", sink, &names);
  ArgumentText argument;
  // A dot can be part of a name: some parameters of .ttir files have one.
  argument.name = cursor.take_word(true);
  if (argument.name.empty() || !cursor.take("=")) {
    cursor.fail(cursor.position(), "LS2001", "expected NAME=VALUE", "for example x=randn:f32[64] or n=98432");
    return std::nullopt;
  }
  argument.text = cursor.rest();
  ParsedValue value = take_value(cursor);
  if (!value) return std::nullopt;
  argument.value = std::move(*value);
  cursor.skip_spaces();
  if (cursor.at_end()) return argument;
  const std::size_t begin = cursor.position();
  cursor.move_to(cursor.text().size());
  cursor.fail(begin, "LS2002", "unexpected text after the value");
  return std::nullopt;
}

}  // namespace lockstep::driver
