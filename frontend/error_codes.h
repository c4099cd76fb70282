// The diagnostics that lowering reports. LS13xx: the language (allowed constructs); LS14xx: types and shapes. One
// constant per rule, so that a test, docs/errors and the code name the same number. Syntax errors are LS12xx
// (parser.h).
#pragma once

#include "support/diagnostics/diagnostic_code.h"

namespace lockstep::frontend::codes {

inline constexpr DiagnosticCode kUnsupportedNode = "LS1301";  // an AST node outside Triton's subset of Python
inline constexpr DiagnosticCode kUndefinedName = "LS1302";    // a name that nothing defines
inline constexpr DiagnosticCode kGlobal =
    "LS1303";  // a module-level value that kernels may not use or that is unknown
inline constexpr DiagnosticCode kPythonFunction = "LS1304";       // call of something that is not a jit function
inline constexpr DiagnosticCode kArguments = "LS1305";            // arguments do not fit the callee
inline constexpr DiagnosticCode kNotConstexpr = "LS1306";         // a compile-time value is needed
inline constexpr DiagnosticCode kControlFlow = "LS1307";          // if/for/while/return used in a way Triton rejects
inline constexpr DiagnosticCode kConstexprReassigned = "LS1308";  // x: tl.constexpr twice, or changed in a loop
inline constexpr DiagnosticCode kConstantExpression = "LS1309";   // a compile-time expression fails
inline constexpr DiagnosticCode kStaticAssert = "LS1310";         // tl.static_assert failed
inline constexpr DiagnosticCode kImport = "LS1311";               // an import that is needed and cannot be followed
inline constexpr DiagnosticCode kSpecialisation = "LS1312";       // kernel or parameter of the request
inline constexpr DiagnosticCode kRecursion = "LS1314";  // calls or expressions nested too deeply, functions too many
inline constexpr DiagnosticCode kUnsupportedBuiltin = "LS1315";  // part of triton.language that is not supported yet
inline constexpr DiagnosticCode kAttribute = "LS1316";           // unknown attribute or method
inline constexpr DiagnosticCode kUnusedResult = "LS1317";        // a result that must be used
inline constexpr DiagnosticCode kAssignment = "LS1318";          // assignment form that Triton rejects
inline constexpr DiagnosticCode kTuning = "LS1319";              // @triton.autotune or @triton.heuristics

inline constexpr DiagnosticCode kOperandTypes = "LS1401";   // operand types that an operator does not take
inline constexpr DiagnosticCode kScalarRange = "LS1402";    // literal out of range for the tensor's type
inline constexpr DiagnosticCode kShapeMismatch = "LS1403";  // shapes do not broadcast or do not fit
inline constexpr DiagnosticCode kCast = "LS1404";           // impossible cast
inline constexpr DiagnosticCode kPointer = "LS1405";        // a pointer is needed, or must not be const
inline constexpr DiagnosticCode kMask = "LS1406";           // mask/other rules of load and store
inline constexpr DiagnosticCode kDtypeRule = "LS1407";      // a function's dtype rule
inline constexpr DiagnosticCode kShape = "LS1408";  // a shape that Triton rejects (not a power of two, too large)
inline constexpr DiagnosticCode kLoopCarried = "LS1409";  // a variable changes its type in a loop
inline constexpr DiagnosticCode kBranchTypes = "LS1410";  // the branches of an if disagree about a type
inline constexpr DiagnosticCode kReturnTypes = "LS1411";  // returns with different types
inline constexpr DiagnosticCode kDot = "LS1412";          // operands of tl.dot
inline constexpr DiagnosticCode kAxis = "LS1413";         // axis and operand rules of reductions, scans, gather
inline constexpr DiagnosticCode kAtomic = "LS1414";       // dtype rules of atomics
inline constexpr DiagnosticCode kFloat8 = "LS1415";       // fp8 type that the target lacks
inline constexpr DiagnosticCode kBlock = "LS1416";        // block pointers and tensor descriptors
inline constexpr DiagnosticCode kExtern = "LS1417";       // library functions and inline assembly
inline constexpr DiagnosticCode kLayout = "LS1131";       // layouts of Gluon's tensors and buffers

}  // namespace lockstep::frontend::codes
