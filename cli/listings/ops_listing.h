// The rows of dialects/ as text, for `lockstep ops` and docs/ops.md. Every column comes from the row (ir/op_def.h) or,
// for library functions, from interpreter/libdevice/catalogue.h.
#pragma once

#include <string>
#include <string_view>

#include "ir/op.h"
#include "ir/op_def.h"

namespace lockstep::cli {

/// One line per row: op, types, exactness, whether it runs.
std::string ops_table();
/// The ops without an evaluator that `version` of Triton prints ("3.6"; "": any from 3.6 on), one line each with the
/// reason; "" if there is none.
std::string ops_missing(std::string_view version);
/// {"ops": [...], "libdevice": [...]}: every column of every row.
std::string ops_json();
/// The whole of docs/ops.md.
std::string ops_markdown();
/// One row as a page of text.
std::string op_page(const ir::OpDef& def);

// Columns in words.
std::string exactness(const ir::ErrorBound& bound);  // "exact", "2 ulp", "grows with the length"
std::string_view name_of(ir::TypeRule rule);         // "int", "float tile", ...
std::string_view name_of(ir::Effects effects);
std::string_view name_of(ir::Definedness definedness);
/// "3.9 on", "to 3.3", "" for all versions from 3.6 on.
std::string versions(const ir::OpDef& def);

}  // namespace lockstep::cli
