// `hb`: what orders two programs, as text.
#include "debugger/queries/program_order.h"
#include "debugger/session/break_locations.h"
#include "debugger/session/overview.h"
#include "debugger/terminal/commands/families.h"
#include "debugger/terminal/commands/programs.h"
#include "debugger/terminal/memory_text.h"
#include "ir/op_def.h"

namespace lockstep::debugger {

namespace {

constexpr std::size_t kMostConflicts = 12, kMostEdges = 24;

/// The words of two programs: "3 5", "3,0,0 5,0,0", "3 0 0 5 0 0"; nullopt: something else.
std::optional<std::pair<std::string, std::string>> two_programs(std::string_view words) {
  std::vector<std::string> all;
  while (!trimmed(words).empty()) all.emplace_back(take_word(words));
  if (all.empty() || all.size() % 2 != 0 || all.size() > 6) return std::nullopt;
  std::pair<std::string, std::string> two;
  for (std::size_t i = 0; i < all.size(); ++i) {
    std::string& text = i < all.size() / 2 ? two.first : two.second;
    text += (text.empty() ? "" : " ") + all[i];
  }
  return two;
}

std::string_view act_of(const Point& point, bool writes) {
  const auto kind = interpreter::touch_kind(*point.op);
  if (kind == interpreter::TouchKind::atomic) return writes ? "updates" : "reads atomically";
  return writes ? "stores" : "loads";
}

std::string access_text(CommandContext& in, const OrderedAccess& access) {
  return program_text(in.session.engine().program_id(access.program)) + " at " + place_text(access.point->place());
}

void show_path(CommandContext& in, const std::vector<OrderEdge>& path, std::uint64_t from, std::uint64_t to) {
  const auto name = [&](std::uint64_t program) {
    return "program " + program_text(in.session.engine().program_id(program));
  };
  if (path.empty()) return;
  in.screen.line(name(from) + " happens before " + name(to) +
                 ": an acquire sees its release, directly or through others");
  for (std::size_t i = 0; i < path.size() && i < kMostEdges; ++i) {
    const OrderEdge& edge = path[i];
    const std::string element = element_text_at(in.session, edge.address);
    in.screen.line("  " + access_text(in, edge.released) + " releases " + element + " = " +
                   value_at(in.session, edge.address, edge.left));
    in.screen.line("  " + access_text(in, edge.acquired) + " acquires it, and reads " +
                   value_at(in.session, edge.address, edge.seen));
  }
  if (path.size() > kMostEdges) in.screen.line("  ... " + std::to_string(path.size() - kMostEdges) + " more");
}

void show_conflict(CommandContext& in, const Conflict& conflict) {
  const std::string text = range_at(in.session, conflict.bytes) + ": " + access_text(in, conflict.first) + " " +
                           std::string(act_of(*conflict.first.point, conflict.first_writes)) + ", " +
                           access_text(in, conflict.second) + " " +
                           std::string(act_of(*conflict.second.point, conflict.second_writes));
  if (conflict.is_ordered) {
    in.screen.line("  ordered  " + text);
    return;
  }
  in.screen.line("  " + in.screen.ink(Ink::red, "race     ") + text + " [" + std::string(spelling(conflict.code)) +
                 "]");
  const std::string indent(11, ' ');
  if (!conflict.blame.empty()) in.screen.line(indent + conflict.blame + ", which orders nothing");
  in.screen.line(indent + "hint: " + std::string(conflict.remedy));
}

void show_order(CommandContext& in, const ProgramOrder& order, std::uint64_t first, std::uint64_t second) {
  if (order.has_fences) {
    in.screen.line(
        "this kernel's inline assembly orders memory, which Lockstep does not model: the order is unknown");
    return;
  }
  if (order.paths[0].empty() && order.paths[1].empty())
    in.screen.line("nothing orders program " + program_text(in.session.engine().program_id(first)) + " and program " +
                   program_text(in.session.engine().program_id(second)) +
                   ": neither acquires what the other released, directly or through others");
  show_path(in, order.paths[0], first, second);
  show_path(in, order.paths[1], second, first);
  if (order.conflicts.empty())
    in.screen.line("no access of one conflicts with one of the other: no order is needed");
  else
    in.screen.line("accesses to the same bytes, one of them a store:");
  for (std::size_t i = 0; i < order.conflicts.size() && i < kMostConflicts; ++i) show_conflict(in, order.conflicts[i]);
  if (order.conflicts.size() > kMostConflicts)
    in.screen.line("  ... " + std::to_string(order.conflicts.size() - kMostConflicts) + " more pairs of ops");
  if (order.is_truncated) in.screen.line("  (too many accesses to compare them all)");
}

Done do_hb(CommandContext& in, std::string_view words) {
  const auto two = two_programs(words);
  if (!two) return Unexpected{Problem{"which two programs?", "hb 0 3, hb 0,0,0 3,1,0, hb 0 0 0 3 1 0"}};
  const auto first = program_number(in.session, two->first), second = program_number(in.session, two->second);
  if (!first) return Unexpected{first.error()};
  if (!second) return Unexpected{second.error()};
  Engine& engine = in.session.engine();
  if (*first == *second)
    return Unexpected{Problem{"this is one program: its ops happen one after the other", "hb 0 3"}};
  for (const std::uint64_t program : {*first, *second}) {
    if (!engine.programs().has_started(program))
      return Unexpected{Problem{"program " + program_text(engine.program_id(program)) + " has not started yet",
                                "`continue` to where it has, or to the end, and ask again"}};
  }
  const auto order = find_program_order(engine, *first, *second);
  if (!order) return Unexpected{order.error()};
  show_order(in, *order, *first, *second);
  return {};
}

}  // namespace

CommandRows order_commands() {
  static constexpr Command kRows[] = {
      {"hb", "", "hb P Q", "what orders two programs (happens before): hb 0 3, hb 0,0,0 3,1,0", CommandGroup::looking,
       do_hb},
  };
  return kRows;
}

}  // namespace lockstep::debugger
