// ConstantValue: a compile-time Python value that folders share: a constexpr parameter, a --global, a constant of a
// capsule. Not here: the values that the front end computes with (frontend/eval/constant.h: integers of any size,
// members of enums).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace lockstep {

struct ConstantValue {
  enum class Kind : std::uint8_t { none, boolean, integer, floating, string, dtype, tuple } kind = Kind::none;
  std::int64_t integer = 0;  // boolean, integer
  double floating = 0;
  std::string text;                       // string; dtype as Triton's short name ("fp16")
  std::vector<ConstantValue> elements{};  // tuple
  static ConstantValue of_none() { return {}; }
  static ConstantValue of_bool(bool v) { return {Kind::boolean, v, 0, {}, {}}; }
  static ConstantValue of_integer(std::int64_t v) { return {Kind::integer, v, 0, {}, {}}; }
  static ConstantValue of_float(double v) { return {Kind::floating, 0, v, {}, {}}; }
};

}  // namespace lockstep
