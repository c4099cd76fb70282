// The state of lowering a function instance (a kernel or one specialisation of a helper): the place in the source, the
// names bound so far, the ops made so far, and the state that instances share. Parts of lowering are functions over a
// LoweringContext, a file per kind of node; they visit the nodes below theirs through it, which FunctionLowering
// implements. Nodes are visited in the order of Triton's code generator, because that order is the order of the ops.
// Work is bounded: call depth, nodes visited and functions made have limits. After an error, lowering gives up the
// function at the next control-flow statement; simple statements continue, to report more than one error.
// Source: Triton 3.6 observed through its IR and its error messages; language reference B.2 to B.8.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "frontend/eval/python_module.h"
#include "frontend/lowering/scope.h"
#include "frontend/reporter.h"
#include "frontend/semantics/emitter.h"
#include "frontend/semantics/semantics.h"
#include "frontend/semantics/value.h"

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

  Compilation(const ir::OpRegistry& ops, Modules& all_modules, DiagnosticSink& diagnostics)
      : modules(all_modules), sink(diagnostics), module(ops) {}
  Modules& modules;
  DiagnosticSink& sink;
  ir::Module module;
  Options options;
  std::map<std::string, Function> functions;
  std::function<void(std::string_view)> print;  // may be empty
  int depth = 0;
  int nesting = 0;
  std::size_t visits = 0;
};

struct LoweringContext {
  LoweringContext(Compilation& shared, const JitFunction& lowered, std::string mangled_name, bool is_kernel_function,
                  std::vector<DiagnosticNote> call_chain);
  LoweringContext(const LoweringContext&) = delete;
  LoweringContext& operator=(const LoweringContext&) = delete;
  virtual ~LoweringContext() = default;

  /// The value of an expression; invalid: reported.
  virtual Value visit(const ast::Expr& node) = 0;
  virtual void visit_body(const ast::Body& body) = 0;
  /// Emits a call of another jit function, lowering the callee if this instance of it is new, or runs a
  /// @triton.constexpr_function at compile time.
  virtual Value call_function(const JitFunction& callee, std::vector<Value> positional,
                              const KeywordArguments& keywords) = 0;

  /// As call_function, for a partition of a Gluon kernel with its own number of warps (0: the caller's).
  virtual Value call_in_partition(const JitFunction& callee, std::vector<Value> positional, int warps) = 0;

  /// Ops made from here on have the node's location.
  void place(const ast::Node& node);
  /// Counts a visit, too: past a limit it reports and stops.
  bool stopped();
  void stop() { has_stopped = true; }
  void set_value(const std::string& name, Value value);
  Value unsupported_node(const ast::Node& node);
  /// The result of compile-time work; reports an error.
  Value checked(const ValueResult& result);

  Compilation& compilation;
  const JitFunction& function;
  std::string symbol;
  bool is_kernel;
  Reporter report;
  Emitter emit;
  OpBuilder builder;
  Scope scope;
  Scope definitions;  // names bound since the innermost branch or loop was entered
  ir::Op* op = nullptr;
  std::optional<Value> result;  // shape of what was returned so far
  int loop_depth = 0;
  int partition_warps = 0;  // of the partition of a Gluon kernel that runs it; 0 outside of partitions
  const ast::Expr* unused = nullptr;  // the expression statement being visited
  std::uint32_t indentation = 0;      // of the def line: Triton removes it before parsing
  bool has_stopped = false;
};

}  // namespace lockstep::frontend
