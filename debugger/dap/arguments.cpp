#include "debugger/dap/arguments.h"

namespace lockstep::debugger::dap {

/// Null: the member is missing. A null counts as missing, because clients in JavaScript send it.
const Json* Arguments::find(const char* key) const {
  const Json* found = object_.find(key);
  return found == nullptr || found->is_null() ? nullptr : found;
}

bool Arguments::has(const char* key) const { return find(key) != nullptr; }

std::string Arguments::text(const char* key) {
  const Json* found = find(key);
  if (found != nullptr && found->text() != nullptr) return *found->text();
  fail(name(key) + (found == nullptr ? " is missing" : " is not a text"));
  return {};
}

std::string Arguments::text_or(const char* key, const std::string& otherwise) {
  return has(key) ? text(key) : otherwise;
}

std::int64_t Arguments::number(const Json& value, const char* key, std::int64_t low, std::int64_t high) {
  const std::int64_t* integer = value.integer();
  if (integer != nullptr && *integer >= low && *integer <= high) return *integer;
  fail(name(key) + " is not an integer from " + std::to_string(low) + " to " + std::to_string(high));
  return low;
}

std::int64_t Arguments::integer(const char* key, std::int64_t low, std::int64_t high) {
  const Json* found = find(key);
  if (found != nullptr) return number(*found, key, low, high);
  fail(name(key) + " is missing");
  return low;
}

std::int64_t Arguments::integer_or(const char* key, std::int64_t low, std::int64_t high, std::int64_t otherwise) {
  return has(key) ? integer(key, low, high) : otherwise;
}

double Arguments::real(const char* key, double low, double high) {
  const Json* found = find(key);
  if (found != nullptr && found->integer() != nullptr && static_cast<double>(*found->integer()) >= low)
    return static_cast<double>(*found->integer());
  if (found != nullptr && found->number() != nullptr && *found->number() >= low && *found->number() <= high)
    return *found->number();
  fail(name(key) + (found == nullptr ? " is missing" : " is not a number in its range"));
  return low;
}

bool Arguments::boolean_or(const char* key, bool otherwise) {
  const Json* found = find(key);
  if (found == nullptr) return otherwise;
  if (found->boolean() != nullptr) return *found->boolean();
  fail(name(key) + " is not true or false");
  return otherwise;
}

const Json::Array& Arguments::list_or_empty(const char* key) {
  static const Json::Array kEmpty;
  const Json* found = find(key);
  if (found == nullptr) return kEmpty;
  if (found->array() != nullptr && found->array()->size() <= kMaxList) return *found->array();
  fail(name(key) + " is not a list of at most " + std::to_string(kMaxList));
  return kEmpty;
}

std::vector<std::string> Arguments::texts_or_empty(const char* key) {
  std::vector<std::string> texts;
  for (const Json& one : list_or_empty(key)) {
    if (one.text() == nullptr) fail(name(key) + " is not a list of texts");
    texts.push_back(one.text() != nullptr ? *one.text() : "");
  }
  return texts;
}

std::vector<std::int64_t> Arguments::integers_or_empty(const char* key, std::int64_t low, std::int64_t high) {
  std::vector<std::int64_t> numbers;
  for (const Json& one : list_or_empty(key)) numbers.push_back(number(one, key, low, high));
  return numbers;
}

const Json& Arguments::object_or_null(const char* key) {
  static const Json kNull;
  const Json* found = find(key);
  if (found == nullptr) return kNull;
  if (found->object() != nullptr) return *found;
  fail(name(key) + " is not an object");
  return kNull;
}

}  // namespace lockstep::debugger::dap
