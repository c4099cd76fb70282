// Module: a builtin.module op with the context that owns its types, and common lookups.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "ir/context.h"
#include "ir/op.h"

namespace lockstep::ir {

class Module {
 public:
  explicit Module(const OpRegistry& ops);  // empty module in a new context
  explicit Module(std::shared_ptr<Context> context);
  Module(std::shared_ptr<Context> context, std::unique_ptr<Op> module_op);  // adopts a builtin.module with one block
  Module(Module&&) noexcept = default;
  Module& operator=(Module&&) noexcept = default;
  ~Module();

  Context& context() const { return *context_; }
  const std::shared_ptr<Context>& shared_context() const { return context_; }
  Op& op() const { return *op_; }  // builtin.module
  Block& body() const { return op_->region(0).front(); }
  std::vector<Op*> functions() const;                // tt.func in order
  Op* find_function(std::string_view symbol) const;  // null if absent
  /// Public functions, i.e. kernels, in order.
  std::vector<Op*> kernels() const;

 private:
  std::shared_ptr<Context> context_;
  std::unique_ptr<Op> op_;
};

// Helpers on tt.func ops.
std::string_view symbol_name(const Op& function);  // "sym_name"
Type function_type(const Op& function);            // "function_type"
bool is_private(const Op& function);
bool is_noinline(const Op& function);
/// Attribute of argument `i` (from "arg_attrs"), null if absent: argument_attribute(f, 0, "tt.divisibility").
Attribute argument_attribute(const Op& function, std::size_t i, std::string_view name);
void set_argument_attribute(Context& context, Op& function, std::size_t i, std::string_view name, Attribute value);

}  // namespace lockstep::ir
