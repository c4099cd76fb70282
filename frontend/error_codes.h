// The diagnostics that lowering reports. LS13xx: the language (what a kernel may say); LS14xx: types and shapes. One
// constant per rule, so that a test, docs/errors and the code name the same number. Syntax errors are LS12xx
// (parser.h).
#pragma once

#include <string_view>

namespace lockstep::frontend::codes {

inline constexpr std::string_view kUnsupportedNode = "LS1301";  // an AST node outside Triton's subset of Python
inline constexpr std::string_view kUndefinedName = "LS1302";    // a name that nothing defines
inline constexpr std::string_view kGlobal =
    "LS1303";  // a module-level value that kernels may not use or that is unknown
inline constexpr std::string_view kPythonFunction = "LS1304";       // call of something that is not a jit function
inline constexpr std::string_view kArguments = "LS1305";            // arguments do not fit the callee
inline constexpr std::string_view kNotConstexpr = "LS1306";         // a compile-time value is needed
inline constexpr std::string_view kControlFlow = "LS1307";          // if/for/while/return used in a way Triton rejects
inline constexpr std::string_view kConstexprReassigned = "LS1308";  // x: tl.constexpr twice, or changed in a loop
inline constexpr std::string_view kConstantExpression = "LS1309";   // a compile-time expression fails
inline constexpr std::string_view kStaticAssert = "LS1310";         // tl.static_assert failed
inline constexpr std::string_view kImport = "LS1311";               // an import that is needed and cannot be followed
inline constexpr std::string_view kSpecialisation = "LS1312";       // kernel or parameter of the request
inline constexpr std::string_view kRecursion = "LS1314";  // calls or expressions nested too deeply, functions too many
inline constexpr std::string_view kUnsupportedBuiltin = "LS1315";  // part of triton.language that is not supported yet
inline constexpr std::string_view kAttribute = "LS1316";           // unknown attribute or method
inline constexpr std::string_view kUnusedResult = "LS1317";        // a result that must be used
inline constexpr std::string_view kAssignment = "LS1318";          // assignment form that Triton rejects
inline constexpr std::string_view kTuning = "LS1319";              // @triton.autotune or @triton.heuristics

inline constexpr std::string_view kOperandTypes = "LS1401";   // operand types that an operator does not take
inline constexpr std::string_view kScalarRange = "LS1402";    // literal out of range for the tensor's type
inline constexpr std::string_view kShapeMismatch = "LS1403";  // shapes do not broadcast or do not fit
inline constexpr std::string_view kCast = "LS1404";           // impossible cast
inline constexpr std::string_view kPointer = "LS1405";        // a pointer is needed, or must not be const
inline constexpr std::string_view kMask = "LS1406";           // mask/other rules of load and store
inline constexpr std::string_view kDtypeRule = "LS1407";      // a function's dtype rule
inline constexpr std::string_view kShape = "LS1408";  // a shape that Triton rejects (not a power of two, too large)
inline constexpr std::string_view kLoopCarried = "LS1409";  // a variable changes its type in a loop
inline constexpr std::string_view kBranchTypes = "LS1410";  // the branches of an if disagree about a type
inline constexpr std::string_view kReturnTypes = "LS1411";  // returns with different types
inline constexpr std::string_view kDot = "LS1412";          // operands of tl.dot
inline constexpr std::string_view kAxis = "LS1413";         // axis and operand rules of reductions, scans, gather
inline constexpr std::string_view kAtomic = "LS1414";       // dtype rules of atomics
inline constexpr std::string_view kFloat8 = "LS1415";       // fp8 type that the target lacks
inline constexpr std::string_view kBlock = "LS1416";        // block pointers and tensor descriptors
inline constexpr std::string_view kExtern = "LS1417";       // library functions and inline assembly

}  // namespace lockstep::frontend::codes
