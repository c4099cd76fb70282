// Writes a syntax tree as CPython's ast.dump(tree, indent=1, include_attributes=True) does, so that trees can be
// compared as text. Non-ASCII characters are escaped as by ascii(). Only tests and developers of `lockstep` use it.
// Source: the output of ast.dump in CPython 3.11 and 3.12.
#pragma once

#include <string>

#include "python_syntax/ast.h"

namespace lockstep::python_syntax {

struct AstPrintOptions {
  bool include_positions = true;
  /// 11: no type_params fields (unless used), no positions inside f-strings; 12: both.
  int python_minor = 11;
};

std::string print_ast(const ast::Module& module, const AstPrintOptions& options = {});
/// A float as Python's repr writes it: "1.0", "1e-05", "inf".
std::string python_float_repr(double value);
/// A string as ascii() writes it; `is_bytes`: with the prefix b.
std::string python_string_repr(const std::string& text, bool is_bytes);

}  // namespace lockstep::python_syntax
