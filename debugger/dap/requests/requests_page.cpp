// Requests of Lockstep's own for pages that show a line's values next to it, each lane's address, and where an element is on the
// GPU: lockstep/lines, lockstep/lanes, lockstep/layout. Requests and answers: docs/editors.md.
#include <algorithm>

#include "debugger/dap/dispatch.h"
#include "debugger/dap/json/lanes_json.h"
#include "debugger/dap/json/values.h"
#include "debugger/queries/pointer_lanes.h"
#include "debugger/session/break_locations.h"
#include "debugger/session/layout_text.h"
#include "debugger/session/summary.h"

namespace lockstep::debugger::dap {

namespace {

constexpr std::size_t kMostLines = 500, kMostNames = 4, kMostText = 120;

/// The names of a line that have a value now. Null: none.
Json line_json(const State& state, const Place& place) {
  Session& session = state.session();
  Json::Array names;
  std::string text;
  for (const std::string& name : session.listing().names_in_line(place)) {
    const auto found = session.scope().find(name);
    if (!found || !*found) continue;
    const std::string piece = name + " " + inline_text(**found, session.scope());
    if (names.size() == kMostNames || text.size() + piece.size() > kMostText) break;
    text += (text.empty() ? "" : " | ") + piece;
    names.emplace_back(name);
  }
  if (names.empty()) return {};
  return Json::record({{"line", place.line}, {"text", text}, {"names", Json(std::move(names))}});
}

Json::Array json_texts(const std::vector<std::string>& lines) { return Json::Array(lines.begin(), lines.end()); }

}  // namespace

Answer lockstep_lines(State& state, Arguments& in) {
  const std::int64_t frame = in.integer_or("frameId", 0, INT32_MAX, 0);
  if (!in.is_good()) return refuse(in.problem());
  const auto looked = look_at_frame(state, frame);
  if (!looked) return refuse(looked.error());
  Json::Array lines;
  Json body = Json::record();
  if (state.engine().point() != nullptr) {
    Place place = state.session().frame().place();
    if (place.is_known()) {
      const std::uint32_t current = place.line;
      body.set("file", *place.file);
      for (const std::uint32_t line : lines_of(state.engine().kernel(), *place.file)) {
        if (line > current || current - line > kMostLines) continue;
        place.line = line;
        if (Json one = line_json(state, place); !one.is_null()) lines.push_back(std::move(one));
      }
    }
  }
  body.set("lines", std::move(lines));
  return done(std::move(body));
}

Answer lockstep_lanes(State& state, Arguments& in) {
  const std::string text = in.text_or("expression", "");
  const std::int64_t frame = in.integer_or("frameId", 0, INT32_MAX, 0);
  if (!in.is_good()) return refuse(in.problem());
  const auto looked = look_at_frame(state, frame);
  if (!looked) return refuse(looked.error());
  const auto found = find_mapped_access(state.engine(), state.session().scope(), text);
  if (!found) return refuse(found.error().text());
  const LaneAddresses& lanes = found->lanes;
  if (lanes.addresses.size() > kMostLanes) return refuse("more than 65,536 lanes");
  const memory_model::View* view = mapped_view(state.engine(), lanes);
  Json body = Json::record({{"text", found->text},
                            {"shape", json_numbers(lanes.shape)},
                            {"elementBytes", lanes.bytes},
                            {"lanes", lanes.addresses.size()},
                            {"marks", marks_json(lanes)},
                            {"offsets", offsets_json(lanes, view)}});
  if (view != nullptr) body.set("argument", view->name);
  return done(std::move(body));
}

Answer lockstep_layout(State& state, Arguments& in) {
  const std::string name = in.text("expression");
  const bool has_index = in.has("index");
  const std::vector<std::int64_t> index = in.integers_or_empty("index", 0, INT32_MAX);
  const std::int64_t frame = in.integer_or("frameId", 0, INT32_MAX, 0);
  if (!in.is_good()) return refuse(in.problem());
  const auto looked = look_at_frame(state, frame);
  if (!looked) return refuse(looked.error());
  const auto tile = find_laid_out(state.session(), name);
  if (!tile) return refuse(tile.error().text());
  Json body = Json::record({{"lines", Json(json_texts(layout_lines(*tile)))}});
  if (has_index) {
    const auto holders = holder_lines(*tile, index);
    if (!holders) return refuse(holders.error().text());
    body.set("holders", Json(json_texts(*holders)));
  }
  return done(std::move(body));
}

}  // namespace lockstep::debugger::dap
