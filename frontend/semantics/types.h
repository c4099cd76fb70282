// Types of Triton's language in the front end: scalars with signedness, pointers (const or not) and blocks of them. The
// IR's types have no signedness; to_ir() drops it. Value types compare by structure. Shapes hold powers of two once
// checked with check_shape(). Source of names, bit widths and
// mangling: language reference section B.1; Triton 3.6.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "frontend/semantics/layout.h"
#include "ir/context.h"
#include "ir/type.h"

namespace lockstep::frontend {

enum class Scalar : std::uint8_t {
  void_,
  int1,
  int8,
  int16,
  int32,
  int64,
  uint8,
  uint16,
  uint32,
  uint64,
  fp8e4b15,
  fp8e4nv,
  fp8e4b8,
  fp8e5,
  fp8e5b16,
  fp16,
  bf16,
  fp32,
  fp64,
  pointer,
};

struct ValueType;

/// A scalar type or a pointer type.
class DType {
 public:
  constexpr DType() = default;
  constexpr DType(Scalar scalar) : scalar_(scalar) {}  // NOLINT: a scalar is a type
  static DType pointer_to(ValueType pointee, std::uint32_t address_space = 1, bool is_const = false);

  Scalar scalar() const { return scalar_; }
  bool is_void() const { return scalar_ == Scalar::void_; }
  bool is_ptr() const { return scalar_ == Scalar::pointer; }
  bool is_const() const { return is_const_; }
  bool is_bool() const { return scalar_ == Scalar::int1; }
  bool is_int() const { return scalar_ >= Scalar::int1 && scalar_ <= Scalar::uint64; }
  bool is_signed() const { return scalar_ >= Scalar::int8 && scalar_ <= Scalar::int64; }
  bool is_unsigned() const { return is_int() && !is_signed(); }  // int1 counts as unsigned
  bool is_floating() const { return scalar_ >= Scalar::fp8e4b15 && scalar_ <= Scalar::fp64; }
  bool is_fp8() const { return scalar_ >= Scalar::fp8e4b15 && scalar_ <= Scalar::fp8e5b16; }
  bool is_standard_floating() const { return scalar_ >= Scalar::fp16 && scalar_ <= Scalar::fp64; }

  /// Bits of the value; 0 for void, 64 for pointers.
  int bit_width() const;
  int mantissa_width() const;        // stored bits; floats only
  int exponent_bias() const;         // floats only
  const ValueType& pointee() const;  // of a pointer
  std::uint32_t address_space() const { return address_space_; }

  std::string name() const;         // "fp32", "int32", "pointer<fp32>"
  std::string python_name() const;  // "float32", "bfloat16"
  std::string mangle() const;       // "fp32", "i32", "u1", "Pfp32"
  bool operator==(const DType& other) const;

 private:
  Scalar scalar_ = Scalar::void_;
  bool is_const_ = false;
  std::uint32_t address_space_ = 1;
  std::shared_ptr<const ValueType> pointee_;
};

/// The type of a value: a scalar (empty shape) or a block of `element`s. A block of Gluon's has a layout.
struct ValueType {
  DType element;
  std::vector<std::int64_t> shape;
  LayoutPtr layout{};

  bool is_block() const { return !shape.empty(); }
  std::int64_t numel() const;
  ValueType with_element(DType new_element) const { return {std::move(new_element), shape, layout}; }
  std::string to_string() const;  // "fp32[16, 32]", "int32"
  std::string mangle() const;     // "fp32S16_32S"
  bool operator==(const ValueType& other) const;
};

/// What Gluon's values without elements of their own stand for: a view of a buffer in shared or tensor memory, or the
/// result of an asynchronous product.
struct HandleType {
  enum class Kind : std::uint8_t { shared, tensor_memory, accumulator } kind = Kind::shared;
  ValueType view;                        // with its layout
  std::vector<std::int64_t> allocation;  // the shape that the buffer was allocated with
  bool prints_as_tuple = false;          // how Python mangles `allocation`

  std::string to_string() const;
  std::string mangle() const;
  bool operator==(const HandleType& other) const;
};

/// Integer type by width and signedness (1, 8, 16, 32, 64 bits); nullopt for other widths.
std::optional<DType> integer_type(int bits, bool is_signed);
/// Any spelling Triton knows: "fp32", "float32", "i32", "int32", "u1", "bool". nullopt if unknown.
std::optional<DType> parse_dtype_name(std::string_view name);
/// A signature's type: a dtype name, "*fp32", "*kfp16", "**fp32". nullopt for other texts.
std::optional<DType> parse_signature_type(std::string_view text);
/// "tensordesc<fp16[16, 32]>": the block. nullopt for other texts, or an invalid shape (rank 1 to 5).
std::optional<ValueType> parse_descriptor_type(std::string_view text);

ir::Type to_ir(ir::Context& context, const DType& type);
ir::Type to_ir(ir::Context& context, const ValueType& type);
ir::Type to_ir(ir::Context& context, const HandleType& type);
/// The descriptor of a tensor that is read in blocks of `block`.
ir::Type descriptor_to_ir(ir::Context& context, const ValueType& block);

inline constexpr std::int64_t kMaxElements = 1'048'576;
std::string shape_to_string(const std::vector<std::int64_t>& shape);  // "[16, 32]"

}  // namespace lockstep::frontend
