// Commands about stops: breakpoints, log points, watches, catches.
#include <algorithm>

#include "debugger/terminal/terminal.h"

namespace lockstep::debugger {

namespace {

/// What stands behind ` WORD ` outside of quotes, taken off the text.
std::string take_clause(std::string_view& text, std::string_view word) {
  char quote = 0;
  for (std::size_t i = 0; i + word.size() <= text.size(); ++i) {
    const char c = text[i];
    if (quote != 0) {
      if (c == quote) quote = 0;
      continue;
    }
    if (c == '"' || c == '\'') quote = c;
    const bool begins = i == 0 || text[i - 1] == ' ';
    const bool ends = i + word.size() == text.size() || text[i + word.size()] == ' ';
    if (!begins || !ends || text.substr(i, word.size()) != word) continue;
    const std::string clause(trimmed(text.substr(i + word.size())));
    text = trimmed(text.substr(0, i));
    return clause;
  }
  return "";
}

bool has_clause(std::string_view text, std::string_view word) {
  const std::size_t before = text.size();
  take_clause(text, word);
  return text.size() != before;
}

Expected<std::uint32_t, Problem> id_in(std::string_view word) {
  const auto id = parse_number(word);
  if (!id || *id > 0xffffffffU)
    return Unexpected{Problem{"'" + std::string(word) + "' is no number of a stop", "`info breaks` lists them"}};
  return static_cast<std::uint32_t>(*id);
}

std::string_view word_of(Watch::Kind kind) {
  switch (kind) {
    case Watch::Kind::read: return "rwatch";
    case Watch::Kind::access: return "awatch";
    default: return "watch";
  }
}

}  // namespace

// ---- what they are ----

void Terminal::show_stop(const StopFacts& stop) {
  const Breakpoint* breakpoint = session_.engine().breakpoint(stop.id);
  if (breakpoint == nullptr) return;
  std::string text =
      std::to_string(stop.id) + "  " + (stop.request.log.empty() ? "break" : "log") + "  " + stop.where.text;
  if (stop.where.place.is_known() && stop.where.text != place_text(stop.where.place))
    text += "  " + place_text(stop.where.place);
  if (!stop.request.condition.empty()) text += "  if " + stop.request.condition;
  if (!stop.request.hits.empty()) text += "  hits " + stop.request.hits;
  if (!stop.request.log.empty()) text += "  \"" + stop.request.log + "\"";
  if (stop.request.is_temporary) text += "  once";
  if (!breakpoint->is_enabled) text += "  disabled";
  if (breakpoint->ignore != 0) text += "  passes " + std::to_string(breakpoint->ignore) + " more";
  if (breakpoint->hits != 0) text += "  hit " + std::to_string(breakpoint->hits) + " times";
  screen_.line(text);
}

void Terminal::show_watch(const WatchFacts& facts) {
  const Watch* watch = session_.engine().watch(facts.id);
  if (watch == nullptr) return;
  std::string text = std::to_string(facts.id) + "  " + std::string(word_of(facts.kind)) + "  " + facts.target.text;
  if (!facts.condition.empty()) text += "  if " + facts.condition;
  if (!watch->is_enabled) text += "  disabled";
  if (watch->hits != 0) text += "  hit " + std::to_string(watch->hits) + " times";
  screen_.line(text);
}

// ---- breakpoints ----

Terminal::Done Terminal::add_break(Words words, bool is_temporary) {
  StopRequest request;
  request.is_temporary = is_temporary;
  if (has_clause(words, "hits")) {
    request.hits = take_clause(words, "hits");
    std::string_view hits = request.hits;
    const std::string rest = take_clause(hits, "if");
    request.hits = std::string(hits);
    request.condition = rest;
  }
  if (has_clause(words, "if")) {
    request.condition = take_clause(words, "if");
    if (request.condition.empty()) return Unexpected{Problem{"the condition is missing", "break 14 if row == 3"}};
  }
  if (words.empty() && session_.engine().point() == nullptr) return Unexpected{Problem{"break where?", "break 14"}};
  const auto where =
      words.empty() ? session_.resolve(std::to_string(session_.frame().place().line)) : session_.resolve(words);
  if (!where) return Unexpected{where.error()};
  const auto id = session_.add_stop(*where, request);
  if (!id) return Unexpected{id.error()};
  show_stop(session_.stops().at(*id));
  return std::monostate{};
}

Terminal::Done Terminal::do_break(Words words) { return add_break(words, false); }
Terminal::Done Terminal::do_tbreak(Words words) { return add_break(words, true); }

Terminal::Done Terminal::do_log(Words words) {
  StopRequest request;
  if (has_clause(words, "if")) request.condition = take_clause(words, "if");
  const std::size_t quote = words.find_first_of("\"'");
  if (quote == Words::npos || words.size() < quote + 2 || words.back() != words[quote])
    return Unexpected{Problem{"log needs a place and a text in quotes", "log 14 \"sum is {acc.sum}\""}};
  request.log = std::string(words.substr(quote + 1, words.size() - quote - 2));
  if (request.log.empty()) return Unexpected{Problem{"the text is empty", "log 14 \"sum is {acc.sum}\""}};
  const auto where = session_.resolve(trimmed(words.substr(0, quote)));
  if (!where) return Unexpected{where.error()};
  const auto id = session_.add_stop(*where, request);
  if (!id) return Unexpected{id.error()};
  show_stop(session_.stops().at(*id));
  return std::monostate{};
}

Terminal::Done Terminal::do_condition(Words words) {
  const auto id = id_in(take_word(words));
  if (!id) return Unexpected{id.error()};
  const auto known = session_.stops().find(*id);
  if (known == session_.stops().end())
    return Unexpected{Problem{"there is no breakpoint " + std::to_string(*id), "`info breaks` lists them"}};
  StopRequest request = known->second.request;
  request.condition = std::string(words.starts_with("if ") ? words.substr(3) : words);
  auto done = session_.change_stop(*id, request);
  if (!done) return done;
  show_stop(session_.stops().at(*id));
  return std::monostate{};
}

Terminal::Done Terminal::do_ignore(Words words) {
  const auto id = id_in(take_word(words));
  if (!id) return Unexpected{id.error()};
  const auto count = parse_number(words);
  if (!count) return Unexpected{Problem{"ignore needs a number of hits", "ignore 1 5"}};
  auto done = session_.set_ignore(*id, *count);
  if (!done) return done;
  show_stop(session_.stops().at(*id));
  return std::monostate{};
}

/// Of each id, or of all where none is given.
Terminal::Done Terminal::for_ids(Words words, const std::function<Done(std::uint32_t)>& act) {
  std::vector<std::uint32_t> ids;
  while (!words.empty()) {
    const auto id = id_in(take_word(words));
    if (!id) return Unexpected{id.error()};
    ids.push_back(*id);
  }
  if (ids.empty()) {
    for (const auto& [id, stop] : session_.stops()) ids.push_back(id);
    for (const auto& [id, watch] : session_.watches()) ids.push_back(id);
  }
  for (const std::uint32_t id : ids) {
    auto done = act(id);
    if (!done) return done;
  }
  return std::monostate{};
}

Terminal::Done Terminal::do_enable(Words words) {
  return for_ids(words, [this](std::uint32_t id) { return session_.enable(id, true); });
}
Terminal::Done Terminal::do_disable(Words words) {
  return for_ids(words, [this](std::uint32_t id) { return session_.enable(id, false); });
}
Terminal::Done Terminal::do_delete(Words words) {
  return for_ids(words, [this](std::uint32_t id) { return session_.remove(id); });
}

// ---- watches ----

Terminal::Done Terminal::add_watch(Words words, Watch::Kind kind) {
  const std::string condition = has_clause(words, "if") ? take_clause(words, "if") : "";
  if (words.empty()) return Unexpected{Problem{"watch what?", "watch out[17,3], watch acc[0,0]"}};
  const auto id = session_.add_watch(words, kind, condition);
  if (!id) return Unexpected{id.error()};
  show_watch(session_.watches().at(*id));
  return std::monostate{};
}

Terminal::Done Terminal::do_watch(Words words) { return add_watch(words, Watch::Kind::change); }
Terminal::Done Terminal::do_rwatch(Words words) { return add_watch(words, Watch::Kind::read); }
Terminal::Done Terminal::do_awatch(Words words) { return add_watch(words, Watch::Kind::access); }

// ---- catches ----

Terminal::Done Terminal::do_catch(Words words) {
  if (words.empty()) {
    info_catch();
    return std::monostate{};
  }
  const std::string condition = has_clause(words, "if") ? take_clause(words, "if") : "";
  std::vector<CatchRequest> requests;
  if (words != "off") requests = session_.catches();
  while (!words.empty() && words != "off") {
    std::string word(take_word(words));
    if (word.ends_with(',')) word.pop_back();
    requests.push_back({word, condition});
  }
  auto done = session_.catch_findings(requests);
  if (!done) return done;
  info_catch();
  return std::monostate{};
}

}  // namespace lockstep::debugger
