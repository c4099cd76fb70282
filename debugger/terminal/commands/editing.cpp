// Commands that edit variables, memory and the timeline.
#include "debugger/session/edits.h"
#include "debugger/terminal/commands/families.h"
#include "debugger/terminal/inspect.h"

namespace lockstep::debugger {

namespace {

/// The `=` that assigns: not ==, <=, >=, !=, and outside of brackets.
std::size_t assignment_in(std::string_view text) {
  int depth = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '(' || c == '[') ++depth;
    if (c == ')' || c == ']') --depth;
    if (c != '=' || depth != 0) continue;
    const char before = i == 0 ? ' ' : text[i - 1], after = i + 1 < text.size() ? text[i + 1] : ' ';
    if (after == '=') {
      ++i;
      continue;
    }
    if (before != '<' && before != '>' && before != '!') return i;
  }
  return std::string_view::npos;
}

Done do_set(CommandContext& in, std::string_view words) {
  const std::size_t sign = assignment_in(words);
  if (sign == std::string_view::npos || sign == 0 || trimmed(words.substr(sign + 1)).empty())
    return Unexpected{Problem{"set needs a place and a value", "set acc[0,0] = 1.5, set out[3] = 0"}};
  const auto now = assign_text(in.session, trimmed(words.substr(0, sign)), trimmed(words.substr(sign + 1)));
  if (!now) return Unexpected{now.error()};
  in.screen.line(*now + "  (timeline " + std::to_string(in.session.engine().timelines().current()) + ")");
  return {};
}

Done do_timeline(CommandContext& in, std::string_view words) {
  if (words.empty()) {
    show_timelines(in);
    return {};
  }
  const auto id = parse_number(words);
  if (!id || *id > 0xffffffffU)
    return Unexpected{Problem{"'" + std::string(words) + "' is not a timeline", "`timeline` lists them"}};
  auto done = in.session.switch_timeline(static_cast<std::uint32_t>(*id));
  if (!done) return done;
  show_halt(in);
  return {};
}

}  // namespace

CommandRows editing_commands() {
  static constexpr Command kRows[] = {
      {"set", "", "set PLACE = EXPRESSION", "change a variable, an element, memory (forks the timeline)",
       CommandGroup::changing, do_set},
      {"timeline", "", "timeline [ID]", "what was changed in each timeline; go to where another one was left",
       CommandGroup::changing, do_timeline},
  };
  return kRows;
}

}  // namespace lockstep::debugger
