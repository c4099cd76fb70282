#include "debugger/session/inlined_calls.h"

#include <algorithm>
#include <set>
#include <tuple>

#include "debugger/session/python_text.h"
#include "support/ascii.h"

namespace lockstep::debugger {

namespace {

constexpr std::size_t kMostCallLines = 64;  // of one call or one definition's head

/// What stands between two commas of a list. Comments are not among the words.
struct Item {
  std::string words;
  std::size_t begin = 0, end = 0;  // in the text
};

/// What is between the parenthesis at `open` and its partner, cut at commas; nullopt: it has no partner.
std::optional<std::vector<Item>> list_at(std::string_view text, std::size_t open) {
  std::vector<Item> items(1);
  int depth = 0;
  for (std::size_t i = open; i < text.size(); ++i) {
    const char c = text[i];
    items.back().end = i;
    if (c == '"' || c == '\'') {
      const std::size_t end = end_of_string(text, i);
      items.back().words += text.substr(i, end - i);
      i = end - 1;
      continue;
    }
    if (c == '#') {
      i = std::min(text.find('\n', i), text.size()) - 1;
      continue;
    }
    if (c == '(' || c == '[' || c == '{') {
      if (++depth == 1) {
        items.back().begin = i + 1;
        continue;
      }
    } else if (c == ')' || c == ']' || c == '}') {
      if (--depth == 0) {
        if (trimmed(items.back().words).empty()) items.pop_back();  // no item, or behind a last comma
        return items;
      }
    } else if (c == ',' && depth == 1) {
      items.push_back({"", i + 1, i + 1});
      continue;
    }
    items.back().words += c == '\n' ? ' ' : c;
  }
  return std::nullopt;
}

struct Formal {
  std::string name, words;  // words: its default; empty: none
  bool is_keyword_only = false;
};

/// nullopt: collects arguments (*args), which this does not follow.
std::optional<std::vector<Formal>> formals_of(const std::vector<Item>& items) {
  std::vector<Formal> formals;
  bool is_keyword_only = false;
  for (const Item& item : items) {
    std::string_view text = trimmed(item.words);
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

/// Which of the items each formal gets; nullopt for one: its default. nullopt: they don't fit.
std::optional<std::vector<std::optional<std::size_t>>> assign(const std::vector<Item>& items,
                                                              const std::vector<Formal>& formals) {
  std::vector<std::optional<std::size_t>> given(formals.size());
  std::size_t next = 0;
  for (std::size_t i = 0; i < items.size(); ++i) {
    const std::string_view text = trimmed(items[i].words);
    if (text.empty() || text.starts_with('*')) return std::nullopt;
    const std::size_t equals = sign_of(text, '=');
    std::size_t at = next;
    if (equals != std::string_view::npos) {
      const std::string_view name = trimmed(text.substr(0, equals));
      const auto known =
          std::find_if(formals.begin(), formals.end(), [&](const Formal& formal) { return formal.name == name; });
      at = static_cast<std::size_t>(known - formals.begin());
    } else if (next >= formals.size() || formals[next++].is_keyword_only) {
      return std::nullopt;
    }
    if (at >= formals.size() || given[at]) return std::nullopt;
    given[at] = i;
  }
  return given;
}

/// A parameter with where its argument's expression stands in the text of the call.
struct Matched {
  PassedParameter passed;
  std::size_t begin = 0, end = 0;  // empty: not passed
};

Matched matched(const Formal& formal, const Item& item, std::string_view call) {
  const std::string_view words = item.words;
  const std::size_t equals = sign_of(words, '=');
  const bool is_named = equals != std::string_view::npos;
  const std::string_view raw = call.substr(item.begin, item.end - item.begin);
  const std::size_t begin = is_named ? item.begin + raw.find('=') + 1 : item.begin;
  return {
      {formal.name, std::string(trimmed(is_named ? words.substr(equals + 1) : words)), false}, begin, item.end};
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
    if (c == '"' || c == '\'')
      i = end_of_string(text, i) - 1;
    else if (c == '#')
      i = std::min(text.find('\n', i), text.size()) - 1;
    else if (c == '(' || c == '[' || c == '{')
      open.push_back(i);
    else if ((c == ')' || c == ']' || c == '}') && !open.empty())
      open.pop_back();
  }
  std::vector<std::size_t> calls;
  for (const std::size_t at : open) {
    if (text[at] == '(' && name_before(text, at) == function) calls.push_back(at - function.size());
  }
  std::size_t end = position;
  while (end < text.size() && (is_name_part(text[end]) || text[end] == '.')) ++end;
  if (end < text.size() && text[end] == '(' && name_before(text, end) == function)
    calls.push_back(end - function.size());
  return calls;
}

/// `offset` bytes behind the beginning of a text that stands at `begin`.
Spot spot_in(Spot begin, std::string_view text, std::size_t offset) {
  const std::string_view before = text.substr(0, offset);
  const auto lines = static_cast<Spot>(std::count(before.begin(), before.end(), '\n'));
  if (lines == 0) return begin + offset;
  return ((begin >> 32) + lines) << 32 | (offset - before.rfind('\n') - 1);
}

/// Empty where they don't fit.
std::vector<Matched> match(std::string_view call, std::string_view definition) {
  const std::size_t call_open = call.find('('), open = definition.find('(');
  if (call_open == std::string_view::npos || open == std::string_view::npos) return {};
  const bool is_plain = std::all_of(call.begin(), call.begin() + static_cast<std::ptrdiff_t>(call_open),
                                    [](char c) { return is_name_part(c) || c == '.'; });
  if (!is_plain || name_before(call, call_open) != name_before(definition, open)) return {};
  const auto items = list_at(call, call_open), heads = list_at(definition, open);
  const auto formals = heads ? formals_of(*heads) : std::nullopt;
  const auto given = items && formals ? assign(*items, *formals) : std::nullopt;
  if (!given) return {};
  std::vector<Matched> all;
  for (std::size_t i = 0; i < formals->size(); ++i) {
    const Formal& formal = (*formals)[i];
    if (!(*given)[i] && formal.words.empty()) return {};
    all.push_back((*given)[i] ? matched(formal, (*items)[*(*given)[i]], call)
                              : Matched{{formal.name, formal.words, true}, 0, 0});
    if (all.back().passed.words.empty()) return {};
  }
  return all;
}

std::size_t indentation(std::string_view line) {
  const std::size_t at = line.find_first_not_of(" \t");
  return at == std::string_view::npos ? line.size() : at;
}

}  // namespace

std::vector<PassedParameter> match_parameters(std::string_view call, std::string_view definition) {
  std::vector<PassedParameter> passed;
  for (Matched& one : match(call, definition)) passed.push_back(std::move(one.passed));
  return passed;
}

InlinedCalls::InlinedCalls(const DebugKernel& kernel, const Listing& listing)
    : kernel_(kernel), listing_(listing), values_(std::make_unique<SourceValues>(kernel, listing)) {}

InlinedCalls::~InlinedCalls() = default;

std::vector<std::pair<const ir::Value*, Definitions::Result>> InlinedCalls::unpacked() { return values_->unpacked(); }

std::vector<Definitions::Renaming> InlinedCalls::renamings() const { return values_->renamings(); }

std::vector<const ir::Value*> InlinedCalls::offsets() const { return values_->offsets(); }

/// Triton's location of a call is that of what it evaluated last: one of the arguments, or the name where there are
/// none. Empty: no call of the function is around it, or more than one.
InlinedCalls::CallText InlinedCalls::call_text(const Place& call, std::string_view function) const {
  Place at = call;
  std::string before = listing_.line(call).substr(0, call.column), behind = listing_.line(call);
  behind.erase(0, std::min<std::size_t>(call.column, behind.size()));
  for (std::size_t i = 1; i < kMostCallLines; ++i) {
    ++at.line;
    behind += "\n" + listing_.line(at);
  }
  at = call;
  for (std::size_t i = 0; i < kMostCallLines; ++i) {
    const std::string text = before + behind;
    const std::vector<std::size_t> calls = calls_around(text, before.size(), function);
    if (calls.size() > 1) return {};
    if (!calls.empty()) return {text.substr(calls.front()), spot_in(spot_at(at.line, 0), text, calls.front())};
    if (at.line <= 1) break;
    --at.line;
    before.insert(0, listing_.line(at) + "\n");
  }
  return {};
}

/// The head of the nearest `def` above that is indented less than the line.
std::string InlinedCalls::definition_text(const Place& inside) const {
  Place at = inside;
  std::size_t indent = indentation(listing_.line(at));
  while (at.line > 1 && indent > 0) {
    --at.line;
    const std::string line = listing_.line(at);
    const std::string_view text = trimmed(line);
    if (text.empty() || text.starts_with('#') || indentation(line) >= indent) continue;
    if (!text.starts_with("def ")) {
      if (!text.starts_with(')') && !text.starts_with(']')) indent = indentation(line);
      continue;
    }
    std::string head(text);
    for (std::size_t i = 1; i < kMostCallLines; ++i) {
      const std::size_t open = head.find('(');
      if (open == std::string::npos || list_at(head, open)) break;
      ++at.line;
      head += "\n" + listing_.line(at);
    }
    return head;
  }
  return "";
}

const InlinedCalls::Passed& InlinedCalls::passed(const Place& inside, const Place& call) const {
  const auto line_of = [](const Place& place) {
    return Line{place.file, std::uint64_t{place.line} << 32 | place.column};
  };
  const auto [known, is_new] = passed_.try_emplace({line_of(inside), line_of(call)});
  const std::string& function = function_around(inside);
  if (!is_new || function.empty() || !call.is_known()) return known->second;
  const CallText text = call_text(call, function);
  for (Matched& one : match(text.words, definition_text(inside))) {
    known->second.parameters.push_back(std::move(one.passed));
    known->second.spans.push_back(
        {spot_in(text.begin, text.words, one.begin), spot_in(text.begin, text.words, one.end)});
  }
  return known->second;
}

const std::vector<PassedParameter>& InlinedCalls::parameters(const Place& inside, const Place& call) const {
  return passed(inside, call).parameters;
}

const ir::Value* InlinedCalls::argument(const Point& point, std::size_t level, std::size_t number) const {
  if (level + 1 >= point.frames.size()) return nullptr;
  const auto& spans = passed(point.frames[level], point.frames[level + 1]).spans;
  const Activation& running = kernel_.activations()[point.activation];
  const std::size_t outer = running.caller >= 0 ? kernel_.points()[running.call_point].frames.size() : 0;
  if (number >= spans.size() || spans[number].begin == spans[number].end || level + 1 + outer >= point.frames.size())
    return nullptr;
  return values_->argument(spans[number], {point.frames.begin() + static_cast<std::ptrdiff_t>(level) + 1,
                                           point.frames.end() - static_cast<std::ptrdiff_t>(outer)});
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
