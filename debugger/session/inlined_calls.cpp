#include "debugger/session/inlined_calls.h"

#include <algorithm>
#include <set>
#include <tuple>

namespace lockstep::debugger {

namespace {

constexpr std::size_t kMostLines = 64;  // of one call or one definition's head

bool is_name_part(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || (c & 0x80) != 0;
}

std::string_view trimmed(std::string_view text) {
  const auto begin = text.find_first_not_of(" \t\r\n");
  return begin == std::string_view::npos ? "" : text.substr(begin, text.find_last_not_of(" \t\r\n") - begin + 1);
}

/// The end of the string literal that begins at `at`: behind its last quote, or the end of the text.
std::size_t end_of_string(std::string_view text, std::size_t at) {
  const char quote = text[at];
  const std::string_view triple = text.substr(at, 3);
  const bool is_triple = triple.size() == 3 && triple[1] == quote && triple[2] == quote;
  const std::string closing(is_triple ? 3 : 1, quote);
  for (std::size_t i = at + closing.size(); i < text.size(); ++i) {
    if (text[i] == '\\') ++i;
    else if (text.substr(i, closing.size()) == closing) return i + closing.size();
  }
  return text.size();
}

/// Words between the parenthesis at `open` and its partner, cut at commas; nullopt: it has no partner. Comments go.
std::optional<std::vector<std::string>> list_at(std::string_view text, std::size_t open) {
  std::vector<std::string> items(1);
  int depth = 0;
  for (std::size_t i = open; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '"' || c == '\'') {
      const std::size_t end = end_of_string(text, i);
      items.back() += text.substr(i, end - i);
      i = end - 1;
      continue;
    }
    if (c == '#') {
      i = std::min(text.find('\n', i), text.size()) - 1;
      continue;
    }
    if (c == '(' || c == '[' || c == '{') {
      if (++depth == 1) continue;
    } else if (c == ')' || c == ']' || c == '}') {
      if (--depth == 0) {
        if (trimmed(items.back()).empty()) items.pop_back();  // no item, or behind a last comma
        return items;
      }
    } else if (c == ',' && depth == 1) {
      items.emplace_back();
      continue;
    }
    items.back() += c == '\n' ? ' ' : c;
  }
  return std::nullopt;
}

/// The place of an assignment's or annotation's sign outside of brackets and strings; npos: there is none.
std::size_t sign_of(std::string_view text, char sign) {
  int depth = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '"' || c == '\'') i = end_of_string(text, i) - 1;
    else if (c == '(' || c == '[' || c == '{') ++depth;
    else if (c == ')' || c == ']' || c == '}') --depth;
    else if (c == sign && depth == 0) {
      const bool is_comparison = sign == '=' && (text.substr(i + 1, 1) == "=" ||
                                                 (i > 0 && std::string_view("=!<>:").find(text[i - 1]) < 5));
      if (!is_comparison) return i;
    }
  }
  return std::string_view::npos;
}

struct Formal {
  std::string name, words;  // words: its default; empty: none
  bool is_keyword_only = false;
};

/// nullopt: collects arguments (*args), which this does not follow.
std::optional<std::vector<Formal>> formals_of(const std::vector<std::string>& items) {
  std::vector<Formal> formals;
  bool is_keyword_only = false;
  for (const std::string& item : items) {
    std::string_view text = trimmed(item);
    if (text == "/") continue;
    if (text == "*") {
      is_keyword_only = true;
      continue;
    }
    if (text.starts_with('*')) return std::nullopt;
    Formal formal;
    formal.is_keyword_only = is_keyword_only;
    if (const std::size_t at = sign_of(text, '='); at != std::string_view::npos) {
      formal.words = trimmed(text.substr(at + 1));
      text = text.substr(0, at);
    }
    formal.name = trimmed(text.substr(0, sign_of(text, ':')));
    if (formal.name.empty() || !std::all_of(formal.name.begin(), formal.name.end(), is_name_part)) return std::nullopt;
    formals.push_back(std::move(formal));
  }
  return formals;
}

bool put(std::vector<PassedParameter>& passed, std::size_t at, std::string_view words) {
  if (at >= passed.size() || !passed[at].words.empty() || words.empty()) return false;
  passed[at].words = words;
  return true;
}

/// False: they don't fit.
bool pass(const std::vector<std::string>& items, const std::vector<Formal>& formals,
          std::vector<PassedParameter>& passed) {
  std::size_t next = 0;
  for (const std::string& item : items) {
    const std::string_view text = trimmed(item);
    if (text.starts_with('*')) return false;
    const std::size_t equals = sign_of(text, '=');
    if (equals == std::string_view::npos) {
      if (next >= formals.size() || formals[next].is_keyword_only || !put(passed, next++, text)) return false;
      continue;
    }
    const std::string_view name = trimmed(text.substr(0, equals));
    const auto known =
        std::find_if(formals.begin(), formals.end(), [&](const Formal& formal) { return formal.name == name; });
    const auto at = static_cast<std::size_t>(known - formals.begin());
    if (!put(passed, at, trimmed(text.substr(equals + 1)))) return false;
  }
  return true;
}

/// The name before the parenthesis at `open`: "f" of "ops.f(".
std::string_view name_before(std::string_view text, std::size_t open) {
  std::size_t begin = open;
  while (begin > 0 && is_name_part(text[begin - 1])) --begin;
  return text.substr(begin, open - begin);
}

/// Where calls of the function begin (at their names) that are open at `position`, or begin there.
std::vector<std::size_t> calls_around(std::string_view text, std::size_t position, std::string_view function) {
  std::vector<std::size_t> open;
  for (std::size_t i = 0; i < position && i < text.size(); ++i) {
    const char c = text[i];
    if (c == '"' || c == '\'') i = end_of_string(text, i) - 1;
    else if (c == '#') i = std::min(text.find('\n', i), text.size()) - 1;
    else if (c == '(' || c == '[' || c == '{') open.push_back(i);
    else if ((c == ')' || c == ']' || c == '}') && !open.empty()) open.pop_back();
  }
  std::vector<std::size_t> calls;
  for (const std::size_t at : open) {
    if (text[at] == '(' && name_before(text, at) == function) calls.push_back(at - function.size());
  }
  std::size_t end = position;
  while (end < text.size() && (is_name_part(text[end]) || text[end] == '.')) ++end;
  if (end < text.size() && text[end] == '(' && name_before(text, end) == function) calls.push_back(end - function.size());
  return calls;
}

std::size_t indent_of(std::string_view line) {
  const std::size_t at = line.find_first_not_of(" \t");
  return at == std::string_view::npos ? line.size() : at;
}

}  // namespace

std::vector<PassedParameter> match_parameters(std::string_view call, std::string_view definition) {
  const std::size_t call_open = call.find('('), open = definition.find('(');
  if (call_open == std::string_view::npos || open == std::string_view::npos) return {};
  const bool is_plain = std::all_of(call.begin(), call.begin() + static_cast<std::ptrdiff_t>(call_open),
                                    [](char c) { return is_name_part(c) || c == '.'; });
  if (!is_plain || name_before(call, call_open) != name_before(definition, open)) return {};
  const auto items = list_at(call, call_open), heads = list_at(definition, open);
  const auto formals = heads ? formals_of(*heads) : std::nullopt;
  if (!items || !formals) return {};
  std::vector<PassedParameter> passed;
  for (const Formal& formal : *formals) passed.push_back({formal.name, "", false});
  if (!pass(*items, *formals, passed)) return {};
  for (std::size_t i = 0; i < passed.size(); ++i) {
    if (!passed[i].words.empty()) continue;
    if ((*formals)[i].words.empty()) return {};
    passed[i] = {passed[i].name, (*formals)[i].words, true};
  }
  return passed;
}

/// Triton's location of a call is that of what it evaluated last: one of the arguments, or the name where there are none.
/// Empty: no call of the function is around it, or more than one.
std::string InlinedCalls::call_text(const Place& call, std::string_view function) const {
  Place at = call;
  std::string before = listing_.line(call).substr(0, call.column), behind = listing_.line(call);
  behind.erase(0, std::min<std::size_t>(call.column, behind.size()));
  for (std::size_t i = 1; i < kMostLines; ++i) {
    ++at.line;
    behind += "\n" + listing_.line(at);
  }
  at = call;
  for (std::size_t i = 0; i < kMostLines; ++i) {
    const std::string text = before + behind;
    const std::vector<std::size_t> calls = calls_around(text, before.size(), function);
    if (calls.size() > 1) return "";
    if (!calls.empty()) return text.substr(calls.front());
    if (at.line <= 1) break;
    --at.line;
    before.insert(0, listing_.line(at) + "\n");
  }
  return "";
}

/// The head of the nearest `def` above that is indented less than the line.
std::string InlinedCalls::definition_text(const Place& inside) const {
  Place at = inside;
  std::size_t indent = indent_of(listing_.line(at));
  while (at.line > 1 && indent > 0) {
    --at.line;
    const std::string line = listing_.line(at);
    const std::string_view text = trimmed(line);
    if (text.empty() || text.starts_with('#') || indent_of(line) >= indent) continue;
    if (!text.starts_with("def ")) {
      if (!text.starts_with(')') && !text.starts_with(']')) indent = indent_of(line);
      continue;
    }
    std::string head(text);
    for (std::size_t i = 1; i < kMostLines; ++i) {
      const std::size_t open = head.find('(');
      if (open == std::string::npos || list_at(head, open)) break;
      ++at.line;
      head += "\n" + listing_.line(at);
    }
    return head;
  }
  return "";
}

const std::vector<PassedParameter>& InlinedCalls::parameters(const Place& inside, const Place& call) const {
  const auto line_of = [](const Place& place) {
    return Line{place.file, std::uint64_t{place.line} << 32 | place.column};
  };
  const auto [known, is_new] = parameters_.try_emplace({line_of(inside), line_of(call)});
  const std::string& function = function_around(inside);
  if (is_new && !function.empty() && call.is_known())
    known->second = match_parameters(call_text(call, function), definition_text(inside));
  return known->second;
}

const std::string& InlinedCalls::function_around(const Place& place) const {
  const auto [known, is_new] = functions_.try_emplace(Line{place.file, place.line});
  if (is_new && place.is_known()) {
    const std::string head = definition_text(place);
    known->second = name_before(head, std::min(head.find('('), head.size()));
  }
  return known->second;
}

/// Calls visit(point, frame) for the first statement of each frame below a call, once for each way that leads to it.
template <typename Visit>
void InlinedCalls::for_each_entry(Visit&& visit) const {
  using Way = std::vector<std::tuple<std::string, std::uint32_t, std::uint32_t>>;
  std::set<std::pair<std::uint32_t, Way>> entered;
  for (const Point& point : kernel_.points()) {
    if (!point.is_statement) continue;
    Way way;
    for (std::size_t frame = point.frames.size(); frame-- > 1;) {
      const Place& call = point.frames[frame];
      if (!call.is_known()) break;
      way.emplace_back(*call.file, call.line, call.column);
      if (entered.emplace(point.activation, way).second) visit(point, frame - 1);
    }
  }
}

std::vector<Breakpoint::At> InlinedCalls::entries(std::string_view function) const {
  std::vector<Breakpoint::At> found;
  for_each_entry([&](const Point& point, std::size_t frame) {
    if (function_around(point.frames[frame]) == function) found.push_back({point.number, frame});
  });
  return found;
}

std::vector<std::string> InlinedCalls::functions() const {
  std::set<std::string> names;
  for_each_entry([&](const Point& point, std::size_t frame) { names.insert(function_around(point.frames[frame])); });
  names.erase("");
  return {names.begin(), names.end()};
}

}  // namespace lockstep::debugger
