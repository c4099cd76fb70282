// Arguments: reads the members that a request must or may have. It keeps the first wrong one as the problem and returns
// defaults afterwards, so that a handler reads all members and then asks once.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "support/json.h"

namespace lockstep::debugger::dap {

class Arguments {
 public:
  /// `object`: an object or null (nothing is there). Must outlive this.
  explicit Arguments(const Json& object, std::string prefix = "") : object_(object), prefix_(std::move(prefix)) {}

  bool is_good() const { return problem_.empty(); }
  const std::string& problem() const { return problem_; }
  bool has(const char* key) const;

  std::string text(const char* key);
  std::string text_or(const char* key, const std::string& otherwise);
  std::int64_t integer(const char* key, std::int64_t low, std::int64_t high);
  std::int64_t integer_or(const char* key, std::int64_t low, std::int64_t high, std::int64_t otherwise);
  double real(const char* key, double low, double high);
  bool boolean_or(const char* key, bool otherwise);
  /// Empty if missing. At most kMaxList.
  const Json::Array& list_or_empty(const char* key);
  std::vector<std::string> texts_or_empty(const char* key);
  std::vector<std::int64_t> integers_or_empty(const char* key, std::int64_t low, std::int64_t high);
  /// Null if missing; else an object.
  const Json& object_or_null(const char* key);
  /// As it was given.
  const Json& raw() const { return object_; }
  void fail(const std::string& what) {
    if (problem_.empty()) problem_ = what;
  }

  static constexpr std::size_t kMaxList = 10'000;

 private:
  const Json* find(const char* key) const;
  std::string name(const char* key) const { return "'" + prefix_ + key + "'"; }
  std::int64_t number(const Json& value, const char* key, std::int64_t low, std::int64_t high);

  const Json& object_;
  std::string prefix_, problem_;
};

}  // namespace lockstep::debugger::dap
