// Python source text -> syntax tree (python_syntax/ast.h). Accepts the statement and expression grammar of Python 3.12.
// Any bytes are accepted as input: the result is a tree, or a partial tree and diagnostics LS1201..LS1290; time is
// linear in the size of the text, recursion is bounded by ast::kMaxNesting. It recovers per statement, so one run
// reports several errors. It does not do what CPython's compiler does after parsing: scopes, `return` outside a
// function (misplaced_statements.h), duplicate arguments. Source: docs.python.org/3.12/reference (lexical analysis;
// full grammar specification).
#pragma once

#include <memory>

#include "python_syntax/ast.h"
#include "support/diagnostics/diagnostic.h"
#include "support/source_file.h"

namespace lockstep::python_syntax {

/// Never null. Complete if nothing was reported; statements with an error are left out. Errors:
/// LS1201 unexpected token, LS1202 indentation, LS1203 unterminated string, LS1204 bad literal (number, escape), LS1205
/// bad character, LS1206 unbalanced bracket, LS1207 cannot assign to this, LS1208 missing colon, LS1209 f-string,
/// LS1210 parameter or argument order, LS1211 pattern, LS1212 Python 2 syntax, LS1290 nested too deeply or too large.
std::unique_ptr<ast::Module> parse_python(SourceFilePtr file, DiagnosticSink& sink);

/// One Python expression (an annotation string, a --global value): the whole text must be one. Null: diagnosed.
ast::ExprPtr parse_python_expression(SourceFilePtr file, DiagnosticSink& sink);

}  // namespace lockstep::python_syntax
