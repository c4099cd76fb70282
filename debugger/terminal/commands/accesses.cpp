// Commands about the past: who touched an element, how it was computed.
#include <algorithm>
#include <map>
#include <utility>

#include "debugger/expression/show.h"
#include "debugger/queries/accesses.h"
#include "debugger/queries/slice.h"
#include "debugger/session/break_locations.h"
#include "debugger/session/overview.h"
#include "debugger/session/padding_text.h"
#include "debugger/terminal/commands/families.h"
#include "debugger/terminal/memory_text.h"
#include "ir/text/python_name.h"

namespace lockstep::debugger {

namespace {

constexpr std::size_t kMostAccesses = 40;     // lines of `who`
constexpr std::size_t kMostRanges = 12;       // of an argument, in `why`
constexpr std::size_t kMostAnswerLines = 40;  // of source, in `why`

std::string_view verb_of(interpreter::TouchKind kind) {
  switch (kind) {
    case interpreter::TouchKind::load: return "read";
    case interpreter::TouchKind::store: return "stored";
    case interpreter::TouchKind::atomic: return "updated atomically";
  }
  return "";
}

/// For a load, the value that fills it; for others, how much of it is padding.
std::string padding_of(const SliceStep& step, const Scope& scope) {
  if (interpreter::touches_memory(*step.point->op)) return "  (" + origins_text(step.origins, scope) + ")";
  return ", " + std::to_string(step.origins.padding()) + " of " + std::to_string(step.origins.lanes) + " padding";
}

Expected<Target, Problem> memory_target(CommandContext& in, const char* command, std::string_view words) {
  if (words.empty()) return Unexpected{Problem{std::string(command) + " what?", std::string(command) + " out[17,3]"}};
  const auto expression = parse_expression(words);
  if (!expression) return Unexpected{Problem{expression.error().message, ""}};
  auto target = resolve_target(*expression, in.session.scope());
  if (!target) return Unexpected{Problem{target.error().message, ""}};
  if (!target->is_memory)
    return Unexpected{Problem{"'" + target->text + "' is a variable: Lockstep keeps the history of memory only",
                              std::string(command) + " takes an element of an argument, out[17,3]"}};
  if (target->bytes.empty()) return Unexpected{Problem{"'" + target->text + "' has no elements", ""}};
  return std::move(*target);
}

/// Nothing has happened to the element where the session stands; bisect and reverse commands stand before it did.
Done nothing_yet(CommandContext& in, const std::string& text) {
  in.screen.line(text + " up to here");
  if (in.session.engine().point() != nullptr)
    in.screen.line(in.screen.ink(Ink::faint, "hint: ") + "`continue` runs to the end of the launch; ask there");
  return {};
}

Done do_who(CommandContext& in, std::string_view words) {
  const auto target = memory_target(in, "who", words);
  if (!target) return Unexpected{target.error()};
  const ByteRange bytes{target->bytes.front().begin, target->bytes.back().end};
  const auto found = find_accesses(in.session.engine(), bytes, kMostAccesses);
  if (!found) return Unexpected{found.error()};
  const AccessList& list = *found;
  if (list.accesses.empty()) return nothing_yet(in, "no program has touched " + target->text);
  const ScalarKind kind = target->window.kind;
  const bool is_element = bytes.end - bytes.begin == static_cast<std::uint64_t>(size_bytes(kind));
  for (const MemoryAccess& access : list.accesses) {
    std::string line = std::string(verb_of(access.kind)) + " by program " +
                       program_text(in.session.engine().program_id(access.program)) + " at " +
                       place_text(access.point->place());
    for (const std::int64_t iteration : access.iterations)
      line += iteration < 0 ? "" : ", the " + ordinal_text(static_cast<std::uint64_t>(iteration) + 1) + " iteration";
    line += ", lane " + std::to_string(access.lane);
    if (is_element) {
      line += ": " + number_text(kind, access.before, in.session.scope());
      if (access.kind != interpreter::TouchKind::load)
        line += " -> " + number_text(kind, access.after, in.session.scope());
    }
    in.screen.line(line);
  }
  if (list.is_truncated)
    in.screen.line("... " + std::to_string(list.total) + " in all; the list ends with the last of them");
  return {};
}

/// The kernel's lines that took part, in the order of time, with their first values.
void show_slice_steps(CommandContext& in, const Slice& slice) {
  std::size_t shown = 0;
  const SliceStep* before = nullptr;
  std::string gathered;  // of the line's reductions
  for (const SliceStep& step : slice.steps) {
    if (step.brings_together && step.origins.lanes != 0)
      gathered += "    " + ir::shown_name(*step.point->op) + " of " +
                  origins_text(step.origins, in.session.scope()) + "\n";
    const bool is_last_of_line = &step == &slice.steps.back() ||
                                 !(&step)[1].point->place().same_line(step.point->place()) ||
                                 (&step)[1].program != step.program;
    if (!is_last_of_line) continue;
    if (++shown > kMostAnswerLines) {
      gathered.clear();
      continue;
    }
    if (before == nullptr || before->program != step.program)
      in.screen.line("program " + program_text(in.session.engine().program_id(step.program)));
    before = &step;
    std::string line = "  " + place_text(step.point->place()) + "  " + ir::shown_name(*step.point->op);
    if (!step.first_value.empty())
      line += "  lane " + std::to_string(step.lanes.first()) + ": " +
              number_text(step.kind, step.first_value, in.session.scope());
    if (step.lanes.count() > 1) line += "  and " + std::to_string(step.lanes.count() - 1) + " more lanes";
    if (step.has_nan) line += "  NaN";
    if (!step.brings_together && step.origins.lanes > 0) line += padding_of(step, in.session.scope());
    in.screen.line(line);
    in.screen.put(std::exchange(gathered, ""));
  }
  if (shown > kMostAnswerLines) in.screen.line("  ... " + std::to_string(shown - kMostAnswerLines) + " more");
}

Done do_why(CommandContext& in, std::string_view words) {
  const auto target = memory_target(in, "why", words);
  if (!target) return Unexpected{target.error()};
  if (target->bytes.size() != 1)
    return Unexpected{Problem{"'" + target->text + "' is several pieces of memory", "why takes one element or a row"}};
  const auto found = find_slice(in.session.engine(), {target->bytes.front().begin, target->bytes.front().end});
  if (!found) return Unexpected{found.error()};
  const Slice& slice = *found;
  if (slice.steps.empty()) return nothing_yet(in, "no program has written " + target->text);
  show_slice_steps(in, slice);
  in.screen.line("made from");
  for (std::size_t i = 0; i < slice.inputs.size() && i < kMostRanges; ++i)
    in.screen.line("  " + range_at(in.session, slice.inputs[i]));
  if (slice.inputs.size() > kMostRanges)
    in.screen.line("  ... " + std::to_string(slice.inputs.size() - kMostRanges) + " more pieces of memory");
  const ir::Block& entry = in.session.engine().kernel().function().region().front();
  for (const std::uint32_t scalar : slice.scalars) in.screen.line("  " + name_of(*entry.argument(scalar)));
  if (slice.uses_program_id) in.screen.line("  the program's id");
  if (slice.is_truncated)
    in.screen.line("  (only the latest " + std::to_string(kMostSteps) + " steps were kept)");
  return {};
}

}  // namespace

CommandRows access_commands() {
  static constexpr Command kRows[] = {
      {"who", "", "who PLACE", "every program that touched an element up to here: who out[17,3]", CommandGroup::looking,
       do_who},
      {"why", "", "why PLACE", "how an element was computed, back to the arguments: why out[17,3]",
       CommandGroup::looking, do_why},
  };
  return kRows;
}

}  // namespace lockstep::debugger
