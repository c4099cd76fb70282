#include "debugger/terminal/commands/stops.h"

#include <algorithm>

#include "debugger/terminal/commands/families.h"
#include "debugger/terminal/inspect.h"

namespace lockstep::debugger {

namespace {

/// Takes the part after ` WORD `, outside of quotes, off the text.
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
    return Unexpected{Problem{"'" + std::string(word) + "' is not the number of a stop", "`info breaks` lists them"}};
  return static_cast<std::uint32_t>(*id);
}

std::string_view word_of(Watch::Kind kind) {
  switch (kind) {
    case Watch::Kind::read: return "rwatch";
    case Watch::Kind::access: return "awatch";
    default: return "watch";
  }
}

// ---- the stops ----

// ---- breakpoints ----

Done add_break(CommandContext& in, std::string_view words, bool is_temporary) {
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
  if (words.empty() && in.session.engine().point() == nullptr) return Unexpected{Problem{"break where?", "break 14"}};
  const auto where =
      words.empty() ? in.session.resolve(std::to_string(in.session.frame().place().line)) : in.session.resolve(words);
  if (!where) return Unexpected{where.error()};
  const auto id = in.session.stops().add(*where, request);
  if (!id) return Unexpected{id.error()};
  show_stop(in, in.session.stops().all().at(*id));
  return {};
}

Done do_break(CommandContext& in, std::string_view words) { return add_break(in, words, false); }
Done do_tbreak(CommandContext& in, std::string_view words) { return add_break(in, words, true); }

Done do_log(CommandContext& in, std::string_view words) {
  StopRequest request;
  if (has_clause(words, "if")) request.condition = take_clause(words, "if");
  const std::size_t quote = words.find_first_of("\"'");
  if (quote == std::string_view::npos || words.size() < quote + 2 || words.back() != words[quote])
    return Unexpected{Problem{"log needs a place and a text in quotes", "log 14 \"sum is {acc.sum}\""}};
  request.log = std::string(words.substr(quote + 1, words.size() - quote - 2));
  if (request.log.empty()) return Unexpected{Problem{"the text is empty", "log 14 \"sum is {acc.sum}\""}};
  const auto where = in.session.resolve(trimmed(words.substr(0, quote)));
  if (!where) return Unexpected{where.error()};
  const auto id = in.session.stops().add(*where, request);
  if (!id) return Unexpected{id.error()};
  show_stop(in, in.session.stops().all().at(*id));
  return {};
}

Done do_condition(CommandContext& in, std::string_view words) {
  const auto id = id_in(take_word(words));
  if (!id) return Unexpected{id.error()};
  const auto known = in.session.stops().all().find(*id);
  if (known == in.session.stops().all().end())
    return Unexpected{Problem{"there is no breakpoint " + std::to_string(*id), "`info breaks` lists them"}};
  StopRequest request = known->second.request;
  request.condition = std::string(words.starts_with("if ") ? words.substr(3) : words);
  auto done = in.session.stops().change(*id, request);
  if (!done) return done;
  show_stop(in, in.session.stops().all().at(*id));
  return {};
}

Done do_ignore(CommandContext& in, std::string_view words) {
  const auto id = id_in(take_word(words));
  if (!id) return Unexpected{id.error()};
  const auto count = parse_number(words);
  if (!count) return Unexpected{Problem{"ignore needs a number of hits", "ignore 1 5"}};
  auto done = in.session.stops().set_ignore(*id, *count);
  if (!done) return done;
  show_stop(in, in.session.stops().all().at(*id));
  return {};
}

/// For each id, or for all if none is given.
Done for_ids(CommandContext& in, std::string_view words, const std::function<Done(std::uint32_t)>& act) {
  std::vector<std::uint32_t> ids;
  while (!words.empty()) {
    const auto id = id_in(take_word(words));
    if (!id) return Unexpected{id.error()};
    ids.push_back(*id);
  }
  if (ids.empty()) {
    for (const auto& [id, stop] : in.session.stops().all()) ids.push_back(id);
    for (const auto& [id, watch] : in.session.stops().watches()) ids.push_back(id);
  }
  for (const std::uint32_t id : ids) {
    auto done = act(id);
    if (!done) return done;
  }
  return {};
}

Done do_enable(CommandContext& in, std::string_view words) {
  return for_ids(in, words, [&in](std::uint32_t id) { return in.session.stops().enable(id, true); });
}
Done do_disable(CommandContext& in, std::string_view words) {
  return for_ids(in, words, [&in](std::uint32_t id) { return in.session.stops().enable(id, false); });
}
Done do_delete(CommandContext& in, std::string_view words) {
  return for_ids(in, words, [&in](std::uint32_t id) { return in.session.stops().remove(id); });
}

// ---- watches ----

Done add_watch(CommandContext& in, std::string_view words, Watch::Kind kind) {
  const std::string condition = has_clause(words, "if") ? take_clause(words, "if") : "";
  if (words.empty()) return Unexpected{Problem{"watch what?", "watch out[17,3], watch acc[0,0]"}};
  const auto id = in.session.stops().add_watch(words, kind, condition);
  if (!id) return Unexpected{id.error()};
  show_watch(in, in.session.stops().watches().at(*id));
  return {};
}

Done do_watch(CommandContext& in, std::string_view words) { return add_watch(in, words, Watch::Kind::change); }
Done do_rwatch(CommandContext& in, std::string_view words) { return add_watch(in, words, Watch::Kind::read); }
Done do_awatch(CommandContext& in, std::string_view words) { return add_watch(in, words, Watch::Kind::access); }

// ---- catches ----

std::vector<std::string> names_of_filters(const Session&) {
  std::vector<std::string> names;
  for (const CatchFilter& filter : catch_filters()) names.emplace_back(filter.name);
  return names;
}

Done do_catch(CommandContext& in, std::string_view words) {
  if (words.empty()) {
    show_catches(in);
    return {};
  }
  const std::string condition = has_clause(words, "if") ? take_clause(words, "if") : "";
  std::vector<CatchRequest> requests;
  if (words != "off") requests = in.session.caught().requests();
  while (!words.empty() && words != "off") {
    std::string word(take_word(words));
    if (word.ends_with(',')) word.pop_back();
    std::erase_if(requests, [&](const CatchRequest& one) { return one.filter == word; });  // a new condition replaces the old
    requests.push_back({word, condition});
  }
  auto done = in.session.caught().set(requests);
  if (!done) return done;
  show_catches(in);
  return {};
}

}  // namespace

void show_stop(CommandContext& in, const StopFacts& stop) {
  const Breakpoint* breakpoint = in.session.engine().stops().breakpoint(stop.id);
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
  in.screen.line(text);
}

void show_watch(CommandContext& in, const WatchFacts& facts) {
  const Watch* watch = in.session.engine().stops().watch(facts.id);
  if (watch == nullptr) return;
  std::string text = std::to_string(facts.id) + "  " + std::string(word_of(facts.kind)) + "  " + facts.target.text;
  if (!facts.condition.empty()) text += "  if " + facts.condition;
  if (!watch->is_enabled) text += "  disabled";
  if (watch->hits != 0) text += "  hit " + std::to_string(watch->hits) + " times";
  in.screen.line(text);
}

void show_catches(CommandContext& in) {
  if (in.session.caught().requests().empty()) in.screen.line("nothing is caught");
  for (const CatchRequest& request : in.session.caught().requests()) {
    std::string title;
    for (const CatchFilter& filter : catch_filters()) {
      if (filter.name == request.filter) title = std::string(filter.title);
    }
    in.screen.line("catch " + request.filter + (title.empty() ? "" : ": " + title) +
                   (request.condition.empty() ? "" : "  if " + request.condition));
  }
  if (in.session.caught().checked() == nullptr) return;
  in.screen.line("the checkers find " + std::to_string(in.session.caught().placed_count()) +
                 " of these in this launch (`info findings`); `continue` stops there");
  const auto& found = in.session.caught().checked()->findings();
  const auto own = std::count_if(found.begin(), found.end(), [&in](const Finding& one) {
    const auto& all = in.session.caught().requests();
    return is_found_by_running(one.code) && std::any_of(all.begin(), all.end(), [&one](const CatchRequest& request) {
             const auto rule = make_rule(request);
             return rule && rule->wants(one);
           });
  });
  if (own != 0) in.screen.line(std::to_string(own) + " more appear while the launch runs; it stops there by itself");
  if (const std::size_t count = in.session.caught().placeless(); count != 0)
    in.screen.line(std::to_string(count) + (count == 1 ? " more has" : " more have") +
                   " no line to stop at: the report at the end of the launch lists them");
}

std::vector<std::string> places_to_stop(const Session& session) {
  const DebugKernel& kernel = session.engine().kernel();
  std::vector<std::string> names = functions_of(kernel);
  for (std::string& name : session.calls().functions()) names.push_back(std::move(name));
  for (const std::string& loop : loops_of(kernel)) names.push_back("loop:" + loop);
  for (const std::string* file : files_of(kernel)) names.push_back(file_name(*file) + ":");
  for (const Point& point : kernel.points()) names.push_back("op:" + std::string(point.op->spelling()));
  return names;
}

CommandRows stop_commands() {
  static constexpr Command kRows[] = {
      {"break", "b", "break PLACE [if CONDITION] [hits RULE]",
       "stop at a line (14, file.py:14), a function, op:tt.store, loop:k, *17", CommandGroup::stops, do_break, false,
       places_to_stop},
      {"tbreak", "tb", "tbreak PLACE [if CONDITION]", "the same, once", CommandGroup::stops, do_tbreak, false,
       places_to_stop},
      {"log", "", "log PLACE \"text {expression}\" [if CONDITION]", "write a line there instead of stopping",
       CommandGroup::stops, do_log, false, places_to_stop},
      {"condition", "cond", "condition ID [CONDITION]", "change or remove a stop's condition", CommandGroup::stops,
       do_condition},
      {"ignore", "", "ignore ID COUNT", "skip the next hits", CommandGroup::stops, do_ignore},
      {"enable", "", "enable [ID ...]", "enable stops again (none given: all)", CommandGroup::stops, do_enable},
      {"disable", "", "disable [ID ...]", "keep stops, but do not stop there", CommandGroup::stops, do_disable},
      {"delete", "d", "delete [ID ...]", "remove stops (none given: all)", CommandGroup::stops, do_delete},
      {"watch", "", "watch PLACE [if CONDITION]",
       "stop where elements change: out[17,3], out, out[:4], acc[0,0] of this program", CommandGroup::stops, do_watch},
      {"rwatch", "", "rwatch PLACE", "stop where elements of an argument are read", CommandGroup::stops, do_rwatch},
      {"awatch", "", "awatch PLACE", "stop where they are read or written", CommandGroup::stops, do_awatch},
      {"catch", "", "catch [FILTER ... | off] [if CONDITION]",
       "stop where findings first appear: oob, nan, race, ..., all, LS101", CommandGroup::stops, do_catch, false,
       names_of_filters},
  };
  return kRows;
}

}  // namespace lockstep::debugger
