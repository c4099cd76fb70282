// libFuzzer target: any bytes as TTIR. What parses must print, and what was printed must parse and print the same
// again; what verifies must go on to verify. Findings of this target are crashes, hangs and broken round trips.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <string>

#include "dialects/registry.h"
#include "ir/text/parser.h"
#include "ir/text/printer.h"
#include "ir/verify/verifier.h"
#include "support/check.h"

namespace {

using namespace lockstep;

std::shared_ptr<const SourceFile> file_of(std::string text) {
  return std::make_shared<SourceFile>("fuzz.ttir", std::move(text));
}

void require(bool condition, const char* message, const std::string& text) {
  if (condition) return;
  fail_check(__FILE__, __LINE__, message, text);
}

void check_round_trip(const ir::Module& module, ir::PrintOptions options, bool is_valid) {
  const std::string text = ir::print_module(module, options);
  DiagnosticSink sink;
  const auto again = ir::parse_module(dialects::registry(), file_of(text), sink);
  // Text that does not verify may print what its form cannot say (a missing operand, say): only valid IR must come
  // back.
  if (!is_valid) return;
  require(again.has_value(), "printed text does not parse", text + render_text(sink));
  require(ir::print_module(*again, options) == text, "printed text does not print the same again", text);
  DiagnosticSink verified;
  require(ir::verify(*again, verified), "printed text does not verify", text + render_text(verified));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  DiagnosticSink sink;
  const auto module = ir::parse_module(dialects::registry(), file_of(std::string(reinterpret_cast<const char*>(data), size)), sink);
  require(module.has_value() == !sink.has_errors(), "parse_module and its sink disagree", "");
  if (!module) return 0;
  DiagnosticSink verified;
  const bool is_valid = ir::verify(*module, verified);
  require(is_valid == !verified.has_errors(), "verify and its sink disagree", "");
  check_round_trip(*module, {.locations = false, .generic = false}, is_valid);
  check_round_trip(*module, {.locations = true, .generic = false}, is_valid);
  check_round_trip(*module, {.locations = false, .generic = true}, is_valid);
  return 0;
}
