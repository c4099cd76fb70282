#include "interpreter/ptx/constraints.h"

#include <charconv>
#include <utility>

#include "support/ascii.h"

namespace lockstep::interpreter::ptx {

namespace {

int width_of_class(std::string_view letter) {
  if (letter == "b") return 1;
  if (letter == "c" || letter == "h") return 16;
  if (letter == "r" || letter == "f") return 32;
  if (letter == "l" || letter == "d") return 64;
  return 0;
}

void fail(Constraints& made, std::string problem, bool is_unsupported) {
  made.problem = std::move(problem);
  made.is_unsupported = is_unsupported;
}

void read_one(Constraints& made, std::string_view part) {
  const std::string shown(part);
  Constraint one;
  if (part.starts_with("~{")) return;
  if (part.starts_with("=")) {
    one.is_output = true;
    part.remove_prefix(part.starts_with("=&") ? 2 : 1);
    if (!made.list.empty() && !made.list.back().is_output)
      return fail(made, "the output '" + shown + "' comes after an input", false);
  }
  int tied = 0;
  const auto parsed = std::from_chars(part.data(), part.data() + part.size(), tied);
  if (!one.is_output && !part.empty() && parsed.ec == std::errc{} && parsed.ptr == part.data() + part.size()) {
    const bool is_known = tied >= 0 && static_cast<std::size_t>(tied) < made.list.size() &&
                          made.list[static_cast<std::size_t>(tied)].is_output;
    if (!is_known) return fail(made, "'" + shown + "' ties an input to an output that there is not", false);
    one.tied_to = tied;
    one.width = made.list[static_cast<std::size_t>(tied)].width;
  } else {
    one.width = width_of_class(part);
    if (one.width == 0) return fail(made, "the constraint '" + shown + "'", true);
  }
  made.list.push_back(one);
}

}  // namespace

Constraints parse_constraints(std::string_view text) {
  Constraints made;
  constexpr std::size_t kMaxOperands = 256;
  text = trimmed(text);
  if (text.empty()) return made;
  while (made.problem.empty()) {
    const std::size_t comma = text.find(',');
    read_one(made, trimmed(text.substr(0, comma)));
    if (made.list.size() > kMaxOperands) fail(made, "more than 256 operands", true);
    if (comma == std::string_view::npos) break;
    text.remove_prefix(comma + 1);
  }
  return made;
}

}  // namespace lockstep::interpreter::ptx
