// The JSON of DAP's messages: what is read, what is refused, what is written.
#include <gtest/gtest.h>

#include <cmath>

#include "debugger/dap/transport/base64.h"
#include "support/json.h"

namespace lockstep::debugger::dap {
namespace {

std::string error_of(const std::string& text) {
  const auto parsed = parse_json(text);
  return parsed ? "" : parsed.error();
}

std::string again(const std::string& text) {
  const auto parsed = parse_json(text);
  return parsed ? parsed->dump() : "error: " + parsed.error();
}

TEST(DapJson, WritesWhatItRead) {
  for (const char* text : {R"({"b":1,"a":[true,false,null,-5,1.5,"x"],"c":{}})", "[]", "\"\"", "-9223372036854775808",
                           R"(["\"\\\n\t\u0001","é","𝄞"])"})
    EXPECT_EQ(again(text), text);
  EXPECT_EQ(again(" [ 1 , 2 ] "), "[1,2]");
  EXPECT_EQ(again("1e400"), error_of("1e400").empty() ? "null" : "error: " + error_of("1e400"));
  EXPECT_EQ(again("18446744073709551615"), "18446744073709551616");
}

TEST(DapJson, RefusesWhatIsBroken) {
  for (const char* text : {"", "{", "[1,]", "{\"a\"}", "tru", "\"\\x\"", "\"\xff\"", "1 2", "{\"a\":1,}", "nan"})
    EXPECT_NE(error_of(text), "") << text;
  EXPECT_NE(error_of(R"({"a":1,"a":2})").find("twice"), std::string::npos);
}

TEST(DapJson, RefusesWhatIsTooDeepOrTooMuch) {
  const auto nested = [](std::size_t depth) { return std::string(depth, '[') + std::string(depth, ']'); };
  EXPECT_EQ(error_of(nested(kMaxJsonDepth)), "");
  EXPECT_NE(error_of(nested(kMaxJsonDepth + 1)), "");
  EXPECT_NE(error_of(std::string(10'000'000, '[')), "");
  std::string many = "[0";
  for (std::size_t i = 0; i < kMaxJsonValues; ++i) many += ",0";
  EXPECT_NE(error_of(many + "]").find("too many"), std::string::npos);
  std::string wide = "{";
  for (std::size_t i = 0; i <= kMaxJsonMembers; ++i) wide += (i == 0 ? "\"" : ",\"") + std::to_string(i) + "\":0";
  EXPECT_NE(error_of(wide + "}").find("too many"), std::string::npos);
}

TEST(DapJson, WritesUtf8WhateverTheBytes) {
  EXPECT_EQ(Json(std::string("a\xff\xc0\xaf\xed\xa0\x80z")).dump().find('\xff'), std::string::npos);
  EXPECT_EQ(Json(std::string("\xff")).dump(), "\"\xef\xbf\xbd\"");
  EXPECT_EQ(Json(std::string("\xe2\x82")).dump(), "\"\xef\xbf\xbd\xef\xbf\xbd\"");
  EXPECT_EQ(Json(std::string("\xe2\x82\xac")).dump(), "\"\xe2\x82\xac\"");
  EXPECT_EQ(Json(std::nan("")).dump(), "null");
  EXPECT_EQ(Json(0.1).dump(), "0.1");
}

TEST(DapJson, SetsMembersInTheirOrder) {
  Json json = Json::record({{"b", 1}});
  json.set("a", "x");
  json.set("b", true);
  EXPECT_EQ(json.dump(), R"({"b":true,"a":"x"})");
  EXPECT_EQ(json.find("c"), nullptr);
  EXPECT_EQ(Json(1).find("a"), nullptr);
}

TEST(DapBase64, ThereAndBack) {
  EXPECT_EQ(to_base64(""), "");
  EXPECT_EQ(to_base64("f"), "Zg==");
  EXPECT_EQ(to_base64("foobar"), "Zm9vYmFy");
  for (std::size_t length = 0; length < 50; ++length) {
    std::string bytes;
    for (std::size_t i = 0; i < length; ++i) bytes += static_cast<char>(i * 37 + length);
    EXPECT_EQ(from_base64(to_base64(bytes)), bytes);
  }
  for (const char* text : {"Zg=", "Zg", "Z===", "Zg==Zg==", "Zm 9", "=g==", "Zg=a"})
    EXPECT_EQ(from_base64(text), std::nullopt) << text;
}

}  // namespace
}  // namespace lockstep::debugger::dap
