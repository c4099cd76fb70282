// Random expressions against what Python and NumPy made of them (make_expressions.py): precedence, broadcasting,
// division, indices, reductions.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <sstream>

#include "debugger/expression/evaluate.h"
#include "fake_scope.h"

namespace lockstep::debugger {
namespace {

void fill_as_make_expressions(FakeScope& scope) {
  scope.tile<std::int64_t>("n", ScalarKind::i64, {}, {781});
  scope.tile<double>("h", ScalarKind::f64, {}, {0.375});
  scope.tile<std::int64_t>("a", ScalarKind::i64, {2, 3}, {1, -2, 3, 40, 5, -6});
  scope.tile<std::int64_t>("r", ScalarKind::i64, {3}, {7, 0, -1});
  scope.tile<std::int64_t>("c", ScalarKind::i64, {2, 1}, {2, -9});
  scope.tile<double>("f", ScalarKind::f64, {2, 3}, {1.5, -2.25, 0.1, 3e5, -0.0, 7});
  scope.tile<std::uint8_t>("m", ScalarKind::i1, {2, 3}, {1, 0, 1, 0, 0, 1});
}

std::string text_of(const Tensor& value) {
  const char letters[] = {'b', 'i', 'f', 'p'};
  std::string text = std::string(1, letters[static_cast<int>(value.elements)]) + " " + index_text(value.shape);
  for (std::size_t i = 0; i < static_cast<std::size_t>(value.count()); ++i) {
    std::ostringstream element;
    if (value.is_floating()) {
      element << std::hexfloat << value.floats[i];
    } else {
      element << value.integers[i];
    }
    text += " " + element.str();
  }
  return text;
}

/// The same class, shape and elements; floats of sums and means may differ in the last bits (NumPy adds in pairs).
bool agrees(const Tensor& value, const std::string& expected) {
  std::istringstream words(expected);
  std::string letter, shape, element;
  words >> letter >> shape;
  const std::string own = text_of(value);
  if (own.substr(0, 1) != letter || index_text(value.shape) != shape) return false;
  for (std::size_t i = 0; i < static_cast<std::size_t>(value.count()); ++i) {
    if (!(words >> element)) return false;
    if (!value.is_floating()) {
      if (std::to_string(value.integers[i]) != element) return false;
      continue;
    }
    const double wanted = std::strtod(element.c_str(), nullptr), found = value.floats[i];
    const bool is_near = std::fabs(found - wanted) <= 4e-16 * std::fabs(wanted);
    const bool is_same = std::bit_cast<std::uint64_t>(found) == std::bit_cast<std::uint64_t>(wanted);
    if (!is_near && !is_same && !(std::isnan(found) && std::isnan(wanted))) return false;
  }
  return !(words >> element);
}

TEST(ExpressionOracleTest, AgreesWithNumpy) {
  FakeScope scope;
  fill_as_make_expressions(scope);
  std::ifstream file(LOCKSTEP_TESTS_DIR "/unit/debugger/expressions.txt");
  std::string line;
  int count = 0, too_large = 0;
  while (std::getline(file, line)) {
    const std::size_t tab = line.find('\t');
    const std::string text = line.substr(0, tab), expected = line.substr(tab + 1);
    ++count;
    const auto value = evaluate(text, scope);
    if (!value) {  // Python's integers have no bound
      const bool is_too_large = value.error().message == "the result does not fit into 64 bits";
      too_large += is_too_large ? 1 : 0;
      EXPECT_TRUE(is_too_large) << text << ": " << value.error().message << ", expected " << expected;
      continue;
    }
    const auto read = tensor_of(*value, scope);
    ASSERT_TRUE(read) << text;
    EXPECT_TRUE(agrees(*read, expected)) << text << ": " << text_of(*read) << ", expected " << expected;
  }
  EXPECT_EQ(count, 1500);
  EXPECT_LE(too_large, 5);
}

}  // namespace
}  // namespace lockstep::debugger
