// Fuzzes the TTIR parser, verifier and printer: any bytes give a module or diagnostics; a module that verifies prints to text
// that parses, verifies and prints the same again.
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "ir/parser.h"
#include "ir/printer.h"
#include "ir/verifier.h"
#include "support/check.h"

namespace {

std::optional<lockstep::ir::Module> parse(const std::string& text, lockstep::DiagnosticSink& sink) {
  return lockstep::ir::parse_module(std::make_shared<const lockstep::SourceFile>("input.ttir", text), sink);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  lockstep::DiagnosticSink sink;
  const auto module = parse(std::string(reinterpret_cast<const char*>(data), size), sink);
  if (!module) {
    LOCKSTEP_CHECK(sink.has_errors(), "no module and no reason");
    (void)lockstep::render_text(sink);
    return 0;
  }
  if (!lockstep::ir::verify(*module, sink)) {
    LOCKSTEP_CHECK(sink.has_errors(), "not valid and no reason");
    (void)lockstep::render_text(sink);
    return 0;
  }
  const std::string printed = lockstep::ir::print_module(*module, false);
  lockstep::DiagnosticSink again;
  const auto second = parse(printed, again);
  LOCKSTEP_CHECK(second.has_value() && lockstep::ir::verify(*second, again), "our own text is refused");
  LOCKSTEP_CHECK(lockstep::ir::print_module(*second, false) == printed, "printing is not stable");
  return 0;
}
