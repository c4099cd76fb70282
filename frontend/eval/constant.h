// Compile-time Python values (Triton's constexpr) and Python's own arithmetic on them: floor division, modulo with the
// divisor's sign, true division, unbounded integers up to 127 bits (beyond: an error, never a wrong value). Invariant:
// an operation either gives exactly Python's value or an error text; nothing is rounded silently. Not here: tensors.
// Source: docs.python.org/3.11 "Built-in Types".
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <variant>

#include "frontend/python_ast.h"
#include "frontend/semantics/types.h"
#include "support/constant_value.h"
#include "support/result.h"

namespace lockstep::frontend {

__extension__ using Integer = __int128;
std::string to_string(Integer value);

struct NoneValue {
  bool operator==(const NoneValue&) const = default;
};
struct EllipsisValue {
  bool operator==(const EllipsisValue&) const = default;
};

/// A member of an enumeration of triton.language, in its printed form: "PROPAGATE_NAN.ALL". Equal to itself only, and
/// not a number: Triton's are pybind11 enumerations.
struct EnumMember {
  std::string_view name;  // of static storage
  std::int64_t number = 0;
  bool operator==(const EnumMember& other) const { return name == other.name; }
};

/// A compile-time value without references to functions or modules.
class Constant {
 public:
  using Storage =
      std::variant<NoneValue, bool, Integer, double, std::string, ValueType, EllipsisValue, EnumMember, LayoutPtr>;
  Constant();                       // None
  Constant(const Constant& other);  // out of line: inlined variant copies are large, and GCC 12 misreads them
  Constant(Constant&& other) noexcept;
  Constant& operator=(const Constant& other);
  Constant& operator=(Constant&& other) noexcept;
  ~Constant();
  static Constant boolean(bool value);
  static Constant integer(Integer value);
  static Constant floating(double value);
  static Constant string(std::string value);
  static Constant dtype(ValueType value);
  static Constant ellipsis();
  static Constant member(EnumMember value);
  static Constant layout(LayoutPtr value);  // not null
  static Constant from_request(const ConstantValue& value);  // no tuple

  bool is_none() const { return std::holds_alternative<NoneValue>(storage_); }
  bool is_bool() const { return std::holds_alternative<bool>(storage_); }
  bool is_integer() const { return std::holds_alternative<Integer>(storage_); }  // not bool
  bool is_integral() const { return is_integer() || is_bool(); }
  bool is_float() const { return std::holds_alternative<double>(storage_); }
  bool is_number() const { return is_integral() || is_float(); }
  bool is_string() const { return std::holds_alternative<std::string>(storage_); }
  bool is_dtype() const { return std::holds_alternative<ValueType>(storage_); }
  const EnumMember* enum_member() const { return std::get_if<EnumMember>(&storage_); }
  /// Null if it is none.
  LayoutPtr layout() const {
    const LayoutPtr* held = std::get_if<LayoutPtr>(&storage_);
    return held != nullptr ? *held : nullptr;
  }

  Integer as_integer() const;  // bool, integer
  double as_double() const;    // any number (nearest double)
  const std::string& text() const { return std::get<std::string>(storage_); }
  const ValueType& type() const { return std::get<ValueType>(storage_); }
  bool truth() const;                            // Python's bool()
  bool operator==(const Constant& other) const;  // Python's ==: 1 == 1.0 == True

  std::string repr() const;            // Python's repr()
  std::string str() const;             // Python's str()
  std::string_view type_name() const;  // "int", "NoneType"

 private:
  explicit Constant(Storage storage);
  Storage storage_;
};

using ConstantResult = Expected<Constant, std::string>;  // error: Python's exception text

ConstantResult apply(ast::BinaryOperator op, const Constant& left, const Constant& right);
ConstantResult apply(ast::UnaryOperator op, const Constant& operand);
/// Eq NotEq Lt LtE Gt GtE only.
ConstantResult compare(ast::CompareOperator op, const Constant& left, const Constant& right);
/// Python's int(x) and float(x).
ConstantResult to_int(const Constant& value);
ConstantResult to_float(const Constant& value);
/// Python's shortest repr of a float.
std::string float_repr(double value);

}  // namespace lockstep::frontend
