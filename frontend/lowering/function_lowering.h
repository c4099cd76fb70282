// Lowers one function instance (a kernel or one specialisation of a helper) from its syntax tree to a tt.func, visiting
// nodes in the order Triton's code generator does, because that order is the order of the ops. One FunctionLowering per
// instance; Compilation holds what instances share. Work is bounded: call depth, nodes visited and functions made have
// limits. After an error the function is given up at the next control-flow statement; simple statements go on, to
// report more than one. Source: Triton 3.6 observed through its IR and its error messages; language reference B.2 to
// B.8.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "frontend/builtins/builtins.h"
#include "frontend/compile.h"
#include "frontend/eval/host_functions.h"
#include "frontend/eval/module_loader.h"
#include "frontend/lowering/scope.h"
#include "frontend/reporter.h"
#include "frontend/semantics/emitter.h"
#include "frontend/semantics/semantics.h"
#include "ir/op_registry.h"

namespace lockstep::frontend {

using KeywordArguments = std::vector<std::pair<std::string, Value>>;

inline constexpr std::string_view kCondition = "tl.condition";  // the type of what it gives, too
inline constexpr std::string_view kLeaveAnnotationOut =         // a hint
    "leave the annotation tl.constexpr out where the value is known at run time only";

/// State of one compile: the module being built and the functions already in it.
struct Compilation {
  struct Function {
    ir::Op* op = nullptr;
    Value result;  // shape of the result; raw None: nothing
    bool is_complete = false;
    bool failed = false;
  };
  static constexpr int kMaxCallDepth = 100;
  static constexpr int kMaxNesting = 1'500;  // of nodes being visited, through all calls: bounds the C++ stack
  static constexpr std::size_t kMaxVisits = 1'000'000;
  static constexpr std::size_t kMaxFunctions = 5'000;

  Compilation(const ir::OpRegistry& ops, ModuleLoader& module_loader, DiagnosticSink& diagnostics)
      : loader(module_loader), sink(diagnostics), module(ops) {}
  ModuleLoader& loader;
  DiagnosticSink& sink;
  ir::Module module;
  Options options;
  std::map<std::string, Function> functions;
  std::function<void(std::string_view)> print;  // may be empty
  int depth = 0;
  int nesting = 0;
  std::size_t visits = 0;
};

class FunctionLowering {
 public:
  FunctionLowering(Compilation& compilation, const JitFunction& function, std::string symbol, bool is_kernel,
                   std::vector<DiagnosticNote> call_chain);
  /// Builds the function for these arguments (tensors are templates: only their types count). `divisibility`: per
  /// SSA value of the arguments, 0 for none. False: an error was reported.
  bool run(const std::vector<Value>& arguments, const std::vector<std::int64_t>& divisibility = {});

  OpBuilder& builder() { return builder_; }
  Reporter& reporter() { return report_; }
  Emitter& emitter() { return emit_; }
  Compilation& compilation() { return compilation_; }
  /// Emits a call of another jit function, lowering the callee if this instance of it is new.
  Value call_function(const JitFunction& callee, std::vector<Value> positional, const KeywordArguments& keywords);
  /// Runs a @triton.constexpr_function at compile time.
  Value call_constexpr_function(const JitFunction& callee, const std::vector<Value>& positional,
                                const KeywordArguments& keywords);
  Value attribute_of(const Value& owner, const std::string& name);

 private:
  struct SubRegion {
    Scope live_in;
    Scope previous_definitions;
    ir::Block* block;
  };
  struct Branch {
    Scope definitions, values;
    ir::Block* last_block = nullptr;
  };
  struct LoopCarries {
    std::vector<std::string> names;
    std::vector<Value> types;
    std::vector<ir::Value*> inits;
  };
  struct LoopBounds {
    Value low, high, step;
    std::vector<ir::NamedAttribute> attributes;
  };

  // Statements (lower_statement.cpp).
  void visit_body(const ast::Body& body);
  void visit(const ast::Stmt& node);
  void visit_assign(const ast::Assign& node);
  void visit_annotated(const ast::AnnAssign& node);
  void visit_augmented(const ast::AugAssign& node);
  void visit_return(const ast::Return& node);
  void visit_assert(const ast::Assert& node);
  void visit_with(const ast::With& node);
  void assign_named(const ast::Expr& target, const ast::Expr* value);
  void assign_target(const ast::Expr& target, const Value& value);
  /// What an assignment makes of a value: numbers become tensors.
  Value sanitized(const Value& value);
  Value unassignable(const Value& value);
  Value decayed(const Value& value);
  void set_value(const std::string& name, Value value);

  // Control flow (lower_if.cpp, lower_loop.cpp).
  SubRegion enter_sub_region();
  void leave_sub_region(SubRegion&& region);
  bool is_plain_condition(const Value& test);
  void visit_if(const ast::If& node);
  void visit_if_blocks(const Tensor& condition, const ast::If& node);
  void visit_if_structured(const Tensor& condition, const ast::If& node);
  void name_values(const std::vector<ir::Value*>& values, const std::vector<std::string>& names);
  Branch visit_branch(const ast::Body& body, ir::Block& block);
  bool merge_branches(const Scope& live_in, Branch& then_branch, Branch& else_branch, std::vector<std::string>& names);
  bool same_branch_type(const std::string& name, const Value& a, std::string_view a_where, const Value& b,
                        std::string_view b_where);
  Value visit_if_expression(const ast::IfExp& node);
  Value visit_dynamic_choice(const Tensor& condition, const ast::IfExp& node);
  void visit_for(const ast::For& node);
  void visit_static_range(const ast::For& node, const std::vector<Value>& arguments, const KeywordArguments& keywords);
  std::optional<LoopBounds> loop_bounds(const ast::Call& iterator, const std::string& kind,
                                        const std::vector<Value>& arguments, const KeywordArguments& keywords);
  void loop_attributes(const KeywordArguments& keywords, LoopBounds& bounds);
  void visit_dynamic_for(const ast::For& node, LoopBounds bounds);
  void lower_for(const ast::For& node, const std::string& target, const std::vector<ir::Value*>& bounds, bool negative,
                 const DType& type, ir::Value* placeholder, const std::vector<ir::NamedAttribute>& attributes);
  void visit_while(const ast::While& node);
  std::optional<LoopCarries> find_carries(const ast::Stmt& loop, const ast::Body& body, const Scope& live_in,
                                          const std::string& ignored);
  bool check_carried(const std::string& name, const Value& after, const Value& before, const ast::Stmt& loop);
  void report_carried(std::string message, std::string hint, const std::string& name, const ast::Stmt& loop);
  void bind_carries(const LoopCarries& carries, const std::vector<ir::Value*>& handles);

  // Expressions (lower_expression.cpp).
  Value visit(const ast::Expr& node);
  Value dispatch(const ast::Expr& node);
  Value visit_name(const ast::Name& node);
  void report_undefined(const ast::Name& node);
  std::optional<std::string> unbound_parameter(const std::string& name) const;
  bool has_operators(std::string_view symbol, const Value& left, const Value& right);
  Value binary(ast::BinaryOperator op, const Value& left, const Value& right);
  Value visit_compare(const ast::Compare& node);
  Value visit_bool_op(const ast::BoolOp& node);
  Value visit_unary(const ast::UnaryOp& node);
  Value visit_subscript(const ast::Subscript& node);
  Value index_tensor(const Tensor& tensor, const Value& index);
  Value visit_slice(const ast::Slice& node);
  Value visit_sequence(const ast::ExprList& elements);
  Value visit_list_comprehension(const ast::ListComp& node);
  Value visit_joined_string(const ast::JoinedStr& node);
  Value tensor_attribute(const Value& owner, const std::string& name);
  static std::optional<Value> descriptor_attribute(const Value& owner, const std::string& name);
  Value unsupported_node(const ast::Node& node);
  Value usable_global(const std::string& name, const Value& value, bool is_constexpr);

  // Calls (lower_call.cpp).
  Value visit_call(const ast::Call& node);
  Value call_value(const ast::Call& node, const Value& callee, std::vector<Value> positional,
                   const KeywordArguments& keywords);
  Value call_builtin(const Builtin& row, std::vector<Value> positional, const KeywordArguments& keywords,
                     bool is_method);
  Value call_host(const std::string& name, const std::vector<Value>& positional, const KeywordArguments& keywords);
  Value loop_condition(const std::vector<Value>& positional, const KeywordArguments& keywords);
  Value replace_fields(const std::vector<Value>& positional, const KeywordArguments& keywords);
  bool is_tensor_method(const std::string& name);
  bool has_attribute(const Value& owner, const std::string& name);
  Value call_reflection(const std::string& name, const std::vector<Value>& positional);
  static bool is_no_result(const Value& value);
  const JitFunction* named_function(const Value& callee) const;
  Value checked(const ValueResult& result);
  Value call_constant_method(const BoundMethod& method, const std::vector<Value>& positional,
                             const KeywordArguments& keywords);
  Value call_method(const Value& owner, const std::string& name, std::vector<Value> arguments);
  Value static_assert_call(const ast::Call& node);
  Value static_print_call(const ast::Call& node);
  Value static_value_call(const ast::Call& node, const std::string& name);
  bool bind_arguments(const JitFunction& callee, std::vector<Value>& positional, const KeywordArguments& keywords);
  bool check_noinline(const JitFunction& callee, const std::vector<Value>& arguments);
  bool check_bound(const JitFunction& callee, const std::vector<Value>& bound);
  Value emit_call(Compilation::Function& function, const std::string& symbol, const std::vector<Value>& arguments);

  // Functions (function_lowering.cpp).
  std::vector<Value> create_function(const std::vector<Value>& arguments,
                                     const std::vector<std::int64_t>& divisibility);
  void finish_function();
  const Parameter* named_by(std::size_t parameter) const;
  void bind_parameters(const std::vector<Value>& bound);
  bool check_parameters();

  void place(const ast::Node& node);
  bool stopped();
  void stop() { stopped_ = true; }

  Compilation& compilation_;
  const JitFunction& function_;
  std::string symbol_;
  bool is_kernel_;
  Reporter report_;
  Emitter emit_;
  OpBuilder builder_;
  Scope scope_;
  Scope definitions_;  // names bound since the innermost branch or loop was entered
  ir::Op* op_ = nullptr;
  std::optional<Value> result_;  // shape of what was returned so far
  int loop_depth_ = 0;
  const ast::Expr* unused_ = nullptr;  // the expression statement being visited
  std::uint32_t indentation_ = 0;      // of the def line: Triton removes it before parsing
  bool stopped_ = false;
};

/// Mangled name of an instance: module.name__types__constants.
std::string mangle(const JitFunction& function, const std::vector<Value>& arguments);

}  // namespace lockstep::frontend
