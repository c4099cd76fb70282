// Fuzzes the debugger's expressions: each line is one, evaluated over a few variables and arguments; lines that start
// with `log ` are log messages. Whatever has a value has every text, too; what is a target has bytes or elements.
#include <cstdint>
#include <sstream>
#include <string>

#include "debugger/expression/show.h"
#include "debugger/expression/target.h"
#include "support/check.h"
#include "tests/unit/debugger/fake_scope.h"

namespace {

using namespace lockstep::debugger;

constexpr std::size_t kMaxLines = 8, kMaxLine = 512;

const FakeScope& scope() {
  static const FakeScope* made = [] {
    auto* fresh = new FakeScope;
    fill(*fresh);
    return fresh;
  }();
  return *made;
}

void check_error(const ExpressionError& error, const std::string& text) {
  LOCKSTEP_CHECK(!error.message.empty(), "a failure without words");
  LOCKSTEP_CHECK(error.begin < error.end && error.begin <= text.size(), "an error outside its text");
}

void show(const Value& value) {
  LOCKSTEP_CHECK(show_line(value, scope(), 60).size() <= 4096, "a line that is too long");
  (void)show_summary(value, scope());
  const auto table = show_table(value, scope());
  (void)show_histogram(value, scope());
  const auto bits = show_bits(value, scope());
  const auto tensor = tensor_of(value, scope());
  LOCKSTEP_CHECK(!tensor || (table.has_value() && bits.has_value()), "a tensor without texts");
}

void evaluate_line(const std::string& text) {
  const auto expression = parse_expression(text);
  if (!expression) return check_error(expression.error(), text);
  const auto value = evaluate(*expression, scope());
  if (value) {
    show(*value);
  } else {
    check_error(value.error(), text);
  }
  const auto target = resolve_target(*expression, scope());
  if (!target) return check_error(target.error(), text);
  LOCKSTEP_CHECK(target->is_memory != !target->variable.empty(), "a target of two kinds");
  if (depends_only_on_program(*expression, scope()))
    (void)evaluate(*expression, ProgramScope({1, 0, 0}, {2, 1, 1}, scope()));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::istringstream lines(std::string(reinterpret_cast<const char*>(data), size));
  std::size_t count = 0;
  for (std::string line; count < kMaxLines && std::getline(lines, line); ++count) {
    if (line.size() > kMaxLine) continue;
    if (line.rfind("log ", 0) == 0) {
      const auto message = parse_message(line.substr(4));
      if (!message) check_error(message.error(), line);
    } else {
      evaluate_line(line);
    }
  }
  return 0;
}
