// `map`: what an access touches, as text: lanes, elements, sectors, a ruler, the outside. `layout`: which thread and
// register of the GPU holds an element of a tile, and what a thread holds.
#include <algorithm>
#include <cstdio>
#include <limits>

#include "debugger/queries/pointer_lanes.h"
#include "debugger/session/break_locations.h"
#include "debugger/session/layout_text.h"
#include "debugger/terminal/commands/families.h"
#include "debugger/terminal/inspect.h"
#include "ir/text/python_name.h"
#include "memory_model/describe.h"

namespace lockstep::debugger {

namespace {

constexpr std::size_t kMostCells = 64, kMostOutsideLines = 4, kLabel = 10;

std::string counted_things(std::int64_t count, const std::string& thing) {
  return std::to_string(count) + " " + thing + (count == 1 ? "" : "s");
}

std::string share_text(double share) {
  char text[16];
  std::snprintf(text, sizeof text, "%.0f%%", 100 * share);
  return text;
}

std::string label(std::string text) {
  text.resize(kLabel, ' ');
  return "  " + text;
}

std::string lanes_text(const AccessMap& map) {
  if (map.lanes == 1) return map.inside == 1 ? "one" : map.outside == 1 ? "one, out of bounds" : "one, off";
  std::string text = map.inside == map.lanes
                         ? "all " + std::to_string(map.lanes) + " touch memory"
                         : std::to_string(map.inside) + " of " + std::to_string(map.lanes) + " touch memory";
  if (map.masked > 0) text += ", " + std::to_string(map.masked) + " off";
  if (map.outside > 0) text += ", " + std::to_string(map.outside) + " out of bounds";
  return text;
}

/// "[32,1] elements", "irregular" for a dimension without a constant distance.
std::string strides_text(const AccessMap& map) {
  std::vector<std::string> texts;
  bool are_elements = true;
  for (const auto& stride : map.strides) are_elements = are_elements && (!stride || *stride % map.bytes_each == 0);
  for (std::size_t d = 0; d < map.strides.size(); ++d) {
    if (map.shape[d] == 1) continue;
    const auto& stride = map.strides[d];
    texts.push_back(!stride ? "irregular" : std::to_string(are_elements ? *stride / map.bytes_each : *stride));
  }
  if (texts.empty() || map.inside + map.outside < 2) return "";
  if (texts.size() == 1 && texts[0] == "irregular") return "neighbours at no fixed distance";
  std::string text = texts[0];
  for (std::size_t i = 1; i < texts.size(); ++i) text += "," + texts[i];
  if (texts.size() > 1) text = "[" + text + "]";
  return "neighbours " + text + (are_elements ? (text == "1" ? " element apart" : " elements apart") : " bytes apart");
}

std::string elements_text(const AccessMap& map, const memory_model::View* view) {
  std::string text = std::to_string(map.elements) + (map.elements == 1 ? " element" : " different elements");
  if (map.elements == map.inside) text = counted_things(map.elements, "element");
  if (view != nullptr) {
    const std::string first = memory_model::element_text(*view, map.first());
    const std::string last = memory_model::element_text(*view, map.last());
    text += first == last ? ", " + first : ", " + first + " to " + last;
  }
  const std::string strides = strides_text(map);
  return strides.empty() ? text : text + "; " + strides;
}

std::string memory_text(const AccessMap& map) {
  std::string text = counted_things(static_cast<std::int64_t>(map.bytes), "byte") + " in " +
                     counted_things(static_cast<std::int64_t>(map.runs.size()), "run");
  if (map.hole_bytes > 0) text += " with " + std::to_string(map.hole_bytes) + " left out between";
  return text + ": " + counted_things(static_cast<std::int64_t>(map.sectors), "sector") + " of 32 bytes (" +
         share_text(map.sector_use()) + " used), " + counted_things(static_cast<std::int64_t>(map.lines), "line") +
         " of 128 bytes (" + share_text(map.line_use()) + ")";
}

std::string ruler_text(const Ruler& ruler, const Screen& screen) {
  std::string text;
  for (const RulerCell& cell : ruler.cells) {
    if (cell.outside > 0) {
      text += screen.ink(Ink::red, "!");
    } else if (cell.used == 0) {
      text += cell.holds == 0 ? " " : ".";
    } else {
      text += cell.used == ruler.cell_bytes ? "#" : "+";
    }
  }
  return text;
}

void show_outside(CommandContext& in, const AccessMap& map, const memory_model::View* view) {
  std::size_t shown = 0;
  for (const AccessMap::Lane& lane : map.outside_lanes) {
    if (++shown > kMostOutsideLines) break;
    std::string text = "lane " + index_text(index_of(lane.lane, map.shape));
    if (map.shape.empty()) text = "the pointer";
    if (view != nullptr) text += ": " + memory_model::element_text(*view, lane.address);
    in.screen.line(label(shown == 1 ? "outside" : "") + in.screen.ink(Ink::red, text));
  }
  const auto more = map.outside - static_cast<std::int64_t>(std::min(map.outside_lanes.size(), kMostOutsideLines));
  if (more > 0) in.screen.line(label("") + "... " + std::to_string(more) + " more");
}

Done do_map(CommandContext& in, std::string_view words) {
  Engine& engine = in.session.engine();
  const auto found = find_mapped_access(engine, in.session.scope(), words);
  if (!found) return Unexpected{found.error()};
  const AccessMap map = map_access(found->lanes);
  const memory_model::View* view = mapped_view(engine, found->lanes);
  std::string title = found->text;
  if (found->point != nullptr) title = place_text(found->point->place()) + "  " + ir::shown_name(*found->point->op);
  if (!map.shape.empty()) title += "  tile " + index_text(map.shape);
  in.screen.line(title + (view == nullptr ? "" : "  " + memory_model::shape_text(*view)));
  in.screen.line(label("lanes") + lanes_text(map));
  if (map.inside > 0) {
    in.screen.line(label("elements") + elements_text(map, view));
    in.screen.line(label("memory") + memory_text(map));
  }
  const memory_model::Extent buffer = view == nullptr ? memory_model::Extent{} : view->extent;
  const std::size_t cells = std::min(kMostCells, in.screen.width() - kLabel - 4);
  if (const Ruler ruler = ruler_of(found->lanes, map, buffer, cells); !ruler.cells.empty()) {
    const RulerCell& cell = ruler.cells.front();
    const std::uint64_t begin = cell.outside > 0 ? cell.begin : std::max(cell.begin, buffer.begin);
    in.screen.line(label("ruler") + "|" + ruler_text(ruler, in.screen) + "|");
    in.screen.line(label("") + (view == nullptr ? "" : "from " + memory_model::element_text(*view, begin) + ", ") +
                   std::to_string(ruler.cell_bytes) + " bytes each: # all used, + part, . none" +
                   (map.outside > 0 ? ", ! out of bounds" : ""));
  }
  show_outside(in, map, view);
  return {};
}

// ---- layouts ----

const Problem& layout_usage() {
  static const Problem problem{"layout of what?",
                               "layout acc, layout acc[3,0], layout acc thread 5, layout acc thread 5 1"};
  return problem;
}

/// "3,0" -> {3, 0}.
std::optional<std::vector<std::int64_t>> parse_index(std::string_view text) {
  std::vector<std::int64_t> index;
  while (true) {
    const std::size_t comma = std::min(text.find(','), text.size());
    const auto number = parse_number(trimmed(text.substr(0, comma)));
    if (!number || *number > std::numeric_limits<std::int32_t>::max()) return std::nullopt;
    index.push_back(static_cast<std::int64_t>(*number));
    if (comma == text.size()) return index;
    text.remove_prefix(comma + 1);
  }
}

/// "5 1 0": lane, warp, block.
std::optional<ir::RegisterPlace> parse_thread(std::string_view text) {
  ir::RegisterPlace place;
  std::int32_t* const parts[] = {&place.lane, &place.warp, &place.block};
  std::size_t count = 0;
  while (!text.empty()) {
    const auto number = parse_number(take_word(text));
    if (!number || *number > std::numeric_limits<std::int32_t>::max() || count == std::size(parts)) return std::nullopt;
    *parts[count++] = static_cast<std::int32_t>(*number);
  }
  return count == 0 ? std::nullopt : std::optional(place);
}

Done put_lines(CommandContext& in, const Expected<std::vector<std::string>, Problem>& lines) {
  if (!lines) return Unexpected{lines.error()};
  for (const std::string& line : *lines) in.screen.line("  " + line);
  return {};
}

Done do_layout(CommandContext& in, std::string_view words) {
  const std::size_t end = std::min(words.find_first_of(" ["), words.size());
  const std::string_view name = words.substr(0, end);
  const std::string_view rest = trimmed(words.substr(end));
  if (name.empty()) return Unexpected{layout_usage()};
  const auto tile = find_laid_out(in.session, name);
  if (!tile) return Unexpected{tile.error()};
  if (rest.empty()) return put_lines(in, layout_lines(*tile));
  if (rest.starts_with('[') && rest.ends_with(']')) {
    const auto index = parse_index(rest.substr(1, rest.size() - 2));
    if (!index) return Unexpected{layout_usage()};
    const auto lines = holder_lines(*tile, *index);
    if (!lines) return Unexpected{lines.error()};
    const auto value = evaluate(words, in.session.scope());
    in.screen.line(std::string(words) + (value ? " = " + shown(in, *value) : ""));
    return put_lines(in, lines);
  }
  constexpr std::string_view kThread = "thread ";
  const auto thread = rest.starts_with(kThread) ? parse_thread(trimmed(rest.substr(kThread.size()))) : std::nullopt;
  if (!thread) return Unexpected{layout_usage()};
  return put_lines(in, thread_lines(in.session, *tile, *thread));
}

}  // namespace

CommandRows map_commands() {
  static constexpr Command kRows[] = {
      {"map", "", "map [POINTERS[, MASK]]",
       "which bytes an access touches: map (here), map x_ptrs, map x + offsets, mask", CommandGroup::looking, do_map},
      {"layout", "", "layout TILE[[I,J]| thread LANE [WARP]]",
       "of a .ttgir: which warp, lane and register holds an element; what a thread holds", CommandGroup::looking,
       do_layout},
  };
  return kRows;
}

}  // namespace lockstep::debugger
