// Attributes: compile-time data of ops, interned handles. Enums of ops (cache modifier, comparison predicate, ...) are
// stored as i32/i64 integer attributes, as MLIR does; the op's row names their values. Source: MLIR LangRef
// "Attributes".
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "ir/type.h"
#include "support/location.h"

namespace lockstep::ir {

class Encoding;  // ir/layouts/encoding.h
struct AttributeNode;

class Attribute {
 public:
  constexpr Attribute() = default;
  constexpr explicit Attribute(const AttributeNode* node) : node_(node) {}
  explicit operator bool() const { return node_ != nullptr; }
  friend bool operator==(Attribute, Attribute) = default;
  const AttributeNode* operator->() const { return node_; }
  const AttributeNode* node() const { return node_; }

  bool is_integer() const;  // integer or boolean
  bool is_float() const;
  bool is_string() const;
  bool is_dense() const;
  bool is_dense_array() const;
  bool is_encoding() const;
  bool is_opaque() const;

 private:
  const AttributeNode* node_ = nullptr;
};

struct NamedAttribute {
  std::string name;
  Attribute value;
  friend bool operator==(const NamedAttribute&, const NamedAttribute&) = default;
};

struct AttributeNode {
  enum class Kind : std::uint8_t {
    unit,
    boolean,
    integer,
    floating,
    string,
    type,
    symbol,
    array,
    dense_array,
    dense,
    dictionary,
    location,
    encoding,
    opaque
  } kind;
  /// Stands in the text of an opaque attribute for the next of its elements.
  static constexpr char kHole = '\x01';
  Type type;                         // integer, floating, dense (tensor type), dense_array (element type), type
  std::int64_t integer = 0;          // boolean, integer (sign-extended)
  std::uint64_t float_bits = 0;      // floating, in `type`'s format
  std::string text;                  // string, symbol, opaque (of another dialect, kept as written)
  std::vector<Attribute> elements;   // array; opaque: attributes and types written inside it
  std::vector<std::int64_t> values;  // dense_array
  std::vector<std::byte> data;       // dense: one element if is_splat, else all in row-major order
  bool is_splat = false;
  std::vector<NamedAttribute> entries;  // dictionary
  Location location;
  const Encoding* encoding = nullptr;
};

}  // namespace lockstep::ir
