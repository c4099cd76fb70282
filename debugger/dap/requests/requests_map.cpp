// lockstep/accessMap: what an access touches, for pages that draw it. Requests and answers: docs/editors.md.
#include <algorithm>

#include "debugger/dap/dispatch.h"
#include "debugger/dap/json/lanes_json.h"
#include "debugger/dap/json/values.h"
#include "debugger/dap/runs.h"
#include "debugger/queries/pointer_lanes.h"
#include "ir/text/python_name.h"

namespace lockstep::debugger::dap {

namespace {

constexpr std::size_t kMostRuns = 4096;
constexpr std::int64_t kMostMapCells = 1000, kUsualMapCells = 64;

/// An element by its index, or another address by its distance from the argument's first byte.
Json element_json(const State& state, std::uint64_t address, std::int32_t view) {
  const PointerPlace place = state.session().scope().place_of(address, view);
  Json json = Json::record({{"offset", place.offset}});
  if (!place.index.empty() || place.shape.empty()) json.set("index", json_numbers(place.index));
  return json;
}

Json runs_json(const State& state, const AccessMap& map) {
  Json::Array runs;
  for (std::size_t i = 0; i < std::min(map.runs.size(), kMostRuns); ++i) {
    const memory_model::Extent& run = map.runs[i];
    const PointerPlace place = state.session().scope().place_of(run.begin, map.view);
    runs.push_back(Json::record({{"offset", place.offset}, {"bytes", run.end - run.begin}}));
  }
  return runs;
}

Json strides_json(const AccessMap& map) {
  Json::Array strides;
  for (const auto& stride : map.strides) {
    strides.emplace_back();
    if (stride) strides.back() = Json(*stride);
  }
  return strides;
}

Json outside_json(const State& state, const AccessMap& map) {
  Json::Array lanes;
  for (const AccessMap::Lane& lane : map.outside_lanes) {
    Json json = element_json(state, lane.address, map.view);
    json.set("lane", lane.lane);
    lanes.push_back(std::move(json));
  }
  return lanes;
}

Json ruler_json(const State& state, const Ruler& ruler, std::int32_t view) {
  Json::Array cells;
  for (const RulerCell& cell : ruler.cells) {
    const PointerPlace place = state.session().scope().place_of(cell.begin, view);
    cells.push_back(Json::record(
        {{"offset", place.offset}, {"used", cell.used}, {"holds", cell.holds}, {"outside", cell.outside}}));
  }
  return Json::record({{"cellBytes", ruler.cell_bytes}, {"cells", std::move(cells)}});
}

Json counts_json(const AccessMap& map) {
  return Json::record({{"shape", json_numbers(map.shape)},
                       {"elementBytes", map.bytes_each},
                       {"lanes", map.lanes},
                       {"masked", map.masked},
                       {"inside", map.inside},
                       {"outside", map.outside},
                       {"elements", map.elements},
                       {"bytes", map.bytes},
                       {"sectors", map.sectors},
                       {"lines", map.lines},
                       {"sectorUse", map.sector_use()},
                       {"lineUse", map.line_use()},
                       {"holeBytes", map.hole_bytes}});
}

/// `each`: lists at most so many lanes one by one.
Answer access_map(State& state, const std::string& text, std::size_t cells, std::size_t each) {
  const auto found = find_mapped_access(state.engine(), state.session().scope(), text);
  if (!found) return refuse(found.error().text());
  const AccessMap map = map_access(found->lanes);
  const memory_model::View* view = mapped_view(state.engine(), found->lanes);
  Json body = counts_json(map);
  body.set("text", found->text);
  if (found->point != nullptr) body.set("python", ir::python_name(*found->point->op));
  if (found->point != nullptr && found->point->place().is_known()) {
    body.set("file", *found->point->place().file);
    body.set("line", found->point->place().line);
  }
  if (view != nullptr) {
    body.set("argument", view->name);
    body.set("argumentShape", json_numbers(view->shape));
    body.set("argumentStrides", json_numbers(view->strides));
  }
  if (map.inside > 0) {
    body.set("first", element_json(state, map.first(), map.view));
    body.set("last", element_json(state, map.last(), map.view));
  }
  body.set("strides", strides_json(map));
  body.set("runs", runs_json(state, map));
  body.set("isTruncated", map.runs.size() > kMostRuns);
  body.set("outsideLanes", outside_json(state, map));
  const memory_model::Extent buffer = view == nullptr ? memory_model::Extent{} : view->extent;
  body.set("ruler", ruler_json(state, ruler_of(found->lanes, map, buffer, cells), map.view));
  if (found->lanes.addresses.size() <= each) {
    body.set("each",
             Json::record({{"marks", marks_json(found->lanes)}, {"offsets", offsets_json(found->lanes, view)}}));
  }
  return done(std::move(body));
}

}  // namespace

Answer lockstep_access_map(State& state, Arguments& in) {
  const std::string text = in.text_or("expression", "");
  const std::int64_t frame = in.integer_or("frameId", 0, INT32_MAX, 0);
  const auto cells = static_cast<std::size_t>(in.integer_or("cells", 1, kMostMapCells, kUsualMapCells));
  const auto each = static_cast<std::size_t>(in.integer_or("each", 0, kMostLanes, 0));
  if (!in.is_good()) return refuse(in.problem());
  const auto looked = look_at_frame(state, frame);
  if (!looked) return refuse(looked.error());
  return withdrawable(state, "looking for the access", [&] { return access_map(state, text, cells, each); });
}

}  // namespace lockstep::debugger::dap
