// Commands that show values, once or after every stop.
#include <algorithm>

#include "debugger/session/overview.h"
#include "debugger/session/padding_text.h"
#include "debugger/session/summary.h"
#include "debugger/terminal/commands/families.h"
#include "debugger/terminal/inspect.h"

namespace lockstep::debugger {

namespace {

Problem problem_in(const ExpressionError& error) { return {error.message, ""}; }

/// After the summary of a variable: its padding lanes. "": none, or unknown.
std::string padding_text(Session& session, std::string_view name, std::int64_t lanes) {
  if (session.engine().point() == nullptr) return "";
  const Frame frame = session.frame();
  const auto variable = name.starts_with('%') ? frame.find_ssa(name) : frame.find(name);
  if (!variable || variable->is_argument) return "";
  const auto flow = session.padding().now();
  if (!flow || *flow == nullptr) return "";
  const PaddingCounts counts = (*flow)->count_all((*flow)->of(variable->slot), lanes);
  return counts.padding() == 0 ? "" : "\npadding: " + origins_text(counts, session.scope());
}

// ---- values ----

Done print(CommandContext& in, std::string_view words,
           const std::function<Expected<std::string, std::string>(const Value&)>& text) {
  if (words.empty()) return Unexpected{Problem{"print what?", "print acc[0,:8], pt out, px x[0]"}};
  const auto value = evaluate(words, in.session.scope());
  if (!value) return Unexpected{problem_in(value.error())};
  const auto shown = text(*value);
  if (!shown) return Unexpected{Problem{shown.error(), ""}};
  in.screen.line(*shown);
  return {};
}

Done do_print_bits(CommandContext& in, std::string_view words) {
  return print(in, words, [&](const Value& value) { return show_bits(value, in.session.scope()); });
}

/// One line for few elements, else statistics and the ends of the tile.
Done do_print(CommandContext& in, std::string_view words) {
  if (words.starts_with("/x") || words.starts_with("/t")) return do_print_bits(in, trimmed(words.substr(2)));
  return print(in, words, [&](const Value& value) -> Expected<std::string, std::string> {
    const std::string head = std::string(words) + " = ";
    if (const auto narrowed = at_lane(in, value))
      return std::string(words) + index_text(in.state.lane) + " = " + brief_text(*narrowed, in.session.scope());
    const std::int64_t count = element_count(shape_of(value));
    constexpr std::int64_t kOneLine = 8;
    if (count <= kOneLine)
      return head + debugger::show_line(value, in.session.scope(), in.screen.width()) +
             padding_text(in.session, words, count);
    TableOptions options;
    options.width = in.screen.width();
    options.threshold = 64;
    const auto table = show_table(value, in.session.scope(), options);
    if (!table) return table;
    return head + show_summary(value, in.session.scope()) + padding_text(in.session, words, count) + "\n" + *table;
  });
}

Done do_print_table(CommandContext& in, std::string_view words) {
  return print(in, words, [&](const Value& value) {
    TableOptions options;
    options.width = in.screen.width();
    return show_table(value, in.session.scope(), options);
  });
}

Done do_print_histogram(CommandContext& in, std::string_view words) {
  return print(in, words, [&](const Value& value) {
    HistogramOptions options;
    options.width = static_cast<int>(std::min<std::size_t>(40, in.screen.width() / 2));
    return show_histogram(value, in.session.scope(), options);
  });
}

Done do_display(CommandContext& in, std::string_view words) {
  if (words.empty()) {
    show_displays(in);
    return {};
  }
  const auto parsed = parse_expression(words);
  if (!parsed) return Unexpected{problem_in(parsed.error())};
  in.state.displays.push_back({in.state.next_display++, std::string(words)});
  const CommandState::Display& display = in.state.displays.back();
  const auto value = evaluate(words, in.session.scope());
  in.screen.line(std::to_string(display.id) + ": " + display.expression + " = " +
                 (value ? shown(in, *value) : "<" + value.error().message + ">"));
  return {};
}

Done do_undisplay(CommandContext& in, std::string_view words) {
  if (words.empty()) {
    in.state.displays.clear();
    return {};
  }
  const auto id = parse_number(words);
  const auto removed =
      std::erase_if(in.state.displays, [&](const CommandState::Display& display) { return id && display.id == *id; });
  if (removed == 0)
    return Unexpected{Problem{"there is no display '" + std::string(words) + "'", "`display` lists them"}};
  return {};
}

}  // namespace

CommandRows value_commands() {
  static constexpr Command kRows[] = {
      {"print", "p", "print EXPRESSION", "a value: acc, acc[0,:8], out[17,3], max(abs(a - b)), mask.count",
       CommandGroup::looking, do_print},
      {"pt", "", "pt EXPRESSION", "as a table", CommandGroup::looking, do_print_table},
      {"ph", "", "ph EXPRESSION", "as a histogram", CommandGroup::looking, do_print_histogram},
      {"px", "", "px EXPRESSION", "as bits", CommandGroup::looking, do_print_bits},
      {"display", "", "display [EXPRESSION]", "print it after every stop", CommandGroup::looking, do_display},
      {"undisplay", "", "undisplay [ID]", "no more", CommandGroup::looking, do_undisplay},
  };
  return kRows;
}

}  // namespace lockstep::debugger
