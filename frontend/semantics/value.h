// The value of a name or expression during lowering: a tensor (an SSA value with its Triton type), a compile-time
// constant, a tuple of these, a function, a module. Values are small and copied freely; tuples share their elements.
// `invalid` marks the result of an expression with a reported error: it passes through everything silently, so that a
// mistake is reported once. Invariant: a valid tensor's handle has the IR type of its ValueType.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <type_traits>
#include <variant>
#include <vector>

#include "frontend/eval/constant.h"
#include "frontend/semantics/types.h"
#include "ir/op.h"
#include "support/result.h"

namespace lockstep::python_syntax::ast {
struct Lambda;  // python_syntax/ast.h
}

namespace lockstep::frontend {

namespace ast = python_syntax::ast;
struct Builtin;      // frontend/builtins/builtin.h
struct JitFunction;  // frontend/eval/python_module.h
struct PythonClass;  // frontend/eval/python_class.h
class PythonModule;  // frontend/eval/python_module.h
class Scope;         // frontend/lowering/scope.h
class Value;
struct DictEntry;
struct NamedValue;

/// An SSA value with Triton's type. Null handle: invalid.
struct Tensor {
  ir::Value* handle = nullptr;
  ValueType type;
  explicit operator bool() const { return handle != nullptr; }
  bool is_block() const { return type.is_block(); }
  const DType& element() const { return type.element; }
};

struct TupleValue {
  std::shared_ptr<const std::vector<Value>> elements;
  int depth = 1;                      // 1 + the largest depth of a tuple in it
  const PythonClass* type = nullptr;  // of a named tuple
};
/// A value of an aggregate class: one value per field, in the order of the class.
struct AggregateValue {
  const PythonClass* type = nullptr;
  std::shared_ptr<const std::vector<Value>> fields;
};
/// A tensor descriptor: one SSA value, and the scalars it was made from (tuples of tensors), which count as parts of it
/// wherever values are flattened.
struct DescriptorValue {
  ir::Value* handle = nullptr;
  ValueType block;                                     // what a load gives
  std::shared_ptr<const std::vector<Value>> geometry;  // {shape, strides}
};
/// A buffer's view or an accumulator of Gluon's: one SSA value.
struct HandleValue {
  ir::Value* handle = nullptr;
  HandleType type;
};
struct SliceValue {
  std::shared_ptr<const std::vector<Value>> bounds;  // start, stop, step
};
/// A method of a tensor, dtype or tuple, from an attribute access. `builtin`, `jit` or, for dtypes, `name` identifies
/// it.
struct BoundMethod {
  std::shared_ptr<const Value> self;
  const Builtin* builtin = nullptr;
  const JitFunction* jit = nullptr;
  std::string name;
};
/// A module of triton or Python that is built in: "triton", "triton.language", "triton.language.math", "math".
struct NamespaceValue {
  std::string name;
};
/// A thing that exists in Python and that a kernel cannot use; `what` completes "... is <what>". Module-level code may
/// call a plain Python function.
struct OpaqueValue {
  std::string what;
  const JitFunction* function = nullptr;
};
/// A Python builtin or class: "int", "float", "range", "constexpr", "math.sqrt".
struct HostFunction {
  std::string name;
};
/// A dict of module-level code, in the order of insertion. Never changed: an assignment to an element binds another.
struct DictValue {
  std::shared_ptr<const std::vector<DictEntry>> entries;
};
/// `lambda` of module-level code, with the locals of its function (or null).
struct LambdaValue {
  const ast::Lambda* node = nullptr;
  const PythonModule* module = nullptr;
  std::shared_ptr<const Scope> captured;
};
/// An object of a known class: "triton.Config", or "torch.Tensor" for an argument of a launch.
struct RecordValue {
  std::string type;
  std::shared_ptr<const std::vector<NamedValue>> fields;
};
/// A global that an import binds, while nothing has asked for it: PythonModule::find() follows the import. `name` is
/// empty for the module itself.
struct PendingImport {
  std::string module;
  std::string name;
};

template <typename T, typename Variant>
inline constexpr bool kIsAlternative = false;
template <typename T, typename... Types>
inline constexpr bool kIsAlternative<T, std::variant<Types...>> = (std::is_same_v<T, Types> || ...);

class Value {
 public:
  struct Invalid {};
  using Storage =
      std::variant<Invalid, Constant, Tensor, TupleValue, DescriptorValue, HandleValue, AggregateValue, SliceValue,
                   BoundMethod, NamespaceValue, OpaqueValue, HostFunction, DictValue, LambdaValue, RecordValue, PendingImport,
                   const Builtin*, const JitFunction*, const PythonModule*, const PythonClass*>;
  Value();
  Value(const Value& other);  // out of line for the reason given at Constant
  Value(Value&& other) noexcept;
  Value& operator=(const Value& other);
  Value& operator=(Value&& other) noexcept;
  ~Value();
  /// From any content; a null tensor is invalid.
  template <typename T>
    requires kIsAlternative<T, Storage>
  Value(T held);  // NOLINT
  static constexpr int kMaxTupleDepth = 100;
  /// Opaque if tuples are nested deeper than kMaxTupleDepth. `type`: the class of a named tuple.
  static Value tuple(std::vector<Value> elements, const PythonClass* type = nullptr);
  /// A None from Python code (a default, a call without a result), not the literal None of a kernel: it is mangled
  /// differently.
  static Value raw_none();

  bool is_invalid() const { return std::holds_alternative<Invalid>(storage_); }
  const Constant* constant() const { return std::get_if<Constant>(&storage_); }
  const Tensor* tensor() const { return std::get_if<Tensor>(&storage_); }
  const std::vector<Value>* elements() const {
    const TupleValue* held = std::get_if<TupleValue>(&storage_);
    return held != nullptr ? held->elements.get() : nullptr;
  }
  /// The class of a named tuple; null for others.
  const PythonClass* tuple_type() const {
    const TupleValue* held = std::get_if<TupleValue>(&storage_);
    return held != nullptr ? held->type : nullptr;
  }
  const AggregateValue* aggregate() const { return std::get_if<AggregateValue>(&storage_); }
  const DescriptorValue* descriptor() const { return std::get_if<DescriptorValue>(&storage_); }
  const HandleValue* handle() const { return std::get_if<HandleValue>(&storage_); }
  const SliceValue* slice() const { return std::get_if<SliceValue>(&storage_); }
  const BoundMethod* method() const { return std::get_if<BoundMethod>(&storage_); }
  const NamespaceValue* space() const { return std::get_if<NamespaceValue>(&storage_); }
  const OpaqueValue* opaque() const { return std::get_if<OpaqueValue>(&storage_); }
  const HostFunction* host_function() const { return std::get_if<HostFunction>(&storage_); }
  /// Null if it is not a dict.
  const std::vector<DictEntry>* dict() const {
    const auto* held = std::get_if<DictValue>(&storage_);
    return held != nullptr ? held->entries.get() : nullptr;
  }
  const LambdaValue* lambda() const { return std::get_if<LambdaValue>(&storage_); }
  const RecordValue* record() const { return std::get_if<RecordValue>(&storage_); }
  const PendingImport* pending_import() const { return std::get_if<PendingImport>(&storage_); }
  const Builtin* builtin() const {
    const auto* held = std::get_if<const Builtin*>(&storage_);
    return held != nullptr ? *held : nullptr;
  }
  const JitFunction* jit() const {
    const auto* held = std::get_if<const JitFunction*>(&storage_);
    return held != nullptr ? *held : nullptr;
  }
  const PythonModule* module() const {
    const auto* held = std::get_if<const PythonModule*>(&storage_);
    return held != nullptr ? *held : nullptr;
  }

  const PythonClass* python_class() const {
    const auto* held = std::get_if<const PythonClass*>(&storage_);
    return held != nullptr ? *held : nullptr;
  }

  bool is_none() const { return constant() != nullptr && constant()->is_none(); }
  bool is_raw() const { return is_raw_; }
  /// Made by list(...): a tuple to everything except assignment and return, where Triton refuses Python's lists.
  bool is_list() const { return is_list_; }
  Value as_list() const;
  /// Made by tl.constexpr(...), also through arithmetic: such globals may be used in kernels.
  bool is_constexpr() const { return is_constexpr_; }
  Value as_constexpr() const;
  /// A tensor behind a name with the annotation tl.constexpr. In Triton it is inside a constexpr, which has no
  /// operators for it: they work if the other operand is a plain tensor.
  bool is_wrapped_tensor() const { return is_constexpr_ && tensor() != nullptr; }
  bool is_string() const { return constant() != nullptr && constant()->is_string(); }
  bool is_dtype() const { return constant() != nullptr && constant()->is_dtype(); }
  bool is_number() const { return constant() != nullptr && constant()->is_number(); }

 private:
  Storage storage_;
  bool is_raw_ = false;
  bool is_list_ = false;
  bool is_constexpr_ = false;
};

struct DictEntry {
  Value key, value;
};
struct NamedValue {
  std::string name;
  Value value;
};

using ValueResult = Expected<Value, std::string>;  // error: Python's exception text, or "unknown" why

Value tuple_of_integers(const std::vector<std::int64_t>& numbers);
/// A tensor, constant, tuple, descriptor, handle or aggregate: values that Triton carries through control flow.
bool is_triton_value(const Value& value);
/// The field of a record; null without a record or such a field.
const Value* field_of(const Value& record, std::string_view name);
/// Python's `is` on unwrapped values.
bool is_identical(const Value& left, const Value& right);
/// The value of a literal; opaque for bytes, complex numbers and integers of more than 127 bits.
Value constant_of(const ast::Constant& node);
/// Python's truth of a compile-time value; nullopt for tensors and functions.
std::optional<bool> truth(const Value& value);

}  // namespace lockstep::frontend
