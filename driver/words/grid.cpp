// Grid texts: one to three expressions separated by commas, with or without parentheses.
#include "driver/arguments/arguments.h"
#include "driver/words/expression.h"

namespace lockstep::driver {
namespace {

constexpr std::int64_t kMaxGridExtent = (std::int64_t{1} << 31) - 1;

// "(a, b)" as Triton's launches write it: a parenthesis that closes at the very end and holds a comma of its own.
bool is_wrapped_in_parentheses(std::string_view text) {
  int depth = 0;
  bool has_comma = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '(') ++depth;
    if (text[i] == ',' && depth == 1) has_comma = true;
    if (text[i] == ')' && --depth == 0)
      return has_comma && text.find_first_not_of(" \t", i + 1) == std::string_view::npos;
    if (i == 0 && depth == 0) return false;
  }
  return false;
}

}  // namespace

std::optional<std::vector<std::int64_t>> evaluate_grid(std::string_view text, const GridNames& names,
                                                       DiagnosticSink& sink) {
  Cursor cursor(text, "<grid>", sink);
  cursor.skip_spaces();
  const bool is_wrapped = is_wrapped_in_parentheses(cursor.rest());
  if (is_wrapped) cursor.take("(");
  std::vector<std::int64_t> grid;
  while (true) {
    cursor.skip_spaces();
    const std::size_t begin = cursor.position();
    const std::optional<std::int64_t> value = take_expression(cursor, names);
    if (!value) return std::nullopt;
    if (*value < 0 || *value > kMaxGridExtent) {
      cursor.fail(begin, "LS2023", "the grid extent " + std::to_string(*value) + " is out of range",
                  "it must be 0 .. 2147483647");
      return std::nullopt;
    }
    grid.push_back(*value);
    if (!cursor.take(",")) break;
    cursor.skip_spaces();
    if (is_wrapped && cursor.peek() == ')') break;
    if (grid.size() < 3) continue;
    cursor.fail(cursor.position(), "LS2023", "a grid has at most 3 dimensions");
    return std::nullopt;
  }
  if (is_wrapped && !cursor.expect(")")) return std::nullopt;
  cursor.skip_spaces();
  if (cursor.at_end()) return grid;
  const std::size_t begin = cursor.position();
  cursor.move_to(cursor.text().size());
  cursor.fail(begin, "LS2020", "cannot read this part of the grid",
              "write up to three expressions with commas between them");
  return std::nullopt;
}

}  // namespace lockstep::driver
