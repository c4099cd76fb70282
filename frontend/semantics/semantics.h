// The meaning of Triton's operations on tensors: operand checks, promotion, broadcasting and the ops they become, in
// the order Triton 3.6 emits them (so that raw IR compares equal). Every function returns an invalid Tensor after
// reporting an error, and passes invalid operands through silently. Operands given as Value may be weak Python numbers.
// Does not evaluate compile-time expressions and knows nothing of names or statements.
// Source of the rules: language reference sections B.2 to B.6; Triton 3.6 observed through its IR.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "frontend/error_codes.h"
#include "frontend/reporter.h"
#include "frontend/semantics/emitter.h"
#include "frontend/semantics/value.h"

namespace lockstep::frontend {

/// What the request says about the target and the mode.
struct Options {
  int capability = 90;            // 10 * major + minor
  bool debug = false;             // overflow checks assert
  bool keeps_asserts = false;     // tl.device_assert and assert are kept
  bool sanitize_overflow = true;  // 64-bit rechecks are emitted, as Triton does; without debug they are dead code
  int num_warps = 4;
};

using TensorPair = std::pair<Tensor, Tensor>;
using Shape = std::vector<std::int64_t>;

class Semantics {
 public:
  Semantics(Emitter& emitter, Reporter& reporter, const Options& options)
      : emit_(emitter), report_(reporter), options_(options) {}
  Emitter& emitter() { return emit_; }
  Reporter& reporter() { return report_; }
  const Options& options() const { return options_; }

  // Literals and constants.
  Tensor to_tensor(const Value& value);
  Tensor scalar_constant(const Constant& value, const DType& type);
  Tensor null_constant(const DType& type);
  Tensor full(const Shape& shape, const Value& value, const DType& type);

  // Operators. `operation` of arithmetic() is Add..FloorDiv, Mod, LShift..BitAnd.
  Tensor arithmetic(ast::BinaryOperator operation, const Value& left, const Value& right);
  Tensor add(const Value& left, const Value& right, bool sanitize);
  Tensor sub(const Value& left, const Value& right, bool sanitize);
  Tensor mul(const Value& left, const Value& right, bool sanitize);
  Tensor compare(ast::CompareOperator op, const Value& left, const Value& right);
  Tensor logical(ast::BoolOperator op, const Tensor& left, const Tensor& right);
  Tensor minus(const Tensor& operand);
  Tensor invert(const Tensor& operand);
  Tensor logical_not(const Tensor& operand);
  Tensor fdiv(const Tensor& left, const Tensor& right);
  /// minimum/maximum; `nan`: the propagateNan value.
  Tensor extremum(bool is_maximum, const Tensor& left, const Tensor& right, std::int64_t nan);
  Tensor clamp(const Tensor& value, const Tensor& low, const Tensor& high, std::int64_t nan);
  Tensor where(const Tensor& condition, const Value& left, const Value& right);
  Tensor umulhi(const Tensor& left, const Tensor& right);
  Tensor fma(const Tensor& x, const Tensor& y, const Tensor& z);
  Tensor absolute(const Tensor& operand);
  Tensor unary(std::string_view op, const Tensor& operand);
  Tensor precise_divide(const Tensor& left, const Tensor& right);
  Tensor promote_bfloat16(const Tensor& operand);

  // Casts.
  Tensor cast(const Tensor& value, const DType& type, std::string_view rounding = {});
  Tensor bitcast(const Tensor& value, const DType& type);

  // Shapes.
  bool check_shape(const Shape& shape);
  std::optional<TensorPair> broadcast_pair(Tensor left, Tensor right);
  bool broadcast_all(std::vector<Tensor>& tensors);
  Tensor broadcast_to(const Tensor& value, const Shape& shape);
  Tensor splat(const Tensor& value, const Shape& shape);
  Tensor unsplat(const Tensor& value);
  Tensor expand_dims(const Tensor& value, std::int64_t axis);
  Tensor reshape(const Tensor& value, const Shape& shape, bool can_reorder);
  Tensor permute(const Tensor& value, const Shape& order);
  Tensor arange(std::int64_t start, std::int64_t end);
  Tensor cat(const Tensor& left, const Tensor& right);
  Tensor join(const Tensor& left, const Tensor& right);
  std::optional<TensorPair> split(const Tensor& value);
  Tensor gather(const Tensor& source, const Tensor& index, std::int64_t axis);
  Tensor histogram(const Tensor& input, std::int64_t bins, const Tensor* mask);
  Tensor program_info(bool is_count, std::int64_t axis);

  // Memory.
  struct AccessHints {
    std::string cache, eviction;
    bool is_volatile = false;
  };
  Tensor load(Tensor pointer, const Tensor* mask, const Tensor* other, const AccessHints& hints);
  /// False: reported.
  bool store(Tensor pointer, Tensor value, const Tensor* mask, const AccessHints& hints);
  Tensor atomic(std::string_view name, const Tensor& pointer, Tensor value, const Tensor* mask, const std::string& sem,
                const std::string& scope);
  Tensor atomic_cas(const Tensor& pointer, const Tensor& expected, const Tensor& value, const std::string& sem,
                    const std::string& scope);

  // Block pointers and tensor descriptors (descriptors.cpp). Offsets, shapes and strides are tuples of scalars.
  Tensor make_block_ptr(Tensor base, const Value& shape, const Value& strides, const Value& offsets, const Shape& block,
                        const Shape& order);
  Tensor advance(const Tensor& pointer, const Value& offsets);
  static bool is_block_pointer(const Tensor& value) {
    return !value.is_block() && value.element().is_ptr() && value.element().pointee().is_block();
  }
  /// `padding`: "", "zero" or "nan".
  Tensor load_block(const Tensor& pointer, Shape boundary_check, const std::string& padding, const AccessHints& hints);
  bool store_block(const Tensor& pointer, Tensor value, Shape boundary_check, const AccessHints& hints);
  Value make_descriptor(const Tensor& base, const Value& shape, const Value& strides, const Shape& block,
                        const std::string& padding);
  Tensor descriptor_load(const DescriptorValue& descriptor, const Value& offsets);
  bool descriptor_store(const DescriptorValue& descriptor, const Value& offsets, const Tensor& value);
  /// `kind`: add, min, max, and, or, xor.
  bool descriptor_reduce(std::string_view kind, const DescriptorValue& descriptor, const Value& offsets,
                         const Tensor& value);
  Tensor descriptor_gather(const DescriptorValue& descriptor, const Tensor& rows, const Value& column);
  bool descriptor_scatter(const DescriptorValue& descriptor, const Tensor& value, const Tensor& rows,
                          const Value& column);

  // Calls that leave the language (extern_calls.cpp).
  /// One elementwise call of a library symbol; arguments already have the symbol's types.
  Tensor extern_elementwise(const std::string& symbol, std::vector<Tensor> arguments, const DType& result);
  /// Inline assembly over broadcast arguments; one result per type. Empty: reported.
  struct InlineAssembly {
    std::string text, constraints;
    bool is_pure = true;
    std::int64_t pack = 1;
  };
  std::vector<Tensor> inline_assembly(const InlineAssembly& assembly, std::vector<Tensor> arguments,
                                      const std::vector<DType>& results);
  /// Casts from and to fp8e4b15, which no hardware has: inline assembly.
  Tensor cast_custom_float8(const Tensor& value, const DType& type);

  // Matrix product.
  Tensor dot(const Tensor& left, const Tensor& right, const Tensor* accumulator, const std::string& precision,
             std::optional<std::int64_t> imprecise, const DType& out);

  struct ScaledOperand {
    Tensor value;
    std::optional<Tensor> scale;
    std::string format;
    bool k_pack = true;
  };
  Tensor dot_scaled(ScaledOperand left, ScaledOperand right, const Tensor* accumulator, bool fast_math);

  void device_assert(const Tensor& condition, const std::string& message, const Tensor* mask);

  /// Operands of one common type and shape, as every arithmetic operator prepares them.
  struct PairRules {
    bool left_pointer = false, right_pointer = false, arithmetic = true, division = false;
  };
  std::optional<TensorPair> pair(const Value& left, const Value& right, PairRules rules);
  std::optional<TensorPair> pair(const Value& left, const Value& right) { return pair(left, right, PairRules()); }
  std::optional<DType> computation_type(const DType& left, bool left_weak, const DType& right, bool right_weak,
                                        bool division);
  static DType promote_integers(const DType& left, const DType& right);

 private:
  Tensor make(std::string_view op, const std::vector<ir::Value*>& operands, const ValueType& type,
              std::vector<ir::NamedAttribute> attributes = {});
  Tensor incompatible(const DType& left, const DType& right);
  std::optional<ir::Type> ir_type(const ValueType& type);
  void sanitize(const Tensor& left, const Tensor& right, std::string_view operation);
  std::optional<TensorPair> bitwise_pair(const Value& left, const Value& right);
  Tensor bitwise(std::string_view op, const Value& left, const Value& right);
  Tensor divide(const Value& left, const Value& right);
  Tensor floor_divide(const Value& left, const Value& right);
  Tensor modulo(const Value& left, const Value& right);
  Tensor cast_float(const Tensor& value, const ValueType& type, std::optional<std::int64_t> rounding, bool custom);
  Tensor cast_number(const Tensor& value, const ValueType& type);
  Tensor not_zero(const Tensor& value);
  bool check_weak(const Value& operand, const DType& type);
  Tensor as_weak_or_cast(const Value& operand, const Tensor& tensor, const DType& type);
  Tensor pad_rank(Tensor value, std::size_t rank);
  Tensor float_extremum_atomic(bool is_maximum, const Tensor& pointer, const Tensor& value, const Tensor& mask,
                               std::int64_t sem, std::int64_t scope);
  Tensor atomic_rmw(std::int64_t op, const Tensor& pointer, const Tensor& value, const Tensor& mask, std::int64_t sem,
                    std::int64_t scope);
  std::optional<std::int64_t> memory_order(const std::string& sem);
  std::optional<std::int64_t> memory_scope(const std::string& scope);
  /// Scalars as Triton's builder wants them: i64 or i32, numbers as constants. nullopt: reported.
  std::optional<std::vector<ir::Value*>> index_values(const Value& list, bool wide);
  ir::Value* index_value(const Value& element, bool wide);
  std::optional<std::vector<ir::NamedAttribute>> boundary_attributes(Shape& boundary_check, const Shape& block);
  std::optional<std::vector<ir::Value*>> descriptor_operands(const DescriptorValue& descriptor, const Value& offsets);
  bool check_stored_block(const DescriptorValue& descriptor, const Tensor& value);
  bool check_rows(const DescriptorValue& descriptor, const Tensor& rows, std::string_view what);
  bool broadcast_arguments(std::vector<Tensor>& arguments, bool pointers, Shape& shape);
  Tensor as_float_format(const Tensor& value, const std::string& format);
  bool scale_fits(const ScaledOperand& operand, std::int64_t rows, std::int64_t k, std::string_view side);
  bool dot_operands_fit(const Tensor& left, const Tensor& right);
  std::vector<ir::NamedAttribute> hint_attributes(const AccessHints& hints, bool is_load, bool& ok);
  ir::NamedAttribute integer(std::string name, std::int64_t value);

  Emitter& emit_;
  Reporter& report_;
  const Options& options_;
};

}  // namespace lockstep::frontend
