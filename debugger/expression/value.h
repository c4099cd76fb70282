// Value: the value of a debugger expression: a tensor of numbers, a window on memory that was not read yet, a text, or
// None. Numbers are bools, int64, double or addresses, whatever they were in the kernel; `kind` keeps the kernel's
// type. Invariant of a Tensor: integers or floats (by its class) holds exactly count() elements, row-major. Not here:
// operators (elementwise.h), reading memory (evaluate.h).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "support/result.h"
#include "support/scalar.h"

namespace lockstep::debugger {

/// Elements that one value may have.
constexpr std::int64_t kMaxElements = std::int64_t{1} << 22;

/// The problem of an expression, and its place: bytes [begin, end) of its text, from 0.
struct ExpressionError {
  std::string message;
  std::uint32_t begin = 0, end = 0;
};

enum class ElementClass : std::uint8_t { boolean, integer, floating, pointer };
ElementClass class_of(ScalarKind kind);

struct Tensor {
  ElementClass elements = ElementClass::integer;
  ScalarKind kind = ScalarKind::i64;   // where the elements come from; i1, i64 or f64 of what was computed
  std::vector<std::int64_t> shape;     // empty: a scalar
  std::vector<std::int64_t> integers;  // of boolean (0 and 1), integer, pointer
  std::vector<double> floats;
  std::vector<std::int64_t> raw;  // bits of floats where one of them is a NaN and nothing computed them; else empty
  std::int32_t provenance = -1;   // of pointers: the view that they come from
  bool is_hex = false;            // bits() made it: for people in base 16

  static Tensor of(bool value);
  static Tensor of(std::int64_t value);
  static Tensor of(double value);
  /// One dimension.
  static Tensor row(std::vector<std::int64_t> values);
  /// No elements yet.
  static Tensor like(ElementClass elements, ScalarKind kind, std::vector<std::int64_t> shape);

  std::int64_t count() const;
  bool is_scalar() const { return shape.empty(); }
  bool is_floating() const { return elements == ElementClass::floating; }
  double as_double(std::size_t i) const { return is_floating() ? floats[i] : static_cast<double>(integers[i]); }
  /// The bits of element `i` in the format of `kind`, zero-extended.
  std::uint64_t bits_of(std::size_t i) const;
};

/// Row-major elements without gaps, as memory and tiles hold them; f8 and the like as their bits. Precondition: `bytes`
/// has as many elements as the shape.
Tensor decode_tensor(ScalarKind kind, std::vector<std::int64_t> shape, std::string_view bytes,
                     std::int32_t provenance = -1);
/// Row-major bytes of `value`, one for each element of `kind`, rounded to it where it is a float. Errors: numbers that
/// do not fit (integers out of range, a float for an integer).
Expected<std::string, std::string> encode_tensor(const Tensor& value, ScalarKind kind);

/// The age of the memory that is read.
enum class Age : std::uint8_t { now, before };  // before: as the launch found it

/// Elements of an argument, read on demand.
struct MemoryWindow {
  std::string name;  // of the argument
  ScalarKind kind = ScalarKind::i32;
  std::uint64_t base = 0;                    // address of element (0, 0, ...)
  std::vector<std::int64_t> shape, strides;  // elements
  std::int32_t view = -1;
  Age age = Age::now;
  std::int64_t count() const;  // INT64_MAX where it is more
};

struct Nothing {};

using Value = std::variant<Nothing, std::string, Tensor, MemoryWindow>;

/// Product of extents >= 0; INT64_MAX where it is more.
std::int64_t element_count(const std::vector<std::int64_t>& shape);
/// "[3,17]".
std::string index_text(const std::vector<std::int64_t>& index);
/// The index of the element with that row-major number.
std::vector<std::int64_t> index_of(std::int64_t flat, const std::vector<std::int64_t>& shape);

}  // namespace lockstep::debugger
