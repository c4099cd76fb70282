// Commands that list: the source, the ops, the frames of the current program; up and down the frames.
#include <algorithm>

#include "debugger/session/overview.h"
#include "debugger/terminal/commands/families.h"
#include "debugger/terminal/inspect.h"

namespace lockstep::debugger {

namespace {

constexpr std::uint32_t kListed = 10;  // lines

bool has_stop(const Session& session, const Place& place) {
  return std::any_of(session.stops().all().begin(), session.stops().all().end(), [&](const auto& entry) {
    const Where& where = entry.second.where;
    return where.place.is_known() && where.place.same_line(place) && !where.text.starts_with('*');
  });
}

Done do_list(CommandContext& in, std::string_view words) {
  const auto files = files_of(in.session.engine().kernel());
  Place here = in.session.engine().point() != nullptr ? in.session.frame().place() : Place{};
  if (!here.is_known() && files.empty())
    return Unexpected{Problem{"the kernel's ops have no lines", "`ttir` lists them"}};
  if (!here.is_known()) here = {files.front(), 1, 0};
  const SourceFilePtr source = in.session.listing().source(*here.file);
  if (source == nullptr) return Unexpected{Problem{"'" + *here.file + "' cannot be read", "`ttir` lists the ops"}};
  std::uint32_t from = in.state.next_listed.value_or(here.line > kListed / 2 ? here.line - kListed / 2 : 1);
  std::uint32_t to = from + kListed;
  if (!words.empty()) {
    const std::size_t comma = words.find(',');
    const auto first = parse_number(trimmed(words.substr(0, comma)));
    const auto last = comma == std::string_view::npos ? first : parse_number(trimmed(words.substr(comma + 1)));
    if (!first || !last || *first == 0 || *last < *first || *last > source->line_count())
      return Unexpected{Problem{"'" + std::string(words) + "' is not a range of lines",
                                "the file has " + std::to_string(source->line_count())}};
    from = static_cast<std::uint32_t>(*first);
    to = comma == std::string_view::npos ? from + kListed : static_cast<std::uint32_t>(*last);
  }
  to = std::min(to, source->line_count());
  if (from > to) in.screen.line("that was the end of the file");
  for (std::uint32_t line = from; line <= to; ++line) {
    const Place place{here.file, line, 0};
    const bool is_here = in.session.engine().point() != nullptr && place.same_line(here);
    std::string number = std::to_string(line);
    number.insert(0, number.size() < 4 ? 4 - number.size() : 0, ' ');
    in.screen.line(in.screen.ink(is_here ? Ink::green : Ink::plain, is_here ? "->" : "  ") +
                   (has_stop(in.session, place) ? in.screen.ink(Ink::red, "*") : " ") + number + "  " +
                   in.screen.cut(source->line_text(line), 9));
  }
  in.state.next_listed = std::max(from, to + 1);
  return {};
}

Done do_ttir(CommandContext& in, std::string_view words) {
  const auto& ops = in.session.listing().ops();
  const auto count = static_cast<std::uint32_t>(ops.size());
  const Point* point = in.session.engine().point();
  const std::uint32_t here = point != nullptr ? point->number : count;
  const std::uint32_t middle = here < count ? here : 0;
  std::uint32_t from = in.state.next_listed.value_or(middle > kListed / 2 ? middle - kListed / 2 : 0);
  std::uint32_t to = std::min(count, from + kListed + 1);
  if (words == "all") {
    from = 0;
    to = count;
  } else if (!words.empty()) {
    const auto number = parse_number(words.starts_with('*') ? words.substr(1) : words);
    if (!number || *number >= count)
      return Unexpected{Problem{"there is no op " + std::string(words), "*0 to *" + std::to_string(count - 1)}};
    from = static_cast<std::uint32_t>(*number);
    to = std::min(count, from + kListed + 1);
  }
  if (from >= count) in.screen.line("that was the last op");
  for (std::uint32_t number = from; number < to; ++number) show_op(in, number, number == here);
  in.state.next_listed = to;
  return {};
}

// ---- frames ----

/// Frames of the program that made the launch: numbered on, and not to be chosen.
void show_outer_frames(CommandContext& in, std::size_t number) {
  for (const OuterFrame& frame : outer_frames(in.session)) {
    const Place place{&frame.file, frame.line, 0};
    in.screen.line("  #" + std::to_string(number++) + "  " + frame.name + "  " +
                   in.screen.ink(Ink::blue, place_text(place)) + "  " +
                   in.screen.cut(trimmed(in.session.listing().line(place)), 30));
  }
}

Done do_where(CommandContext& in, std::string_view) {
  const Point* point = in.session.engine().point();
  if (point == nullptr) {
    show_end(in);
    return {};
  }
  const std::size_t chosen = in.session.level();
  for (std::size_t level = in.session.hidden_levels(); level < point->frames.size(); ++level) {
    in.session.set_level(level);
    const Place place = in.session.frame().place();
    in.screen.line(std::string(level == chosen ? "* " : "  ") + "#" +
                   std::to_string(level - in.session.hidden_levels()) + "  " + in.session.function_name(level) + "  " +
                   in.screen.ink(Ink::blue, place_text(place)) + "  " +
                   in.screen.cut(trimmed(in.session.listing().line(place)), 30));
  }
  in.session.set_level(chosen);
  if (point->frames.empty()) show_op(in, point->number, true);
  show_outer_frames(in, point->frames.size() - std::min(point->frames.size(), in.session.hidden_levels()));
  const std::uint64_t program = in.session.engine().program();
  in.screen.line("program " + program_text(in.session.engine().program_id(program)));
  show_loops(in);
  return {};
}

Done do_up(CommandContext& in, std::string_view words) {
  const auto count = words.empty() ? std::optional<std::uint64_t>(1) : parse_number(words);
  if (!count || *count > 1000 || !in.session.set_level(in.session.level() + *count))
    return Unexpected{Problem{"there is no frame further up", "`where` lists them"}};
  show_place(in);
  show_source_line(in);
  return {};
}

Done do_down(CommandContext& in, std::string_view words) {
  const auto count = words.empty() ? std::optional<std::uint64_t>(1) : parse_number(words);
  if (!count || *count > in.session.level() || !in.session.set_level(in.session.level() - *count))
    return Unexpected{Problem{"there is no frame further down", "`where` lists them"}};
  show_place(in);
  show_source_line(in);
  return {};
}

}  // namespace

CommandRows source_commands() {
  static constexpr Command kRows[] = {
      {"list", "l", "list [LINE[,LINE]]", "the source around here", CommandGroup::looking, do_list, true},
      {"ttir", "", "ttir [N | all]", "the ops around here, with their numbers", CommandGroup::looking, do_ttir, true},
      {"where", "bt w backtrace", "where", "the frames of the program", CommandGroup::looking, do_where},
      {"up", "", "up [N]", "look at the calling frame", CommandGroup::looking, do_up},
      {"down", "", "down [N]", "look at the called frame", CommandGroup::looking, do_down},
  };
  return kRows;
}

}  // namespace lockstep::debugger
