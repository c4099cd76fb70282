#include "debugger/session/statements.h"

#include <algorithm>
#include <utility>

#include "debugger/session/python_text.h"
#include "support/ascii.h"

namespace lockstep::debugger {

namespace {

/// The text at its own length, with blanks for comments and for ends of lines that end no statement, so that each
/// remaining line is one.
std::string joined_lines(std::string_view text) {
  std::string joined(text);
  int depth = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '"' || c == '\'') {
      const std::size_t end = end_of_string(text, i);
      std::replace(joined.begin() + static_cast<std::ptrdiff_t>(i), joined.begin() + static_cast<std::ptrdiff_t>(end),
                   '\n', ' ');
      i = end - 1;
    } else if (c == '#') {
      for (; i < text.size() && text[i] != '\n'; ++i) joined[i] = ' ';
      if (i < text.size() && depth > 0) joined[i] = ' ';
    } else if (c == '(' || c == '[' || c == '{') {
      ++depth;
    } else if (c == ')' || c == ']' || c == '}') {
      depth = std::max(0, depth - 1);
    } else if (c == '\n' && depth > 0) {
      joined[i] = ' ';
    } else if (c == '\\' && text.substr(i + 1, 1) == "\n") {
      joined[i] = joined[i + 1] = ' ';
    }
  }
  return joined;
}

struct Range {
  std::size_t begin = 0, end = 0;
  bool is_empty() const { return begin >= end; }
};

/// One text, read once.
class Reader {
 public:
  explicit Reader(std::string_view text) : text_(joined_lines(text)) {
    for (std::size_t i = 0; i < text.size(); ++i) {
      if (text[i] == '\n') line_starts_.push_back(i + 1);
    }
  }

  void read(std::vector<Unpacking>& unpackings, std::vector<Advance>& advances, std::vector<Renaming>& renamings,
            std::vector<SourceFunction>& functions) {
    std::vector<std::pair<std::size_t, std::size_t>> open;    // indent, function
    std::vector<std::pair<std::size_t, std::size_t>> blocks;  // indent, renaming: those that hold
    for (std::size_t begin = 0; begin < text_.size();) {
      const std::size_t end = std::min(text_.find('\n', begin), text_.size());
      const Range line = trimmed_range({begin, end});
      const std::size_t indent = line.begin - begin;
      begin = end + 1;
      if (line.is_empty()) continue;
      while (!open.empty() && indent <= open.back().first) open.pop_back();
      for (const auto& [around, function] : open) functions[function].last_line = line_of(line.end - 1);
      std::erase_if(blocks, [&](const auto& one) { return indent < one.first; });
      for (const auto& [around, renaming] : blocks) renamings[renaming].last_line = line_of(line.end - 1);
      const std::string_view words = words_of(line);
      if (words.starts_with("def ")) {
        const std::string_view name = trimmed(words.substr(4, words.find('(') - 4));
        open.emplace_back(indent, functions.size());
        functions.push_back({std::string(name), line_of(line.begin), line_of(line.end - 1), {}});
      } else if (words.starts_with("return ") || words.starts_with("return(")) {
        if (!open.empty()) functions[open.back().second].returns.push_back(expression({line.begin + 6, line.end}));
      } else {
        const std::size_t known = renamings.size();
        read_renamings(line, renamings);
        for (std::size_t i = known; i < renamings.size(); ++i) blocks.emplace_back(indent, i);
        read_advance(line, advances);
        read_assignment(line, unpackings);
      }
    }
  }

 private:
  std::string_view words_of(Range range) const {
    return std::string_view(text_).substr(range.begin, range.end - range.begin);
  }
  Range trimmed_range(Range range) const {
    const auto is_blank = [](char c) { return c == ' ' || c == '\t' || c == '\r'; };
    while (!range.is_empty() && is_blank(text_[range.begin])) ++range.begin;
    while (!range.is_empty() && is_blank(text_[range.end - 1])) --range.end;
    return range;
  }
  std::uint32_t line_of(std::size_t at) const {
    const auto next = std::upper_bound(line_starts_.begin(), line_starts_.end(), at);
    return static_cast<std::uint32_t>(next - line_starts_.begin());
  }
  Spot spot(std::size_t at) const {
    const std::uint32_t line = line_of(at);
    return spot_at(line, static_cast<std::uint32_t>(at - line_starts_[line - 1]));
  }

  /// Between commas outside of brackets and strings; a comma at the end ends nothing.
  std::vector<Range> parts(Range range) const {
    std::vector<Range> found;
    const std::string_view words = words_of(range);
    std::size_t begin = 0;
    for (;;) {
      const std::size_t comma = sign_of(words.substr(begin), ',');
      const std::size_t end = comma == std::string_view::npos ? words.size() : begin + comma;
      const Range part = trimmed_range({range.begin + begin, range.begin + end});
      if (end < words.size() || !part.is_empty()) found.push_back(part);
      if (end == words.size()) return found;
      begin = end + 1;
    }
  }
  /// Without parentheses (or brackets) around all of it.
  Range unwrapped(Range range, std::string_view brackets) const {
    range = trimmed_range(range);
    const std::string_view words = words_of(range);
    if (words.empty() || brackets.find(words.front()) == std::string_view::npos) return range;
    return end_of_bracket(words, 0) == words.size() ? trimmed_range({range.begin + 1, range.end - 1}) : range;
  }

  SourceExpression expression(Range range) const {
    range = unwrapped(range, "(");
    SourceExpression made = plain_expression(range);
    const std::vector<Range> items = parts(range);
    if (items.size() > 1) {
      for (const Range& item : items) made.items.push_back(plain_expression(item));
    }
    return made;
  }
  SourceExpression plain_expression(Range range) const {
    return {{spot(range.begin), spot(std::max(range.begin, range.end - 1)) + 1}, std::string(words_of(range)), {}};
  }

  void read_renamings(Range line, std::vector<Renaming>& renamings) const {
    const std::string_view words = words_of(line);
    const std::size_t sign = sign_of(words, '=');
    if (sign == std::string_view::npos || sign_of(words, ';') != std::string_view::npos) return;
    const std::vector<Range> targets = parts(unwrapped({line.begin, line.begin + sign}, "(["));
    const std::vector<Range> sources = parts(unwrapped({line.begin + sign + 1, line.end}, "("));
    for (std::size_t i = 0; targets.size() == sources.size() && i < targets.size(); ++i) {
      const std::string_view target = words_of(targets[i]), source = words_of(sources[i]);
      if (is_plain_name(target) && is_plain_name(source))
        renamings.push_back({std::string(target), std::string(source), line_of(line.begin), line_of(line.end - 1)});
    }
  }

  void read_advance(Range line, std::vector<Advance>& advances) const {
    const std::string_view words = words_of(line);
    const std::size_t sign = sign_of(words, '=');
    if (sign == std::string_view::npos || sign == 0) return;
    const auto is_sum = [](char c) { return c == '+' || c == '-'; };
    const std::string_view value = trimmed(words.substr(sign + 1));
    const std::string_view target = trimmed(words.substr(0, sign - (is_sum(words[sign - 1]) ? 1 : 0)));
    if (!is_plain_name(target)) return;
    const std::string_view behind = value.starts_with(target) ? trimmed(value.substr(target.size())) : "";
    if (is_sum(words[sign - 1]) || (!behind.empty() && is_sum(behind.front())))
      advances.push_back({std::string(target), plain_expression(line).span});
  }

  void read_assignment(Range line, std::vector<Unpacking>& unpackings) const {
    const std::string_view words = words_of(line);
    const std::size_t sign = sign_of(words, '=');
    if (sign == std::string_view::npos || sign == 0 || sign_of(words, ';') != std::string_view::npos) return;
    if (std::string_view("+-*/%&|^@").find(words[sign - 1]) != std::string_view::npos) return;
    const Range value = trimmed_range({line.begin + sign + 1, line.end});
    if (value.is_empty() || sign_of(words_of(value), '=') != std::string_view::npos) return;
    const std::vector<Range> targets = parts(unwrapped({line.begin, line.begin + sign}, "(["));
    if (targets.size() < 2) return;
    Unpacking made{{}, expression(value)};
    for (const Range& target : targets) {
      const std::string_view name = words_of(target);
      if (name.starts_with('*')) return;
      made.targets.emplace_back(is_plain_name(name) ? name : "");
    }
    unpackings.push_back(std::move(made));
  }

  const std::string text_;
  std::vector<std::size_t> line_starts_{0};
};

}  // namespace

Statements::Statements(std::string_view text) { Reader(text).read(unpackings_, advances_, renamings_, functions_); }

const Unpacking* Statements::unpacking_at(Spot spot) const {
  const auto next = std::upper_bound(unpackings_.begin(), unpackings_.end(), spot,
                                     [](Spot at, const Unpacking& one) { return at < one.value.span.begin; });
  if (next == unpackings_.begin() || !std::prev(next)->value.span.holds(spot)) return nullptr;
  return &*std::prev(next);
}

const Advance* Statements::advance_at(Spot spot) const {
  const auto next = std::upper_bound(advances_.begin(), advances_.end(), spot,
                                     [](Spot at, const Advance& one) { return at < one.span.begin; });
  if (next == advances_.begin() || !std::prev(next)->span.holds(spot)) return nullptr;
  return &*std::prev(next);
}

const SourceFunction* Statements::function_at(Spot spot) const {
  const auto line = static_cast<std::uint32_t>(spot >> 32);
  const SourceFunction* found = nullptr;  // the last one that begins before it is the innermost
  for (const SourceFunction& one : functions_) {
    if (one.first_line <= line && line <= one.last_line) found = &one;
  }
  return found;
}

std::string_view called_name(std::string_view words) {
  const std::size_t open = words.find('(');
  if (open == std::string_view::npos || open == 0 || end_of_bracket(words, open) != words.size()) return "";
  const std::string_view name = words.substr(0, open);
  const bool is_name = std::all_of(name.begin(), name.end(), [](char c) { return is_name_part(c) || c == '.'; });
  return is_name ? name : "";
}

bool is_plain_name(std::string_view words) {
  return !words.empty() && std::all_of(words.begin(), words.end(), is_name_part) &&
         !(words.front() >= '0' && words.front() <= '9') && words != "None" && words != "True" && words != "False";
}

}  // namespace lockstep::debugger
