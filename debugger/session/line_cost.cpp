#include "debugger/session/line_cost.h"

#include <algorithm>
#include <map>

namespace lockstep::debugger {

void LineCost::add(const LineCost& other) {
  executions += other.executions;
  sectors += other.sectors;
  bytes += other.bytes;
  flops += other.flops;
  seconds += other.seconds;
}

std::vector<LineCost> costs_by_line(const LaunchCost& cost, const DebugKernel& kernel) {
  std::map<const ir::Op*, Place> places;
  for (const Point& point : kernel.points()) places.emplace(point.op, point.place());
  std::vector<LineCost> lines;
  for (const OpCost& op : cost.ops) {
    const auto found = places.find(op.op);
    const Place place = found == places.end() ? Place{} : found->second;
    auto line =
        std::find_if(lines.begin(), lines.end(), [&](const LineCost& one) { return one.place.same_line(place); });
    if (line == lines.end()) line = lines.insert(lines.end(), LineCost{place});
    line->add({place, op.executions, op.sectors, op.bytes, op.flops, op.seconds});
  }
  return lines;
}

}  // namespace lockstep::debugger
