// Json: a value of JSON, the only reader and writer: objects keep the order of their members, so that a message is the
// same text every time. Invariants: parsed values are bounded (depth, number of values) and have distinct keys; the
// output is valid UTF-8 whatever the texts hold. Not here: which members a message has (arguments.h).
#pragma once

#include <concepts>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "support/result.h"

namespace lockstep {

class Json {
 public:
  using Array = std::vector<Json>;
  using Member = std::pair<std::string, Json>;
  using Object = std::vector<Member>;

  Json() = default;                                                             // null
  Json(bool value) : value_(value) {}                                           // NOLINT
  Json(std::integral auto value) : value_(static_cast<std::int64_t>(value)) {}  // NOLINT
  Json(double value) : value_(value) {}                                         // NOLINT
  Json(const char* text) : value_(std::string(text)) {}                         // NOLINT
  Json(std::string text) : value_(std::move(text)) {}                           // NOLINT
  Json(std::string_view text) : value_(std::string(text)) {}                    // NOLINT
  Json(Array values) : value_(std::move(values)) {}                             // NOLINT
  Json(Object members) : value_(std::move(members)) {}                          // NOLINT
  static Json record(std::initializer_list<Member> members = {}) { return Json(Object(members)); }

  bool is_null() const { return std::holds_alternative<std::monostate>(value_); }
  /// Null: it has another type.
  const bool* boolean() const { return std::get_if<bool>(&value_); }
  const std::int64_t* integer() const { return std::get_if<std::int64_t>(&value_); }
  const double* number() const { return std::get_if<double>(&value_); }  // with a fraction, or beyond 64 bits
  const std::string* text() const { return std::get_if<std::string>(&value_); }
  const Array* array() const { return std::get_if<Array>(&value_); }
  const Object* object() const { return std::get_if<Object>(&value_); }

  /// The member of an object; null: there is none, or this is not an object.
  const Json* find(std::string_view key) const;
  /// For an object (null becomes one): sets a member, or replaces the one of that name.
  void set(std::string_view key, Json value);
  /// Appends to an array (null becomes one).
  void push(Json value);

  /// Without line breaks. Invalid UTF-8 becomes U+FFFD; NaN and infinities, which JSON lacks, become null.
  std::string dump() const;

 private:
  std::variant<std::monostate, bool, std::int64_t, double, std::string, Array, Object> value_;
};

/// A list of numbers.
Json json_numbers(const auto& values) {
  Json::Array array;
  for (const auto value : values) array.emplace_back(value);
  return Json(std::move(array));
}

/// A string of JSON with its quotes: always valid UTF-8, as in Json::dump.
std::string json_quoted(std::string_view text);

constexpr int kMaxJsonDepth = 64;
constexpr std::size_t kMaxJsonValues = 1'000'000, kMaxJsonMembers = 4096;

/// The error says what is wrong and, for broken syntax, at which byte.
Expected<Json, std::string> parse_json(std::string_view text);

}  // namespace lockstep
