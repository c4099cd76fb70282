// The meaning of Triton's operations on tensors: operand checks, promotion, broadcasting and the ops they become, in
// the order Triton 3.6 emits them (so that raw IR compares equal). One function per operation, over the OpBuilder of
// the lowered function; each family has a file of this folder. Every function returns an invalid Tensor after reporting
// an error, and passes invalid operands through silently. Operands given as Value may be weak Python numbers. Not here:
// compile-time expressions, names, statements.
// Source of the rules: language reference sections B.2 to B.6; Triton 3.6 observed through its IR.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "frontend/error_codes.h"
#include "frontend/semantics/op_builder.h"
#include "frontend/semantics/value.h"

namespace lockstep::frontend::semantics {

// Literals and constants.
Tensor to_tensor(OpBuilder& in, const Value& value);
Tensor scalar_constant(OpBuilder& in, const Constant& value, const DType& type);
Tensor null_constant(OpBuilder& in, const DType& type);
/// `layout`: of Gluon's blocks.
Tensor full(OpBuilder& in, const Shape& shape, const Value& value, const DType& type, const LayoutPtr& layout = {});

// Operators. arithmetic()'s `operation` is Add..FloorDiv, Mod, LShift..BitAnd.
Tensor arithmetic(OpBuilder& in, ast::BinaryOperator operation, const Value& left, const Value& right);
Tensor add(OpBuilder& in, const Value& left, const Value& right, bool sanitize);
Tensor sub(OpBuilder& in, const Value& left, const Value& right, bool sanitize);
Tensor mul(OpBuilder& in, const Value& left, const Value& right, bool sanitize);
Tensor compare(OpBuilder& in, ast::CompareOperator op, const Value& left, const Value& right);
Tensor logical(OpBuilder& in, ast::BoolOperator op, const Tensor& left, const Tensor& right);
Tensor minus(OpBuilder& in, const Tensor& operand);
Tensor invert(OpBuilder& in, const Tensor& operand);
Tensor logical_not(OpBuilder& in, const Tensor& operand);
Tensor fdiv(OpBuilder& in, const Tensor& left, const Tensor& right);
/// minimum/maximum; `nan`: the propagateNan value.
Tensor extremum(OpBuilder& in, bool is_maximum, const Tensor& left, const Tensor& right, std::int64_t nan);
Tensor clamp(OpBuilder& in, const Tensor& value, const Tensor& low, const Tensor& high, std::int64_t nan);
Tensor where(OpBuilder& in, const Tensor& condition, const Value& left, const Value& right);
Tensor umulhi(OpBuilder& in, const Tensor& left, const Tensor& right);
Tensor fma(OpBuilder& in, const Tensor& x, const Tensor& y, const Tensor& z);
Tensor absolute(OpBuilder& in, const Tensor& operand);
Tensor unary(OpBuilder& in, std::string_view op, const Tensor& operand);
Tensor precise_divide(OpBuilder& in, const Tensor& left, const Tensor& right);
Tensor promote_bfloat16(OpBuilder& in, const Tensor& operand);

// Casts.
Tensor cast(OpBuilder& in, const Tensor& value, const DType& type, std::string_view rounding = {});
Tensor bitcast(OpBuilder& in, const Tensor& value, const DType& type);

// Shapes.
bool check_shape(OpBuilder& in, const Shape& shape);
std::optional<TensorPair> broadcast_pair(OpBuilder& in, Tensor left, Tensor right);
bool broadcast_all(OpBuilder& in, std::vector<Tensor>& tensors);
Tensor broadcast_to(OpBuilder& in, const Tensor& value, const Shape& shape);
Tensor splat(OpBuilder& in, const Tensor& value, const Shape& shape);
/// A block of this type, whose element is the value's.
Tensor splat(OpBuilder& in, const Tensor& value, const ValueType& type);
Tensor unsplat(OpBuilder& in, const Tensor& value);
Tensor expand_dims(OpBuilder& in, const Tensor& value, std::int64_t axis);
Tensor reshape(OpBuilder& in, const Tensor& value, const Shape& shape, bool can_reorder);
Tensor permute(OpBuilder& in, const Tensor& value, const Shape& order);
Tensor arange(OpBuilder& in, std::int64_t start, std::int64_t end, const LayoutPtr& layout = {});
Tensor cat(OpBuilder& in, const Tensor& left, const Tensor& right);
Tensor join(OpBuilder& in, const Tensor& left, const Tensor& right);
std::optional<TensorPair> split(OpBuilder& in, const Tensor& value);
Tensor gather(OpBuilder& in, const Tensor& source, const Tensor& index, std::int64_t axis);
Tensor histogram(OpBuilder& in, const Tensor& input, std::int64_t bins, const Tensor* mask,
                 const LayoutPtr& layout = {});
Tensor program_info(OpBuilder& in, bool is_count, std::int64_t axis);

// Memory.
struct AccessHints {
  std::string cache, eviction;
  bool is_volatile = false;
};
Tensor load(OpBuilder& in, Tensor pointer, const Tensor* mask, const Tensor* other, const AccessHints& hints);
/// False: reported.
bool store(OpBuilder& in, Tensor pointer, Tensor value, const Tensor* mask, const AccessHints& hints);
Tensor atomic(OpBuilder& in, std::string_view name, const Tensor& pointer, Tensor value, const Tensor* mask,
              const std::string& sem, const std::string& scope);
Tensor atomic_cas(OpBuilder& in, const Tensor& pointer, const Tensor& expected, const Tensor& value,
                  const std::string& sem, const std::string& scope);

// Block pointers and tensor descriptors (descriptors.cpp). Offsets, shapes and strides are tuples of scalars.
/// Scalars for sizes and places: numbers become constants of 64 bits (`wide`) or 32. nullopt: reported.
std::optional<std::vector<ir::Value*>> index_values(OpBuilder& in, const Value& list, bool wide);
Tensor make_block_ptr(OpBuilder& in, Tensor base, const Value& shape, const Value& strides, const Value& offsets,
                      const Shape& block, const Shape& order);
Tensor advance(OpBuilder& in, const Tensor& pointer, const Value& offsets);
inline bool is_block_pointer(const Tensor& value) {
  return !value.is_block() && value.element().is_ptr() && value.element().pointee().is_block();
}
/// `padding`: "", "zero" or "nan".
Tensor load_block(OpBuilder& in, const Tensor& pointer, Shape boundary_check, const std::string& padding,
                  const AccessHints& hints);
bool store_block(OpBuilder& in, const Tensor& pointer, Tensor value, Shape boundary_check, const AccessHints& hints);
/// `layout`: of the buffers that Gluon copies blocks into.
Value make_descriptor(OpBuilder& in, const Tensor& base, const Value& shape, const Value& strides, const Shape& block,
                      const std::string& padding, const LayoutPtr& layout = {});
Tensor descriptor_load(OpBuilder& in, const DescriptorValue& descriptor, const Value& offsets);
bool descriptor_store(OpBuilder& in, const DescriptorValue& descriptor, const Value& offsets, const Tensor& value);
/// `kind`: add, min, max, and, or, xor.
bool descriptor_reduce(OpBuilder& in, std::string_view kind, const DescriptorValue& descriptor, const Value& offsets,
                       const Tensor& value);
Tensor descriptor_gather(OpBuilder& in, const DescriptorValue& descriptor, const Tensor& rows, const Value& column);
bool descriptor_scatter(OpBuilder& in, const DescriptorValue& descriptor, const Tensor& value, const Tensor& rows,
                        const Value& column);

// Calls that leave the language (extern_calls.cpp).
/// One elementwise call of a library symbol; arguments already have the symbol's types.
Tensor extern_elementwise(OpBuilder& in, const std::string& symbol, std::vector<Tensor> arguments, const DType& result);
/// Inline assembly over broadcast arguments; one result per type. Empty: reported.
struct InlineAssembly {
  std::string text, constraints;
  bool is_pure = true;
  std::int64_t pack = 1;
};
std::vector<Tensor> inline_assembly(OpBuilder& in, const InlineAssembly& assembly, std::vector<Tensor> arguments,
                                    const std::vector<DType>& results);
/// Casts from and to fp8e4b15, which no hardware supports: assembly.
Tensor cast_custom_float8(OpBuilder& in, const Tensor& value, const DType& type);

// Matrix product.
Tensor dot(OpBuilder& in, const Tensor& left, const Tensor& right, const Tensor* accumulator,
           const std::string& precision, std::optional<std::int64_t> imprecise, const DType& out);

/// tt.dot's number of a precision: "tf32", "ieee" ("" stands for the target's default). nullopt: there is none.
std::optional<std::int64_t> dot_precision(const std::string& text);

struct ScaledOperand {
  Tensor value;
  std::optional<Tensor> scale;
  std::string format;
  bool k_pack = true;
};
Tensor dot_scaled(OpBuilder& in, ScaledOperand left, ScaledOperand right, const Tensor* accumulator, bool fast_math);

void device_assert(OpBuilder& in, const Tensor& condition, const std::string& message, const Tensor* mask);

/// Operands of one common type and shape, as every arithmetic operator prepares them.
struct PairRules {
  bool left_pointer = false, right_pointer = false, arithmetic = true, division = false;
};
std::optional<TensorPair> pair(OpBuilder& in, const Value& left, const Value& right, PairRules rules);
inline std::optional<TensorPair> pair(OpBuilder& in, const Value& left, const Value& right) {
  return pair(in, left, right, PairRules());
}
std::optional<DType> computation_type(OpBuilder& in, const DType& left, bool left_weak, const DType& right,
                                      bool right_weak, bool division);
DType promote_integers(const DType& left, const DType& right);

// Functions that families share.
Tensor incompatible(OpBuilder& in, const DType& left, const DType& right);
Tensor bitwise(OpBuilder& in, std::string_view op, const Value& left, const Value& right);
std::vector<ir::NamedAttribute> hint_attributes(OpBuilder& in, const AccessHints& hints, bool is_load, bool& ok);

}  // namespace lockstep::frontend::semantics
