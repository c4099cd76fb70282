// Fuzzes the Python parser alone: any bytes give a tree that can be printed, and diagnostics when it is partial.
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "python_syntax/ast_printer.h"
#include "python_syntax/parser.h"
#include "support/check.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  const auto file = std::make_shared<const lockstep::SourceFile>("input.py", text);
  lockstep::DiagnosticSink sink;
  const auto module = lockstep::python_syntax::parse_python(file, sink);
  LOCKSTEP_CHECK(module != nullptr, "parse_python returned null");
  (void)lockstep::python_syntax::print_ast(*module);
  (void)lockstep::render_text(sink);
  lockstep::DiagnosticSink expression_sink;
  const auto expression = lockstep::python_syntax::parse_python_expression(file, expression_sink);
  LOCKSTEP_CHECK((expression != nullptr) != expression_sink.has_errors(), "an expression, or the reason why not");
  return 0;
}
