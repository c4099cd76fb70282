// Commands about what the launch costs on a GPU.
#include <algorithm>
#include <cmath>

#include "debugger/session/launch_answers.h"
#include "debugger/session/line_cost.h"
#include "debugger/session/overview.h"
#include "debugger/session/summary.h"
#include "debugger/terminal/commands/families.h"
#include "debugger/terminal/count_text.h"

namespace lockstep::debugger {

namespace {

Done do_lint(CommandContext& in, std::string_view words) {
  if (!words.empty()) return Unexpected{Problem{"lint takes no words", "`cost` and `roofline` take a GPU"}};
  const auto report = lint_launch(in.session);
  if (!report) return Unexpected{report.error()};
  for (const Finding& finding : report->findings()) in.screen.put(render_text(finding, in.screen.has_color()));
  if (report->findings().empty()) in.screen.line("no costs found: `cost` counts all of them");
  return {};
}

constexpr std::size_t kMostOutputLines = 20;  // of `cost`

/// "1.25 M", "512 ": three digits and a prefix.
std::string scaled(double value) {
  constexpr const char* kPrefixes[] = {"", "k", "M", "G", "T", "P"};
  std::size_t prefix = 0;
  while (value >= 999.5 && prefix + 1 < std::size(kPrefixes)) {
    value /= 1000;
    ++prefix;
  }
  return rough(value) + " " + kPrefixes[prefix];
}

std::string percent(double share) { return std::to_string(std::lround(100 * share)) + "%"; }

std::string cost_text(const LineCost& line, double all_seconds) {
  const double used =
      static_cast<double>(line.bytes) / static_cast<double>(std::max<std::uint64_t>(1, 32 * line.sectors));
  return padded(all_seconds > 0 ? percent(line.seconds / all_seconds) : "", 5) +
         padded(line.sectors == 0 ? "" : std::to_string(line.sectors), 10) +
         padded(line.sectors == 0 ? "" : scaled(static_cast<double>(line.bytes)) + "B", 10) +
         padded(line.sectors == 0 ? "" : percent(used), 6) + padded(line.flops == 0 ? "" : scaled(line.flops), 9) +
         padded(std::to_string(line.executions), 8);
}

Done do_cost(CommandContext& in, std::string_view words) {
  const auto cost = launch_cost(in.session, words);
  if (!cost) return Unexpected{cost.error()};
  std::vector<LineCost> lines = costs_by_line(*cost, in.session.engine().kernel());
  std::stable_sort(lines.begin(), lines.end(), [](const LineCost& a, const LineCost& b) {
    return a.seconds != b.seconds ? a.seconds > b.seconds : a.executions > b.executions;
  });
  LineCost all, rest;
  std::size_t shown = 0;
  for (const LineCost& line : lines) {
    all.add(line);
    if (line.seconds > 0 && shown < kMostOutputLines) ++shown;
  }
  for (std::size_t i = shown; i < lines.size(); ++i) rest.add(lines[i]);
  const auto row = [&](const LineCost& line, const std::string& where) {
    in.screen.line(in.screen.cut(cost_text(line, all.seconds) + "  " + where));
  };
  in.screen.line(in.screen.ink(Ink::strong, " time   sectors     bytes  used     flop     ops  line"));
  for (std::size_t i = 0; i < shown; ++i) {
    const Place& place = lines[i].place;
    const std::string text = in.session.listing().line(place);
    const std::string_view code = trimmed(text);
    row(lines[i],
        (place.is_known() ? place_text(place) : "no line is known") + (code.empty() ? "" : "  ") + std::string(code));
  }
  if (shown < lines.size()) row(rest, counted(lines.size() - shown, shown == 0 ? "line" : "other line"));
  row(all, "all");
  in.screen.line("time: the sectors and flops at the rates of " + cost->gpu +
                 "'s data sheet, one after the other");
  return {};
}

Done do_roofline(CommandContext& in, std::string_view words) {
  const auto cost = launch_cost(in.session, words);
  if (!cost) return Unexpected{cost.error()};
  in.screen.line(cost->roofline);
  return {};
}

}  // namespace

CommandRows cost_commands() {
  static constexpr Command kRows[] = {
      {"lint", "", "lint", "what costs time on a GPU in this launch (LSP01 to LSP11)", CommandGroup::looking, do_lint},
      {"cost", "", "cost [GPU]", "sectors, bytes, flops and ops of each line, the most expensive first", CommandGroup::looking,
       do_cost},
      {"roofline", "", "roofline [GPU]", "how fast the launch could be at most: roofline sm_90, h200",
       CommandGroup::looking, do_roofline},
  };
  return kRows;
}

}  // namespace lockstep::debugger
