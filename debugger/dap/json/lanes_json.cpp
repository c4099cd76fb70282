#include "debugger/dap/json/lanes_json.h"

namespace lockstep::debugger::dap {

namespace {

const char* mark_name(LaneAddresses::LaneMark mark) {
  switch (mark) {
    case LaneAddresses::LaneMark::off: return "off";
    case LaneAddresses::LaneMark::inside: return "inside";
    case LaneAddresses::LaneMark::outside: return "outside";
  }
  return "";
}

}  // namespace

Json marks_json(const LaneAddresses& lanes) {
  Json::Array runs;
  for (std::size_t i = 0; i < lanes.marks.size();) {
    std::size_t end = i;
    while (end < lanes.marks.size() && lanes.marks[end] == lanes.marks[i]) ++end;
    runs.emplace_back(Json::Array{Json(i), Json(end - i), Json(mark_name(lanes.marks[i]))});
    i = end;
  }
  return runs;
}

Json offsets_json(const LaneAddresses& lanes, const memory_model::View* view) {
  const std::uint64_t base = view == nullptr ? 0 : view->base;
  Json::Array offsets;
  for (const std::uint64_t address : lanes.addresses) offsets.emplace_back(static_cast<std::int64_t>(address - base));
  return offsets;
}

}  // namespace lockstep::debugger::dap
