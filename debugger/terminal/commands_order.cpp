// `hb`: what orders two programs, as text.
#include "debugger/questions/program_order.h"
#include "debugger/session/overview.h"
#include "debugger/session/places.h"
#include "debugger/terminal/terminal.h"
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

}  // namespace

std::string Terminal::access_text(const OrderedAccess& access) const {
  return program_text(session_.engine().program_id(access.program)) + " at " + place_text(access.point->place());
}

void Terminal::show_path(const std::vector<OrderEdge>& path, std::uint64_t from, std::uint64_t to) {
  const auto name = [&](std::uint64_t program) {
    return "program " + program_text(session_.engine().program_id(program));
  };
  if (path.empty()) return;
  screen_.line(name(from) + " happens before " + name(to) +
               ": what it did before its release, before what follows the acquire");
  for (std::size_t i = 0; i < path.size() && i < kMostEdges; ++i) {
    const OrderEdge& edge = path[i];
    const std::string element = element_at(edge.address);
    screen_.line("  " + access_text(edge.released) + " releases " + element + " = " +
                 value_at(edge.address, edge.left));
    screen_.line("  " + access_text(edge.acquired) + " acquires it, and reads " + value_at(edge.address, edge.seen));
  }
  if (path.size() > kMostEdges) screen_.line("  ... " + std::to_string(path.size() - kMostEdges) + " more");
}

void Terminal::show_conflict(const Conflict& conflict) {
  const std::string text = range_at(conflict.bytes) + ": " + access_text(conflict.first) + " " +
                           std::string(act_of(*conflict.first.point, conflict.first_writes)) + ", " +
                           access_text(conflict.second) + " " +
                           std::string(act_of(*conflict.second.point, conflict.second_writes));
  if (conflict.is_ordered) {
    screen_.line("  ordered  " + text);
    return;
  }
  screen_.line("  " + screen_.ink(Ink::red, "race     ") + text + " [" + std::string(spelling(conflict.code)) + "]");
  const std::string indent(11, ' ');
  if (!conflict.blame.empty()) screen_.line(indent + conflict.blame + ", which orders nothing");
  screen_.line(indent + "hint: " + std::string(conflict.remedy));
}

void Terminal::show_order(const ProgramOrder& order, std::uint64_t first, std::uint64_t second) {
  if (order.has_fences) {
    screen_.line("inline assembly of this kernel orders memory, which is not modelled: what orders them is not known");
    return;
  }
  if (order.paths[0].empty() && order.paths[1].empty())
    screen_.line("nothing orders program " + program_text(session_.engine().program_id(first)) + " and program " +
                 program_text(session_.engine().program_id(second)) +
                 ": neither acquires what the other released, directly or through others");
  show_path(order.paths[0], first, second);
  show_path(order.paths[1], second, first);
  if (order.conflicts.empty())
    screen_.line("no access of one conflicts with one of the other: no order is needed");
  else
    screen_.line("accesses to the same bytes, one of them a store:");
  for (std::size_t i = 0; i < order.conflicts.size() && i < kMostConflicts; ++i) show_conflict(order.conflicts[i]);
  if (order.conflicts.size() > kMostConflicts)
    screen_.line("  ... " + std::to_string(order.conflicts.size() - kMostConflicts) + " more pairs of ops");
  if (order.is_truncated) screen_.line("  (too many accesses to compare them all)");
}

Terminal::Done Terminal::do_hb(Words words) {
  const auto two = two_programs(words);
  if (!two) return Unexpected{Problem{"which two programs?", "hb 0 3, hb 0,0,0 3,1,0, hb 0 0 0 3 1 0"}};
  const auto first = program_number(two->first), second = program_number(two->second);
  if (!first) return Unexpected{first.error()};
  if (!second) return Unexpected{second.error()};
  Engine& engine = session_.engine();
  if (*first == *second)
    return Unexpected{Problem{"this is one program: its ops happen one after the other", "hb 0 3"}};
  for (const std::uint64_t program : {*first, *second}) {
    if (!engine.programs().has_started(program))
      return Unexpected{Problem{"program " + program_text(engine.program_id(program)) + " has not begun up to here",
                                "`continue` to where it has, or to the end, and ask again"}};
  }
  const auto order = find_program_order(engine, *first, *second);
  if (!order) return Unexpected{order.error()};
  show_order(*order, *first, *second);
  return std::monostate{};
}

}  // namespace lockstep::debugger
