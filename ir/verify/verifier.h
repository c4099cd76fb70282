// Whether a module is valid: counts and types by the rows, relations between types, attributes, region structure,
// terminators, branch and call signatures, symbols, and dominance. Works on parsed text (places are spans) and on built
// IR (places are locations). After it returned true, an engine may rely on all of that. It does not prove the kernel
// right. Codes LS11xx. Source: MLIR LangRef (SSA dominance, CFG regions); Triton 3.6's op verifiers.
#pragma once

#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "ir/module.h"
#include "ir/op.h"
#include "ir/op_def.h"
#include "ir/text/print_names.h"
#include "ir/verify/dominance.h"
#include "ir/verify/row_rules.h"
#include "support/diagnostics/diagnostic.h"

namespace lockstep::ir {

/// Reports all errors (up to the sink's limit). True: there are none.
bool verify(const Module& module, DiagnosticSink& sink);

/// The context of a row's verify hook. Counts, type rules, relations and attributes are checked before the hook runs.
class VerifyContext {
 public:
  VerifyContext(const Module& module, DiagnosticSink& sink);

  Context& context() const { return module_.context(); }
  const Module& module() const { return module_; }
  /// Reports a problem of `op`; returns false.
  bool error(const Op& op, DiagnosticCode code, std::string message, std::string hint = "");
  bool error_with_note(const Op& op, DiagnosticCode code, std::string message, std::string note, const Op& noted,
                       std::string hint = "");
  /// "'%acc'", for messages.
  std::string name_of(const Value* value);
  /// Function by symbol, null if there is none.
  const Op* function(std::string_view symbol) const;
  /// Types of `values` must be `types`; `what` names the values ("the values of scf.yield").
  bool expect_types(const Op& op, const std::vector<Value*>& values, const std::vector<Type>& types,
                    DiagnosticCode code, const std::string& what);

  bool verify_module();

 private:
  bool verify_op(const Op& op);
  bool verify_row(const Op& op);
  bool verify_regions(const Op& op);
  bool verify_block(const Op& op, const Block& block);
  bool verify_successors(const Op& op);
  bool verify_operand_counts(const Op& op);
  bool verify_operand_types(const Op& op);
  bool verify_results(const Op& op);
  bool verify_attributes(const Op& op);
  bool verify_relations(const Op& op);
  bool verify_tile_sizes(const Op& op);
  bool verify_tile_size(const Op& op, Type type);
  bool verify_symbols();
  bool verify_dominance(const Op& op);
  bool verify_use(const Op& op, std::size_t operand);
  DiagnosticNote note_at(std::string message, const Op& op);

  const Module& module_;
  DiagnosticSink& sink_;
  Dominance dominance_;
  std::unordered_map<std::string_view, const Op*> functions_;
  std::unique_ptr<ValueNames> names_;  // made when the first message needs it
};

/// "tile of integers", for messages.
std::string_view describe(TypeRule rule);

/// The origin of an op, as text: "kernel.py:12:5"; "" if unknown.
std::string place_of(const Op& op);

}  // namespace lockstep::ir
