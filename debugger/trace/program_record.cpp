#include "debugger/trace/program_record.h"

#include "debugger/queries/pointer_lanes.h"
#include "debugger/trace/container.h"
#include "interpreter/access/storage_copy.h"

namespace lockstep::debugger::trace {

namespace {


/// Bytes that the current op is about to write.
std::vector<memory_model::Extent> ranges_to_write(const Engine& engine) {
  if (!engine.point()->writes) return {};
  const auto lanes = access_lanes_of(engine);
  if (!lanes) return {};
  return map_access(*lanes).runs;
}

class ProgramRecorder {
 public:
  ProgramRecorder(Answers& answers, Nodes& nodes, std::uint64_t number, const Detail& detail, std::uint64_t most_bytes)
      : answers_(answers),
        session_(answers.state().session()),
        engine_(session_.engine()),
        nodes_(nodes),
        detail_(detail),
        most_bytes_(most_bytes),
        number_(number) {}

  ProgramRecord record() {
    session_.go_to_program(number_);
    record_.first_turn = engine_.mark().turn;
    while (stands() && !record_.is_cut) {
      note_step();
      const auto ranges = ranges_to_write(engine_);
      const std::size_t before = engine_.findings().size();
      step();
      note_writes(ranges);
      note_findings(before);
      record_.is_cut = stands() && record_.steps >= detail_.most_steps;
      if (is_too_large()) return std::move(record_);
    }
    record_.turns = Json(std::move(turns_));
    record_.findings = Json(std::move(findings_));
    record_.node = nodes_.object({{"number", nodes_.add(number_)},
                                  {"id", nodes_.add(json_numbers(engine_.program_id(number_)))},
                                  {"points", nodes_.add(Json(std::move(points_)))},
                                  {"depths", nodes_.add(Json(std::move(depths_)))},
                                  {"levels", nodes_.add(Json(std::move(levels_)))},
                                  {"views", nodes_.list(views_)},
                                  {"writes", nodes_.list(writes_)},
                                  {"isCut", nodes_.add(record_.is_cut)}});
    return std::move(record_);
  }

 private:
  /// Checks at growing distances, so that the extra packing costs no more than the final one.
  bool is_too_large() {
    if (record_.steps < next_look_) return false;
    next_look_ = 2 * record_.steps;
    record_.is_too_large = Section::pack("", nodes_.finish(0)).bytes() > most_bytes_;
    return record_.is_too_large;
  }

  bool stands() const { return engine_.point() != nullptr && engine_.program() == number_; }

  void note_step() {
    const Point& point = *engine_.point();
    const LiveProgram& program = engine_.programs().current();
    if (turns_.empty() || *turns_.back().array()->front().integer() != static_cast<std::int64_t>(engine_.mark().turn))
      turns_.emplace_back(Json::Array{Json(engine_.mark().turn), Json(record_.steps)});
    points_.emplace_back(point.number);
    depths_.emplace_back(point.frames.size());
    levels_.emplace_back(program.is_statement_start() ? static_cast<std::int64_t>(program.new_level) : -1);
    const StepView view = view_step(answers_, nodes_, detail_);
    views_.push_back(view.node);
    record_.is_sampled = record_.is_sampled || view.is_sampled;
    ++record_.steps;
  }

  /// One op of this program; others run in between where it gives way.
  void step() {
    session_.step_op(Direction::forward);
    while (engine_.point() != nullptr && engine_.program() != number_ && engine_.programs().has_live(number_))
      session_.step_op(Direction::forward);
  }

  void note_writes(const std::vector<memory_model::Extent>& ranges) {
    for (const memory_model::Extent& range : ranges) {
      const std::string_view bytes(interpreter::bytes_at(range.begin), range.bytes());
      writes_.push_back(nodes_.object({{"step", nodes_.add(record_.steps)},
                                       {"address", nodes_.add(std::to_string(range.begin))},
                                       {"data", nodes_.bytes(bytes, range.bytes() % 4 == 0 ? 4 : 1)}}));
    }
  }

  void note_findings(std::size_t before) {
    if (engine_.findings().size() <= before) return;
    const auto report = answers_.ask("lockstep/report");
    const Json::Array& all = *report->find("findings")->array();
    for (std::size_t i = before; i < all.size(); ++i) findings_.emplace_back(Json::Array{Json(record_.steps), all[i]});
  }

  Answers& answers_;
  Session& session_;
  Engine& engine_;
  Nodes& nodes_;
  const Detail& detail_;
  std::uint64_t most_bytes_, next_look_ = 32, number_;
  ProgramRecord record_;
  Json::Array turns_, findings_, points_, depths_, levels_;
  std::vector<Node> views_, writes_;
};

}  // namespace

ProgramRecord record_program(Answers& answers, Nodes& nodes, std::uint64_t number, const Detail& detail,
                             std::uint64_t most_bytes) {
  return ProgramRecorder(answers, nodes, number, detail, most_bytes).record();
}

}  // namespace lockstep::debugger::trace
