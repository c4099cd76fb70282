// stepInTargets: the calls that are still to come in the current line, for lines with several of them.
#include <algorithm>

#include "debugger/dap/dispatch.h"
#include "debugger/dap/sources.h"

namespace lockstep::debugger::dap {

namespace {

bool is_same_place(const Place& a, const Place& b) { return a.same_line(b) && a.column == b.column; }

/// The line of a frame, and the calls that led the program there.
class CallLine {
 public:
  /// `level`: of the point's frames.
  CallLine(const Point& point, std::size_t level)
      : frames_(point.frames.begin() + static_cast<std::ptrdiff_t>(level), point.frames.end()) {}

  /// Level of a point's frame in this line; nullopt: none.
  std::optional<std::size_t> level_of(const Point& point) const {
    if (point.frames.size() < frames_.size()) return std::nullopt;
    const std::size_t level = point.frames.size() - frames_.size();
    if (!point.frames[level].same_line(frames_.front())) return std::nullopt;
    for (std::size_t i = 1; i < frames_.size(); ++i) {
      if (!is_same_place(point.frames[level + i], frames_[i])) return std::nullopt;
    }
    return level;
  }

 private:
  std::vector<Place> frames_;
};

/// Where the line ends, for calls that a branch skips.
std::vector<Breakpoint::At> ways_out(const std::vector<Point>& points, const CallLine& line) {
  std::vector<Breakpoint::At> at;
  for (const Point& point : points) {
    if (point.is_statement && !line.level_of(point)) at.push_back({point.number, Breakpoint::kAnyTime});
  }
  return at;
}

/// Calls by the place of their call site, each once, in the order of the text.
std::vector<StepTarget> calls_in(const std::vector<Point>& points, const Point& here, std::size_t hidden) {
  const CallLine line(here, hidden);
  const std::vector<Breakpoint::At> out = ways_out(points, line);
  std::vector<StepTarget> found;
  for (std::size_t i = here.number; i < points.size(); ++i) {
    const Point& point = points[i];
    if (!point.is_statement) continue;
    const auto level = line.level_of(point);
    if (!level) break;
    if (*level == 0) continue;
    const Place& site = point.frames[*level];
    const bool is_known =
        std::any_of(found.begin(), found.end(), [&](const StepTarget& one) { return is_same_place(one.site, site); });
    if (is_known) continue;
    StepTarget target;
    target.is_here = i == here.number;
    target.site = site;
    target.where.place = point.frames[*level - 1];
    target.where.at = out;
    target.where.at.insert(target.where.at.begin(), {point.number, *level - 1});
    found.push_back(std::move(target));
  }
  return found;
}

}  // namespace

Answer step_in_targets(State& state, Arguments& in) {
  const std::int64_t number = in.integer("frameId", 1, INT32_MAX);
  if (!in.is_good()) return refuse(in.problem());
  const FrameReference* frame = state.references.frame(number);
  if (frame == nullptr) return refuse("this frame no longer exists");
  const std::size_t hidden = state.session().hidden_levels();
  state.step_targets.clear();
  const Point* point = state.engine().point();
  if (frame->kind == FrameReference::Kind::standing && frame->level == hidden && point != nullptr &&
      hidden < point->frames.size())
    state.step_targets = calls_in(state.engine().kernel().points(), *point, hidden);
  Json::Array targets;
  for (const StepTarget& target : state.step_targets) {
    const std::string& name = state.session().calls().function_around(target.where.place);
    targets.push_back(
        Json::record({{"id", targets.size() + 1},
                      {"label", name.empty() ? place_text(target.where.place) : name},
                      {"line", static_cast<std::int64_t>(target.site.line) - 1 + state.client.first_line},
                      {"column", static_cast<std::int64_t>(target.site.column) + state.client.first_column}}));
  }
  return done(Json::record({{"targets", std::move(targets)}}));
}

}  // namespace lockstep::debugger::dap
