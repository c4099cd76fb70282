#include "sanitizer/triage/source_change.h"

#include <algorithm>
#include <cctype>

#include "findings/places.h"

namespace lockstep::sanitizer {

namespace {

constexpr std::size_t kMostOfACall = 4096;  // bytes
constexpr std::size_t kMostLines = 12;      // of a diff

bool is_name_part(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }
bool opens(char c) { return c == '(' || c == '[' || c == '{'; }
bool closes(char c) { return c == ')' || c == ']' || c == '}'; }
bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

/// The position after the string or comment that begins at `at`; `at`: none does.
std::size_t behind_quoted(std::string_view source, std::size_t at) {
  const char quote = source[at];
  if (quote == '#') return std::min(source.find('\n', at), source.size());
  if (quote != '"' && quote != '\'') return at;
  const bool is_long = source.substr(at, 3) == std::string(3, quote);
  const std::string end(is_long ? 3 : 1, quote);
  for (std::size_t i = at + end.size(); i < source.size(); ++i) {
    if (source[i] == '\\') {
      ++i;
    } else if (source.substr(i, end.size()) == end) {
      return i + end.size();
    }
  }
  return source.size();
}

/// Calls body(offset, depth) for each character outside strings and comments, until body returns false. An opening
/// bracket has the depth outside of it, and so has a closing one.
template <typename Body>
void for_each_sign(std::string_view source, std::size_t at, Body&& body) {
  int depth = 0;
  const std::size_t end = std::min(source.size(), at + kMostOfACall);
  while (at < end) {
    if (const std::size_t behind = behind_quoted(source, at); behind != at) {
      at = behind;
      continue;
    }
    if (closes(source[at])) --depth;
    if (!body(at, depth)) return;
    if (opens(source[at])) ++depth;
    ++at;
  }
}

/// The '=' there is one of "==", "<=", ">=", "!=".
bool compares_at(std::string_view source, std::size_t sign) {
  const bool ends = sign > 0 && std::string_view("=<>!").find(source[sign - 1]) != std::string_view::npos;
  return ends || (sign + 1 < source.size() && source[sign + 1] == '=');
}

/// Without blanks and comments at its ends.
TextSpan trimmed_span(std::string_view source, TextSpan span) {
  const std::string_view text = source.substr(0, span.end);
  std::size_t at = span.begin;
  while (at < span.end && (is_blank(text[at]) || text[at] == '#')) at = text[at] == '#' ? behind_quoted(text, at) : at + 1;
  TextSpan kept{at, at};
  while (at < span.end) {
    const std::size_t behind = behind_quoted(text, at);
    const bool counts = text[at] != '#' && !is_blank(text[at]);
    at = behind != at ? behind : at + 1;
    if (counts) kept.end = at;
  }
  return kept;
}

CallText::Argument argument_of(std::string_view source, TextSpan span) {
  span = trimmed_span(source, span);
  std::size_t at = span.begin;
  while (at < span.end && is_name_part(source[at])) ++at;
  const std::size_t end_of_name = at;
  while (at < span.end && is_blank(source[at])) ++at;
  const bool is_keyword = end_of_name > span.begin && at + 1 < span.end && source[at] == '=' && source[at + 1] != '=';
  if (!is_keyword) return {{}, span};
  return {source.substr(span.begin, end_of_name - span.begin), trimmed_span(source, {at + 1, span.end})};
}

}  // namespace

const CallText::Argument* CallText::find(std::string_view keyword, std::size_t position) const {
  for (const Argument& one : arguments) {
    if (one.keyword == keyword) return &one;
  }
  return position < arguments.size() && arguments[position].keyword.empty() ? &arguments[position] : nullptr;
}

std::optional<CallText> call_at(std::string_view source, std::size_t at) {
  CallText call;
  call.callee = {at, at};
  while (call.callee.end < source.size() && (is_name_part(source[call.callee.end]) || source[call.callee.end] == '.'))
    ++call.callee.end;
  if (call.callee.end == at || call.callee.end >= source.size() || source[call.callee.end] != '(') return std::nullopt;
  std::size_t begin = call.callee.end + 1;
  for_each_sign(source, call.callee.end, [&](std::size_t i, int depth) {
    const bool is_end = depth == 0 && closes(source[i]);
    if (is_end || (depth == 1 && source[i] == ',')) {
      const TextSpan whole = trimmed_span(source, {begin, i});
      if (whole.begin < whole.end) call.arguments.push_back(argument_of(source, whole));
      begin = i + 1;
    }
    if (is_end) call.close = i;
    return !is_end;
  });
  return call.close != 0 ? std::optional(call) : std::nullopt;
}

std::optional<CallText> call_around(std::string_view source, std::size_t at,
                                    const std::vector<std::string_view>& names) {
  const auto is_wanted = [&](std::string_view callee) {
    const std::size_t dot = callee.rfind('.');
    const std::string_view last = callee.substr(dot == std::string_view::npos ? 0 : dot + 1);
    return std::any_of(names.begin(), names.end(), [&](std::string_view name) {
      return name.ends_with('*') ? last.starts_with(name.substr(0, name.size() - 1)) : last == name;
    });
  };
  const std::size_t first = at > kMostOfACall ? at - kMostOfACall : 0;
  for (std::size_t i = at + 1; i-- > first;) {
    const bool begins = is_name_part(source[i]) && (i == 0 || (!is_name_part(source[i - 1]) && source[i - 1] != '.'));
    if (!begins) continue;
    const auto call = call_at(source, i);
    if (call && call->close >= at && is_wanted(call->callee.of(source))) return call;
  }
  return std::nullopt;
}

TextSpan expression_around(std::string_view source, std::size_t at) {
  const auto before = [&](std::size_t i) {
    while (i > 0 && (source[i - 1] == ' ' || source[i - 1] == '\t')) --i;
    return i;
  };
  // "a & (b < c)": the part begins after its bracket, which belongs to it.
  for (std::size_t i = before(at); i > 0 && source[i - 1] == '('; i = before(at)) {
    const std::size_t sign = before(i - 1);
    if (sign == 0 || std::string_view("&|<>=+-*/%").find(source[sign - 1]) == std::string_view::npos) break;
    if (source[sign - 1] == '=' && !compares_at(source, sign - 1)) break;
    at = i - 1;
  }
  std::size_t begin = at;
  for (int depth = 0; begin > 0; --begin) {
    const char c = source[begin - 1];
    if (closes(c)) ++depth;
    if (opens(c) && --depth < 0) break;
    if (depth != 0) continue;
    if (c == ',' || c == '\n') break;
    if (c == '=' && !compares_at(source, begin - 1)) break;
  }
  std::size_t end = at;
  for_each_sign(source, at, [&](std::size_t i, int depth) {
    if (depth < 0 || (depth == 0 && (source[i] == ',' || source[i] == '\n'))) return false;
    end = i + 1;
    return true;
  });
  return trimmed_span(source, {begin, end});
}

std::vector<TextSpan> names_in_statement(std::string_view source, std::size_t at, std::string_view name) {
  std::vector<TextSpan> found;
  if (name.empty()) return found;
  std::size_t begin = at;
  while (begin > 0 && source[begin - 1] != '\n') --begin;
  std::vector<TextSpan> all;
  std::size_t assigned = begin;
  for_each_sign(source, begin, [&](std::size_t i, int depth) {
    if (depth <= 0 && source[i] == '\n') return false;
    const bool is_sign = source[i] == '=' && depth == 0 && assigned == begin && i > begin;
    if (is_sign && std::string_view("=<>!+-*/%&|^@").find(source[i - 1]) == std::string_view::npos &&
        (i + 1 >= source.size() || source[i + 1] != '='))
      assigned = i + 1;
    const bool begins = i == 0 || (!is_name_part(source[i - 1]) && source[i - 1] != '.');
    const std::size_t end = i + name.size();
    const bool ends = end >= source.size() || !is_name_part(source[end]);
    if (begins && ends && source.substr(i, name.size()) == name) all.push_back({i, end});
    return true;
  });
  for (const TextSpan& one : all) {
    if (one.begin >= assigned) found.push_back(one);
  }
  return found;
}

std::string_view assigned_name(std::string_view source, TextSpan expression) {
  std::size_t line = expression.begin;
  while (line > 0 && source[line - 1] != '\n') --line;
  const TextSpan left = trimmed_span(source, {line, expression.begin});
  if (left.begin >= left.end || source[left.end - 1] != '=') return {};
  const std::string_view name = trimmed_span(source, {left.begin, left.end - 1}).of(source);
  return std::all_of(name.begin(), name.end(), is_name_part) ? name : std::string_view();
}

bool needs_brackets(std::string_view source, TextSpan span) {
  while (span.begin > 0 && (source[span.begin - 1] == ' ' || source[span.begin - 1] == '\t')) --span.begin;
  while (span.end < source.size() && (source[span.end] == ' ' || source[span.end] == '\t')) ++span.end;
  const char before = span.begin > 0 ? source[span.begin - 1] : '\n';
  const char behind = span.end < source.size() ? source[span.end] : '\n';
  return std::string_view("*/%@-~&|^<>").find(before) != std::string_view::npos ||
         std::string_view("*/%@[.&|^<>").find(behind) != std::string_view::npos;
}

std::optional<SourcePlace> source_place(Location location) {
  const UserFrame frame = user_frame(location);
  if (frame.user == nullptr || frame.user->line == 0) return std::nullopt;
  const SourceFilePtr file = source_of(frame.user->text);
  if (file == nullptr || frame.user->line > file->line_count()) return std::nullopt;
  if (frame.user->column >= file->line_text(frame.user->line).size()) return std::nullopt;
  return SourcePlace{file, file->line_start(frame.user->line) + frame.user->column};
}

std::string diff_text(std::string_view source, const TextChange& change) {
  const std::size_t before = change.begin == 0 ? std::string_view::npos : source.rfind('\n', change.begin - 1);
  const std::size_t begin = before == std::string_view::npos ? 0 : before + 1;
  const std::size_t end = std::min(source.find('\n', change.end), source.size());
  const std::string old(source.substr(begin, end - begin));
  const std::string made =
      old.substr(0, change.begin - begin) + change.text + std::string(source.substr(change.end, end - change.end));
  if (old == made) return "";
  const std::size_t indent = std::min(old.find_first_not_of(" \t"), old.size());
  std::size_t lines = 0;
  std::string text;
  const auto add = [&](std::string_view sign, std::string_view all) {
    while (!all.empty()) {
      const std::string_view line = all.substr(0, all.find('\n'));
      const std::size_t own = std::min(line.find_first_not_of(" \t"), line.size());
      text += (text.empty() ? "" : "\n") + std::string(sign) + std::string(line.substr(std::min(indent, own)));
      ++lines;
      all = line.size() < all.size() ? all.substr(line.size() + 1) : std::string_view();
    }
  };
  add("- ", old);
  add("+ ", made);
  return lines <= kMostLines ? text : "";
}

}  // namespace lockstep::sanitizer
