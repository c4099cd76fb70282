// TTIR text to IR: MLIR's syntax with and without locations, each op in its own form or in the generic quoted form.
// Errors do not stop it: it continues with the next op, up to DiagnosticSink::kMaxErrors. Parsed text is not yet valid:
// run the verifier. Guards: nesting (kMaxNesting), rank (kMaxRank), elements of a tile (kMaxElements); hostile text
// gives diagnostics LS10xx. Source: MLIR LangRef; the assembly formats of Triton 3.6's ops.
#pragma once

#include <optional>

#include "ir/module.h"
#include "support/diagnostics/diagnostic.h"

namespace lockstep::ir {

/// Parses a whole file. nullopt: at least one error (or `unsupported`) was reported.
/// Ops without a location in the text get the position in this file.
std::optional<Module> parse_module(const OpRegistry& ops, const SourceFilePtr& file, DiagnosticSink& sink);

}  // namespace lockstep::ir
