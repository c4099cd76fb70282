#include "support/json.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <nlohmann/json.hpp>

#include "support/floats/write_float.h"
#include "support/utf8.h"

namespace lockstep {

namespace {

/// Builds values from the parser's events. It never builds the library's own tree, whose code is recursive.
class Builder : public nlohmann::json_sax<nlohmann::json> {
 public:
  bool null() override { return add(Json()); }
  bool boolean(bool value) override { return add(Json(value)); }
  bool number_integer(number_integer_t value) override { return add(Json(value)); }
  bool number_unsigned(number_unsigned_t value) override {
    return value <= std::uint64_t{INT64_MAX} ? add(Json(value)) : add(Json(static_cast<double>(value)));
  }
  bool number_float(number_float_t value, const string_t&) override { return add(Json(value)); }
  bool string(string_t& value) override { return add(Json(std::move(value))); }
  bool binary(binary_t&) override { return fail("binary values are not JSON"); }
  bool start_object(std::size_t) override { return open(Json(Json::Object{})); }
  bool start_array(std::size_t) override { return open(Json(Json::Array{})); }
  bool end_object() override { return close(); }
  bool end_array() override { return close(); }
  bool key(string_t& name) override {
    const Json& object = open_.back().value;
    if (object.find(name) != nullptr) return fail("the key '" + name.substr(0, 100) + "' is there twice");
    if (object.object()->size() >= kMaxJsonMembers) return fail("an object has too many members");
    open_.back().key = std::move(name);
    return true;
  }
  bool parse_error(std::size_t position, const std::string&, const nlohmann::detail::exception&) override {
    return fail("broken JSON at byte " + std::to_string(position));
  }

  Json& root() { return root_; }
  const std::string& problem() const { return problem_; }

 private:
  struct Open {
    Json value;
    std::string key;  // of the member that comes next
  };
  bool fail(std::string what) {
    if (problem_.empty()) problem_ = std::move(what);
    return false;
  }
  bool count() { return ++values_ <= kMaxJsonValues || fail("the message has too many values"); }
  bool open(Json value) {
    if (open_.size() >= static_cast<std::size_t>(kMaxJsonDepth)) return fail("the message is nested too deeply");
    open_.push_back({std::move(value), {}});
    return count();
  }
  bool close() {
    Json value = std::move(open_.back().value);
    open_.pop_back();
    put(std::move(value));
    return true;
  }
  bool add(Json value) {
    put(std::move(value));
    return count();
  }
  void put(Json value) {
    if (open_.empty()) {
      root_ = std::move(value);
    } else if (open_.back().value.array() != nullptr) {
      open_.back().value.push(std::move(value));
    } else {
      open_.back().value.set(open_.back().key, std::move(value));
    }
  }

  Json root_;
  std::vector<Open> open_;
  std::string problem_;
  std::size_t values_ = 0;
};

void dump_character(std::string& out, char c) {
  constexpr const char* kHex = "0123456789abcdef";
  switch (c) {
    case '"': out += "\\\""; break;
    case '\\': out += "\\\\"; break;
    case '\n': out += "\\n"; break;
    case '\t': out += "\\t"; break;
    case '\r': out += "\\r"; break;
    default:
      if (static_cast<unsigned char>(c) < 0x20) {
        out += std::string("\\u00") + kHex[(c >> 4) & 15] + kHex[c & 15];
      } else {
        out += c;
      }
  }
}

void dump_text(std::string& out, std::string_view text) {
  out += '"';
  for (std::size_t at = 0; at < text.size();) {
    const Utf8Character next = decode_utf8(text, at);
    if (!next.is_valid) {
      out += "\xef\xbf\xbd";
    } else if (next.bytes == 1) {
      dump_character(out, text[at]);
    } else {
      out.append(text, at, next.bytes);
    }
    at += next.bytes;
  }
  out += '"';
}

void dump_number(std::string& out, double value) {
  if (!std::isfinite(value)) {
    out += "null";
    return;
  }
  char digits[32];
  out.append(digits, write_float(digits, digits + sizeof digits, value));
}

// Recursion is bounded: parsed values have a depth of at most kMaxJsonDepth, values made here a small one.
void dump_value(std::string& out, const Json& value) {
  if (const auto* text = value.text()) return dump_text(out, *text);
  if (const auto* integer = value.integer()) {
    out += std::to_string(*integer);
  } else if (const auto* number = value.number()) {
    dump_number(out, *number);
  } else if (const auto* boolean = value.boolean()) {
    out += *boolean ? "true" : "false";
  } else if (const auto* array = value.array()) {
    out += '[';
    for (std::size_t i = 0; i < array->size(); ++i) {
      if (i != 0) out += ',';
      dump_value(out, (*array)[i]);
    }
    out += ']';
  } else if (const auto* object = value.object()) {
    out += '{';
    for (std::size_t i = 0; i < object->size(); ++i) {
      if (i != 0) out += ',';
      dump_text(out, (*object)[i].first);
      out += ':';
      dump_value(out, (*object)[i].second);
    }
    out += '}';
  } else {
    out += "null";
  }
}

}  // namespace

const Json* Json::find(std::string_view key) const {
  const Object* members = object();
  if (members == nullptr) return nullptr;
  const auto found = std::find_if(members->begin(), members->end(), [&](const Member& m) { return m.first == key; });
  return found == members->end() ? nullptr : &found->second;
}

void Json::set(std::string_view key, Json value) {
  if (is_null()) value_ = Object{};
  Object& members = std::get<Object>(value_);
  const auto found = std::find_if(members.begin(), members.end(), [&](const Member& m) { return m.first == key; });
  if (found != members.end()) {
    found->second = std::move(value);
  } else {
    members.emplace_back(std::string(key), std::move(value));
  }
}

void Json::push(Json value) {
  if (is_null()) value_ = Array{};
  std::get<Array>(value_).push_back(std::move(value));
}

std::string json_quoted(std::string_view text) {
  std::string out;
  dump_text(out, text);
  return out;
}

std::string Json::dump() const {
  std::string out;
  dump_value(out, *this);
  return out;
}

Expected<Json, std::string> parse_json(std::string_view text) {
  Builder builder;
  if (!nlohmann::json::sax_parse(text.begin(), text.end(), &builder)) {
    return Unexpected{builder.problem().empty() ? std::string("broken JSON") : builder.problem()};
  }
  return std::move(builder.root());
}

}  // namespace lockstep
