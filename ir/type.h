// Types of the IR: MLIR's builtin scalars and ranked tensors, Triton's pointers and tensor descriptors, and of TTGIR
// memory descriptors and tokens. A Type is an interned handle; equality is identity. Source: MLIR LangRef "Builtin
// types"; TritonTypes.td of Triton 3.6; TritonGPUTypes.td of Triton 3.9.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "support/scalar.h"

namespace lockstep::ir {

class AliasNames;
class Attribute;
class Context;
class Encoding;
struct AttributeNode;
struct TypeNode;

/// How a tensor descriptor reads its integers: the only types of TTIR with a sign (tensor<8xsi32>, tensor<8xui8>).
enum class Signedness : std::uint8_t { none, is_signed, is_unsigned };

class Type {
 public:
  constexpr Type() = default;
  constexpr explicit Type(const TypeNode* node) : node_(node) {}
  explicit operator bool() const { return node_ != nullptr; }
  friend bool operator==(Type, Type) = default;
  const TypeNode* node() const { return node_; }

  /// The owning context; not for the null type.
  Context& context() const;

  bool is_none() const;
  bool is_index() const;
  bool is_integer() const;  // scalar iN
  bool is_integer(std::uint32_t width) const;
  bool is_float() const;    // scalar float
  bool is_pointer() const;  // scalar !tt.ptr<...>
  bool is_tensor() const;
  bool is_descriptor() const;
  bool is_memdesc() const;  // a view of a buffer in shared or tensor memory
  bool is_token() const;    // !ttg.async.token
  bool is_aref() const;     // !nvws.aref<[...]>
  bool is_function() const;
  bool is_opaque() const;

  std::uint32_t integer_width() const;  // of an integer
  /// Scalar kind of an integer (1,8,16,32,64), float, index (i64) or pointer; nullopt for any other type.
  std::optional<ScalarKind> scalar_kind() const;

  Type element() const;                            // of a tensor; *this otherwise
  const std::vector<std::int64_t>& shape() const;  // of a tensor; empty otherwise
  std::int64_t element_count() const;              // product of shape; 1 for scalars
  Attribute encoding() const;                      // of a tensor, null if none
  const Encoding* layout() const;                  // of a tensor or memdesc: its encoding, null if none
  Type pointee() const;                            // of a pointer; the tensor type that a descriptor or memdesc shows
  std::uint32_t address_space() const;             // of a pointer
  Signedness signedness() const;                   // of a descriptor; the block tensor itself stays signless
  Attribute memory_space() const;                  // of a memdesc
  bool is_mutable() const;                         // of a memdesc
  /// Of a memdesc: the shape of the buffer that its layout speaks of; empty where it is the view's own.
  const std::vector<std::int64_t>& buffer_shape() const;
  const std::vector<Type>& inputs() const;         // of a function type
  const std::vector<Type>& results() const;

  /// MLIR spelling: "i32", "tensor<64x!tt.ptr<f32>>"; encodings by their names (#blocked) where `names` has one.
  std::string to_string(const AliasNames* names = nullptr) const;

 private:
  const TypeNode* node_ = nullptr;
};

struct TypeNode {
  /// A descriptor written without "tensor<": <16x32xf16>, as Triton prints since 3.8.
  static constexpr std::uint32_t kShort = 4;
  enum class Kind : std::uint8_t {
    none,
    index,
    integer,
    floating,
    pointer,
    tensor,
    descriptor,
    memdesc,
    function,
    opaque
  } kind;
  /// Integer width, address space of a pointer, Signedness (+ kShort) of a descriptor, 1 for a mutable memdesc.
  std::uint32_t width = 0;
  ScalarKind scalar = ScalarKind::i32;  // floating
  Type inner;                           // pointee, tensor element, block of a descriptor or memdesc
  std::vector<std::int64_t> shape;      // of a tensor; the buffer's of a memdesc
  /// The encoding of a tensor, the memory space of a memdesc, the opaque attribute that holds an opaque type's text.
  const AttributeNode* attribute = nullptr;
  std::vector<Type> inputs, results;  // function
  Context* context = nullptr;
};

}  // namespace lockstep::ir
