// lockstep/finding: one finding as a chain: the access, how its pointer (or its operands) was computed for the blamed
// lane, and the other places that the finding names. Requests and answers: docs/editors.md.
#include <algorithm>
#include <optional>

#include "debugger/dap/dispatch.h"
#include "debugger/dap/json/values.h"
#include "debugger/dap/runs.h"
#include "debugger/engine/frame.h"
#include "debugger/engine/names.h"
#include "debugger/expression/show.h"
#include "debugger/queries/past.h"
#include "debugger/queries/pointer_parts.h"
#include "interpreter/access/access_lanes.h"
#include "ir/op_def.h"

namespace lockstep::debugger::dap {

namespace {

constexpr std::size_t kMostFindingParts = 24;

/// The first point of an op with that location, and that spelling where one is given.
const Point* point_of(const State& state, Location location, std::string_view spelling) {
  const Point* found = nullptr;
  for (const Point& point : state.engine().kernel().points()) {
    if (point.location.file_text() != location.file_text()) continue;
    if (spelling.empty() ? interpreter::touches_memory(*point.op) : point.op->spelling() == spelling) return &point;
    if (spelling.empty() && found == nullptr) found = &point;
  }
  return found;
}

void set_point(const State& state, Json& json, const Point* point, Location location) {
  if (point != nullptr) {
    json.set("point", point->number);
    json.set("op", state.session().listing().ops()[point->number].text);
  }
  if (const LocationNode* user = user_frame(location).user) {
    json.set("file", user->text);
    json.set("line", user->line);
  }
}

const char* what_name(PointerPart::What what) {
  switch (what) {
    case PointerPart::What::argument: return "argument";
    case PointerPart::What::scalar: return "scalar";
    case PointerPart::What::program_id: return "programId";
    case PointerPart::What::range: return "range";
    case PointerPart::What::loaded: return "loaded";
    case PointerPart::What::carried: return "carried";
    case PointerPart::What::variable: return "variable";
  }
  return "";
}

Json part_json(const State& state, const PointerPart& part) {
  const Scope& scope = state.session().scope();
  const Tensor number = decode_tensor(part.number.kind, {}, part.number.bytes, part.number.provenance);
  Json json = Json::record({{"what", what_name(part.what)},
                            {"depth", part.depth},
                            {"value", element_text(number, 0, scope)},
                            {"isPointer", part.value->type().element().is_pointer()}});
  if (is_variable(state.engine(), *part.value)) json.set("name", name_of(*part.value));
  if (part.value->type().is_tensor()) json.set("index", json_numbers(index_of(part.lane, part.value->type().shape())));
  const auto frames = places_of(location_of(*part.value));
  if (!frames.empty() && frames.front().is_known()) {
    json.set("file", *frames.front().file);
    json.set("line", frames.front().line);
  }
  return json;
}

/// The pointer and mask of a memory op; all operands of others.
std::size_t operands_to_tell(const ir::Op& op) {
  if (!interpreter::touches_memory(op)) return op.operand_count();
  return std::min<std::size_t>(1, op.operand_count());
}

std::int64_t flat(const std::vector<std::int64_t>& lane, const ir::Value& value) {
  if (!value.type().is_tensor() || lane.size() != value.type().shape().size()) return 0;
  std::int64_t number = 0;
  for (std::size_t d = 0; d < lane.size(); ++d) number = number * value.type().shape()[d] + lane[d];
  return std::clamp<std::int64_t>(number, 0, value.type().element_count() - 1);
}

Json parts_json(const State& state, const Point& point, const Finding& finding) {
  Json::Array all;
  for (std::size_t i = 0; i < operands_to_tell(*point.op); ++i) {
    const ir::Value& operand = *point.op->operand(i);
    const std::int64_t lane = flat(finding.lane, operand);
    for (const PointerPart& part : parts_of(state.engine(), operand, point.activation, lane, kMostFindingParts - all.size()))
      all.push_back(part_json(state, part));
    if (all.size() >= kMostFindingParts) break;
  }
  return all;
}

/// The loops around are in the same iterations as at the finding.
bool is_iteration_of(const Engine& engine, const Finding& finding) {
  std::size_t inner = finding.loops.size();
  for (const LoopPosition& loop : Frame(engine).loops()) {
    if (!loop.iteration) continue;
    if (inner == 0 || finding.loops[--inner].number != static_cast<std::uint64_t>(*loop.iteration)) return false;
  }
  return inner == 0;
}

/// Which execution of its op the finding belongs to, from 1, if the loops around have fixed trip counts and the op is
/// in no branch.
std::uint64_t execution_of(const Finding& finding) {
  std::uint64_t number = 0;
  for (const LoopTurn& turn : finding.loops) number = number * turn.count + turn.number;
  return number + 1;
}

/// Goes to before the op in the blamed program: where the finding was made, else in its iteration, else at the op's
/// first execution. False: there is none.
bool go_there(State& state, const Point& point, std::uint64_t program, const std::optional<Mark>& made,
              const Finding& finding) {
  Engine& engine = state.engine();
  const auto is_there = [&] { return engine.point() == &point && engine.program() == program; };
  if (made && engine.seek(*made) && is_there()) return true;
  const auto go_before = [&](std::uint64_t execution) {
    if (!engine.go_behind(program, *point.op, execution)) return false;
    const Mark behind = engine.mark();
    return behind.step > 0 && engine.seek({behind.turn, behind.step - 1}) && is_there();
  };
  if (const std::uint64_t execution = execution_of(finding); execution > 1) {
    if (go_before(execution) && is_iteration_of(engine, finding)) return true;
  }
  return go_before(1);
}

struct Subject {
  Finding finding;
  std::optional<Mark> made;
};

std::optional<Subject> subject_of(const State& state, std::size_t number, bool is_checked) {
  if (is_checked) {
    const Report* report = state.session().caught().checked();
    if (report == nullptr || number >= report->findings().size()) return std::nullopt;
    return Subject{report->findings()[number], {}};
  }
  const auto& all = state.engine().findings();
  if (number >= all.size()) return std::nullopt;
  return Subject{all[number].second, all[number].first};
}

Json notes_json(const State& state, const Finding& finding) {
  Json::Array notes;
  for (const FindingNote& note : finding.notes) {
    Json json = Json::record({{"message", note.message}});
    if (!note.location.is_unknown()) set_point(state, json, point_of(state, note.location, ""), note.location);
    notes.push_back(std::move(json));
  }
  return notes;
}

Answer finding_answer(State& state, const Subject& subject) {
  const Finding& finding = subject.finding;
  Json body = Json::record({{"code", std::string(spelling(finding.code))},
                            {"message", finding.message},
                            {"hint", finding.hint},
                            {"program", json_numbers(finding.program)},
                            {"lane", json_numbers(finding.lane)},
                            {"count", finding.count},
                            {"iterations", iterations_text(finding.loops)},
                            {"notes", notes_json(state, finding)}});
  const Point* point = point_of(state, finding.location, finding.op);
  set_point(state, body, point, finding.location);
  const auto program = state.engine().number_of(finding.program);
  if (point == nullptr || !program) return done(std::move(body));
  const auto parts = ask_the_past(state.engine(), [&](Engine::ScopedReplay&) {
    const bool is_there = go_there(state, *point, *program, subject.made, finding);
    return is_there ? parts_json(state, *point, finding) : Json(Json::Array{});
  });
  if (!parts) return refuse(parts.error().text());
  body.set("parts", *parts);
  return done(std::move(body));
}

}  // namespace

Answer lockstep_finding(State& state, Arguments& in) {
  const auto number = static_cast<std::size_t>(in.integer("number", 0, INT32_MAX));
  const bool is_checked = in.boolean_or("checked", false);
  if (!in.is_good()) return refuse(in.problem());
  const auto subject = subject_of(state, number, is_checked);
  if (!subject) return refuse("no finding has this number");
  return withdrawable(state, "looking at the finding", [&] { return finding_answer(state, *subject); });
}

}  // namespace lockstep::debugger::dap
